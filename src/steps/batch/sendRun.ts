import { resultPages } from '../../batch/rowResults.ts'
import { type MissingRows, proposedBodies, type RowConflict, type RunPreview } from '../../batch/runPreview.ts'
import { runExitCode, summarise, tallyOf } from '../../batch/runTally.ts'
import { type RowOutcome, type SendPace, type SendStop, sendRows, unsentOutcome } from '../../batch/sendRows.ts'
import type { Context } from '../../context.ts'
import type { MoneyPayment } from '../../ledger/facts.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { loadPayment } from '../../ledger/payments.ts'
import type { RunResults } from '../../ledger/records.ts'
import type { Run } from '../../ledger/runs.ts'
import { askCheckCommand } from '../../payments/askCheckCommand.ts'
import {
  conflictFailure,
  describePayment,
  inAdditionToName,
  limitFailure,
  overLimit,
} from '../../payments/conflictFailure.ts'
import { type BeingSent, sendingConflict } from '../../payments/decide.ts'
import type { PaymentContext } from '../../payments/paymentContext.ts'
import { limitConflict } from '../../payments/paymentRules.ts'
import { formatReais, plainAmount } from '../../pix/amount.ts'
import { REPEAT_DAYS } from '../../pix/calendar.ts'
import type { Account } from '../../profiles/account.ts'
import { openWholeFile, type WholeFile } from '../../storage/wholeFile.ts'
import { writeFailure } from '../../terminal/outputFile.ts'
import { shellWord } from '../../text/shellWord.ts'
import { t } from '../../text/translate.ts'
import { type ResultsMode, resultLines, resultsHeader } from '../../views/batch/rowFields.ts'
import { RunScreen, showStop, showSummary } from '../../views/batch/runScreen.ts'
import { Failure, type FailureFacts, UsageError, worstExitCode } from '../../wire/errors.ts'

/** A run, and the part of it that is sent now. */
interface RunPart {
  run: Run
  preview: RunPreview
  /** The rows that the rules do not allow to be sent; none unless given. */
  notAllowed?: readonly RowFailure[]
  /** Sentences about the file that were shown as text, for JSON. */
  warnings?: readonly string[]
}

const INTERRUPTED_EXIT = 130
/** Rows were sent, and what became of them is not where the user looks for it. */
const UNWRITTEN_EXIT = 5

/** Sends rows of a run, prints their results and the summary. Returns the exit code. */
export async function sendRun(
  context: Context,
  payments: PaymentContext,
  { run, preview, notAllowed = [], warnings = [] }: RunPart,
  pace: SendPace,
): Promise<number> {
  const screen = new RunScreen(context, preview.now.count, context.now)
  const exitCodes: number[] = []
  const report = (rowOutcome: RowOutcome) => {
    screen.row(rowOutcome)
    if (!exitCodes.includes(rowOutcome.exitCode)) exitCodes.push(rowOutcome.exitCode)
  }
  for (const { state, failure } of notAllowed) report(unsentOutcome(state.row, failure))
  const stop = await sendRows(withSharedConnections(payments), preview, pace, report)
  showStop(context, stop)
  return finish(context, payments, { run, warnings }, stop, exitCodes)
}

