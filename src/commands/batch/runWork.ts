import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import type { HttpRequest } from '../../gateway/exchange.ts'
import { DayGuard } from '../../money/batch/dayLimit.ts'
import type { KeptRow } from '../../money/batch/keptRow.ts'
import type { LedgerTail } from '../../money/batch/ledgerTail.ts'
import { Pace } from '../../money/batch/pace.ts'
import type { Task } from '../../money/batch/preparation.ts'
import { tallyExitCode, tallyRun } from '../../money/batch/runTally.ts'
import { type WorkDesk, workThrough } from '../../money/batch/work.ts'
import { t } from '../../text/words.ts'
import type { RunRecord, TimelineRecord } from '../../timeline/records.ts'
import { Failure, gravestExitCode } from '../../wire/errors.ts'
import { RunScreen, sayStop, showSummary } from './runScreen.ts'
import type { WorkOptions } from './workOptions.ts'

/** The part of a run that is worked on now. */
export interface RunPart {
  record: TimelineRecord<RunRecord>
  /** All rows of the run. */
  rows: AsyncIterable<KeptRow>
  /** So many of them are sent. */
  count: number
  taskOf(row: KeptRow): Task | undefined
  /** Payments outside the batch that were made before this entry of the ledger may be made once more. */
  repeatableBefore: number
}

/** Sends rows of a run and prints what became of them. Gives the exit code. */
export async function workOnRun(
  context: Context,
  tail: LedgerTail,
  part: RunPart,
  options: WorkOptions,
): Promise<number> {
  const desk = await workDesk(context)
  const { run, reference, kind } = part.record
  const { limit, concurrency, stopAfter, perSecond } = options
  const screen = new RunScreen(context, Math.min(part.count, limit ?? part.count))
  const exitCodes: number[] = []
  const day = new DayGuard(tail.index, desk.account, context.now)
  const stop = await workThrough(
    desk,
    tail,
    {
      ...part,
      run,
      reference,
      kind,
      limit,
      concurrency,
      stopAfter,
      pace: new Pace(perSecond, context.now),
      guard: () => day.check(),
    },
    (end) => {
      screen.row(end)
      if (!exitCodes.includes(end.exitCode)) exitCodes.push(end.exitCode)
    },
  )
  sayStop(context, stop)
  const stopped = stop?.why === 'failure' ? (stop.failure?.exitCode ?? 0) : 0
  const seen = [...exitCodes, stopped]
  try {
    await tail.refreshWithEvents()
    const tally = await tallyRun(tail.index, part.record, part.rows)
    showSummary(context, part.record, tally)
    const interrupted = stop?.why === 'interrupted' && tally.notSent > 0 ? 130 : 0
    return gravestExitCode([...seen, tallyExitCode(tally), interrupted])
  } catch (error) {
    // Rows were sent: what became of them counts more than that it cannot be read.
    if (!(error instanceof Failure)) throw error
    context.terminal.alarm(t`What became of ${run} cannot be counted: ${error.message}`)
    context.terminal.next(t`When that is mended, look at it with \`pixgate batch show ${run}\``)
    return gravestExitCode([...seen, error.exitCode])
  }
}

async function workDesk(context: Context): Promise<WorkDesk> {
  const { interrupt } = context.world
  const sleep = async (ms: number) => {
    try {
      await pause(ms, undefined, { signal: interrupt })
    } catch (error) {
      if (!interrupt.aborted) throw error
    }
  }
  const desk = await context.money()
  const gateway = { ...desk.gateway, post: (request: HttpRequest) => desk.gateway.post(request, true) }
  return { ...desk, gateway, interrupt, sleep }
}
