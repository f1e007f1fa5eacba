import { setMaxListeners } from 'node:events'
import type { PostEnd } from '../../gateway/client.ts'
import { t } from '../../text/words.ts'
import type { MoneyIntent, TimelineRecord } from '../../timeline/records.ts'
import type { DurableIntent } from '../../timeline/timeline.ts'
import { type Failure, UsageError } from '../../wire/errors.ts'
import type { Desk } from '../desk.ts'
import { isHeldBefore, ownerOf, recordOutcome } from '../recording.ts'
import { send } from '../send.ts'
import { type KeptRow, rowIntent } from './keptRow.ts'
import type { LedgerTail } from './ledgerTail.ts'
import type { Pace } from './pace.ts'
import { obstacleOf } from './plan.ts'
import { type RowEnd, rowEnd, rowOutcome, stopsAtOnce } from './rowEnd.ts'

/** How a row is sent: for the first time under an id of its attempt, or the same intent again. */
export type Task = { attempt: number } | { again: TimelineRecord<MoneyIntent> }

/** What is to be done with the rows of a run. */
export interface WorkOrder {
  run: string
  kind: MoneyIntent['kind']
  reference: string
  rows: AsyncIterable<KeptRow>
  /** What to do with a row as the ledger stands; undefined for one that is left alone. */
  taskOf(row: KeptRow): Task | undefined
  /** Payments outside the batch that were made before this entry of the ledger may be made once more. */
  repeatableBefore: number
  concurrency: number
  pace: Pace
  limit: number | null
  stopAfter: number
  /** Why nothing more may be sent, asked before every POST; null while it may. */
  guard(): Failure | null
}

/** Why the work ended before its last row. */
export type WorkStop =
  | { why: 'failure'; failure: Failure | null }
  | { why: 'in-a-row'; count: number }
  | { why: 'interrupted' }

/** What working through rows needs. */
export interface WorkDesk extends Desk {
  /** The first interrupt: what is in flight is finished, and nothing more is begun. */
  interrupt: AbortSignal
  /** Waits so long, or until the interrupt. */
  sleep(ms: number): Promise<void>
}

interface Found {
  row: KeptRow
  task: Task
}

interface Prepared {
  row: KeptRow
  intent: DurableIntent
  isAgain: boolean
  /** True where the same payment was made by another process meanwhile. */
  isOvertaken: boolean
}

/** So many intents of transfers are durable ahead for each worker, and so many outcomes on their way behind it. */
const AHEAD_PER_WORKER = 4

const STOPPED: PostEnd = { outcome: 'not-sent', fault: 'interrupted', code: 'STOPPED' }
const OVERTAKEN: PostEnd = { outcome: 'not-sent', fault: 'interrupted', code: 'OVERTAKEN' }

/**
 * Sends the rows of a run, several at once. Of each the intent is durable first, then it is sent once, then what became of
 * it is recorded, and then reported. Nothing is sent a second time. Throws what the timeline throws where it cannot be
 * written or read; what was in flight has ended by then.
 */
export async function workThrough(
  desk: WorkDesk,
  tail: LedgerTail,
  order: WorkOrder,
  report: (end: RowEnd) => void,
): Promise<WorkStop | null> {
  // Each of those in flight listens to both.
  setMaxListeners(0, desk.interrupt, desk.abandon)
  return new Work(desk, tail, order, report).all()
}

class Work {
  readonly #desk: WorkDesk
  readonly #tail: LedgerTail
  readonly #order: WorkOrder
  readonly #report: (end: RowEnd) => void
  readonly #rows: AsyncIterator<KeptRow>
  /** Transfers whose intents become durable ahead, so that a worker need not wait for the disk. */
  readonly #ahead: Promise<Prepared | undefined>[] = []
  readonly #recording = new Set<Promise<void>>()
  /** The last refund of each payment that is under way: the next one waits for it. */
  readonly #refunds = new Map<string, Promise<void>>()
  #taking: Promise<unknown> = Promise.resolve()
  #begun = 0
  #inARow = 0
  #stop: WorkStop | null = null
  #error: unknown

  constructor(desk: WorkDesk, tail: LedgerTail, order: WorkOrder, report: (end: RowEnd) => void) {
    this.#desk = desk
    this.#tail = tail
    this.#order = order
    this.#report = report
    this.#rows = order.rows[Symbol.asyncIterator]()
  }

