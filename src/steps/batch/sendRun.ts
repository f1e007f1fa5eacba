import { claimAcceptedRun, claimRun, dropRun } from '../../batch/claimRun.ts'
import { lookUpOriginals } from '../../batch/refundOriginals.ts'
import { resultPages } from '../../batch/rowResults.ts'
import {
  type MissingRows,
  previewRun,
  proposedBodies,
  type RunOrder,
  type RunPreview,
  UNSENT_ROWS,
} from '../../batch/runPreview.ts'
import { runExitCode, summarise } from '../../batch/runTally.ts'
import {
  INTERRUPTED_EXIT,
  outcomeByRule,
  outcomesBefore,
  type RowOutcome,
  type SendPace,
  sendRows,
  unsentExitCode,
} from '../../batch/sendRows.ts'
import type { Context } from '../../context.ts'
import { knownSentMs } from '../../ledger/derivePayment.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { paymentsBeingSent } from '../../ledger/processes.ts'
import type { RunRecord, RunResults, RunRow, RunSending } from '../../ledger/records.ts'
import { isSameSums, type RunSums } from '../../ledger/runFingerprint.ts'
import { callbackUrlsOfRun, paymentsOfRun, unpaidElsewhere } from '../../ledger/runRows.ts'
import { acceptRun, findRun, type Run, type UnacceptedRun } from '../../ledger/runs.ts'
import { assertNothingOnItsWay } from '../../payments/conflictFailure.ts'
import type { Consent } from '../../payments/consent.ts'
import { isOfOtherLogin } from '../../payments/decide.ts'
import { otherAccountFailure } from '../../payments/explanation.ts'
import { ownerOf, type PaymentContext, type PlansInUse } from '../../payments/paymentContext.ts'
import type { RepeatOptions } from '../../payments/repeatOptions.ts'
import { formatReais } from '../../pix/amount.ts'
import { formatInstant } from '../../pix/calendar.ts'
import type { Account } from '../../profiles/account.ts'
import { readProfiles } from '../../profiles/store.ts'
import { openWholeFile, type WholeFile } from '../../storage/wholeFile.ts'
import { writeFailure } from '../../terminal/outputFile.ts'
import { t } from '../../text/translate.ts'
import { leftOutHint, questionStyle, resumeQuestion, showResumePreview } from '../../views/batch/batchQuestion.ts'
import { resultLines, resultsHeader } from '../../views/batch/rowFields.ts'
import { RunScreen, showStop, showSummary } from '../../views/batch/runScreen.ts'
import { callbackRows } from '../../views/payments/paymentQuestion.ts'
import { Failure, OutcomeUnknown, Refused, UsageError, worstExitCode } from '../../wire/errors.ts'
import { type HowToSend, type Sending, sendingAccount, sendPayments } from '../sendPayments.ts'
import { DEFAULT_SENDING, type ResumeOptions, sendingOf } from './batchOptions.ts'
import {
  assertNoConflicts,
  assertWithinLimits,
  conflictFailures,
  conflictFaults,
  heldBackHints,
  missingRowsFailure,
  type RowFailure,
  runConflictFailure,
} from './runConflicts.ts'

/** A run before its question is accepted. Its rows come from a file or from a plan. */
export interface NewRun extends Omit<UnacceptedRun, 'owner' | 'isDryRun'>, Pick<RunRecord, 'isReferenceTyped'> {
  /** Columns that are not used. */
  ignored: readonly string[]
  limit: number | null
  repeats: RepeatOptions
  sending: RunSending
  /** True if the payments that its rows refund are not queried. */
  skipQuery: boolean
  /** Adds its rows to the ledger. Returns what was sent under its reference before and is missing from it; null if that may be. */
  addRows(): Promise<MissingRows | null>
  /**
   * The question, what a plan and a dry run show, and what the summary says of its source. Throws UsageError if all of its rows were sent
   * before.
   */
  present(
    preview: RunPreview,
  ): Promise<Pick<Sending, 'planCommand' | 'question' | 'draft' | 'tryOut'> & Pick<RunPart, 'warnings' | 'elsewhere'>>
}

/** The name of a new run. */
export function newRunName(context: Pick<Context, 'newId'>): string {
  return `run-${context.newId().replaceAll('-', '').slice(0, 12)}`
}

