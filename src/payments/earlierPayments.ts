import type { MoneyPayment } from '../ledger/facts.ts'
import { isHeldByRun } from '../ledger/runRows.ts'
import {
  HAS_SAME_AMOUNT,
  HAS_SAME_TARGET,
  hasSameMoney,
  isOfOneCharge,
  repeatValues,
  type Target,
  targetDigest,
  targetValues,
} from '../ledger/samePayment.ts'
import { DAY_MS, REPEAT_DAYS } from '../pix/calendar.ts'
import type { Account } from '../profiles/account.ts'
import {
  DamagedValue,
  type Database,
  integerOf,
  integerOrNull,
  type Row,
  type SqlValue,
  textOf,
} from '../storage/sqlite.ts'
import type { AcceptedRepeats } from './repeatOptions.ts'

/** A payment whose earlier equals are looked for. */
export interface ComparedPayment {
  facts: MoneyPayment
  /** Its UUID if it is in the ledger: a further attempt is not a repeat of the first. */
  payment: string | null
  /** The run that sends it, whose rows are not repeats of each other; null for a payment of its own. */
  run: string | null
  /** Earlier payments that were shown in the question and that a person accepted to pay once more. */
  accepted: AcceptedRepeats
}

const REPEAT_WINDOW_MS = REPEAT_DAYS * DAY_MS

/**
 * One of the two ways in which earlier payments are found. They share no page of the file, so a damaged byte hides a payment from one of them
 * only, and they must find the same. Each names its indexes, because SQLite has no statistics to choose them by: none holds more than is asked.
 */
interface Way {
  table: 'payment' | 'sent_target'
  /** The column with the UUID. */
  id: string
  /** The conditions of the same target. */
  isSameTransfer: string
  isSameRefund: string
  /** The indexes for what was sent since a time, what was recorded since a record, and unknown outcomes. */
  sinceTime: string
  sinceRecord: string
  unknown: string
}

const PAYMENT_WAY: Way = {
  table: 'payment',
  id: 'id',
  isSameTransfer: HAS_SAME_AMOUNT,
  isSameRefund: HAS_SAME_TARGET,
  sinceTime: 'payment_key',
  sinceRecord: 'payment_key_since',
  unknown: 'payment_unknown',
}
const TARGET_WAY: Way = {
  table: 'sent_target',
  id: 'payment',
  isSameTransfer: 'target = $target',
  isSameRefund: 'target = $target',
  sinceTime: 'sent_target_lookup',
  sinceRecord: 'sent_target_since',
  unknown: 'sent_target_unknown',
}

const IS_RECENT = 'sent_ms >= $sinceMs'

type Query = readonly [byPayment: string, byTarget: string]

function queryOf(ask: (way: Way) => string, byPayment = PAYMENT_WAY): Query {
  return [ask(byPayment), ask(TARGET_WAY)]
}

/** What is asked about a transfer. */
interface TransferQueries {
  /**
   * Most payments of a batch are the first of their amount to their key, so this is asked before anything else, of the indexes alone. They do not hold
   * the kind, so it may find more than the questions after it, and never less.
   */
  any: Query
  unknown: Query
  /** Those of which only somebody else than who made them says what became of them: however old, each stays a repeat until it is named. */
  known: Query
  /** Nothing is accepted by its id in most payments, so one repeat is enough to know. */
  oneSinceTime: Query
  oneSinceRecord: Query
  sinceTime: (limit: number) => Query
}

const BY_AMOUNT = transferQueries(false)
const BY_CHARGE = transferQueries(true)

