import { basename } from 'node:path'
import { type BatchFile, type BatchKind, readBatchFile } from '../../batch/batchFile.ts'
import { claimRun, dropRun, readFileIntoRun } from '../../batch/claimRun.ts'
import { assertNoFaults } from '../../batch/fileCheck.ts'
import { countEqualRows, countNewKeys, findMissingRows } from '../../batch/planWarnings.ts'
import { UNSENT_ROWS } from '../../batch/rowSelection.ts'
import { makeRunPlan, type RunPlan } from '../../batch/runPlan.ts'
import { formatDocument } from '../../batch/spreadsheet/fileContent.ts'
import type { Context } from '../../context.ts'
import { acceptRun, findRun, type PlannedRun } from '../../ledger/runs.ts'
import { sentTodayCents } from '../../payments/amountLimits.ts'
import { askConsent, assertCanSend, showQuestion } from '../../payments/consent.ts'
import { ownerOf, type PaymentContext } from '../../payments/paymentContext.ts'
import { labelledLines } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import { amountText } from '../../views/valueText.ts'
import { UsageError } from '../../wire/errors.ts'
import { callbackUrl, typedCallbackUrl } from '../callbackUrl.ts'
import { assertNotCsv } from '../optionValues.ts'
import { batchQuestion, type CheckedBatch, knownCents, totalRows } from './batchQuestion.ts'
import { readFileOptions, type TypedFileOptions } from './fileOptions.ts'
import { openBatchInput } from './inputFile.ts'
import { lookUpOriginals } from './lookUpOriginals.ts'
import { missingRowsFailure, planConflictFailure } from './planFailures.ts'
import { assertWithinLimits } from './runLimits.ts'
import { type RunOptions, readRunOptions, type TypedRunOptions } from './runOptions.ts'
import { sendRun } from './sendRun.ts'
import { withResults } from './withResults.ts'

/** The options of `batch transfer` and `batch refund`, as they are typed. */
export interface SendFileOptions extends TypedRunOptions, TypedFileOptions {
  callbackUrl?: string
  skipQuery?: boolean
  fileChanged?: boolean
  dryRun?: boolean
}

/** The steps of `batch transfer` and `batch refund`. */
export async function sendFile(
  context: Context,
  kind: BatchKind,
  path: string,
  options: SendFileOptions,
): Promise<number> {
  assertNotCsv(context)
  const work = readRunOptions(options, path)
  const fileOptions = readFileOptions(options, path)
  const account = await context.account()
  assertCanSend(account)
  const input = await openBatchInput(context, path)
  try {
    const file = await readBatchFile(input.source, kind, fileOptions)
    for (const remark of file.remarks) context.terminal.warn(remark)
    return await planAndSend(context, file, path, options, work)
  } finally {
    await input.close()
  }
}

async function planAndSend(
  context: Context,
  file: BatchFile,
  path: string,
  options: SendFileOptions,
  work: RunOptions,
): Promise<number> {
  const payments = await context.payments()
  const plannedRun: PlannedRun = {
    run: `run-${context.newId().replaceAll('-', '').slice(0, 12)}`,
    kind: file.kind,
    owner: ownerOf(payments.account),
    file: path === '-' ? null : basename(path),
    reference: file.reference,
    columns: file.columns,
    fields: file.fields,
    isDryRun: options.dryRun === true,
  }
  await claimRun(payments, plannedRun)
  let isAccepted = false
  try {
    const batch = await checkBatch(context, payments, plannedRun, { file, path, options, work })
    if (batch.plan.count === 0) throw nothingToSend(batch)
    const question = batchQuestion(batch, context.terminal.err)
    if (plannedRun.isDryRun) {
      showQuestion(payments, question)
      return showTotals(context, batch)
    }
    return await withResults(context, work, async () => {
      await askConsent(payments, question)
      await accept(payments, plannedRun, batch.plan)
      isAccepted = true
      context.terminal.note(t`The run is ${plannedRun.run}`)
      const run = await payments.ledger.read((database) => findRun(database, plannedRun.run))
      if (run === undefined) throw new Error('the run that was just recorded is missing')
      const { repeats } = work
      return {
        run,
        exitCode: await sendRun(context, payments, { run, plan: batch.plan, selection: UNSENT_ROWS, repeats }, work),
      }
    })
  } finally {
    if (!isAccepted) await dropRun(payments, plannedRun.run)
  }
}

