import { join } from 'node:path'
import { t } from '../text/words.ts'
import { isSystemError, UsageError } from '../wire/errors.ts'
import { GroupCommit } from './groupCommit.ts'
import { JOURNAL_FILE } from './journalReading.ts'
import { allOf, runsNamed, type Wanted, wishedBy } from './ledgerCandidates.ts'
import { LedgerLines, type ReadRecords } from './ledgerLines.ts'
import { selectLines } from './lineSelection.ts'
import { damageSentence } from './logDamage.ts'
import { OwnRecords } from './ownRecords.ts'
import type { LedgerRecord, MoneyIntent, RunRecord, TimelineEntry, TimelineRecord } from './records.ts'
import { logBytes } from './segments.ts'
import { TIMELINE_FILE } from './timelineFile.ts'
import { openFollower, type TimelineFollower } from './timelineFollower.ts'

declare const durable: unique symbol

/** An intent that is on the disk. Only the timeline can make one, so what moves money cannot forget its record. */
export type DurableIntent<Kind extends MoneyIntent = MoneyIntent> = TimelineRecord<Kind> & { readonly [durable]: true }

/** The one durable, append-only log of what was asked, what was said, what arrived and what a person knows. */
export interface Timeline {
  /** Stamps the entry and returns once it is on the disk. Throws UsageError where it cannot be written. */
  append<Entry extends TimelineEntry | RunRecord>(entry: Entry): Promise<TimelineRecord<Entry>>
  /** The same for several at once, which are all on the disk or none of them. */
  appendAll<Entry extends TimelineEntry | RunRecord>(entries: readonly Entry[]): Promise<TimelineRecord<Entry>[]>
  /** The same for an intent that moves money. */
  recordIntent<Kind extends MoneyIntent>(intent: Kind): Promise<DurableIntent<Kind>>
  /** The same for several, in their order. */
  recordIntents<Kind extends MoneyIntent>(intents: readonly Kind[]): Promise<DurableIntent<Kind>[]>
  /** Records that an intent is sent again, and vouches for it anew. */
  recordAttempt<Kind extends MoneyIntent>(intent: TimelineRecord<Kind>): Promise<DurableIntent<Kind>>
  /** The same for several, in their order. */
  recordAttempts<Kind extends MoneyIntent>(intents: readonly TimelineRecord<Kind>[]): Promise<DurableIntent<Kind>[]>
  /**
   * All records of transactions, oldest first, and behind them the events that arrived. Where something is wanted, only what
   * tells of it: folding that gives the wanted transactions as folding everything would. A torn last line is left out with
   * a notice, as are damaged lines.
   */
  read(wanted?: Wanted): Promise<readonly LedgerRecord[]>
  /** The same for commands that move money. Throws UsageError that names the damaged lines. */
  readUndamaged(wanted?: Wanted): Promise<readonly LedgerRecord[]>
  /** The record of a run; undefined where there is none of that name. Throws UsageError that names damaged lines. */
  findRun(run: string): Promise<TimelineRecord<RunRecord> | undefined>
  /** Reads all that is recorded, runs too, a piece at a time and then only what is new, so that it need not fit into memory. */
  follow(): TimelineFollower
  /** Bytes of all that is recorded and has arrived, which only grow: something is new where they have. Reads nothing. */
  length(): Promise<number>
}

/** What the timeline needs of the world around it. */
export interface TimelineSurroundings {
  folder: string
  user: string
  machine: string
  now(): number
  newId(): string
  /** A line for a person. */
  notice(line: string): void
  /** Does the work while no other process of this machine does work on the timeline. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>
  /** A file that has so many bytes is sealed and a new one begun; a size of this module's own where it is left out. */
  segmentBytesMax?: number
}

/** Records on their way to the disk. */
interface Item {
  records: readonly object[]
  jsons: readonly string[]
  resolve(): void
  reject(error: unknown): void
}

