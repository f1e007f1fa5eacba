import type { Payment } from '../../ledger/payments.ts'
import type { AttemptRecord, LedgerRecord, ResendRecord } from '../../ledger/records.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { INSTANT, TEXT } from '../../schemas/jsonSchema.ts'
import { valueAt } from '../../terminal/documentFields.ts'
import type { Members } from '../../terminal/fields.ts'
import type { Document } from '../../terminal/printer.ts'
import { t } from '../../text/translate.ts'
import { instantText } from '../valueText.ts'

/** Who recorded a request of a shared ledger whose answer is not recorded yet, and until when it may leave; times in RFC 3339, UTC. */
interface BeingSent {
  user: string
  machine: string
  since: string
  until: string
}

export const BEING_SENT_MEMBERS = {
  user: { schema: TEXT, mask: 'public' },
  machine: { schema: TEXT, mask: 'public' },
  since: { schema: INSTANT, mask: 'public' },
  until: { schema: INSTANT, mask: 'public' },
} satisfies Members

/** The request of a payment that waits for its answer; null if none does, or if the ledger belongs to this machine alone. */
export function beingSentOf({ summary, records }: Pick<Payment, 'summary' | 'records'>): BeingSent | null {
  const waiting = summary.attempts.filter(({ sender }) => sender !== null).map(({ record }) => record.id)
  const isWaiting = (record: LedgerRecord): record is LedgerRecord<AttemptRecord | ResendRecord> =>
    (record.type === 'attempt' && waiting.includes(record.id)) ||
    (record.type === 'resend' && waiting.includes(record.attempt))
  const request = records.findLast(isWaiting)
  if (request?.notAfter === undefined) return null
  const { user, machine, at, notAfter } = request
  return { user, machine, since: at, until: notAfter }
}

/** True if the JSON of a payment says that it may be on its way at a time of the ledger's clock. Afterwards its outcome is unknown. */
export function isBeingSent(document: Document, nowMs: number): boolean {
  const until = valueAt(document, 'pixgate.beingSent.until')
  return typeof until === 'string' && (parseInstant(until) ?? 0) >= nowMs
}

/** Who is sending a payment at a time of the ledger's clock; null if nobody is. */
export function beingSentText(payment: Payment, nowMs: number): string | null {
  const sending = beingSentOf(payment)
  if (sending === null || (parseInstant(sending.until) ?? 0) < nowMs) return null
  const { user, machine, since } = sending
  return t`being sent by ${user} on ${machine} since ${instantText(parseInstant(since) ?? null)}`
}
