import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { type PaymentFacts, requestBody, type TransferPayment } from '../../src/ledger/facts.ts'
import {
  type AttemptRecord,
  NO_RESPONSE,
  type RecordType,
  type RunRecord,
  type RunRow,
  type RunRowsRecord,
} from '../../src/ledger/records.ts'
import { RunSum } from '../../src/ledger/runFingerprint.ts'
import { writeByHand } from '../ledger/team/newRecords.ts'
import { itOnPostgres, type TestPostgres, withPostgres } from '../postgres.ts'
import { csvIn } from './batchFiles.ts'
import { type HandWritten, intoSharedLedger, recordsOf } from './forgedRecords.ts'
import { control, failureOf, inThisProcess } from './payments.ts'
import { people } from './planPeople.ts'
import { startTeam, transferTo } from './teamDesks.ts'

const { maria } = people(afterAll, 'maria')
let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

const PEOPLE = ['ana', 'bia', 'caio', 'davi', 'edu', 'fabio']
const FILE = PEOPLE.map((name, index) => `${name}@example.com,"${index + 1},10"`)

/** A team whose host confirmed a batch of six rows and has sent two, and a member who writes records by hand. */
async function stage() {
  const team = await startTeam(postgres)
  const [host, other] = [inThisProcess(await team.joinedDesk()), inThisProcess(await team.joinedDesk())]
  const liar = await postgres.newLogin('pixgate_member')
  const file = csvIn(host, 'batch.csv', 'key,value', FILE)
  await host.prepare(['batch', 'transfer', file, '--limit', '2', '--yes'])
  const [run]: RunRecord[] = await contentsOf(team.database, 'run')
  const pages: RunRowsRecord[] = await contentsOf(team.database, 'run-rows')
  if (run === undefined) throw new Error('the run has a record')
  const rows = pages.flatMap((each) => each.rows)
  const write = intoSharedLedger(postgres, team.database, liar)
  return { team, host, other, liar, file, run, rows, write, owner: recordsOf(team.url).owner }
}

type Stage = Awaited<ReturnType<typeof stage>>

async function contentsOf(database: string, type: RecordType) {
  const json = `SELECT json_agg(content::json ORDER BY seq) FROM pixgate.record WHERE type = '${type}'`
  return JSON.parse(await postgres.sql(database, json))
}

/** The attempts of a ledger, by their own ids and those of their payments, oldest first. */
async function attemptsOf(database: string): Promise<{ id: string; payment: string }[]> {
  const attempts =
    "SELECT json_agg(json_build_object('id', id, 'payment', payment) ORDER BY seq) FROM pixgate.record WHERE type = 'attempt'"
  return JSON.parse(await postgres.sql(database, attempts))
}

/** The same row for somebody else, whose id, line and key no row of the run has. */
function otherRow(row: RunRow, name: string, line: number, amountCents = row.facts.amountCents ?? 0): RunRow {
  const { facts } = row
  if (facts.kind !== 'transfer') throw new Error('the rows are transfers')
  return { ...row, line, rowId: `row-${line}`, facts: { ...facts, key: `${name}@evil.example`, amountCents } }
}

function page(run: string, rows: readonly RunRow[], login?: string): HandWritten {
  return { content: { type: 'run-rows', run, rows }, ...(login === undefined ? {} : { login }) }
}

/** All that was paid, to whom it was meant. */
const MEANT = PEOPLE.map((name, index) => `${name}@example.com ${index + 1}.1`)

/** What nobody confirmed in somebody's run is named with its number and login, and not sent by whoever resumes or plans what is left. */
itOnPostgres('sends of a run what was confirmed, whatever others write into it later', async () => {
  const { team, host, other, liar, file, run, rows, write } = await stage()
  const [first] = rows
  if (first === undefined) throw new Error('the run has rows')
  const name = run.run
  const evil = (line: number) => otherRow(first, `late-${line}`, line)
  await write([
    // Inserted, as the review found it; doubled; in the place of rows; beyond every amount; under the run's own login.
    page(name, [evil(901)]),
    page(
      name,
      rows.map((row) => ({ ...row, line: row.line + 500, rowId: `${row.rowId}-x` })),
    ),
    page(
      name,
      rows.map((row) => otherRow(row, 'changed', row.line)),
    ),
    page(name, [otherRow(first, 'huge', 902, 99_999_999_999)]),
    page(name, [evil(903)], host.login),
    // The record of the run once more, also with the sums of what was inserted.
    { content: run },
    page(name, [evil(904)]),
    { content: { ...run, rows: 7, totalCents: run.totalCents + 110 } },
  ])
  const check = await other.run(['history', 'check'])
  const named = [...check.stderr.matchAll(/Record \d+ of the shared ledger, written by (\S+) on .*, does not count/g)]
  expect([check.exit, named.map(([, login]) => login)]).toEqual([1, [...Array<string>(7).fill(liar), host.login]])
  expect(JSON.parse(await other.prepare(['batch', 'show', name, '-o', 'json']))).toMatchObject({
    rows: 6,
    totalCents: run.totalCents,
    notSent: 4,
  })
  // Planned alike: what is left of the run, and of its file.
  for (const args of [
    ['resume', name],
    ['batch', 'transfer', file],
  ]) {
    const dry = await host.run([...args, '--dry-run', '-o', 'json'])
    expect(JSON.parse(dry.stdout)).toMatchObject({ totalCents: args[0] === 'resume' ? 1840 : run.totalCents })
  }
  const resumed = await other.run(['resume', name, '--yes'])
  expect([resumed.exit, resumed.stderr]).toEqual([0, expect.stringContaining(`written by ${liar}`)])
  expect(await team.booked()).toEqual(MEANT)
})

