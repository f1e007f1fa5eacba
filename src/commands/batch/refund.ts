import { defineCommand } from '../command.ts'
import { FILE_ARGUMENT, FILE_OPTIONS } from './fileOptions.ts'
import { DESPITE_CHARGEBACK_OPTION } from './runOptions.ts'
import { sendFile } from './sendFile.ts'

export const batchRefund = defineCommand({
  arguments: [FILE_ARGUMENT],
  options: [
    ...FILE_OPTIONS,
    { flags: '--reason <text>', description: 'reason for refunds whose row has none' },
    {
      flags: '--full',
      description: 'refund all that is left if a row has no amount',
    },
    {
      flags: '--skip-query',
      description: 'do not query the payments first; what the ledger knows of them still counts',
    },
    DESPITE_CHARGEBACK_OPTION,
  ],
  describedBy: { options: FILE_OPTIONS, command: 'pixgate batch transfer' },
  examples: [
    ['pixgate batch refund returns.csv --dry-run', 'check the file and its payments, and see the totals'],
    ['pixgate batch refund returns.csv --reason "event cancelled"', 'asks once before it sends'],
    [
      'pixgate batch refund estornos.csv --map originalTransactionId=ID,amount=Estorno --reason "event cancelled"',
      'columns with other names',
    ],
  ],
  run: (context, { file, ...options }) => sendFile(context, 'refund', file, options),
})
