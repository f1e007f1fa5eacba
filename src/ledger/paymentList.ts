import { type Database, integerOf, type Row, type SqlValue, textOf } from '../storage/sqlite.ts'
import { accountAddress } from '../wire/baseAddress.ts'
import { hasAcceptedBefore, SENT_ELSEWHERE, shownOnce } from './acceptedBefore.ts'
import type { PaymentKind } from './facts.ts'
import { type ShownState, STATE_OR_BEING_SENT } from './paymentState.ts'
import type { PaymentsBeingSent } from './processes.ts'

/** Which payments are listed; what is not given does not limit them. */
export interface PaymentFilter {
  /** One address and client id, as one environment. */
  account?: { baseUrl: string; clientId: string; environment: string } | undefined
  /** Created, or paid if it is a charge, at this time or later, and before the other, in ms. */
  sinceMs?: number | null
  beforeMs?: number | null
  /** True if a charge that was paid belongs to the day of that alone. */
  isByDay?: boolean
  kind?: PaymentKind | undefined
  state?: ShownState | undefined
  /** The payments that are being sent at this moment: they are not of unknown outcome. */
  beingSent?: PaymentsBeingSent
  /** A batch's reference, or the payment's own name; of a refund also the order number of what it returns. */
  reference?: string | undefined
  run?: string
  user?: string | undefined
  profile?: string | undefined
  amountCents?: number | undefined
  minCents?: number | undefined
  maxCents?: number | undefined
  /** The identities that a key may have, see `comparableKeysOf`. */
  keys?: readonly string[] | undefined
  /** An expression of FTS5, see `matchExpression`. */
  match?: string | null
  /** Each is an amount, or else a word of the payment. */
  amountOrWord?: readonly { amountCents: number; match: string }[] | undefined
}

const ACCOUNT = 'payment.account = (SELECT id FROM account WHERE base_url = ? AND client_id = ?)'

/** Also of refunds, by the order number of what they return. With OR, SQLite would read all payments of the account. */
const HAS_REFERENCE = `payment.seq IN (
  SELECT named.seq FROM payment named WHERE named.reference = ? UNION ALL SELECT named.seq FROM payment named WHERE named.name = ?
  UNION ALL SELECT refund.seq FROM payment charge CROSS JOIN attempt ON attempt.payment = charge.id
    CROSS JOIN payment refund ON refund.name = attempt.id_transaction AND refund.account = charge.account
    WHERE charge.name = ? AND charge.kind = 'qr' AND refund.kind = 'refund')`

/** Where a list continues: after the payment that has this day and this number. */
export interface ListPosition {
  /** When a charge was paid, any other payment was created. */
  dayMs: number
  seq: number
}

/** Before the first payment. */
export const LIST_START: ListPosition = { dayMs: -1, seq: 0 }

interface ListedPayment extends ListPosition {
  id: string
}

/** The number of the newest payment; 0 if there is none. A list ends there, whatever is written while it is read. */
export function lastPaymentSeq(database: Database): number {
  return database.integer('SELECT max(seq) FROM payment') ?? 0
}

/** Up to `limit` payments after a position, those of the oldest day first. */
export function listPayments(
  database: Database,
  filter: PaymentFilter,
  after: ListPosition,
  lastSeq: number,
  limit: number,
): ListedPayment[] {
  const { conditions, values, day } = queryOf(database, filter, after, lastSeq, 'page')
  return database
    .all(
      `SELECT id, seq, day_ms FROM payment WHERE ${conditions} ORDER BY ${day}, payment.seq LIMIT ?`,
      ...values,
      limit,
    )
    .map(listedPayment)
}

/** The position from which exactly the newest `count` payments follow. */
export function positionOfNewest(
  database: Database,
  filter: PaymentFilter,
  lastSeq: number,
  count: number,
): ListPosition {
  const { conditions, values, day } = queryOf(database, filter, LIST_START, lastSeq, 'page')
  const row = database.get(
    `SELECT id, seq, day_ms FROM payment WHERE ${conditions} ORDER BY ${day} DESC, payment.seq DESC LIMIT 1 OFFSET ?`,
    ...values,
    count - 1,
  )
  if (row === undefined) return LIST_START
  const { dayMs, seq } = listedPayment(row)
  return { dayMs, seq: seq - 1 }
}

interface Query {
  conditions: string
  values: SqlValue[]
  /** The column that a list is sorted by. */
  day: string
}

/** No more payments than this are found by what they are and then sorted; more are found in the order of their days. */
const SORTED_MAX = 1000

