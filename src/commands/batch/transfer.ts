import type { Context } from '../../context.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'
import { FILE_ARGUMENT, FILE_OPTIONS } from './fileOptions.ts'
import { type RehearseOptions, rehearse } from './rehearse.ts'
import { sendFile } from './sendFile.ts'

interface TransferFileOptions extends RehearseOptions {
  rehearse?: boolean
}

export const batchTransfer = defineCommand({
  description: 'Send all transfers in a CSV file or a workbook, and pay no row twice, even after a crash',
  arguments: [FILE_ARGUMENT],
  options: [
    ...FILE_OPTIONS,
    {
      flags: '--rehearse',
      description: 'rehearse the run on this machine, with lost answers and killed processes; no money moves',
    },
    { flags: '--seed <n>', description: 'with --rehearse: repeat the faults of an earlier rehearsal' },
  ],
  examples: [
    ['pixgate batch transfer payroll.csv --dry-run', 'check the file and see the totals'],
    ['pixgate batch transfer payroll.csv --rehearse', 'rehearse the run with faults; no money moves'],
    ['pixgate batch transfer payroll.csv --results results.csv', 'asks once before it sends'],
    [
      'pixgate batch transfer lista.csv --map key=chave,value=valor --reference payroll-2026-11',
      'columns with other names, and a reference to change next month',
    ],
  ],
  run: send,
})

async function send(
  context: Context,
  { file, rehearse: isRehearsal, seed, ...options }: TransferFileOptions & { file: string },
): Promise<number> {
  if (isRehearsal === true) return rehearse(context, file, { ...options, seed })
  if (seed === undefined) return sendFile(context, 'transfer', file, options)
  throw new UsageError(t`\`--seed\` requires \`--rehearse\``, { hint: t`Add \`--rehearse\`, or omit \`--seed\`` })
}
