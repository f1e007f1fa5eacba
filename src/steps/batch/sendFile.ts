import { open, rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type BatchFile, type BatchKind, readBatchFile } from '../../batch/batchFile.ts'
import { claimRun, dropRun, readFileIntoRun } from '../../batch/claimRun.ts'
import { type EarlierReading, earlierReading } from '../../batch/fileHeader.ts'
import { lookUpOriginals } from '../../batch/refundOriginals.ts'
import type { FindPayments } from '../../batch/rowResults.ts'
import {
  countEqualRows,
  countNewKeys,
  findMissingRows,
  previewRun,
  type RunOrder,
  type RunPreview,
  UNSENT_ROWS,
} from '../../batch/runPreview.ts'
import type { Context } from '../../context.ts'
import { findPayments, isOfAccount } from '../../ledger/payments.ts'
import { acceptRun, runsOfAccount } from '../../ledger/runs.ts'
import { askConsent, assertCanSend, showQuestion } from '../../payments/consent.ts'
import { ownerOf, type PaymentContext } from '../../payments/paymentContext.ts'
import { assertNoApprovalNeeded } from '../../payments/paymentRules.ts'
import { formatInstant, parseInstant } from '../../pix/calendar.ts'
import type { Account } from '../../profiles/account.ts'
import type { FileSource } from '../../spreadsheet/fileContent.ts'
import { makePrivateFolder } from '../../storage/privateFolder.ts'
import { inputChunks } from '../../terminal/inputFile.ts'
import { commandArgument } from '../../text/shellWord.ts'
import { t } from '../../text/translate.ts'
import { fileQuestion, type JudgedBatch, leftOutTexts, showFilePreview } from '../../views/batch/batchQuestion.ts'
import { isSystemError, UsageError } from '../../wire/errors.ts'
import { accountCallbackUrl, typedCallbackUrl } from '../callbackUrl.ts'
import { payeeFinder } from '../payeeBook.ts'
import { type FileOptions, howToRead, sendingOf } from './batchOptions.ts'
import {
  assertNoConflicts,
  assertWithinLimits,
  checkRun,
  missingRowsFailure,
  sendRun,
  sumsOf,
  withResults,
} from './sendRun.ts'

/** A file to send, and how. */
interface FileToSend {
  /** As it was typed, `-` for standard input. */
  path: string
  file: BatchFile
  source: FileSource
  options: FileOptions
}

/** The steps of `batch transfer` and `batch refund`. */
export async function sendFile(context: Context, kind: BatchKind, path: string, options: FileOptions): Promise<number> {
  const { results } = options
  if (results !== undefined && resolve(results) === resolve(path)) {
    throw new UsageError(t`\`--results\` would overwrite the input file`, { hint: t`Name another file` })
  }
  if (options.plan !== undefined) context.forgoSecret()
  const account = await context.account()
  assertCanSend(account)
  const input = await openBatchInput(context, path)
  try {
    const findPayments = paymentFinder(context, account, kind)
    const readings = await earlierReadings(context, account, kind)
    const earlier = { readings, accept: (reading: EarlierReading) => acceptReading(context, reading) }
    const findPayee = payeeFinder(context)
    const file = await readBatchFile(input.source, kind, {
      ...howToRead(options, path, context.runtime.interrupt),
      findPayments,
      findPayee,
      earlier,
    })
    for (const remark of file.remarks) context.terminal.warn(remark)
    return await claimAndSend(context, { path, file, source: input.source, options })
  } finally {
    await input.close()
  }
}

async function claimAndSend(context: Context, toSend: FileToSend): Promise<number> {
  const { path, file, source, options } = toSend
  const { kind, reference, columns, fields, ignored } = file
  const payments = await context.payments()
  const run = `run-${context.newId().replaceAll('-', '').slice(0, 12)}`
  const owner = ownerOf(payments.account)
  const isReferenceTyped = options.reference !== undefined
  const unaccepted = { run, kind, owner, file: path === '-' ? null : basename(path), reference, isReferenceTyped }
  await claimRun(payments, { ...unaccepted, columns, fields, isDryRun: options.dryRun })
  let isAccepted = false
  try {
    const { limit = null } = options
    const order: RunOrder = { run, kind, reference, isReferenceTyped, selection: UNSENT_ROWS, limit, repeats: options }
    const batch = await judgeBatch(context, payments, order, toSend)
    const { preview } = batch
    const leftOut = leftOutTexts(file)
    for (const text of leftOut) context.terminal.warn(text)
    if (preview.count === 0) throw nothingToSend(preview, file)
    if (options.plan !== undefined) {
      const { file: name } = unaccepted
      const remarks = [...file.remarks, ...leftOut]
      const { planFile } = await import('../plans/makePlan.ts')
      return await planFile(context, payments, batch, { name, source, remarks }, options)
    }
    await assertNoApprovalNeeded(payments, sumsOf(preview), `pixgate batch ${kind} ${commandArgument(path)} --plan`)
    const question = fileQuestion(batch, context.terminal.err)
    await checkRun(payments, preview, options.dryRun)
    if (options.dryRun) {
      showQuestion(payments, question)
      showFilePreview(context, batch)
      return 0
    }
    const sending = sendingOf(options)
    return await withResults(context, sending.results, async () => {
      await askConsent(payments, question)
      const { count: rows, cents: totalCents, fingerprint } = preview
      const record = await payments.ledger.write((writer) =>
        acceptRun(writer, { ...unaccepted, columns, fields, ignored, rows, totalCents, fingerprint, sending }),
      )
      isAccepted = true
      context.terminal.note(t`The run is ${run}`)
      const accepted = { record, columns, fields }
      const part = { run: accepted, preview, warnings: [...file.remarks, ...leftOut] }
      return { run: accepted, exitCode: await sendRun(context, payments, part, sending) }
    })
  } finally {
    if (!isAccepted) await dropRun(payments, run)
  }
}

