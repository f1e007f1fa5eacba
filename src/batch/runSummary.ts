import type { Ledger } from '../ledger/ledger.ts'
import type { RunRecord } from '../ledger/records.ts'
import type { Run } from '../ledger/runs.ts'
import { countDifferentNames } from './rowResults.ts'
import { beforeDocument, type RunProgress, type RunTally, runProgress } from './runTally.ts'

/** What the summary of a run counts. */
export interface RunSummary extends RunProgress {
  /** Rows with another name in the file than in an event. */
  namesDiffer: number
}

/** Counts the rows of a run. Throws DamagedRecord. */
export async function summarise(ledger: Ledger, run: Run): Promise<RunSummary> {
  const progress = await ledger.read((database) => runProgress(database, run.record.run))
  return { ...progress, namesDiffer: await countDifferentNames(ledger, run) }
}

/**
 * The last line of the JSON of a batch. `totalCents` is the sum of all rows; `acceptedBefore` tells how many of the accepted ones an earlier
 * attempt had made, `sentElsewhere` how many of these another ledger sent first, and `namesDiffer` how many rows have another name in the file than
 * in an event.
 */
export function summaryDocument(
  { run, rows, totalCents }: RunRecord,
  { accepted, refused, unknown, notSent }: RunTally,
  { before, namesDiffer }: Pick<RunSummary, 'before' | 'namesDiffer'>,
) {
  const earlier = beforeDocument(before)
  return { type: 'summary', run, rows, accepted, ...earlier, refused, unknown, notSent, totalCents, namesDiffer }
}
