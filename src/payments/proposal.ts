import type { MoneyPayment } from '../ledger/facts.ts'
import type { RunPlace } from '../ledger/records.ts'
import type { AcceptedRepeats } from './repeatOptions.ts'

/** A payment to make. */
export interface NewPayment {
  action: 'pay'
  facts: MoneyPayment
  externalId: string | null
  /** The row's id in its reference; for a single transfer its externalId, for a single refund null. */
  rowId: string | null
  place: RunPlace | null
  accepted: AcceptedRepeats
  originalCents: number | null
  /** True if pixgate made up the externalId: neither it nor the reference that it follows from was typed. */
  isIdMadeUp: boolean
}

/** A further attempt of a payment that was refused, under an externalId of its own. */
export interface Retry {
  action: 'retry'
  /** UUID of the payment. */
  payment: string
  accepted: AcceptedRepeats
  originalCents: number | null
  run: string | null
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
}

export type Proposal = NewPayment | Retry | Resend
