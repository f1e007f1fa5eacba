import { randomUUID } from 'node:crypto'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PaymentFacts, requestBody, type TransferPayment } from '../../src/ledger/facts.ts'
import {
  type AttemptRecord,
  NO_RESPONSE,
  type PlanRecord,
  type RecordContent,
  type RecordType,
  type RunRecord,
  type RunRow,
} from '../../src/ledger/records.ts'
import type { SharedRecord } from '../../src/ledger/team/sharedRecords.ts'
import { readEventFacts } from '../../src/wire/eventFacts.ts'
import { type FaultGateway, startFaultGateway } from '../gateway/faultGateway.ts'
import { resetBeforeReading } from '../gateway/faults.ts'
import { type Written, writeByHand } from '../ledger/team/newRecords.ts'
import { connected, PASSWORD, soon, type TestPostgres } from '../postgres.ts'
import { emptyWorld, type World } from '../world.ts'
import { csvIn } from './batchFiles.ts'
import { approverLine } from './forgedRecords.ts'
import { inThisProcess } from './payments.ts'
import { type Person, signatureOf } from './planPeople.ts'

type Content = RecordContent & { firstBy?: { user: string; machine: string; login?: string } }
type People = Readonly<Record<'maria' | 'joao' | 'eva' | 'ana', Person>>

const SETUP = ['--environment', 'sandbox', '--client-id', 'local', '--callback-url', 'http://127.0.0.1:1/']
/** The payment of a customer that is refunded. */
const ORIGINAL = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'
/** One that only a liar says anything of. */
export const QUERIED = 'b1ffcd00-0d1c-4f09-8c7e-7cc0ce491b22'
/** Sixteen hex digits, as the sums of a run have them, which are those of no rows. */
const NO_FINGERPRINT = '0'.repeat(16)
const LIARS_RUN = 'run-0123456789ab'
const DAY_MS = 86_400_000
const LATE = { at: '9999-12-31T00:00:00.000Z' }

/** What a team has done by commands, into which one member writes by hand; every lie begins from the same records and the same machines. */
export interface LyingStage {
  gateway: FaultGateway
  liar: string
  auditor: string
  database: string
  /** As whose record a liar may say to bring one, in the place of one that is there. */
  brought: Readonly<{ user: string; machine: string; login: string; insteadOf: string }>
  /** What must stay undone, by who would pay how: the exit code while nobody lies. None sends a request that moves money. */
  payers: readonly Payer[]
  /** What a liar makes of these records, by type: the last record of each is the lie. */
  lies: Readonly<Partial<Record<RecordType, readonly (() => Written[])[]>>>
  /** Takes everything back to before the lies, writes these records, and gives the desks as they are then. */
  after(lie: readonly Written[]): Promise<Desks>
}

type Desks = Readonly<Record<'desk' | 'other', World>>

interface Payer {
  name: string
  at: keyof Desks
  args: readonly string[]
  exit: number
  /** Why it is refused. */
  says: string
}

