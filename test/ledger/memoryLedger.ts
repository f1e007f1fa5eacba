import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { Owner } from '../../src/ledger/accounts.ts'
import { type StoredEvent, storeEvent } from '../../src/ledger/events.ts'
import type { MoneyPayment } from '../../src/ledger/facts.ts'
import { openEmptyLedger } from '../../src/ledger/ledgerFile.ts'
import type { Finding } from '../../src/ledger/paymentState.ts'
import { loadPayment } from '../../src/ledger/payments.ts'
import type { AnswerRecord, AttemptRecord, LedgerRecord } from '../../src/ledger/records.ts'
import { Writer } from '../../src/ledger/writer.ts'
import { type Database, loadSqlite, type OpenDatabase, textOrNull } from '../../src/storage/sqlite.ts'
import type { Outcome } from '../../src/wire/errors.ts'
import { ledgerProblems } from './oracle/ledgerProblems.ts'
import { answerContent, type EventDifferences, eventContent, NOON_MS, OWNER, TRANSFER } from './paymentHistory.ts'

/** An attempt of a test's ledger. */
export type TestAttempt = LedgerRecord<AttemptRecord>

/** A ledger in memory whose clock a test sets, and the records that tests write. */
export class MemoryLedger {
  readonly database: Database
  readonly open: OpenDatabase
  nowMs = NOON_MS
  user = 'maria'

  constructor(database: Database, open: OpenDatabase) {
    this.database = database
    this.open = open
  }

  get writer(): Writer {
    return new Writer(this.database, {
      folder: '/nowhere',
      user: this.user,
      machine: 'desk',
      pid: 1,
      now: () => this.nowMs,
      newId: randomUUID,
      notice: () => undefined,
      timeoutMs: 0,
    })
  }

  /** Records the first attempt of a payment, whose answer is still expected. */
  attempt(facts: MoneyPayment = TRANSFER, differences: Partial<AttemptRecord> = {}): TestAttempt {
    const payment = differences.payment ?? randomUUID()
    const externalId = facts.kind === 'transfer' ? 'invoice-17' : null
    return this.writer.append({
      type: 'attempt',
      payment,
      number: 1,
      owner: OWNER,
      facts,
      externalId,
      body: '{}',
      place: null,
      rowId: differences.externalId ?? externalId,
      sender: 'process-1',
      ...differences,
    })
  }

  /** Records a further attempt of a payment. */
  retry({ payment }: Pick<TestAttempt, 'payment'>, externalId: string): TestAttempt {
    const { first, facts, summary } = loadPayment(this.database, payment)
    if (facts.kind === 'qr') throw new Error('a charge is never sent again')
    const { owner, place, rowId } = first
    return this.attempt(facts, { payment, owner, place, rowId, externalId, number: summary.attempts.length + 1 })
  }

  resend({ payment, id }: TestAttempt): void {
    this.writer.append({ type: 'resend', payment, attempt: id, sender: 'process-2' })
  }

  answer(attempt: TestAttempt, outcome: Outcome, differences: Partial<AnswerRecord> = {}): void {
    this.writer.appendAnswer(attempt, answerContent(attempt.payment, attempt.id, outcome, differences))
  }

  /** Records that the gateway's clock agrees with this one. */
  confirmClock(environment: Owner['environment'] = OWNER.environment): void {
    this.writer.append({ type: 'clock', environment, gatewayAt: new Date(this.nowMs).toISOString() })
  }

  /** Records what a person found, who may name the event that proves it. */
  find({ payment }: TestAttempt, as: Finding, event?: StoredEvent): void {
    const proof = event === undefined ? {} : { event: event.id }
    this.writer.append({ type: 'finding', payment, as, because: 'seen in the dashboard', ...proof })
  }

  event(status: string | null, differences: EventDifferences = {}): StoredEvent {
    return storeSampleEvent(this.writer, status, differences, this.nowMs)
  }

  /** The stored state of a payment. */
  state({ payment }: TestAttempt): string | null {
    const row = this.database.get('SELECT state FROM payment WHERE id = ?', payment)
    return row === undefined ? null : textOrNull(row, 'state')
  }

  /** The payment that an event is linked to. */
  linked({ n }: StoredEvent): string | null {
    const row = this.database.get('SELECT payment FROM event WHERE n = ?', n)
    return row === undefined ? null : textOrNull(row, 'payment')
  }

  problems(): string[] {
    return ledgerProblems(this.database, this.open)
  }
}

/** An empty ledger in memory; it is closed when the test is over. */
export async function memoryLedger(): Promise<MemoryLedger> {
  const [database, open] = [await openEmptyLedger(randomUUID), await loadSqlite()]
  onTestFinished(() => database.close())
  return new MemoryLedger(database, open)
}

/** Stores an event with these differences from the usual one; its body is another one each time unless it is given. */
export function storeSampleEvent(
  writer: Writer,
  status: string | null,
  differences: EventDifferences,
  receivedAtMs: number,
): StoredEvent {
  const { bodyBase64, target, headers, owner, isSigned, via, ...facts } = eventContent(status, differences)
  return storeEvent(writer, {
    facts: { ...facts, happenedAt: null },
    body: Buffer.from(bodyBase64 === '' ? randomUUID() : bodyBase64, 'base64'),
    target,
    headers,
    owner,
    isSigned,
    via,
    receivedAtMs,
  })
}