/** True if a filter lets so few payments through that they are found by what they are: those to a key, with a name or rare words, or of rare amounts. */
function areFew(database: Database, { account, keys, reference, match, minCents, maxCents }: PaymentFilter): boolean {
  if (keys !== undefined || reference !== undefined) return true
  if (match != null) {
    const query = `SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT ${SORTED_MAX + 1})`
    if ((database.integer(query, match) ?? 0) <= SORTED_MAX) return true
  }
  if (account === undefined || (minCents === undefined && maxCents === undefined)) return false
  const found = database.integer(
    `SELECT count(*) FROM (SELECT 1 FROM payment INDEXED BY payment_amount
       WHERE ${ACCOUNT} AND known_cents >= ? AND known_cents <= ? LIMIT ${SORTED_MAX + 1})`,
    accountAddress(account.baseUrl),
    account.clientId,
    minCents ?? 0,
    maxCents ?? Number.MAX_SAFE_INTEGER,
  )
  return (found ?? 0) <= SORTED_MAX
}

/**
 * The query for the payments of a filter after a position. A `+` before a column keeps SQLite from choosing an index that would have to be sorted, or
 * that finds more payments than another. `reads`: see {@link shownOnce}.
 */
function queryOf(
  database: Database,
  filter: PaymentFilter,
  after: ListPosition,
  lastSeq: number,
  reads: 'page' | 'all' = 'all',
): Query {
  const { account, state, sinceMs, beforeMs, isByDay, reference, beingSent = NONE_BEING_SENT } = filter
  const isSorted = areFew(database, filter)
  const day = isSorted ? '+payment.day_ms' : 'payment.day_ms'
  const cents = isSorted ? 'payment.known_cents' : '+payment.known_cents'
  const conditions: string[] = []
  const values: SqlValue[] = []
  // What is not given limits nothing.
  const where = (condition: string, ...given: readonly (SqlValue | undefined)[]) => {
    const known = given.flatMap((value) => value ?? [])
    if (known.length < given.length) return
    conditions.push(condition)
    values.push(...known)
  }
  where(`(${day}, payment.seq) > (?, ?)`, after.dayMs, after.seq)
  where('+payment.seq <= ?', lastSeq)
  where(`${isSorted ? '' : '+'}payment.seq IN (SELECT rowid FROM search WHERE search MATCH ?)`, filter.match)
  // A run has all its rows.
  const once = filter.run == null ? shownOnce(database, reads) : null
  if (once !== null) where(once)
  // Its index would find more than the name does.
  where(reference == null ? ACCOUNT : `+${ACCOUNT}`, account && accountAddress(account.baseUrl), account?.clientId)
  where('payment.environment = ?', account?.environment)
  where('payment.kind = ?', filter.kind)
  where('payment.state = ?', state === 'being-sent' ? 'unknown' : state)
  where('payment.run = ?', filter.run)
  where('payment.profile = ?', filter.profile)
  where('payment.known_cents = ?', filter.amountCents)
  where(
    'payment.comparable_key IN (SELECT value FROM json_each(?))',
    filter.keys === undefined ? null : JSON.stringify(filter.keys),
  )
  if (state === 'being-sent' || (state === 'unknown' && beingSent.size > 0)) {
    const isIn = state === 'being-sent' ? 'IN' : 'NOT IN'
    where(`payment.id ${isIn} (SELECT value FROM json_each(?))`, JSON.stringify([...beingSent.keys()]))
  }
  if (filter.user !== undefined) {
    const users = usersNamed(database, filter.user)
    where(users.length === 1 ? 'payment.user = ?' : `+payment.user IN (${users.map(() => '?')})`, ...users)
  }
  // No day is before that of the creation.
  where(`${day} >= ?`, sinceMs)
  where(`${isByDay ? day : '+payment.created_ms'} < ?`, beforeMs)
  if (!isByDay) where('NOT (payment.created_ms < ? AND payment.day_ms >= ?)', sinceMs, beforeMs)
  where(`${cents} >= ?`, filter.minCents)
  where(`${cents} <= ?`, filter.maxCents)
  where(HAS_REFERENCE, reference, reference, reference)
  for (const each of filter.amountOrWord ?? []) {
    where(
      '(payment.known_cents = ? OR payment.seq IN (SELECT rowid FROM search WHERE search MATCH ?))',
      each.amountCents,
      each.match,
    )
  }
  return { conditions: conditions.join(' AND '), values, day }
}

const NONE_BEING_SENT: PaymentsBeingSent = new Map()

