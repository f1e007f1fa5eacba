import { join } from 'node:path'
import { instantText } from '../pix/calendar.ts'
import { type Arrival, recordLine } from './eventLine.ts'
import { type Batch, GroupCommit } from './groupCommit.ts'
import { JOURNAL_FILE, type JournalLine, readJournalLine } from './journalReading.ts'
import { KnownEvents, type Place } from './knownEvents.ts'
import { LogDamage, leftOutSentence } from './logDamage.ts'
import { LogReader } from './logReader.ts'
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
  /** Reads what is kept already, which takes a while where that is much, so that the first event need not wait for it. */
  prepare(): Promise<void>
  /** Returns once the event is on the disk. The same bytes again are not kept twice. Throws the system's error. */
  keep(arrival: Arrival): Promise<Kept>
  /** Keeps what became of passing an event on; it waits for nothing, because nobody is paid by it. */
  noteForward(forward: Omit<ForwardRecord, 'type'>): void
  /** Waits until all of that is written. */
  settled(): Promise<void>
  /** All events, oldest first. Damaged lines are left out with a notice. */
  events(): Promise<JournalEvent[]>
}

type Noted = Omit<ForwardRecord, 'type'>

/** What is to be written. */
type Item =
  | { arrival: Arrival; resolve(kept: Kept): void; reject(error: unknown): void }
  | { arrival: null; forward: Noted }

/** An event of a batch: its number, and where it stands among the others. */
interface Entry {
  n: number
  place: Place
  resolve(kept: Kept): void
}

/** The journal in this folder, made when it is first written to. */
export function openJournal(around: TimelineSurroundings): Journal {
  const path = join(around.folder, JOURNAL_FILE)
  let known = new KnownEvents()
  let reader = new LogReader(path)
  const { exclusively, segmentBytesMax } = around
  const released = () => undefined
  const commit = new GroupCommit<Item>({ path, segmentBytesMax, exclusively, catchUp, batchOf, released, refuse })

  /** Reads what another process has appended since. */
  async function catchUp(): Promise<void> {
    if (await reader.isBeyondEnd()) {
      // Somebody has taken the file away, and with it what was known.
      known = new KnownEvents()
      reader = new LogReader(path)
    }
    for await (const { entries } of reader.pieces()) {
      for (const { json } of entries) {
        const line = readJournalLine(json)
        if (line?.type === 'event') known.addRecord(line)
      }
    }
  }

  function batchOf(items: readonly Item[]): Batch {
    const lines: string[] = []
    const entries: Entry[] = []
    for (const item of items) {
      if (item.arrival === null) {
        lines.push(JSON.stringify({ ...stamp(around.now()), type: 'forward', ...item.forward }))
        continue
      }
      const { arrival, resolve } = item
      const place = known.placeOf(arrival)
      const n = place.same ?? known.add(place)
      entries.push({ n, place, resolve })
      if (place.same === null) lines.push(recordLine(stamp(arrival.receivedAtMs), arrival, n, place))
    }
    return {
      lines,
      kept({ end }) {
        reader.skipTo(end, lines.length)
        for (const { n, place, resolve } of entries) {
          resolve({ n, duplicate: place.same !== null || place.duplicateOf !== null })
        }
      },
      undo() {
        for (const { n, place } of entries) if (place.same === null) known.forget(n, place)
      },
    }
  }

  function refuse(items: readonly Item[], error: unknown): void {
    for (const item of items) {
      if (item.arrival !== null) item.reject(error)
    }
  }

  function stamp(atMs: number) {
    const { newId, user, machine } = around
    return { id: newId(), at: instantText(atMs), user, machine }
  }

  return {
    prepare: catchUp,
    keep: (arrival) => new Promise((resolve, reject) => commit.put({ arrival, resolve, reject })),
    noteForward: (forward) => commit.put({ arrival: null, forward }),
    settled: () => commit.settled(),
    async events() {
      const lines: (JournalLine | undefined)[] = []
      const damage = new LogDamage()
      for await (const piece of new LogReader(path).pieces()) {
        damage.add(piece.path, piece.damagedLines)
        for (const { json } of piece.entries) lines.push(readJournalLine(json))
      }
      for (const sentence of damage.sentences(leftOutSentence)) around.notice(sentence)
      return withForwards(lines)
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
