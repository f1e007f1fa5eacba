import type { PostOutcome } from '../gateway/postOutcome.ts'
import type { RunRow } from '../ledger/records.ts'
import { type AnsweredAttempt, answerRecordOf, recordAnswersSoon } from '../payments/attemptOutcomes.ts'
import type { DurableAttempt } from '../payments/decide.ts'
import type { PaymentContext } from '../payments/paymentContext.ts'
import type { Failure } from '../wire/errors.ts'
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
}

interface Answered extends AnsweredAttempt {
  prepared: PreparedRow
  result: PostOutcome
  done(): void
}

/** Records answers in groups, with the next decisions, while further rows are being sent. */
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
    const answered = { attempt: prepared.attempt.record, answer: answerRecordOf(prepared.attempt, result) }
    const recorded = new Promise<void>((done) => this.#waiting.push({ ...answered, prepared, result, done }))
    this.#recording ??= this.#recordAll()
    return recorded
  }

  /** Waits until everything that was added is recorded. */
  async settled(): Promise<void> {
    while (this.#recording !== undefined) await this.#recording
  }

  async #recordAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      let group: readonly Answered[] = []
      const take = () => {
        group = this.#waiting
        this.#waiting = []
        return group
      }
      try {
        const { unrecorded } = await recordAnswersSoon(this.#context, take)
        this.#reportAll(group, unrecorded)
      } catch (error) {
        this.#options.onError(error)
      }
      for (const { done } of group) done()
    }
    this.#recording = undefined
  }

  #reportAll(group: readonly Answered[], unrecorded: Failure | null): void {
    if (unrecorded !== null) this.#options.onUnrecorded()
    for (const { prepared, result, answer } of group) {
      // A row whose request never started counts as not reached.
      if (result.outcome === 'not-sent' && result.fault === 'interrupted') continue
      const row = answeredOutcome(this.#context, prepared.row, prepared.attempt, result, answer)
      this.#options.report(unrecorded === null ? row : unrecordedOutcome(row, unrecorded))
    }
  }
}
