import { createHash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type BatchFile, type BatchKind, FAULTS_MAX, type FileJudgement, readBatchFile } from '../../batch/batchFile.ts'
import { readFileIntoRun } from '../../batch/claimRun.ts'
import { type EarlierReading, earlierReading } from '../../batch/fileHeader.ts'
import type { FindPayments, NamedRun } from '../../batch/rowResults.ts'
import { countEqualRows, countNewKeys, findMissingRows, type RunPreview } from '../../batch/runPreview.ts'
import { outcomesBefore } from '../../batch/sendRows.ts'
import type { Context } from '../../context.ts'
import { findPayments, isOfAccount } from '../../ledger/payments.ts'
import { unpaidElsewhere } from '../../ledger/runRows.ts'
import { runsOfAccount } from '../../ledger/runs.ts'
import type { PaymentContext } from '../../payments/paymentContext.ts'
import { formatInstant, parseInstant } from '../../pix/calendar.ts'
import type { Account } from '../../profiles/account.ts'
import { bytesOf, type FileSource, formatText } from '../../spreadsheet/fileContent.ts'
import { fieldOf } from '../../spreadsheet/tableHeader.ts'
import { unlisted } from '../../spreadsheet/tableRecords.ts'
import { makePrivateFolder } from '../../storage/privateFolder.ts'
import { systemTrouble } from '../../storage/systemTrouble.ts'
import { inputChunks } from '../../terminal/inputFile.ts'
import { commandArgument } from '../../text/shellWord.ts'
import { t } from '../../text/translate.ts'
import {
  fileQuestion,
  leftOutHint,
  leftOutRowTexts,
  leftOutTexts,
  otherNamesText,
  paymentFieldText,
  questionStyle,
  showFilePreview,
} from '../../views/batch/batchQuestion.ts'
import { rowFault } from '../../views/batch/runScreen.ts'
import {
  type Failure,
  type FailureFacts,
  isSystemError,
  NotReached,
  OutcomeUnknown,
  Refused,
  UsageError,
  worstExitCode,
} from '../../wire/errors.ts'
import { accountCallbackUrl, typedCallbackUrl } from '../callbackUrl.ts'
import { isQuestionRead } from '../namedPayment.ts'
import { payeeFinder } from '../payeeBook.ts'
import { originalFinder } from '../refundedOriginal.ts'
import { sendingAccount } from '../sendPayments.ts'
import { type FileOptions, howToRead, sendingOf } from './batchOptions.ts'
import { type NewRun, newRunName, sendNewRun } from './sendRun.ts'

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
  const account = await sendingAccount(context, options)
  const input = path === '-' ? await spooledInput(context) : null
  const source = input ?? path
  try {
    const findPayments = paymentFinder(context, account, kind)
    const readings = await earlierReadings(context, account, kind)
    const earlier = { readings, accept: (reading: EarlierReading) => acceptReading(context, reading) }
    const findPayee = payeeFinder(context)
    const file = await readBatchFile(source, kind, {
      ...howToRead(context, options, path),
      findPayments,
      findPayee,
      findOriginal: originalFinder(context, account),
      isRead: isQuestionRead(context),
      earlier,
    })
    for (const remark of file.remarks) context.terminal.warn(remark)
    return await sendRowsOf(context, { path, file, source, options })
  } finally {
    await input?.close()
  }
}

async function sendRowsOf(context: Context, { path, file, source, options }: FileToSend): Promise<number> {
  const { kind, reference, columns, fields, ignored } = file
  const payments = await context.payments()
  const { account, ledger } = payments
  const run = newRunName(context)
  const name = path === '-' ? null : basename(path)
  let judgement: FileJudgement | undefined
  const newRun: NewRun = {
    run,
    kind,
    file: name,
    reference,
    columns,
    fields,
    ignored,
    limit: options.limit ?? null,
    repeats: options,
    isReferenceTyped: options.reference !== undefined,
    sending: sendingOf(options),
    skipQuery: options.skipQuery === true || account.clientSecret.isEmpty,
    async addRows() {
      const typed = await typedCallbackUrl(context, account, options.callbackUrl)
      judgement = await readFileIntoRun(payments, file, run, () => typed ?? accountCallbackUrl(account))
      return options.fileChanged
        ? null
        : ledger.read((database) => findMissingRows(database, account, { run, kind, reference }))
    },
    async present(counted) {
      if (judgement === undefined) throw new Error('a file is judged before it is shown')
      // Rows that were sent before, as the ledger says and as a results file says of other machines.
      const { accepted, refused, unknown } = counted.leftOut
      const { elsewhere } = judgement
      const leftOut = { accepted: accepted + elsewhere.accepted, refused, unknown: unknown + elsewhere.unknown }
      const preview = { ...counted, leftOut }
      for (const text of leftOutTexts(judgement)) context.terminal.warn(text)
      if (kind === 'refund' && account.clientSecret.isEmpty) {
        context.terminal.warn(
          t`The payments that these rows refund were not queried, because the profile has no secret`,
        )
      }
      if (preview.count === 0)
        throw await nothingToSend(
          payments,
          { record: { run, owner: account }, columns, fields },
          preview,
          file,
          judgement,
        )
      const { equal, newKeys } = await ledger.read((database) => ({
        equal: countEqualRows(database, run),
        newKeys: kind === 'refund' ? 0 : countNewKeys(database, account, run),
      }))
      const batch = { path, file, judgement, preview, equal, newKeys }
      const warnings = [...file.remarks, ...leftOutTexts(judgement), ...otherNamesText(judgement)]
      return {
        warnings,
        elsewhere: elsewhere.unknownRows,
        planCommand: `pixgate batch ${kind} ${commandArgument(path)} --plan`,
        question: fileQuestion(batch, questionStyle(context, options.dryRun)),
        async draft() {
          const { draftOfRun } = await import('../plans/makePlan.ts')
          const { draft, rows } = await draftOfRun(payments, preview)
          const sourceSha256 = await digestOf(source)
          return {
            ...draft,
            batch: { reference, file: name, columns, fields, read: [formatText(file.format), ...warnings] },
            rows,
            sourceSha256,
            warnings,
          }
        },
        tryOut: async () => (lines) => {
          showFilePreview(context, batch, lines)
          return 0
        },
      }
    },
  }
  return sendNewRun(context, payments, newRun, options)
}

