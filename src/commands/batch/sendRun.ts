import { type RowOutcome, unsentOutcome } from '../../batch/rowOutcome.ts'
import { plannedBodies } from '../../batch/rowSource.ts'
import type { RunPlan } from '../../batch/runPlan.ts'
import { summarise } from '../../batch/runSummary.ts'
import { runExitCode, tallyOf } from '../../batch/runTally.ts'
import { type SendPace, type SendStop, sendRows } from '../../batch/sendRows.ts'
import type { Context } from '../../context.ts'
import type { RunResults } from '../../ledger/records.ts'
import type { Run } from '../../ledger/runs.ts'
import { check } from '../../payments/check.ts'
import type { PaymentContext } from '../../payments/paymentContext.ts'
import { t } from '../../text/translate.ts'
import { RunScreen, showStop, showSummary } from '../../views/batch/runScreen.ts'
import { Failure, worstExitCode } from '../../wire/errors.ts'
import type { RowFailure } from './planFailures.ts'
import { openResults } from './resultsFile.ts'

/** A run, and the part of it that is sent now. */
export interface RunPart {
  run: Run
  plan: RunPlan
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
  { run, plan, notAllowed = [], warnings = [] }: RunPart,
  pace: SendPace,
): Promise<number> {
  const screen = new RunScreen(context, plan.now.count, context.now)
  const exitCodes: number[] = []
  const report = (rowOutcome: RowOutcome) => {
    screen.row(rowOutcome)
    if (!exitCodes.includes(rowOutcome.exitCode)) exitCodes.push(rowOutcome.exitCode)
  }
  for (const { state, failure } of notAllowed) report(unsentOutcome(state.row, failure))
  const stop = await sendRows(withSharedConnections(payments), plan, pace, report)
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
export function checkRun(payments: PaymentContext, plan: RunPlan, isDryRun: boolean): Promise<void> {
  const totalCents = plan.unknownAmounts > 0 ? null : plan.now.cents
  const requests = { kind: plan.order.kind, bodies: plannedBodies(payments, plan), totalCents }
  return check(payments, isDryRun ? 'dry-run' : 'send', requests)
}
