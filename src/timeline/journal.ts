import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { t } from '../text/words.ts'
import { type Arrival, recordLine } from './eventLine.ts'
import { JOURNAL_FILE, type JournalLine, readJournalLine } from './journalReading.ts'
import { KnownEvents } from './knownEvents.ts'
import { type OpenLog, openLog, readLogFrom } from './logFile.ts'
import type { EventRecord, ForwardRecord, TimelineRecord } from './records.ts'
import type { TimelineSurroundings } from './timeline.ts'

/** Under which number an event is kept, and whether it had been before. */
export interface Kept {
  n: number
  duplicate: boolean
}

/** An event with what became of passing it on, in the order of the attempts. */
export interface JournalEvent {
  record: TimelineRecord<EventRecord>
  forwards: TimelineRecord<ForwardRecord>[]
}

/** The durable log of the webhooks that arrived. Several processes may write to it at once. */
export interface Journal {
  /** Returns once the event is on the disk. The same bytes again are not kept twice. Throws the system's error. */
  keep(arrival: Arrival): Promise<Kept>
  /** Keeps what became of passing an event on; it waits for nothing, because nobody is paid by it. */
  noteForward(forward: Omit<ForwardRecord, 'type'>): void
  /** Waits until all of that is written. */
  settled(): Promise<void>
  /** All events, oldest first. Damaged lines are left out with a notice. */
  events(): Promise<JournalEvent[]>
  /** What was appended since the last call, or since the journal was opened for reading with `skipToEnd`. */
  news(): Promise<TimelineRecord<EventRecord>[]>
  /** Leaves out of `news` what stands in the journal now. */
  skipToEnd(): Promise<void>
}

/** So many go to the disk at once. */
const BATCH_MAX = 512
/** After so many batches another process gets its turn. */
const TURN_BATCHES = 200
const OTHERS_TURN_MS = 5
/** How long the lock is held for what comes next. */
const LINGER_MS = 20

interface Waiting {
  arrival: Arrival
  resolve(kept: Kept): void
  reject(error: unknown): void
}

type Noted = Omit<ForwardRecord, 'type'>

/** The journal in this folder, made when it is first written to. */
export function openJournal(around: TimelineSurroundings): Journal {
  const path = join(around.folder, JOURNAL_FILE)
  const known = new KnownEvents()
  let end = 0
  let newsFrom = 0
  const waiting: Waiting[] = []
  const forwards: Noted[] = []
  let writing: Promise<void> | undefined
  let isWoken = false
  let isSettling = false
  let arrived = () => {}

  /** Reads what another process has appended since. */
  async function catchUp(): Promise<void> {
    const { entries, end: now } = await readLogFrom(path, end)
    end = now
    for (const { json } of entries) {
      const line = readJournalLine(json)
      if (line?.type === 'event') known.addRecord(line)
    }
  }

  /** Writes everything that waits. The lock is held over many batches, because to take it costs as much as a batch. */
  async function writeAll(): Promise<void> {
    while (hasWork()) {
      try {
        await around.exclusively(writeTurn)
      } catch (error) {
        for (const { reject } of waiting.splice(0)) reject(error)
        forwards.length = 0
      }
      if (hasWork()) await sleep(OTHERS_TURN_MS)
    }
    writing = undefined
  }

  async function writeTurn(): Promise<void> {
    const log = await openLog(path)
    try {
      await catchUp()
      for (let batches = 0; batches < TURN_BATCHES && (await hasWorkSoon()); batches++) {
        await writeBatch(log, waiting.splice(0, BATCH_MAX), forwards.splice(0, BATCH_MAX))
      }
    } finally {
      await log.close()
    }
  }

  function hasWork(): boolean {
    return waiting.length + forwards.length > 0
  }

  /** Senders who wait for their answers send the next events soon after them. */
  async function hasWorkSoon(): Promise<boolean> {
    if (hasWork() || isSettling) return hasWork()
    const timer = new Promise<void>((resolve) => setTimeout(resolve, LINGER_MS))
    await Promise.race([timer, new Promise<void>((resolve) => (arrived = resolve))])
    return hasWork()
  }

  async function writeBatch(log: OpenLog, batch: readonly Waiting[], noted: readonly Noted[]): Promise<void> {
    const added: { forget(): void }[] = []
    const lines: string[] = []
    const kept = batch.map(({ arrival }) => {
      const place = known.placeOf(arrival)
      if (place.same !== null) return { n: place.same, duplicate: true }
      const { duplicateOf } = place
      const entry = known.add(place)
      added.push(entry)
      lines.push(recordLine(stamp(arrival.receivedAtMs), arrival, entry.n, duplicateOf))
      return { n: entry.n, duplicate: duplicateOf !== null }
    })
    for (const forward of noted) lines.push(JSON.stringify({ ...stamp(around.now()), type: 'forward', ...forward }))
    try {
      if (lines.length > 0) end = await log.append(lines)
    } catch (error) {
      for (const { forget } of added) forget()
      for (const { reject } of batch) reject(error)
      return
    }
    for (const [index, { resolve }] of batch.entries()) {
      const own = kept[index]
      if (own !== undefined) resolve(own)
    }
  }

  /** Begins after everything that has arrived by now, so that it goes to the disk together. */
  function wake(): void {
    if (isWoken) return
    isWoken = true
    setImmediate(() => {
      isWoken = false
      arrived()
      writing ??= writeAll()
    })
  }

  function stamp(atMs: number) {
    const { newId, user, machine } = around
    return { id: newId(), at: new Date(atMs).toISOString(), user, machine }
  }

  return {
    keep: (arrival) =>
      new Promise((resolve, reject) => {
        waiting.push({ arrival, resolve, reject })
        wake()
      }),
    noteForward(forward) {
      forwards.push(forward)
      wake()
    },
    async settled() {
      isSettling = true
      arrived()
      while (isWoken || writing !== undefined) await (writing ?? new Promise((resolve) => setImmediate(resolve)))
      isSettling = false
    },
    async events() {
      const { entries, damagedLines } = await readLogFrom(path, 0)
      if (damagedLines.length > 0) {
        around.notice(t`The file ${path} is damaged in line ${damagedLines.join(', ')}, which is left out`)
      }
      return withForwards(entries.map(({ json }) => readJournalLine(json)))
    },
    async news() {
      const { entries, end: now } = await readLogFrom(path, newsFrom)
      newsFrom = now
      const lines = entries.map(({ json }) => readJournalLine(json))
      return lines.filter((line) => line?.type === 'event')
    },
    async skipToEnd() {
      newsFrom = (await readLogFrom(path, newsFrom)).end
    },
  }
}

function withForwards(lines: readonly (JournalLine | undefined)[]): JournalEvent[] {
  const events = new Map<number, JournalEvent>()
  for (const line of lines) {
    if (line?.type === 'event') events.set(line.n, { record: line, forwards: [] })
    if (line?.type === 'forward') events.get(line.n)?.forwards.push(line)
  }
  return [...events.values()]
}
