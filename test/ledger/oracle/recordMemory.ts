import type { LedgerRecord, QueryRecord } from '../../../src/ledger/records.ts'
import { type Database, integerOf, integerOrNull, type Row, textOf, textOrNull } from '../../../src/storage/sqlite.ts'
import type { OracleProblem } from './ledgerAudit.ts'
import { PayeeSeats } from './payeeSeats.ts'
import type { ExpectedRow } from './paymentRows.ts'
import { forwardOk } from './recordRows.ts'
import { RuleSeats } from './ruleSeats.ts'
import { plainAddress, plainId } from './spelling.ts'

const MEMORY_TABLES = `
CREATE TABLE audit_queried (
  base_url TEXT, client_id TEXT, plain TEXT, id TEXT, seq INTEGER, status TEXT, amount_cents INTEGER, paid_at_ms INTEGER,
  PRIMARY KEY (base_url, client_id, plain)
) WITHOUT ROWID;
CREATE TABLE audit_payment (id TEXT PRIMARY KEY, environment TEXT) WITHOUT ROWID;
CREATE TABLE audit_step (seq INTEGER PRIMARY KEY, environment TEXT, at_ms INTEGER);
CREATE TABLE audit_forward (n INTEGER PRIMARY KEY, is_ok INTEGER);
`

/** A moment at which the gateway confirmed that the clock is behind. */
interface ClockStep {
  seq: number
  atMs: number
}

/** The clock of an environment: its newest time, and the steps that no later one made void; both numbers of these rise. */
interface Clock {
  atMs: number
  readonly steps: ClockStep[]
}

/** What an audit must remember of all records: what later ones say of earlier things. It grows on the disk, not in the memory. */
export class RecordMemory {
  readonly #own: Database
  readonly rules = new RuleSeats()
  readonly payees = new PayeeSeats()
  /** How many rows each table must have. */
  readonly counts = {
    payment: 0,
    attempt: 0,
    sent_target: 0,
    queried: 0,
    clock_step: 0,
    clock: 0,
    event: 0,
    forward: 0,
    run: 0,
    profile_change: 0,
    account_rule: 0,
    rule_approval: 0,
    plan_step: 0,
    planned_attempt: 0,
    payee: 0,
  }
  /** The record that stopped the ledger or ended a stop last; null if there is none. */
  #lastStop: number | null = null
  /** By environment. */
  readonly #clocks = new Map<string, Clock>()

  constructor(own: Database) {
    this.#own = own
    own.exec(MEMORY_TABLES)
  }

  /** Takes the next record. */
  add(record: LedgerRecord): void {
    this.#addTime(record)
    switch (record.type) {
      case 'attempt':
        this.counts.attempt += 1
        if (record.plan !== undefined) this.counts.planned_attempt += 1
        if (record.number !== 1) return
        this.counts.payment += 1
        this.#own.run('INSERT INTO audit_payment VALUES (?, ?)', record.payment, record.owner.environment)
        if (record.facts.kind !== 'qr') this.counts.sent_target += 1
        return
      case 'event':
        this.counts.event += 1
        return
      case 'run':
        this.counts.run += 1
        return
      case 'profile-change':
        this.counts.profile_change += 1
        return
      case 'account-rule':
        this.rules.add(record)
        this.counts.profile_change += 1
        this.counts.rule_approval = this.rules.claims
        return
      case 'approver-revocation':
        this.rules.add(record)
        this.counts.profile_change += 1
        return
      case 'plan':
      case 'plan-text':
      case 'plan-approval':
      case 'plan-rejection':
        this.counts.plan_step += 1
        return
      case 'payee':
        this.counts.payee += 1
        this.payees.add(record)
        return
      case 'forward':
        this.counts.forward += 1
        this.#own.run('INSERT OR REPLACE INTO audit_forward (n, is_ok) VALUES (?, ?)', record.n, forwardOk(record))
        return
      case 'ledger-stopped':
      case 'ledger-resumed':
        this.#lastStop = record.seq
        return
      case 'query':
        this.#addQuery(record)
        return
      case 'resend':
        if (record.plan !== undefined) this.counts.planned_attempt += 1
        return
      case 'answer':
      case 'finding':
      case 'run-rows':
      case 'clock':
      case 'accepted-older':
      case 'machine-heard':
      case 'set-aside':
      case 'machine-gone':
      case 'superseded':
        return
      default:
        record satisfies never
    }
  }

  /**
   * A record as it counts now: a request counts as made no earlier than the newest time before it, and no later than a clock that the gateway
   * confirmed after it.
   */
  atItsTime<Each extends LedgerRecord>(record: Each): Each {
    const madeMs = Math.max(Date.parse(record.at), floorMs(record))
    const environment = this.#requestEnvironment(record)
    const step = environment === null ? undefined : this.#stepAfter(environment, record.seq)
    return { ...record, madeMs: Math.min(madeMs, step?.atMs ?? madeMs) }
  }

