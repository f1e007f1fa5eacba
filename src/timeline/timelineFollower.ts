import { closeSync, openSync, readSync } from 'node:fs'
import type { UsageError } from '../wire/errors.ts'
import { readJournalLine } from './journalReading.ts'
import { contentsOf, type LogContents, logPieces } from './logFile.ts'
import { isRecord, isRunRecord } from './recordShape.ts'
import type { EventRecord, RunRecord, TimelineRecord } from './records.ts'

/** All that the timeline's own file holds. */
export type FollowedRecord = TimelineRecord | TimelineRecord<RunRecord>

/** A reader that remembers how far it has read. */
export interface TimelineFollower {
  /** What was recorded since the last call, oldest first, in pieces. Throws UsageError that names damaged lines. */
  records(): AsyncGenerator<readonly FollowedRecord[]>
  /** The same for the events that arrived. */
  events(): AsyncGenerator<readonly TimelineRecord<EventRecord>[]>
}

const NEWS_BYTES_MAX = 64 * 1024
const NEWLINE = 0x0a
const buffer = Buffer.alloc(NEWS_BYTES_MAX)

/**
 * What stands behind this many bytes of a log that was read before; undefined where that is much. What was written a moment
 * ago is read without waiting for a thread, because a batch asks for it thousands of times a second.
 */
function newsIn(path: string, offset: number): (LogContents & { end: number }) | undefined {
  const file = openSync(path, 'r')
  try {
    const length = readSync(file, buffer, 0, buffer.length, offset)
    if (length === buffer.length) return undefined
    const whole = buffer.subarray(0, length).lastIndexOf(NEWLINE) + 1
    return { ...contentsOf(buffer.toString('utf8', 0, whole)), end: offset + whole }
  } finally {
    closeSync(file)
  }
}

/** A reader of the timeline and the journal at these paths, from their beginning. */
export function openFollower(
  path: string,
  journalPath: string,
  damaged: (path: string, lines: readonly number[]) => UsageError,
  orCannotRead: (error: unknown) => never,
): TimelineFollower {
  let end = 0
  let linesBefore = 0
  let journalEnd = 0
  let journalLinesBefore = 0

  return {
    async *records() {
      try {
        const news = linesBefore === 0 ? undefined : newsIn(path, end)
        for await (const piece of news === undefined ? logPieces(path, end) : [news]) {
          const damagedLines = piece.damagedLines.map((line) => line + linesBefore)
          const records: FollowedRecord[] = []
          for (const { line, json } of piece.entries) {
            const value: unknown = JSON.parse(json)
            if (isRecord(value) || isRunRecord(value)) records.push(value)
            else damagedLines.push(line + linesBefore)
          }
          if (damagedLines.length > 0) throw damaged(path, damagedLines)
          end = piece.end
          linesBefore += piece.entries.length
          yield records
        }
      } catch (error) {
        orCannotRead(error)
      }
    },
    async *events() {
      try {
        for await (const piece of logPieces(journalPath, journalEnd)) {
          const damagedLines = piece.damagedLines.map((line) => line + journalLinesBefore)
          if (damagedLines.length > 0) throw damaged(journalPath, damagedLines)
          journalLinesBefore += piece.entries.length
          journalEnd = piece.end
          const lines = piece.entries.map(({ json }) => readJournalLine(json))
          yield lines.filter((line) => line?.type === 'event')
        }
      } catch (error) {
        orCannotRead(error)
      }
    },
  }
}
