import { Command } from 'commander'
import type { Run } from '../context.ts'
import { examples } from './examples.ts'
import { resumeByExternalId } from './resumeSteps.ts'

/** `pixgate resume`: goes on with what is in doubt. */
export function resume(run: Run): Command {
  return new Command('resume')
    .summary('go on with what is in doubt or was interrupted')
    .description(
      'Send a transfer in doubt again: the same bytes under the same external id, which the gateway carries out only once',
    )
    .argument('<external-id>', 'external id of the transfer')
    .option('--dry-run', 'print the exact request, secrets redacted, and stop')
    .addHelpText(
      'after',
      examples([
        'pixgate resume invoice-17',
        'after an exit 5: settles whether it was paid, and pays it if it was not',
      ]),
    )
    .action(
      run((context, externalId: string, { dryRun }: { dryRun?: boolean }) =>
        resumeByExternalId(context, externalId, { isDryRun: dryRun === true, waitMs: null }),
      ),
    )
}
