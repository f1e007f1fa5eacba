import { isDeepStrictEqual } from 'node:util'
import { chainEnd, parseRecord, storedRecord } from '../../../src/ledger/chain.ts'
import type { AttemptRecord, EventRecord, LedgerRecord, PaymentRecord } from '../../../src/ledger/records.ts'
import {
  type Database,
  integerOf,
  type OpenDatabase,
  type Row,
  textOf,
  textOrNull,
} from '../../../src/storage/sqlite.ts'
import { AccountNumbers } from './accountNumbers.ts'
import { isNamedByOther, isSoundLink } from './eventLinks.ts'
import { type ExpectedRow, paymentRows } from './paymentRows.ts'
import { paymentWords } from './paymentWords.ts'
import { RecordMemory } from './recordMemory.ts'
import { eventRow, planStepRow, profileChangeRow, runRow } from './recordRows.ts'
import { differentColumns, groupedBy } from './rowGroups.ts'
import { isClaim } from './ruleSeats.ts'
import { plainId, scopeOf } from './spelling.ts'
import { WordAudit } from './wordAudit.ts'

/** What the oracle finds. `seq` is null for a row that comes from several records. */
export type OracleProblem =
  | { is: 'missing-row'; table: string; seq: number | null }
  | { is: 'different-row'; table: string; columns: readonly string[]; seq: number | null }
  | { is: 'row-count'; table: string; rows: number; expected: number }
  | { is: 'wrong-payment-of-event'; n: number }
  | { is: 'unknown-payment-of-event'; payment: string }
  | { is: 'different-search' }

const PAGE_RECORDS = 500
const LISTED_MAX = 20

/** The columns that no record says: what a batch's file looked like, who works on it, what was verified, and the payment of an event, which has its own checks. */
const NOT_RECORDED: Readonly<Record<string, readonly string[]>> = {
  run: ['columns', 'fields', 'worker'],
  rule_approval: ['is_valid'],
  plan_step: ['is_judged'],
  event: ['payment', 'is_verified'],
  payment: ['is_verified'],
}

/** The records of payments, given as a JSON array of their ids, with the events that are linked to them. */
const HISTORIES = `SELECT record.*, chosen.value AS of FROM json_each($ids) chosen CROSS JOIN record ON record.payment = chosen.value
  UNION ALL
  SELECT record.*, chosen.value AS of FROM json_each($ids) chosen CROSS JOIN event ON event.payment = chosen.value
    CROSS JOIN record ON record.seq = event.seq
  ORDER BY seq`
const PAYMENTS = 'SELECT payment.* FROM json_each(?) chosen CROSS JOIN payment ON payment.id = chosen.value'
const ATTEMPTS = `SELECT attempt.* FROM json_each(?) chosen CROSS JOIN attempt ON attempt.payment = chosen.value ORDER BY attempt.seq`
const TARGETS = `SELECT sent_target.* FROM json_each(?) chosen CROSS JOIN payment ON payment.id = chosen.value
  CROSS JOIN sent_target ON sent_target.seq = payment.seq`
const PAGE = `SELECT seq, payment FROM record WHERE seq > $from ORDER BY seq LIMIT ${PAGE_RECORDS}`
/** The payments of the events among these records that are not checked with a first record: it came long before, or does not exist. */
const LINKED = `SELECT DISTINCT payment FROM event WHERE seq > $from AND seq <= $to AND payment IS NOT NULL
  AND (seq > $known OR NOT EXISTS (SELECT 1 FROM record WHERE record.payment = event.payment))`
/** The refunds of these payments, and of the ones that the events without a payment among these records are about. */
const REFUNDS = `SELECT refund.id FROM json_each($ids) chosen CROSS JOIN attempt ON attempt.payment = chosen.value
  CROSS JOIN payment refund ON refund.comparable_key = lower(attempt.id_transaction) AND refund.kind = 'refund'
  UNION SELECT refund.id FROM event CROSS JOIN payment refund
    ON refund.comparable_key = lower(event.id_transaction) AND refund.kind = 'refund'
  WHERE event.seq > $from AND event.seq <= $to AND event.payment IS NULL`
/** The records of no payment among them. */
const OTHERS = 'SELECT * FROM record WHERE seq > $from AND seq <= $to AND payment IS NULL ORDER BY seq'

