import { wholeNumber } from '../../optionParsers.ts'
import { t } from '../../text/translate.ts'
import { defineCommand, defineOptions } from '../command.ts'
import { FILE_ARGUMENT, FILE_OPTIONS } from './fileOptions.ts'
import { rehearse, SEED_MAX } from './rehearse.ts'
import { sendFile } from './sendFile.ts'

const OPTIONS = defineOptions(
  ...FILE_OPTIONS,
  {
    flags: '--rehearse',
    description: 'run it in a sandbox with faults; no money moves',
    conflicts: {
      options: ['--dry-run', '--results', '--excel'],
      message: (other) => t`\`--rehearse\` and \`${other}\` cannot be combined`,
      hint: (other) => t`Omit \`${other}\`: a rehearsal sends no money and prints a verdict`,
    },
  },
  {
    flags: '--seed <n>',
    description: 'with --rehearse: repeat the faults of an earlier one',
    parse: wholeNumber(0, SEED_MAX),
    requires: {
      option: '--rehearse',
      message: () => t`\`--seed\` requires \`--rehearse\``,
      hint: () => t`Add \`--rehearse\`, or omit \`--seed\``,
    },
  },
)

export const batchTransfer = defineCommand({
  arguments: [FILE_ARGUMENT],
  options: OPTIONS,
  examples: [
    ['pixgate batch transfer payroll.csv --dry-run', 'check the file and see the totals'],
    ['pixgate batch transfer payroll.csv --rehearse', 'rehearse the run with faults; no money moves'],
    ['pixgate batch transfer payroll.csv --results results.csv', 'asks once before it sends'],
    [
      'pixgate batch transfer lista.csv --map key=chave,value=valor --reference payroll-2026-11',
      'columns with other names, and a reference to change next month',
    ],
  ],
  run: (context, { file, rehearse: isRehearsal, ...options }) =>
    isRehearsal ? rehearse(context, file, options) : sendFile(context, 'transfer', file, options),
})
