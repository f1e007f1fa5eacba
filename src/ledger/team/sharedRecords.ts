import { integerOf, type Row, textOf } from '../../storage/sqlite.ts'
import { type StoredRecord, storedRecord } from '../chain.ts'
import { sqlInteger, sqlText } from './sqlText.ts'

/** A record that continues the chain; `digest` is its `chainDigest`. */
export type NewRecord = StoredRecord & { digest: string }

/** A record as the server holds it. */
export interface SharedRecord extends NewRecord {
  /** The login that stored it, and when, by the server's clock, in ms: both are the server's word, not the writer's. */
  storedBy: string
  storedAtMs: number
  /** True if the server had no later one when it was read. */
  isNewest: boolean
}

const STORED_AT_MS = 'floor(extract(epoch FROM stored_at) * 1000)::double precision AS stored_at_ms'

/** How much one answer holds, in bytes: a slow connection must get to its end, and then goes on from there. */
const PAGE_BYTES = 1024 * 1024

/**
 * The statement that reads records after a number, in their order: at least two if there are so many, because whoever asks knows the first, and no more
 * than `limit` or than fit into a page, which the rows of a large file fill soon.
 */
export function recordsAfterSql(seq: number, limit: number): string {
  return `SELECT seq::double precision, id, at, "user", machine, type, payment, content, digest, stored_by, ${STORED_AT_MS},
      seq = (SELECT max(seq) FROM pixgate.record) AS is_newest
    FROM (
      SELECT *, sum(octet_length(content)) OVER (ORDER BY seq) - octet_length(content) AS bytes_before
      FROM (SELECT * FROM pixgate.record WHERE seq > ${sqlInteger(seq)} ORDER BY seq LIMIT ${sqlInteger(limit)}) AS following
    ) AS record WHERE bytes_before < ${PAGE_BYTES} OR seq <= ${sqlInteger(seq)} + 2 ORDER BY seq`
}

const RECORDS_SQL = `SELECT seq::double precision, id, at, "user", machine, type, payment, content, digest, stored_by, ${STORED_AT_MS}, false AS is_newest
    FROM pixgate.record`

/** The statement that reads the last record. */
export const LAST_RECORD_SQL = `${RECORDS_SQL} ORDER BY seq DESC LIMIT 1`

/** The statement that reads the record that stopped the ledger or ended a stop last. */
export const LAST_STOP_SQL = `${RECORDS_SQL} WHERE type IN ('ledger-stopped', 'ledger-resumed') ORDER BY seq DESC LIMIT 1`

/** The statement that reads the records with these ids. */
export function recordsWithIdsSql(ids: readonly string[]): string {
  return `${RECORDS_SQL} WHERE id IN (${ids.map(sqlText).join(', ')})`
}

/** The statement that gives the number of the last record, 0 if there is none. */
export const LAST_SEQ_SQL = 'SELECT coalesce(max(seq), 0)::double precision AS last FROM pixgate.record'

/** Reads a row of {@link recordsAfterSql}. The digest is not checked. */
export function readSharedRecord(row: Row): SharedRecord {
  // Not spread: a first copy reads a million.
  return Object.assign(storedRecord(row), {
    digest: textOf(row, 'digest'),
    storedBy: textOf(row, 'stored_by'),
    storedAtMs: storedAtMs(row),
    isNewest: row.is_newest === true,
  })
}

/** The statement that adds records, at least one, in their order; it gives a row with the time of each. */
export function insertRecordsSql(records: readonly NewRecord[]): string {
  return `INSERT INTO pixgate.record (seq, id, at, "user", machine, type, payment, content, digest)
    VALUES ${records.map(valuesOf).join(', ')} RETURNING ${STORED_AT_MS}`
}

function valuesOf({ seq, id, at, user, machine, type, payment, content, digest }: NewRecord): string {
  const texts = [id, at, user, machine, type, payment, content, digest].map(sqlText)
  return `(${sqlInteger(seq)}, ${texts.join(', ')})`
}

/** When the server stored a record, in ms. */
export function storedAtMs(row: Row): number {
  return integerOf(row, 'stored_at_ms')
}