/** Prints the summary of a run, and returns the exit code of all that happened. */
async function finish(
  context: Context,
  { ledger }: PaymentContext,
  { run, warnings }: Pick<RunPart, 'run' | 'warnings'>,
  stop: SendStop | null,
  exitCodes: readonly number[],
): Promise<number> {
  const { run: name } = run.record
  const stopExit = stop?.why === 'failure' ? (stop.failure?.exitCode ?? 0) : 0
  const seen = [...exitCodes, stopExit]
  try {
    const summary = await summarise(ledger, run)
    const { counts } = summary
    const tally = tallyOf(counts)
    showSummary(context, run, summary, warnings)
    const exitCode = worstExitCode([...seen, runExitCode(counts)])
    const isInterrupted = stop?.why === 'interrupted' && tally.notSent > 0
    return isInterrupted && tally.unknown === 0 ? INTERRUPTED_EXIT : exitCode
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
 * Does the work on a run, then writes its file of results if one was requested, and returns the worst exit code. The file is opened before
 * the work, so that nothing is sent if it cannot be written.
 */
export async function withResults(
  context: Context,
  requested: RunResults | null,
  work: () => Promise<{ run: Run; exitCode: number }>,
): Promise<number> {
  const results = requested === null ? null : await openResults(requested)
  try {
    const { run, exitCode } = await work()
    if (results === null || requested === null) return exitCode
    try {
      await results.write(await context.ledger(), run)
      context.terminal.note(t`The results of all rows are in ${requested.path}`)
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
    await results?.close()
  }
}

/** Asks the check command of the profile, if it has one, about all rows that are to be sent now. Throws Refused and Cancelled. */
export function checkRun(payments: PaymentContext, preview: RunPreview, isDryRun: boolean): Promise<void> {
  const totalCents = preview.unknownAmounts > 0 ? null : preview.now.cents
  const requests = { kind: preview.order.kind, bodies: proposedBodies(payments, preview), totalCents }
  return askCheckCommand(payments, isDryRun ? 'dry-run' : 'send', requests)
}

/** A file of results that is being made; it appears under its name when it is whole. */
interface ResultsFile {
  /** Writes the current result of every row of a run, as recorded in the ledger. */
  write(ledger: Ledger, run: Run): Promise<void>
  /** Removes the unfinished file if it was not written. */
  close(): Promise<void>
}

/** Opens a file for results before anything is sent. Throws UsageError if it cannot be written. */
async function openResults({ path, isExcel }: RunResults): Promise<ResultsFile> {
  const mode = isExcel ? 'excel' : 'lossless'
  const file = await attempted(path, () => openWholeFile(path))
  return {
    async write(ledger, run) {
      await attempted(path, async () => {
        await writeRows(file, ledger, run, mode)
        await file.finish()
      })
    },
    close: () => file.discard(),
  }
}

async function writeRows(file: WholeFile, ledger: Ledger, run: Run, mode: ResultsMode): Promise<void> {
  await file.append(resultsHeader(run.columns, mode))
  for await (const page of resultPages(ledger, run)) {
    await file.append(resultLines(page, run.fields, mode))
  }
}

async function attempted<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw writeFailure('--results', path, error)
  }
}

/** Throws UsageError with one fault for each row that the rules do not allow to be sent. */
export async function assertNoConflicts(context: PaymentContext, preview: RunPreview): Promise<void> {
  if (preview.conflictCount > 0) throw runConflictFailure(context, preview, await conflictFailures(context, preview))
}

/** The failure of rows that the rules do not allow to be sent, with one fault for each. */
export function runConflictFailure(
  { account }: PaymentContext,
  preview: RunPreview,
  failures: readonly RowFailure[],
): UsageError {
  const faults = conflictFaults(failures)
  const whys = new Set(failures.map(({ conflict }) => conflict.why))
  const details = [t`Nothing was sent`, ...unlisted(preview.conflictCount, faults.length)]
  const overAmounts = preview.conflicts.flatMap(({ conflict }) =>
    conflict.why === 'max-amount' ? [conflict.amountCents] : [],
  )
  if (whys.size === 1 && whys.has('max-amount')) {
    return new UsageError(t`Rows above the limit of the profile ${account.confirmName}: ${preview.conflictCount}`, {
      code: 'OVER_LIMIT',
      details,
      faults,
      hint: t`Check the amounts; to raise the limit, run \`pixgate profile edit ${account.confirmName} --max-amount ${plainAmount(Math.max(...overAmounts))}\``,
    })
  }
  if ([...whys].every((why) => isRuleOfAccount(why))) {
    const [first] = failures
    return new UsageError(t`Rows that the rules of this account do not allow: ${preview.conflictCount}`, {
      details,
      faults,
      hint: first?.failure.hint ?? t`Remove these rows`,
    })
  }
  if (whys.size > 1 || !whys.has('repeat')) {
    return new UsageError(t`Rows that cannot be sent: ${preview.conflictCount}`, {
      code: 'REPEAT',
      details,
      faults,
      hint: conflictHint(whys),
    })
  }
  return new UsageError(t`Rows that repeat a payment of the last ${REPEAT_DAYS} days: ${preview.conflictCount}`, {
    code: 'REPEAT',
    details,
    faults,
    hint: repeatHint(account, preview.conflicts),
  })
}

/** A row that the rules do not allow to be sent, with the failure that says why. */
export interface RowFailure extends Omit<RowConflict, 'conflict'> {
  conflict: RowConflict['conflict'] | BeingSent
  failure: Failure
}

/** The failure of each row that has a conflict: the first thousand. */
export async function conflictFailures(
  { ledger, account }: PaymentContext,
  { conflicts }: Pick<RunPreview, 'conflicts'>,
): Promise<RowFailure[]> {
  if (conflicts.length === 0) return []
  const { folder } = ledger.environment
  const sender = await ledger.sender()
  return ledger.writeHere((writer) =>
    conflicts.map((each) => {
      const { facts, rowId: externalId } = each.state.row
      const conflict =
        each.conflict.why === 'unknown' ? sendingConflict(writer, sender, folder, each.conflict) : each.conflict
      return { ...each, conflict, failure: conflictFailure(writer.database, account, { facts, externalId }, conflict) }
    }),
  )
}

/** The failures of rows as faults of their cells. */
export function conflictFaults(failures: readonly RowFailure[]): NonNullable<FailureFacts['faults']> {
  return failures.map(({ line, state, conflict, failure: { message, details } }) => {
    const [earlier] = ['repeat', 'unknown', 'being-sent', 'external-id'].includes(conflict.why) ? details : []
    return {
      line,
      column: columnOf(state.row.facts, conflict.why),
      message: earlier === undefined ? message : `${message}. ${earlier}`,
    }
  })
}

/** The failure of a file that lost rows which were sent under its reference. */
export function missingRowsFailure({ ledger }: PaymentContext, { payments, count }: MissingRows): Promise<UsageError> {
  return ledger.read((database) => {
    const lines = payments.map(({ id, amountCents }) => {
      const amount = amountCents === null ? t`all of it` : formatReais(amountCents)
      return t`${amount}, ${describePayment(loadPayment(database, id))}`
    })
    return new UsageError(t`Rows that were sent under this reference are missing from the file: ${count}`, {
      details: [...lines, ...unlisted(count, lines.length), t`Nothing was sent`],
      hint: t`Check that no row was replaced by another, because both would be paid, then add \`--file-changed\`; for another month use another \`--reference\``,
    })
  })
}

/** What a run sends now, and what that adds to the day, in cents; null if the amount of a refund is not known. */
export function sumsOf({ unknownAmounts, now, newTodayCents }: RunPreview): {
  amountCents: number | null
  newTodayCents: number
} {
  return { amountCents: unknownAmounts > 0 ? null : now.cents, newTodayCents }
}

/** Compares the total of what is about to be sent with the limits of the profile. Throws UsageError with code OVER_LIMIT. */
export function assertWithinLimits({ account }: PaymentContext, preview: RunPreview): void {
  const amountCents = preview.unknownAmounts > 0 ? null : preview.now.cents
  // The limit of one payment was compared with each row.
  const dayLimit = { ...account, maxAmountCents: null }
  const conflict = limitConflict(dayLimit, amountCents, preview.newTodayCents, () => preview.sentTodayCents)
  if (conflict?.why === 'amount-unknown' || (amountCents === null && account.maxAmountCents !== null)) {
    throw overLimit(
      t`The profile ${account.confirmName} has limits, but the amounts of some refunds are unknown`,
      t`Write an amount in every row`,
    )
  }
  if (conflict?.why === 'max-day') throw limitFailure(account, conflict)
}

function conflictHint(whys: ReadonlySet<RowFailure['conflict']['why']>): string {
  if (whys.size === 1 && whys.has('being-sent')) return t`Wait for it to finish, then run the command again`
  if (whys.size === 1 && whys.has('chargeback')) {
    return t`Remove these rows, or find out in the dashboard how the chargebacks ended; to refund them all the same, add \`--despite-chargeback\``
  }
  return t`Remove these rows, or use other ids for other payments; run \`pixgate history\` to see the earlier ones`
}

function repeatHint({ environment }: Account, conflicts: readonly RowConflict[]): string {
  if (environment === 'sandbox') return t`Remove these rows; if they must be paid again, add \`--again\``
  const [first] = conflicts
  const name = first !== undefined && 'earlier' in first.conflict ? inAdditionToName(first.conflict.earlier) : ''
  return t`Remove these rows; if they must be paid again, name each earlier payment, such as \`--in-addition-to ${shellWord(name)}\``
}

function isRuleOfAccount(why: RowFailure['conflict']['why']): boolean {
  return ['id-made-up', 'payee-changed', 'not-payee', 'payee-owner', 'payee-wait'].includes(why)
}

function columnOf(facts: MoneyPayment, why: RowFailure['conflict']['why']): string {
  const { kind } = facts
  if (why === 'external-id' || why === 'id-made-up') return 'externalId'
  if (why.startsWith('payee-') && kind === 'transfer' && facts.payee !== null) return 'payee'
  if (why === 'max-amount' || why === 'left') return kind === 'transfer' ? 'value' : 'amount'
  return kind === 'transfer' ? 'key' : 'originalTransactionId'
}

function unlisted(count: number, listed: number): string[] {
  return count > listed ? [t`The first ${listed} are listed`] : []
}