/**
 * Compares every row of the tables that are built from records, and the words of the search, with what the records say by a second
 * derivation, which shares no code with the one that writes the tables: a fault there cannot hide itself. It has steps, between which others
 * can write: all records go to `take` in their order; then `checkRows` and `checkWords` are called until they return false, and `checkCounts`.
 * Before each call all records that the database holds must have been taken, and before `checkWords` and `checkCounts` their rows checked.
 */
class LedgerAudit {
  /** At most 20 are listed. */
  readonly problems: OracleProblem[] = []
  readonly #memory: RecordMemory
  readonly #words: WordAudit
  readonly #accounts = new AccountNumbers()
  #checkedSeq = 0
  /** The last record when the first rows were checked. */
  #knownSeq: number | undefined

  /** `own` is a database for what the audit must remember, in which tables whose names begin with `audit_` are its own. */
  constructor(own: Database) {
    this.#memory = new RecordMemory(own)
    this.#words = new WordAudit(own)
  }

  /** The number of the last record whose rows were checked. */
  get checkedSeq(): number {
    return this.#checkedSeq
  }

  /** Takes the next record. */
  take(record: LedgerRecord): void {
    this.#memory.add(record)
  }

  /** Checks the rows that up to 500 further records speak of. False after the last record, and if too much is wrong. */
  checkRows(database: Database): boolean {
    const from = this.#checkedSeq
    this.#knownSeq ??= chainEnd(database).seq
    const known = this.#knownSeq
    const page = database.all(PAGE, { from })
    const last = page.at(-1)
    if (last === undefined || this.problems.length >= LISTED_MAX) return false
    const range = { from, to: integerOf(last, 'seq') }
    this.#checkedSeq = range.to
    const named = page.flatMap((row) => textOrNull(row, 'payment') ?? [])
    const linked = database.all(LINKED, { ...range, known }).map((row) => textOf(row, 'payment'))
    const payments = new Set([...named, ...linked])
    // With all its records, when its first comes; one that gets further records while others are checked is checked again when they come.
    this.#checkPayments(database, payments, range.to > known ? 0 : from)
    if (range.to > known) this.#enterRefundsOf(database, payments, range)
    for (const step of this.#memory.clockSteps(range))
      this.#compare('clock_step', database.get('SELECT * FROM clock_step WHERE seq = ?', step.seq), step)
    for (const row of database.all(OTHERS, range)) this.#checkRecord(database, parseRecord(storedRecord(row)))
    return true
  }

  /** Compares up to 5,000 further words. False after the last, and if one differs. */
  checkWords(database: Database): boolean {
    const result = this.#words.compare(database)
    if (result === null) this.#report({ is: 'different-search' })
    return result === true
  }

  /** Compares how many rows the tables have; to be called last. */
  checkCounts(database: Database): void {
    for (const expected of this.#memory.clockRows()) {
      const row = database.get('SELECT * FROM clock WHERE environment = ?', String(expected.environment))
      this.#compare('clock', row, expected)
    }
    for (const problem of this.#memory.stopProblems(database)) this.#report(problem)
    const counts = { ...this.#memory.counts, account_rule: this.#memory.rules.count(database) }
    for (const [table, expected] of Object.entries(counts)) {
      const condition = table === 'run' ? "WHERE state = 'accepted'" : ''
      const row = database.get(`SELECT count(*) AS rows FROM ${table} ${condition}`)
      const rows = row === undefined ? 0 : integerOf(row, 'rows')
      if (rows !== expected) this.#report({ is: 'row-count', table, rows, expected })
    }
  }

  /** Checks those of the payments of which no record came before `from`, each with all records that there are by now. */
  #checkPayments(database: Database, payments: ReadonlySet<string>, from: number): void {
    const ids = JSON.stringify([...payments])
    const histories = groupedBy(database.all(HISTORIES, { ids }), (row) => textOf(row, 'of'))
    const rows = new Map(database.all(PAYMENTS, ids).map((row) => [textOf(row, 'id'), row]))
    const attempts = groupedBy(database.all(ATTEMPTS, ids), (row) => textOf(row, 'payment'))
    const targets = new Map(database.all(TARGETS, ids).map((row) => [textOf(row, 'payment'), row]))
    for (const [id, history] of histories) {
      const own = history.find((row) => row.payment === id)
      if (own !== undefined && integerOf(own, 'seq') <= from) continue
      const story = history.map((row) => this.#memory.atItsTime(parseRecord(storedRecord(row)))).filter(isOfPayment)
      const first = story.find((record) => record.type === 'attempt')
      const expected = first === undefined ? null : paymentRows(story, this.#accounts.of(database, first.owner))
      if (first === undefined || expected === null) {
        this.#report({ is: 'unknown-payment-of-event', payment: id })
        continue
      }
      this.#compare('payment', rows.get(id), expected.payment)
      const found = attempts.get(id) ?? []
      for (const [index, row] of expected.attempts.entries()) this.#compare('attempt', found[index], row)
      if (expected.target !== null) this.#compare('sent_target', targets.get(id), expected.target)
      this.#enterWords(database, first, story)
      for (const event of story) if (event.type === 'event') this.#checkLink(event, isSoundLink(database, event, story))
    }
  }

  /** Refunds were entered with what was known of their originals before others wrote more. */
  #enterRefundsOf(database: Database, payments: ReadonlySet<string>, range: { from: number; to: number }): void {
    const ids = JSON.stringify([...payments])
    for (const row of database.all(REFUNDS, { ids, ...range })) {
      const refund = historyOf(database, textOf(row, 'id'))
      const first = refund.find((record) => record.type === 'attempt')
      if (first === undefined) continue
      this.#enterWords(database, first, refund)
    }
  }

  #enterWords(database: Database, first: LedgerRecord<AttemptRecord>, records: readonly PaymentRecord[]): void {
    const original = originalOf(database, first, this.#accounts.of(database, first.owner))
    this.#words.enter(first.seq, paymentWords(records, cellsOf(database, first), original))
  }

  #checkRecord(database: Database, record: LedgerRecord): void {
    switch (record.type) {
      case 'event': {
        const row = database.get('SELECT * FROM event WHERE seq = ?', record.seq)
        this.#compare('event', row, eventRow(record, this.#memory.lastForwardOk(record.n)))
        if (row?.payment === null) this.#checkLink(record, !isNamedByOther(database, record, null))
        return
      }
      case 'forward': {
        const { seq, n } = record
        this.#compare('forward', database.get('SELECT * FROM forward WHERE seq = ?', seq), { seq, n })
        return
      }
      case 'run': {
        const row = database.get('SELECT * FROM run WHERE name = ?', record.run)
        this.#compare('run', row, runRow(record, this.#accounts.of(database, record.owner)))
        return
      }
      case 'query': {
        const account = this.#accounts.of(database, record.owner)
        const row = database.get('SELECT * FROM queried WHERE account = ? AND id = ?', account, record.idTransaction)
        this.#compare('queried', row, this.#memory.queried(record, account))
        return
      }
      case 'profile-change': {
        const row = database.get('SELECT * FROM profile_change WHERE seq = ?', record.seq)
        this.#compare('profile_change', row, profileChangeRow(record, this.#accounts.of(database, record.owner)))
        return
      }
      case 'payee': {
        const row = database.get('SELECT * FROM payee WHERE seq = ?', record.seq)
        this.#compare('payee', row, this.#memory.payees.row(record, this.#accounts.of(database, record.owner)))
        return
      }
      case 'account-rule': {
        const account = this.#accounts.of(database, record.owner)
        const change = database.get('SELECT * FROM profile_change WHERE seq = ?', record.seq)
        this.#compare('profile_change', change, profileChangeRow(record, account))
        if (isClaim(record) && record.firstBy === undefined) {
          const approval = database.get('SELECT * FROM rule_approval WHERE seq = ?', record.seq)
          this.#compare('rule_approval', approval, { seq: record.seq, account })
        }
        const expected = this.#memory.rules.row(database, record, account)
        if (expected === undefined) return
        const first = 'SELECT * FROM account_rule WHERE account = ? AND rule = ? ORDER BY seq LIMIT 1'
        this.#compare('account_rule', database.get(first, account, record.rule), expected)
        return
      }
      case 'approver-revocation': {
        const account = this.#accounts.of(database, record.owner)
        const change = database.get('SELECT * FROM profile_change WHERE seq = ?', record.seq)
        this.#compare('profile_change', change, profileChangeRow(record, account))
        if (!this.#memory.rules.isRevoking(database, record)) return
        const row = database.get('SELECT * FROM account_rule WHERE seq = ?', record.seq)
        this.#compare('account_rule', row, { account, rule: 'approvers', seq: record.seq })
        return
      }
      case 'plan':
      case 'plan-text':
      case 'plan-approval':
      case 'plan-rejection': {
        const row = database.get('SELECT * FROM plan_step WHERE seq = ?', record.seq)
        this.#compare('plan_step', row, planStepRow(record, this.#accounts.of(database, record.owner)))
      }
    }
  }

  #checkLink({ n }: LedgerRecord<EventRecord>, isSound: boolean): void {
    if (!isSound) this.#report({ is: 'wrong-payment-of-event', n })
  }

  /** Compares all columns that a row has or must have. */
  #compare(table: string, row: Row | undefined, expected: ExpectedRow): void {
    const seq = typeof expected.seq === 'number' ? expected.seq : null
    if (row === undefined) {
      this.#report({ is: 'missing-row', table, seq })
      return
    }
    const unknown = NOT_RECORDED[table] ?? []
    const different = differentColumns(row, expected).filter((column) => !unknown.includes(column))
    if (different.length > 0) this.#report({ is: 'different-row', table, columns: different, seq })
  }

  #report(problem: OracleProblem): void {
    const isKnown = this.problems.some((each) => isDeepStrictEqual(each, problem))
    if (this.problems.length < LISTED_MAX && !isKnown) this.problems.push(problem)
  }
}

