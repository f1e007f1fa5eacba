import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { PostOutcome } from '../gateway/exchange.ts'
import { postFailure } from '../gateway/gatewayErrors.ts'
import { chainEnd } from '../ledger/chain.ts'
import type { MoneyPayment } from '../ledger/facts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { hasLedger } from '../ledger/ledgerFile.ts'
import { livingProcess } from '../ledger/processes.ts'
import type { AnswerRecord, RunRow, RunSending } from '../ledger/records.ts'
import { failedTargets } from '../ledger/runRows.ts'
import { workersOfRuns } from '../ledger/runs.ts'
import { type AnsweredAttempt, answerRecordOf, isAlreadyHeld, recordAnswersSoon } from '../payments/attemptOutcomes.ts'
import { conflictFailure } from '../payments/conflictFailure.ts'
import type { Consent } from '../payments/consent.ts'
import { type DurableAttempt, decide, type SendConflict } from '../payments/decide.ts'
import { operationOf, send } from '../payments/pay.ts'
import type { PaymentContext } from '../payments/paymentContext.ts'
import { approvalFailure } from '../payments/paymentRules.ts'
import { comparableKey } from '../pix/destination.ts'
import { loadSqlite } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import { isEndOfRun } from '../wire/errorCodes.ts'
import { Failure, type Outcome, OutcomeUnknown } from '../wire/errors.ts'
import { isChangedSince, RowSource, type RunPreview, rowProposal, type SelectedRow } from './runPreview.ts'

const NEVER_SENT: PostOutcome = { outcome: 'not-sent', fault: 'interrupted', code: 'NEVER_SENT' }

interface PreparedRow {
  row: RunRow
  attempt: DurableAttempt
}

