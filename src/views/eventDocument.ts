import { reaisFromCents } from '../pix/amount.ts'
import { redactHeaders, redactTarget } from '../wire/deliverySecrets.ts'
import { readEventFacts } from '../wire/eventFacts.ts'
import type { EventView } from './eventText.ts'

/** A webhook as it is shown, recorded or rejected. */
export interface ShownEvent extends EventView {
  /** Path and query of the request. */
  path: string
  /** Names as they were sent, repeated ones too. */
  headers: readonly (readonly [name: string, value: string])[]
}

/** What is shown of a recorded webhook. */
interface RecordedEvent {
  n: number
  event: string | null
  isSigned: boolean
  duplicateOf: number | null
  target: string
  headers: ShownEvent['headers']
  at: string
  bodyBase64: string
}

/** A deeper body is shown only as its bytes, because writing it as JSON would overflow the stack. */
const DEPTH_MAX = 100

/** A recorded webhook as it is shown. */
export function shownEvent(record: RecordedEvent): ShownEvent {
  const body = Buffer.from(record.bodyBase64, 'base64')
  return {
    n: record.n,
    event: record.event,
    valid: record.isSigned,
    reason: record.isSigned ? null : 'missing',
    duplicate: record.duplicateOf !== null,
    // Records of earlier versions hold them in clear.
    path: redactTarget(record.target),
    body,
    headers: redactHeaders(record.headers),
    receivedAt: record.at,
    answeredMs: null,
    facts: readEventFacts(body.toString('utf8')),
  }
}

/** A webhook as JSON, the same wherever it is shown. `payload` is null if it is not JSON, or nested deeper than 100 levels. */
export function eventDocument(shown: ShownEvent): Record<string, unknown> {
  const { n, event, valid, reason, duplicate, path, body, headers, receivedAt, answeredMs, facts } = shown
  return {
    type: 'event',
    n,
    event,
    valid,
    reason,
    duplicate,
    path,
    payload: facts === undefined ? null : payloadOf(body),
    bodyBase64: body.toString('base64'),
    headers: headersByName(headers),
    receivedAt,
    answeredMs,
    pixgate: {
      subject: facts?.subject ?? null,
      idTransaction: facts?.idTransaction ?? null,
      originalTransactionId: facts?.originalTransactionId ?? null,
      externalId: facts?.externalId ?? null,
      status: facts?.status ?? null,
      amount: typeof facts?.amountCents === 'number' ? reaisFromCents(facts.amountCents) : null,
      happenedAt: facts?.happenedAt ?? null,
    },
  }
}

/** A body with facts is JSON, so parsing cannot fail. */
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
