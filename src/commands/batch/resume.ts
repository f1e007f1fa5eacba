import { Command } from 'commander'
import type { Context, Run } from '../../context.ts'
import { examples } from '../examples.ts'
import { runNamed, unknownRun } from './knownRuns.ts'
import { type ResumeRunOptions, resumeRun } from './resumeRun.ts'
import { withResumeOptions } from './workOptions.ts'

/** `pixgate batch resume`: the same as `pixgate resume` with a run. */
export function batchResume(run: Run): Command {
  return withResumeOptions(new Command('resume'))
    .description(
      'Continue a run: rows with an answer are not sent again, rows with an unknown outcome under the same external id',
    )
    .argument('<run>', 'name of the run')
    .option('--dry-run', 'print what would be sent, and stop')
    .addHelpText('after', examples(['pixgate batch resume run-5f0c2a9b1d3e', 'after a crash, a refusal or Ctrl-C']))
    .action(run(resume))
}

async function resume(context: Context, name: string, options: ResumeRunOptions): Promise<number> {
  const known = await runNamed(context, name)
  if (known === undefined) throw unknownRun(name)
  return resumeRun(context, known, options)
}
