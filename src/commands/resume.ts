import { defineCommand } from '../commandDefinition.ts'
import type { Context } from '../context.ts'
import { RESUME_OPTIONS, type ResumeOptions } from '../steps/batch/batchOptions.ts'
import { resumeRun } from '../steps/batch/sendRun.ts'
import { resumeTarget } from '../steps/namedPayment.ts'
import { resumePayment } from '../steps/resumePayment.ts'
import { readExternalId } from '../steps/sendTransfer.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'

type ResumeEitherOptions = ResumeOptions & { id: string | undefined; dryRun: boolean }

export const resume = defineCommand({
  sendsPayments: true,
  arguments: [
    {
      name: '<id>',
      description:
        'external id or idTransaction of the transfer, name of the run, or the beginning of one of these UUIDs; without it, pick from a list',
      parse: readExternalId,
      completes: 'ids',
      isPicked: true,
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

async function resumeEither(context: Context, { id: typed, ...options }: ResumeEitherOptions): Promise<number> {
  const target = await resumeTarget(context, 'pixgate resume', typed)
  if ('run' in target) return resumeRun(context, target.run, options)
  const { refused, results, limit, concurrency, rate, stopAfter } = options
  const [option] = [
    ...(refused ? ['--refused'] : []),
    ...(results === undefined ? [] : ['--results']),
    ...(limit === undefined ? [] : ['--limit']),
    ...(concurrency === undefined ? [] : ['--concurrency']),
    ...(rate === undefined ? [] : ['--rate']),
    ...(stopAfter === undefined ? [] : ['--stop-after']),
  ]
  if (option !== undefined) {
    throw new UsageError(t`No run \`${typed ?? target.id}\` is recorded, and \`${option}\` is for runs only`, {
      hint: t`Run \`pixgate batch list\` to list the runs; omit the option to resume one transfer`,
    })
  }
  return resumePayment(context, target.id, options)
}