/**
 * Sends a new run: keeps others from its reference, reads its rows, applies the rules to them and to their sum, and asks once. Returns the exit
 * code. Throws like {@link sendPayments}; nothing is left of a run that was not accepted.
 */
export async function sendNewRun(
  context: Context,
  payments: PaymentContext,
  source: NewRun,
  how: HowToSend,
): Promise<number> {
  const { run, kind, file, reference, isReferenceTyped, columns, fields, ignored, sending } = source
  const { ledger, account } = payments
  const unaccepted = { run, kind, owner: ownerOf(account), file, reference, isReferenceTyped, columns, fields }
  let accepted: Run | undefined
  await claimRun(payments, { ...unaccepted, isDryRun: how.dryRun })
  try {
    const preview = await judgeNewRun(payments, source)
    const { warnings, elsewhere, ...presented } = await source.present(preview)
    const send = async (consent: Consent) => {
      const record = await ledger.write((writer) => {
        if (findRun(writer.database, run) !== undefined) throw nameTaken(run)
        return acceptRun(writer, { ...unaccepted, ignored, ...preview.whole, sending })
      })
      accepted = { record, columns, fields }
      context.terminal.note(t`The run is ${run}`)
      return sendRun(context, payments, consent, { run: accepted, preview, warnings, elsewhere }, sending)
    }
    const all = { ...sumsOf(payments, preview), ...presented, send }
    const requested = isSent(how) ? sending.results : null
    return await withResults(
      context,
      requested,
      () => accepted,
      () => sendPayments(context, payments, all, how),
    )
  } finally {
    if (accepted === undefined) await dropRun(payments, run)
  }
}

/** Only a person who saw that this machine is working on the run can know the name. */
function nameTaken(run: string): UsageError {
  return new UsageError(t`Somebody else has recorded a run with the name ${run} meanwhile`, {
    details: [t`Nothing was sent`],
    hint: t`Look at it with \`pixgate batch show ${run}\`, then run the command again`,
  })
}

/** Reads the rows of a new run, and applies every rule to them and to their sum. */
async function judgeNewRun(payments: PaymentContext, source: NewRun): Promise<RunPreview> {
  const { run, kind, reference, isReferenceTyped, limit, repeats, skipQuery, sending } = source
  const order: RunOrder = { run, kind, reference, isReferenceTyped, selection: UNSENT_ROWS, limit, repeats }
  const isRefund = kind === 'refund'
  const missing = await source.addRows()
  let preview = await previewRun(payments, order, { isBeforeLookUp: isRefund })
  await assertNoConflicts(payments, preview)
  if (missing !== null && missing.count > 0) throw await missingRowsFailure(payments, missing)
  if (isRefund) {
    await lookUpOriginals(payments, { run, skipQuery, concurrency: sending.concurrency })
    preview = await previewRun(payments, order)
    await assertNoConflicts(payments, preview)
  }
  assertWithinLimits(payments, preview)
  return preview
}

function isSent({ dryRun, plan }: HowToSend): boolean {
  return !dryRun && plan === undefined
}

/** What the rules about a sum and the check command need to know of a run. */
function sumsOf(payments: PaymentContext, preview: RunPreview): Pick<Sending, 'requests' | 'newTodayCents'> {
  const { unknownAmounts, now, newTodayCents, order } = preview
  const totalCents = unknownAmounts > 0 ? null : now.cents
  return { requests: { kind: order.kind, bodies: proposedBodies(payments, preview), totalCents }, newTodayCents }
}

type ResumedPart = Omit<ResumeOptions, 'plan' | 'expires' | 'sshKey'> & HowToSend

/**
 * Sends what is left of a run that this machine knows, or makes a plan of it. It is allowed by these plans; without any, by those with which its
 * sending began.
 */
export async function resumeRun(context: Context, run: Run, options: ResumedPart, plans?: PlansInUse): Promise<number> {
  const account = await sendingAccount(context, options)
  await assertSameAccount(context, run.record, account)
  const allowing = plans ?? (options.plan === undefined ? await plansOfRun(context, account, run) : undefined)
  const opened = await context.payments()
  const payments = allowing === undefined ? opened : { ...opened, plans: allowing }
  // The path of another machine means nothing here, and what another login says could write anywhere, or take for ever.
  const started = isOfOther(payments, run) ? DEFAULT_SENDING : run.record.sending
  const isHere = run.record.machine === payments.ledger.environment.machine
  const sending = sendingOf(options, { ...started, results: isHere ? started.results : null })
  if (isSent(options)) {
    await claimAcceptedRun(payments, run)
    await assertRunIsStill(payments, run)
  }
  const requested = isSent(options) ? sending.results : null
  const resume = () => resumeRows(context, payments, run, { ...options, sending })
  return withResults(context, requested, () => run, resume)
}

