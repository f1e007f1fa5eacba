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
  objectOf,
  orNull,
  REAIS,
  shapedBy,
  TEXT,
  type ValueOf,
} from '../../schemas/jsonSchema.ts'
import { type DocumentOf, documentOf, type Field, fieldsOf } from '../../terminal/fields.ts'
import { t } from '../../text/translate.ts'
import { withoutPassword } from '../../wire/baseAddress.ts'
import { isTooSlow, redactTarget } from '../../wire/signature.ts'
import { amountText, instantText } from '../valueText.ts'
import { formWarning } from './deliveryText.ts'
import type { ShownEvent } from './shownEvent.ts'

/** The results of forwarding an event, oldest first. */
type Forwards = readonly LedgerRecord<ForwardRecord>[]

const FORWARD = objectOf({
  url: ADDRESS,
  status: orNull(HTTP_STATUS),
  ms: MILLISECONDS,
  error: orNull(TEXT),
  at: INSTANT,
})

function forwardJson(forward: LedgerRecord<ForwardRecord>): ValueOf<typeof FORWARD> {
  return shapedBy(FORWARD, { ...forward, url: redactTarget(withoutPassword(forward.url)) })
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

const field = fieldsOf<Field<ListedEvent, ListedEvent>>('')
const own = fieldsOf<Field<ListedEvent, ListedEvent>, 'pixgate'>('pixgate')

/** What is shown of a webhook, in the order of its JSON. A new field is a row here. */
export const EVENT_FIELDS = [
  field('type', constant('event'), () => 'event' as const, { column: null })`tells it from the other lines of a stream`,
  field(
    'n',
    describe(
      'The number of a recorded event; null for one that was refused, or that waits on a machine for the shared ledger',
      orNull(COUNT),
    ),
    ({ shown }) => shown.n,
    { column: { align: 'right' } },
  )`its number; empty while it waits on this machine for the shared ledger`,
  field('event', orNull(TEXT), ({ shown }) => shown.event, {
    column: { text: nameText },
  })`its name; \`payment\` for the general notification`,
  field('valid', BOOLEAN, ({ shown }) => shown.valid)`its signature was right`,
  field('reason', orNull(TEXT), ({ shown }) => shown.reason)`why it was not`,
  field('duplicate', BOOLEAN, ({ shown }) => shown.duplicate)`it says the same as an earlier one`,
  field('path', TEXT, ({ shown }) => shown.path)`path and query of the request`,
  field(
    'payload',
    describe('Null for a body that is not JSON', ANYTHING),
    ({ shown }) => (shown.facts === undefined ? null : payloadOf(shown.body)),
    { mask: 'whole' },
  )`the body as JSON; empty if it is not JSON, or nested deeper than 100 levels`,
  field('bodyBase64', TEXT, ({ shown }) => shown.body.toString('base64'), {
    mask: 'whole',
  })`the exact bytes of the body`,
  field(
    'headers',
    { type: 'object', additionalProperties: either(TEXT, list(TEXT)) },
    ({ shown }) => headersByName(shown.headers),
    { mask: 'whole' },
  )`by their names in lower case; a repeated one has all its values`,
  field('receivedAt', INSTANT, ({ shown }) => shown.receivedAt, {
    column: { text: ({ shown }) => instantText(parseInstant(shown.receivedAt) ?? null) },
  })`when it arrived`,
  field(
    'answeredMs',
    orNull(MILLISECONDS),
    ({ shown }) => shown.answeredMs,
  )`how long the answer took, in ms; empty if that is not known`,
  own(
    'subject',
    orNull(TEXT),
    ({ shown }) => shown.facts?.subject ?? null,
  )`what it is about: a \`payment\`, \`refund\` or \`transfer\``,
  own('idTransaction', orNull(TEXT), ({ shown }) => shown.facts?.idTransaction ?? null, {
    column: { id: ({ shown }) => shown.facts?.idTransaction ?? '', shortHeader: 'id' },
  })`the gateway's id`,
  own(
    'originalTransactionId',
    orNull(TEXT),
    ({ shown }) => shown.facts?.originalTransactionId ?? null,
  )`the payment that a refund returns`,
  own('externalId', orNull(TEXT), ({ shown }) => shown.facts?.externalId ?? null)`external id of a transfer`,
  own('status', orNull(TEXT), ({ shown }) => shown.facts?.status ?? null)`the status in it`,
  own('amount', orNull(REAIS), ({ shown }) => reaisOrNull(shown.facts?.amountCents ?? null), {
    column: { align: 'right', text: ({ shown }) => amountText(shown.facts?.amountCents ?? null) },
  })`in reais`,
  own(
    'happenedAt',
    orNull(TEXT),
    ({ shown }) => shown.facts?.happenedAt ?? null,
  )`when it happened, as the sender wrote it`,
  own(
    'warnings',
    list(TEXT),
    ({ shown }) => {
      const warning = formWarning(shown)
      return warning === null ? undefined : [warning]
    },
    { column: null },
  )`what is unusual about a genuine one: JSON that was sent as a form`,
  own('user', TEXT, ({ shown }) => shown.writer?.user)`whose listener or import recorded it`,
  own('machine', TEXT, ({ shown }) => shown.writer?.machine)`on which machine`,
  own(
    'storedBy',
    TEXT,
    ({ shown }) => shown.writer?.login,
  )`whose login stored it in the ledger: another one only if a shared ledger took it over from another ledger`,
  own(
    'forwarded',
    describe(
      'Null if it was never forwarded, `failed` if no whole answer came within 5 s',
      orNull(either(HTTP_STATUS, constant('failed'))),
    ),
    ({ forwards }) => (forwards === null ? undefined : lastStatus(forwards)),
    { column: { drop: 1, text: ({ forwards }) => forwardedText(forwards) } },
  )`how your server answered when it was forwarded last; \`failed\` if not within 5 s, empty if it was never forwarded`,
  field('forwards', list(FORWARD), ({ forwards }) => forwards?.map(forwardJson), {
    column: null,
  })`each time that it was forwarded`,
]

/** The fields of a CSV of webhooks. */
export const EVENT_CSV = [
  ...['n', 'receivedAt', 'event', 'duplicate', 'status', 'amount', 'idTransaction', 'originalTransactionId'],
  ...['forwarded', 'user', 'machine'],
]

/** A webhook as JSON, the same wherever it is shown. */
export function eventDocument(event: ListedEvent): DocumentOf<typeof EVENT_FIELDS> {
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
