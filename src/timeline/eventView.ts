import { reaisFromCents } from '../pix/amount.ts'
import type { EventSummary } from '../views/eventText.ts'
import { readEventFacts } from '../wire/eventFacts.ts'
import type { EventRecord, TimelineRecord } from './records.ts'

/** A webhook as it is shown, recorded or refused. */
export interface ShownEvent extends EventSummary {
  /** Names as they were sent, repeated ones too. */
  headers: readonly (readonly [name: string, value: string])[]
}

/** A deeper body is left to its bytes, because writing it as JSON would run out of stack. */
const DEPTH_MAX = 100

/** A recorded webhook. */
export function shownEvent(record: TimelineRecord<EventRecord>): ShownEvent {
  const body = Buffer.from(record.bodyBase64, 'base64')
  return {
    n: record.n,
    event: record.event,
    valid: record.isSigned,
    reason: record.isSigned ? null : 'missing',
    duplicate: record.duplicateOf !== null,
    body,
    headers: record.headers,
    receivedAt: record.at,
    answeredMs: null,
    facts: readEventFacts(body.toString('utf8')),
  }
}

/** A webhook as JSON, the same wherever it is shown. `payload` is null for what is no JSON, or nested deeper than 100 levels. */
export function eventDocument(shown: ShownEvent): Record<string, unknown> {
  const { n, event, valid, reason, duplicate, body, headers, receivedAt, answeredMs, facts } = shown
  return {
    type: 'event',
    n,
    event,
    valid,
    reason,
    duplicate,
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

/** Facts stand for a body that was JSON, so parsing cannot fail. */
function payloadOf(body: Buffer): unknown {
  const payload: unknown = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''))
  return isWithin(payload, DEPTH_MAX) ? payload : null
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  for (const inner of Object.values(value)) {
    if (!isWithin(inner, levels - 1)) return false
  }
  return true
}

/** Headers by their names in lower case; a repeated one has all its values. */
export function headersByName(headers: ShownEvent['headers']): Record<string, string | string[]> {
  // A sender may call a header `__proto__`.
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