/** Runs that somebody writes by hand from a real one, of which the rows are not what its record says. */
const FORGED_RUNS: readonly [string, (stage: Stage, run: string) => HandWritten[]][] = [
  ['inserted', ({ rows }, run) => [page(run, [...rows, ...rows.slice(0, 1).map((row) => otherRow(row, 'in', 901))])]],
  ['removed', ({ rows }, run) => [page(run, rows.slice(1))]],
  [
    'changed',
    ({ rows }, run) => [
      page(
        run,
        rows.map((row) => (row.line === 3 ? otherRow(row, 'changed', 3) : row)),
      ),
    ],
  ],
  [
    'larger',
    ({ rows }, run) => [
      page(
        run,
        rows.map((row) => ({ ...row, facts: { ...row.facts, amountCents: (row.facts.amountCents ?? 0) + 1 } })),
      ),
    ],
  ],
  [
    'doubled',
    ({ rows }, run) => [
      page(run, rows),
      page(
        run,
        rows.map((row) => ({ ...row, line: row.line + 100, rowId: `${row.rowId}-y` })),
      ),
    ],
  ],
  ['of another login', ({ rows, host }, run) => [page(run, rows, host.login)]],
  ['of nobody', () => []],
  [
    'held back as sent before',
    ({ rows }, run) => [
      page(
        run,
        rows.map((row) => ({ ...row, isLeftOut: row.line === 3 })),
      ),
    ],
  ],
]

itOnPostgres('sends nothing of a run whose rows are not those that its record says', async () => {
  const here = await stage()
  const { team, host, run, rows, write } = here
  const before = await team.booked()
  const fresh = rows.map((row) => ({ ...row, rowId: `again-${row.line}`, isTypedId: true }))
  for (const [index, [what, forge]] of FORGED_RUNS.entries()) {
    const name = `run-00000000000${index}`
    await write([...forge({ ...here, rows: fresh }, name), { content: { ...run, run: name, reference: what } }])
    for (const args of [
      ['resume', name, '--yes'],
      ['resume', name, '--plan', `${host.home}/p-${index}.json`],
    ]) {
      const result = failureOf(await host.run([...args, '-o', 'json']))
      expect([what, result]).toEqual([what, expect.objectContaining({ exit: 2, code: 'RECORD_REFUSED' })])
    }
  }
  expect(await team.booked()).toEqual(before)
  const check = await host.run(['history', 'check'])
  const { findings } = JSON.parse((await host.run(['doctor', '-o', 'json'])).stdout)
  for (const index of FORGED_RUNS.keys()) {
    const named = new RegExp(
      `run-00000000000${index}, recorded by ${here.liar} on desk at .* Confirmed: \\d+ rows, R\\$`,
    )
    expect(check.stderr).toMatch(named)
    expect(findings).toContainEqual(expect.objectContaining({ name: 'runs', finding: expect.stringMatching(named) }))
  }
})

