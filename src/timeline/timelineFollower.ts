import type { UsageError } from '../wire/errors.ts'
import { readJournalLine } from './journalReading.ts'
import { LogReader } from './logReader.ts'
import type { OwnRecords } from './ownRecords.ts'
import { isRecord, isRunRecord } from './recordShape.ts'
import type { EventRecord, RunRecord, TimelineRecord } from './records.ts'

/** All that the timeline's own files hold. */
export type FollowedRecord = TimelineRecord | TimelineRecord<RunRecord>

/** A reader that remembers how far it has read. */
export interface TimelineFollower {
  /** What was recorded since the last call, oldest first, in pieces. Throws UsageError that names damaged lines. */
  records(): AsyncGenerator<readonly FollowedRecord[]>
  /** The same for the events that arrived. */
  events(): AsyncGenerator<readonly TimelineRecord<EventRecord>[]>
}

/** A reader of the timeline and the journal at these paths, from their beginning; `own` is what need not be read. */
export function openFollower(
  path: string,
  journalPath: string,
  own: OwnRecords,
  damaged: (path: string, lines: readonly number[]) => UsageError,
  orCannotRead: (error: unknown) => never,
): TimelineFollower {
  const timeline = new LogReader(path)
  const journal = new LogReader(journalPath)

  return {
    async *records() {
      try {
        for (let group = own.takeAt(timeline); group !== undefined; group = own.takeAt(timeline)) {
          yield group.records.filter(isFollowed)
          timeline.skipTo(group.span.end, group.records.length)
        }
        if (own.endsAt(timeline)) return
        for await (const piece of timeline.pieces()) {
          const damagedLines = [...piece.damagedLines]
          const records: FollowedRecord[] = []
          for (const { line, json } of piece.entries) {
            const value: unknown = JSON.parse(json)
            if (isFollowed(value)) records.push(value)
            else damagedLines.push(line)
          }
          if (damagedLines.length > 0) throw damaged(piece.path, damagedLines)
          yield records
        }
      } catch (error) {
        orCannotRead(error)
      }
    },
    async *events() {
      try {
        for await (const { path, entries, damagedLines } of journal.pieces()) {
          if (damagedLines.length > 0) throw damaged(path, damagedLines)
          const lines = entries.map(({ json }) => readJournalLine(json))
          yield lines.filter((line) => line?.type === 'event')
        }
      } catch (error) {
        orCannotRead(error)
      }
    },
  }
}

function isFollowed(value: unknown): value is FollowedRecord {
  return isRecord(value) || isRunRecord(value)
}
