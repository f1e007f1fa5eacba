import { setTimeout as pause } from 'node:timers/promises'
import { RateLimiter } from '../../batch/rateLimiter.ts'
import { type RowOutcome, unsentOutcome } from '../../batch/rowOutcome.ts'
import type { RowSelection } from '../../batch/rowSelection.ts'
import type { RunPlan } from '../../batch/runPlan.ts'
import { runExitCode, tallyOf } from '../../batch/runTally.ts'
import { type SendStop, sendRows } from '../../batch/sendRows.ts'
import type { Context } from '../../context.ts'
import type { HttpRequest } from '../../gateway/exchange.ts'
import type { Run } from '../../ledger/runs.ts'
import type { PaymentContext } from '../../payments/paymentContext.ts'
import type { RepeatOptions } from '../../payments/repeatOptions.ts'
import { t } from '../../text/translate.ts'
import { Failure, worstExitCode } from '../../wire/errors.ts'
import { conflictFailures } from './planFailures.ts'
import type { RunOptions } from './runOptions.ts'
import { RunScreen, showStop, showSummary, summarise } from './runScreen.ts'

/** The part of a run that is sent now. */
export interface RunPart {
  run: Run
  plan: RunPlan
  selection: RowSelection
  repeats: RepeatOptions
}

const INTERRUPTED_EXIT = 130

/** Sends rows of a run, prints their results and the summary. Returns the exit code. */
export async function sendRun(
  context: Context,
  payments: PaymentContext,
  { run, plan, selection, repeats }: RunPart,
  { limit, concurrency, stopAfter, perSecond }: RunOptions,
): Promise<number> {
  const { interrupt } = context.runtime
  const { run: name, reference, kind } = run.record
  const screen = new RunScreen(context, plan.now.count)
  const exitCodes: number[] = []
  const rateLimiter = new RateLimiter(perSecond, context.now)
  const sleep = (ms: number) => pauseUnlessAborted(ms, interrupt)
  const rules = { run: name, reference, repeats, lastSeq: plan.lastSeq }
  const report = (rowOutcome: RowOutcome) => {
    screen.row(rowOutcome)
    if (!exitCodes.includes(rowOutcome.exitCode)) exitCodes.push(rowOutcome.exitCode)
  }
  const skippedLines = new Set(plan.conflicts.map(({ line }) => line))
  // These rows were not part of the question, because the rules did not allow them.
  for (const { state, failure } of await conflictFailures(payments, plan)) report(unsentOutcome(state.row, failure))
  const stop = await sendRows(
    withSharedConnections(payments),
    { ...rules, kind, selection, skippedLines, limit, concurrency, stopAfter, rateLimiter, interrupt, sleep },
    report,
  )
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

async function pauseUnlessAborted(ms: number, interrupt: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal: interrupt })
  } catch (error) {
    if (!interrupt.aborted) throw error
  }
}