/** Sets everything up by commands. */
export async function lyingStage(postgres: TestPostgres, people: People): Promise<LyingStage> {
  const gateway = await startFaultGateway({ clock: Date.now })
  const database = await postgres.newLedger()
  const [liar, auditor] = [await postgres.newLogin('pixgate_member'), await postgres.newLogin('pixgate_auditor')]
  const joined = async () => {
    const login = await postgres.newLogin('pixgate_member')
    const world = inThisProcess(emptyWorld({ PGPASSWORD: PASSWORD }))
    const account = [...SETUP, '--base-url', gateway.url, '--client-secret-stdin', '--no-test']
    for (const profile of [['shop'], ['small', '--max-day', '30']]) {
      await world.prepare(['profile', 'add', ...profile, ...account], { stdin: 'local-secret' })
    }
    await world.prepare(['ledger', 'join', postgres.address(login, database).url])
    return { ...world, login }
  }
  const [desk, other] = [await joined(), await joined()]
  const list = join(desk.home, 'approvers')
  writeFileSync(
    list,
    Object.entries(people)
      .map(([name, person]) => approverLine(name, person))
      .join(''),
  )
  const rules = ['--approvers', list, '--approval-from', '50', '--payee-wait', '24h']
  await desk.prepare(['profile', 'edit', 'shop', ...rules])
  await desk.prepare(['payee', 'add', 'acme', '--key', 'acme@example.com', '--yes'])
  const pay = (key: string, id: string, amount = '5') => [
    ...['transfer', '--key', `${key}@example.com`, '--amount', amount, '--external-id', id, '--yes'],
  ]
  await desk.prepare(pay('one', 'one'))
  await desk.prepare(['refund', ORIGINAL, '--full', '--reason', 'broken', '--yes'])
  const file = csvIn(desk, 'batch.csv', 'key,value', ['row@example.com,"5,10"', 'next@example.com,"5,10"'])
  await desk.prepare(['batch', 'transfer', file, '--yes'])
  gateway.misbehave([resetBeforeReading], 'POST')
  await desk.run(pay('lost', 'lost'))
  await desk.prepare(['history', 'settle', 'lost', '--as', 'not-paid', '--because', 'the bank says so', '--yes'])
  await desk.prepare(['qr', 'create', '--amount', '9', '--request-number', 'charge-1'])
  const planOf = async (name: string, approver?: Person) => {
    const made = await desk.prepare([
      ...pay(name, name).slice(0, -1),
      '--plan',
      '--ssh-key',
      people.maria.file,
      '-o',
      'json',
    ])
    const { plan } = JSON.parse(made)
    if (approver !== undefined) await other.prepare(['plan', 'approve', plan, '--ssh-key', approver.file, '--yes'])
    return String(plan)
  }
  const plans = {
    open: await planOf('open'),
    rejected: await planOf('rejected', people.joao),
    revoked: await planOf('revoked', people.eva),
  }
  await desk.prepare(['plan', 'reject', plans.rejected, '--because', 'paid'])
  await desk.prepare(['profile', 'edit', 'shop', '--revoke', 'eva', '--because', 'left'])

  const server = await connected(postgres.address(desk.login, database))
  const genuine = await server.recordsAfter(0, 1000, soon())
  const base = genuine.length
  for (const { home } of [desk, other]) copyFolders(home, join(home, 'before'))
  const restored = (world: World): World => {
    rmSync(join(world.home, `turn-${turn - 1}`), { recursive: true, force: true })
    const home = join(world.home, `turn-${turn}`)
    copyFolders(join(world.home, 'before'), home)
    const folders = { HOME: home, PIXGATE_DATA_DIR: join(home, 'data'), PIXGATE_CONFIG_DIR: join(home, 'config') }
    return inThisProcess({ ...world, home, env: { ...world.env, ...folders } })
  }
  let turn = 0
  const { run } = runOf(genuine)
  const again = csvIn(other, 'again.csv', 'key,value', ['row@example.com,"5,10"'])
  const toAcme = ['transfer', '--to', 'acme', '--amount', '3', '--external-id', 'p', '--yes']
  const refundMore = ['refund', ORIGINAL, '--amount', '1', '--reason', 'x', '--yes']
  return {
    ...{ gateway, liar, auditor, database },
    brought: { user: desk.login, machine: 'desk', login: desk.login, insteadOf: attemptOf(genuine, 'one').record.id },
    payers: [
      { name: 'single', at: 'desk', args: pay('one', 'one-b'), exit: 2, says: 'already sent' },
      { name: 'single', at: 'other', args: pay('one', 'one-c'), exit: 2, says: 'already sent' },
      { name: 'settled', at: 'other', args: pay('lost', 'lost-b'), exit: 2, says: 'settled it as not paid' },
      { name: 'payee', at: 'other', args: toAcme, exit: 2, says: 'is new' },
      { name: 'without approval', at: 'desk', args: pay('big', 'big', '55'), exit: 2, says: 'approval of a second' },
      {
        name: 'above the day',
        at: 'other',
        args: [...pay('day', 'day', '10'), '--profile', 'small'],
        exit: 2,
        says: 'would exceed',
      },
      { name: 'batch', at: 'other', args: ['batch', 'transfer', again, '--yes'], exit: 2, says: 'Rows that repeat' },
      { name: 'resume', at: 'desk', args: ['resume', run, '--yes'], exit: 0, says: '' },
      { name: 'resume', at: 'other', args: ['resume', run, '--yes'], exit: 0, says: '' },
      {
        name: 'resume by UUID',
        at: 'desk',
        args: ['resume', attemptOf(genuine, 'one').said.payment, '--yes'],
        exit: 0,
        says: '',
      },
      { name: "resume of the liar's run", at: 'desk', args: ['resume', LIARS_RUN, '--yes'], exit: 3, says: 'No run' },
      { name: 'refund', at: 'other', args: refundMore, exit: 1, says: 'already refunded' },
      { name: 'plan', at: 'desk', args: ['plan', 'send', plans.open, '--yes'], exit: 2, says: 'is not approved' },
      { name: 'plan', at: 'desk', args: ['plan', 'send', plans.rejected, '--yes'], exit: 2, says: 'was rejected' },
      { name: 'plan', at: 'desk', args: ['plan', 'send', plans.revoked, '--yes'], exit: 2, says: 'counts no more' },
    ],
    lies: liesAbout(genuine, { url: gateway.url, login: desk.login, people, plans }),
    async after(lie) {
      turn += 1
      await postgres.sql(database, TAKE_BACK.replace('$seq', String(base)))
      const at = new Date().toISOString()
      const now = lie.map((record) => ({ at, ...record }))
      if (lie.length > 0) await writeByHand(postgres, database, liar, now)
      return { desk: restored(desk), other: restored(other) }
    },
  }
}

