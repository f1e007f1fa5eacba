import type { ForwardRecord, LedgerRecord } from '../../ledger/records.ts'
import { ADDRESS, HTTP_STATUS, INSTANT, MILLISECONDS, orNull, TEXT } from '../../schemas/jsonSchema.ts'
import type { Members } from '../../terminal/fields.ts'
import { t } from '../../text/translate.ts'
import { withoutPassword } from '../../wire/address.ts'
import { redactTarget } from '../../wire/deliverySecrets.ts'
import { isTooSlow } from '../../wire/deliveryVerdict.ts'

/** The results of forwarding an event, oldest first. */
export type Forwards = readonly LedgerRecord<ForwardRecord>[]

/** What is shown of each forward. */
export const FORWARD_MEMBERS = {
  url: { schema: ADDRESS, mask: 'public' },
  status: { schema: orNull(HTTP_STATUS), mask: 'public' },
  ms: { schema: MILLISECONDS, mask: 'public' },
  error: { schema: orNull(TEXT), mask: 'public' },
  at: { schema: INSTANT, mask: 'public' },
} satisfies Members

/** A forward as JSON. */
export function forwardJson({ url, status, ms, error, at }: LedgerRecord<ForwardRecord>) {
  return { url: redactTarget(withoutPassword(url)), status, ms, error, at }
}

/** The status of the last attempt; `failed` if no whole answer came within 5 s, null if it was not forwarded. */
export function lastStatus(forwards: Forwards): number | 'failed' | null {
  const last = forwards.at(-1)
  if (last === undefined) return null
  return last.status === null || last.error !== null || isTooSlow(last) ? 'failed' : last.status
}

/** The status of the last attempt for a person; a dash if it was not forwarded. */
export function forwardedText(forwards: Forwards | null): string {
  const last = forwards?.at(-1)
  if (last === undefined) return '—'
  if (last.status === null || last.error !== null) return t`failed`
  return isTooSlow(last) ? t`${last.status} (slow)` : String(last.status)
}
