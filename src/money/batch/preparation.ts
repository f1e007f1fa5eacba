import type { MoneyIntent, TimelineRecord } from '../../timeline/records.ts'
import type { DurableIntent } from '../../timeline/timeline.ts'
import type { Failure } from '../../wire/errors.ts'
import type { Desk } from '../desk.ts'
import { ownerOf } from '../recording.ts'
import { type KeptRow, rowIntent } from './keptRow.ts'
import type { LedgerTail } from './ledgerTail.ts'
import { type ObstacleWish, obstacleOf } from './plan.ts'

/** How a row is sent: for the first time under an id of its attempt, or the same intent again. */
export type Task = { attempt: number } | { again: TimelineRecord<MoneyIntent> }

/** Which rows of a run are sent, and how. */
export interface RowSource {
  run: string
  reference: string
  rows: AsyncIterable<KeptRow>
  /** What to do with a row as the ledger stands; undefined for one that is left alone. */
  taskOf(row: KeptRow): Task | undefined
  /** Payments outside the batch that were made before this entry of the ledger may be made once more. */
  repeatableBefore: number
  /** So many rows are taken up at most; null for all. */
  limit: number | null
  /** Why nothing more may be sent, asked when intents stand in the ledger; null while it may. */
  guard(): Failure | null
}

/** A row with something to do. */
export interface Found {
  row: KeptRow
  task: Task
}

/** A row whose intent is on the disk. */
export interface Prepared {
  row: KeptRow
  intent: DurableIntent
  /** True where the same intent was sent before. */
  isAgain: boolean
  /** True where the same payment was made by another process meanwhile. */
  isOvertaken: boolean
}

/** What the work around it says and wants to know. */
interface Around {
  /** How many take rows from it at once. */
  workers: number
  /** True where nothing more is to be taken up. */
  isOver(): boolean
  /** Called with what the guard says, or the timeline or the rows throw; then nothing more is to be sent. */
  fail(error: unknown): void
  /** Records that rows are not sent though their intents are on the disk. */
  giveUp(prepared: Prepared): Promise<void>
}

/** No more intents than these are durable ahead of the workers, because after a crash each that was not sent is in doubt. */
const AHEAD_MAX = 64

/** Of what may stand ahead a half is made durable at once, and the other half even while the disk still works on that. */
const PARTS = 2

/**
 * Takes up the rows of a run in the order of the file and makes their intents durable, several with one sync of the disk.
 * It keeps few of them ahead, and more where somebody had to wait for the disk.
 */
export class Preparation {
  readonly #desk: Desk
  readonly #tail: LedgerTail
  readonly #source: RowSource
  readonly #around: Around
  readonly #rows: AsyncIterator<KeptRow>
  readonly #ready: Prepared[] = []
  #aheadCount: number
  /** Those that are being made durable, in their order, and how many rows they are. */
  readonly #underWay: Promise<void>[] = []
  #underWayCount = 0
  #searching: Promise<unknown> = Promise.resolve()
  #begunCount = 0
  #isLate = false
  #isAtEnd = false

  constructor(desk: Desk, tail: LedgerTail, source: RowSource, around: Around) {
    this.#desk = desk
    this.#tail = tail
    this.#source = source
    this.#around = around
    this.#rows = source.rows[Symbol.asyncIterator]()
    this.#aheadCount = around.workers
  }

  /** The next row, prepared; undefined where there is none left. */
  async next(): Promise<Prepared | undefined> {
    for (;;) {
      const isUnderWay = this.#underWay.length > 0
      const prepared = this.#ready.shift()
      this.#prepareMore()
      const [first] = this.#underWay
      if (prepared !== undefined || first === undefined) return prepared
      // The first rows are waited for in any case.
      this.#isLate ||= isUnderWay && this.#begunCount > this.#around.workers
      await first
    }
  }

  /** The next row with something to do, of which nothing is recorded yet; undefined where there is none left. */
  find(): Promise<Found | undefined> {
    const found = this.#searching.then(() => this.#search())
    this.#searching = found.catch(() => undefined)
    return found
  }

