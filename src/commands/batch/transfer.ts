import { Command } from 'commander'
import type { Run } from '../../context.ts'
import { examples } from '../examples.ts'
import { withFileOptions } from './fileOptions.ts'
import { type SendFileOptions, sendFile } from './sendFile.ts'

/** `pixgate batch transfer`: sends all the transfers of a file. */
export function batchTransfer(run: Run): Command {
  return withFileOptions(new Command('transfer'))
    .summary('send all the transfers of a CSV file')
    .description('Send all the transfers of a CSV file, each of them once, whatever happens meanwhile')
    .addHelpText(
      'after',
      examples(
        ['pixgate batch transfer payroll.csv --dry-run', 'check the file and see the totals'],
        ['pixgate batch transfer payroll.csv --results results.csv', 'asks once before anything moves'],
        [
          'pixgate batch transfer lista.csv --map key=chave,value=valor --reference payroll-2026-11',
          'columns by other names, and a reference that next month has another of',
        ],
      ),
    )
    .action(run((context, file: string, options: SendFileOptions) => sendFile(context, 'transfer', file, options)))
}
