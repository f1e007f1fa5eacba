import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { isProxyRefusal } from '../gateway/connections.ts'
import type { PostOutcome } from '../gateway/exchange.ts'
import { postFailure } from '../gateway/gatewayErrors.ts'
import { chainEnd } from '../ledger/chain.ts'
import { answeredStatus } from '../ledger/derivePayment.ts'
import type { MoneyPayment } from '../ledger/facts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { hasLedger } from '../ledger/ledgerFile.ts'
import { hasRecordsAfter, loadPayment, type Payment } from '../ledger/payments.ts'
import { livingProcess } from '../ledger/processes.ts'
import type { AnswerRecord, RunRow, RunSending } from '../ledger/records.ts'
import { failedTargets, type RunRowState } from '../ledger/runRows.ts'
import { workersOfRuns } from '../ledger/runs.ts'
import {
  type AnsweredAttempt,
  answerRecordOf,
  isAlreadyHeld,
  recordAnswersSoon,
  UNRECORDED_EXIT,
} from '../payments/attemptOutcomes.ts'
import { conflictFailure } from '../payments/conflictFailure.ts'
import type { Consent } from '../payments/consent.ts'
import { type DurableAttempt, decide, otherSender, type SendConflict } from '../payments/decide.ts'
import { refusalText } from '../payments/explanation.ts'
import { operationOf, send } from '../payments/pay.ts'
import type { PaymentContext } from '../payments/paymentContext.ts'
import { approvalFailure } from '../payments/paymentRules.ts'
import { comparableKey } from '../pix/destination.ts'
import { loadSqlite } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import { isEndOfRun } from '../wire/errorCodes.ts'
import { Failure, type Outcome } from '../wire/errors.ts'
import { type NamedRun, unpaidPages } from './rowResults.ts'
import {
  known,
  type RunOrder,
  type RunPreview,
  rowAction,
  rowProposal,
  rowsToSend,
  type SelectedRow,
} from './runPreview.ts'

const NO_FAILURE: Unsent = { message: '', exitCode: 1 }
const NEVER_SENT: PostOutcome = { outcome: 'not-sent', fault: 'interrupted', code: 'NEVER_SENT' }

interface PreparedRow {
  row: RunRow
  attempt: DurableAttempt
}

interface Answered extends AnsweredAttempt {
  prepared: PreparedRow
  result: PostOutcome
  done(): void
}

export interface RowOutcome {
  row: RunRow
  /** The id that was sent; that of a further attempt differs from its row's. */
  externalId: string
  outcome: Outcome
  status: string | null
  idTransaction: string | null
  errorCode: string | null
  /** What a person should know; null if it was accepted. */
  message: string | null
  /** Sentences for the user about an answer that could not be recorded. */
  warnings: readonly string[]
  exitCode: number
  /** True if the run stopped before it, so that nothing is wrong with it. */
  isUntried?: boolean
  /** True if another process is sending it, so that its outcome is not unknown yet. */
  isBeingSent?: boolean
}

function answeredOutcome(
  { account, timeoutMs }: PaymentContext,
  row: RunRow,
  { record }: DurableAttempt,
  result: PostOutcome,
  { outcome, status, idTransaction, code, message }: AnswerRecord,
): RowOutcome {
  const isAccepted = outcome === 'accepted' || outcome === 'accepted-before'
  const failure = isAccepted ? undefined : postFailure(account, operationOf(record), result, timeoutMs)
  return {
    row,
    externalId: record.externalId ?? row.rowId,
    outcome,
    status: answeredStatus(row.facts.kind, outcome, status),
    idTransaction,
    // The gateway's own alone, as the ledger keeps it and every list shows it.
    errorCode: code,
    message: (outcome === 'refused' ? refusalText(code, message) : null) ?? failure?.message ?? null,
    warnings: [],
    exitCode: outcome === 'unknown' ? 5 : (failure?.exitCode ?? 0),
  }
}

