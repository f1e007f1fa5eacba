import { join } from 'node:path'
import { JOURNAL_FILE, readJournalLine } from './journalReading.ts'
import { contentsOf, openOrNothing, readBytes } from './logFile.ts'
import { isRecord } from './recordShape.ts'
import type { LedgerRecord } from './records.ts'
import { segmentPaths } from './segments.ts'
import { TIMELINE_FILE } from './timelineFile.ts'

const END_BYTES = 256 * 1024

/** What this folder's timeline and journal hold at their ends, oldest first: for a shell that cannot wait for all of it. */
export async function recentRecords(folder: string): Promise<LedgerRecord[]> {
  const [own, arrived] = await Promise.all([TIMELINE_FILE, JOURNAL_FILE].map((name) => jsonAtEnd(join(folder, name))))
  const records: LedgerRecord[] = []
  for (const json of own ?? []) {
    const value: unknown = JSON.parse(json)
    if (isRecord(value)) records.push(value)
  }
  for (const json of arrived ?? []) {
    const line = readJournalLine(json)
    if (line?.type === 'event') records.push(line)
  }
  return records.sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

/** A file that was begun a moment ago holds next to nothing, so the one before it is looked at too. */
async function jsonAtEnd(path: string): Promise<string[]> {
  const lastTwo = segmentPaths(path).slice(-2)
  return (await Promise.all(lastTwo.map(jsonAtEndOf))).flat()
}

async function jsonAtEndOf(path: string): Promise<string[]> {
  const file = await openOrNothing(path)
  if (file === undefined) return []
  try {
    const start = Math.max(0, (await file.stat()).size - END_BYTES)
    const text = (await readBytes(file, start, END_BYTES)).toString('utf8')
    const whole = start === 0 ? text : text.slice(text.indexOf('\n') + 1)
    return contentsOf(whole).entries.map(({ json }) => json)
  } finally {
    await file.close()
  }
}
