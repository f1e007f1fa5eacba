import { claimAcceptedRun } from '../../batch/claimRun.ts'
import type { RowSelection } from '../../batch/rowSelection.ts'
import { makeRunPlan, type RunPlan } from '../../batch/runPlan.ts'
import { runExitCode } from '../../batch/runTally.ts'
import type { Context } from '../../context.ts'
import type { RunRecord } from '../../ledger/records.ts'
import type { Run } from '../../ledger/runs.ts'
import { sentTodayCents } from '../../payments/amountLimits.ts'
import { askConsent, assertCanSend, type Question, showQuestion } from '../../payments/consent.ts'
import { otherAccountFailure } from '../../payments/otherAccountFailure.ts'
import type { PaymentContext } from '../../payments/paymentContext.ts'
import { formatReais } from '../../pix/amount.ts'
import { formatInstant, parseInstant } from '../../pix/calendar.ts'
import type { Account } from '../../profiles/account.ts'
import { readProfiles } from '../../profiles/store.ts'
import { labelledLines } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import { amountText } from '../../views/valueText.ts'
import { worstExitCode } from '../../wire/errors.ts'
import { assertNotCsv } from '../optionValues.ts'
import { amountOf, knownCents, limitRows, summaryRows } from './batchQuestion.ts'
import { conflictFailures, conflictFaults, planConflictFailure, type RowFailure } from './planFailures.ts'
import { assertWithinLimits } from './runLimits.ts'
import { type RunOptions, readRunOptions, type TypedRunOptions } from './runOptions.ts'
import { showSummary, summarise } from './runScreen.ts'
import { sendRun } from './sendRun.ts'
import { withResults } from './withResults.ts'

/** The options of `resume` for a run, as they are typed. */
export interface ResumeRunOptions extends TypedRunOptions, Partial<RowSelection> {
  dryRun?: boolean
}

/** The steps of `resume` and `batch resume` for a run that this machine knows. */
export async function resumeRun(context: Context, run: Run, options: ResumeRunOptions): Promise<number> {
  assertNotCsv(context)
  const work = readRunOptions(options)
  const account = await context.account()
  assertCanSend(account)
  await assertSameAccount(context, run.record, account)
  const payments = await context.payments()
  const selection = { refused: options.refused === true, includeUnknown: options.includeUnknown === true }
  if (options.dryRun === true) return resumePlanned(context, payments, run, { selection, work, isDryRun: true })
  await claimAcceptedRun(payments, run)
  return withResults(context, work, async () => ({
    run,
    exitCode: await resumePlanned(context, payments, run, { selection, work, isDryRun: false }),
  }))
}

interface Resuming {
  selection: RowSelection
  work: RunOptions
  isDryRun: boolean
}

async function resumePlanned(
  context: Context,
  payments: PaymentContext,
  run: Run,
  { selection, work, isDryRun }: Resuming,
): Promise<number> {
  const plan = await planSending(context, payments, run, { selection, work })
  const failures = await conflictFailures(payments, plan)
  listNotResent(context, plan)
  if (plan.count === 0 || plan.conflictCount > plan.conflicts.length) {
    const summary = await summarise(payments.ledger, run)
    const { counts } = summary
    if (plan.conflictCount > 0 && counts.unknown.rows === 0) throw await planConflictFailure(payments, plan)
    listConflicts(context, plan, failures)
    if (isDryRun) showPlan(context, run, plan)
    else showSummary(context, run, summary)
    return runExitCode(counts)
  }
  listConflicts(context, plan, failures)
  await assertWithinLimits(payments, plan)
  const question = await questionOf(context, payments, run, plan)
  if (isDryRun) {
    showQuestion(payments, question)
    showPlan(context, run, plan)
    return worstExitCode(failures.map(({ failure }) => failure.exitCode))
  }
  await askConsent(payments, question)
  return sendRun(context, payments, { run, plan, selection, repeats: work.repeats }, work)
}

function planSending(
  { terminal, runtime }: Context,
  payments: PaymentContext,
  run: Run,
  { selection, work }: Pick<Resuming, 'selection' | 'work'>,
): Promise<RunPlan> {
  return makeRunPlan(payments, {
    run: run.record.run,
    selection,
    limit: work.limit,
    repeats: work.repeats,
    interrupt: runtime.interrupt,
    progress: (rows) => terminal.passing(t`Checked ${rows} rows`),
  })
}

async function assertSameAccount(context: Context, { run, owner }: RunRecord, account: Account): Promise<void> {
  if (account.url === owner.baseUrl && account.clientId === owner.clientId) return
  throw otherAccountFailure(run, owner, account, await readProfiles(context.configFolder()))
}

async function questionOf(
  { terminal }: Context,
  { ledger, account, now }: PaymentContext,
  { record }: Run,
  plan: RunPlan,
): Promise<Question> {
  const { run, file, reference, at, kind } = record
  const { pay, resend, retry } = plan.rows
  const sentToday = await ledger.read((database) => sentTodayCents(database, account, now()))
  return {
    amountCents: knownCents(plan),
    rows: [
      [t`run`, t`${run}, ${kind}, started ${formatInstant(parseInstant(at) ?? 0)}`],
      [t`file`, file ?? '-'],
      [t`reference`, reference],
      [t`to send`, String(plan.now.count), terminal.err.bold],
      [t`never sent`, String(pay)],
      [t`unknown`, t`${resend} are sent again under their own ids, ${plan.notResentCount} are not`],
      [t`refused`, t`${retry} are sent again, each as a new attempt`],
      ...limitRows(plan),
      ...summaryRows(plan),
      [t`sent today`, t`${formatReais(sentToday)} so far`],
    ],
    text: t`Resume ${run}: send ${plan.now.count} rows, ${amountOf(plan)} in total?`,
  }
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

function showPlan(context: Context, run: Run, plan: RunPlan): void {
  const { rows, notResent } = plan
  const document = {
    run: run.record.run,
    rows: plan.now.count,
    neverSent: rows.pay,
    unknown: rows.resend,
    refused: rows.retry,
    totalCents: knownCents(plan),
    notAllowed: plan.conflictCount,
    notResent: notResent.map(({ row, firstSentMs }) => ({
      line: row.line,
      externalId: row.rowId,
      sentAt: firstSentMs === null ? null : new Date(firstSentMs).toISOString(),
    })),
  }
  const { out } = context.terminal
  context.print.one(document, () =>
    labelledLines(
      [
        [t`run`, run.record.run],
        [t`to send`, String(plan.now.count)],
        [t`total`, amountText(knownCents(plan)), out.bold],
      ],
      out,
    ),
  )
  context.terminal.note(t`Nothing was sent`)
}
