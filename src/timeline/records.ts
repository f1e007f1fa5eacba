import type { KeyType } from '../pix/pixKey.ts'
import type { Outcome } from '../wire/errors.ts'
import type { EventSubject } from '../wire/eventFacts.ts'

/** What every record carries beside its own fields; the timeline gives it when the record is appended. */
interface Stamp {
  id: string
  /** RFC 3339, UTC. */
  at: string
  /** Who and where: the system's user and the machine's name. */
  user: string
  machine: string
}

/** Whose transaction it is: the same ids of another account are other transactions. */
export interface Owner {
  profile: string | null
  environment: 'sandbox' | 'production'
  baseUrl: string
  clientId: string
}

/** That a QR code is about to be asked for. */
interface QrIntent extends Owner {
  type: 'intent'
  kind: 'qr'
  requestNumber: string
  amountCents: number
}

/** Where in a batch a payment belongs; a payment on its own has none of it. */
interface RowPlace {
  run?: string
  /** The line of the file, from 1. */
  line?: number
  reference?: string
  /** The id of the row where the payment goes by another one: a new attempt at a refused transfer, and every refund. */
  row?: string
}

/** That money is about to be sent to a key. `body` is the exact text that is sent, now and if it is sent again. */
export interface TransferIntent extends Owner, RowPlace {
  type: 'intent'
  kind: 'transfer'
  externalId: string
  key: string
  typeKey: KeyType
  /** The tax document that must own the key; null where that is not checked. */
  documentValidation: string | null
  amountCents: number
  body: string
}

/** That a payment is about to be returned; `amountCents` is null for all of it where its amount is not known. */
export interface RefundIntent extends Owner, RowPlace {
  type: 'intent'
  kind: 'refund'
  originalTransactionId: string
  amountCents: number | null
  /** True where the request names no amount: all of the payment. */
  isWhole: boolean
  refundReason: string
  body: string
}

export type MoneyIntent = TransferIntent | RefundIntent
export type Intent = QrIntent | MoneyIntent

/** That the rows of a batch are about to be sent; they stand in a file of their own. */
export interface RunRecord extends Owner {
  type: 'run'
  run: string
  kind: MoneyIntent['kind']
  /** The name of the file that they came from, null for standard input. */
  file: string | null
  reference: string
  rows: number
  totalCents: number
  /** 16 hex digits that stand for exactly these payments. */
  fingerprint: string
}

/** That an intent's request is about to be sent again. */
interface AttemptRecord {
  type: 'attempt'
  /** The id of the intent. */
  of: string
}

/** What became of an intent, as far as the answer tells. */
export interface OutcomeRecord {
  type: 'outcome'
  of: string
  outcome: Outcome
  idTransaction: string | null
  /** As it came, null where none did. */
  status: string | null
  code: string | null
  httpStatus: number | null
  amountCents: number | null
}

export const FINDINGS = ['paid', 'not-paid', 'returned'] as const
export type Finding = (typeof FINDINGS)[number]

/** What a person found out about an intent. */
export interface FindingRecord {
  type: 'finding'
  of: string
  as: Finding
  because: string
}

/** Whose event it is: the account of the secret that it was signed with. A secret alone has neither address nor id. */
export interface EventOwner {
  profile: string | null
  environment: 'sandbox' | 'production'
  baseUrl: string | null
  clientId: string | null
}

/** A genuine webhook, with its exact bytes. `at` is when it arrived; amounts in cents. */
export interface EventRecord extends EventOwner {
  type: 'event'
  /** Counts the events of this machine from 1. */
  n: number
  /** The event that this one says again in other bytes; null for the first. */
  duplicateOf: number | null
  event: string | null
  subject: EventSubject | null
  idTransaction: string | null
  originalTransactionId: string | null
  externalId: string | null
  status: string | null
  amountCents: number | null
  /** Of the payer or the receiver, as it came; masked wherever it is shown. */
  taxId: string | null
  /** Why a transfer failed. */
  errorCode: string | null
  /** False where it was taken without a signature, as wished; then it belongs to no account. */
  isSigned: boolean
  /** How it came here. */
  via: 'listen' | 'import'
  /** Path and query as they were asked for. */
  target: string
  /** Names as they were sent, repeated ones too. */
  headers: [name: string, value: string][]
  /** SHA-256 of the body in Base64, by which the same bytes are known again without reading them. */
  digest: string
  bodyBase64: string
}

/** What became of passing an event on. */
export interface ForwardRecord {
  type: 'forward'
  /** The number of the event. */
  n: number
  url: string
  /** The HTTP status of the answer; null where there was none. */
  status: number | null
  ms: number
  /** Why there was no answer. */
  error: string | null
}

export type TimelineEntry = Intent | AttemptRecord | OutcomeRecord | FindingRecord
export type TimelineRecord<Entry extends TimelineEntry | RunRecord | EventRecord | ForwardRecord = TimelineEntry> =
  Entry & Stamp
/** What tells of transactions: what this machine did and was told, and what arrived. */
export type LedgerRecord = TimelineRecord | TimelineRecord<EventRecord>