/** As only who owns the tables can. */
const TAKE_BACK = `BEGIN; ALTER TABLE pixgate.record DISABLE TRIGGER refuse_change; DELETE FROM pixgate.record WHERE seq > $seq;
  ALTER TABLE pixgate.record ENABLE ALWAYS TRIGGER refuse_change; DELETE FROM pixgate.activity; COMMIT`

/** Copies what a machine has stored. */
function copyFolders(from: string, to: string): void {
  for (const name of ['data', 'config']) {
    cpSync(join(from, name), join(to, name), { recursive: true, preserveTimestamps: true })
  }
}

/** What the lies are about. */
interface Known {
  url: string
  /** The login that made everything. */
  login: string
  people: People
  plans: Readonly<Record<'open' | 'rejected' | 'revoked', string>>
}

/** What a member writes to free, create or redirect a payment, by the type of the lie. Each is plausible: only what the paying machine verifies tells it apart. */
function liesAbout(genuine: readonly SharedRecord[], { url, login, people, plans }: Known): LyingStage['lies'] {
  const account = { baseUrl: url, clientId: 'local' }
  const owner = { profile: 'shop', environment: 'sandbox', ...account } as const
  const firstBy = { user: login, machine: 'desk', login }
  const one = attemptOf(genuine, 'one')
  const answered = contentsOf(genuine, 'answer').find(({ payment }) => payment === one.said.payment)
  const refund = contentsOf(genuine, 'attempt').find(({ facts }) => facts.kind === 'refund')
  const refunded = contentsOf(genuine, 'answer').find(({ payment }) => payment === refund?.payment)
  const charge = contentsOf(genuine, 'attempt').find(({ facts }) => facts.kind === 'qr')
  const lost = attemptOf(genuine, 'lost')
  const run = runOf(genuine)
  const [row] = contentsOf(genuine, 'run-rows').flatMap(({ rows }) => rows)
  if (row?.facts.kind !== 'transfer' || refund === undefined || charge === undefined) {
    throw new Error('the run has transfers')
  }
  const evil = (key: string): TransferPayment => ({
    ...{ kind: 'transfer', key: `${key}@evil.example`, keyType: 'email', amountCents: 510, documentValidation: null },
    ...{ callbackUrl: 'http://127.0.0.1:1/', payee: null, payeeDisplayName: null },
  })
  const evilRow = (line: number): RunRow => ({ ...row, line, rowId: `row-${line}`, facts: evil(`row-${line}`) })
  const attempt = (facts: PaymentFacts, externalId: string, more: Partial<AttemptRecord> = {}): Written =>
    written({
      ...{ type: 'attempt', payment: randomUUID(), number: 1, owner, facts, externalId, rowId: externalId },
      ...{ body: facts.kind === 'qr' ? null : requestBody(facts, externalId), place: null, sender: 'nobody', ...more },
    })
  const event = (body: object, differences: object = {}): Written => {
    const bytes = JSON.stringify(body)
    const { happenedAt, ...facts } = readEventFacts(bytes) ?? {}
    const said = {
      ...{ type: 'event', n: 1, duplicateOf: null, isSigned: true, via: 'listen', target: '/', owner },
      ...{ headers: [['X-Signature', '00'.repeat(32)]], bodyBase64: Buffer.from(bytes).toString('base64') },
      ...{ ...facts, ...differences },
    }
    return { type: 'event', content: JSON.stringify(said) }
  }
  const transferEvent = (idTransaction: unknown, isPaid: boolean, value = 5, differences: object = {}) => {
    const body = {
      event: isPaid ? 'transfer.completed' : 'transfer.failed',
      data: {
        ...{ idTransaction, typeTransaction: 'PIX_CASHOUT', statusTransaction: isPaid ? 'PAID_OUT' : 'ERROR', value },
        ...(isPaid
          ? { destinationName: 'MARIA', destinationTaxId: '52998224725', destinationBank: 'B' }
          : { errorCode: 'KEY_NOT_FOUND', errorMessage: 'no' }),
      },
    }
    return event(body, differences)
  }
  const textOf = (plan: string) =>
    contentsOf(genuine, 'plan-text')
      .filter((each) => each.plan === plan)
      .map(({ text }) => text)
      .join('')
  const unsigned = { type: 'plan-approval', owner, approver: 'joao', signature: 'x' } as const
  const approval = (plan: string, approver: keyof People, by = people[approver]) =>
    written({ type: 'plan-approval', plan, owner, approver, signature: signatureOf(by, textOf(plan)) })
  const withoutText = (said: Partial<PlanRecord>, differences: Partial<Written> = {}) => {
    const [made] = contentsOf(genuine, 'plan')
    if (made === undefined) throw new Error('a plan was made')
    return written({ ...made, ...said }, differences)
  }
  /** As if the sending of a plan had begun. */
  const begun = (plan: string) =>
    attempt(evil(plan), `${plan}-begun`, { plan, requestedBy: 'maria', approvedBy: 'joao' })
  const payee = (key: string, differences: Partial<Written> = {}) =>
    written(
      {
        ...{ type: 'payee', owner, name: 'acme' },
        payee: { name: 'acme', displayName: null, key, keyType: 'email', documentValidation: null },
      },
      differences,
    )
  const query = (idTransaction: string, payment: string | null = null) =>
    written({
      ...{ type: 'query', payment, owner, idTransaction, status: 'PAID' },
      ...{ amountCents: 9_999_900, paidAtMs: Date.now() },
    })
  const long = { at: new Date(Date.now() - 30 * DAY_MS).toISOString() }
  const liarsRun = (rows: readonly RunRow[], said: Partial<RunRecord>, by: object) => [
    written({ type: 'run-rows', run: LIARS_RUN, rows, ...by }),
    written({ ...run, run: LIARS_RUN, reference: 'liar', ...said, ...by }),
  ]
  const identity = { system: '1', timeline: 1, database: 1, table: 1, ledger: randomUUID() }
  const paidToAcme = attempt({ ...evil('acme'), key: 'acme@example.com', payee: 'acme', amountCents: 1 }, 'acme-1')
  return {
    attempt: [
      () => [attempt(evil('in-run'), 'in-run', { place: placeIn(run, row), rowId: row.rowId })],
      () => [attempt(evil('second'), 'one', { payment: one.said.payment, number: 2 })],
      // Under an id by which another payment is known.
      () => [attempt(evil('by-id'), one.said.payment)],
      () => [{ ...attempt(evil('by-record'), 'by-record'), id: one.said.payment }],
      () => [begun(plans.open)],
      () => [begun(plans.rejected)],
      () => [begun(plans.revoked)],
    ],
    resend: [
      () => [written({ type: 'resend', payment: one.said.payment, attempt: one.record.id, sender: 'nobody' })],
      () => [written({ type: 'resend', payment: lost.said.payment, attempt: lost.record.id, sender: 'nobody' })],
    ],
    answer: [
      () => [written(refusal(one.said.payment, one.record.id))],
      () => [written({ ...refusal(one.said.payment, one.record.id), outcome: 'not-sent', code: null })],
      () => [written(refusal(refund.payment, idOf(genuine, refund.payment)))],
      () => [written({ ...refusal(one.said.payment, 'nowhere'), outcome: 'accepted' })],
      () => [written({ ...accepted('other'), payment: one.said.payment, attempt: one.record.id })],
      // Nothing else than who stored it tells it from the answer that did not come.
      () => [written(refusal(lost.said.payment, lost.record.id))],
      () => [written({ ...refusal(lost.said.payment, lost.record.id), outcome: 'not-sent', code: null })],
    ],
    finding: [
      () => [finding(one.said.payment, 'not-paid')],
      () => [finding(one.said.payment, 'returned')],
      () => [finding(refund.payment, 'not-paid')],
      () => [finding(lost.said.payment, 'not-paid')],
      // Without the event it would be what a person says, as any member may record it.
      () => [written({ type: 'finding', payment: one.said.payment, as: 'paid', event: 'nowhere', because: 'x' })],
    ],
    event: [
      () => [transferEvent(answered?.idTransaction, false)],
      // As the desk would say it, once it has verified the event itself.
      () => [transferEvent(answered?.idTransaction, false, 5, { isVerified: true })],
      () => [
        event({
          event: 'refund.status',
          data: {
            ...{ idTransaction: refunded?.idTransaction, originalTransactionId: ORIGINAL },
            ...{ status: 'FAILED', amount: 10.5 },
          },
        }),
      ],
      () => [
        paidToAcme,
        written({ ...accepted('acme-1'), payment: String(paidToAcme.payment), attempt: 'x' }),
        transferEvent('acme-1', true, 0.01),
      ],
    ],
    forward: [
      () => [written({ type: 'forward', n: 1, event: 'x', url: 'x', status: 200, ms: 1, body: '', error: null })],
    ],
    run: [
      // Rows that the record does not confirm, as if somebody had brought both back.
      () => liarsRun([evilRow(1), evilRow(2)], {}, { firstBy }),
      () => liarsRun([evilRow(1), evilRow(2)], {}, {}),
      () => liarsRun([evilRow(1)], { rows: 1, totalCents: 510, fingerprint: NO_FINGERPRINT }, {}),
      // SQLite keeps neither half a character nor what follows a NUL.
      () => liarsRun([{ ...evilRow(1), rowId: '\ud800' }], {}, {}),
      () => liarsRun([{ ...evilRow(1), rowId: 'a\u0000b' }], {}, {}),
      () => [written({ ...run, rows: 3, totalCents: run.totalCents + 510 })],
    ],
    'run-rows': [
      () => [written({ type: 'run-rows', run: run.run, rows: [evilRow(3)] })],
      () => [written({ type: 'run-rows', run: run.run, rows: [evilRow(3)], firstBy })],
      () => [written({ type: 'run-rows', run: run.run, rows: [evilRow(row.line)] })],
    ],
    query: [
      () => [query(QUERIED), query(ORIGINAL)],
      () => [{ ...query('other', charge.payment), payment: charge.payment }],
    ],
    'profile-change': [
      () => [
        written({
          ...{ type: 'profile-change', owner, action: 'edit' },
          changes: [{ setting: 'maxDayCents', from: 3000, to: null }],
        }),
      ],
      // A setting that only a newer pixgate may know.
      () => [
        written({
          ...{ type: 'profile-change', owner, action: 'edit' },
          changes: [JSON.parse('{"setting":"constructor","from":null,"to":"x"}')],
        }),
      ],
    ],
    'account-rule': [
      () => [written({ type: 'account-rule', owner, rule: 'approvalFromCents', from: 5000, to: null })],
      () => [
        written({ type: 'account-rule', owner, rule: 'approvalFromCents', from: 5000, to: null, plan: plans.open }),
      ],
      () => [written({ type: 'account-rule', owner, rule: 'payeeWaitMs', from: DAY_MS, to: null })],
      // No calendar has a day on which that wait ends.
      () => [written({ type: 'account-rule', owner, rule: 'payeeWaitMs', from: DAY_MS, to: Number.MAX_SAFE_INTEGER })],
    ],
    'approver-revocation': [
      () => [written({ type: 'approver-revocation', owner, principal: 'JOAO', because: 'left' })],
      () => [written({ type: 'approver-revocation', owner, principal: 'joao', because: 'left' })],
    ],
    payee: [
      // Listed under another name than it is paid by.
      () => [
        written({
          ...{ type: 'payee', owner, name: 'other' },
          payee: {
            name: 'acme',
            displayName: null,
            key: 'evil@example.com',
            keyType: 'email',
            documentValidation: null,
          },
        }),
      ],
      () => [payee('evil@example.com', long)],
      () => [payee('acme@example.com', long)],
    ],
    'plan-text': [
      () => [
        written({
          ...{ type: 'plan-text', plan: plans.open, owner, part: 1 },
          text: textOf(plans.open).replace('open@example.com', 'evil@example.com'),
        }),
      ],
      () => [written({ type: 'plan-text', plan: `plan-${NO_FINGERPRINT}`, owner, part: 1, text: textOf(plans.open) })],
    ],
    plan: [
      () => [copied(genuine, 'plan', plans.open)],
      // One without a text, dated back, that is over as its record says.
      () => [withoutText({ plan: `plan-${NO_FINGERPRINT}`, expiresAt: '2020-01-01T00:00:00.000Z' })],
      () => [withoutText({ plan: `plan-${NO_FINGERPRINT}`, expiresAt: '9999-12-31T00:00:00.000Z' }, LATE)],
    ],
    'plan-approval': [
      () => [written({ ...unsigned, plan: `plan-${NO_FINGERPRINT}` })],
      () => [approval(plans.open, 'joao', people.maria)],
      () => [approval(plans.open, 'maria')],
      () => [approval(plans.revoked, 'eva')],
      () => [approval(plans.rejected, 'joao')],
      () => [approval(plans.open, 'eva')],
    ],
    'plan-rejection': [
      () => [written({ type: 'plan-rejection', plan: `plan-${NO_FINGERPRINT}`, owner, because: 'paid' })],
      () => [written({ type: 'plan-rejection', plan: plans.open, owner, because: 'paid' })],
    ],
    clock: [
      () => [
        written(
          {
            ...{ type: 'clock', environment: 'sandbox' },
            gatewayAt: new Date(Date.now() - 40 * DAY_MS).toISOString(),
          },
          { at: new Date(Date.now() - 40 * DAY_MS).toISOString() },
        ),
      ],
    ],
    'accepted-older': [
      () => [written({ type: 'accepted-older', ledger: randomUUID(), lastKnown: 900, last: 1 })],
      () => [written({ type: 'accepted-older', ledger: null, lastKnown: 900, last: 1 })],
    ],
    'ledger-stopped': [
      () => [
        written({
          ...{ type: 'ledger-stopped', server: identity, known: null, records: 1 },
          ...{ lacksRecords: false },
        }),
      ],
    ],
    'machine-heard': [() => [written({ type: 'machine-heard', server: identity })]],
    superseded: [() => [written({ type: 'superseded', record: { ...answered, type: 'answer' } })]],
  }
}