/** Reads the file into the run, and applies every rule to its rows and to their sum. */
async function judgeBatch(
  context: Context,
  payments: PaymentContext,
  order: RunOrder,
  { path, file, options }: FileToSend,
): Promise<JudgedBatch> {
  const { account, ledger } = payments
  const { run, kind } = order
  const typed = await typedCallbackUrl(context, account, options.callbackUrl)
  const judgement = await readFileIntoRun(payments, file, run, () => typed ?? accountCallbackUrl(account))
  const isRefund = kind === 'refund'
  let preview = await previewRun(payments, order, { isBeforeLookUp: isRefund })
  await assertNoConflicts(payments, preview)
  const missing = await ledger.read((database) => findMissingRows(database, account, order))
  if (missing.count > 0 && !options.fileChanged) throw await missingRowsFailure(payments, missing)
  if (isRefund) {
    const { skipQuery = false, concurrency } = options
    const isQuerySkipped = skipQuery || options.plan !== undefined
    await lookUpOriginals(payments, { run, skipQuery: isQuerySkipped, concurrency })
    preview = await previewRun(payments, order)
    await assertNoConflicts(payments, preview)
  }
  assertWithinLimits(payments, preview)
  const { leftOut } = preview
  const elsewhere = file.answeredElsewhere()
  leftOut.accepted += elsewhere.accepted
  leftOut.unknown += elsewhere.unknown
  return ledger.read((database) => ({
    path,
    file,
    judgement,
    preview,
    equal: countEqualRows(database, run),
    newKeys: isRefund ? 0 : countNewKeys(database, account, run),
  }))
}

/** Finds the payments that a results file names. */
function paymentFinder(context: Context, account: Account, kind: BatchKind): FindPayments {
  return async (id) => {
    const ledger = await context.ledger()
    const found = await ledger.read((database) => findPayments(database, id))
    return found.filter(({ facts, first }) => facts.kind === kind && isOfAccount(first, account))
  }
}

function nothingToSend({ leftOut: { accepted, refused, unknown } }: RunPreview, { isResults }: BatchFile): UsageError {
  return new UsageError(t`Nothing of this file is left to send under this reference`, {
    details: [
      ...(accepted > 0 ? [t`Rows accepted before: ${accepted}`] : []),
      ...(refused > 0 ? [t`Rows refused before: ${refused}`] : []),
      ...(unknown > 0 ? [t`Rows with an unknown outcome: ${unknown}`] : []),
    ],
    hint:
      unknown + refused > 0
        ? t`Run \`pixgate batch list\` to find the run, then resume it by its name; \`--refused\` sends refused rows again`
        : isResults
          ? t`Remove the columns that pixgate added and use another \`--reference\` to pay the same people again next month`
          : t`Use another \`--reference\` to pay the same people again next month`,
  })
}

/** A file that can be read from its beginning several times. */
interface InputFile {
  source: FileSource
  close(): Promise<void>
}

/**
 * A file as it is; standard input as a private file in the data folder that has no name, so that nothing is left behind however this process
 * ends. Throws UsageError if it cannot be kept, or is too large.
 */
async function openBatchInput(context: Context, path: string): Promise<InputFile> {
  if (path !== '-') return { source: path, close: async () => undefined }
  const folder = context.dataFolder()
  const temporaryPath = join(folder, `input-${context.newId()}.csv`)
  try {
    makePrivateFolder(folder)
    const file = await open(temporaryPath, 'wx+', 0o600)
    try {
      await rm(temporaryPath)
      for await (const chunk of inputChunks(context.runtime.stdin, 'batchFile')) await file.writeFile(chunk)
    } catch (error) {
      await file.close()
      throw error
    }
    return { source: file, close: () => file.close() }
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new UsageError(t`Standard input cannot be stored in ${folder}: ${error.code}`, {
      details: [t`Nothing was sent`],
      hint: t`Free some disk space and make the folder writable, or give the path of the file instead of \`-\``,
    })
  }
}

/** As many of the newest batches are considered. */
const RUNS_MAX = 100
/** `22/10`. */
const DAY_CHARACTERS = 5

/** How the columns of the files that an account sent before were read, newest first. */
async function earlierReadings(
  context: Context,
  account: Account,
  kind: 'transfer' | 'refund',
): Promise<EarlierReading[]> {
  const ledger = await context.ledger()
  return ledger.read((database) => runsOfAccount(database, account, kind).slice(0, RUNS_MAX).map(earlierReading))
}

/** Asks whether a file is to be read like an earlier one. Only a person can say so: false if none is there, or has answered in advance. */
async function acceptReading({ terminal, settings }: Context, earlier: EarlierReading): Promise<boolean> {
  if (!terminal.canAsk || settings.yes || settings.confirm !== undefined) return false
  const { file, run, confirmedAt, map, ignored } = earlier
  const read = Object.entries(map).map(([field, column]) => t`\`${column}\` is ${field}`)
  const unused = ignored.map((column) => t`\`${column}\` is not used`)
  terminal.say(t`Its headings are those of an earlier file, in which ${[...read, ...unused].join(', ')}`)
  const day = formatInstant(parseInstant(confirmedAt) ?? 0).slice(0, DAY_CHARACTERS)
  return terminal.confirm(
    file === null
      ? t`Read the columns as in the run ${run} of ${day}?`
      : t`Read the columns as in \`${file}\` of ${day}?`,
  )
}
