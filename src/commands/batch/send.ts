import { defineCommand, defineOptions } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { wholeNumber } from '../../optionParsers.ts'
import { unknownRun } from '../../payments/explanation.ts'
import {
  DESPITE_CHARGEBACK_OPTION,
  FILE_ARGUMENT,
  FILE_OPTIONS,
  RESUME_OPTIONS,
  type ResumeOptions,
} from '../../steps/batch/batchOptions.ts'
import { rehearse, SEED_MAX } from '../../steps/batch/rehearse.ts'
import { sendFile } from '../../steps/batch/sendFile.ts'
import { resumeRun } from '../../steps/batch/sendRun.ts'
import { findRunByName } from '../../steps/namedPayment.ts'
import { t } from '../../text/translate.ts'

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
  sendsPayments: true,
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

export const batchRefund = defineCommand({
  sendsPayments: true,
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

export const batchResume = defineCommand({
  sendsPayments: true,
  arguments: [{ name: '<run>', description: 'name of the run', completes: 'runs' }],
  options: [
    ...RESUME_OPTIONS,
    { flags: '--dry-run', description: 'apply every rule, print what would be sent, and send nothing' },
  ],
  examples: [['pixgate batch resume run-5f0c2a9b1d3e', 'after a crash, a refusal or Ctrl-C']],
  run: resume,
})

async function resume(
  context: Context,
  { run: name, ...options }: ResumeOptions & { run: string; dryRun: boolean },
): Promise<number> {
  const known = await findRunByName(context, name)
  if (known === undefined) throw unknownRun(name)
  return resumeRun(context, known, options)
}
