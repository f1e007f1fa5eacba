import { accountId } from '../ledger/accounts.ts'
import { comparableTarget, type Target, targetDigest } from '../ledger/sameTarget.ts'
import type { Account } from '../profiles/account.ts'
import {
  DamagedValue,
  type Database,
  integerOf,
  integerOrNull,
  type Row,
  type SqlValue,
  textOf,
  textOrNull,
} from '../storage/sqlite.ts'
import type { PlannedPayment } from './paymentRules.ts'

/** The same payment within this time counts as a repeat. */
const REPEAT_WINDOW_MS = 6 * 24 * 60 * 60 * 1000

/**
 * One of the two ways in which earlier payments are found. They share no page of the file, so a damaged byte hides a payment from one of them
 * only, and they must find the same.
 */
interface Way {
  table: 'payment' | 'sent_target'
  /** The column with the UUID. */
  id: string
  /**
   * The indexes for what was sent since a time, since a record, and for unknown outcomes: none reads anything else. SQLite has no statistics to
   * choose them by.
   */
  indexes: { time: string; record: string; unknown: string }
  /** The condition of an unknown outcome. */
  isUnknown: string
  /** The condition of the same target, with its values. */
  isSame: string
  values: Readonly<Record<string, SqlValue>>
}

function waysTo(database: Database, account: Account, facts: Target): readonly [Way, Way] {
  const ofKey = 'comparable_key = $key AND account = $account AND kind = $kind'
  const key = { key: comparableTarget(facts), account: accountId(database, account), kind: facts.kind }
  return [
    {
      table: 'payment',
      id: 'id',
      indexes: { time: 'payment_key', record: 'payment_key_since', unknown: 'payment_unknown' },
      isUnknown: "state = 'unknown'",
      isSame: facts.kind === 'transfer' ? `${ofKey} AND amount_cents = $amount` : ofKey,
      values: facts.kind === 'transfer' ? { ...key, amount: facts.amountCents } : key,
    },
    {
      table: 'sent_target',
      id: 'payment',
      indexes: { time: 'sent_target_lookup', record: 'sent_target_since', unknown: 'sent_target_unknown' },
      isUnknown: 'is_unknown = 1',
      isSame: 'target = $target',
      values: { target: targetDigest(account, facts) },
    },
  ]
}

/** Earlier equal transfers, except those of the same run: a file can name one key many times. Each by the number of its first record. */
export interface EarlierTransfers {
  /** One with an unknown outcome; null if there is none. */
  unknown: number | null
  /** The newest within the window that no person accepted to pay once more; null if there is none. */
  repeat: number | null
}

/** Finds earlier transfers of the same amount to the same key. Throws DamagedValue if the two ways differ. */
export function earlierTransfers(
  database: Database,
  account: Account,
  { facts, payment, run, accepted }: PlannedPayment,
  nowMs: number,
): EarlierTransfers {
  const ways = waysTo(database, account, facts)
  // No run has an empty name.
  const values = { run: run ?? '', own: seqOf(database, payment) }
  const unknown = bothWays(
    database,
    ways,
    (way) =>
      `SELECT max(seq) AS seq FROM ${way.table} INDEXED BY ${way.indexes.unknown}
       WHERE ${way.isSame} AND ${way.isUnknown} AND seq <> $own AND ${isOfOtherRun(way)}`,
    values,
  )
  const repeats = bothWays(
    database,
    ways,
    // What a person alone says was not made is a repeat of itself, too.
    (way) =>
      `SELECT seq, ${way.id} AS id FROM ${way.table} INDEXED BY ${way.indexes[accepted.throughSeq > 0 ? 'record' : 'time']}
       WHERE ${way.isSame} AND was_sent = 1 AND sent_ms >= $sinceMs AND seq > $throughSeq
         -- Needs the index only; rows of the run itself may be many.
         AND (run IS NOT $run OR seq = $own)
         AND CASE WHEN seq = $own THEN may_have_moved = 0 ELSE ${isOfOtherRun(way)} END
       ORDER BY sent_ms DESC, seq DESC LIMIT ${accepted.ids.length + 1}`,
    { ...values, sinceMs: nowMs - REPEAT_WINDOW_MS, throughSeq: accepted.throughSeq },
  )
  const [found] = unknown
  const repeat = repeats.find((row) => !accepted.ids.includes(textOf(row, 'id')))
  return {
    unknown: found === undefined ? null : integerOrNull(found, 'seq'),
    repeat: repeat === undefined ? null : integerOf(repeat, 'seq'),
  }
}

/** A refund that was sent earlier, or that only a person says was not made. */
export interface EarlierRefund {
  seq: number
  /** UUID. */
  id: string
  amountCents: number | null
  isUnknown: boolean
  mayHaveMoved: boolean
  isWhole: boolean
  /** What it returned, or may have. */
  cents: number
  /** True if the same refund would be a repeat of it. */
  isRecent: boolean
  run: string | null
  rowId: string | null
}

/** The refunds of a payment that were sent earlier, newest first. Throws DamagedValue if the two ways differ. */
export function earlierRefunds(
  database: Database,
  account: Account,
  originalTransactionId: string,
  nowMs: number,
): EarlierRefund[] {
  const rows = bothWays(
    database,
    waysTo(database, account, { kind: 'refund', originalTransactionId }),
    (way) =>
      `SELECT seq, ${way.id} AS id, amount_cents, ${way.isUnknown} AS is_unknown, may_have_moved, moved_cents, is_whole, sent_ms, run, row_id
       FROM ${way.table} WHERE ${way.isSame} AND was_sent = 1 ORDER BY seq DESC`,
    {},
  )
  return rows.map((row) => refundOf(row, nowMs))
}

function refundOf(row: Row, nowMs: number): EarlierRefund {
  const mayHaveMoved = integerOf(row, 'may_have_moved') === 1
  const amountCents = integerOrNull(row, 'amount_cents')
  return {
    seq: integerOf(row, 'seq'),
    id: textOf(row, 'id'),
    amountCents,
    isUnknown: integerOf(row, 'is_unknown') === 1,
    mayHaveMoved,
    isWhole: integerOf(row, 'is_whole') === 1,
    cents: mayHaveMoved ? integerOf(row, 'moved_cents') : (amountCents ?? 0),
    isRecent: nowMs - integerOf(row, 'sent_ms') <= REPEAT_WINDOW_MS,
    run: textOrNull(row, 'run'),
    rowId: textOrNull(row, 'row_id'),
  }
}

/** The condition of a payment that neither this run nor its file holds: their rows are not repeats of each other. */
function isOfOtherRun({ table }: Way): string {
  return `(run IS NOT $run AND NOT EXISTS (SELECT 1 FROM run_row WHERE run_row.run = $run AND run_row.row_id = ${table}.row_id))`
}

/** The number of the first record of a payment; 0, which no record has, for none. */
function seqOf(database: Database, payment: string | null): number {
  const row = payment === null ? undefined : database.get('SELECT seq FROM payment WHERE id = ?', payment)
  return row === undefined ? 0 : integerOf(row, 'seq')
}

function bothWays(
  database: Database,
  ways: readonly [Way, Way],
  query: (way: Way) => string,
  values: Readonly<Record<string, SqlValue>>,
): Row[] {
  const [found, again] = [ways[0], ways[1]].map((way) => database.all(query(way), { ...way.values, ...values }))
  if (found === undefined || JSON.stringify(found) !== JSON.stringify(again)) {
    throw new DamagedValue('the tables payment and sent_target do not hold the same payments')
  }
  return found
}
