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
import { documentOf, type Field, type Members, schemaOfMembers } from '../../terminal/fields.ts'
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
  {
    name: 'type',
    path: 'type',
    json: () => 'event',
    schema: constant('event'),
    mask: 'public',
    column: null,
    meaning: 'tells it from the other lines of a stream',
  },
  {
    name: 'n',
    path: 'n',
    json: ({ shown }) => shown.n,
    schema: describe(
      'The number of a recorded event; null for one that was refused, or that waits on a machine for the shared ledger',
      orNull(COUNT),
    ),
    mask: 'public',
    column: { align: 'right' },
    csv: 1,
    meaning: 'its number; empty while it waits on this machine for the shared ledger',
  },
  {
    name: 'event',
    path: 'event',
    json: ({ shown }) => shown.event,
    schema: orNull(TEXT),
    mask: 'public',
    column: { text: nameText },
    csv: 3,
    meaning: 'its name; `payment` for the general notification',
  },
  {
    name: 'valid',
    path: 'valid',
    json: ({ shown }) => shown.valid,
    schema: BOOLEAN,
    mask: 'public',
    meaning: 'its signature was right',
  },
  {
    name: 'reason',
    path: 'reason',
    json: ({ shown }) => shown.reason,
    schema: orNull(TEXT),
    mask: 'public',
    meaning: 'why it was not',
  },
  {
    name: 'duplicate',
    path: 'duplicate',
    json: ({ shown }) => shown.duplicate,
    schema: BOOLEAN,
    mask: 'public',
    csv: 4,
    meaning: 'it says the same as an earlier one',
  },
  {
    name: 'path',
    path: 'path',
    json: ({ shown }) => shown.path,
    schema: TEXT,
    mask: 'public',
    meaning: 'path and query of the request',
  },
  {
    name: 'payload',
    path: 'payload',
    json: ({ shown }) => (shown.facts === undefined ? null : payloadOf(shown.body)),
    schema: describe('Null for a body that is not JSON', ANYTHING),
    mask: 'whole',
    meaning: 'the body as JSON; empty if it is not JSON, or nested deeper than 100 levels',
  },
  {
    name: 'bodyBase64',
    path: 'bodyBase64',
    json: ({ shown }) => shown.body.toString('base64'),
    schema: TEXT,
    mask: 'whole',
    meaning: 'the exact bytes of the body',
  },
  {
    name: 'headers',
    path: 'headers',
    json: ({ shown }) => headersByName(shown.headers),
    schema: { type: 'object', additionalProperties: either(TEXT, list(TEXT)) },
    mask: 'whole',
    meaning: 'by their names in lower case; a repeated one has all its values',
  },
  {
    name: 'receivedAt',
    path: 'receivedAt',
    json: ({ shown }) => shown.receivedAt,
    schema: INSTANT,
    mask: 'public',
    column: { text: ({ shown }) => instantText(parseInstant(shown.receivedAt) ?? null) },
    csv: 2,
    meaning: 'when it arrived',
  },
  {
    name: 'answeredMs',
    path: 'answeredMs',
    json: ({ shown }) => shown.answeredMs,
    schema: orNull(MILLISECONDS),
    mask: 'public',
    meaning: 'how long the answer took, in ms; empty if that is not known',
  },
  {
    name: 'subject',
    path: 'pixgate.subject',
    json: ({ shown }) => shown.facts?.subject ?? null,
    schema: orNull(TEXT),
    mask: 'public',
    meaning: 'what it is about: a `payment`, `refund` or `transfer`',
  },
  {
    name: 'idTransaction',
    path: 'pixgate.idTransaction',
    json: ({ shown }) => shown.facts?.idTransaction ?? null,
    schema: orNull(TEXT),
    mask: 'public',
    column: { id: ({ shown }) => shown.facts?.idTransaction ?? '', shortHeader: 'id' },
    csv: 7,
    meaning: "the gateway's id",
  },
  {
    name: 'originalTransactionId',
    path: 'pixgate.originalTransactionId',
    json: ({ shown }) => shown.facts?.originalTransactionId ?? null,
    schema: orNull(TEXT),
    mask: 'public',
    csv: 8,
    meaning: 'the payment that a refund returns',
  },
  {
    name: 'externalId',
    path: 'pixgate.externalId',
    json: ({ shown }) => shown.facts?.externalId ?? null,
    schema: orNull(TEXT),
    mask: 'public',
    meaning: 'external id of a transfer',
  },
  {
    name: 'status',
    path: 'pixgate.status',
    json: ({ shown }) => shown.facts?.status ?? null,
    schema: orNull(TEXT),
    mask: 'public',
    csv: 5,
    meaning: 'the status in it',
  },
  {
    name: 'amount',
    path: 'pixgate.amount',
    json: ({ shown }) => reaisOrNull(shown.facts?.amountCents ?? null),
    schema: orNull(REAIS),
    mask: 'public',
    column: { align: 'right', text: ({ shown }) => amountText(shown.facts?.amountCents ?? null) },
    csv: 6,
    meaning: 'in reais',
  },
  {
    name: 'happenedAt',
    path: 'pixgate.happenedAt',
    json: ({ shown }) => shown.facts?.happenedAt ?? null,
    schema: orNull(TEXT),
    mask: 'public',
    meaning: 'when it happened, as the sender wrote it',
  },
  {
    name: 'warnings',
    path: 'pixgate.warnings',
    json: ({ shown }) => {
      const warning = formWarning(shown)
      return warning === null ? undefined : [warning]
    },
    schema: list(TEXT),
    mask: 'public',
    column: null,
    meaning: 'what is unusual about a genuine one: JSON that was sent as a form',
  },
  {
    name: 'user',
    path: 'pixgate.user',
    json: ({ shown }) => shown.writer?.user,
    schema: TEXT,
    mask: 'public',
    csv: 10,
    meaning: 'whose listener or import recorded it',
  },
  {
    name: 'machine',
    path: 'pixgate.machine',
    json: ({ shown }) => shown.writer?.machine,
    schema: TEXT,
    mask: 'public',
    csv: 11,
    meaning: 'on which machine',
  },
  {
    name: 'storedBy',
    path: 'pixgate.storedBy',
    json: ({ shown }) => shown.writer?.login,
    schema: TEXT,
    mask: 'public',
    meaning:
      'whose login stored it in the ledger: another one only if a shared ledger took it over from another ledger',
  },
  {
    name: 'forwarded',
    path: 'pixgate.forwarded',
    json: ({ forwards }) => (forwards === null ? undefined : lastStatus(forwards)),
    schema: describe(
      'Null if it was never forwarded, `failed` if no whole answer came within 5 s',
      orNull(either(HTTP_STATUS, constant('failed'))),
    ),
    mask: 'public',
    column: { drop: 1, text: ({ forwards }) => forwardedText(forwards) },
    csv: 9,
    meaning:
      'how your server answered when it was forwarded last; `failed` if not within 5 s, empty if it was never forwarded',
  },
  {
    name: 'forwards',
    path: 'forwards',
    json: ({ forwards }) => forwards?.map(forwardJson),
    schema: list(schemaOfMembers(FORWARD_MEMBERS)),
    mask: 'public',
    members: FORWARD_MEMBERS,
    column: null,
    meaning: 'each time that it was forwarded',
  },
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