function transferQueries(isOneCharge: boolean): TransferQueries {
  const byPayment: Way = { ...PAYMENT_WAY, isSameTransfer: hasSameMoney(isOneCharge) }
  const sinceTime = (limit: number) => {
    const order = 'sent_ms DESC, run DESC, was_sent DESC, seq DESC'
    return queryOf((way) => repeats(way, way.sinceTime, { order, limit }), byPayment)
  }
  return {
    any: [
      `SELECT 1 FROM payment INDEXED BY ${PAYMENT_WAY.sinceTime}
       WHERE ${hasSameMoney(isOneCharge, 'comparable_key = $key AND account = $account')} LIMIT 1`,
      `SELECT 1 FROM sent_target INDEXED BY ${TARGET_WAY.sinceTime} WHERE target = $target LIMIT 1`,
    ],
    unknown: queryOf(
      (way) =>
        `SELECT max(seq) AS seq FROM ${way.table} INDEXED BY ${way.unknown}
         WHERE ${way.isSameTransfer} AND is_unknown > 0 AND is_unknown = 1 AND seq <> $own AND ${isOfOtherRun(way.table)}`,
      byPayment,
    ),
    known: queryOf(
      (way) =>
        `SELECT seq, ${way.id} AS id FROM ${way.table} INDEXED BY ${way.unknown}
         WHERE ${way.isSameTransfer} AND is_unknown > 0 AND is_unknown = 2 AND seq > $throughSeq
           AND CASE WHEN seq = $own THEN may_have_moved = 0 ELSE ${isOfOtherRun(way.table)} END ORDER BY seq DESC`,
      byPayment,
    ),
    oneSinceTime: sinceTime(1),
    oneSinceRecord: queryOf((way) => repeats(way, way.sinceRecord, { order: 'seq DESC', limit: 1 }), byPayment),
    sinceTime,
  }
}

/**
 * Asks for repeats in the order of an index, newest first. The limit is no parameter, because SQLite compiles a statement with one again for each
 * value. What a person alone says was not made is a repeat of itself, too.
 */
function repeats(way: Way, index: string, { order, limit }: { order: string; limit: number }): string {
  return `SELECT seq, ${way.id} AS id FROM ${way.table} INDEXED BY ${index}
    WHERE ${way.isSameTransfer} AND was_sent = 1 AND ${IS_RECENT} AND seq > $throughSeq
      -- Needs the index only; the rows of the run itself may be many.
      AND (run IS NOT $run OR seq = $own)
      AND CASE WHEN seq = $own THEN may_have_moved = 0 ELSE ${isOfOtherRun(way.table)} END
    ORDER BY ${order} LIMIT ${limit}`
}

const REFUNDS = queryOf(
  (way) =>
    `SELECT seq, ${way.id} AS id, amount_cents, is_unknown, may_have_moved, moved_cents, is_whole,
       ${IS_RECENT} AS is_recent, ${isOfOtherRun(way.table)} AS is_of_other_run
     FROM ${way.table} WHERE ${way.isSameRefund} AND was_sent = 1 ORDER BY seq DESC`,
)

type Targets = readonly [byPayment: Values, byTarget: Values]
type Values = Readonly<Record<string, SqlValue>>

/** Earlier equal transfers, except those of the same run: a file can name one key many times. Each by the number of its first record. */
interface EarlierTransfers {
  /** One with an unknown outcome; null if there is none. */
  unknown: number | null
  /** The newest within the window that no person accepted to pay once more; null if there is none. */
  repeat: number | null
}

/** Finds earlier transfers of the same amount to the same key. Throws DamagedValue if the two ways differ. */
export function earlierTransfers(
  database: Database,
  account: Account,
  { facts, payment, run, accepted }: ComparedPayment,
  nowMs: number,
): EarlierTransfers {
  const isOneCharge = isOfOneCharge(facts)
  const ask = isOneCharge ? BY_CHARGE : BY_AMOUNT
  const targets: Targets = [repeatValues(database, account, facts), { target: targetDigest(account, facts) }]
  if (!hasAnyTransfer(database, ask.any, targets)) return { unknown: null, repeat: null }
  // A file can say that a key is paid several times, but not a charge.
  const values = { ...runValue(isOneCharge ? null : run), own: seqOf(database, payment) }
  const { throughSeq, ids } = accepted
  const unknown = bothWays(database, ask.unknown, targets, values)
  const query = throughSeq > 0 ? ask.oneSinceRecord : ids.length > 0 ? ask.sinceTime(ids.length + 1) : ask.oneSinceTime
  const found = [
    ...bothWays(database, query, targets, { ...values, ...recentValue(nowMs), throughSeq }),
    ...bothWays(database, ask.known, targets, { ...values, throughSeq }),
  ]
  const [newest] = unknown
  const repeat = found.find((row) => !ids.includes(textOf(row, 'id')))
  return {
    unknown: newest === undefined ? null : integerOrNull(newest, 'seq'),
    repeat: repeat === undefined ? null : integerOf(repeat, 'seq'),
  }
}

