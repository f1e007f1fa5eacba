import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { requestBody, type TransferPayment } from '../../src/ledger/facts.ts'
import { type AttemptRecord, NO_RESPONSE, type RecordContent, type RunRow } from '../../src/ledger/records.ts'
import { RunSum } from '../../src/ledger/runFingerprint.ts'
import { readEventFacts } from '../../src/wire/eventFacts.ts'
import { itOnPostgres, type TestPostgres, withPostgres } from '../postgres.ts'
import { csvIn } from './batchFiles.ts'
import { type HandWritten, intoSharedLedger, recordsOf } from './forgedRecords.ts'
import { control, failureOf, inThisProcess } from './payments.ts'
import { startTeam, transferTo } from './teamDesks.ts'
import { hmac } from './webhookTarget.ts'

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

/** A desk with the secret, and a member without it who writes records by hand. */
async function stage() {
  const team = await startTeam(postgres)
  const host = inThisProcess(await team.joinedDesk())
  const liar = await postgres.newLogin('pixgate_member')
  const write = intoSharedLedger(postgres, team.database, liar)
  return { team, host, liar, write, owner: recordsOf(team.url).owner }
}

const SECRET = ['--client-secret-command', 'echo local-secret', '--no-test', '--callback-url', 'http://127.0.0.1:1/']

/** The words that store the account of a team with rules. */
function shopOf({ team }: Pick<Awaited<ReturnType<typeof stage>>, 'team'>, ...rules: string[]): string[] {
  return ['profile', 'add', 'shop', '--base-url', team.url, '--client-id', 'local', ...SECRET, ...rules]
}

/** What a transfer of R$ 5.00 asks for. */
function factsTo(key: string, payee: string | null = null): TransferPayment {
  return {
    ...{ kind: 'transfer', key, keyType: 'email', amountCents: 500, documentValidation: null },
    ...{ callbackUrl: '', payee, payeeDisplayName: null },
  }
}

/** An attempt as somebody writes it by hand. */
function attemptOf(
  owner: AttemptRecord['owner'],
  facts: TransferPayment,
  externalId: string,
  more: Partial<AttemptRecord> = {},
): HandWritten & { id: string; content: AttemptRecord } {
  const body = requestBody(facts, externalId)
  const asked = { owner, facts, externalId, body, place: null, rowId: externalId, sender: 'nobody' }
  return { id: randomUUID(), content: { type: 'attempt', payment: randomUUID(), number: 1, ...asked, ...more } }
}

function answerTo(
  { id, content: { payment } }: { id: string; content: Pick<AttemptRecord, 'payment'> },
  said: Partial<Extract<RecordContent, { type: 'answer' }>>,
): HandWritten {
  return { content: { ...NO_RESPONSE, payment, attempt: id, outcome: 'accepted', ...said } }
}

/** The event of a transfer of R$ 5.00, as the gateway signs it. */
function eventOf(owner: AttemptRecord['owner'], n: number, id: string, status = 'PAID_OUT'): HandWritten {
  const event = status === 'PAID_OUT' ? 'transfer.completed' : 'transfer.failed'
  const data = { idTransaction: id, typeTransaction: 'PIX_CASHOUT', statusTransaction: status, value: 5 }
  const body = JSON.stringify({ event, data: { ...data, destinationName: 'M', destinationTaxId: '52998224725' } })
  const read = readEventFacts(body)
  if (read === undefined) throw new Error('it is JSON')
  const { happenedAt, ...facts } = read
  const signed: [string, string][] = [['X-Signature', hmac(body, 'local-secret')]]
  const stored = { n, duplicateOf: null, isSigned: true, via: 'listen', target: '/', owner, headers: signed } as const
  return { content: { type: 'event', ...stored, bodyBase64: Buffer.from(body).toString('base64'), ...facts } }
}

/** The attempts in a shared ledger. */
async function attemptsIn(database: string): Promise<{ id: string; content: AttemptRecord; payment: string }[]> {
  const sql = `SELECT json_agg(json_build_object('id', id, 'content', content::json, 'payment', payment) ORDER BY seq)
    FROM pixgate.record WHERE type = 'attempt'`
  return JSON.parse(await postgres.sql(database, sql))
}

/** The answers in a shared ledger. */
async function answersIn(database: string): Promise<{ idTransaction: string | null }[]> {
  return JSON.parse(
    await postgres.sql(
      database,
      "SELECT json_agg(content::json ORDER BY seq) FROM pixgate.record WHERE type = 'answer'",
    ),
  )
}

