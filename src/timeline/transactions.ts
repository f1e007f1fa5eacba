import { parseInstant } from '../pix/calendar.ts'
import type { Finding, FindingRecord, Intent, OutcomeRecord, TimelineRecord } from './records.ts'

/** What is known of a transaction: from the answers alone, or from a person. */
export type TransactionState = 'not-sent' | 'refused' | 'accepted' | 'unknown' | Finding

/** One intent with everything that was recorded about it. */
export interface Transaction<Kind extends Intent = Intent> {
  intent: TimelineRecord<Kind>
  /** When it was sent last. */
  atMs: number
  /** The last answer; null where none was recorded. */
  outcome: TimelineRecord<OutcomeRecord> | null
  finding: TimelineRecord<FindingRecord> | null
  state: TransactionState
  idTransaction: string | null
  /** All records of it, oldest first. */
  records: TimelineRecord[]
}

/** Folds the records into transactions, in the order of their intents. */
export function foldTransactions(records: readonly TimelineRecord[]): Transaction[] {
  const transactions = new Map<string, Transaction>()
  for (const record of records) {
    if (record.type === 'intent') {
      transactions.set(record.id, begun(record))
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
    transaction.state = stateAfter(transaction, record)
  }
  return [...transactions.values()]
}

/** True for a transaction of this address and client id. */
export function isOf(transaction: Transaction, owner: { url: string; clientId: string }): boolean {
  return transaction.intent.baseUrl === owner.url && transaction.intent.clientId === owner.clientId
}

/** True where the money has moved, is moving, or may be. */
export function mayHaveMoved({ state, outcome }: Transaction): boolean {
  // The gateway holds a transfer under that id, whoever sent it.
  const isHeld = state === 'refused' && outcome?.code === 'DUPLICATE_EXTERNAL_ID'
  return state === 'accepted' || state === 'unknown' || state === 'paid' || isHeld
}

/** What it moved, or may have, in cents: what was asked for, else what the answer says. */
export function movedCents({ intent, outcome }: Transaction): number {
  return intent.amountCents ?? outcome?.amountCents ?? 0
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

function begun(intent: TimelineRecord<Intent>): Transaction {
  return {
    intent,
    atMs: parseInstant(intent.at) ?? 0,
    outcome: null,
    finding: null,
    // Until an answer is recorded nobody knows whether the request left.
    state: 'unknown',
    idTransaction: null,
    records: [intent],
  }
}

function stateAfter(transaction: Transaction, record: TimelineRecord): TransactionState {
  switch (record.type) {
    case 'finding':
      return record.as
    case 'outcome':
      return record.outcome === 'accepted-before' ? 'accepted' : record.outcome
    case 'attempt':
      // An attempt that dies is in doubt again, but it cannot undo what is known to have been accepted.
      return transaction.state === 'accepted' ? 'accepted' : 'unknown'
    case 'intent':
      return transaction.state
  }
}