async function checkBatch(
  context: Context,
  payments: PaymentContext,
  { run, kind, reference }: PlannedRun,
  { file, path, options, work }: { file: BatchFile; path: string; options: SendFileOptions; work: RunOptions },
): Promise<CheckedBatch> {
  const { account, ledger } = payments
  const { terminal, runtime } = context
  const { interrupt } = runtime
  const typed = await typedCallbackUrl(context, account, options.callbackUrl)
  if (typed !== undefined) callbackUrl(account, typed)
  const check = await readFileIntoRun(payments, file, {
    run,
    callbackUrl: () => callbackUrl(account, typed),
    interrupt,
    progress: (rows) => terminal.passing(t`Read ${rows} rows`),
  })
  assertNoFaults(check)
  const planNow = () => planSending(context, payments, run, work)
  let plan = await planNow()
  const early = kind === 'refund' ? beforeLookUp(plan) : plan
  if (early.conflictCount > 0) throw await planConflictFailure(payments, early)
  const missing = await ledger.read((database) => findMissingRows(database, account, { run, kind, reference }))
  if (missing.count > 0 && options.fileChanged !== true) throw await missingRowsFailure(payments, missing)
  if (kind === 'refund') {
    await lookUpOriginals(context, payments, {
      run,
      skipQuery: options.skipQuery === true,
      concurrency: work.concurrency,
    })
    plan = await planNow()
    if (plan.conflictCount > 0) throw await planConflictFailure(payments, plan)
  }
  await assertWithinLimits(payments, plan)
  return ledger.read((database) => ({
    path,
    file,
    check,
    plan,
    equal: countEqualRows(database, run),
    newKeys: kind === 'transfer' ? countNewKeys(database, account, run) : 0,
    sentTodayCents: sentTodayCents(database, account, payments.now()),
  }))
}

/** Without the conflicts about what is left of a payment, which is known when it has been looked up. */
function beforeLookUp(plan: RunPlan): RunPlan {
  const conflicts = plan.conflicts.filter(({ conflict }) => conflict.why !== 'left')
  const omitted = plan.conflicts.length - conflicts.length
  return { ...plan, conflicts, conflictCount: conflicts.length === 0 ? 0 : plan.conflictCount - omitted }
}

function planSending(
  context: Context,
  payments: PaymentContext,
  run: string,
  { repeats, limit }: RunOptions,
): Promise<RunPlan> {
  const { terminal, runtime } = context
  return makeRunPlan(payments, {
    run,
    selection: UNSENT_ROWS,
    limit,
    repeats,
    interrupt: runtime.interrupt,
    progress: (rows) => terminal.passing(t`Checked ${rows} rows`),
  })
}

async function accept({ ledger }: PaymentContext, run: PlannedRun, plan: RunPlan): Promise<void> {
  const { kind, owner, file, reference } = run
  const { count, cents, fingerprint } = plan
  await ledger.write((writer) =>
    acceptRun(writer, { run: run.run, kind, owner, file, reference, rows: count, totalCents: cents, fingerprint }),
  )
}

function showTotals(context: Context, batch: CheckedBatch): number {
  const { file, check, plan, equal } = batch
  const document = {
    kind: file.kind,
    reference: file.reference,
    ...formatDocument(file.format),
    rows: check.count,
    totalCents: check.totalCents,
    toSend: plan.now.count,
    toSendCents: knownCents(plan),
    leftOut: plan.leftOut,
    equalRows: equal.count,
    hiddenRows: file.hiddenSummary()?.rows ?? 0,
    hiddenCents: file.hiddenSummary()?.cents ?? 0,
    unusualRows: plan.unusualCount,
    fingerprint: plan.fingerprint,
  }
  const { out } = context.terminal
  context.print.one(document, () =>
    labelledLines(
      [
        ...totalRows(batch, out),
        [t`to send`, String(plan.now.count)],
        [t`fingerprint`, plan.fingerprint],
        [t`total`, amountText(knownCents(plan)), out.bold],
      ],
      out,
    ),
  )
  context.terminal.note(t`Nothing was sent`)
  return 0
}

function nothingToSend({ plan }: CheckedBatch): UsageError {
  const { accepted, refused, unknown } = plan.leftOut
  return new UsageError(t`Nothing of this file is left to send under this reference`, {
    details: [
      ...(accepted > 0 ? [t`Rows accepted before: ${accepted}`] : []),
      ...(refused > 0 ? [t`Rows refused before: ${refused}`] : []),
      ...(unknown > 0 ? [t`Rows with an unknown outcome: ${unknown}`] : []),
    ],
    hint:
      unknown + refused > 0
        ? t`Run \`pixgate batch list\` to find the run, then resume it by its name; \`--refused\` sends refused rows again`
        : t`Use another \`--reference\` to pay the same people again next month`,
  })
}