itOnPostgres(
  'takes rows that were brought back under the login that wrote them first, if they agree with their run',
  async () => {
    const { team, host, other, run, rows, write, liar } = await stage()
    const [first] = rows
    if (first === undefined) throw new Error('the run has rows')
    const firstBy = { user: host.login, machine: 'desk', login: host.login }
    const brought = (name: string, part: readonly RunRow[], login: string): HandWritten => ({
      content: { type: 'run-rows', run: name, rows: part, firstBy },
      login,
    })
    const fresh = rows.map((row) => ({ ...row, rowId: `back-${row.line}` }))
    const record = (name: string) => ({ ...run, run: name, reference: name, firstBy })
    const sums = await sumsOf(host, fresh)
    await write([
      // Two machines brought a part each.
      brought('run-brought00001', fresh.slice(0, 2), liar),
      brought('run-brought00001', fresh.slice(2), other.login),
      { content: { ...record('run-brought00001'), ...sums }, login: other.login },
      // Somebody adds a row to what another one brings.
      brought('run-brought00002', fresh, other.login),
      brought('run-brought00002', [otherRow(first, 'brought', 905)], liar),
      { content: { ...record('run-brought00002'), ...sums }, login: other.login },
    ])
    for (const name of ['run-brought00001', 'run-brought00002']) {
      const shown = JSON.parse(await other.prepare(['batch', 'show', name, '-o', 'json']))
      expect([name, shown]).toEqual([
        name,
        expect.objectContaining({ rows: 6, totalCents: run.totalCents, notSent: 6 }),
      ])
    }
    await other.prepare(['resume', 'run-brought00001', '--again', '--yes'])
    expect(await team.booked()).toEqual([...MEANT.slice(0, 2), ...MEANT].sort())
  },
)

/** The sums of rows, as a run of them by the command says. */
async function sumsOf(
  host: Stage['host'],
  rows: readonly RunRow[],
): Promise<Pick<RunRecord, 'rows' | 'totalCents' | 'fingerprint'>> {
  const file = csvIn(
    host,
    'sums.csv',
    'key,value,externalId',
    rows.map(({ rowId, facts }, index) => `${facts.kind === 'transfer' ? facts.key : ''},"${index + 1},10",${rowId}`),
  )
  const dry = JSON.parse(await host.prepare(['batch', 'transfer', file, '--again', '--dry-run', '-o', 'json']))
  return { rows: dry.rows, totalCents: dry.totalCents, fingerprint: dry.fingerprint }
}

/** An attempt that was written by hand. */
function attempt(
  { owner }: Stage,
  facts: PaymentFacts,
  more: Partial<AttemptRecord> & { externalId: string },
): HandWritten {
  return {
    content: {
      ...{ type: 'attempt', payment: randomUUID(), number: 1, owner, facts, place: null, rowId: more.externalId },
      ...{ body: facts.kind === 'qr' ? null : requestBody(facts, more.externalId), sender: 'nobody' },
      ...more,
    },
  }
}

itOnPostgres(
  'sends no attempt of another login that would be refused as a new payment, or that is not what it shows',
  async () => {
    const here = await stage()
    const { team, host, run, rows, write, liar } = here
    await host.prepare(transferTo('paid@example.com', 'paid-1'))
    const before = await team.booked()
    const paid: TransferPayment = {
      ...{ kind: 'transfer', key: 'paid@example.com', keyType: 'email', amountCents: 500, documentValidation: null },
      ...{ callbackUrl: '', payee: null, payeeDisplayName: null },
    }
    const [first, , third] = rows
    if (first?.facts.kind !== 'transfer' || third?.facts.kind !== 'transfer') throw new Error('the rows are transfers')
    const place = { run: run.run, line: first.line, reference: run.reference, isDerivedId: true }
    const [sent] = await contentsOf(team.database, 'attempt')
    const evil = { ...paid, key: 'evil@example.com' }
    await write([
      attempt(here, paid, { externalId: 'again-1' }),
      attempt(here, { ...first.facts }, { externalId: 'again-2', place, rowId: first.rowId }),
      attempt(here, paid, { externalId: 'again-3', place }),
      attempt(here, { ...paid, key: 'body@example.com' }, { externalId: 'body-1', body: requestBody(evil, 'body-1') }),
      attempt(here, evil, { externalId: 'second-1', payment: sent.payment, number: 2 }),
    ])
    const stopped = async (args: readonly string[]) => failureOf(await host.run([...args, '--yes', '-o', 'json']))
    for (const id of ['again-1', 'again-2', 'again-3']) {
      expect([id, await stopped(['resume', id])]).toEqual([id, expect.objectContaining({ exit: 2, code: 'REPEAT' })])
    }
    for (const id of ['body-1', 'second-1']) expect(await stopped(['resume', id])).toMatchObject({ exit: 3 })
    expect(await team.booked()).toEqual(before)
    const check = await host.run(['history', 'check'])
    expect(check.stderr.match(new RegExp(`written by ${liar}`, 'g'))).toHaveLength(2)

    // Shown with who recorded it, and sent as what it is.
    await write([attempt(here, { ...paid, key: 'fresh@example.com' }, { externalId: 'fresh-1' })])
    const dry = await host.run(['resume', 'fresh-1', '--dry-run'])
    expect([dry.exit, dry.stderr]).toEqual([0, expect.stringMatching(new RegExp(`^by +${liar} on desk$`, 'm'))])
    // The body of the row that somebody began in another's place is that of the row, or nothing.
    await write([
      attempt(
        here,
        { ...third.facts, callbackUrl: 'https://evil.example/' },
        { externalId: 'row-3', place: { ...place, line: third.line }, rowId: third.rowId },
      ),
    ])
    const resumed = await host.run(['resume', run.run, '--yes'])
    expect([resumed.exit, resumed.stdout + resumed.stderr]).toEqual([5, expect.stringContaining('RECORD_REFUSED')])
    expect(await team.booked()).toEqual([...before, ...MEANT.slice(3)].sort())
  },
)