itOnPostgres('confirms a payee by no attempt of another login, with whatever genuine event', async () => {
  const here = await stage()
  const { team, host, write, owner } = here
  await host.prepare(shopOf(here, '--payees-only', '--payee-wait', '24h'))
  await host.prepare(['payee', 'add', 'old', '--key', 'old@example.com', '--yes'])
  const payee = {
    name: 'acme',
    displayName: null,
    key: 'evil@example.com',
    keyType: 'email',
    documentValidation: null,
  } as const
  const paid = attemptOf(owner, factsTo('evil@example.com', 'acme'), 'x')
  // The host has the event of a payment that was made in the dashboard.
  await write([{ ...eventOf(owner, 1, 'ELSE-1'), login: host.login }])
  await write([
    // Said to be of long ago, so that its wait would be over.
    { content: { type: 'payee', owner, name: 'acme', payee }, atMs: Date.now() - 60 * 86_400_000 },
    paid,
    answerTo(paid, { idTransaction: 'ELSE-1' }),
    eventOf(owner, 2, 'ELSE-1'),
  ])
  const toAcme = ['transfer', '--to', 'acme', '--amount', '900', '--external-id', 'n1', '--yes', '-o', 'json']
  expect(failureOf(await host.run(toAcme))).toMatchObject({ exit: 2, message: expect.stringContaining('acme is new') })
  expect((await host.run(['history', 'check'])).stderr).toMatch(/claims to be of .*it counts from then on/)
  const shown = JSON.parse(await host.prepare(['payee', 'show', 'acme', '-o', 'json']))
  for (const at of [shown.changedAt, shown.changes[0].at]) expect(Date.now() - Date.parse(at)).toBeLessThan(3_600_000)
  const claimed = new Date(Date.now() - 60 * 86_400_000).getMonth() + 1
  expect(await host.prepare(['payee', 'show', 'acme'])).not.toContain(`/${String(claimed).padStart(2, '0')}/`)
  expect(await team.booked()).toEqual([])

  // One's own payment confirms it, also after the wait was set.
  await host.prepare(['profile', 'edit', 'shop', '--no-payee-wait', '--confirm-host', new URL(team.url).host])
  await host.prepare(['transfer', '--to', 'old', '--amount', '5', '--external-id', 'n2', '--yes'])
  await host.prepare(['profile', 'edit', 'shop', '--payee-wait', '24h'])
  const toOld = ['transfer', '--to', 'old', '--amount', '6', '--external-id', 'n3', '--yes', '-o', 'json']
  expect(failureOf(await host.run(toOld))).toMatchObject({ message: expect.stringContaining('old is new') })
  const answers = `SELECT content::json->>'idTransaction' FROM pixgate.record WHERE type = 'answer' ORDER BY seq DESC LIMIT 1`
  const id = (await postgres.sql(team.database, answers)).trim()
  await write([eventOf(owner, 3, id)])
  await host.prepare(toOld)
})

itOnPostgres(
  'names a request that claims to be of long ago, and counts it from when the server stored it',
  async () => {
    const { team, host, liar, write, owner } = await stage()
    const atMs = Date.now() - 60 * 86_400_000
    const unknown = attemptOf(owner, factsTo('v@example.com'), 'v1')
    const accepted = attemptOf(owner, factsTo('w@example.com'), 'w1')
    await write([
      { ...unknown, atMs },
      { content: { type: 'resend', payment: unknown.content.payment, attempt: unknown.id, sender: 'nobody' }, atMs },
      { ...accepted, atMs },
      answerTo(accepted, { idTransaction: 'W-1' }),
      attemptOf(owner, factsTo('x@example.com'), 'x1'),
    ])
    const { stderr } = await host.run(['history', 'check'])
    const named = new RegExp(
      `Record ([234]) .*written by ${liar} on desk, claims to be of .*it counts from then on`,
      'g',
    )
    expect([...stderr.matchAll(named)].map(([, seq]) => seq)).toEqual(['2', '3', '4'])
    expect(stderr.match(/claims to be of/g)).toHaveLength(3)
    // One that was accepted sixty days ago would be no repeat.
    const again = await host.run(transferTo('w@example.com', 'w2', '-o', 'json'))
    expect(failureOf(again)).toMatchObject({
      exit: 2,
      code: 'REPEAT',
      details: expect.stringMatching(/claims to be of/),
    })
    expect(await team.booked()).toEqual([])
  },
)

itOnPostgres('pays nothing a second time by a run of another login, or by what another login found', async () => {
  const here = await stage()
  const { team, host, write, owner } = here
  await host.prepare(transferTo('v@example.com', 'X1'))
  // Rows of one file are no repeats of each other: somebody's file has the one that was paid.
  const rows = ['X1', 'W2'].map((rowId, index): RunRow => {
    const row = { line: index + 2, rowId, isTypedId: true, facts: factsTo('v@example.com'), cells: [] }
    return { ...row, originalCents: null, isLeftOut: false }
  })
  const sums = new RunSum()
  for (const { rowId, facts } of rows) sums.add(rowId, facts)
  const [run, sending] = ['run-aaaaaaaaaaa1', { concurrency: 1, perSecond: null, stopAfter: 5, results: null }]
  const named = { run, kind: 'transfer', owner, file: 'b.csv', reference: run, isReferenceTyped: true } as const
  const record = { type: 'run', ...named, sending, columns: [], fields: {}, ignored: [], ...sums.sums } as const
  await write([{ content: { type: 'run-rows', run, rows } }, { content: record }])
  const resumed = await host.run(['resume', run, '--yes', '-o', 'json'])
  expect([resumed.exit, resumed.stdout + resumed.stderr]).toEqual([1, expect.stringContaining('REPEAT')])

  // A payment of last week, whose outcome nobody knows, that the host had made before it joined.
  for (const as of ['paid', 'not-paid', 'returned'] as const) {
    const key = `${as}@example.com`
    const firstBy = { user: host.login, machine: 'desk' }
    const old = attemptOf(owner, factsTo(key), `old-${as}`)
    const atMs = Date.now() - 8 * 86_400_000
    await write([{ ...old, content: { ...old.content, firstBy } as RecordContent, login: host.login, atMs }])
    await write([{ content: { type: 'finding', payment: old.content.payment, as, because: 'x' } }])
    const again = failureOf(await host.run([...transferTo(key, `new-${as}`), '-o', 'json']))
    expect([as, again]).toEqual([as, expect.objectContaining({ exit: 2, code: 'REPEAT' })])
    await host.prepare([...transferTo(key, `new-${as}`), '--in-addition-to', `old-${as}`])
  }
  const expected = ['not-paid', 'paid', 'returned', 'v'].map((name) => `${name}@example.com 5`)
  expect(await team.booked()).toEqual(expected)
})