  /** The rows that say which of these records confirmed a clock that was behind. */
  clockSteps(range: { from: number; to: number }): (ExpectedRow & { seq: number })[] {
    return this.#own.all('SELECT * FROM audit_step WHERE seq > $from AND seq <= $to', range).map((row) => ({
      seq: integerOf(row, 'seq'),
      environment: textOf(row, 'environment'),
      at_ms: integerOf(row, 'at_ms'),
    }))
  }

  /** The rows that tell the newest time of each environment. */
  clockRows(): ExpectedRow[] {
    return [...this.#clocks].map(([environment, { atMs }]) => ({ environment, at_ms: atMs }))
  }

  /** What is wrong with the note of the record that stopped the ledger or ended a stop last. */
  stopProblems(database: Database): OracleProblem[] {
    const row = database.get("SELECT value FROM meta WHERE name = 'stop'")
    const noted = row === undefined ? null : Number(textOf(row, 'value'))
    return noted === this.#lastStop
      ? []
      : [{ is: 'different-row', table: 'meta', columns: ['value'], seq: this.#lastStop }]
  }

  /** Whether the last forward of an event succeeded, as the table says it; null if there was none. */
  lastForwardOk(n: number): number | null {
    const row = this.#own.get('SELECT is_ok FROM audit_forward WHERE n = ?', n)
    return row === undefined ? null : integerOf(row, 'is_ok')
  }

  /** What the gateway said of an original, all records together. */
  queried({ owner, idTransaction }: QueryRecord, account: number | null): ExpectedRow {
    const row = this.#queried(owner.baseUrl, owner.clientId, idTransaction)
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

  /** Time is judged by transfers and refunds that are about to be sent, and by a comparison with the gateway's clock. */
  #addTime(record: LedgerRecord): void {
    const environment = this.#clockedEnvironment(record)
    if (environment === null) return
    const atMs = Math.max(Date.parse(record.at), floorMs(record))
    const clock = this.#clocks.get(environment) ?? { atMs, steps: [] }
    if (atMs < clock.atMs) {
      // The time of a request says nothing against a later one; the gateway's does.
      if (record.type !== 'clock') return
      this.counts.clock_step += 1
      this.#own.run('INSERT INTO audit_step VALUES (?, ?, ?)', record.seq, environment, atMs)
      while ((clock.steps.at(-1)?.atMs ?? -Infinity) >= atMs) clock.steps.pop()
      clock.steps.push({ seq: record.seq, atMs })
    }
    if (!this.#clocks.has(environment)) this.counts.clock += 1
    this.#clocks.set(environment, { ...clock, atMs })
  }

  #clockedEnvironment(record: LedgerRecord): string | null {
    if (record.type === 'clock') return record.environment
    return record.type === 'attempt' && record.facts.kind === 'qr' ? null : this.#requestEnvironment(record)
  }

  /** The environment of a request that is about to be sent; null for any other record. */
  #requestEnvironment(record: LedgerRecord): string | null {
    if (record.type === 'attempt') return record.owner.environment
    return record.type === 'resend' ? this.#environmentOf(record.payment) : null
  }

  #environmentOf(payment: string): string {
    const row = this.#own.get('SELECT environment FROM audit_payment WHERE id = ?', payment)
    return row === undefined ? '' : textOf(row, 'environment')
  }

  /** The first step after a record that still counts. */
  #stepAfter(environment: string, seq: number): ClockStep | undefined {
    const steps = this.#clocks.get(environment)?.steps ?? []
    let from = 0
    let to = steps.length
    while (from < to) {
      const middle = (from + to) >> 1
      if ((steps[middle]?.seq ?? 0) > seq) to = middle
      else from = middle + 1
    }
    return steps[from]
  }

  #queried(baseUrl: string, clientId: string, id: string): Row | undefined {
    const where = 'WHERE base_url = ? AND client_id = ? AND plain = ?'
    return this.#own.get(`SELECT * FROM audit_queried ${where}`, plainAddress(baseUrl), clientId, plainId(id))
  }

  #addQuery({ seq, owner, idTransaction, status, amountCents, paidAtMs }: LedgerRecord<QueryRecord>): void {
    const before = this.#queried(owner.baseUrl, owner.clientId, idTransaction)
    if (before === undefined) this.counts.queried += 1
    this.#own.run(
      'INSERT OR REPLACE INTO audit_queried VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
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

/** The newest time that was in the ledger before a request that was recorded while the clock was behind; none for any other record. */
function floorMs(record: LedgerRecord): number {
  const floor = record.type === 'attempt' || record.type === 'resend' ? record.notBefore : undefined
  return floor === undefined ? Number.NEGATIVE_INFINITY : Date.parse(floor)
}
