import { platform } from 'node:os'
import { basename } from 'node:path'
import type { Context } from '../../context.ts'
import { checkMoneyAllowed } from '../../money/allowed.ts'
import { type BatchFile, type BatchKind, readBatchFile } from '../../money/batch/batchFile.ts'
import { holdBatch } from '../../money/batch/batchLock.ts'
import { checkDay, sentToday } from '../../money/batch/dayLimit.ts'
import { ENCODING_NAMES } from '../../money/batch/encoding.ts'
import { Fingerprint } from '../../money/batch/fingerprint.ts'
import { type KeptRow, keptRow } from '../../money/batch/keptRow.ts'
import { LedgerTail } from '../../money/batch/ledgerTail.ts'
import { standingOf } from '../../money/batch/plan.ts'
import { openResults } from '../../money/batch/resultsFile.ts'
import { readRunRows, writeRunRows } from '../../money/batch/runRows.ts'
import { DELIMITER_NAMES } from '../../money/batch/table.ts'
import { askConsent } from '../../money/consent.ts'
import { ownerOf } from '../../money/recording.ts'
import type { Account } from '../../profiles/account.ts'
import { labelled } from '../../terminal/terminal.ts'
import { t } from '../../text/words.ts'
import type { RunRecord } from '../../timeline/records.ts'
import { amountText } from '../../views/payment.ts'
import { UsageError } from '../../wire/errors.ts'
import { callbackUrl, typedCallbackUrl } from '../callbackUrl.ts'
import { refuseCsv } from '../optionValues.ts'
import { type CheckedBatch, checkBatch } from './checkBatch.ts'
import { holderOf } from './holder.ts'
import { batchQuestion } from './question.ts'
import { writeResults } from './results.ts'
import { workOnRun } from './runWork.ts'
import { spooled } from './spool.ts'
import { readWorkOptions, type TypedWorkOptions, type WorkOptions } from './workOptions.ts'

/** The options of `batch transfer` and `batch refund`, as they are typed. */
export interface SendFileOptions extends TypedWorkOptions {
  map?: string[]
  ignoreColumn?: string[]
  full?: boolean
  reference?: string
  reason?: string
  callbackUrl?: string
  skipQuery?: boolean
  again?: boolean
  inAdditionTo?: string[]
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
  refuseCsv(context)
  const work = readWorkOptions(options, path)
  const account = await context.account()
  checkMoneyAllowed(account)
  const source = await spooled(context, path)
  try {
    const file = await readBatchFile(source.path, kind, {
      ...(options.map === undefined ? {} : { map: options.map }),
      ...(options.ignoreColumn === undefined ? {} : { ignoreColumns: options.ignoreColumn }),
      isFull: options.full === true,
      ...(options.reference === undefined ? {} : { reference: options.reference }),
      ...(options.reason === undefined ? {} : { refundReason: options.reason }),
      fileName: path === '-' ? null : basename(path),
    })
    for (const remark of file.remarks) context.terminal.warn(remark)
    if (options.dryRun === true) return await showTotals(context, await planned(context, account, file, path, options))
    const release = await holdBatch(
      context.dataFolder(),
      platform(),
      { kind, reference: file.reference, ...ownerOf(account) },
      holderOf(context),
    )
    try {
      return await sendUnderLock(context, account, file, path, options, work)
    } finally {
      await release()
    }
  } finally {
    await source.close()
  }
}

async function sendUnderLock(
  context: Context,
  account: Account,
  file: BatchFile,
  path: string,
  options: SendFileOptions,
  work: WorkOptions,
): Promise<number> {
  const batch = await planned(context, account, file, path, options)
  const { tail, plan, rowContext } = batch
  if (plan.toSend === 0) throw nothingToSend(batch)
  const results = work.results === null ? null : await openResults(work.results, work.excel ? 'excel' : 'lossless')
  try {
    await askConsent(await context.money(), batchQuestion(batch, context.terminal.err))
    const exitCode = await startRun(context, account, batch, options, work)
    return await writeResults(context, results, file.columns, file.rows, { tail, rowContext, exitCode })
  } finally {
    await results?.close()
  }
}

