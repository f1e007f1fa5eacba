import { type Database, integerOf, integerOrNull, type Row, textOf, textOrNull } from '../../storage/sqlite.ts'
import type { LedgerRecord, OriginalRecord } from '../records.ts'
import type { ExpectedRow } from './paymentRows.ts'
import { forwardOk } from './recordRows.ts'
import { plainAddress, plainId } from './spelling.ts'

const MEMORY_TABLES = `
CREATE TABLE audit_original (
  base_url TEXT, client_id TEXT, plain TEXT, id TEXT, seq INTEGER, status TEXT, amount_cents INTEGER, paid_at_ms INTEGER,
  PRIMARY KEY (base_url, client_id, plain)
) WITHOUT ROWID;
CREATE TABLE audit_forward (n INTEGER PRIMARY KEY, is_ok INTEGER);
`

/** A moment at which the clock went back. */
interface ClockStep {
  seq: number
  atMs: number
}

/** What an audit must remember of all records: what later ones say of earlier things. It grows on the disk, not in the memory. */
export class RecordMemory {
  readonly #own: Database
  /** How many rows each table must have. */
  readonly counts = { payment: 0, attempt: 0, sent_target: 0, original: 0, clock_step: 0, event: 0, forward: 0, run: 0 }
  /** The steps that no later one made void; both numbers rise. */
  readonly #steps: ClockStep[] = []
  #clockMs: number | null = null

  constructor(own: Database) {
    this.#own = own
    own.exec(MEMORY_TABLES)
  }

  /** Takes the next record. */
  add(record: LedgerRecord): void {
    if (record.type !== 'event' && record.type !== 'forward') this.#addTime(record)
    switch (record.type) {
      case 'attempt':
        this.counts.attempt += 1
        if (record.number !== 1) return
        this.counts.payment += 1
        if (record.facts.kind !== 'qr') this.counts.sent_target += 1
        return
      case 'event':
        this.counts.event += 1
        return
      case 'run':
        this.counts.run += 1
        return
      case 'forward':
        this.counts.forward += 1
        this.#own.run('INSERT OR REPLACE INTO audit_forward (n, is_ok) VALUES (?, ?)', record.n, forwardOk(record))
        return
      case 'original':
        this.#addOriginal(record)
    }
  }

  /** A record as it counts now: what was recorded with a time that the clock had not reached yet counts as made when it went back. */
  atItsTime<Each extends LedgerRecord>(record: Each): Each {
    const madeMs = Date.parse(record.at)
    if (record.type === 'event' || record.type === 'forward') return { ...record, madeMs }
    return { ...record, madeMs: Math.min(madeMs, this.#stepAfter(record.seq)?.atMs ?? madeMs) }
  }

  /** Whether the last forward of an event succeeded, as the table says it; null if there was none. */
  lastForwardOk(n: number): number | null {
    const row = this.#own.get('SELECT is_ok FROM audit_forward WHERE n = ?', n)
    return row === undefined ? null : integerOf(row, 'is_ok')
  }

  /** What the gateway said of an original, all records together. */
  original({ owner, idTransaction }: OriginalRecord, account: number | null): ExpectedRow {
    const row = this.#original(owner.baseUrl, owner.clientId, idTransaction)
    if (row === undefined) throw new Error('a record of an original was not taken')
    return {
      account,
      id: textOf(row, 'id'),
      seq: integerOf(row, 'seq'),
      status: textOrNull(row, 'status'),
      amount_cents: integerOrNull(row, 'amount_cents'),
      paid_at_ms: integerOrNull(row, 'paid_at_ms'),
    }
  }

  #addTime({ seq, at }: LedgerRecord): void {
    const atMs = Date.parse(at)
    if (this.#clockMs !== null && atMs < this.#clockMs) {
      this.counts.clock_step += 1
      while ((this.#steps.at(-1)?.atMs ?? -Infinity) >= atMs) this.#steps.pop()
      this.#steps.push({ seq, atMs })
    }
    this.#clockMs = atMs
  }

  /** The first step after a record that still counts. */
  #stepAfter(seq: number): ClockStep | undefined {
    let from = 0
    let to = this.#steps.length
    while (from < to) {
      const middle = (from + to) >> 1
      if ((this.#steps[middle]?.seq ?? 0) > seq) to = middle
      else from = middle + 1
    }
    return this.#steps[from]
  }

  #original(baseUrl: string, clientId: string, id: string): Row | undefined {
    const where = 'WHERE base_url = ? AND client_id = ? AND plain = ?'
    return this.#own.get(`SELECT * FROM audit_original ${where}`, plainAddress(baseUrl), clientId, plainId(id))
  }

  #addOriginal({ seq, owner, idTransaction, status, amountCents, paidAtMs }: LedgerRecord<OriginalRecord>): void {
    const before = this.#original(owner.baseUrl, owner.clientId, idTransaction)
    if (before === undefined) this.counts.original += 1
    this.#own.run(
      'INSERT OR REPLACE INTO audit_original VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      plainAddress(owner.baseUrl),
      owner.clientId,
      plainId(idTransaction),
      before === undefined ? idTransaction : textOf(before, 'id'),
      seq,
      status,
      // An answer that does not say an amount or a time takes nothing back.
      amountCents ?? (before === undefined ? null : integerOrNull(before, 'amount_cents')),
      paidAtMs ?? (before === undefined ? null : integerOrNull(before, 'paid_at_ms')),
    )
  }
}
