import { resultPages } from '../../batch/rowResults.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { RunResults } from '../../ledger/records.ts'
import type { Run } from '../../ledger/runs.ts'
import { openWholeFile, type WholeFile } from '../../storage/wholeFile.ts'
import { writeFailure } from '../../terminal/outputFile.ts'
import { type ResultsMode, resultLines, resultsHeader } from '../../views/batch/resultLines.ts'

/** A file of results that is being made; it appears under its name when it is whole. */
export interface ResultsFile {
  /** Writes the current result of every row of a run, as recorded in the ledger. */
  write(ledger: Ledger, run: Run): Promise<void>
  /** Removes the unfinished file if it was not written. */
  close(): Promise<void>
}

/** Opens a file for results before anything is sent. Throws UsageError if it cannot be written. */
export async function openResults({ path, isExcel }: RunResults): Promise<ResultsFile> {
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