async function digestOf(source: FileSource): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of bytesOf(source)) digest.update(chunk)
  return digest.digest('hex')
}

function paymentFinder(context: Context, account: Account, kind: BatchKind): FindPayments {
  return async (id) => {
    const found = await context.read((database) => findPayments(database, id))
    return found.filter(({ facts, first }) => facts.kind === kind && isOfAccount(first, account))
  }
}

/** The failure of a file of which nothing is left to send: as its rows that are not paid end, each of which is named; a UsageError if there are none. */
async function nothingToSend(
  payments: PaymentContext,
  run: NamedRun,
  preview: RunPreview,
  file: BatchFile,
  { elsewhere }: FileJudgement,
): Promise<Failure> {
  const { accepted, refused, unknown } = preview.leftOut
  const message = t`Nothing of this file is left to send under this reference`
  const before = [
    ...(accepted > 0 ? [t`Rows accepted before: ${accepted}`, ...leftOutRowTexts(preview)] : []),
    ...(refused > 0 ? [t`Rows refused before: ${refused}`] : []),
  ]
  if (unknown + refused === 0) {
    const hint =
      file.header.results !== null
        ? t`Remove the columns that pixgate added and use another \`--reference\` to pay the same people again next month`
        : t`Use another \`--reference\` to pay the same people again next month`
    return new UsageError(message, { details: before, hint })
  }
  const faults: NonNullable<FailureFacts['faults']>[number][] = []
  const exitCodes = new Set<number>()
  let beingSent = 0
  for await (const rowOutcome of outcomesBefore(payments, run, preview.order.selection, elsewhere.unknownRows)) {
    exitCodes.add(rowOutcome.exitCode)
    if (rowOutcome.isBeingSent === true) beingSent += 1
    if (faults.length < FAULTS_MAX) faults.push(rowFault(run, rowOutcome))
  }
  const names = await payments.ledger.read((database) => unpaidElsewhere(database, run.record.run))
  faults.sort((one, other) => one.line - other.line)
  const details = [
    ...before,
    ...(beingSent > 0 ? [t`Rows that are being sent: ${beingSent}`] : []),
    ...(unknown > beingSent ? [t`Rows with an unknown outcome: ${unknown - beingSent}`] : []),
  ]
  const facts = {
    details: [...details, ...unlisted(refused + unknown, faults.length)],
    faults,
    hint: leftOutHint(names),
  }
  switch (worstExitCode([...exitCodes])) {
    case 5:
      return new OutcomeUnknown(message, facts)
    case 6:
      return new NotReached(message, { ...facts, code: 'LEDGER_BUSY' })
    default:
      return new Refused(message, facts)
  }
}

/**
 * Standard input as a private file in the data folder that has no name, so that it can be read several times and nothing is left behind however this process
 * ends. Throws UsageError if it cannot be kept, or is too large.
 */
async function spooledInput(context: Context): Promise<FileHandle> {
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
    return file
  } catch (error) {
    if (!isSystemError(error)) throw error
    const { reason, hint } = systemTrouble(error, folder, 'PIXGATE_DATA_DIR')
    throw new UsageError(t`Standard input cannot be stored in ${folder}: ${reason}`, {
      details: [t`Nothing was sent`],
      hint,
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
  return context.read((database) => runsOfAccount(database, account, kind).slice(0, RUNS_MAX).map(earlierReading))
}

/** Asks whether a file is to be read like an earlier one. Only a person can say so: false if none is there, or has answered in advance. */
async function acceptReading(context: Context, earlier: EarlierReading): Promise<boolean> {
  const { terminal } = context
  if (!isQuestionRead(context)) return false
  const { file, run, confirmedAt, map, ignored } = earlier
  const read = Object.entries(map).map(([field, column]) => t`\`${column}\` is ${paymentFieldText(fieldOf(field))}`)
  const unused = ignored.map((column) => t`\`${column}\` is not used`)
  terminal.say(t`Its headings are those of an earlier file, in which ${[...read, ...unused].join(', ')}`)
  const day = formatInstant(parseInstant(confirmedAt) ?? 0).slice(0, DAY_CHARACTERS)
  return terminal.confirm(
    file === null
      ? t`Read the columns as in the run ${run} of ${day}?`
      : t`Read the columns as in \`${file}\` of ${day}?`,
  )
}
