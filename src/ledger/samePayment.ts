import { hash } from 'node:crypto'
import { chargeAddress, comparableKey } from '../pix/destination.ts'
import type { Database } from '../storage/sqlite.ts'
import { accountAddress } from '../wire/baseAddress.ts'
import { type AccountKey, accountId } from './accounts.ts'
import {
  FACT_RULES,
  type FactRule,
  factEntries,
  type MoneyPayment,
  type PaymentFacts,
  type RefundPayment,
  type TransferPayment,
} from './facts.ts'
import type { PaymentState } from './paymentState.ts'

/**
 * An id in the spelling in which ids are compared: without outer spaces, letters A to Z in lower case, as SQLite's NOCASE compares them. Ids are
 * stored and sent as they were typed.
 */
export function comparableId(id: string): string {
  return id.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** True if two ids name the same thing; no id is the same as another missing one. */
export function isSameId(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && comparableId(one) === comparableId(other)
}

/** What the target of a payment is read from. */
export type Target =
  | { kind: 'qr' }
  | Pick<TransferPayment, 'kind' | 'key' | 'keyType' | 'amountCents'>
  | Pick<RefundPayment, 'kind' | 'originalTransactionId'>

/** The target of a payment in one spelling: the key of a transfer, the original of a refund; null for a charge. */
export function comparableTarget(facts: Target): string | null {
  switch (facts.kind) {
    case 'qr':
      return null
    case 'transfer':
      return comparableKey(facts.key, facts.keyType)
    case 'refund':
      return comparableId(facts.originalTransactionId)
  }
}

/** True if two payments have the same target. */
export function isSameTarget(one: Target, other: Target): boolean {
  return one.kind === other.kind && one.kind !== 'qr' && comparableTarget(one) === comparableTarget(other)
}

/** True if a refund of the same original returns the same amount: as much, or both all of it. */
export function isSameRefundAmount(
  one: Pick<RefundPayment, 'amountCents' | 'isWhole'>,
  other: Pick<RefundPayment, 'amountCents' | 'isWhole'>,
): boolean {
  return one.amountCents === other.amountCents || (one.isWhole && other.isWhole)
}

/**
 * True if two payments ask for the same: the same target, and whatever else of them makes two payments, such as amount and owner. One that never
 * left is continued by the other. As a repeat, money that goes to the same key a second time counts already if only the amount is the same.
 */
export function isSameRequest(one: PaymentFacts, other: PaymentFacts): boolean {
  if (!isSameTarget(one, other)) return false
  const others = new Map(factEntries(other).map(([fact, value]) => [fact, value]))
  return factEntries(one).every(
    ([fact, value, { distinguishes }]) => !distinguishes || TARGETS.includes(fact) || value === others.get(fact),
  )
}

/**
 * True if a payment with the id of a batch's row is the payment of that row: it asks for the same. The id of a refund was derived from its amount, if
 * the row has one; a refund of all that is left may have had another amount before.
 */
export function isPaymentOfRow(payment: { facts: PaymentFacts; state: PaymentState }, row: MoneyPayment): boolean {
  const { facts, state } = payment
  if (row.kind === 'refund' && state !== 'not-sent') return isSameTarget(facts, row)
  return isSameRequest(facts, row)
}

/** The facts that hold a target, which is compared in one spelling. */
const TARGETS: readonly string[] = ['key', 'originalTransactionId']

/** The facts beside the target that make two payments. */
const DISTINGUISHING = [FACT_RULES.transfer, FACT_RULES.refund]
  .flatMap((rules: Readonly<Record<string, FactRule>>) => Object.entries(rules))
  .flatMap(([fact, { distinguishes }]) => (distinguishes && !TARGETS.includes(fact) ? [fact] : []))

/** In SQL, that the payment `same` and the row ask for the same, if they have the same target. A damaged record is judged when it is read. */
const ASKS_FOR_THE_SAME = `(SELECT CASE WHEN json_valid(record.content) AND json_valid(run_row.facts) THEN ${[
  ...new Set(DISTINGUISHING),
]
  .map((fact) => `json_extract(record.content, '$.facts.${fact}') IS json_extract(run_row.facts, '$.${fact}')`)
  .join(' AND ')} ELSE 1 END FROM record WHERE record.seq = same.seq)`

/**
 * The payment of a row of a run, as {@link isPaymentOfRow} finds it, in SQL for the tables `run_row` and `run`: one that was made before one that
 * may have been, and else the newest. An id that was derived from the
 * row says what the row asks for, and what the row itself sent is what it asks for, so only other payments with a typed id are compared in full.
 */
export const PAYMENT_OF_ROW = `(SELECT same.seq FROM payment same INDEXED BY payment_row WHERE same.row_id = run_row.row_id AND same.account = run.account
  AND same.kind = run.kind AND same.comparable_key = run_row.comparable_key AND CASE same.kind
    WHEN 'refund' THEN same.state <> 'not-sent' OR ${ASKS_FOR_THE_SAME}
    ELSE same.amount_cents = run_row.amount_cents
      AND (run_row.is_typed_id = 0 OR (same.run = run_row.run AND same.line = run_row.line) OR ${ASKS_FOR_THE_SAME}) END
  ORDER BY same.may_have_moved DESC, same.state = 'unknown', same.seq DESC LIMIT 1)`

/** In SQL, that a row of `payment` has the target of {@link targetValues}. */
export const HAS_SAME_TARGET = 'comparable_key = $key AND account = $account AND kind = $kind'

/**
 * In SQL, that a row of `payment` would be paid once more by a payment: the same target and amount, and for a dynamic payment code the same address, which
 * is one charge whatever the amount. For the values of {@link repeatValues}.
 */
export function hasSameMoney(isOneCharge: boolean, target = HAS_SAME_TARGET): string {
  return isOneCharge ? target : `${target} AND amount_cents IS $amount`
}

/** The same target and amount. */
export const HAS_SAME_AMOUNT = hasSameMoney(false)

/** True for a transfer to the address of one charge. */
export function isOfOneCharge(facts: Target): boolean {
  return facts.kind === 'transfer' && chargeAddress(facts.key) !== null
}

/** The values for {@link HAS_SAME_TARGET}. */
export function targetValues(database: Database, account: AccountKey, facts: Target) {
  return { key: comparableTarget(facts), account: accountId(database, account), kind: facts.kind }
}

/** The values for {@link HAS_SAME_AMOUNT}. */
export function amountValues(database: Database, account: AccountKey, facts: MoneyPayment) {
  return Object.assign(targetValues(database, account, facts), { amount: facts.amountCents })
}

/** The values for {@link hasSameMoney}. */
export function repeatValues(database: Database, account: AccountKey, facts: MoneyPayment) {
  return isOfOneCharge(facts) ? targetValues(database, account, facts) : amountValues(database, account, facts)
}

/**
 * The target of a payment, by which the rules find it a second time, as one checksum: account, kind, destination and, for a transfer, amount. All
 * refunds of an original have the same one, and so have all payments of the charge of a dynamic payment code. Null for a charge.
 */
export function targetDigest({ url, clientId }: AccountKey, facts: Target): string | null {
  if (facts.kind === 'qr') return null
  const amount = facts.kind === 'transfer' && !isOfOneCharge(facts) ? facts.amountCents : null
  const text = JSON.stringify([facts.kind, accountAddress(url), clientId, comparableTarget(facts), amount])
  return hash('sha256', text).slice(0, 32)
}
