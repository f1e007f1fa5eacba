import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { countNewKeys, findUnusualAmount } from '../../src/batch/runPreview.ts'
import { leaveOutAnswered, runRows } from '../../src/ledger/runRows.ts'
import { previewPayment } from '../../src/payments/preview.ts'
import { singlePayment } from '../../src/payments/proposal.ts'
import { Database, loadSqlite } from '../../src/storage/sqlite.ts'
import { type PaymentWorld, paymentWorld, proposalOf } from './paymentWorld.ts'
import { place, REFUND, TRANSFER } from './samplePayments.ts'

/** How SQLite may look for payments: one, those of a row or an id, or what is newer than something. */
const BOUNDED = [
  /\(rowid=\?\)/,
  /\((id|row_id|external_id|id_transaction)=\?/,
  /\([^)]*(sent_ms|seq)>\?\)/,
  // The attempts of one payment.
  /SEARCH attempt USING .*\(payment=\?\)/,
  // What is rare.
  /INDEX (payment_unknown|payment_unsent|sent_target_unknown|attempt_sender) /,
  // Nothing but the index is read: a count, or the newest amounts.
  /COVERING INDEX payment_to /,
  // What only a person says was not paid, and what was refused.
  /INDEX payment_to \(comparable_key=\? AND account=\? AND kind=\? AND may_have_moved=\?\)/,
]
/** The first entry of an index, whichever it is. */
const FIRST_ENTRY = /^SELECT 1 FROM \w+ INDEXED BY \w+\s+WHERE [^()]+ LIMIT 1$/
/** The refunds of a payment are counted all. */
const REFUNDS_OF_ONE = /may_have_moved, moved_cents, is_whole/

/** The statements that work runs. */
async function statementsOf(work: () => Promise<void>): Promise<string[]> {
  const spies = (['get', 'all', 'run'] as const).map((method) => vi.spyOn(Database.prototype, method))
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
  })
  await work()
  return [...new Set(spies.flatMap((spy) => spy.mock.calls.map(([sql]) => sql)))]
}

async function decideInEveryWay(world: PaymentWorld): Promise<void> {
  const row = proposalOf(TRANSFER, { externalId: 'row-1', place: place('run-1', 1) })
  await world.decide([proposalOf(TRANSFER, { externalId: 'single' })])
  await world.decide([row])
  await world.decide([proposalOf(TRANSFER, { externalId: 'added', accepted: ['another'] })])
  await world.decide([proposalOf(REFUND, { originalCents: 1000 })])
  const accepted = { throughSeq: 2, ids: [], despiteChargeback: false }
  if (row.action === 'pay') await world.decide([{ ...row, accepted }], { environment: 'sandbox' })
  const planned = [
    singlePayment({ facts: { ...TRANSFER, amountCents: 5 }, externalId: 'preview' }),
    singlePayment(
      { facts: { ...REFUND, originalTransactionId: 'another' }, externalId: null },
      { originalCents: 1000 },
    ),
  ]
  const repeats = { again: false, inAdditionTo: [], despiteChargeback: false }
  const context = world.context({ maxDayCents: 1_000_000 })
  for (const each of planned) await previewPayment(context, each, repeats)
  await world.ledger.write(({ database }) => {
    leaveOutAnswered(database, 'run-1', 1)
    runRows(database, 'run-1', 0, 10)
    countNewKeys(database, context.account, 'run-1')
    findUnusualAmount(database, context.account, 1, TRANSFER)
  })
}

it('finds earlier payments by indexes that hold no more than is asked', async () => {
  const world = paymentWorld()
  await world.pay(TRANSFER, 'accepted', { externalId: 'first' })
  const statements = await statementsOf(() => decideInEveryWay(world))
  const open = await loadSqlite()
  const database = open(join(world.folder, 'ledger.db'))
  onTestFinished(() => database.close())
  const about = statements.filter((sql) => /\b(FROM|JOIN) (payment|sent_target|attempt)\b/.test(sql))
  expect(about.length).toBeGreaterThan(15)
  const plans = about.map((sql) => ({
    sql,
    steps: database
      .all(`EXPLAIN QUERY PLAN ${sql}`)
      .map(({ detail }) => String(detail))
      .filter((step) => /^(SEARCH|SCAN) (payment|sent_target|same|attempt|own)\b/.test(step)),
  }))
  const unbounded = plans.filter(
    ({ sql, steps }) =>
      !REFUNDS_OF_ONE.test(sql) &&
      !(FIRST_ENTRY.test(sql) && steps.every((step) => step.includes('COVERING INDEX'))) &&
      steps.some((step) => !BOUNDED.some((bounded) => bounded.test(step))),
  )
  expect(unbounded).toEqual([])
  const all = plans.flatMap(({ steps }) => steps)
  // Both ways, since a time and since a record.
  for (const table of ['payment', 'sent_target']) {
    for (const column of ['sent_ms', 'seq']) {
      expect(all).toContainEqual(expect.stringMatching(new RegExp(`^SEARCH ${table} .*${column}>`)))
    }
  }
})
