import type { MoneyPayment } from '../ledger/facts.ts'
import type { RunPlace } from '../ledger/records.ts'
import { type AcceptedRepeats, NO_REPEATS } from './repeatOptions.ts'

/** What a payment asks for, and under which id; a refund has none. */
export interface RequestedPayment {
  facts: MoneyPayment
  externalId: string | null
}

/** A payment that somebody wants: typed, of a row, or of a plan. */
export interface WantedPayment extends RequestedPayment {
  /** True if pixgate made up the externalId: neither it nor the reference that it follows from was typed. */
  isIdMadeUp: boolean
  /** The amount of the payment that a refund returns, as the gateway said; null if it was not asked. */
  originalCents: number | null
  accepted: AcceptedRepeats
}

/** A payment to make. */
export interface NewPayment extends WantedPayment {
  action: 'pay'
  /** The row's id in its reference; for a single transfer its externalId, for a single refund null. */
  rowId: string | null
  place: RunPlace | null
}

/** A further attempt of a payment that was refused, under an externalId of its own. */
export interface Retry {
  action: 'retry'
  /** UUID of the payment. */
  payment: string
  accepted: AcceptedRepeats
  originalCents: number | null
  run: string | null
  /** What its row in the run asks for. */
  row?: MoneyPayment
}

/** The same bytes again, for an attempt with an unknown outcome. */
export interface Resend {
  action: 'resend'
  /** UUID of the payment. */
  payment: string
  /** True if a person accepted to send what is older than 24 hours, or a refund. */
  includeUnknown: boolean
  /** True if a refund may return what a chargeback returns, too; see {@link AcceptedRepeats}. */
  despiteChargeback: boolean
  /** With what it is judged if another login recorded the attempt: as a payment that this login has not asked for yet. */
  asNew?: AttemptOfOther
}

/** What a person here said of an attempt that another login recorded. */
interface AttemptOfOther {
  accepted: AcceptedRepeats
  /** The run that is resumed, and what its row asks for; null if the attempt is resumed by itself. */
  row: { run: string; facts: MoneyPayment } | null
}

export type Proposal = NewPayment | Retry | Resend

/** A payment that belongs to no run. */
export function singlePayment(
  { facts, externalId }: RequestedPayment,
  details: Partial<Omit<WantedPayment, keyof RequestedPayment>> = {},
): NewPayment {
  const wanted = { isIdMadeUp: false, originalCents: null, accepted: NO_REPEATS, ...details }
  return { action: 'pay', facts, externalId, rowId: externalId, place: null, ...wanted }
}
