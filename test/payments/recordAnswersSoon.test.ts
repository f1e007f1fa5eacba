import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openLedger } from '../../src/ledger/ledger.ts'
import { type AnsweredAttempt, firstAnswer, recordAnswersSoon } from '../../src/payments/attemptOutcomes.ts'
import type { DurableAttempt } from '../../src/payments/decide.ts'
import { loadSqlite } from '../../src/storage/sqlite.ts'
import { paymentWorld, proposalOf } from './paymentWorld.ts'
import { TRANSFER } from './samplePayments.ts'

function answered({ record }: DurableAttempt): AnsweredAttempt {
  return {
    attempt: record,
    answer: firstAnswer(record, { outcome: 'not-sent', fault: 'interrupted', code: 'NEVER_SENT' }),
  }
}

it('takes no answers for a call that was given up, if the ledger comes free later', async () => {
  const world = paymentWorld()
  const first = answered(await world.allow(proposalOf(TRANSFER, { externalId: 'one' })))
  const second = answered(await world.allow(proposalOf({ ...TRANSFER, amountCents: 1 }, { externalId: 'two' })))
  const ledger = openLedger({ ...world.ledger.environment, newId: randomUUID, timeoutMs: 60_000 })
  const other = (await loadSqlite())(join(world.folder, 'ledger.db'))
  onTestFinished(async () => {
    other.close()
    await ledger.close()
  })
  const context = { ...world.context(), ledger, abandon: AbortSignal.abort() }

  other.exec('BEGIN IMMEDIATE')
  let waiting = [first]
  const take = () => {
    const taken = waiting
    waiting = []
    return taken
  }
  expect((await recordAnswersSoon(context, take)).unrecorded).not.toBeNull()
  waiting = [second]
  const next = recordAnswersSoon(context, () => [])
  other.exec('ROLLBACK')
  await next
  expect(waiting).toEqual([second])
  const { summary } = await world.payment(first.attempt.payment)
  expect(summary.state).toBe('not-sent')
})