  async all(): Promise<WorkStop | null> {
    await Promise.all(Array.from({ length: this.#order.concurrency }, () => this.#worker()))
    await Promise.all(this.#ahead.splice(0).map((prepared) => this.#orFail(this.#giveBack(prepared))))
    await Promise.all(this.#recording)
    await this.#rows.return?.()
    if (this.#error !== undefined) throw this.#error
    return this.#stop
  }

  async #worker(): Promise<void> {
    const next = this.#order.kind === 'refund' ? () => this.#nextRefund() : () => this.#nextTransfer()
    let isMore = true
    while (isMore && !this.#isOver()) {
      const waitMs = this.#order.pace.takeMs()
      if (waitMs > 0) await this.#desk.sleep(waitMs)
      if (this.#isOver()) return
      isMore = (await this.#orFail(next())) === true
    }
  }

  /** What goes wrong ends all work; the first of it is thrown at the end. */
  async #orFail<Result>(work: Promise<Result>): Promise<Result | undefined> {
    try {
      return await work
    } catch (error) {
      this.#error ??= error
      this.#stop ??= { why: 'failure', failure: null }
      return undefined
    }
  }

  #isOver(): boolean {
    if (this.#desk.interrupt.aborted || this.#desk.abandon.aborted) this.#stop ??= { why: 'interrupted' }
    return this.#stop !== null
  }

  /** Works on one transfer; false where there is none left. What became of it is recorded while the next one is sent. */
  async #nextTransfer(): Promise<boolean> {
    while (this.#ahead.length <= AHEAD_PER_WORKER * this.#order.concurrency && !this.#isOver()) {
      const prepared = this.#take().then((found) => found && this.#prepare(found.row, found.task))
      // Whoever takes it out meets its error.
      prepared.catch(() => undefined)
      this.#ahead.push(prepared)
    }
    const prepared = await this.#ahead.shift()
    if (prepared === undefined) return false
    const end = await this.#exchange(prepared)
    const recording = this.#orFail(this.#conclude(prepared, end)).then(() => undefined)
    this.#recording.add(recording)
    void recording.then(() => this.#recording.delete(recording))
    if (this.#recording.size > AHEAD_PER_WORKER * this.#order.concurrency) await Promise.race(this.#recording)
    return true
  }

  /** Works on one refund; false where there is none left. Nothing of it is done ahead, because it cannot be sent again. */
  async #nextRefund(): Promise<boolean> {
    const found = await this.#take()
    if (found === undefined) return false
    const { row, task } = found
    const original = row.kind === 'refund' ? row.originalTransactionId : row.id
    const earlier = this.#refunds.get(original) ?? Promise.resolve()
    const turn = earlier.then(async () => {
      if (this.#isOver()) return
      const prepared = await this.#prepare(row, task)
      await this.#conclude(prepared, await this.#exchange(prepared))
    })
    const over = turn.catch(() => undefined)
    this.#refunds.set(original, over)
    await turn
    if (this.#refunds.get(original) === over) this.#refunds.delete(original)
    return true
  }

  /** The next row with something to do, in the order of the file. */
  #take(): Promise<Found | undefined> {
    const found = this.#taking.then(() => this.#search())
    this.#taking = found.catch(() => undefined)
    return found
  }

  async #search(): Promise<Found | undefined> {
    if (this.#isOver() || this.#begun === this.#order.limit) return undefined
    this.#begun += 1
    for (let next = await this.#rows.next(); next.done !== true; next = await this.#rows.next()) {
      const task = this.#order.taskOf(next.value)
      if (task !== undefined) return { row: next.value, task }
    }
    return undefined
  }

  async #prepare(row: KeptRow, task: Task): Promise<Prepared> {
    const { timeline, account } = this.#desk
    const { run, reference } = this.#order
    if ('again' in task) {
      return { row, intent: await timeline.recordAttempt(task.again), isAgain: true, isOvertaken: false }
    }
    const intent = await timeline.recordIntent(
      rowIntent(row, { owner: ownerOf(account), run, reference, attempt: task.attempt }),
    )
    return { row, intent, isAgain: false, isOvertaken: await this.#isOvertaken(row, intent) }
  }

  /**
   * True where another process has made the same payment meanwhile. The order of the log decides: whatever comes behind this
   * intent gives way to it, so it may be judged long before it is sent.
   */
  async #isOvertaken(row: KeptRow, intent: DurableIntent): Promise<boolean> {
    await this.#tail.refresh()
    const { index } = this.#tail
    const own = index.entryOf(intent.id)
    if (own === undefined) throw new Error('the record of this payment has gone from the log')
    const { run, reference, repeatableBefore } = this.#order
    const { account, now } = this.#desk
    const context = { account: ownerOf(account), reference, nowMs: now() }
    return obstacleOf(index, row, { ...context, run, own, before: own, repeatableBefore }) !== undefined
  }

  /** Sends it, unless the work is over or it was overtaken. */
  async #exchange({ intent, isOvertaken }: Prepared): Promise<PostEnd> {
    if (isOvertaken) return OVERTAKEN
    const failure = this.#order.guard()
    if (failure !== null) this.#stop ??= { why: 'failure', failure }
    if (this.#isOver()) return STOPPED
    const end = await send(this.#desk, intent)
    this.#inARow = end.outcome === 'accepted' || isHeldBefore(end) ? 0 : this.#inARow + 1
    if (stopsAtOnce(end)) this.#stop ??= { why: 'failure', failure: null }
    else if (this.#inARow >= this.#order.stopAfter) this.#stop ??= { why: 'in-a-row', count: this.#inARow }
    return end
  }

  /** Records what became of a row and reports it then. */
  async #conclude({ row, intent, isAgain }: Prepared, end: PostEnd): Promise<void> {
    const wasNotSent = end === STOPPED || end === OVERTAKEN
    // What was sent before stays in doubt, whatever is not sent now.
    if (wasNotSent && isAgain) return
    const outcome = rowOutcome(row, intent, end, isAgain)
    const warnings = await recordOutcome(this.#desk, outcome)
    if (warnings.length > 0) this.#stop ??= { why: 'failure', failure: null }
    // What was only prepared is a row that was not sent, like those that were never looked at.
    const isTakenBack = end.outcome === 'not-sent' && end.fault === 'interrupted' && end !== OVERTAKEN
    if (!isTakenBack) this.#report(endOf(rowEnd(row, intent, end, outcome, this.#desk), end))
  }

  async #giveBack(prepared: Promise<Prepared | undefined>): Promise<void> {
    const unsent = await prepared
    if (unsent !== undefined) await this.#conclude(unsent, STOPPED)
  }
}

function endOf(end: RowEnd, post: PostEnd): RowEnd {
  if (post !== OVERTAKEN) return end
  const failure = new UsageError(
    t`The same payment was sent from elsewhere meanwhile, or is in doubt, so this row was not sent`,
    {
      code: 'REPEAT',
      hint: t`Look at it with \`pixgate history\``,
    },
  )
  return { ...end, failure, errorCode: failure.code, exitCode: failure.exitCode }
}