function isOfOther({ ledger: { environment } }: PaymentContext, { record }: Run): boolean {
  return isOfOtherLogin({ isShared: environment.sharedAt !== undefined, user: environment.user }, record)
}

/** Throws NotReached while what an ended process sent of a run may be on its way. */
async function assertRunIsStill({ ledger }: PaymentContext, { record: { run } }: Run): Promise<void> {
  const beingSent = await paymentsBeingSent(ledger)
  const waiting = await ledger.read((database) => paymentsOfRun(database, run, beingSent.keys()))
  const holders = waiting.flatMap((id) => beingSent.get(id) ?? [])
  assertNothingOnItsWay(holders, run, `pixgate resume ${run}`)
}

async function plansOfRun(context: Context, account: Account, { record }: Run): Promise<PlansInUse | undefined> {
  const { plansToContinue } = await import('../plans/loadPlan.ts')
  return plansToContinue(context, account, record.run)
}

async function resumeRows(
  context: Context,
  payments: PaymentContext,
  run: Run,
  options: ResumedPart & { sending: RunSending },
): Promise<number> {
  const { dryRun: isDryRun, sending, limit = null } = options
  const { run: name, kind, reference, isReferenceTyped } = run.record
  const order = { run: name, kind, reference, isReferenceTyped, selection: options, limit, repeats: options }
  const preview = await previewRun(payments, order)
  assertConfirmed(run, preview)
  const failures = await conflictFailures(payments, preview)
  listNotResent(context, preview)
  if (preview.count === 0 || preview.conflictCount > preview.conflicts.length) {
    if (options.plan !== undefined) {
      throw preview.conflictCount > 0 ? runConflictFailure(payments, preview, failures, true) : nothingToPlan(name)
    }
    const { counts } = await summarise(payments.ledger, run, context.pid)
    const isByRule = counts.unknown.rows === 0 && failures.every(({ conflict }) => conflict.why !== 'being-sent')
    if (preview.conflictCount > 0 && isByRule) throw heldBackFailure(payments, preview, failures)
    listConflicts(context, payments, preview, failures)
    if (isDryRun) {
      showResumePreview(context, preview, null)
      return worstExitCode([...exitCodesOf(failures), runExitCode(counts)])
    }
    const screen = new RunScreen(context, run, 0)
    const part = { run, preview, notAllowed: failures }
    await nameUnsent(payments, part, screen)
    return finish(context, payments, part, null, screen)
  }
  listConflicts(context, payments, preview, failures)
  assertWithinLimits(payments, preview)
  const { plans } = payments
  // A new attempt of a refused row is not one of the plan that sent the run.
  const isPlanned = plans !== undefined && (plans.isOnly || preview.rows.retry === 0)
  const { refused, includeUnknown } = options
  const style = questionStyle(context, isDryRun)
  const urls = await payments.ledger.read((database) => callbackUrlsOfRun(database, name))
  const all: Sending = {
    ...sumsOf(payments, preview),
    planCommand: isPlanned ? null : `pixgate resume ${name}${refused ? ' --refused' : ''} --plan`,
    question: resumeQuestion(run, preview, sending, {
      style,
      isShared: payments.ledger.environment.sharedAt !== undefined,
      callback: isOfOther(payments, run) ? callbackRows(urls, payments.account, style) : [],
    }),
    async draft() {
      const { draftOfRun } = await import('../plans/makePlan.ts')
      const { draft } = await draftOfRun(payments, preview)
      return { ...draft, resume: { run: name, payment: null, refused, includeUnknown } }
    },
    tryOut: async () => (lines) => {
      showResumePreview(context, preview, lines)
      return worstExitCode(exitCodesOf(failures))
    },
    send: (consent) => sendRun(context, payments, consent, { run, preview, notAllowed: failures }, sending),
  }
  return sendPayments(context, payments, all, options)
}

