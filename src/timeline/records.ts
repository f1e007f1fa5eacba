import type { Outcome } from '../wire/errors.ts'

/** What every record of the timeline carries; both are given by the timeline when it is appended. */
export interface Stamp {
  id: string
  /** RFC 3339, UTC. */
  at: string
}

/** That a QR code is about to be asked for; written before the request leaves. */
export interface QrIntent {
  type: 'intent'
  kind: 'qr'
  baseUrl: string
  clientId: string
  requestNumber: string
  amountCents: number
}

/** What became of an intent. */
export interface OutcomeRecord {
  type: 'outcome'
  /** The id of the intent. */
  of: string
  outcome: Outcome
  idTransaction: string | null
}

export type TimelineEntry = QrIntent | OutcomeRecord
export type TimelineRecord<Entry extends TimelineEntry = TimelineEntry> = Entry & Stamp
