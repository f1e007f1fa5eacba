import type { MoneyIntent, TimelineRecord } from '../../timeline/records.ts'
import type { TimelineFollower } from '../../timeline/timelineFollower.ts'
import { LedgerIndex } from './ledgerIndex.ts'

/** An index of the timeline that is brought up to date as the timeline grows. */
export class LedgerTail {
  readonly index = new LedgerIndex()
  readonly #follower: TimelineFollower
  #reading: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  /** Why the index cannot be brought up to date any more. */
  #halfTaken: { reason: unknown } | undefined

  constructor(follower: TimelineFollower) {
    this.#follower = follower
  }

  /**
   * Takes in all that was recorded before this call. Throws UsageError for damaged lines; what could not be read is read
   * the next time.
   */
  refresh(): Promise<void> {
    // A reading that is under way may have begun too early, so what is asked for now waits for the one after it.
    const before = this.#reading.catch(() => undefined)
    this.#next ??= before.then(() => {
      this.#next = undefined
      this.#reading = this.#read()
      return this.#reading
    })
    return this.#next
  }

  /** The same, with the events that have arrived. */
  async refreshWithEvents(): Promise<void> {
    await this.refresh()
    for await (const events of this.#follower.events()) this.index.addEvents(events)
    this.index.settle()
  }

  async #read(): Promise<void> {
    if (this.#halfTaken !== undefined) throw this.#halfTaken.reason
    for await (const records of this.#follower.records()) {
      try {
        for (const record of records) this.index.add(record)
      } catch (reason) {
        // The same records would be given again, and those of them that were taken would count twice.
        this.#halfTaken = { reason }
        throw reason
      }
    }
  }
}

/** Reads the intents of some entries of an index again. `follower` begins at the beginning. */
export async function readEntries(
  follower: TimelineFollower,
  wanted: ReadonlySet<number>,
): Promise<Map<number, TimelineRecord<MoneyIntent>>> {
  const found = new Map<number, TimelineRecord<MoneyIntent>>()
  if (wanted.size === 0) return found
  let entry = 0
  for await (const records of follower.records()) {
    for (const record of records) {
      if (record.type !== 'intent' || record.kind === 'qr') continue
      if (wanted.has(entry)) found.set(entry, record)
      entry += 1
    }
    if (found.size === wanted.size) break
  }
  return found
}
