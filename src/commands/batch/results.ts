import type { Context } from '../../context.ts'
import type { CheckedRow } from '../../money/batch/batchFile.ts'
import type { KeptRow } from '../../money/batch/keptRow.ts'
import type { LedgerTail } from '../../money/batch/ledgerTail.ts'
import type { RowContext } from '../../money/batch/plan.ts'
import type { ResultsFile } from '../../money/batch/resultsFile.ts'
import { t } from '../../text/words.ts'
import { Failure, gravestExitCode } from '../../wire/errors.ts'

/** Writes the file of results, where one is wished; what stands in its way is said. Gives the gravest exit code. */
export async function writeResults(
  context: Context,
  results: ResultsFile | null,
  columns: readonly string[],
  rows: AsyncIterable<CheckedRow | KeptRow>,
  { tail, rowContext, exitCode }: { tail: LedgerTail; rowContext: RowContext; exitCode: number },
): Promise<number> {
  if (results === null) return exitCode
  try {
    const timeline = await context.timeline()
    // Where it could not be read before, rows that were sent would stand there as never sent.
    await tail.refresh()
    await results.write(columns, rows, { index: tail.index, context: rowContext, follow: () => timeline.follow() })
    return exitCode
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    context.terminal.alarm(t`The results were not written: ${error.message}`)
    return gravestExitCode([exitCode, error.exitCode])
  }
}