itOnPostgres('takes no return of another payment for a proof that a payment came back', async () => {
  const here = await stage()
  const { team, host, write, owner } = here
  await host.prepare(transferTo('p@example.com', 'PA'))
  const [made] = await answersIn(team.database)
  const id = made?.idTransaction ?? ''
  // What became of another payment, with its genuine events.
  await write(
    [eventOf(owner, 1, id), eventOf(owner, 2, id, 'RETURNED')].map((each) => ({ ...each, login: host.login })),
  )
  await control(team.url, 'fault', { kind: 'drop-after', on: 'transfer', times: 1 })
  expect((await host.run(transferTo('v@example.com', 'PV'))).exit).toBe(5)
  const [, lost] = await attemptsIn(team.database)
  if (lost === undefined) throw new Error('two were made')
  const foreign = [eventOf(owner, 3, id), eventOf(owner, 4, id, 'RETURNED')]
  await write([answerTo(lost, { idTransaction: id, httpStatus: 200 }), ...foreign])
  // The same events for the bytes that the ledger does not have yet.
  await write([eventOf(owner, 5, 'ELSE-1'), eventOf(owner, 6, 'ELSE-1', 'RETURNED')])
  await write([answerTo(lost, { idTransaction: 'ELSE-1' })])
  const again = failureOf(await host.run([...transferTo('v@example.com', 'PV2'), '-o', 'json']))
  expect(again).toMatchObject({ exit: 2 })
  expect(await team.booked()).toEqual(['p@example.com 5', 'v@example.com 5'])
})

itOnPostgres('takes nobody else at the word that a payment was accepted, and names who says so', async () => {
  const { team, host, liar, write, owner } = await stage()
  const file = csvIn(host, 'rows.csv', 'key,value,externalId', ['a@example.com,1,B1', 'b@example.com,2,B2'])
  await control(team.url, 'fault', { kind: 'drop-before', on: 'transfer', times: 2 })
  expect((await host.run(transferTo('v@example.com', 'V1'))).exit).toBe(5)
  expect((await host.run(['batch', 'transfer', file, '--yes', '--concurrency', '1'])).exit).toBe(5)
  const [single, row] = await attemptsIn(team.database)
  if (single === undefined || row === undefined) throw new Error('two are unknown')
  await write([single, row].map((each) => answerTo(each, { idTransaction: 'ELSE-1', httpStatus: 200 })))
  await write([answerTo(row, { idTransaction: 'ELSE-1', outcome: 'accepted-before' })])
  const resumed = failureOf(await host.run(['resume', 'V1', '--yes', '-o', 'json']))
  expect(resumed).toMatchObject({ exit: 5, code: 'OUTCOME_UNKNOWN', message: expect.stringContaining('not verified') })
  const run = row.content.place?.run ?? ''
  const rows = await host.run(['resume', run, '--yes'])
  expect([rows.exit, rows.stdout + rows.stderr]).toEqual([5, expect.stringContaining(`Accepted according to ${liar}`)])
  const shown = await host.prepare(['history', 'show', 'V1'])
  expect(shown).toContain(`according to ${liar}, not verified here`)
  const listed = JSON.parse(await host.prepare(['history', '-o', 'json']))
  const verified = Object.fromEntries(
    listed.map((each: { externalId: string; pixgate: { verified: boolean | null } }) => [
      each.externalId,
      each.pixgate.verified,
    ]),
  )
  expect(verified).toEqual({ V1: false, B1: false, B2: null })
  expect(failureOf(await host.run([...transferTo('v@example.com', 'V2'), '-o', 'json']))).toMatchObject({ exit: 2 })
  // Not with a genuine event of another payment, either.
  await write([eventOf(owner, 1, 'ELSE-1')])
  expect((await host.run(['resume', run, '--yes'])).exit).toBe(5)
  expect(await team.booked()).toEqual(['b@example.com 2'])
  await host.prepare([
    'history',
    'settle',
    single.payment,
    '--as',
    'paid',
    '--because',
    'the statement has it',
    '--yes',
  ])
  await host.prepare(['resume', 'V1', '--yes'])
})
