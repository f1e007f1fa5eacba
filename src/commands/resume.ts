import type { Context } from '../context.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { findRunByName } from './batch/findRunByName.ts'
import { resumeRun } from './batch/resumeRun.ts'
import { RESUME_OPTIONS, type ResumeOptions } from './batch/runOptions.ts'
import { defineCommand } from './command.ts'
import { readExternalId, resumeByExternalId } from './transferSteps.ts'

type ResumeEitherOptions = ResumeOptions & { id: string; dryRun: boolean }

export const resume = defineCommand({
  arguments: [
    {
      name: '<id>',
      description: 'external id of the transfer, or name of the run',
      parse: readExternalId,
      completes: 'ids',
    },
  ],
  options: [
    ...RESUME_OPTIONS,
    {
      flags: '--dry-run',
      description:
        'apply every rule, print the exact request, secrets redacted, or the rows of a run to send, and send nothing',
    },
  ],
  examples: [
    ['pixgate resume invoice-17', 'after an exit 5: finds out whether it was paid, and pays it if it was not'],
    ['pixgate resume run-5f0c2a9b1d3e', 'continue a batch after a crash, a refusal or Ctrl-C'],
  ],
  run: resumeEither,
})

async function resumeEither(context: Context, { id, ...options }: ResumeEitherOptions): Promise<number> {
  const known = await findRunByName(context, id)
  if (known !== undefined) return resumeRun(context, known, options)
  const { dryRun: isDryRun, includeUnknown, refused, results, limit, rate } = options
  const [option] = [
    ...(refused ? ['--refused'] : []),
    ...(results === undefined ? [] : ['--results']),
    ...(limit === undefined ? [] : ['--limit']),
    ...(rate === undefined ? [] : ['--rate']),
    ...(options.again ? ['--again'] : []),
    ...(options.inAdditionTo.length === 0 ? [] : ['--in-addition-to']),
    ...(options.despiteChargeback ? ['--despite-chargeback'] : []),
  ]
  if (option !== undefined) {
    throw new UsageError(t`No run \`${id}\` was sent from this machine, and \`${option}\` is for runs only`, {
      hint: t`Run \`pixgate batch list\` to list the runs; omit the option to resume one transfer`,
    })
  }
  return resumeByExternalId(context, id, { isDryRun, waitMs: null, includeUnknown })
}
