import { parseInstant } from '../pix/calendar.ts'
import { DamagedValue, type Database, type SqlValue } from '../storage/sqlite.ts'
import { addAccount } from './accounts.ts'
import { amountCentsOf, derivePayment, type PaymentSummary } from './derivePayment.ts'
import { eventScope } from './eventMeaning.ts'
import type { AttemptRecord, LedgerRecord, PaymentFacts, PaymentRecord } from './records.ts'
import { comparableTarget, targetDigest } from './sameTarget.ts'
import { indexPayment } from './search.ts'

/** The name by which people know a payment: request number, externalId of the attempt that counts, or id of the refunded payment. */
export function paymentName(facts: PaymentFacts, externalId: string | null): string {
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
 * up, and its words in the search. `isNew` if it has no rows yet. The only writer of these rows, for the first attempt and for every later record.
 */
export function writePayment(database: Database, records: readonly PaymentRecord[], isNew = false): PaymentSummary {
  const summary = derivePayment(records)
  const row = paymentColumns(database, summary)
  upsert(database, { table: 'payment', key: 'id', isNew }, row)
  for (const { record, outcome, idTransaction, sender } of summary.attempts) {
    upsert(
      database,
      { table: 'attempt', key: 'seq', isNew },
      {
        seq: record.seq,
        id: record.id,
        payment: record.payment,
        account: row.account,
        number: record.number,
        external_id: record.externalId,
        outcome,
        id_transaction: idTransaction,
        sender,
      },
    )
  }
  writeTarget(database, row, summary, isNew)
  indexPayment(database, records)
  return summary
}

function paymentColumns(database: Database, summary: PaymentSummary) {
  const { deciding } = summary
  const first = firstAttempt(summary)
  const { facts, owner, place } = first
  return {
    seq: first.seq,
    id: first.payment,
    account: addAccount(database, { url: owner.baseUrl, clientId: owner.clientId }),
    profile: owner.profile,
    environment: owner.environment,
    kind: facts.kind,
    name: paymentName(deciding.record.facts, deciding.record.externalId),
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

/** Writes the row by which the rules find a payment a second time; a charge has none. */
function writeTarget(
  database: Database,
  row: ReturnType<typeof paymentColumns>,
  summary: PaymentSummary,
  isNew: boolean,
): void {
  const { facts, owner } = firstAttempt(summary)
  const target = targetDigest({ url: owner.baseUrl, clientId: owner.clientId }, facts)
  if (target === null) return
  upsert(
    database,
    { table: 'sent_target', key: 'seq', isNew },
    {
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
    },
  )
}

/**
 * Writes a row by the names of its columns, in place of the one with the same key. Only columns that differ are written: SQLite writes all indexes
 * of the columns that a statement names again.
 */
function upsert(
  database: Database,
  { table, key, isNew }: { table: string; key: string; isNew: boolean },
  row: Readonly<Record<string, SqlValue>>,
): void {
  const found = isNew ? undefined : database.get(`SELECT * FROM ${table} WHERE ${key} = ?`, row[key] ?? null)
  if (found === undefined) {
    const columns = Object.keys(row)
    const values = columns.map((column) => `$${column}`)
    database.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})`, row)
    return
  }
  const columns = Object.keys(row).filter((column) => found[column] !== row[column])
  if (columns.length === 0) return
  const changes = columns.map((column) => `${column} = $${column}`)
  const values = Object.fromEntries([...columns, key].map((column) => [column, row[column] ?? null]))
  const changed = database.run(`UPDATE ${table} SET ${changes.join(', ')} WHERE ${key} = $${key}`, values)
  if (changed !== 1) throw new DamagedValue(`a row of ${table} was not written`)
}