/** Why a run stopped, so that a row is not sent. */
interface Unsent {
  message: string
  exitCode: number
}

const UNSENT = { outcome: 'not-sent', status: null, idTransaction: null, errorCode: null, warnings: [] } as const

/** The outcome of a row that the run did not reach. The code of what stopped the run belongs to another row. */
function untriedOutcome(row: RunRow, unsent: Unsent): RowOutcome {
  return { ...UNSENT, ...unsent, row, externalId: row.rowId, isUntried: true }
}

/** The outcome of a row of a run that a rule does not allow. */
export function outcomeByRule(
  { row, payment, errorCode }: RunRowState,
  conflict: SendConflict,
  { message, code }: Failure,
): RowOutcome {
  const exitCode = unsentExitCode(conflict)
  const isBeingSent = conflict.why === 'being-sent' && conflict.payment.id === payment
  // The row itself is not sent if what is unknown is another payment.
  const isUnknown = exitCode === 5 && conflict.why !== 'unknown'
  const outcome = isUnknown || isBeingSent ? 'unknown' : 'not-sent'
  const known = outcome === 'unknown' ? { errorCode } : { errorCode: code }
  return { ...UNSENT, ...known, row, externalId: row.rowId, outcome, message, exitCode, isBeingSent }
}

/**
 * The outcomes of the rows of a run that were sent before, were not paid as far as it is known, and are not sent now: 6 if another process is sending
 * it, 5 if it is unknown, else 1. `elsewhere` are those that its file calls unknown, and that this ledger does not know.
 */
export async function* outcomesBefore(
  context: PaymentContext,
  run: NamedRun,
  selection: RunOrder['selection'],
  elsewhere: readonly RunRow[],
): AsyncGenerator<RowOutcome> {
  const nowMs = context.now()
  const isNamed = (state: RunRowState) => rowAction(state, selection, nowMs) === null
  for await (const page of unpaidPages(context.ledger, run, isNamed)) {
    for (const { state, result } of page) {
      const { externalId, status, idTransaction, errorCode } = result
      const exitCode = state.isUnknown ? 5 : 1
      const outcome = state.isUnknown ? 'unknown' : result.outcome
      const before = { externalId, outcome, status, idTransaction, errorCode, message: result.message(), exitCode }
      const sending = exitCode === 5 ? await sendingElsewhere(context, state) : undefined
      yield sending ?? { row: state.row, warnings: [], ...before }
    }
  }
  for (const row of elsewhere) {
    const message = t`The results file says so; another machine sent it, and this ledger does not know it`
    yield {
      ...UNSENT,
      row: { ...row, isLeftOut: true },
      externalId: row.rowId,
      outcome: 'unknown',
      message,
      exitCode: 5,
    }
  }
}

/** The outcome of a row whose payment another process is sending; undefined if none is. */
async function sendingElsewhere(context: PaymentContext, state: RunRowState): Promise<RowOutcome | undefined> {
  const { ledger, account } = context
  const payment = await ledger.read((database) => loadPayment(database, known(state.payment)))
  const conflict = await withSender(context, { why: 'changed', payment })
  if (conflict.why !== 'being-sent') return undefined
  const { facts, rowId: externalId } = state.row
  const failure = await ledger.read((database) => conflictFailure(database, account, { facts, externalId }, conflict))
  return outcomeByRule(state, conflict, failure)
}

/** The exit code of a row that a rule does not allow: 6 if it may simply be sent again, 5 if its outcome or that of the same payment is unknown, else 1. */
export function unsentExitCode(conflict: SendConflict): number {
  switch (conflict.why) {
    case 'being-sent':
      return 6
    case 'not-as-shown':
      return 2
    case 'too-old':
    case 'unknown':
      return 5
    case 'changed': {
      const { state } = conflict.payment.summary
      return state === 'not-sent' ? 6 : state === 'unknown' ? 5 : 1
    }
    default:
      return 1
  }
}

