import { join } from 'node:path'
import { t } from '../text/words.ts'
import { isObject, textField } from '../wire/answers.ts'
import { readLogFrom } from './logFile.ts'
import type { EventRecord, ForwardRecord, TimelineRecord } from './records.ts'

/** The journal's file in the folder of what this machine remembers. */
export const JOURNAL_FILE = 'events.log'

export type JournalLine = TimelineRecord<EventRecord> | TimelineRecord<ForwardRecord>

/** A line of the journal; undefined for what this program did not write. */
export function readJournalLine(json: string): JournalLine | undefined {
  const value: unknown = JSON.parse(json)
  return isJournalLine(value) ? value : undefined
}

/**
 * Reads the events of the journal in this folder, in the order of their arrival; what was read before is not read again.
 * What cannot be read is left out with a notice, once.
 */
export function eventReader(
  folder: string,
  notice: (line: string) => void,
): () => Promise<readonly TimelineRecord<EventRecord>[]> {
  const path = join(folder, JOURNAL_FILE)
  const events: TimelineRecord<EventRecord>[] = []
  let end = 0
  let linesBefore = 0
  let isSaid = false

  return async () => {
    try {
      const { entries, damagedLines, end: now } = await readLogFrom(path, end)
      if (damagedLines.length > 0) {
        const lines = damagedLines.map((line) => line + linesBefore)
        notice(t`The file ${path} is damaged in line ${lines.join(', ')}, which is left out`)
      }
      end = now
      linesBefore += entries.length + damagedLines.length
      for (const { json } of entries) {
        const line = readJournalLine(json)
        if (line?.type === 'event') events.push(line)
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error
      if (!isSaid) notice(t`The events that arrived cannot be read from ${path}: ${error.code}`)
      isSaid = true
    }
    return events
  }
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
