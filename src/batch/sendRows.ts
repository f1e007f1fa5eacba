import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { PostOutcome } from '../gateway/postOutcome.ts'
import type { RunSending } from '../ledger/records.ts'
import { approvalFailure } from '../payments/approvalRule.ts'
import { isAlreadyHeld } from '../payments/attemptOutcomes.ts'
import { conflictFailure } from '../payments/conflictFailure.ts'
import { decide, type SendConflict } from '../payments/decide.ts'
import { send } from '../payments/pay.ts'
import type { PaymentContext } from '../payments/paymentContext.ts'
import { Failure } from '../wire/errors.ts'
import { AnswerRecorder, NEVER_SENT, type PreparedRow } from './answerRecorder.ts'
import { MISSING_KEYS_MAX, MissingKeys } from './missingKeys.ts'
import { RateLimiter } from './rateLimiter.ts'
import { isFatalForRun, type RowOutcome, unsentOutcome } from './rowOutcome.ts'
import { isChangedSince, RowSource, rowProposal, type SelectedRow } from './rowSource.ts'
import type { RunPlan } from './runPlan.ts'

/** How fast the rows of a run are sent, and when that stops. */
export type SendPace = Pick<RunSending, 'concurrency' | 'perSecond' | 'stopAfter'>

/** Why the run stopped before its last row. */
export type SendStop =
  | { why: 'failure'; failure: Failure | null }
  | { why: 'in-a-row'; count: number }
  | { why: 'missing-keys'; count: number }
  | { why: 'interrupted' }

/** No more attempts than this are recorded ahead of sending: after a crash each of them has an unknown outcome. */
const AHEAD_MAX = 64
/** The pause before each decision, in which other processes can write. Answers wait 1 ms longer, so that they are recorded in its transaction. */
const DECISION_PAUSE_MS = 4

/**
 * Sends the rows of a plan, several at once. For each, the attempt is recorded, then its request is sent once, then the answer is recorded
 * and reported. Nothing is sent a second time. Returns why it stopped, null if it came to the last row; what was in flight has ended. An
 * interrupt lets the requests in flight finish and starts no others.
 */
export function sendRows(
  context: PaymentContext,
  plan: RunPlan,
  pace: SendPace,
  report: (result: RowOutcome) => void,
): Promise<SendStop | null> {
  // Every waiting worker adds a listener to this signal.
  setMaxListeners(0, context.interrupt)
  return new RowSender(context, plan, pace, report).run()
}

class RowSender {
  readonly #context: PaymentContext
  readonly #plan: RunPlan
  readonly #pace: SendPace
  readonly #report: (result: RowOutcome) => void
  readonly #rateLimiter: RateLimiter
  readonly #source: RowSource
  readonly #recorder: AnswerRecorder
  /** Transfers whose attempts are durable. */
  readonly #ready: PreparedRow[] = []
  #refilling: Promise<void> | undefined
  /** How many attempts are recorded ahead of sending. */
  #aheadRows: number
  #refills = 0
  #isAtEnd = false
  /** The last refund of each original that is under way: the next one waits for it. */
  readonly #refunds = new Map<string, Promise<void>>()
  readonly #missingKeys: MissingKeys
  #failuresInARow = 0
  #stop: SendStop | null = null
  #error: unknown