function hasAnyTransfer(database: Database, any: Query, [byPayment, byTarget]: Targets): boolean {
  const { key = null, account = null, amount } = byPayment
  const values: Values = amount === undefined ? { key, account } : { key, account, amount }
  return database.has(any[0], values) || database.has(any[1], byTarget)
}

/** A refund that was sent earlier, or that only a person says was not made. */
export type EarlierRefund = ReturnType<typeof refundOf>

/** The refunds of a payment that were sent earlier, newest first, as a run or a single refund (null) sees them. Throws DamagedValue if the two ways differ. */
export function earlierRefunds(
  database: Database,
  account: Account,
  originalTransactionId: string,
  run: string | null,
  nowMs: number,
): EarlierRefund[] {
  const target: Target = { kind: 'refund', originalTransactionId }
  const targets: Targets = [targetValues(database, account, target), { target: targetDigest(account, target) }]
  return bothWays(database, REFUNDS, targets, { ...runValue(run), ...recentValue(nowMs) }).map(refundOf)
}

function refundOf(row: Row) {
  const mayHaveMoved = integerOf(row, 'may_have_moved') === 1
  const unknown = integerOf(row, 'is_unknown')
  const amountCents = integerOrNull(row, 'amount_cents')
  return {
    seq: integerOf(row, 'seq'),
    /** UUID. */
    id: textOf(row, 'id'),
    amountCents,
    isUnknown: unknown === 1,
    mayHaveMoved,
    isWhole: integerOf(row, 'is_whole') === 1,
    /** What it returned, or may have. */
    cents: mayHaveMoved ? integerOf(row, 'moved_cents') : (amountCents ?? 0),
    /** True if the same refund would be a repeat of it: see {@link TransferQueries.known}, too. */
    isRecent: integerOf(row, 'is_recent') === 1 || unknown === 2,
    /** False for one of the run that asks, or of a row of its file: they are not repeats of each other. */
    isOfOtherRun: integerOf(row, 'is_of_other_run') === 1,
  }
}

function recentValue(nowMs: number): Values {
  return { sinceMs: nowMs - REPEAT_WINDOW_MS }
}

/** The value for {@link isOfOtherRun}; no run has an empty name. */
export function runValue(run: string | null): Values {
  return { run: run ?? '' }
}

/** The condition of a payment that neither the run `$run` nor its file holds: the file says how often each of its rows is to be paid. */
export function isOfOtherRun(table: Way['table']): string {
  return `(${table}.run IS NOT $run AND NOT ${isHeldByRun(`${table}.row_id`)})`
}

/** The number of the first record of a payment; 0, which no record has, for none. */
function seqOf(database: Database, payment: string | null): number {
  return database.integer('SELECT seq FROM payment WHERE id = ?', payment) ?? 0
}

function bothWays(database: Database, query: Query, targets: Targets, values: Values): Row[] {
  const found = database.all(query[0], { ...targets[0], ...values })
  const again = database.all(query[1], { ...targets[1], ...values })
  if (JSON.stringify(found) !== JSON.stringify(again)) {
    throw new DamagedValue('the tables payment and sent_target do not hold the same payments')
  }
  return found
}
