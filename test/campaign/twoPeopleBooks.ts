import { expect } from 'vitest'
import { loadPayment, type Payment } from '../../src/ledger/payments.ts'
import { textOf } from '../../src/storage/sqlite.ts'
import type { FaultGateway, LedgerEntry } from '../gateway/faultGateway.ts'
import { inLedger } from '../ledger/storedLedger.ts'
import type { World } from '../world.ts'

/** A payment as somebody typed it. */
export interface SentCommand {
  kind: 'transfer' | 'refund'
  /** The key, or the payment that is returned. */
  target: string
  amount: number
  /** The externalId of a transfer. */
  id: string | null
  /** True if a repeat was accepted with `--again`. */
  isAgain: boolean
}

/** What the fault gateway says of the payment that is refunded. */
const ORIGINAL_AMOUNT = 10.5

/** Asserts that nothing was paid twice unless that was accepted, and that the ledger says nothing that the gateway's books deny. */
export async function judgeBooks(world: World, { ledger }: FaultGateway, sent: readonly SentCommand[]): Promise<void> {
  const payments = await inLedger(world, (database) =>
    database.all('SELECT id FROM payment ORDER BY seq').map((row) => loadPayment(database, textOf(row, 'id'))),
  )
  for (const { kind, target, amount } of sent) {
    const same = ledger.filter(
      (entry) => entry.kind === kind && targetOf(entry) === target && amountOf(entry) === amount,
    )
    const accepted = sent.filter(
      (each) => each.isAgain && each.kind === kind && each.target === target && each.amount === amount,
    )
    const unasked =
      kind === 'transfer'
        ? same.filter((entry) => !accepted.some(({ id }) => id === entry.externalId)).length
        : same.length - accepted.length
    expect(unasked, `${kind} of ${amount} to ${target}`).toBeLessThanOrEqual(1)
  }
  for (const target of new Set(sent.filter(({ kind }) => kind === 'refund').map((each) => each.target))) {
    const refunded = ledger
      .filter((entry) => targetOf(entry) === target)
      .reduce((sum, entry) => sum + amountOf(entry), 0)
    const mayHaveMoved = payments.filter(
      ({ facts }) => facts.kind === 'refund' && facts.originalTransactionId === target,
    )
    expect(refunded).toBeLessThanOrEqual(Math.max(ORIGINAL_AMOUNT, refundedCents(mayHaveMoved) / 100))
    expect(refunded).toBeLessThanOrEqual(refundedCents(mayHaveMoved) / 100)
  }
  for (const payment of payments) if (payment.facts.kind === 'transfer') judgeTransfer(payment, ledger)
  for (const entry of ledger.filter(({ kind }) => kind === 'transfer')) {
    const known = payments.find(({ summary }) =>
      summary.attempts.some(({ record }) => record.externalId === entry.externalId),
    )
    expect(known?.summary.mayHaveMoved, `the payment of ${entry.externalId}`).toBe(true)
  }
}

function judgeTransfer({ name, facts, summary }: Payment, ledger: readonly LedgerEntry[]): void {
  const paid = ledger.filter(({ externalId }) =>
    summary.attempts.some(({ record }) => record.externalId === externalId),
  )
  if (facts.kind !== 'transfer') return
  const own = paid.filter((entry) => entry.body.key === facts.key && amountOf(entry) * 100 === facts.amountCents)
  switch (summary.state) {
    case 'accepted':
    case 'paid':
      expect(own, `${name} is ${summary.state}`).toHaveLength(1)
      return
    case 'unknown':
      expect(own.length, `${name} is unknown`).toBeLessThanOrEqual(1)
      return
    default:
      expect(own, `${name} is ${summary.state}`).toEqual([])
  }
}

function refundedCents(refunds: readonly Payment[]): number {
  return refunds.reduce((sum, { summary }) => sum + summary.movedCents, 0)
}

function targetOf({ body }: LedgerEntry): unknown {
  return body.key ?? body.originalTransactionId
}

function amountOf({ body }: LedgerEntry): number {
  return Number(body.value ?? body.amount)
}
