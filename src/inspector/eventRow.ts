import type { ForwardRecord } from '../ledger/records.ts'
import { EVENT_NAMES } from '../schemas/webhookBodies.ts'
import { type EventView, eventVerdict } from '../views/events/eventText.ts'
import type { EventFacts } from '../wire/eventFacts.ts'
import { isReceived } from '../wire/signature.ts'

/** A delivery in a list of the page: what the functions that show it in a terminal take, without its bytes. */
export interface EventRow
  extends Pick<EventView, 'isRecorded' | 'event' | 'valid' | 'reason' | 'duplicate' | 'receivedAt'> {
  /** The number of a recorded event, or the id of its record before it has one; `m` and a number for a delivery that is only in memory. */
  key: string
  /** Its position: the event before it, and its number among those in memory; 0 for a recorded event. */
  order: readonly [n: number, inMemory: number]
  isProduction: boolean
  /** Undefined if the body is not JSON. */
  facts: Pick<EventFacts, 'event' | 'status' | 'amountCents' | 'idTransaction'> | undefined
  /** The last forward or replay; null if there was none. */
  forward: Pick<ForwardRecord, 'status' | 'ms' | 'error'> | null
}

/** What has changed while a page is open: deliveries, or that nothing new can be read. */
export type LiveMessage = LiveUpdate | { trouble: string }

export interface LiveUpdate {
  events: EventRow[]
  /** True if there are more than these, so that a list must be read again. */
  isMore: boolean
  /** How many events are recorded. */
  recorded: number
}

/** What events can be filtered by, in the order in which people see it. */
export const FACETS = {
  /** A name of the service's events, or `other`. */
  event: ({ event, facts }: EventRow) => EVENT_NAMES.find((name) => name === (event ?? facts?.event)) ?? 'other',
  verdict: eventVerdict,
  /** What became of the last forward or replay. */
  forward: ({ forward }: EventRow) => (forward === null ? 'none' : isReceived(forward) ? 'received' : 'failed'),
}

/** The values of facets that an event must have; a missing one limits nothing. */
export type EventFilter = ReadonlyMap<string, string>

/** True for an event that a filter lets through. The server asks it of what is recorded, the page of what arrives. */
export function isMatch(row: EventRow, filter: EventFilter): boolean {
  return Object.entries(FACETS).every(([name, read]) => !filter.has(name) || filter.get(name) === read(row))
}

/** Sorts the newest first. */
export function newestFirst(one: Pick<EventRow, 'order'>, other: Pick<EventRow, 'order'>): number {
  return other.order[0] - one.order[0] || other.order[1] - one.order[1]
}

/** True for a delivery that is not in the ledger, so that it cannot be sent again. */
export function isInMemory(key: string): boolean {
  return key.startsWith('m')
}