/** The timeline in this folder, made when it is first written to. */
export function openTimeline(around: TimelineSurroundings): Timeline {
  const path = join(around.folder, TIMELINE_FILE)
  const lines = new LedgerLines(around.folder)
  const said = new Set<string>()
  const own = new OwnRecords()
  const commit = new GroupCommit<Item>({
    path,
    segmentBytesMax: around.segmentBytesMax,
    exclusively: around.exclusively,
    catchUp: async () => undefined,
    batchOf: (items) => ({
      lines: items.flatMap(({ jsons }) => jsons),
      kept(span) {
        own.add(
          span,
          items.flatMap(({ records }) => records),
        )
        for (const { resolve } of items) resolve()
      },
      undo: () => undefined,
    }),
    released: () => own.release(),
    refuse(items, error) {
      for (const { reject } of items) reject(error)
    },
  })

  async function append<Entry extends TimelineEntry | RunRecord>(entry: Entry): Promise<TimelineRecord<Entry>> {
    const record = stamped(entry, new Date(around.now()).toISOString())
    await written([record])
    return record
  }

  async function appendAll<Entry extends TimelineEntry | RunRecord>(
    entries: readonly Entry[],
  ): Promise<TimelineRecord<Entry>[]> {
    const at = new Date(around.now()).toISOString()
    const records = entries.map((entry) => stamped(entry, at))
    if (records.length > 0) await written(records)
    return records
  }

  function stamped<Entry extends TimelineEntry | RunRecord>(entry: Entry, at: string): TimelineRecord<Entry> {
    const { newId, user, machine } = around
    return { id: newId(), at, user, machine, ...entry }
  }

  async function written(records: readonly object[]): Promise<void> {
    const jsons = records.map((record) => JSON.stringify(record))
    try {
      await new Promise<void>((resolve, reject) => commit.put({ records, jsons, resolve, reject }))
    } catch (error) {
      throw cannotRecord(path, error)
    }
  }

  async function readWanted(wanted: Wanted | undefined): Promise<ReadRecords> {
    return readLines((timeline, journal) =>
      wanted === undefined
        ? allOf(timeline, journal)
        : selectLines(timeline, journal, wishedBy(wanted, timeline, journal), null),
    )
  }

  async function readLines(select: Parameters<LedgerLines['read']>[0]): Promise<ReadRecords> {
    const read = await lines.read(select)
    if (read.isTorn) around.notice(t`The last line of ${path} was not written whole and does not count`)
    return read
  }

  function orCannotRead(error: unknown): never {
    if (!isSystemError(error)) throw error
    throw new UsageError(t`What happened before cannot be read from ${path}: ${error.code}`, {
      details: [t`Nothing was sent, because nobody knows what was sent before`],
      hint: t`Make the folder and the file readable and writable, or name another with \`PIXGATE_DATA_DIR\``,
    })
  }

  return {
    append,
    appendAll,
    recordIntent: async (intent) => vouched(await append(intent)),
    recordIntents: async (intents) => (await appendAll(intents)).map(vouched),
    async recordAttempt(intent) {
      await append({ type: 'attempt', of: intent.id })
      return vouched(intent)
    },
    async recordAttempts(intents) {
      await appendAll(intents.map(({ id }) => ({ type: 'attempt', of: id })))
      return intents.map(vouched)
    },
    async read(wanted) {
      const { records, damage, eventDamage } = await readWanted(wanted).catch(orCannotRead)
      for (const sentence of damage) around.notice(sentence)
      for (const sentence of eventDamage.filter((each) => !said.has(each))) {
        around.notice(sentence)
        said.add(sentence)
      }
      return records
    },
    async readUndamaged(wanted) {
      const { records, damage, eventDamage } = await around.exclusively(() => readWanted(wanted)).catch(orCannotRead)
      if (damage.length > 0) throw damagedTimeline(damage)
      if (eventDamage.length > 0) throw damagedEvents(eventDamage)
      return records
    },
    async findRun(run) {
      const { runs, damage } = await readLines((timeline) => runsNamed(run, timeline)).catch(orCannotRead)
      if (damage.length > 0) throw damagedTimeline(damage)
      return runs.find((each) => each.run === run)
    },
    follow: () => openFollower(path, join(around.folder, JOURNAL_FILE), own, damagedFile, orCannotRead),
    async length() {
      const lengths = await Promise.all([path, join(around.folder, JOURNAL_FILE)].map(logBytes))
      return lengths.reduce((sum, length) => sum + length, 0)
    },
  }
}

/** What puts a damaged log right; a command without a terminal must be told to. */
const REPAIR_HINT = () =>
  t`Put the file right from a copy, or run \`pixgate history repair\`, which keeps a copy and says what was lost`

/** An event may tell that a payment was made which people or answers said was not. */
function damagedEvents([message = '', ...details]: readonly string[]): UsageError {
  return new UsageError(message, {
    details: [...details, t`Without it nobody knows all that was paid, so nothing that moves money is sent`],
    hint: REPAIR_HINT(),
  })
}

/** The one place where an intent becomes durable: after its record, or its attempt's, is on the disk. */
function vouched<Kind extends MoneyIntent>(intent: TimelineRecord<Kind>): DurableIntent<Kind> {
  return intent as DurableIntent<Kind>
}

/** Why nothing that moves money can be done with this timeline. */
function damagedTimeline([message = '', ...details]: readonly string[]): UsageError {
  return new UsageError(message, {
    details: [...details, t`Without it nobody knows what was sent, so nothing that moves money is sent`],
    hint: REPAIR_HINT(),
  })
}

function damagedFile(path: string, lines: readonly number[]): UsageError {
  return damagedTimeline([damageSentence(path, lines)])
}

function cannotRecord(path: string, error: unknown): unknown {
  if (!isSystemError(error)) return error
  if (error.code === 'DAMAGED_LAST_LINE') return damagedTimeline([t`The last line of ${path} is damaged`])
  return new UsageError(t`What happens cannot be recorded in ${path}: ${error.code}`, {
    details: [t`Nothing was sent, because a payment without a record could be made twice`],
    hint: t`Make room on the disk and the folder writable, or name another with \`PIXGATE_DATA_DIR\``,
  })
}