interface AnswerRecorderOptions {
  /** How long an answer waits for decisions with which it is recorded. */
  withinMs: number
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
class AnswerRecorder {
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
        // In the order of the payments: the search writes its words to the disk when it comes to an older payment.
        group = this.#waiting.sort((one, other) => one.attempt.seq - other.attempt.seq)
        this.#waiting = []
        return group
      }
      try {
        const { unrecorded } = await recordAnswersSoon(this.#context, take, this.#options.withinMs)
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

export interface RowOutcome {
  line: number
  /** The id that was sent; that of a further attempt differs from its row's. */
  externalId: string
  outcome: Outcome
  status: string | null
  idTransaction: string | null
  errorCode: string | null
  /** What a person should know; null if it was accepted. */
  failure: Failure | null
  /** Sentences for the user about an answer that could not be recorded. */
  warnings: readonly string[]
  exitCode: number
}

function answeredOutcome(
  { account, timeoutMs }: PaymentContext,
  row: RunRow,
  { record }: DurableAttempt,
  result: PostOutcome,
  { outcome, status, idTransaction, code }: AnswerRecord,
): RowOutcome {
  const isAccepted = outcome === 'accepted' || outcome === 'accepted-before'
  const failure = isAccepted ? null : (postFailure(account, operationOf(record), result, timeoutMs) ?? null)
  return {
    line: row.line,
    externalId: record.externalId ?? row.rowId,
    outcome,
    status,
    idTransaction,
    errorCode: isAccepted ? null : (code ?? failure?.code ?? null),
    failure,
    warnings: [],
    exitCode: outcome === 'unknown' ? 5 : (failure?.exitCode ?? 0),
  }
}

/** The outcome of a row that a rule did not allow to be sent. */
export function unsentOutcome({ line, rowId }: RunRow, failure: Failure): RowOutcome {
  const { code: errorCode, exitCode } = failure
  return {
    line,
    externalId: rowId,
    outcome: 'not-sent',
    status: null,
    idTransaction: null,
    errorCode,
    failure,
    warnings: [],
    exitCode,
  }
}

/** The outcome of a row whose answer could not be recorded: as the gateway gave it, with the exit code of an unknown outcome. */
function unrecordedOutcome(result: RowOutcome, unrecorded: Failure): RowOutcome {
  const { externalId, idTransaction, outcome } = result
  const message =
    idTransaction === null
      ? t`The answer could not be recorded, so the outcome of this row is unknown here`
      : t`The gateway accepted it as ${idTransaction}, but that could not be recorded, so the outcome of this row is unknown here`
  const failure = new OutcomeUnknown(message, {
    externalId,
    outcome,
    details: [unrecorded.message, ...(result.failure === null ? [] : [result.failure.message])],
    hint: t`Free some disk space, then continue the run; \`pixgate batch list\` shows its name`,
  })
  return { ...result, failure, warnings: [`${message}: ${unrecorded.message}`], exitCode: failure.exitCode }
}

/** True if every further row would fail the same way: the gateway refuses the credentials, the address or the balance, or asks to wait. */
function isFatalForRun(result: PostOutcome): boolean {
  if (result.outcome !== 'refused') return false
  return result.httpStatus === 401 || result.httpStatus === 429 || isEndOfRun(result.answerError.code)
}

/** A batch stops after so many keys that were not found, because the directory of keys blocks those who ask for too many. */
const MISSING_KEYS_MAX = 20

const KEY_NOT_FOUND = 'PIX_KEY_NOT_FOUND'
/** Pause between two looks at the events. */
const READ_EVERY_MS = 500
/** An event may arrive before the answer by which it is recognised is recorded, so the last records are read again. */
const OVERLAP_RECORDS = 1000

/** The PIX keys of a run that were not found since it was started or resumed, as answers and later events say. */
class MissingKeys {
  readonly #context: PaymentContext
  readonly #run: string
  readonly #firstSeq: number
  #readSeq: number
  #readMs = Number.NEGATIVE_INFINITY
  readonly #keys = new Set<string>()

  /** `lastSeq` is the last record before the run was started or resumed. */
  constructor(context: PaymentContext, run: string, lastSeq: number) {
    this.#context = context
    this.#run = run
    this.#firstSeq = lastSeq
    this.#readSeq = lastSeq
  }

  /** True if the run must stop. */
  get areTooMany(): boolean {
    return this.#keys.size >= MISSING_KEYS_MAX
  }

  /** Takes the answer to a request. */
  add(facts: MoneyPayment, result: PostOutcome): void {
    if (facts.kind !== 'transfer' || result.outcome !== 'refused' || result.answerError.code !== KEY_NOT_FOUND) return
    this.#keys.add(comparableKey(facts.key))
  }

  /** Takes the events that arrived, if the last look was a while ago. */
  async readEvents(): Promise<void> {
    const { ledger, now } = this.#context
    if (Math.abs(now() - this.#readMs) < READ_EVERY_MS) return
    this.#readMs = now()
    const fromSeq = Math.max(this.#firstSeq, this.#readSeq - OVERLAP_RECORDS)
    await ledger.read((database) => {
      this.#readSeq = chainEnd(database).seq
      for (const key of failedTargets(database, this.#run, KEY_NOT_FOUND, fromSeq)) this.#keys.add(key)
    })
  }
}

const TURNS_MAX = 100

/** Spreads requests so that they stay below a rate; without a rate, none of them waits. */
export class RateLimiter {
  readonly #intervalMs: number
  readonly #now: () => number
  #nextMs = Number.NEGATIVE_INFINITY

  constructor(perSecond: number | null, now: () => number) {
    this.#intervalMs = perSecond === null ? 0 : 1000 / perSecond
    this.#now = now
  }

  /** Takes the next turn, and says in how many ms it comes. */
  takeMs(): number {
    const nowMs = this.#now()
    // The batch must not stall if the clock was set back.
    const turnMs = Math.max(nowMs, Math.min(this.#nextMs, nowMs + this.#intervalMs * TURNS_MAX))
    this.#nextMs = turnMs + this.#intervalMs
    return turnMs - nowMs
  }
}

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
/** The pause before each decision, in which other processes can write. */
const DECISION_PAUSE_MS = 4
/**
 * So long the answer of a transfer waits for the next decisions, which record all that came: what a crash leaves unknown is never more than was ahead and
 * in flight. A refund waits for the answer to the one before, so no longer than until the next decision.
 */
const ANSWER_WAIT_MS = { transfer: 200, refund: DECISION_PAUSE_MS + 1 }

/**
 * Sends the rows of a preview to which somebody agreed, several at once. For each, the attempt is recorded, then its request is sent once, then the answer is recorded
 * and reported. Nothing is sent a second time. Returns why it stopped, null if it came to the last row; what was in flight has ended. An
 * interrupt lets the requests in flight finish and starts no others.
 */
export function sendRows(
  context: PaymentContext,
  _consent: Consent,
  preview: RunPreview,
  pace: SendPace,
  report: (result: RowOutcome) => void,
): Promise<SendStop | null> {
  // Every waiting worker adds a listener to this signal.
  setMaxListeners(0, context.interrupt)
  return new RowSender(context, preview, pace, report).run()
}

class RowSender {
  readonly #context: PaymentContext
  readonly #preview: RunPreview
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

  constructor(context: PaymentContext, preview: RunPreview, pace: SendPace, report: (result: RowOutcome) => void) {
    this.#context = context
    this.#preview = preview
    this.#pace = pace
    this.#report = report
    this.#rateLimiter = new RateLimiter(pace.perSecond, context.now)
    this.#aheadRows = pace.concurrency
    this.#source = new RowSource(context.ledger, preview, context.now())
    this.#missingKeys = new MissingKeys(context, preview.order.run, preview.lastSeq)
    this.#recorder = new AnswerRecorder(context, {
      withinMs: ANSWER_WAIT_MS[preview.order.kind],
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
    const { kind } = this.#preview.order
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
      // Half of them at once: each transaction writes most of the same pages, waits for the disk and is noted by the witness.
      const isHalf = this.#ready.length <= this.#aheadRows / 2
      if (isHalf && !this.#isAtEnd && !this.#isOver()) this.#refilling ??= this.#refill()
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
      const unchanged = rows.filter(({ state }) => !isChangedSince(database, state.payment, this.#preview.lastSeq))
      return {
        selected: unchanged,
        proposals: unchanged.map((row) => rowProposal(database, account, row, this.#preview)),
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
      this.#fail(approvalFailure(conflict, `pixgate resume ${this.#preview.order.run} --plan`))
      return
    }
    const { ledger, account } = this.#context
    const intended = { facts: row.facts, externalId: row.rowId }
    try {
      const failure = await ledger.read((database) => conflictFailure(database, account, intended, conflict))
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

/** Who works on a run at this moment. */
export interface RunWorker {
  user: string
  machine: string
  /** RFC 3339, UTC. */
  since: string
}

/**
 * Who works on runs at this moment, by the names of the runs: processes of this machine, and of the others if a team shares the ledger and its server is
 * reached.
 */
export async function runWorkers(ledger: Ledger): Promise<Map<string, RunWorker>> {
  const elsewhere = (await ledger.activities?.othersIfReached('run')) ?? []
  const workers = new Map<string, RunWorker>()
  for (const { login, machine, sinceMs, detail } of elsewhere) {
    if (typeof detail.run !== 'string') continue
    workers.set(detail.run, { user: login, machine, since: new Date(sinceMs).toISOString() })
  }
  for (const [run, worker] of await workersHere(ledger)) workers.set(run, worker)
  return workers
}

async function workersHere(ledger: Ledger): Promise<[run: string, worker: RunWorker][]> {
  const { folder } = ledger.environment
  if (!hasLedger(folder)) return []
  const claimed = await ledger.read(workersOfRuns)
  if (claimed.length === 0) return []
  const open = await loadSqlite()
  // A write transaction: only one process at a time may look whether a lock file is free.
  return ledger.writeHere(({ database }) =>
    claimed.flatMap(({ run, worker }): [string, RunWorker][] => {
      const holder = livingProcess(database, open, folder, worker)
      return holder === undefined ? [] : [[run, { user: holder.user, machine: holder.machine, since: holder.since }]]
    }),
  )
}
