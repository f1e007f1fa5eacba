import type { PostOutcome } from '../gateway/exchange.ts'
import type { PaymentSummary } from '../ledger/derivePayment.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { SeenLedger } from '../ledger/ledgerId.ts'
import type { Payment } from '../ledger/payments.ts'
import { type AnswerRecord, type AttemptRecord, type LedgerRecord, SENDER_ENDED } from '../ledger/records.ts'
import { centsFromJson } from '../pix/amount.ts'
import { formatInstant, parseInstant } from '../pix/calendar.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { statusOf } from '../wire/answers.ts'
import { Cancelled, Failure, OutcomeUnknown } from '../wire/errors.ts'
import { noteLedger } from './currentLedger.ts'
import type { DurableAttempt } from './decide.ts'
import { type PaymentContext, warnOnce } from './paymentContext.ts'

/** A terminated process has this long to record what it knows. */
const LAST_MOMENT_MS = 1000

/** What the result of a request says about an attempt. */
export function answerRecordOf(
  { record, isResend }: Pick<DurableAttempt, 'record' | 'isResend'>,
  result: PostOutcome,
): AnswerRecord {
  const answer = firstAnswer(record, result)
  if (isAlreadyHeld(result) && (isResend || isDerivedId(record)))
    return { ...answer, outcome: 'accepted-before', code: null }
  // The gateway may check key, owner, balance and limits before it looks for the id, and what was sent first may be the cause: only an
  // acceptance, or the duplicate, reveals its outcome.
  return isResend && result.outcome === 'refused' ? { ...answer, outcome: 'unknown' } : answer
}

/** What the result of a request that was sent for the first time says. */
export function firstAnswer(record: LedgerRecord<AttemptRecord>, result: PostOutcome): AnswerRecord {
  const fields = result.outcome === 'accepted' ? result.fields : {}
  return {
    type: 'answer',
    payment: record.payment,
    attempt: record.id,
    outcome: result.outcome,
    idTransaction: result.outcome === 'accepted' ? result.idTransaction : null,
    status: statusOf(fields),
    code: result.outcome === 'refused' ? result.answerError.code : null,
    message: result.outcome === 'refused' ? result.answerError.description : null,
    httpStatus: result.outcome === 'not-sent' ? null : result.httpStatus,
    amountCents: centsFromJson(fields.amount) ?? null,
    ...(result.gatewayMs === undefined ? {} : { gatewayAt: new Date(result.gatewayMs).toISOString() }),
  }
}

/** True if the gateway says that it holds a transfer with this externalId already. */
export function isAlreadyHeld(result: PostOutcome): boolean {
  return result.outcome === 'refused' && result.answerError.code === 'DUPLICATE_EXTERNAL_ID'
}

/** A derived id names exactly this payment, whichever machine it was sent from before. */
function isDerivedId({ place, externalId, rowId, number }: AttemptRecord): boolean {
  return place?.isDerivedId === true && number === 1 && externalId === rowId
}

/** The exit code of an answer that is shown and could not be recorded. */
export const UNRECORDED_EXIT = 5

interface RecordedAnswers {
  /** Why they could not be recorded, so that the outcomes stay unknown here; null if they were. */
  unrecorded: Failure | null
  /** Sentences for the user. */
  warnings: string[]
}

/** An attempt that this process has recorded, with its answer. */
export interface AnsweredAttempt {
  attempt: LedgerRecord<AttemptRecord>
  answer: AnswerRecord
}

/**
 * Records the outcome of an attempt, in a transaction that does nothing else. What was seen of the ledger is noted afterwards; if that
 * fails, it is a warning. An answer that cannot be recorded, or not in the time that a termination leaves, is for the caller to show.
 */
export function recordAnswer(context: PaymentContext, answered: AnsweredAttempt): Promise<RecordedAnswers> {
  return record(context, () => [answered], context.ledger.keep)
}

/**
 * {@link recordAnswer} for the answers that `take` returns, in the transaction of the next decisions, or in one of their own that begins within this
 * time. `take` is called once: in the transaction, or if none can be begun.
 */
export function recordAnswersSoon(
  context: PaymentContext,
  take: () => readonly AnsweredAttempt[],
  withinMs?: number,
): Promise<RecordedAnswers> {
  return record(context, take, (work) => context.ledger.commitSoon(work, withinMs))
}