/** Everything in which the tables of a ledger differ from what the oracle works out from its records; none if both agree. */
export function oracleProblems(database: Database, open: OpenDatabase): readonly OracleProblem[] {
  const own = open(':memory:')
  try {
    const audit = new LedgerAudit(own)
    for (const row of database.each('SELECT * FROM record ORDER BY seq')) audit.take(parseRecord(storedRecord(row)))
    while (audit.checkRows(database));
    while (audit.checkWords(database));
    audit.checkCounts(database)
    return audit.problems
  } finally {
    own.close()
  }
}

function isOfPayment(record: LedgerRecord): record is PaymentRecord {
  return 'payment' in record || record.type === 'event'
}

/** The cells of a payment's row in a batch; none if it has no row. */
function cellsOf(database: Database, { place }: LedgerRecord<AttemptRecord>): string[] {
  if (place === null) return []
  const row = database.get('SELECT cells FROM run_row WHERE run = ? AND line = ?', place.run, place.line)
  const cells: unknown = row === undefined ? [] : JSON.parse(textOf(row, 'cells'))
  return Array.isArray(cells) ? cells.map(String) : []
}

/** The records of a payment, and the events that are linked to it. */
function historyOf(database: Database, payment: string): PaymentRecord[] {
  const rows = database.all(HISTORIES, { ids: JSON.stringify([payment]) })
  return rows.map((row) => parseRecord(storedRecord(row))).filter(isOfPayment)
}

/** What the ledger knows of the payment that a refund returns: the records of the newest charge with this id, else the events that name it. */
function originalOf(
  database: Database,
  { facts, owner }: LedgerRecord<AttemptRecord>,
  account: number | null,
): PaymentRecord[] {
  if (facts.kind !== 'refund') return []
  const id = plainId(facts.originalTransactionId)
  const charge = database.get(
    `SELECT max(attempt.seq), payment.id FROM attempt CROSS JOIN payment ON payment.id = attempt.payment
     WHERE attempt.id_transaction = ? AND payment.kind = 'qr' AND payment.account = ?`,
    id,
    account,
  )
  const payment = charge === undefined ? null : textOrNull(charge, 'id')
  if (payment !== null) return historyOf(database, payment)
  const events = database.all(
    `SELECT record.* FROM event CROSS JOIN record ON record.seq = event.seq
     WHERE event.id_transaction = ? AND event.scope = ? AND event.subject = 'payment' ORDER BY event.seq`,
    id,
    scopeOf(owner),
  )
  return events.map((row) => parseRecord(storedRecord(row))).filter(isOfPayment)
}
