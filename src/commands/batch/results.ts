import type { Context } from '../../context.ts'
import type { CheckedRow } from '../../money/batch/batchFile.ts'
import type { KeptRow } from '../../money/batch/keptRow.ts'
import type { LedgerTail } from '../../money/batch/ledgerTail.ts'
import type { RowContext } from '../../money/batch/plan.ts'
import type { ResultsFile } from '../../money/batch/resultsFile.ts'

/** Writes the file of results, where one is wished. */
export async function writeResults(
  context: Context,
  results: ResultsFile | null,
  columns: readonly string[],
  rows: AsyncIterable<CheckedRow | KeptRow>,
  { tail, rowContext }: { tail: LedgerTail; rowContext: RowContext },
): Promise<void> {
  if (results === null) return
  const timeline = await context.timeline()
  await results.write(columns, rows, { index: tail.index, context: rowContext, follow: () => timeline.follow() })
}
