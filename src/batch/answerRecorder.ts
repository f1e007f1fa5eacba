import type { PostOutcome } from '../gateway/client.ts'
import type { RunRow } from '../ledger/runRows.ts'
import { answerRecordOf, recordAnswers } from '../payments/attemptOutcomes.ts'
import type { DurableAttempt } from '../payments/decide.ts'
import type { PaymentContext } from '../payments/paymentContext.ts'
import { answeredOutcome, type RowOutcome, unrecordedOutcome } from './rowOutcome.ts'

/** The result of an attempt that was recorded and never sent. */
export const NEVER_SENT: PostOutcome = { outcome: 'not-sent', fault: 'interrupted', code: 'NEVER_SENT' }

/** A row whose attempt is durable. */
export interface PreparedRow {
  row: RunRow
  attempt: DurableAttempt
}

export interface AnswerRecorderOptions {
  /** Called when the answer of a row is recorded. */
  report(result: RowOutcome): void
  /** Called if answers cannot be recorded. */
  onUnrecorded(): void
  /** Called with what recording throws. */
  onError(error: unknown): void
  /** Waits before each group, so that answers are gathered and other processes can write. */
  pause(): Promise<void>
}

interface Answered {
  prepared: PreparedRow
  result: PostOutcome
  done(): void
}

/** Records answers in groups, one transaction for each, while further rows are being sent. */
export class AnswerRecorder {
  readonly #context: PaymentContext
  readonly #options: AnswerRecorderOptions
  #waiting: Answered[] = []
  #recording: Promise<void> | undefined

  constructor(context: PaymentContext, options: AnswerRecorderOptions) {
    this.#context = context
    this.#options = options
  }

  /** Takes the result of a request; returns when it is recorded and reported, or cannot be. */
  add(prepared: PreparedRow, result: PostOutcome): Promise<void> {
    const recorded = new Promise<void>((resolve) => this.#waiting.push({ prepared, result, done: resolve }))
    this.#recording ??= this.#recordAll()
    return recorded
  }

  /** Waits until everything that was added is recorded. */
  async settled(): Promise<void> {
    while (this.#recording !== undefined) await this.#recording
  }

  async #recordAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#options.pause()
      const group = this.#waiting
      this.#waiting = []
      try {
        await this.#record(group)
      } catch (error) {
        this.#options.onError(error)
      }
      for (const { done } of group) done()
    }
    this.#recording = undefined
  }

  async #record(group: readonly Answered[]): Promise<void> {
    const answers = group.map(({ prepared, result }) => answerRecordOf(prepared.attempt, result))
    const { unrecorded } = await recordAnswers(this.#context, answers)
    if (unrecorded !== null) this.#options.onUnrecorded()
    for (const [index, { prepared, result }] of group.entries()) {
      const answer = answers[index]
      // A row whose request never started counts as not reached.
      if (answer === undefined || (result.outcome === 'not-sent' && result.fault === 'interrupted')) continue
      const row = answeredOutcome(this.#context, prepared.row, prepared.attempt, result, answer)
      this.#options.report(unrecorded === null ? row : unrecordedOutcome(row, unrecorded))
    }
  }
}