itOnPostgres('counts the request of a plan as sent, whatever somebody answers in its place', async () => {
  const { team, write, ...here } = await stage()
  const plan = recordsOf(team.url).transferPlan('plan@example.com', 'planned-1')
  const facts: PaymentFacts = {
    ...{ kind: 'transfer', key: 'plan@example.com', keyType: 'email', amountCents: 100, documentValidation: null },
    ...{ callbackUrl: 'http://127.0.0.1:1/', payee: null, payeeDisplayName: null },
  }
  const payment = randomUUID()
  await write([
    ...plan.made(maria),
    plan.approval('joao', 'not verified by those who only list'),
    attempt({ team, write, ...here }, facts, { externalId: 'planned-1', payment, plan: plan.id }),
    { content: { ...NO_RESPONSE, payment, attempt: 'another', outcome: 'refused', code: 'NO_FUNDS' } },
  ])
  const late = inThisProcess(await team.joinedDesk())
  expect(JSON.parse(await late.prepare(['plan', 'list', '-o', 'json']))).toMatchObject([{ sentRequests: 1 }])
})

itOnPostgres(
  'pays nothing again by an attempt and a finding that somebody adds to a payment that was made',
  async () => {
    const here = await stage()
    const { team, host, write } = here
    await host.prepare(transferTo('paid@example.com', 'paid-1'))
    const attempts: AttemptRecord[] = await contentsOf(team.database, 'attempt')
    const sent = attempts.at(-1)
    if (sent?.facts.kind !== 'transfer') throw new Error('a transfer was sent')
    const before = await team.booked()
    const { payment, facts, place } = sent
    await write([
      { content: { type: 'finding', payment, as: 'not-paid', because: 'x' } },
      attempt(here, facts, { externalId: 'paid-2', payment, number: 2, place }),
    ])
    for (const id of ['paid-1', 'paid-2']) {
      expect(failureOf(await host.run(['resume', id, '--yes', '-o', 'json']))).toMatchObject({ outcome: 'not-sent' })
    }
    expect(await team.booked()).toEqual(before)
  },
)

itOnPostgres('keeps in the day what somebody says was accepted before', async () => {
  const { team, host, write } = await stage()
  const account = ['--base-url', team.url, '--client-id', 'local', '--callback-url', 'http://127.0.0.1:1/']
  const secret = ['--client-secret-command', 'echo local-secret', '--no-test']
  await host.prepare(['profile', 'add', 'shop', ...account, ...secret, '--max-day', '8'])
  const pay = (id: string) => [...transferTo(`${id}@example.com`, id), '--profile', 'shop', '-o', 'json']
  expect(failureOf(await host.run(pay('over-1')))).toMatchObject({ code: 'OVER_LIMIT' })
  const attempts = await attemptsOf(team.database)
  const said = { ...NO_RESPONSE, outcome: 'accepted-before' as const }
  await write(
    attempts.map(({ id, payment }) => ({ content: { ...said, type: 'answer' as const, payment, attempt: id } })),
  )
  expect(failureOf(await host.run(pay('over-1')))).toMatchObject({ code: 'OVER_LIMIT' })
})

itOnPostgres('says for an hour at most that a request is on its way', async () => {
  const { team, host, write } = await stage()
  await control(team.url, 'fault', { kind: 'drop-after', on: 'transfer', times: 1 })
  expect((await host.run(transferTo('lost@example.com', 'lost-1'))).exit).toBe(5)
  const sent = (await attemptsOf(team.database)).at(-1)
  if (sent === undefined) throw new Error('a transfer was sent')
  const resend = { type: 'resend', payment: sent.payment, attempt: sent.id, sender: 'nobody' } as const
  await write([{ content: { ...resend, notAfter: '9999-12-31T23:59:59.999Z' } }])
  const shown = JSON.parse(await host.prepare(['history', 'show', 'lost-1', '-o', 'json']))
  expect(Date.parse(shown.pixgate.beingSent.until)).toBeLessThanOrEqual(Date.now() + 3_600_000)
  const resumed = failureOf(await host.run(['resume', 'lost-1', '--yes', '-o', 'json']))
  expect(resumed).toMatchObject({
    exit: 6,
    code: 'LEDGER_BUSY',
    hint: expect.stringMatching(/^Wait \d{1,4} seconds, /),
  })
  expect(JSON.stringify(resumed)).not.toContain('9999')
})