async function record(
  context: PaymentContext,
  take: () => readonly AnsweredAttempt[],
  commit: Ledger['keep'],
): Promise<RecordedAnswers> {
  const { terminal, abandon } = context
  let taken: readonly AnsweredAttempt[] | undefined
  try {
    const { result: answers, seen } = await inLastMoment(
      commit((writer) => {
        taken ??= take()
        for (const { attempt, answer } of taken) writer.appendAnswer(attempt, answer)
        return taken
      }),
      abandon,
    )
    warnOfClock(context, answers)
    return { unrecorded: null, warnings: noteSeen(context, seen) }
  } catch (error) {
    // The ledger may come free later, and must then not take answers that belong to the next call.
    taken ??= take()
    const answers = taken
    // Only what keeps the ledger from being written; anything else is a defect.
    if (!(error instanceof Failure)) throw error
    const warning =
      answers.length === 1
        ? t`The answer could not be recorded, so the outcome of this payment is unknown here: ${error.message}`
        : t`The answers could not be recorded, so the outcome of ${answers.length} payments is unknown here: ${error.message}`
    terminal.warn(warning)
    return { unrecorded: error, warnings: [warning] }
  }
}

function warnOfClock(context: PaymentContext, answers: readonly AnsweredAttempt[]): void {
  const told = answers.find(({ answer }) => answer.gatewayAt !== undefined)
  const gatewayMs = parseInstant(told?.answer.gatewayAt ?? '')
  if (gatewayMs === undefined) return
  warnOnce(
    context,
    t`The clock of this machine says ${formatInstant(context.now())}, but the gateway's says ${formatInstant(gatewayMs)}; set the clock of this machine`,
  )
}

/** The failure that shows an answer which could not be recorded: the gateway's own words, with the exit code of an unknown outcome. */
export function unrecordedFailure(answered: Failure, unrecorded: Failure): Failure {
  const { message, code, details, httpStatus, outcome, externalId } = answered
  return new OutcomeUnknown(message, {
    code,
    details: [...details, t`This answer could not be recorded: ${unrecorded.message}`],
    outcome,
    ...(httpStatus === null ? {} : { httpStatus }),
    ...(externalId === undefined ? {} : { externalId }),
    hint: unrecorded.hint,
  })
}

/** Notes what was seen of the ledger. Returns the warning if it cannot be noted. */
function noteSeen(context: PaymentContext, seen: SeenLedger): string[] {
  try {
    noteLedger(context, seen)
    return []
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const warning = t`The answer was recorded, but not noted outside of the ledger: ${error.message}`
    context.terminal.warn(warning)
    return [warning]
  }
}

function inLastMoment<Result>(work: Promise<Result>, abandon: AbortSignal): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  let begin = () => {}
  const over = new Promise<never>((_resolve, reject) => {
    begin = () => {
      timer = setTimeout(reject, LAST_MOMENT_MS, interruptedFailure())
    }
  })
  if (abandon.aborted) begin()
  else abandon.addEventListener('abort', begin)
  return Promise.race([work, over]).finally(() => {
    clearTimeout(timer)
    abandon.removeEventListener('abort', begin)
  })
}

function interruptedFailure(): Cancelled {
  return new Cancelled(t`Interrupted`, { hint: t`Run \`pixgate history\` to look it up` })
}

/** Statuses by which the gateway refuses the caller, whatever the request is about. */
const REFUSING_CALLER: readonly (number | null)[] = [401, 403, 429]

/** True if the gateway refused the payment that a request is about, not its caller. `code` is its error code; null if it sent none. */
export function refusesPayment(code: string | null, httpStatus: number | null): boolean {
  return code !== null && !REFUSING_CALLER.includes(httpStatus)
}

/**
 * The code with which the gateway refused a payment of unknown outcome when it was sent again; null if it was not. The refusal does not
 * reveal the outcome of the first request, and the same request again gets the same answer until the cause is fixed.
 */
export function resendRefusal({ state, attempts }: PaymentSummary): string | null {
  const attempt = attempts.find((each) => each.state === 'unknown')
  if (state !== 'unknown' || attempt === undefined) return null
  const { answer, sender, sends } = attempt
  if (answer === null || sender !== null || sends.length < 2 || answer.code === SENDER_ENDED) return null
  return refusesPayment(answer.code, answer.httpStatus) ? answer.code : null
}

/** The id by which {@link unknownOutcomeHint} names a payment with an unknown outcome. */
export function hintedId({ id, givenId, facts }: Payment): string {
  return facts.kind === 'transfer' ? givenId : id
}

/** What can tell the outcome of a payment whose outcome is unknown, as a hint. */
export function unknownOutcomeHint({ id, givenId, facts, summary }: Payment): string {
  if (facts.kind !== 'transfer' || summary.state === 'accepted') {
    return t`Wait for its event, or look for it in the gateway's dashboard, then record what you found with \`pixgate history settle ${id}\``
  }
  const code = resendRefusal(summary)
  return code === null
    ? t`Run \`pixgate resume ${commandArgument(givenId)}\` to find out its outcome: it sends the same external id, which the gateway carries out only once`
    : t`Wait for its event, or look for ${givenId} in the gateway's dashboard, because sending it again was refused (${code}); run \`pixgate history show ${commandArgument(givenId)}\` to see all that is known`
}
