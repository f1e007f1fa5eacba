import { Command } from 'commander'
import type { Context, Run } from '../context.ts'
import { t } from '../text/words.ts'
import { UsageError } from '../wire/errors.ts'
import { runNamed } from './batch/knownRuns.ts'
import { type ResumeRunOptions, resumeRun } from './batch/resumeRun.ts'
import { withResumeOptions } from './batch/workOptions.ts'
import { examples } from './examples.ts'
import { resumeByExternalId } from './resumeSteps.ts'

/** `pixgate resume`: continues what was interrupted or has an unknown outcome. */
export function resume(run: Run): Command {
  return withResumeOptions(new Command('resume'))
    .description(
      'Send a transfer with an unknown outcome again, the same bytes under the same external id, which the gateway carries out only once; or continue a batch',
    )
    .argument('<id>', 'external id of the transfer, or name of the run')
    .option('--dry-run', 'print the exact request, secrets redacted, or what of a run would be sent, and stop')
    .addHelpText(
      'after',
      examples(
        ['pixgate resume invoice-17', 'after an exit 5: settles whether it was paid, and pays it if it was not'],
        ['pixgate resume run-5f0c2a9b1d3e', 'continue a batch after a crash, a refusal or Ctrl-C'],
      ),
    )
    .action(run(resumeEither))
}

async function resumeEither(context: Context, id: string, options: ResumeRunOptions): Promise<number> {
  const known = await runNamed(context, id)
  if (known !== undefined) return resumeRun(context, known, options)
  const option = [
    options.refused === true ? '--refused' : undefined,
    options.results === undefined ? undefined : '--results',
    options.limit === undefined ? undefined : '--limit',
    options.rate === undefined ? undefined : '--rate',
    options.again === true ? '--again' : undefined,
    options.inAdditionTo === undefined ? undefined : '--in-addition-to',
  ].find((each) => each !== undefined)
  if (option !== undefined) {
    throw new UsageError(t`No run ${id} was sent from this machine, and \`${option}\` is for runs only`, {
      hint: t`Run \`pixgate batch list\` to list the runs; omit the option to resume one transfer`,
    })
  }
  return resumeByExternalId(context, id, {
    isDryRun: options.dryRun === true,
    waitMs: null,
    includeUnknown: options.includeUnknown === true,
  })
}
