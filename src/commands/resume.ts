import type { Context } from '../context.ts'
import { t } from '../text/words.ts'
import { UsageError } from '../wire/errors.ts'
import { findRun } from './batch/knownRuns.ts'
import { type ResumeRunOptions, resumeRun } from './batch/resumeRun.ts'
import { RESUME_OPTIONS } from './batch/workOptions.ts'
import { defineCommand } from './command.ts'
import { resumeByExternalId } from './resumeSteps.ts'

/** `pixgate resume`: goes on with what is in doubt or was interrupted. */
export const resume = defineCommand({
  description:
    'Send a transfer in doubt again, the same bytes under the same external id, which the gateway carries out only once; or go on with a batch',
  arguments: [{ name: '<id>', description: 'external id of the transfer, or name of the run', completes: 'ids' }],
  options: [
    ...RESUME_OPTIONS,
    {
      flags: '--dry-run',
      description: 'print the exact request, secrets redacted, or what of a run would be sent, and stop',
    },
  ],
  examples: [
    ['pixgate resume invoice-17', 'after an exit 5: settles whether it was paid, and pays it if it was not'],
    ['pixgate resume run-5f0c2a9b1d3e', 'go on with a batch after a crash, a refusal or Ctrl-C'],
  ],
  run: resumeEither,
})

async function resumeEither(context: Context, { id, ...options }: ResumeRunOptions & { id: string }): Promise<number> {
  const record = await findRun(context, id)
  if (record !== undefined) return resumeRun(context, record, options)
  const option = [
    options.refused === true ? '--refused' : undefined,
    options.results === undefined ? undefined : '--results',
    options.limit === undefined ? undefined : '--limit',
    options.rate === undefined ? undefined : '--rate',
  ].find((each) => each !== undefined)
  if (option !== undefined) {
    throw new UsageError(t`This machine knows no run ${id}, and \`${option}\` is for runs only`, {
      hint: t`\`pixgate batch list\` lists the runs; leave the option away to go on with one transfer`,
    })
  }
  return resumeByExternalId(context, id, {
    isDryRun: options.dryRun === true,
    waitMs: null,
    includeUnknown: options.includeUnknown === true,
  })
}