/** Throws UsageError if the rows of a run are not those that a person confirmed. */
function assertConfirmed({ record }: Run, { whole }: RunPreview): void {
  if (isSameSums(record, whole)) return
  const { run, user, machine } = record
  throw new UsageError(t`The rows of the run ${run} are not those that ${user} on ${machine} confirmed`, {
    code: 'RECORD_REFUSED',
    details: [t`Confirmed: ${sumsText(record)}`, t`Here: ${sumsText(whole)}`, t`Nothing was sent`],
    hint: t`Look for the cause with \`pixgate history check\`; to pay what is left, send the file itself again, of which it leaves out what was sent`,
  })
}

function sumsText({ rows, totalCents, fingerprint }: RunSums): string {
  return t`${rows} rows, ${formatReais(totalCents)}, fingerprint ${fingerprint}`
}

function nothingToPlan(run: string): UsageError {
  return new UsageError(t`Nothing of the run ${run} is left to send, so there is nothing to plan`, {
    details: [t`Nothing was sent`],
    hint: t`Run \`pixgate batch show ${run}\` to see its rows`,
  })
}

interface RunPart {
  run: Run
  preview: RunPreview
  /** The rows that the rules do not allow to be sent; none unless given. */
  notAllowed?: readonly RowFailure[]
  /** Sentences about the file that were shown as text, for JSON. */
  warnings?: readonly string[] | undefined
  /** Rows that its file calls unknown, and that this ledger does not know; none unless given. */
  elsewhere?: readonly RunRow[] | undefined
}

/** Rows were sent, and what became of them is not where the user looks for it. */
const UNWRITTEN_EXIT = 5

/** Sends rows of a run, prints their results and the summary. Returns the exit code. */
async function sendRun(
  context: Context,
  payments: PaymentContext,
  consent: Consent,
  part: RunPart,
  pace: SendPace,
): Promise<number> {
  const { run, preview } = part
  const screen = new RunScreen(context, run, preview.now.count)
  await nameUnsent(payments, part, screen)
  const report = (rowOutcome: RowOutcome) => screen.row(rowOutcome)
  const stop = await sendRows(withSharedConnections(payments), consent, preview, pace, report)
  showStop(context, stop)
  screen.end(stop?.unnamed ?? 0)
  return finish(context, payments, part, stop, screen)
}

/** Names the rows that were to be sent, are not paid, and are not sent now: what became of them before, or the rule that stops them. */
async function nameUnsent(
  payments: PaymentContext,
  { run, preview, notAllowed = [], elsewhere = [] }: RunPart,
  screen: RunScreen,
): Promise<void> {
  for await (const rowOutcome of outcomesBefore(payments, run, preview.order.selection, elsewhere))
    screen.name(rowOutcome)
  for (const { state, conflict, failure } of notAllowed) screen.name(outcomeByRule(state, conflict, failure))
}

/** Prints the summary of a run, and returns the exit code of all that happened. */
async function finish(
  context: Context,
  { ledger }: PaymentContext,
  { run, warnings }: RunPart,
  stop: Awaited<ReturnType<typeof sendRows>>,
  { exitCodes, leftOut }: RunScreen,
): Promise<number> {
  const { run: name } = run.record
  const seen = [...exitCodes, stop?.why === 'failure' ? stop.unsent.exitCode : 0]
  try {
    const summary = await summarise(ledger, run, context.pid)
    const { counts } = summary
    showSummary(context, run, summary, warnings)
    if (leftOut > 0)
      context.terminal.next(leftOutHint(await ledger.read((database) => unpaidElsewhere(database, name))))
    const exitCode = worstExitCode([...seen, runExitCode(counts)])
    return stop?.why === 'interrupted' && exitCode !== 5 ? INTERRUPTED_EXIT : exitCode
  } catch (error) {
    // Rows were sent, so their outcomes matter more than the failure to count them.
    if (!(error instanceof Failure)) throw error
    context.terminal.alarm(t`The rows of ${name} cannot be counted: ${error.message}`)
    context.terminal.next(t`Run \`pixgate batch show ${name}\` once that is fixed`)
    return worstExitCode([...seen, error.exitCode])
  }
}

