import type {
  EventRecord,
  LedgerRecord,
  OutcomeRecord,
  RefundIntent,
  TimelineEntry,
  TransferIntent,
} from '../../src/timeline/records.ts'
import { foldLedger, type Ledger } from '../../src/timeline/transactions.ts'

const NOON_MS = Date.UTC(2026, 10, 21, 12)
const MINUTE_MS = 60_000
export const PAYMENT_ID = 'payment-1'
/** A CPF that is the key of a transfer, or the owner that its key must have. */
const TAX_ID = '52998224725'

const OWNER = {
  profile: null,
  environment: 'sandbox',
  baseUrl: 'https://sandbox.example',
  clientId: 'shop',
} as const

/** A record of the minute; `id` names it where another one points at it. */
export function at<Entry extends TimelineEntry | EventRecord>(minute: number, entry: Entry, id = `record-${minute}`) {
  return { id, at: new Date(NOON_MS + minute * MINUTE_MS).toISOString(), user: 'maria', machine: 'desk', ...entry }
}

export function transfer(own: Partial<TransferIntent> = {}): TransferIntent {
  return {
    type: 'intent',
    kind: 'transfer',
    ...OWNER,
    externalId: 'invoice-17',
    key: TAX_ID,
    typeKey: 'document',
    documentValidation: null,
    amountCents: 1050,
    body: '{}',
    ...own,
  }
}

export function refund(own: Partial<RefundIntent> = {}): RefundIntent {
  return {
    type: 'intent',
    kind: 'refund',
    ...OWNER,
    originalTransactionId: PAYMENT_ID,
    amountCents: 400,
    isWhole: false,
    refundReason: 'twice',
    body: '{}',
    ...own,
  }
}

export function outcome(of: string, own: Partial<OutcomeRecord> = {}): OutcomeRecord {
  const nothing = { idTransaction: null, status: null, code: null, httpStatus: null, amountCents: null }
  return { type: 'outcome', of, outcome: 'accepted', ...nothing, ...own }
}

let count = 0

export function event(own: Partial<EventRecord> = {}): EventRecord {
  return {
    type: 'event',
    ...OWNER,
    n: ++count,
    duplicateOf: null,
    event: 'transfer.completed',
    subject: 'transfer',
    idTransaction: 'id-1',
    originalTransactionId: null,
    externalId: null,
    status: 'PAID_OUT',
    amountCents: 1050,
    taxId: TAX_ID,
    errorCode: null,
    isSigned: true,
    via: 'listen',
    target: '/',
    headers: [],
    digest: '',
    bodyBase64: '',
    ...own,
  }
}

export function transferFailed(own: Partial<EventRecord> = {}): EventRecord {
  return event({ event: 'transfer.failed', status: 'ERROR', taxId: null, ...own })
}

export function refundStatus(own: Partial<EventRecord> = {}): EventRecord {
  const about = { event: 'refund.status', subject: 'refund', originalTransactionId: PAYMENT_ID } as const
  return event({ ...about, status: 'COMPLETED', amountCents: 400, taxId: null, ...own })
}

/** A transfer of minute 0 that was accepted as `id-1` at once. */
export function acceptedTransfer(own: Partial<TransferIntent> = {}): LedgerRecord[] {
  const answer = outcome('transfer', { idTransaction: 'id-1', status: 'PROCESSING' })
  return [at(0, transfer(own), 'transfer'), at(0, answer, 'answer')]
}

/** A transfer of this minute whose answer was lost. */
export function doubtfulTransfer(minute = 0, own: Partial<TransferIntent> = {}, id = 'transfer'): LedgerRecord[] {
  return [at(minute, transfer(own), id), at(minute, outcome(id, { outcome: 'unknown' }), `${id}-answer`)]
}

/** A refund of this minute whose answer was lost. */
export function doubtfulRefund(minute = 0, own: Partial<RefundIntent> = {}, id = 'refund'): LedgerRecord[] {
  return [at(minute, refund(own), id), at(minute, outcome(id, { outcome: 'unknown' }), `${id}-answer`)]
}

/** The only transaction. */
export function only(ledger: Ledger) {
  const [transaction] = ledger.transactions
  if (transaction === undefined || ledger.transactions.length > 1) throw new Error('there is not exactly one')
  return transaction
}

/** The state of the only transaction, and whether all events were about it. */
export function stateOf(records: readonly LedgerRecord[]): [state: string, hasAll: boolean] {
  const ledger = foldLedger(records)
  return [only(ledger).state, ledger.unlinked.length === 0]
}
