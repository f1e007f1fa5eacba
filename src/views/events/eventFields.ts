import type { ForwardRecord, LedgerRecord } from '../../ledger/records.ts'
import { reaisOrNull } from '../../pix/amount.ts'
import { parseInstant } from '../../pix/calendar.ts'
import {
  ADDRESS,
  ANYTHING,
  BOOLEAN,
  COUNT,
  constant,
  describe,
  either,
  HTTP_STATUS,
  INSTANT,
  list,
  MILLISECONDS,
  orNull,
  REAIS,
  TEXT,
} from '../../schemas/jsonSchema.ts'
import { documentOf, type Field, field, type Members, schemaOfMembers } from '../../terminal/fields.ts'
import { t } from '../../text/translate.ts'
import { withoutPassword } from '../../wire/baseAddress.ts'
import { isTooSlow, redactTarget } from '../../wire/signature.ts'
import { amountText, instantText } from '../valueText.ts'
import { formWarning } from './deliveryText.ts'
import type { ShownEvent } from './shownEvent.ts'

/** The results of forwarding an event, oldest first. */
type Forwards = readonly LedgerRecord<ForwardRecord>[]

/** What is shown of each forward. */
const FORWARD_MEMBERS = {
  url: { schema: ADDRESS, mask: 'public' },
  status: { schema: orNull(HTTP_STATUS), mask: 'public' },
  ms: { schema: MILLISECONDS, mask: 'public' },
  error: { schema: orNull(TEXT), mask: 'public' },
  at: { schema: INSTANT, mask: 'public' },
} satisfies Members

/** A forward as JSON. */
function forwardJson({ url, status, ms, error, at }: LedgerRecord<ForwardRecord>) {
  return { url: redactTarget(withoutPassword(url)), status, ms, error, at }
}

/** The status of the last attempt; `failed` if no whole answer came within 5 s, null if it was not forwarded. */
function lastStatus(forwards: Forwards): number | 'failed' | null {
  const last = forwards.at(-1)
  if (last === undefined) return null
  return last.status === null || last.error !== null || isTooSlow(last) ? 'failed' : last.status
}

/** The status of the last attempt for a person; a dash if it was not forwarded. */
function forwardedText(forwards: Forwards | null): string {
  const last = forwards?.at(-1)
  if (last === undefined) return '—'
  if (last.status === null || last.error !== null) return t`failed`
  return isTooSlow(last) ? t`${last.status} (slow)` : String(last.status)
}

/** A webhook as it is listed or printed. */
export interface ListedEvent {
  shown: ShownEvent
  /** The results of forwarding a recorded one, oldest first; null for one that just arrived. */
  forwards: Forwards | null
}