  constructor(context: PaymentContext, plan: RunPlan, pace: SendPace, report: (result: RowOutcome) => void) {
    this.#context = context
    this.#plan = plan
    this.#pace = pace
    this.#report = report
    this.#rateLimiter = new RateLimiter(pace.perSecond, context.now)
    this.#aheadRows = pace.concurrency
    this.#source = new RowSource(context.ledger, plan, context.now())
    this.#missingKeys = new MissingKeys(context, plan.order.run, plan.lastSeq)
    this.#recorder = new AnswerRecorder(context, {
      report,
      onUnrecorded: () => {
        this.#stop ??= { why: 'failure', failure: null }
      },
      onError: (error) => this.#fail(error),
    })
  }

  async run(): Promise<SendStop | null> {
    await Promise.all(Array.from({ length: this.#pace.concurrency }, () => this.#worker()))
    await this.#refilling
    for (const unsent of this.#ready.splice(0)) void this.#recorder.add(unsent, NEVER_SENT)
    await this.#recorder.settled()
    if (this.#error !== undefined) throw this.#error
    return this.#stop
  }

  async #worker(): Promise<void> {
    const { kind } = this.#plan.order
    const next = kind === 'refund' ? () => this.#nextRefund() : () => this.#nextTransfer()
    try {
      while (!this.#isOver()) {
        const waitMs = this.#rateLimiter.takeMs()
        if (waitMs > 0) await this.#sleep(waitMs)
        if (kind === 'transfer') await this.#missingKeys.readEvents()
        if (this.#isOver() || !(await next())) return
      }
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Sends one transfer; false if there is none left. Its answer is recorded while the next one is sent. */
  async #nextTransfer(): Promise<boolean> {
    const prepared = await this.#prepared()
    if (prepared === undefined) return false
    void this.#recorder.add(prepared, await this.#send(prepared))
    return true
  }

  /** Sends one refund; false if there is none left. Nothing is recorded ahead, because a refund cannot be sent again. */
  async #nextRefund(): Promise<boolean> {
    await this.#sleep(DECISION_PAUSE_MS)
    const [selected] = await this.#source.take(1)
    if (selected === undefined) return false
    const { facts } = selected.state.row
    const original = facts.kind === 'refund' ? facts.originalTransactionId : ''
    const earlier = this.#refunds.get(original) ?? Promise.resolve()
    const turn = earlier.then(async () => {
      if (this.#isOver()) return
      for (const prepared of await this.#decide([selected])) {
        await this.#recorder.add(prepared, await this.#send(prepared))
      }
    })
    const settled = turn.catch(() => undefined)
    this.#refunds.set(original, settled)
    await turn
    if (this.#refunds.get(original) === settled) this.#refunds.delete(original)
    return true
  }

  /** The next transfer whose attempt is durable. Further ones are decided while it is being sent. */
  async #prepared(): Promise<PreparedRow | undefined> {
    for (;;) {
      const prepared = this.#ready.shift()
      if (!this.#isAtEnd && !this.#isOver()) this.#refilling ??= this.#refill()
      if (prepared !== undefined || this.#refilling === undefined) return prepared
      await this.#refilling
    }
  }

  async #refill(): Promise<void> {
    try {
      await this.#sleep(DECISION_PAUSE_MS)
      const rows = this.#aheadRows - this.#ready.length
      const selected = await this.#source.take(rows)
      this.#isAtEnd = selected.length < rows
      const prepared = selected.length > 0 ? await this.#decide(selected) : []
      // Workers wait for the ledger.
      if (this.#ready.length === 0 && this.#refills > 0) this.#aheadRows = Math.min(this.#aheadRows * 2, AHEAD_MAX)
      this.#refills += 1
      this.#ready.push(...prepared)
    } catch (error) {
      this.#isAtEnd = true
      this.#fail(error)
    } finally {
      this.#refilling = undefined
    }
  }

  async #decide(rows: readonly SelectedRow[]): Promise<PreparedRow[]> {
    const { ledger, account } = this.#context
    if (this.#isOver()) return []
    const { selected, proposals } = await ledger.read((database) => {
      const unchanged = rows.filter(({ state }) => !isChangedSince(database, state.payment, this.#plan.lastSeq))
      return {
        selected: unchanged,
        proposals: unchanged.map((row) => rowProposal(database, account, row, this.#plan)),
      }
    })
    const decisions = await decide(this.#context, proposals)
    const prepared: PreparedRow[] = []
    for (const [index, { attempt, conflict }] of decisions.entries()) {
      const state = selected[index]?.state
      if (state === undefined) throw new Error('a decision has no row')
      if (attempt !== null) prepared.push({ row: state.row, attempt })
      else await this.#reportConflict(state, conflict)
    }
    return prepared
  }

  /** Reports a row that the rules do not allow by now. One that was answered meanwhile needs no words: the summary counts it. */
  async #reportConflict({ row }: SelectedRow['state'], conflict: SendConflict): Promise<void> {
    if (conflict.why === 'changed') return
    if (conflict.why === 'approval' || conflict.why === 'approval-amount-unknown') {
      this.#fail(approvalFailure(conflict, `pixgate resume ${this.#plan.order.run} --plan`))
      return
    }
    const { ledger, account } = this.#context
    const planned = { facts: row.facts, externalId: row.rowId }
    try {
      const failure = await ledger.read((database) => conflictFailure(database, account, planned, conflict))
      if (conflict.why === 'max-day') this.#fail(failure)
      else this.#report(unsentOutcome(row, failure))
    } catch (error) {
      // The attempts that were decided with it are recorded, so the run ends in order: it records that they were never sent.
      this.#fail(error)
    }
  }

  async #send(prepared: PreparedRow): Promise<PostOutcome> {
    if (this.#isOver()) return NEVER_SENT
    const result = await send(this.#context, prepared.attempt)
    this.#missingKeys.add(prepared.row.facts, result)
    this.#failuresInARow = result.outcome === 'accepted' || isAlreadyHeld(result) ? 0 : this.#failuresInARow + 1
    if (isFatalForRun(result)) this.#stop ??= { why: 'failure', failure: null }
    else if (this.#failuresInARow >= this.#pace.stopAfter) {
      this.#stop ??= { why: 'in-a-row', count: this.#failuresInARow }
    }
    return result
  }

  /** Waits this long, or until the interrupt. */
  async #sleep(ms: number): Promise<void> {
    const { interrupt } = this.#context
    try {
      await pause(ms, undefined, { signal: interrupt })
    } catch (error) {
      if (!interrupt.aborted) throw error
    }
  }

  /** An error ends all work; the first is thrown at the end, unless it is a failure that a person can correct. */
  #fail(error: unknown): void {
    const failure = error instanceof Failure ? error : null
    if (failure === null) this.#error ??= error
    this.#stop ??= { why: 'failure', failure }
  }

  #isOver(): boolean {
    if (this.#missingKeys.areTooMany) this.#stop ??= { why: 'missing-keys', count: MISSING_KEYS_MAX }
    const { interrupt, abandon } = this.#context
    if (interrupt.aborted || abandon.aborted) this.#stop ??= { why: 'interrupted' }
    return this.#stop !== null
  }
}
