import { join } from 'node:path'
import { t } from '../text/words.ts'
import { isSystemError } from '../wire/errors.ts'
import { JOURNAL_FILE, readJournalLine } from './journalReading.ts'
import type { SelectedLines } from './lineSelection.ts'
import type { LineTable } from './lineTable.ts'
import { leftOutSentence } from './logDamage.ts'
import { LogLines } from './logLines.ts'
import { journalLook, timelineLook } from './recordLook.ts'
import { isRecord, isRunRecord } from './recordShape.ts'
import type { LedgerRecord, RunRecord, TimelineRecord } from './records.ts'
import { TIMELINE_FILE } from './timelineFile.ts'

/** What was read of the ledger, and why that may not be all. */
export interface ReadRecords {
  /** Oldest first, the events behind all others. */
  records: LedgerRecord[]
  /** The runs among what was read. */
  runs: TimelineRecord<RunRecord>[]
  /** A sentence for each file of the timeline that is damaged. */
  damage: string[]
  /** A sentence for each fault of the journal. */
  eventDamage: string[]
  /** True where the last line of the timeline was not written whole. */
  isTorn: boolean
}

/** What the lines of the timeline and of the journal are; it is brought up to date by each reading. */
export class LedgerLines {
  readonly #journalPath: string
  readonly #timeline: LogLines
  readonly #journal: LogLines
  #reading: Promise<unknown> = Promise.resolve()

  constructor(folder: string) {
    this.#journalPath = join(folder, JOURNAL_FILE)
    this.#timeline = new LogLines(join(folder, TIMELINE_FILE), timelineLook())
    this.#journal = new LogLines(this.#journalPath, journalLook())
  }

  /**
   * Reads the lines that are selected when all that was recorded is known. Throws the system's error where the timeline
   * cannot be read.
   */
  read(select: (timeline: LineTable, journal: LineTable) => SelectedLines): Promise<ReadRecords> {
    const reading = this.#reading.then(() => this.#read(select))
    this.#reading = reading.catch(() => undefined)
    return reading
  }

  async #read(select: (timeline: LineTable, journal: LineTable) => SelectedLines): Promise<ReadRecords> {
    await this.#timeline.refresh()
    const records: LedgerRecord[] = []
    const runs: TimelineRecord<RunRecord>[] = []
    const faults: string[] = []
    await this.#orFault(faults, () => this.#journal.refresh())
    const { timeline, journal } = select(this.#timeline.table, this.#journal.table)
    for await (const json of this.#timeline.texts(timeline)) {
      const value: unknown = JSON.parse(json)
      if (isRecord(value)) records.push(value)
      else if (isRunRecord(value)) runs.push(value)
    }
    await this.#orFault(faults, async () => {
      for await (const json of this.#journal.texts(journal)) {
        const line = readJournalLine(json)
        if (line?.type === 'event') records.push(line)
      }
    })
    return {
      records,
      runs,
      damage: this.#timeline.damage.sentences(),
      eventDamage: [...this.#journal.damage.sentences(leftOutSentence), ...faults],
      isTorn: this.#timeline.isTorn,
    }
  }

  async #orFault(faults: string[], work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!isSystemError(error)) throw error
      faults.push(t`The events that arrived cannot be read from ${this.#journalPath}: ${error.code}`)
    }
  }
}