/** What is shown of a webhook, in the order of its JSON. A new field is a row here. */
export const EVENT_FIELDS = [
  field('type', 'tells it from the other lines of a stream', constant('event'), () => 'event', { column: null }),
  field(
    'n',
    'its number; empty while it waits on this machine for the shared ledger',
    describe(
      'The number of a recorded event; null for one that was refused, or that waits on a machine for the shared ledger',
      orNull(COUNT),
    ),
    ({ shown }) => shown.n,
    { column: { align: 'right' }, csv: 1 },
  ),
  field('event', 'its name; `payment` for the general notification', orNull(TEXT), ({ shown }) => shown.event, {
    column: { text: nameText },
    csv: 3,
  }),
  field('valid', 'its signature was right', BOOLEAN, ({ shown }) => shown.valid),
  field('reason', 'why it was not', orNull(TEXT), ({ shown }) => shown.reason),
  field('duplicate', 'it says the same as an earlier one', BOOLEAN, ({ shown }) => shown.duplicate, { csv: 4 }),
  field('path', 'path and query of the request', TEXT, ({ shown }) => shown.path),
  field(
    'payload',
    'the body as JSON; empty if it is not JSON, or nested deeper than 100 levels',
    describe('Null for a body that is not JSON', ANYTHING),
    ({ shown }) => (shown.facts === undefined ? null : payloadOf(shown.body)),
    { mask: 'whole' },
  ),
  field('bodyBase64', 'the exact bytes of the body', TEXT, ({ shown }) => shown.body.toString('base64'), {
    mask: 'whole',
  }),
  field(
    'headers',
    'by their names in lower case; a repeated one has all its values',
    { type: 'object', additionalProperties: either(TEXT, list(TEXT)) },
    ({ shown }) => headersByName(shown.headers),
    { mask: 'whole' },
  ),
  field('receivedAt', 'when it arrived', INSTANT, ({ shown }) => shown.receivedAt, {
    column: { text: ({ shown }) => instantText(parseInstant(shown.receivedAt) ?? null) },
    csv: 2,
  }),
  field(
    'answeredMs',
    'how long the answer took, in ms; empty if that is not known',
    orNull(MILLISECONDS),
    ({ shown }) => shown.answeredMs,
  ),
  field(
    'subject',
    'what it is about: a `payment`, `refund` or `transfer`',
    orNull(TEXT),
    ({ shown }) => shown.facts?.subject ?? null,
    { path: 'pixgate.subject' },
  ),
  field('idTransaction', "the gateway's id", orNull(TEXT), ({ shown }) => shown.facts?.idTransaction ?? null, {
    path: 'pixgate.idTransaction',
    column: { id: ({ shown }) => shown.facts?.idTransaction ?? '', shortHeader: 'id' },
    csv: 7,
  }),
  field(
    'originalTransactionId',
    'the payment that a refund returns',
    orNull(TEXT),
    ({ shown }) => shown.facts?.originalTransactionId ?? null,
    { path: 'pixgate.originalTransactionId', csv: 8 },
  ),
  field('externalId', 'external id of a transfer', orNull(TEXT), ({ shown }) => shown.facts?.externalId ?? null, {
    path: 'pixgate.externalId',
  }),
  field('status', 'the status in it', orNull(TEXT), ({ shown }) => shown.facts?.status ?? null, {
    path: 'pixgate.status',
    csv: 5,
  }),
  field('amount', 'in reais', orNull(REAIS), ({ shown }) => reaisOrNull(shown.facts?.amountCents ?? null), {
    path: 'pixgate.amount',
    column: { align: 'right', text: ({ shown }) => amountText(shown.facts?.amountCents ?? null) },
    csv: 6,
  }),
  field(
    'happenedAt',
    'when it happened, as the sender wrote it',
    orNull(TEXT),
    ({ shown }) => shown.facts?.happenedAt ?? null,
    { path: 'pixgate.happenedAt' },
  ),
  field(
    'warnings',
    'what is unusual about a genuine one: JSON that was sent as a form',
    list(TEXT),
    ({ shown }) => {
      const warning = formWarning(shown)
      return warning === null ? undefined : [warning]
    },
    { path: 'pixgate.warnings', column: null },
  ),
  field('user', 'whose listener or import recorded it', TEXT, ({ shown }) => shown.writer?.user, {
    path: 'pixgate.user',
    csv: 10,
  }),
  field('machine', 'on which machine', TEXT, ({ shown }) => shown.writer?.machine, {
    path: 'pixgate.machine',
    csv: 11,
  }),
  field(
    'storedBy',
    'whose login stored it in the ledger: another one only if a shared ledger took it over from another ledger',
    TEXT,
    ({ shown }) => shown.writer?.login,
    { path: 'pixgate.storedBy' },
  ),
  field(
    'forwarded',
    'how your server answered when it was forwarded last; `failed` if not within 5 s, empty if it was never forwarded',
    describe(
      'Null if it was never forwarded, `failed` if no whole answer came within 5 s',
      orNull(either(HTTP_STATUS, constant('failed'))),
    ),
    ({ forwards }) => (forwards === null ? undefined : lastStatus(forwards)),
    { path: 'pixgate.forwarded', column: { drop: 1, text: ({ forwards }) => forwardedText(forwards) }, csv: 9 },
  ),
  field(
    'forwards',
    'each time that it was forwarded',
    list(schemaOfMembers(FORWARD_MEMBERS)),
    ({ forwards }) => forwards?.map(forwardJson),
    { members: FORWARD_MEMBERS, column: null },
  ),
] as const satisfies readonly Field<ListedEvent, ListedEvent>[]

/** A webhook as JSON, the same wherever it is shown. */
export function eventDocument(event: ListedEvent): Record<string, unknown> {
  return documentOf(EVENT_FIELDS, event)
}

function nameText({ shown }: ListedEvent): string {
  const name = shown.event || t`unknown`
  if (!shown.valid) return t`${name} (unsigned)`
  return shown.duplicate ? t`${name} (dup)` : name
}

/** A deeper body is shown only as its bytes, because writing it as JSON would overflow the stack. */
const DEPTH_MAX = 100

/** A body with facts as JSON, which it is, so that parsing cannot fail; null if it is too deep. */
function payloadOf(body: Buffer): unknown {
  const payload: unknown = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''))
  return isWithin(payload, DEPTH_MAX) ? payload : null
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1))
}

/** Headers by their names in lower case; a repeated one has all its values. */
function headersByName(headers: ShownEvent['headers']): Record<string, string | string[]> {
  // A sender may name a header `__proto__`.
  const byName: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    const earlier = byName[key]
    if (earlier === undefined) byName[key] = value
    else if (Array.isArray(earlier)) earlier.push(value)
    else byName[key] = [earlier, value]
  }
  return byName
}
