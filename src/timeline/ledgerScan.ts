import { join } from 'node:path'
import { t } from '../text/words.ts'
import { UsageError } from '../wire/errors.ts'
import { CandidateTest } from './candidateTest.ts'
import { JOURNAL_FILE, readJournalLine } from './journalReading.ts'
import { isMeant, type LedgerFilter } from './ledgerFilter.ts'
import { type Glance, Glancer, glanceAtRecord, isIntentMark } from './lineGlance.ts'
import { eachLine, judgeTail, linePieces, textsAt } from './lineScan.ts'
import { selectLines } from './lineSelection.ts'
import { LineTable } from './lineTable.ts'
import { isRecord, isRunRecord } from './recordShape.ts'
import type { LedgerRecord } from './records.ts'
import { TIMELINE_FILE } from './timelineFile.ts'
import { foldLedger, type Transaction } from './transactions.ts'

/** Where the ledger is, and who is told of what cannot be read of it. */
export interface ScanSurroundings {
  folder: string
  notice(line: string): void
}

/** What was seen of a log, and which of its lines are damaged. */
interface Scanned {
  lines: LineTable
  damagedLines: number[]
}

interface ScannedTimeline extends Scanned {
  /** True where the last line was not written whole. */
  isTorn: boolean
  /** The intents that the filter may mean, by their indices among the lines. */
  candidates: number[]
}

/**
 * The transactions that a filter means, in the order of their intents: the same as reading and folding everything and
 * leaving out the others, but only their lines, and those that they depend on, are parsed. Damage is told like
 * `Timeline.read` does. Throws UsageError where the timeline cannot be read.
 */
export async function scanLedger(around: ScanSurroundings, filter: LedgerFilter): Promise<Transaction[]> {
  const timelinePath = join(around.folder, TIMELINE_FILE)
  const journalPath = join(around.folder, JOURNAL_FILE)
  const timeline = await scanTimeline(timelinePath, filter).catch((error: unknown) => {
    throw cannotRead(timelinePath, error)
  })
  const journal = await scanJournal(journalPath).catch((error: unknown) => withoutJournal(around, journalPath, error))
  const selection = selectLines(timeline.lines, journal.lines, timeline.candidates, filter.state)
  const records = await readRecords(timelinePath, timeline.lines, selection.timeline)
  const events = await readEvents(journalPath, journal.lines, selection.journal)
  tellDamage(around, timelinePath, timeline)
  if (journal.damagedLines.length > 0) {
    around.notice(t`The file ${journalPath} is damaged in line ${journal.damagedLines.join(', ')}, which is left out`)
  }
  return foldLedger([...records, ...events]).transactions.filter((each) => isMeant(each, filter))
}

async function scanTimeline(path: string, filter: LedgerFilter): Promise<ScannedTimeline> {
  const scanned: ScannedTimeline = { lines: new LineTable(), damagedLines: [], isTorn: false, candidates: [] }
  const test = new CandidateTest(filter)
  const glancer = new Glancer()
  let line = 0
  for await (const { bytes, offset, isTail } of linePieces(path)) {
    const tail = isTail ? judgeTail(bytes) : 'whole'
    if (tail === 'torn') {
      scanned.isTorn = true
      continue
    }
    test.beginPiece()
    eachLine(bytes, (start, end, isWhole) => {
      line += 1
      const seen = isWhole ? glancer.look(bytes, start, end) : undefined
      const other = isWhole && seen === undefined ? otherForm(bytes.toString('utf8', start, end)) : undefined
      const known = seen ?? other
      if (known === undefined) scanned.damagedLines.push(line)
      else if (known.mark !== 'other') {
        const index = scanned.lines.add(offset + start, end - start, known)
        if (!isIntentMark(known.mark)) return
        if (seen === undefined || test.passes(bytes, start, end, seen)) scanned.candidates.push(index)
      }
    })
  }
  return scanned
}

/** A record that is not written the way in which this program writes; undefined where it is none. */
function otherForm(json: string): Omit<Glance, 'at'> | undefined {
  const value: unknown = JSON.parse(json)
  return isRecord(value) || isRunRecord(value) ? glanceAtRecord(value) : undefined
}

async function scanJournal(path: string): Promise<Scanned> {
  const scanned: Scanned = { lines: new LineTable(), damagedLines: [] }
  const glancer = new Glancer()
  let line = 0
  for await (const { bytes, offset, isTail } of linePieces(path)) {
    // What another process is about to write.
    if (isTail) continue
    eachLine(bytes, (start, end, isWhole) => {
      line += 1
      if (!isWhole) {
        scanned.damagedLines.push(line)
        return
      }
      const seen =
        glancer.look(bytes, start, end) ?? glanceAtRecord(readJournalLine(bytes.toString('utf8', start, end)))
      if (seen.mark !== 'other') scanned.lines.add(offset + start, end - start, seen)
    })
  }
  return scanned
}

async function readRecords(path: string, lines: LineTable, wanted: readonly number[]): Promise<LedgerRecord[]> {
  const records: LedgerRecord[] = []
  for await (const json of textsAt(path, placesOf(lines, wanted))) {
    const value: unknown = JSON.parse(json)
    if (isRecord(value)) records.push(value)
  }
  return records
}

async function readEvents(path: string, lines: LineTable, wanted: readonly number[]): Promise<LedgerRecord[]> {
  const events: LedgerRecord[] = []
  for await (const json of textsAt(path, placesOf(lines, wanted))) {
    const line = readJournalLine(json)
    if (line?.type === 'event') events.push(line)
  }
  return events
}

function* placesOf(lines: LineTable, wanted: readonly number[]): Generator<{ offset: number; length: number }> {
  for (const index of wanted) yield lines.place(index)
}

function tellDamage({ notice }: ScanSurroundings, path: string, { damagedLines, isTorn }: ScannedTimeline): void {
  if (isTorn) notice(t`The last line of ${path} was not written whole and does not count`)
  if (damagedLines.length > 0) notice(t`The file ${path} is damaged in line ${damagedLines.join(', ')}`)
}

function cannotRead(path: string, error: unknown): unknown {
  const code = systemCodeOf(error)
  if (code === undefined) return error
  return new UsageError(t`What happened before cannot be read from ${path}: ${code}`, {
    hint: t`Make the folder and the file readable, or name another with \`PIXGATE_DATA_DIR\``,
  })
}

function withoutJournal({ notice }: ScanSurroundings, path: string, error: unknown): Scanned {
  const code = systemCodeOf(error)
  if (code === undefined) throw error
  notice(t`The events that arrived cannot be read from ${path}: ${code}`)
  return { lines: new LineTable(), damagedLines: [] }
}

function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
