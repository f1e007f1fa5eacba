import { openResults } from '../../batch/resultsFile.ts'
import type { Context } from '../../context.ts'
import type { Run } from '../../ledger/runs.ts'
import { t } from '../../text/translate.ts'
import { Failure, worstExitCode } from '../../wire/errors.ts'
import type { RunOptions } from './runOptions.ts'

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