/** The outcome of a row whose answer could not be recorded: as the gateway gave it, with the exit code of an unknown outcome. */
function unrecordedOutcome(result: RowOutcome, unrecorded: Failure): RowOutcome {
  const { idTransaction } = result
  const message =
    idTransaction === null
      ? t`The answer could not be recorded, so the outcome of this row is unknown here`
      : t`The gateway accepted it as ${idTransaction}, but that could not be recorded, so the outcome of this row is unknown here`
  return { ...result, message, warnings: [`${message}: ${unrecorded.message}`], exitCode: UNRECORDED_EXIT }
}

/** True if every further row would fail the same way: the gateway refuses the credentials, the address or the balance, or asks to wait; the proxy refuses. */
function isFatalForRun(result: PostOutcome): boolean {
  if (result.outcome === 'not-sent') return isProxyRefusal(result.code)
  if (result.outcome !== 'refused') return false
  return result.httpStatus === 401 || result.httpStatus === 429 || isEndOfRun(result.answerError.code)
}

/** A batch stops after this number of keys that were not found, because the directory of keys blocks those who ask for too many. */
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
    this.#keys.add(comparableKey(facts.key, facts.keyType))
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

/**
 * Why the run stopped before its last row, and what is said of each row that it did not come to; `unnamed` of them could not be reported before the
 * process ends. It is `abandoned` if an interrupt did not let it wait for answers.
 */
export type SendStop = { unsent: Unsent; unnamed?: number } & (
  | { why: 'failure'; failure: Failure | null }
  | { why: 'in-a-row' | 'missing-keys' | 'interrupted' | 'abandoned' }
)

/** No more attempts than this are recorded ahead of sending: after a crash each of them has an unknown outcome. */
const AHEAD_MAX = 64
/** Rows that are read at once when they are only named. */
const UNSENT_ROWS_AT_ONCE = 200
/** So long they are named after the signal that ends the process two seconds later: the outcomes and the exit code must be told, too. */
const NAMING_MS = 500
/** The exit code of rows that were not sent because of an interrupt. */
export const INTERRUPTED_EXIT = 130
/** The pause before each decision, in which other processes can write. */
const DECISION_PAUSE_MS = 4
/**
 * So long the answer of a transfer waits for the next decisions, which record all that came: what a crash leaves unknown is never more than was ahead and
 * in flight. A refund waits for the answer to the one before, so no longer than until the next decision.
 */
const ANSWER_WAIT_MS = { transfer: 200, refund: DECISION_PAUSE_MS + 1 }

