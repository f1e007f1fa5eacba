import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenLog, Span } from './logFile.ts'
import { openLastSegment, SEGMENT_BYTES_MAX } from './segments.ts'

/** A batch on its way to the disk. */
export interface Batch {
  lines: readonly string[]
  /** Called once the lines are on the disk, with where they stand. */
  kept(span: Span): void
  /** Called where they are not; nothing of them is in the file. */
  undo(): void
}

/** How items become lines of a log. */
export interface GroupCommitRules<Item> {
  path: string
  /** When the file has so many bytes it is sealed and a new one begun. */
  segmentBytesMax?: number | undefined
  /** Does the work while no other process of this machine does work on the log. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>
  /** Reads what another process has appended; called under the lock, before the first batch of a turn. */
  catchUp(): Promise<void>
  batchOf(items: readonly Item[]): Batch
  /** Called under the lock, before another process may append again. */
  released(): void
  /** Tells items of no batch that they are not kept. */
  refuse(items: readonly Item[], error: unknown): void
}

/** So many go to the disk at once. */
const BATCH_MAX = 128
/** Nobody waits for more than these: a sync for so many costs each of them little, and the next ones arrive meanwhile. */
const GATHERED_MAX = 24
/** After so many batches another process gets its turn. */
const TURN_BATCHES = 200
const OTHERS_TURN_MS = 5
/** How long the lock is held for what comes next, where several came at once before. */
const LINGER_MS = 20

/**
 * Writes what several ask for at once with one sync of the disk. The lock is held over many batches, because to take it
 * costs as much as a batch.
 */
export class GroupCommit<Item> {
  readonly #rules: GroupCommitRules<Item>
  readonly #waiting: Item[] = []
  #writing: Promise<void> | undefined
  #isWoken = false
  #isSettling = false
  #arrived = () => {}

  constructor(rules: GroupCommitRules<Item>) {
    this.#rules = rules
  }

  /** Takes an item in; its batch is told what became of it. */
  put(item: Item): void {
    this.#waiting.push(item)
    if (this.#isWoken) return
    this.#isWoken = true
    // Begins after everything that has arrived by now, so that it goes to the disk together.
    setImmediate(() => {
      this.#isWoken = false
      this.#arrived()
      this.#writing ??= this.#writeAll()
    })
  }

  /** Waits until everything is written or has failed. */
  async settled(): Promise<void> {
    this.#isSettling = true
    this.#arrived()
    while (this.#isWoken || this.#writing !== undefined) {
      await (this.#writing ?? new Promise((resolve) => setImmediate(resolve)))
    }
    this.#isSettling = false
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      try {
        await this.#rules.exclusively(() => this.#writeTurn())
      } catch (error) {
        this.#rules.refuse(this.#waiting.splice(0), error)
      }
      if (this.#waiting.length > 0) await sleep(OTHERS_TURN_MS)
    }
    this.#writing = undefined
  }

  async #writeTurn(): Promise<void> {
    const { path, segmentBytesMax } = this.#rules
    const log = await openLastSegment(path, segmentBytesMax ?? SEGMENT_BYTES_MAX)
    try {
      await this.#rules.catchUp()
      let isBusy = false
      for (let batches = 0; batches < TURN_BATCHES && (await this.#hasWorkSoon(isBusy)); batches++) {
        isBusy ||= this.#waiting.length > 1
        await this.#write(log, this.#waiting.splice(0, BATCH_MAX))
      }
    } finally {
      this.#rules.released()
      await log.close()
    }
  }

  async #write(log: OpenLog, items: readonly Item[]): Promise<void> {
    let batch: Batch | undefined
    let span: Span
    try {
      batch = this.#rules.batchOf(items)
      span = await log.append(batch.lines)
    } catch (error) {
      batch?.undo()
      this.#rules.refuse(items, error)
      return
    }
    batch.kept(span)
  }

  /** Who waits for an answer asks again soon after it. */
  async #hasWorkSoon(isBusy: boolean): Promise<boolean> {
    if (this.#waiting.length === 0 && isBusy && !this.#isSettling) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LINGER_MS)
        this.#arrived = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    await this.#gather()
    return this.#waiting.length > 0
  }

  /** Waits as long as every turn of the loop brings more, until a sync is worth it. */
  async #gather(): Promise<void> {
    for (let before = 0; before < this.#waiting.length && this.#waiting.length < GATHERED_MAX; ) {
      before = this.#waiting.length
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}
