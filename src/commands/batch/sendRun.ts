import { openResults } from '../../batch/resultsFile.ts'
import { type RowOutcome, unsentOutcome } from '../../batch/rowOutcome.ts'
import type { RunPlan } from '../../batch/runPlan.ts'
import { runExitCode, tallyOf } from '../../batch/runTally.ts'
import { type SendStop, sendRows } from '../../batch/sendRows.ts'
import type { Context } from '../../context.ts'
import type { HttpRequest } from '../../gateway/exchange.ts'
import type { Run } from '../../ledger/runs.ts'
import type { PaymentContext } from '../../payments/paymentContext.ts'
import { t } from '../../text/translate.ts'
import { Failure, worstExitCode } from '../../wire/errors.ts'
import type { RowFailure } from './planFailures.ts'
import type { RunOptions } from './runOptions.ts'
import { RunScreen, showStop, showSummary, summarise } from './runScreen.ts'

/** A run, and the part of it that is sent now. */
export interface RunPart {
  run: Run
  plan: RunPlan
  /** The rows that the rules do not allow to be sent; none unless given. */
  notAllowed?: readonly RowFailure[]
}

const INTERRUPTED_EXIT = 130

/** Sends rows of a run, prints their results and the summary. Returns the exit code. */
export async function sendRun(
  context: Context,
  payments: PaymentContext,
  { run, plan, notAllowed = [] }: RunPart,
  { concurrency, rate, stopAfter }: RunOptions,
): Promise<number> {
  const screen = new RunScreen(context, plan.now.count)
  const exitCodes: number[] = []
  const report = (rowOutcome: RowOutcome) => {
    screen.row(rowOutcome)
    if (!exitCodes.includes(rowOutcome.exitCode)) exitCodes.push(rowOutcome.exitCode)
  }
  for (const { state, failure } of notAllowed) report(unsentOutcome(state.row, failure))
  const pace = { concurrency, perSecond: rate ?? null, stopAfter }
  const stop = await sendRows(withSharedConnections(payments), plan, pace, report)
  showStop(context, stop)
  return finish(context, payments, run, stop, exitCodes)
}

/** Prints the summary of a run, and returns the exit code of all that happened. */
async function finish(
  context: Context,
  { ledger }: PaymentContext,
  run: Run,
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
    showSummary(context, run, summary)
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
  return { ...payments, gateway: { ...gateway, post: (request: HttpRequest) => gateway.post(request, true) } }
}

/**
 * Does the work on a run, then writes the file of `--results` if it was requested, and returns the worst exit code. The file is opened before
 * the work, so that nothing is sent if it cannot be written.
 */
export async function withResults(
  context: Context,
  { results: path, excel }: RunOptions,
  work: () => Promise<{ run: Run; exitCode: number }>,
): Promise<number> {
  const results = path === undefined ? null : await openResults(path, excel ? 'excel' : 'lossless')
  try {
    const { run, exitCode } = await work()
    if (results === null) return exitCode
    try {
      await results.write(await context.ledger(), run)
      return exitCode
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      context.terminal.alarm(t`The results were not written: ${error.message}`)
      return worstExitCode([exitCode, error.exitCode])
    }
  } finally {
    await results?.close()
  }
}