/** A record as a row, with the column that names its payment. */
function written(said: Content, differences: Partial<Written> = {}): Written {
  const payment = 'payment' in said && typeof said.payment === 'string' ? said.payment : null
  return { type: said.type, payment, content: JSON.stringify(said), ...differences }
}

function refusal(payment: string, attempt: string) {
  return { ...NO_RESPONSE, payment, attempt, outcome: 'refused', code: 'NO_FUNDS', status: 'ERROR' } as const
}

function accepted(idTransaction: string) {
  return { ...NO_RESPONSE, outcome: 'accepted', idTransaction, status: 'PROCESSING', httpStatus: 200 } as const
}

function finding(payment: string, as: 'not-paid' | 'returned'): Written {
  return written({ type: 'finding', payment, as, because: 'I looked' })
}

function placeIn(run: RunRecord, { line }: RunRow) {
  return { run: run.run, line, reference: run.reference, isDerivedId: true }
}

/** What the records of a type say, oldest first. */
function contentsOf<Type extends RecordType>(records: readonly SharedRecord[], type: Type) {
  const of = records.filter((record) => record.type === type)
  return of.map(({ content }): Extract<RecordContent, { type: Type }> => JSON.parse(content))
}

function runOf(records: readonly SharedRecord[]): RunRecord {
  const [run] = contentsOf(records, 'run')
  if (run === undefined) throw new Error('a batch was sent')
  return run
}

/** The record of the attempt under an external id. */
function attemptOf(records: readonly SharedRecord[], externalId: string) {
  for (const record of records) {
    if (record.type !== 'attempt') continue
    const said: AttemptRecord = JSON.parse(record.content)
    if (said.externalId === externalId) return { record, said }
  }
  throw new Error(`${externalId} was sent`)
}

/** The id of the first record of a payment. */
function idOf(records: readonly SharedRecord[], payment: string): string {
  return records.find((record) => record.payment === payment)?.id ?? ''
}

/** The record of a plan once more. */
function copied(records: readonly SharedRecord[], type: RecordType, plan: string): Written {
  const found = records.find((record) => record.type === type && record.content.includes(plan))
  if (found === undefined) throw new Error(`${plan} was made`)
  return { type: found.type, payment: found.payment, content: found.content }
}
