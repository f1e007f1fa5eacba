import type { Context } from '../../context.ts'
import { t } from '../../text/words.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'
import { FILE_ARGUMENT, FILE_OPTIONS } from './fileOptions.ts'
import { type RehearseOptions, rehearse } from './rehearse.ts'
import { sendFile } from './sendFile.ts'

interface TransferFileOptions extends RehearseOptions {
  rehearse?: boolean
}

export const batchTransfer = defineCommand({
  description: 'Send all the transfers of a CSV file or a workbook, each of them once, whatever happens meanwhile',
  arguments: [FILE_ARGUMENT],
  options: [
    ...FILE_OPTIONS,
    {
      flags: '--rehearse',
      description: 'play the whole run on this machine, with lost answers and kills; no money moves',
    },
    { flags: '--seed <n>', description: 'of a rehearsal: repeat the mishaps of an earlier one' },
  ],
  examples: [
    ['pixgate batch transfer payroll.csv --dry-run', 'check the file and see the totals'],
    ['pixgate batch transfer payroll.csv --rehearse', 'see the run survive kills; no money moves'],
    ['pixgate batch transfer payroll.csv --results results.csv', 'asks once before anything moves'],
    [
      'pixgate batch transfer lista.csv --map key=chave,value=valor --reference payroll-2026-11',
      'columns by other names, and a reference that next month has another of',
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
  throw new UsageError(t`\`--seed\` is an option of a rehearsal`, { hint: t`Add \`--rehearse\`, or omit \`--seed\`` })
}
