import { parseInstant } from '../pix/calendar.ts'
import { linkEvents } from './eventLinks.ts'
import type {
  EventRecord,
  Finding,
  FindingRecord,
  Intent,
  LedgerRecord,
  OutcomeRecord,
  TimelineRecord,
} from './records.ts'

/** What is known of a transaction: from the answers alone, from a person, or from an event. */
export type TransactionState = 'not-sent' | 'refused' | 'accepted' | 'unknown' | Finding

/** One intent with everything that was recorded about it. */
export interface Transaction<Kind extends Intent = Intent> {
  intent: TimelineRecord<Kind>
  /** When it was sent last. */
  atMs: number
  /** The last answer; null where none was recorded. */
  outcome: TimelineRecord<OutcomeRecord> | null
  finding: TimelineRecord<FindingRecord> | null
  /** The event that decided the state; null where none did. */
  event: TimelineRecord<EventRecord> | null
  state: TransactionState
  idTransaction: string | null
  /** All records of it, oldest first. */
  records: LedgerRecord[]
}

/** Transactions in the order of their intents, and the events that belong to none of them. */
export interface Ledger {
  transactions: Transaction[]
  unlinked: TimelineRecord<EventRecord>[]
}

/** Folds the records into transactions, in the order of their intents. */
export function foldTransactions(records: readonly LedgerRecord[]): Transaction[] {
  return foldLedger(records).transactions
}

/** Folds the records into transactions: first what was done and said, then the events. */
export function foldLedger(records: readonly LedgerRecord[]): Ledger {
  const transactions = foldAnswers(records)
  const events = records.filter((record) => record.type === 'event')
  if (events.length === 0) return { transactions, unlinked: [] }
  const unlinked = linkEvents(transactions, events)
  for (const { records } of transactions) {
    if (records.some(({ type }) => type === 'event')) records.sort((one, other) => timeOf(one) - timeOf(other))
  }
  return { transactions, unlinked }
}

function foldAnswers(records: readonly LedgerRecord[]): Transaction[] {
  const transactions = new Map<string, Transaction>()
  for (const record of records) {
    if (record.type === 'event') continue
    if (record.type === 'intent') {
      transactions.set(record.id, transactionOf(record))
      continue
    }
    const transaction = transactions.get(record.of)
    if (transaction === undefined) continue
    transaction.records.push(record)
    if (record.type === 'outcome') {
      transaction.outcome = record
      transaction.idTransaction ??= record.idTransaction
    }
    if (record.type === 'finding') transaction.finding = record
    if (isSending(record)) transaction.atMs = parseInstant(record.at) ?? transaction.atMs
    transaction.state = stateAfter(transaction.state, record)
  }
  return [...transactions.values()]
}

/** True for a transaction of this address and client id. */
export function isOf(transaction: Transaction, owner: { url: string; clientId: string }): boolean {
  return transaction.intent.baseUrl === owner.url && transaction.intent.clientId === owner.clientId
}

/** True where the money has moved, is moving, or may be. */
export function mayHaveMoved({ state, outcome }: Transaction): boolean {
  return isMovingState(state, outcome?.code === 'DUPLICATE_EXTERNAL_ID')
}

/** The same of a state; `isHeld` where the gateway holds a transfer under that id, whoever sent it. */
export function isMovingState(state: TransactionState, isHeld: boolean): boolean {
  return state === 'accepted' || state === 'unknown' || state === 'paid' || (state === 'refused' && isHeld)
}

/** What it moved, or may have, in cents: what was asked for, else what the answer or the event says. */
export function movedCents({ intent, outcome, event }: Transaction): number {
  return intent.amountCents ?? outcome?.amountCents ?? event?.amountCents ?? 0
}

/** The name by which people know it: externalId, request number, or the id of the refunded payment. */
export function nameOf({ intent }: Transaction): string {
  switch (intent.kind) {
    case 'qr':
      return intent.requestNumber
    case 'transfer':
      return intent.externalId
    case 'refund':
      return intent.originalTransactionId
  }
}

/** The transactions that an id names: by their own id, externalId, request number, or the id that the timeline gave. */
export function namedBy(transactions: readonly Transaction[], id: string): Transaction[] {
  return transactions.filter(
    (transaction) =>
      transaction.idTransaction === id ||
      transaction.intent.id === id ||
      (transaction.intent.kind !== 'refund' && nameOf(transaction) === id),
  )
}

/** True for a record after which money may be on its way: what is sent again counts from then. */
function isSending(record: TimelineRecord): boolean {
  return record.type === 'attempt' || (record.type === 'outcome' && record.outcome.startsWith('accepted'))
}

function timeOf({ at }: LedgerRecord): number {
  return parseInstant(at) ?? 0
}

/** A transaction of which only the intent is known. */
export function transactionOf<Kind extends Intent>(intent: TimelineRecord<Kind>): Transaction<Kind> {
  return {
    intent,
    atMs: parseInstant(intent.at) ?? 0,
    outcome: null,
    finding: null,
    event: null,
    // Until an answer is recorded nobody knows whether the request left.
    state: 'unknown',
    idTransaction: null,
    records: [intent],
  }
}

/** What is known of a transaction after one more record of it, events apart. */
export function stateAfter(state: TransactionState, record: TimelineRecord): TransactionState {
  switch (record.type) {
    case 'finding':
      return record.as
    case 'outcome':
      return record.outcome === 'accepted-before' ? 'accepted' : record.outcome
    case 'attempt':
      // An attempt that dies is in doubt again, but it cannot undo what is known to have been accepted.
      return state === 'accepted' ? 'accepted' : 'unknown'
    case 'intent':
      return state
  }
}