  /** Makes the intents of rows durable, and looks for what has overtaken them. Throws what the timeline throws. */
  async prepare(found: readonly Found[]): Promise<Prepared[]> {
    const { account, now } = this.#desk
    const { run, reference, repeatableBefore } = this.#source
    const { prepared, failure: unrecorded } = await this.#record(found)
    try {
      if (unrecorded !== undefined) throw unrecorded.reason
      await this.#tail.refresh()
      const failure = this.#source.guard()
      if (failure !== null) this.#around.fail(failure)
      const wish = { account: ownerOf(account), reference, run, repeatableBefore, nowMs: now() }
      for (const each of prepared) each.isOvertaken = !each.isAgain && this.#isOvertaken(each, wish)
      return prepared
    } catch (error) {
      // Nobody sends them now, so they must not stay in doubt.
      await Promise.all(prepared.map((each) => this.#around.giveUp(each)))
      throw error
    }
  }

  /** Ends the taking up of rows, and gives those that were prepared for nothing. */
  async close(): Promise<Prepared[]> {
    this.#isAtEnd = true
    await Promise.all([...this.#underWay, this.#searching])
    await this.#rows.return?.()
    return this.#ready.splice(0)
  }

  /** Makes the intents and attempts of rows durable. Gives the rows of which they are, and why others are missing. */
  async #record(
    found: readonly Found[],
  ): Promise<{ prepared: Prepared[]; failure: PromiseRejectedResult | undefined }> {
    const { timeline, account } = this.#desk
    const { run, reference } = this.#source
    const owner = ownerOf(account)
    const fresh: MoneyIntent[] = []
    const again: TimelineRecord<MoneyIntent>[] = []
    for (const { row, task } of found) {
      if ('again' in task) again.push(task.again)
      else fresh.push(rowIntent(row, { owner, run, reference, attempt: task.attempt }))
    }
    const recorded = await Promise.allSettled([
      fresh.length > 0 ? timeline.recordIntents(fresh) : [],
      again.length > 0 ? timeline.recordAttempts(again) : [],
    ])
    const [intents = [], attempts = []] = recorded.map((each) => (each.status === 'fulfilled' ? each.value : []))
    const prepared: Prepared[] = []
    for (const { row, task } of found) {
      const isAgain = 'again' in task
      const intent = (isAgain ? attempts : intents).shift()
      if (intent !== undefined) prepared.push({ row, intent, isAgain, isOvertaken: false })
    }
    return { prepared, failure: recorded.find((each) => each.status === 'rejected') }
  }

  #prepareMore(): void {
    if (this.#isAtEnd) return
    if (this.#isLate) this.#aheadCount = Math.max(this.#aheadCount, Math.min(this.#aheadCount * 2, AHEAD_MAX))
    this.#isLate = false
    const count = this.#aheadCount - this.#ready.length - this.#underWayCount
    if (count * PARTS < this.#aheadCount) return
    const found = this.#searching.then(() => this.#searchSome(count))
    this.#searching = found.catch(() => undefined)
    this.#underWayCount += count
    const preparing = this.#prepareSome(found).finally(() => {
      this.#underWayCount -= count
      this.#underWay.splice(this.#underWay.indexOf(preparing), 1)
    })
    this.#underWay.push(preparing)
  }

  async #prepareSome(searching: Promise<Found[]>): Promise<void> {
    try {
      const found = await searching
      if (found.length > 0) this.#ready.push(...(await this.prepare(found)))
    } catch (error) {
      this.#isAtEnd = true
      this.#around.fail(error)
    }
  }

  async #searchSome(count: number): Promise<Found[]> {
    const found: Found[] = []
    while (found.length < count && !this.#isAtEnd) {
      const next = await this.#search()
      if (next === undefined) this.#isAtEnd = true
      else found.push(next)
    }
    return found
  }

  async #search(): Promise<Found | undefined> {
    const { limit, taskOf } = this.#source
    if (this.#around.isOver() || this.#begunCount === limit) return undefined
    this.#begunCount += 1
    for (let next = await this.#rows.next(); next.done !== true; next = await this.#rows.next()) {
      const task = taskOf(next.value)
      if (task !== undefined) return { row: next.value, task }
    }
    return undefined
  }

  /**
   * True where another process has made the same payment meanwhile. The order of the log decides: whatever comes behind this
   * intent gives way to it, so it may be judged long before it is sent.
   */
  #isOvertaken({ row, intent }: Prepared, wish: Omit<ObstacleWish, 'own'>): boolean {
    const { index } = this.#tail
    const own = index.entryOf(intent.id)
    if (own === undefined) throw new Error('the record of this payment has gone from the log')
    return obstacleOf(index, row, { ...wish, own }) !== undefined
  }
}