/** Connecting takes longer than the rest of a request. */
function withSharedConnections(payments: PaymentContext): PaymentContext {
  const { gateway } = payments
  return {
    ...payments,
    gateway: { ...gateway, post: (request, _isOneOfMany, mayLeave) => gateway.post(request, true, mayLeave) },
  }
}

/**
 * Works on a run, then writes its file of results if one was requested, and returns the worst exit code. The file is opened before the work, so
 * that nothing is sent if it cannot be written. `accepted` returns the run after the work; undefined if its question was not accepted.
 */
async function withResults(
  context: Context,
  requested: RunResults | null,
  accepted: () => Run | undefined,
  work: () => Promise<number>,
): Promise<number> {
  if (requested === null) return work()
  const { path } = requested
  const file = await attempted(path, () => openWholeFile(path))
  try {
    const exitCode = await work()
    const run = accepted()
    if (run === undefined) return exitCode
    try {
      const ledger = await context.ledger()
      await attempted(path, () => writeResults(file, ledger, run, requested))
      context.terminal.note(t`The results of all rows are in ${path}`)
      return exitCode
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      context.terminal.alarm(t`The results were not written: ${error.message}`)
      context.terminal.next(
        t`Run \`pixgate resume ${run.record.run} --results results.csv\` to write them to another file; what was sent is not sent again`,
      )
      // Exit 2 would mean that nothing was sent.
      return worstExitCode([exitCode, UNWRITTEN_EXIT])
    }
  } finally {
    await file.discard()
  }
}

/** Writes the current result of every row of a run, as recorded in the ledger; the file appears under its name when it is whole. */
async function writeResults(file: WholeFile, ledger: Ledger, run: Run, { isExcel }: RunResults): Promise<void> {
  const mode = isExcel ? 'excel' : 'lossless'
  await file.append(resultsHeader(run.columns, mode))
  for await (const page of resultPages(ledger, run)) await file.append(resultLines(page, run.fields, mode))
  await file.finish()
}

async function attempted<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw writeFailure('--results', path, error)
  }
}

async function assertSameAccount(context: Context, { run, owner }: RunRecord, account: Account): Promise<void> {
  if (account.url === owner.baseUrl && account.clientId === owner.clientId) return
  throw otherAccountFailure(run, owner, account, await readProfiles(context.configFolder()))
}

function listNotResent({ terminal }: Context, { notResent, notResentCount }: RunPreview): void {
  if (notResentCount === 0) return
  terminal.warn(
    t`Rows with an unknown outcome that are not sent again, because they may have been paid: ${notResentCount}`,
  )
  for (const { row, firstSentMs } of notResent) {
    const sentMs = knownSentMs(firstSentMs)
    terminal.warn(
      sentMs === null
        ? t`line ${row.line}, ${row.rowId}, sent at an unknown time`
        : t`line ${row.line}, ${row.rowId}, sent ${formatInstant(sentMs)}`,
    )
  }
  const [first] = notResent
  if (typeof first?.payment !== 'string') return
  terminal.next(
    t`Look each of them up in the dashboard, then record what you found with \`pixgate history settle ${first.payment}\``,
  )
}

function listConflicts(
  { terminal }: Context,
  { account }: PaymentContext,
  preview: RunPreview,
  failures: readonly RowFailure[],
): void {
  if (preview.conflictCount === 0) return
  terminal.warn(t`Rows that cannot be sent: ${preview.conflictCount}`)
  for (const { line, message } of conflictFaults(failures)) terminal.warn(t`line ${line}: ${message}`)
  for (const hint of heldBackHints(account, preview, failures)) terminal.next(hint)
}

/** The failure of a run of which nothing is sent, because the rules hold back all that is left: it ends as it would if other rows had been sent. */
function heldBackFailure(payments: PaymentContext, preview: RunPreview, failures: readonly RowFailure[]): Failure {
  const failed = runConflictFailure(payments, preview, failures, true)
  if (failures.some(({ conflict }) => conflict.why === 'record-refused')) return failed
  const { message, code, hint, details, faults } = failed
  const HeldBack = worstExitCode(exitCodesOf(failures)) === 5 ? OutcomeUnknown : Refused
  return new HeldBack(message, { code, hint, details, faults, outcome: 'not-sent' })
}

function exitCodesOf(failures: readonly RowFailure[]): number[] {
  return failures.map(({ conflict }) => unsentExitCode(conflict))
}
