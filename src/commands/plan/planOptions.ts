import { readDuration, readText } from '../../optionParsers.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineOptions, type OptionsOf } from '../command.ts'

/** The key with which plans are made and approved. */
export const SSH_KEY_OPTION = {
  flags: '--ssh-key <file>',
  description: "SSH key to sign with (default: the agent's, else the usual file)",
  parse: readText,
  completes: 'files',
} as const

/** The options by which a payment becomes a plan that a second person approves. */
export const PLAN_OPTIONS = defineOptions(
  {
    flags: '--plan [file]',
    description: 'sign a plan for a second person; send nothing',
    completes: 'files',
    conflicts: {
      options: ['--dry-run', '--wait'],
      message: (other) => t`\`--plan\` and \`${other}\` cannot be combined`,
      hint: (other) => t`Omit \`${other}\`: with \`--plan\` nothing is sent`,
    },
  },
  {
    flags: '--expires <duration>',
    description: 'with --plan: how long it can be sent (default 24h)',
    parse: readDuration,
  },
  { ...SSH_KEY_OPTION, description: 'with --plan: SSH key to sign with' },
)

export type PlanOptions = OptionsOf<typeof PLAN_OPTIONS>

/** A refund without an amount would refund what nobody approved. */
export function amountRequiredForPlan(isFile = false): UsageError {
  return new UsageError(t`The amount of this refund is not known, and a plan says how much is sent`, {
    details: [t`Nothing was sent`],
    hint: isFile ? t`Write an amount in every row` : t`Add \`--amount\` with the amount to refund`,
  })
}
