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

/** The events of the journal in the order of their arrival, and why that may not be all. */
export interface ReadEvents {
  events: readonly TimelineRecord<EventRecord>[]
  /** A sentence for each thing that could not be read. */
  damage: readonly string[]
}

/** Reads the events of the journal in this folder; what was read before is not read again. */
export function eventReader(folder: string): () => Promise<ReadEvents> {
  const path = join(folder, JOURNAL_FILE)
  const events: TimelineRecord<EventRecord>[] = []
  let end = 0
  let linesBefore = 0
  const damage: string[] = []

  return async () => {
    try {
      const { entries, damagedLines, end: now } = await readLogFrom(path, end)
      if (damagedLines.length > 0) {
        const lines = damagedLines.map((line) => line + linesBefore)
        damage.push(t`The file ${path} is damaged in line ${lines.join(', ')}, which is left out`)
      }
      end = now
      linesBefore += entries.length + damagedLines.length
      for (const { json } of entries) {
        const line = readJournalLine(json)
        if (line?.type === 'event') events.push(line)
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error
      return { events, damage: [...damage, t`The events that arrived cannot be read from ${path}: ${error.code}`] }
    }
    return { events, damage }
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
