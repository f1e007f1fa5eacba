import { eventNumber } from '../../ledger/events.ts'
import type { EventRecord, LedgerRecord } from '../../ledger/records.ts'
import { readEventFacts } from '../../wire/eventFacts.ts'
import type { EventView } from './eventText.ts'

/** A webhook as it is shown, recorded or rejected. */
export interface ShownEvent extends EventView {
  /** Who recorded it; null for one that just arrived. */
  writer: Pick<LedgerRecord, 'user' | 'machine' | 'login'> | null
  /** Path and query of the request. */
  path: string
  /** Names as they were sent, repeated ones too. */
  headers: readonly (readonly [name: string, value: string])[]
}

/** A recorded webhook as it is shown. */
export function shownEvent(record: LedgerRecord<EventRecord>): ShownEvent {
  const body = Buffer.from(record.bodyBase64, 'base64')
  return {
    n: eventNumber(record),
    isRecorded: true,
    writer: record,
    event: record.event,
    valid: record.isSigned,
    reason: record.isSigned ? null : 'missing',
    duplicate: record.duplicateOf !== null,
    path: record.target,
    body,
    headers: record.headers,
    receivedAt: record.at,
    answeredMs: null,
    facts: readEventFacts(body.toString('utf8')),
  }
}