/** Keeps the rows that are to be sent, records the run, and works on it. */
async function startRun(
  context: Context,
  account: Account,
  batch: CheckedBatch,
  options: SendFileOptions,
  work: WorkOptions,
): Promise<number> {
  const { file, tail, plan, path, rowContext, fingerprint } = batch
  const timeline = await context.timeline()
  const dataFolder = context.dataFolder()
  const run = `run-${context.newId().replaceAll('-', '').slice(0, 12)}`
  const target = await urlOf(context, account, options)
  const sent = new Fingerprint()
  async function* rowsToSend(): AsyncGenerator<KeptRow> {
    for await (const row of file.rows) {
      if (standingOf(tail.index, row, rowContext).as !== 'not-sent') continue
      sent.add(row)
      yield keptRow(row, row.callbackUrl ?? target(), row.kind === 'refund' ? batch.originals?.factsOf(row) : undefined)
    }
    if (sent.toString() !== fingerprint) throw changedMeanwhile(path)
  }
  await writeRunRows(dataFolder, run, file.columns, rowsToSend())
  const entry: RunRecord = {
    type: 'run',
    run,
    kind: file.kind,
    ...ownerOf(account),
    file: path === '-' ? null : basename(path),
    reference: file.reference,
    rows: plan.toSend,
    totalCents: batch.totalCents ?? plan.toSendCents,
    fingerprint,
  }
  const record = await timeline.append(entry)
  await tail.refresh()
  context.terminal.note(t`The run is ${run}`)
  const { rows } = await readRunRows(dataFolder, run)
  const taskOf = (row: KeptRow) => {
    const standing = standingOf(tail.index, row, rowContext)
    return standing.as === 'not-sent' ? { attempt: standing.attempt } : undefined
  }
  const repeatableBefore = tail.index.runs.get(run)?.before ?? 0
  return workOnRun(context, tail, { record, rows, count: plan.toSend, taskOf, repeatableBefore }, work)
}

async function planned(
  context: Context,
  account: Account,
  file: BatchFile,
  path: string,
  options: SendFileOptions,
): Promise<CheckedBatch> {
  const timeline = await context.timeline()
  const tail = new LedgerTail(timeline.follow())
  await tail.refreshWithEvents()
  const target = await urlOf(context, account, options)
  const batch = await checkBatch(
    context,
    { account, timeline, tail, file, path, target },
    {
      again: options.again === true,
      inAdditionTo: options.inAdditionTo ?? [],
      fileChanged: options.fileChanged === true,
      skipQuery: options.skipQuery === true,
      concurrency: readWorkOptions(options).concurrency,
    },
  )
  const overDay = checkDay(tail.index, account, context.now(), batch.totalCents ?? 0)
  if (overDay !== null) throw overDay
  return { ...batch, sentTodayCents: sentToday(tail.index, account, context.now()) }
}

/** The callback URL of rows that name none; it is only missed where there is such a row. */
async function urlOf(context: Context, account: Account, options: SendFileOptions): Promise<() => string> {
  const typed = await typedCallbackUrl(context, account, options.callbackUrl)
  if (typed !== undefined) callbackUrl(account, typed)
  return () => callbackUrl(account, typed)
}

function showTotals(context: Context, batch: CheckedBatch): number {
  const { file, check, plan, totalCents, fingerprint } = batch
  const document = {
    kind: file.kind,
    reference: file.reference,
    encoding: ENCODING_NAMES[file.encoding],
    delimiter: DELIMITER_NAMES[file.delimiter],
    rows: check.count,
    totalCents: check.totalCents,
    toSend: plan.toSend,
    toSendCents: totalCents,
    leftOut: plan.leftOut,
    equalRows: check.notices.equalCount,
    unusualRows: check.notices.unusualCount,
    fingerprint,
  }
  const { out } = context.terminal
  context.print.one(document, () => {
    const { amountCents, rows } = batchQuestion(batch, out)
    return labelled([...rows, [t`total`, amountText(amountCents), out.bold]], out)
  })
  context.terminal.note(t`Nothing was sent`)
  return 0
}

function nothingToSend({ plan }: CheckedBatch): UsageError {
  const { accepted, refused, unknown } = plan.leftOut
  return new UsageError(t`Nothing of this file is left to send under this reference`, {
    details: [t`${accepted} rows were accepted before, ${refused} refused, ${unknown} are in doubt`],
    hint:
      unknown + refused > 0
        ? t`\`pixgate batch list\` names the runs; \`pixgate resume <run>\` goes on with what is in doubt, \`--refused\` sends refused rows again`
        : t`The same people next month are another \`--reference\``,
  })
}

function changedMeanwhile(path: string): UsageError {
  return new UsageError(t`The file ${path} was changed while it was looked at`, {
    details: [t`Nothing was sent`],
    hint: t`Run the command again when nobody works on the file`,
  })
}
