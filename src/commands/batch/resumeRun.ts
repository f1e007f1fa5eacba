import { claimAcceptedRun } from '../../batch/claimRun.ts'
import { makeRunPlan, type RunOrder, type RunPlan } from '../../batch/runPlan.ts'
import { runExitCode } from '../../batch/runTally.ts'
import type { Context } from '../../context.ts'
import type { RunRecord } from '../../ledger/records.ts'
import type { Run } from '../../ledger/runs.ts'
import { askConsent, assertCanSend, showQuestion } from '../../payments/consent.ts'
import { otherAccountFailure } from '../../payments/otherAccountFailure.ts'
import type { PaymentContext } from '../../payments/paymentContext.ts'
import { formatInstant } from '../../pix/calendar.ts'
import type { Account } from '../../profiles/account.ts'
import { readProfiles } from '../../profiles/store.ts'
import { t } from '../../text/translate.ts'
import { worstExitCode } from '../../wire/errors.ts'
import { resumeQuestion, showResumePlan } from './batchQuestion.ts'
import {
  assertWithinLimits,
  conflictFailures,
  conflictFaults,
  planConflictFailure,
  type RowFailure,
} from './planFailures.ts'
import type { ResumeOptions } from './runOptions.ts'
import { showSummary, summarise } from './runScreen.ts'
import { sendRun, withResults } from './sendRun.ts'

/** The steps of `resume` and `batch resume` for a run that this machine knows. */
export async function resumeRun(
  context: Context,
  run: Run,
  options: ResumeOptions & { dryRun: boolean },
): Promise<number> {
  const account = await context.account()
  assertCanSend(account)
  await assertSameAccount(context, run.record, account)
  const payments = await context.payments()
  const resume = () => planAndSend(context, payments, run, options)
  if (options.dryRun) return resume()
  await claimAcceptedRun(payments, run)
  return withResults(context, options, async () => ({ run, exitCode: await resume() }))
}

async function planAndSend(
  context: Context,
  payments: PaymentContext,
  run: Run,
  options: ResumeOptions & { dryRun: boolean },
): Promise<number> {
  const { run: name, kind, reference } = run.record
  const { limit = null, dryRun: isDryRun } = options
  const order: RunOrder = { run: name, kind, reference, selection: options, limit, repeats: options }
  const plan = await makeRunPlan(payments, order)
  const failures = await conflictFailures(payments, plan)
  listNotResent(context, plan)
  if (plan.count === 0 || plan.conflictCount > plan.conflicts.length) {
    const summary = await summarise(payments.ledger, run)
    const { counts } = summary
    if (plan.conflictCount > 0 && counts.unknown.rows === 0) throw planConflictFailure(payments, plan, failures)
    listConflicts(context, plan, failures)
    if (isDryRun) showResumePlan(context, plan)
    else showSummary(context, run, summary)
    return runExitCode(counts)
  }
  listConflicts(context, plan, failures)
  assertWithinLimits(payments, plan)
  const question = resumeQuestion(run, plan, context.terminal.err)
  if (isDryRun) {
    showQuestion(payments, question)
    showResumePlan(context, plan)
    return worstExitCode(failures.map(({ failure }) => failure.exitCode))
  }
  await askConsent(payments, question)
  return sendRun(context, payments, { run, plan, notAllowed: failures }, options)
}

async function assertSameAccount(context: Context, { run, owner }: RunRecord, account: Account): Promise<void> {
  if (account.url === owner.baseUrl && account.clientId === owner.clientId) return
  throw otherAccountFailure(run, owner, account, await readProfiles(context.configFolder()))
}

function listNotResent({ terminal }: Context, { notResent, notResentCount }: RunPlan): void {
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

function listConflicts({ terminal }: Context, { conflictCount }: RunPlan, failures: readonly RowFailure[]): void {
  if (conflictCount === 0) return
  terminal.warn(t`Rows that cannot be sent: ${conflictCount}`)
  for (const { line, message } of conflictFaults(failures)) terminal.warn(t`line ${line}: ${message}`)
}
