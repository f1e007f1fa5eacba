import { isObject, textField } from '../wire/answers.ts'
import type { EventRecord, ForwardRecord, TimelineRecord } from './records.ts'

/** The journal's file in the folder of what this machine remembers; older parts of it stand beside it. */
export const JOURNAL_FILE = 'events.log'

export type JournalLine = TimelineRecord<EventRecord> | TimelineRecord<ForwardRecord>

/** A line of the journal; undefined for what this program did not write. */
export function readJournalLine(json: string): JournalLine | undefined {
  const value: unknown = JSON.parse(json)
  return isJournalLine(value) ? value : undefined
}

function isJournalLine(value: unknown): value is JournalLine {
  if (!isObject(value) || typeof value.n !== 'number' || textField(value, 'at') === null) return false
  if (value.type === 'forward') return textField(value, 'url') !== null
  return (
    value.type === 'event' &&
    typeof value.bodyBase64 === 'string' &&
    typeof value.digest === 'string' &&
    Array.isArray(value.headers)
  )
}