/**
 * Sends the rows of a preview to which somebody agreed, several at once. For each, the attempt is recorded, then its request is sent once, then the answer is recorded
 * and reported. Nothing is sent a second time. Returns why it stopped, null if it left no row; what was in flight has ended, and each row
 * of the preview that was not sent is reported with the reason. An interrupt lets the requests in flight finish and starts no others.
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
  readonly #pages: AsyncGenerator<SelectedRow[]>
  /** Rows that were read and not taken. */
  readonly #unread: SelectedRow[] = []
  #readError: unknown
  /** Answers that are not recorded. */
  #answered: Answered[] = []
  #recording: Promise<void> | undefined
  /** Transfers whose attempts are durable. */
  readonly #ready: PreparedRow[] = []
  #refilling: Promise<void> | undefined
  /** How many attempts are recorded ahead of sending. */
  #aheadRows: number
  #refills = 0
  /** True if a worker has waited for the ledger since the last refill. */
  #isAwaited = false
  #isAtEnd = false
  /** Rows that were taken and have no outcome yet, by their lines. */
  readonly #open = new Map<number, RunRow>()
  /** True once a request of this run left, so that an exit code must not say that nothing did. */
  #hasSent = false
  /** The last refund of each original that is under way: the next one waits for it. */
  readonly #refunds = new Map<string, Promise<void>>()
  readonly #missingKeys: MissingKeys
  #failuresInARow = 0
  /** True once a request was not waited for. */
  #hasAbandoned = false
  /** How many rows were taken. */
  #taken = 0
  #stop: SendStop | null = null
  #error: unknown

  constructor(context: PaymentContext, preview: RunPreview, pace: SendPace, report: (result: RowOutcome) => void) {
    this.#context = context
    this.#preview = preview
    this.#pace = pace
    this.#report = (result) => {
      this.#open.delete(result.row.line)
      report(result)
    }
    this.#rateLimiter = new RateLimiter(pace.perSecond, context.now)
    this.#aheadRows = pace.concurrency
    this.#pages = rowsToSend(context.ledger, preview, context.now())
    this.#missingKeys = new MissingKeys(context, preview.order.run, preview.lastSeq)
  }

  async run(): Promise<SendStop | null> {
    await Promise.all(Array.from({ length: this.#pace.concurrency }, () => this.#worker()))
    await this.#refilling
    for (const unsent of this.#ready.splice(0)) void this.#recordSoon(unsent, NEVER_SENT)
    while (this.#recording !== undefined) await this.#recording
    if (this.#error !== undefined) throw this.#error
    const stop = this.#stop === null ? null : await this.#reportUnsent(this.#stop)
    return stop?.why === 'interrupted' && this.#hasAbandoned ? { ...stop, why: 'abandoned' } : stop
  }

  /**
   * Reports the rows that were not sent because the run stopped: those that were taken, and those that it did not come to. Null if there are none, so that
   * nothing was stopped.
   */
  async #reportUnsent(stop: SendStop): Promise<SendStop | null> {
    const { unsent } = stop
    const { abandon, terminal } = this.#context
    let isAny = this.#open.size > 0
    for (const [, row] of [...this.#open].sort(([one], [other]) => one - other))
      this.#report(untriedOutcome(row, unsent))
    try {
      for (let endMs = Number.POSITIVE_INFINITY; performance.now() < endMs; ) {
        const rows = await this.#take(UNSENT_ROWS_AT_ONCE)
        isAny ||= rows.length > 0
        for (const { state } of rows) this.#report(untriedOutcome(state.row, unsent))
        const isRead = abandon.aborted || (await terminal.flush())
        if (!isRead || rows.length < UNSENT_ROWS_AT_ONCE) return isAny ? stop : null
        if (abandon.aborted) endMs = Math.min(endMs, performance.now() + NAMING_MS)
      }
      return { ...stop, unnamed: this.#preview.now.count - this.#taken }
    } catch (error) {
      // What stopped the run may keep its rows from being read, too; the summary says so.
      if (!(error instanceof Failure)) throw error
      return stop
    }
  }

  /** Up to `count` further rows, fewer only at the end. */
  async #take(count: number): Promise<SelectedRow[]> {
    while (this.#unread.length < count) {
      // After an error a generator says that it is at its end.
      if (this.#readError !== undefined) throw this.#readError
      const page = await this.#pages.next().catch((error: unknown) => {
        this.#readError = error
        throw error
      })
      if (page.done === true) break
      this.#unread.push(...page.value)
    }
    const rows = this.#unread.splice(0, count)
    this.#taken += rows.length
    for (const { state } of rows) this.#open.set(state.row.line, state.row)
    return rows
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
    void this.#recordSoon(prepared, await this.#send(prepared))
    return true
  }

  /** Sends one refund; false if there is none left. Nothing is recorded ahead, because a refund cannot be sent again. */
  async #nextRefund(): Promise<boolean> {
    await this.#sleep(DECISION_PAUSE_MS)
    const [selected] = await this.#take(1)
    if (selected === undefined) return false
    const { facts } = selected.state.row
    const original = facts.kind === 'refund' ? facts.originalTransactionId : ''
    const earlier = this.#refunds.get(original) ?? Promise.resolve()
    const turn = earlier.then(async () => {
      if (this.#isOver()) return
      for (const prepared of await this.#decide([selected])) {
        await this.#recordSoon(prepared, await this.#send(prepared))
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
      this.#isAwaited = true
      await this.#refilling
    }
  }

  async #refill(): Promise<void> {
    try {
      await this.#sleep(DECISION_PAUSE_MS)
      const rows = this.#aheadRows - this.#ready.length
      const selected = await this.#take(rows)
      this.#isAtEnd = selected.length < rows
      const prepared = selected.length > 0 ? await this.#decide(selected) : []
      // Workers that take all of it at once and wait for the gateway need no more.
      if (this.#isAwaited && this.#refills > 0) this.#aheadRows = Math.min(this.#aheadRows * 2, AHEAD_MAX)
      this.#isAwaited = false
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
    const { ledger } = this.#context
    if (this.#isOver()) return []
    const { selected, proposals, changed } = await ledger.read((database) => {
      // What a person was asked about is not what would be sent now.
      const isChanged = ({ state: { payment } }: SelectedRow) =>
        payment !== null && hasRecordsAfter(database, payment, this.#preview.lastSeq)
      const unchanged = rows.filter((row) => !isChanged(row))
      return {
        selected: unchanged,
        proposals: unchanged.map((row) => rowProposal(database, this.#context, row, this.#preview)),
        changed: rows
          .filter(isChanged)
          .map(({ state }) => ({ state, payment: loadPayment(database, known(state.payment)) })),
      }
    })
    for (const { state, payment } of changed) await this.#reportConflict(state, { why: 'changed', payment })
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

  /** Reports a row that the rules do not allow by now. One that was accepted meanwhile needs no words: the summary counts it. */
  async #reportConflict(state: RunRowState, found: SendConflict): Promise<void> {
    const { row } = state
    if (found.why === 'changed' && hasSettled(found.payment)) {
      this.#open.delete(row.line)
      return
    }
    if (found.why === 'approval' || found.why === 'approval-amount-unknown') {
      this.#fail(approvalFailure(found, `pixgate resume ${this.#preview.order.run} --plan`), 1)
      return
    }
    const { ledger, account } = this.#context
    const intended = { facts: row.facts, externalId: row.rowId }
    try {
      const conflict = await withSender(this.#context, found)
      const failure = await ledger.read((database) => conflictFailure(database, account, intended, conflict))
      if (conflict.why === 'max-day') this.#fail(failure, 1)
      else this.#report(outcomeByRule(state, conflict, failure))
    } catch (error) {
      // The attempts that were decided with it are recorded, so the run ends in order: it records that they were never sent.
      this.#fail(error)
    }
  }

  async #send(prepared: PreparedRow): Promise<PostOutcome> {
    if (this.#isOver()) return NEVER_SENT
    this.#hasSent = true
    const result = await send(this.#context, prepared.attempt)
    this.#missingKeys.add(prepared.row.facts, result)
    if (result.outcome === 'unknown' && result.why === 'interrupted') this.#hasAbandoned = true
    this.#failuresInARow = result.outcome === 'accepted' || isAlreadyHeld(result) ? 0 : this.#failuresInARow + 1
    if (isFatalForRun(result)) this.#stop ??= { why: 'failure', failure: null, unsent: this.#likeRow(prepared, result) }
    else if (this.#failuresInARow >= this.#pace.stopAfter) {
      const count = this.#failuresInARow
      const message = t`Stopped after ${count} consecutive rows that were not accepted`
      this.#stop ??= { why: 'in-a-row', unsent: { ...this.#likeRow(prepared, result), message } }
    }
    return result
  }

  /** Records the result of a request with others and with the next decisions, while further rows are being sent; returns when it is recorded and reported, or cannot be. */
  #recordSoon(prepared: PreparedRow, result: PostOutcome): Promise<void> {
    const answered = { attempt: prepared.attempt.record, answer: answerRecordOf(prepared.attempt, result) }
    const recorded = new Promise<void>((done) => this.#answered.push({ ...answered, prepared, result, done }))
    this.#recording ??= this.#recordAll()
    return recorded
  }

  async #recordAll(): Promise<void> {
    while (this.#answered.length > 0) {
      let group: readonly Answered[] = []
      const take = () => {
        // In the order of the payments: the search writes its words to the disk when it comes to an older payment.
        group = this.#answered.sort((one, other) => one.attempt.seq - other.attempt.seq)
        this.#answered = []
        return group
      }
      try {
        const withinMs = ANSWER_WAIT_MS[this.#preview.order.kind]
        const { unrecorded } = await recordAnswersSoon(this.#context, take, withinMs)
        this.#reportAll(group, unrecorded)
      } catch (error) {
        this.#fail(error)
      }
      for (const { done } of group) done()
    }
    this.#recording = undefined
  }

  #reportAll(group: readonly Answered[], unrecorded: Failure | null): void {
    if (unrecorded !== null) {
      const unsent = { message: t`Stopped: ${unrecorded.message}`, exitCode: UNRECORDED_EXIT }
      this.#stop ??= { why: 'failure', failure: null, unsent }
    }
    for (const { prepared, result, answer } of group) {
      // A row whose request never started is one of those that the run did not come to.
      if (result.outcome === 'not-sent' && result.fault === 'interrupted') continue
      const row = answeredOutcome(this.#context, prepared.row, prepared.attempt, result, answer)
      this.#report(unrecorded === null ? row : unrecordedOutcome(row, unrecorded))
    }
  }

  /** What stopped the run with a row stopped those behind it. */
  #likeRow({ row, attempt }: PreparedRow, result: PostOutcome): Unsent {
    const { account, timeoutMs } = this.#context
    const { message, exitCode } = postFailure(account, operationOf(attempt.record), result, timeoutMs) ?? NO_FAILURE
    return { message: t`Stopped at line ${row.line}: ${message}`, exitCode }
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
  #fail(error: unknown, exitCode?: number): void {
    const failure = error instanceof Failure ? error : null
    if (failure === null) this.#error ??= error
    const { message, exitCode: own } = failure ?? NO_FAILURE
    // Exit 2 would mean that nothing was sent.
    const unsent = {
      message: t`Stopped: ${message}`,
      exitCode: exitCode ?? (own === 2 && this.#hasSent ? 1 : own),
    }
    this.#stop ??= { why: 'failure', failure, unsent }
  }

  #isOver(): boolean {
    if (this.#missingKeys.areTooMany) {
      const message = t`Stopped after ${MISSING_KEYS_MAX} PIX keys that were not found`
      const unsent = { message, exitCode: 1 }
      this.#stop ??= { why: 'missing-keys', unsent }
    }
    const { interrupt, abandon } = this.#context
    if (interrupt.aborted || abandon.aborted) {
      const unsent = { message: t`The batch was interrupted`, exitCode: INTERRUPTED_EXIT }
      this.#stop ??= { why: 'interrupted', unsent }
    }
    return this.#stop !== null
  }
}

/** A payment that another process began to send meanwhile is being sent; whatever else became of it, it changed. */
async function withSender({ ledger }: PaymentContext, conflict: SendConflict): Promise<SendConflict> {
  if (conflict.why !== 'changed' || conflict.payment.summary.state !== 'unknown') return conflict
  const { payment } = conflict
  const sender = await ledger.sender()
  const holder = await ledger.writeHere((writer) => otherSender(writer, sender, ledger.environment.folder, payment))
  return holder === undefined ? conflict : { why: 'being-sent', payment, holder }
}

/** True for a payment that was accepted, so that nothing of it is left to send. */
function hasSettled({ summary: { state } }: Payment): boolean {
  return state === 'accepted' || state === 'paid'
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