/** The recorded users that a name means: itself, the same with any login behind it, and others whose login it is: `maria` is also `finance (maria)`. */
function usersNamed(database: Database, name: string): string[] {
  // Seeks each user in the index instead of reading all payments.
  const found = database.texts(`WITH RECURSIVE users (user) AS (
      SELECT min(user) FROM payment
      UNION ALL SELECT (SELECT min(user) FROM payment WHERE payment.user > users.user) FROM users WHERE user IS NOT NULL
    ) SELECT user FROM users WHERE user IS NOT NULL`)
  const meant = found.filter((user) => user === name || user.startsWith(`${name} (`) || user.endsWith(` (${name})`))
  return meant.length === 0 ? [name] : meant
}

function listedPayment(row: Row): ListedPayment {
  return { id: textOf(row, 'id'), seq: integerOf(row, 'seq'), dayMs: integerOf(row, 'day_ms') }
}

/** The UUIDs of payments of which events arrived in a period, whenever they were created; null for an open end. */
export function paymentsWithEvents(
  database: Database,
  { sinceMs, beforeMs }: Pick<PaymentFilter, 'sinceMs' | 'beforeMs'>,
): string[] {
  return database.texts(
    'SELECT DISTINCT payment FROM event WHERE payment IS NOT NULL AND received_ms >= ? AND received_ms < ?',
    sinceMs ?? 0,
    beforeMs ?? Number.MAX_SAFE_INTEGER,
  )
}

/** How many payments of a kind and state there are, and their sum. */
export type PaymentSum = ReturnType<typeof sumPayments>[number]

/**
 * Counts and sums of the payments, by environment, account, kind and state, which is `being-sent` for those of unknown outcome among
 * these, by their UUIDs.
 */
export function sumPayments(database: Database, filter: PaymentFilter, lastSeq: number) {
  const { conditions, values } = queryOf(database, filter, LIST_START, lastSeq)
  const unverified = 'payment INDEXED BY payment_unverified WHERE is_verified = 0'
  // Columns that the index of the sums lacks are asked for only if a payment needs them.
  const isElsewhere = hasAcceptedBefore(database) ? SENT_ELSEWHERE : 'FALSE'
  const isUnverified = database.has(`SELECT 1 FROM ${unverified} LIMIT 1`) ? 'payment.is_verified = 0' : 'FALSE'
  return database
    .all(
      `SELECT sums.*, account.base_url, account.client_id FROM (
         SELECT payment.account, payment.environment, payment.kind, ${STATE_OR_BEING_SENT} AS state, count(*) AS payments,
           count(*) - count(payment.known_cents) AS unknown_amounts, ${sumOfCents('TRUE')} AS cents,
           count(*) FILTER (WHERE ${isElsewhere}) AS elsewhere, ${sumOfCents(isElsewhere)} AS elsewhere_cents,
           count(*) FILTER (WHERE ${isUnverified}) AS unverified
         FROM payment WHERE ${conditions} GROUP BY 1, 2, 3, 4) AS sums
       JOIN account ON account.id = sums.account ORDER BY environment, account`,
      JSON.stringify([...(filter.beingSent ?? NONE_BEING_SENT).keys()]),
      ...values,
    )
    .map((row) => ({
      environment: textOf(row, 'environment'),
      baseUrl: textOf(row, 'base_url'),
      clientId: textOf(row, 'client_id'),
      kind: textOf(row, 'kind'),
      state: textOf(row, 'state'),
      payments: integerOf(row, 'payments'),
      cents: BigInt(textOf(row, 'cents')),
      /** How many of them have no known amount, and so no part of the sum. */
      unknownAmounts: integerOf(row, 'unknown_amounts'),
      /** How many of them another ledger had sent first, and their sum. */
      elsewhere: integerOf(row, 'elsewhere'),
      elsewhereCents: BigInt(textOf(row, 'elsewhere_cents')),
      /** How many of them have a state that rests on an event which this machine cannot verify. */
      unverified: integerOf(row, 'unverified'),
    }))
}

/** As text, because it may be larger than a number of JavaScript. */
function sumOfCents(condition: string): string {
  return `CAST(coalesce(sum(payment.known_cents) FILTER (WHERE ${condition}), 0) AS TEXT)`
}

/** How many payments a filter leaves out only because they are of another account or environment. */
export function countOfOtherAccounts(database: Database, filter: PaymentFilter, lastSeq: number): number {
  const count = (each: PaymentFilter) =>
    sumPayments(database, each, lastSeq).reduce((sum, { payments }) => sum + payments, 0)
  return filter.account === undefined ? 0 : count({ ...filter, account: undefined }) - count(filter)
}
