import { parseInstant } from '../pix/calendar.ts'
import { DamagedValue, type Database, type Row, type SqlValue } from '../storage/sqlite.ts'
import { addAccount } from './accounts.ts'
import { type AttemptSummary, amountCentsOf, derivePayment, type PaymentSummary } from './derivePayment.ts'
import { eventScope } from './eventMeaning.ts'
import type { PaymentFacts } from './facts.ts'
import type { AttemptRecord, LedgerRecord, PaymentRecord } from './records.ts'
import { comparableTarget, targetDigest } from './samePayment.ts'
import { indexPayment } from './search.ts'

/** The id that a payment was given when it was requested: request number, externalId of the attempt that counts, or id of the refunded payment. */
export function givenIdOf(facts: PaymentFacts, externalId: string | null): string {
  switch (facts.kind) {
    case 'qr':
      return facts.requestNumber
    case 'transfer':
      return externalId ?? ''
    case 'refund':
      return facts.originalTransactionId
  }
}

/**
 * Writes everything that the tables say of a payment, from all its records, oldest first: its row, those of its attempts, what the rules look
 * up, and its words in the search. `before` are the records that its rows were written from, none for a new payment; its rows are read if that is
 * not given. The only writer of these rows, for the first attempt and for every later record.
 */
export function writePayment(
  database: Database,
  records: readonly PaymentRecord[],
  before?: readonly PaymentRecord[],
): PaymentSummary {
  const summary = derivePayment(records)
  const { owner } = firstAttempt(summary)
  const account = addAccount(database, { url: owner.baseUrl, clientId: owner.clientId })
  const written = before === undefined ? undefined : before.length === 0 ? [] : rowsOf(derivePayment(before), account)
  for (const [index, { table, key, row }] of rowsOf(summary, account).entries()) {
    const found =
      written === undefined
        ? database.get(`SELECT * FROM ${table} WHERE ${key} = ?`, row[key] ?? null)
        : written[index]?.row
    if (found === undefined) insert(database, table, row)
    else update(database, table, key, found, row)
  }
  indexPayment(database, records)
  return summary
}

/** A row of a payment, by the names of its columns. */
interface PaymentTableRow {
  table: 'payment' | 'attempt' | 'sent_target'
  key: 'id' | 'seq'
  row: Readonly<Record<string, SqlValue>>
}

/** The rows of a payment, each in a place of its own. */
function rowsOf(summary: PaymentSummary, account: number): PaymentTableRow[] {
  const row = paymentColumns(summary, account)
  const target = targetColumns(row, summary)
  return [
    { table: 'payment', key: 'id', row },
    ...(target === null ? [] : [{ table: 'sent_target', key: 'seq', row: target } as const]),
    ...summary.attempts.map(
      (attempt) => ({ table: 'attempt', key: 'seq', row: attemptColumns(attempt, account) }) as const,
    ),
  ]
}

function attemptColumns({ record, outcome, idTransaction, sender }: AttemptSummary, account: number) {
  return {
    seq: record.seq,
    id: record.id,
    payment: record.payment,
    account,
    number: record.number,
    external_id: record.externalId,
    outcome,
    id_transaction: idTransaction,
    sender,
  }
}

function paymentColumns(summary: PaymentSummary, account: number) {
  const { deciding } = summary
  const first = firstAttempt(summary)
  const { facts, owner, place } = first
  return {
    seq: first.seq,
    id: first.payment,
    account,
    profile: owner.profile,
    environment: owner.environment,
    kind: facts.kind,
    name: givenIdOf(deciding.record.facts, deciding.record.externalId),
    row_id: first.rowId,
    run: place?.run ?? null,
    line: place?.line ?? null,
    reference: place?.reference ?? null,
    user: first.user,
    created_ms: parseInstant(first.at) ?? 0,
    comparable_key: comparableTarget(facts),
    amount_cents: facts.amountCents,
    is_whole: facts.kind === 'refund' && facts.isWhole ? 1 : 0,
    event_scope: eventScope(owner) ?? '',
    state: summary.state,
    may_have_moved: summary.mayHaveMoved ? 1 : 0,
    moved_cents: summary.movedCents,
    was_sent: summary.wasSent ? 1 : 0,
    counted_cents: facts.kind === 'qr' ? 0 : summary.countedCents,
    known_cents: amountCentsOf(deciding),
    sent_ms: summary.sentMs,
    first_sent_ms: summary.firstSentMs,
    status: summary.status,
    error_code: summary.errorCode,
    id_transaction: summary.idTransaction,
    attempts: summary.attempts.length,
  }
}

function firstAttempt({ attempts, deciding }: PaymentSummary): LedgerRecord<AttemptRecord> {
  return attempts[0]?.record ?? deciding.record
}

/** The row by which the rules find a payment a second time; a charge has none. */
function targetColumns(row: ReturnType<typeof paymentColumns>, summary: PaymentSummary) {
  const { facts, owner } = firstAttempt(summary)
  const target = targetDigest({ url: owner.baseUrl, clientId: owner.clientId }, facts)
  if (target === null) return null
  return {
    seq: row.seq,
    target,
    payment: row.id,
    amount_cents: row.amount_cents,
    run: row.run,
    row_id: row.row_id,
    is_unknown: summary.state === 'unknown' ? 1 : 0,
    may_have_moved: row.may_have_moved,
    moved_cents: row.moved_cents,
    was_sent: row.was_sent,
    is_whole: row.is_whole,
    sent_ms: row.sent_ms,
  }
}

function insert(database: Database, table: string, row: PaymentTableRow['row']): void {
  const columns = Object.keys(row)
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
  database.run(sql, ...Object.values(row))
}

/** Only columns that differ are written: SQLite writes all indexes of the columns that a statement names again. */
function update(database: Database, table: string, key: string, found: Row, row: PaymentTableRow['row']): void {
  const columns = Object.keys(row).filter((column) => found[column] !== row[column])
  if (columns.length === 0) return
  const sql = `UPDATE ${table} SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE ${key} = ?`
  const changed = database.run(sql, ...[...columns, key].map((column) => row[column] ?? null))
  if (changed !== 1) throw new DamagedValue(`a row of ${table} was not written`)
}
