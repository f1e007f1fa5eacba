import { setMaxListeners } from 'node:events'
import type { PostEnd } from '../../gateway/client.ts'
import type { MoneyIntent } from '../../timeline/records.ts'
import { Failure } from '../../wire/errors.ts'
import type { Desk } from '../desk.ts'
import { isHeldBefore } from '../recording.ts'
import { send } from '../send.ts'
import { Endings, OVERTAKEN, STOPPED } from './endings.ts'
import type { LedgerTail } from './ledgerTail.ts'
import type { Pace } from './pace.ts'
import { Preparation, type Prepared, type RowSource } from './preparation.ts'
import { type RowEnd, stopsAtOnce } from './rowEnd.ts'

/** What is to be done with the rows of a run. */
export interface WorkOrder extends RowSource {
  kind: MoneyIntent['kind']
  concurrency: number
  pace: Pace
  stopAfter: number
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

/** So long the answer to a transfer may wait to be recorded with others. Nobody waits for it, but for that to a refund. */
const GATHER_MS = 5

/**
 * Sends the rows of a run, several at once. Of each the intent is durable first, then it is sent once, then what became of
 * it is recorded, and then reported. Nothing is sent a second time. What ends the work is returned, also where the timeline
 * cannot be written or read; what was in flight has ended by then.
 */
export async function workThrough(
  desk: WorkDesk,
  tail: LedgerTail,
  order: WorkOrder,
  report: (end: RowEnd) => void,
): Promise<WorkStop | null> {
  // Each worker that waits for its turn listens to it.
  setMaxListeners(0, desk.interrupt)
  return new Work(desk, tail, order, report).all()
}

class Work {
  readonly #desk: WorkDesk
  readonly #order: WorkOrder
  readonly #preparation: Preparation
  readonly #endings: Endings
  /** The last refund of each payment that is under way: the next one waits for it. */
  readonly #refunds = new Map<string, Promise<void>>()
  #inARow = 0
  #stop: WorkStop | null = null
  #error: unknown

  constructor(desk: WorkDesk, tail: LedgerTail, order: WorkOrder, report: (end: RowEnd) => void) {
    this.#desk = desk
    this.#order = order
    const fail = (error: unknown) => this.#fail(error)
    const giveUp = (prepared: Prepared) => this.#endings.conclude(prepared, STOPPED)
    const around = { workers: order.concurrency, isOver: () => this.#isOver(), fail, giveUp }
    this.#preparation = new Preparation(desk, tail, order, around)
    const unrecorded = () => {
      this.#stop ??= { why: 'failure', failure: null }
    }
    this.#endings = new Endings(desk, { report, unrecorded, fail }, order.kind === 'refund' ? 0 : GATHER_MS)
  }

  async all(): Promise<WorkStop | null> {
    await Promise.all(Array.from({ length: this.#order.concurrency }, () => this.#worker()))
    for (const unsent of await this.#preparation.close()) void this.#endings.conclude(unsent, STOPPED)
    await this.#endings.settled()
    if (this.#error !== undefined) throw this.#error
    return this.#stop
  }

  async #worker(): Promise<void> {
    const next = this.#order.kind === 'refund' ? () => this.#nextRefund() : () => this.#nextTransfer()
    try {
      while (!this.#isOver()) {
        const waitMs = this.#order.pace.takeMs()
        if (waitMs > 0) await this.#desk.sleep(waitMs)
        if (this.#isOver() || !(await next())) return
      }
    } catch (error) {
      this.#fail(error)
    }
  }

  /** What goes wrong ends all work; the first of it is thrown at the end, unless it is one that a person can mend. */
  #fail(error: unknown): void {
    const failure = error instanceof Failure ? error : null
    if (failure === null) this.#error ??= error
    this.#stop ??= { why: 'failure', failure }
  }

  #isOver(): boolean {
    if (this.#desk.interrupt.aborted || this.#desk.abandon.aborted) this.#stop ??= { why: 'interrupted' }
    return this.#stop !== null
  }

  /** Works on one transfer; false where there is none left. What became of it is recorded while the next one is sent. */
  async #nextTransfer(): Promise<boolean> {
    const prepared = await this.#preparation.next()
    if (prepared === undefined) return false
    void this.#endings.conclude(prepared, await this.#exchange(prepared))
    return true
  }

  /** Works on one refund; false where there is none left. Nothing of it is done ahead, because it cannot be sent again. */
  async #nextRefund(): Promise<boolean> {
    const found = await this.#preparation.find()
    if (found === undefined) return false
    const { row } = found
    const original = row.kind === 'refund' ? row.originalTransactionId : row.id
    const earlier = this.#refunds.get(original) ?? Promise.resolve()
    const turn = earlier.then(async () => {
      if (this.#isOver()) return
      for (const prepared of await this.#preparation.prepare([found])) {
        await this.#endings.conclude(prepared, await this.#exchange(prepared))
      }
    })
    const over = turn.catch(() => undefined)
    this.#refunds.set(original, over)
    await turn
    if (this.#refunds.get(original) === over) this.#refunds.delete(original)
    return true
  }

  /** Sends it, unless the work is over or it was overtaken. */
  async #exchange({ intent, isOvertaken }: Prepared): Promise<PostEnd> {
    if (isOvertaken) return OVERTAKEN
    if (this.#isOver()) return STOPPED
    const end = await send(this.#desk, intent)
    this.#inARow = end.outcome === 'accepted' || isHeldBefore(end) ? 0 : this.#inARow + 1
    if (stopsAtOnce(end)) this.#stop ??= { why: 'failure', failure: null }
    else if (this.#inARow >= this.#order.stopAfter) this.#stop ??= { why: 'in-a-row', count: this.#inARow }
    return end
  }
}