itOnPostgres(
  'takes from no other login how rows are sent, where their results go, and which id is sent again',
  async () => {
    const { team, host, liar, run, rows, write } = await stage()
    const victim = join(host.home, 'victim.csv')
    writeFileSync(victim, 'precious')
    const sending = { concurrency: Number.MAX_SAFE_INTEGER, perSecond: 1e-300, stopAfter: 1 }
    const said = { ...run, run: 'run-00000000000a', sending: { ...sending, results: { path: victim, isExcel: false } } }
    await writeByHand(
      postgres,
      team.database,
      liar,
      [{ type: 'run-rows', run: said.run, rows }, said].map((content) => {
        return {
          type: content.type,
          content: JSON.stringify(content),
          machine: hostname(),
          at: new Date().toISOString(),
        }
      }),
    )
    await host.prepare(['resume', said.run, '--yes'])
    expect(await team.booked()).toEqual(MEANT)
    expect(readFileSync(victim, 'utf8')).toBe('precious')

    await control(team.url, 'fault', { kind: 'drop-before', on: 'transfer', times: 1 })
    expect((await host.run(transferTo('lost@example.com', 'lost-1'))).exit).toBe(5)
    const [made]: AttemptRecord[] = (await contentsOf(team.database, 'attempt')).slice(-1)
    if (made?.facts.kind !== 'transfer') throw new Error('a transfer was sent')
    await write([
      {
        content: {
          ...made,
          number: 2,
          externalId: 'liar-1',
          body: requestBody(made.facts, 'liar-1'),
          notBefore: undefined,
        },
      },
    ])
    const resume = async () => (await host.run(['resume', 'lost-1', '--yes'])).stdout
    await expect.poll(resume, { timeout: 60_000, interval: 2000 }).toMatch(/external id +lost-1/)

    // Names and tax documents go nowhere without that being shown.
    const facts = { ...made.facts, key: 'other@example.com', callbackUrl: 'https://evil.example/steal' }
    const stealing = rows
      .slice(0, 1)
      .map((row) => ({ ...row, rowId: 'stealing', facts: { ...facts, key: 'third@example.com' } }))
    const sum = new RunSum()
    for (const { rowId, facts } of stealing) sum.add(rowId, facts)
    const single = { ...made, payment: randomUUID(), number: 1, facts, externalId: 'liar-2', rowId: 'liar-2' }
    await write([
      { content: { ...single, body: requestBody(facts, 'liar-2'), notBefore: undefined, notAfter: undefined } },
      { content: { type: 'run-rows', run: 'run-00000000000b', rows: stealing } },
      { content: { ...run, run: 'run-00000000000b', reference: 'liar', ...sum.sums } },
    ])
    for (const named of ['liar-2', 'run-00000000000b']) {
      expect(await host.prepare(['resume', named, '--dry-run'])).toContain(facts.callbackUrl)
    }
  },
)

itOnPostgres('delivers no event again to where only another login has delivered it', async () => {
  const { host, owner, write } = await stage()
  const facts = { event: null, subject: null, idTransaction: null, originalTransactionId: null, externalId: null }
  const more = { status: null, amountCents: null, errorCode: null, errorMessage: null, name: null, taxId: null }
  const id = randomUUID()
  await write([
    {
      id,
      content: {
        ...{ type: 'event', n: 1, duplicateOf: null, owner, isSigned: true, via: 'listen', target: '/', headers: [] },
        ...{ bodyBase64: Buffer.from('{}').toString('base64'), ...facts, ...more, bank: null },
      },
    },
    {
      content: {
        ...{ type: 'forward', n: 1, event: id, url: 'https://evil.example/' },
        ...{ status: 200, ms: 1, body: '', error: null },
      },
    },
  ])
  expect(await host.prepare(['webhook', 'events', 'show', '1'])).toContain('evil.example')
  const replayed = await host.run(['webhook', 'replay', '1', '--dry-run'])
  expect(replayed.stdout + replayed.stderr).toContain('127.0.0.1')
  expect(replayed.stdout + replayed.stderr).not.toContain('evil.example')
})
