import { Command } from 'commander'
import type { Run } from '../../context.ts'
import { examples } from '../examples.ts'
import { withFileOptions } from './fileOptions.ts'
import { type SendFileOptions, sendFile } from './sendFile.ts'

/** `pixgate batch refund`: makes all the refunds of a file. */
export function batchRefund(run: Run): Command {
  return withFileOptions(new Command('refund'))
    .description('Return all or parts of the payments in a CSV file, each row of it once')
    .option('--reason <text>', 'why payments are returned whose row does not say it')
    .option('--full', 'return all that is left of payments whose row has no amount; rows with an amount keep it')
    .option('--skip-query', 'do not ask for the payments before')
    .addHelpText(
      'after',
      examples(
        ['pixgate batch refund returns.csv --dry-run', 'check the file and its payments, and see the totals'],
        ['pixgate batch refund returns.csv --reason "event cancelled"', 'asks once before anything moves'],
        [
          'pixgate batch refund estornos.csv --map originalTransactionId=ID,amount=Estorno --reason cancelled',
          'columns by other names',
        ],
      ),
    )
    .action(run((context, file: string, options: SendFileOptions) => sendFile(context, 'refund', file, options)))
}
