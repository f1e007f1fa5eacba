import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { StoredEvent } from '../../src/ledger/events.ts'
import { openEmptyLedger } from '../../src/ledger/ledgerFile.ts'
import { loadSqlite } from '../../src/storage/sqlite.ts'
import type { Outcome } from '../../src/wire/errors.ts'
import { MemoryLedger, memoryLedger, type TestAttempt } from './memoryLedger.ts'
import { OWNER, REFUND, TRANSFER } from './paymentHistory.ts'

const RUNS = Number(process.env.PROPERTY_RUNS ?? 60)

const OUTCOMES: readonly Outcome[] = ['not-sent', 'refused', 'accepted', 'accepted-before', 'unknown']
const outcome = fc.constantFrom(...OUTCOMES)
const id = fc.option(fc.constantFrom('id-1', 'id-2', 'id-3', 'id-4'))
const externalId = fc.constantFrom('invoice-1', 'invoice-2', 'invoice-3')
const owner = fc.constantFrom(OWNER, { ...OWNER, clientId: 'c-2' })
const which = fc.nat(5)
const event = fc.record({
  do: fc.constant('event' as const),
  kind: fc.constantFrom('transfer' as const, 'refund' as const, 'payment' as const),
  status: fc.constantFrom('PAID_OUT', 'COMPLETED', 'ERROR', 'RETURNED', 'PROCESSING'),
  idTransaction: id,
  externalId: fc.option(externalId),
  owner,
  isSigned: fc.boolean(),
  taxId: fc.option(fc.constant('52998224725')),
  body: fc.constantFrom('AAAA', 'BBBB', 'CCCC', 'DDDD'),
})
const step = fc.oneof(
  fc.record({ do: fc.constant('transfer' as const), externalId, owner }),
  fc.record({ do: fc.constant('refund' as const), owner }),
  fc.record({ do: fc.constant('retry' as const), which }),
  fc.record({ do: fc.constant('resend' as const), which }),
  fc.record({ do: fc.constant('answer' as const), which, outcome, idTransaction: id }),
  fc.record({ do: fc.constant('answer' as const), which, outcome, idTransaction: id }),
  fc.record({
    do: fc.constant('finding' as const),
    which,
    as: fc.constantFrom('paid' as const, 'not-paid', 'returned'),
    proof: fc.option(fc.nat(5)),
  }),
  fc.record({
    do: fc.constant('wait' as const),
    ms: fc.constantFrom(1, 60_000, 12 * 60 * 60 * 1000, 25 * 60 * 60 * 1000),
  }),
  event,
  event,
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

function take(ledger: MemoryLedger, attempts: TestAttempt[], events: StoredEvent[], each: Step): void {
  const chosen = 'which' in each ? attempts[each.which % Math.max(1, attempts.length)] : undefined
  switch (each.do) {
    case 'transfer':
      attempts.push(ledger.attempt(TRANSFER, { externalId: each.externalId, owner: each.owner }))
      return
    case 'refund':
      attempts.push(ledger.attempt(REFUND, { owner: each.owner }))
      return
    case 'wait':
      ledger.nowMs += each.ms
      return
    case 'event': {
      const { kind, status, body, do: _, ...differences } = each
      const subject = kind
      const name = kind === 'refund' ? 'refund.status' : kind === 'payment' ? 'pix.received' : 'transfer.completed'
      const original = kind === 'refund' ? 'original-1' : null
      events.push(
        ledger.event(status, {
          ...differences,
          subject,
          event: name,
          originalTransactionId: original,
          amountCents: kind === 'refund' ? 400 : 1000,
          bodyBase64: body,
        }),
      )
      return
    }
  }
  if (chosen === undefined) return
  if (each.do === 'retry') attempts.push(ledger.retry(chosen, `retry-${attempts.length}`))
  else if (each.do === 'resend') ledger.resend(chosen)
  else if (each.do === 'finding') ledger.find(chosen, each.as, each.proof === null ? undefined : events[each.proof])
  else ledger.answer(chosen, each.outcome, { idTransaction: each.idTransaction })
}

it('holds in its tables what its records say, after any sequence of writes', { timeout: 120_000 }, async () => {
  const open = await loadSqlite()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const database = await openEmptyLedger(randomUUID)
      try {
        const ledger = new MemoryLedger(database, open)
        const attempts: TestAttempt[] = []
        const events: StoredEvent[] = []
        for (const each of steps) take(ledger, attempts, events, each)
        expect(ledger.problems()).toEqual([])
      } finally {
        database.close()
      }
    }),
    { numRuns: RUNS },
  )
})

it.each([
  ['a state', "UPDATE payment SET state = 'refused'", 'payment'],
  ['a key', "UPDATE payment SET comparable_key = 'x'", 'payment'],
  ['an outcome', "UPDATE attempt SET outcome = 'refused'", 'attempt'],
  ['what the rules look up', 'UPDATE sent_target SET sent_ms = sent_ms + 1', 'sent_target'],
  ['the link of an event', 'UPDATE event SET payment = NULL', 'event'],
  ['a missing payment', 'PRAGMA foreign_keys = OFF; DELETE FROM payment', 'payment'],
])('reports %s that does not match the records', async (_name, change, table) => {
  const ledger = await memoryLedger()
  ledger.answer(ledger.attempt(), 'accepted', { idTransaction: 'id-1' })
  ledger.event('PAID_OUT')
  expect(ledger.problems()).toEqual([])
  ledger.database.exec(change)
  expect(ledger.problems().join()).toContain(`The table ${table} does not match the records`)
})

it.each([
  [
    'changed',
    "UPDATE record SET content = replace(content, '1000', '1001') WHERE seq = 1",
    'Record 1 does not match its checksum',
  ],
  ['a user changed', "UPDATE record SET user = 'joao' WHERE seq = 2", 'Record 2 does not match its checksum'],
  ['missing', 'DELETE FROM record WHERE seq = 2', 'Record 2 is missing'],
])('reports a record that is %s', async (_name, change, problem) => {
  const ledger = await memoryLedger()
  ledger.answer(ledger.attempt(), 'unknown')
  ledger.event('PROCESSING')
  const triggers = 'DROP TRIGGER record_is_never_changed; DROP TRIGGER record_is_never_deleted'
  expect(() => ledger.database.exec(change)).toThrow('records are never')
  const definitions = ledger.database
    .all("SELECT sql FROM sqlite_schema WHERE type = 'trigger'")
    .map(({ sql }) => String(sql))
  ledger.database.exec(`PRAGMA foreign_keys = OFF; ${triggers}; ${change}`)
  expect(ledger.problems()).toEqual(['The schema is not the one that pixgate writes'])
  for (const definition of definitions) ledger.database.exec(definition)
  expect(ledger.problems()).toContain(problem)
})

it('continues the chain of checksums from one transaction to the next', async () => {
  const ledger = await memoryLedger()
  for (let number = 0; number < 5; number++) ledger.attempt(TRANSFER, { externalId: `invoice-${number}` })
  const rows = ledger.database.all('SELECT seq, digest FROM record ORDER BY seq')
  expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
  expect(new Set(rows.map(({ digest }) => digest)).size).toBe(5)
})
