import { claimAcceptedRun } from '../../batch/claimRun.ts'
import { previewRun, type RunOrder, type RunPreview } from '../../batch/runPreview.ts'
import { runExitCode, summarise } from '../../batch/runTally.ts'
import type { Context } from '../../context.ts'
import type { RunRecord, RunSending } from '../../ledger/records.ts'
import type { Run } from '../../ledger/runs.ts'
import { askConsent, assertCanSend, showQuestion } from '../../payments/consent.ts'
import { otherAccountFailure } from '../../payments/explanation.ts'
import type { PaymentContext, PlansInUse } from '../../payments/paymentContext.ts'
import { assertNoApprovalNeeded } from '../../payments/paymentRules.ts'
import { formatInstant } from '../../pix/calendar.ts'
import type { Account } from '../../profiles/account.ts'
import { readProfiles } from '../../profiles/store.ts'
import { t } from '../../text/translate.ts'
import { resumeQuestion, showResumePreview } from '../../views/batch/batchQuestion.ts'
import { showSummary } from '../../views/batch/runScreen.ts'
import { worstExitCode } from '../../wire/errors.ts'
import type { PlanOptions } from '../optionSets.ts'
import { type ResumeOptions, sendingOf } from './batchOptions.ts'
import {
  assertWithinLimits,
  checkRun,
  conflictFailures,
  conflictFaults,
  type RowFailure,
  runConflictFailure,
  sendRun,
  sumsOf,
  withResults,
} from './sendRun.ts'

/** What is sent of a run again, and how. */
type ResumedPart = Omit<ResumeOptions, keyof PlanOptions> & { dryRun: boolean }

/** The steps of `resume` and `batch resume` for a run that this machine knows. The plans with which its sending began allow it. */
export async function resumeRun(
  context: Context,
  run: Run,
  options: ResumeOptions & { dryRun: boolean },
): Promise<number> {
  if (options.plan === undefined) {
    const { plansToContinue } = await import('../plans/loadPlan.ts')
    return resumeByPlans(context, run, options, await plansToContinue(context, await context.account(), run.record.run))
  }
  context.forgoSecret()
  const account = await context.account()
  assertCanSend(account)
  await assertSameAccount(context, run.record, account)
  const payments = await context.payments()
  const preview = await previewRun(payments, orderOf(run, options))
  const failures = await conflictFailures(payments, preview)
  listNotResent(context, preview)
  if (preview.count === 0 && failures.length > 0) throw runConflictFailure(payments, preview, failures)
  listConflicts(context, preview, failures)
  assertWithinLimits(payments, preview)
  const { planResume } = await import('../plans/makePlan.ts')
  return planResume(context, payments, preview, options)
}

function orderOf({ record }: Run, options: ResumedPart): RunOrder {
  const { run, kind, reference, isReferenceTyped } = record
  return { run, kind, reference, isReferenceTyped, selection: options, limit: options.limit ?? null, repeats: options }
}

/** Sends what is left of a run, as these plans allow it; without any, as no plan is needed. */
export async function resumeByPlans(
  context: Context,
  run: Run,
  options: ResumedPart,
  plans: PlansInUse | undefined,
): Promise<number> {
  const account = await context.account()
  assertCanSend(account)
  await assertSameAccount(context, run.record, account)
  const opened = await context.payments()
  const payments = plans === undefined ? opened : { ...opened, plans }
  const { machine, sending: started } = run.record
  // The path of another machine means nothing here.
  const isOwn = machine === payments.ledger.environment.machine
  const sending = sendingOf(options, { ...started, results: isOwn ? started.results : null })
  const resume = () => previewAndSend(context, payments, run, { ...options, sending })
  if (options.dryRun) return resume()
  await claimAcceptedRun(payments, run)
  return withResults(context, sending.results, async () => ({ run, exitCode: await resume() }))
}

async function previewAndSend(
  context: Context,
  payments: PaymentContext,
  run: Run,
  options: ResumedPart & { sending: RunSending },
): Promise<number> {
  const { dryRun: isDryRun, sending } = options
  const preview = await previewRun(payments, orderOf(run, options))
  const failures = await conflictFailures(payments, preview)
  listNotResent(context, preview)
  if (preview.count === 0 || preview.conflictCount > preview.conflicts.length) {
    const summary = await summarise(payments.ledger, run)
    const { counts } = summary
    if (preview.conflictCount > 0 && counts.unknown.rows === 0) throw runConflictFailure(payments, preview, failures)
    listConflicts(context, preview, failures)
    if (isDryRun) showResumePreview(context, preview)
    else showSummary(context, run, summary)
    return runExitCode(counts)
  }
  listConflicts(context, preview, failures)
  assertWithinLimits(payments, preview)
  // A new attempt of a refused row is not one of the plan that sent the run.
  const { plans, ...withoutPlans } = payments
  const planned = plans?.isOnly === true || preview.rows.retry === 0 ? payments : withoutPlans
  const command = `pixgate resume ${run.record.run}${options.refused ? ' --refused' : ''} --plan`
  await assertNoApprovalNeeded(planned, sumsOf(preview), command)
  const question = resumeQuestion(run, preview, sending, context.terminal.err)
  await checkRun(payments, preview, isDryRun)
  if (isDryRun) {
    showQuestion(payments, question)
    showResumePreview(context, preview)
    return worstExitCode(failures.map(({ failure }) => failure.exitCode))
  }
  await askConsent(payments, question)
  return sendRun(context, payments, { run, preview, notAllowed: failures }, sending)
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
    terminal.warn(t`line ${row.line}, ${row.rowId}, sent ${formatInstant(firstSentMs ?? 0)}`)
  }
  const [first] = notResent
  if (typeof first?.payment !== 'string') return
  terminal.next(
    t`Look each of them up in the dashboard, then record what you found with \`pixgate history settle ${first.payment}\``,
  )
}

function listConflicts({ terminal }: Context, { conflictCount }: RunPreview, failures: readonly RowFailure[]): void {
  if (conflictCount === 0) return
  terminal.warn(t`Rows that cannot be sent: ${conflictCount}`)
  for (const { line, message } of conflictFaults(failures)) terminal.warn(t`line ${line}: ${message}`)
}
