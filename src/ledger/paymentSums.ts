import { type Database, integerOf, type Row, textOf, textOrNull } from '../storage/sqlite.ts'
import { hasAcceptedBefore, SENT_ELSEWHERE } from './acceptedBefore.ts'
import { LIST_START, type ListPosition, type PaymentFilter, queryOf } from './paymentList.ts'

/** How many payments of a kind and state there are, and their sum. */
export interface PaymentSum {
  environment: string
  baseUrl: string
  clientId: string
  kind: string
  state: string
  payments: number
  cents: bigint
  /** How many of them have no known amount, and so no part of the sum. */
  unknownAmounts: number
}

/** Counts and sums of the payments after a position, by environment, account, kind and state. */
export function sumPayments(
  database: Database,
  filter: PaymentFilter,
  after: ListPosition,
  lastSeq: number,
): PaymentSum[] {
  const { source, conditions, values } = queryOf(database, filter, after, lastSeq)
  return database
    .all(
      `SELECT sums.*, account.base_url, account.client_id FROM (
         SELECT payment.account, payment.environment, payment.kind, payment.state, count(*) AS payments, count(*) - count(payment.known_cents) AS unknown_amounts,
           CAST(coalesce(sum(payment.known_cents), 0) AS TEXT) AS cents
         FROM ${source} WHERE ${conditions} GROUP BY 1, 2, 3, 4) AS sums
       JOIN account ON account.id = sums.account ORDER BY environment, account`,
      ...values,
    )
    .map((row) => ({ ...sumOf(row), kind: textOf(row, 'kind'), state: textOf(row, 'state') }))
}

function sumOf(row: Row): Omit<PaymentSum, 'kind' | 'state'> {
  return {
    environment: textOf(row, 'environment'),
    baseUrl: textOf(row, 'base_url'),
    clientId: textOf(row, 'client_id'),
    payments: integerOf(row, 'payments'),
    cents: BigInt(textOrNull(row, 'cents') ?? '0'),
    unknownAmounts: integerOf(row, 'unknown_amounts'),
  }
}

/** Of the payments that {@link sumPayments} counts, those that another ledger had sent first, by environment and account. */
export function sumSentElsewhere(
  database: Database,
  filter: PaymentFilter,
  after: ListPosition,
  lastSeq: number,
): Omit<PaymentSum, 'kind' | 'state'>[] {
  if (!hasAcceptedBefore(database)) return []
  const { source, conditions, values } = queryOf(database, filter, after, lastSeq)
  const rows = database.all(
    `SELECT payment.environment, account.base_url, account.client_id, count(*) AS payments,
       count(*) - count(payment.known_cents) AS unknown_amounts, CAST(coalesce(sum(payment.known_cents), 0) AS TEXT) AS cents
     FROM ${source} JOIN account ON account.id = payment.account WHERE ${conditions} AND ${SENT_ELSEWHERE}
     GROUP BY payment.environment, payment.account ORDER BY payment.environment, payment.account`,
    ...values,
  )
  return rows.map(sumOf)
}

/** How many payments a filter leaves out only because they are of another account or environment. */
export function countOfOtherAccounts(database: Database, filter: PaymentFilter, lastSeq: number): number {
  const count = (each: PaymentFilter) =>
    sumPayments(database, each, LIST_START, lastSeq).reduce((sum, { payments }) => sum + payments, 0)
  return filter.account === null ? 0 : count({ ...filter, account: null }) - count(filter)
}
