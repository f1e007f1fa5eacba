import { parseInstant } from '../pix/calendar.ts'
import { isSuccessStatus } from '../wire/verdict.ts'
import type { JournalEvent } from './journal.ts'
import type { ForwardRecord } from './records.ts'

/** Which of the recorded events are meant; null for what does not limit them. */
export interface EventWishes {
  /** Arrived at this time or later, in ms since the epoch. */
  sinceMs: number | null
  /** So many of the newest, counted after the other wishes. */
  last: number | null
  /** Only those that were passed on last without success. */
  failed: boolean
}

/** The events that are wished for, in their order. */
export function chosenEvents(events: readonly JournalEvent[], { sinceMs, last, failed }: EventWishes): JournalEvent[] {
  const chosen = events.filter(
    (event) => (sinceMs === null || arrivedAtMs(event) >= sinceMs) && (!failed || hasFailed(event)),
  )
  return last === null ? chosen : chosen.slice(Math.max(0, chosen.length - last))
}

/** The event of this number, or all that name this id: of the transaction, the refunded payment, its external id, the record. */
export function namedEvents(events: readonly JournalEvent[], name: string): JournalEvent[] {
  const numbered = /^#?\d+$/.test(name) ? Number(name.replace('#', '')) : null
  const found = events.filter(({ record }) => record.n === numbered)
  if (found.length > 0) return found
  return events.filter(({ record }) =>
    [record.idTransaction, record.originalTransactionId, record.externalId, record.id].includes(name),
  )
}

/** True where the last attempt to pass the event on had no success; false where there was none. */
export function hasFailed({ forwards }: JournalEvent): boolean {
  const last = forwards.at(-1)
  return last !== undefined && !wasAccepted(last)
}

/** True for an answer that says that an event was taken. */
export function wasAccepted({ status, error }: Pick<ForwardRecord, 'status' | 'error'>): boolean {
  return error === null && status !== null && isSuccessStatus(status)
}

function arrivedAtMs({ record }: JournalEvent): number {
  return parseInstant(record.at) ?? 0
}
