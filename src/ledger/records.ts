import type { Outcome } from '../wire/errors.ts'
import type { EventFacts } from '../wire/eventFacts.ts'
import type { PaymentFacts } from './facts.ts'

/** Whose payment it is. The same ids of another base address or client id are other payments. */
export interface Owner {
  profile: string | null
  environment: 'sandbox' | 'production'
  baseUrl: string
  clientId: string
}

/** The row of a batch run that a payment belongs to. */
export interface RunPlace {
  /** The name of the run, such as `run-5f0c2a9b1d3e`. */
  run: string
  /** The line of the file, from 1. */
  line: number
  reference: string
  /** True if the row's id was derived from its reference and payment, rather than typed in the file. */
  isDerivedId: boolean
}

/** Records that a request is about to be sent: the first attempt of a payment, or a later one. */
export interface AttemptRecord {
  type: 'attempt'
  /** UUID of the payment, new for its first attempt. */
  payment: string
  /** From 1. */
  number: number
  owner: Owner
  facts: PaymentFacts
  /** The externalId of a transfer; null for other kinds. */
  externalId: string | null
  /** The exact body of the request; null for a charge, which is never sent again. */
  body: string | null
  place: RunPlace | null
  /** What identifies the row in its reference: the externalId of its first attempt, or the derived id of a refund. */
  rowId: string | null
  /** The process that sends; see the table `process`. */
  sender: string
}

/** Records that the request of an attempt is about to be sent again, byte for byte. */
export interface ResendRecord {
  type: 'resend'
  payment: string
  /** Id of the attempt's record. */
  attempt: string
  sender: string
}

/** The code of the answer that is recorded for a process that ended before it recorded one. */
export const SENDER_ENDED = 'SENDER_ENDED'

export interface AnswerRecord {
  type: 'answer'
  payment: string
  attempt: string
  outcome: Outcome
  idTransaction: string | null
  /** As it came; null if none did. */
  status: string | null
  /** The error code of the gateway, or `SENDER_ENDED` if the sending process ended before it recorded an answer. */
  code: string | null
  /** The gateway's sentence for the code. */
  message: string | null
  httpStatus: number | null
  amountCents: number | null
  /** What the gateway's clock showed, in the form of a record's time, if that was more than an hour ahead: the request left then. */
  gatewayAt?: string
}

/** What the record of an answer says if no response was read: all but the payment, the attempt and the outcome. */
export const NO_RESPONSE = {
  type: 'answer',
  idTransaction: null,
  status: null,
  code: null,
  message: null,
  httpStatus: null,
  amountCents: null,
} as const satisfies Partial<AnswerRecord>

export const FINDINGS = ['paid', 'not-paid', 'returned'] as const
export type Finding = (typeof FINDINGS)[number]

/** What a person found out about a payment. */
export interface FindingRecord {
  type: 'finding'
  payment: string
  as: Finding
  because: string
}

/** The account of the secret that an event was signed with. A secret alone has neither address nor id. */
export interface EventOwner {
  profile: string | null
  environment: 'sandbox' | 'production'
  baseUrl: string | null
  clientId: string | null
}

/** A genuine webhook with its exact bytes. The time of the record is when it arrived; amounts in cents. */
export interface EventRecord extends Omit<EventFacts, 'happenedAt'> {
  type: 'event'
  /** Counts the events of this machine from 1. */
  n: number
  /** The event that this one repeats in other bytes; null for the first. */
  duplicateOf: number | null
  owner: EventOwner
  /** False if it was accepted without a signature, which was requested; such an event belongs to no account. */
  isSigned: boolean
  via: 'listen' | 'import'
  /** Path and query of the request. */
  target: string
  /** Names as they were sent, repeated ones too. */
  headers: [name: string, value: string][]
  bodyBase64: string
}

/** The result of forwarding an event, or of replaying it. */
export interface ForwardRecord {
  type: 'forward'
  n: number
  /** Without user name and password. */
  url: string
  status: number | null
  ms: number
  /** The beginning of the answer's body. */
  body: string
  error: string | null
}

/** Records that a person confirmed a batch; its rows are sent from then on. */
export interface RunRecord {
  type: 'run'
  run: string
  kind: 'transfer' | 'refund'
  owner: Owner
  /** The name of the file; null for standard input. */
  file: string | null
  reference: string
  /** Rows to send and their sum. */
  rows: number
  totalCents: number
  /** 16 hex digits that identify exactly these payments, in any order. */
  fingerprint: string
}

/** Records what the gateway says of a payment that was received, as far as refunds of it depend on it. */
export interface OriginalRecord {
  type: 'original'
  owner: Owner
  idTransaction: string
  /** As it came. */
  status: string | null
  amountCents: number | null
  paidAtMs: number | null
}

/** Records that a person accepted a ledger that lacks records which this machine had written. */
interface AcceptedOlderRecord {
  type: 'accepted-older'
  /** The UUID of the ledger from then on: the file with the missing records may still exist under the earlier one. Absent in old records. */
  ledger?: string
  /** The number of the last record that was known to exist. */
  lastKnown: number
  /** The number of the last record of the ledger that was accepted. */
  last: number
}

/** Records that the clock is behind the newest payment of an environment, and that the gateway's clock agrees: what has a later time has a wrong one. */
interface ClockRecord {
  type: 'clock'
  environment: Owner['environment']
  /** What the gateway's clock showed, in the form of a record's own time. */
  gatewayAt: string
}

export type RecordContent =
  | AttemptRecord
  | ResendRecord
  | AnswerRecord
  | FindingRecord
  | EventRecord
  | ForwardRecord
  | RunRecord
  | OriginalRecord
  | AcceptedOlderRecord
  | ClockRecord

/** A record as it is stored: its number, its id, when it was written, and by whom. */
export type LedgerRecord<Content extends RecordContent = RecordContent> = Content & {
  /** From 1, without gaps. */
  seq: number
  id: string
  /** RFC 3339, UTC, with milliseconds. */
  at: string
  /**
   * When it counts as made, in ms: at its time, or that of a request at the time of a later one, if the clock went back in between.
   */
  madeMs: number
  user: string
  machine: string
}

/** The records that the state of a payment is derived from, oldest first. */
export type PaymentRecord = LedgerRecord<AttemptRecord | ResendRecord | AnswerRecord | FindingRecord | EventRecord>
