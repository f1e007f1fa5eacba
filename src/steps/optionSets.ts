import { defineOptions, type OptionsOf } from '../commandDefinition.ts'
import type { Context } from '../context.ts'
import { readDuration, readText, wholeNumber } from '../optionParsers.ts'
import { parseDuration } from '../pix/duration.ts'
import { Malformed, valueOrError } from '../pix/expectedError.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'

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

/** A refund without an amount would refund what was not approved. */
export function amountRequiredForPlan(isFile = false): UsageError {
  return new UsageError(t`The amount of this refund is not known, and a plan says how much is sent`, {
    details: [t`Nothing was sent`],
    hint: isFile ? t`Write an amount in every row` : t`Add \`--amount\` with the amount to refund`,
  })
}

/** How long `--wait` waits if no duration is given. */
export const DEFAULT_WAIT = '15m'
/** The same for a transfer: a bank may hold one for up to an hour. */
export const TRANSFER_WAIT = '65m'
/** What a bare `--wait` is read as. */
export const BARE_WAIT = 'default'

export const INTERVAL_OPTION = {
  flags: '--interval <duration>',
  description: 'pause between two queries while waiting',
  default: '2s',
  parse: readDuration,
} as const

/** The option `--wait`, whose value is in ms. */
export function waitOption(description: string, defaultWait: string) {
  return {
    flags: '--wait [duration]',
    description: `${description} (default ${defaultWait})`,
    preset: BARE_WAIT,
    parse: (typed: string) => readWait(typed, defaultWait),
  } as const
}

/** Reads the duration of `--wait`, in ms. Throws UsageError. */
export function readWait(typed: string, defaultWait: string): number {
  const ms = valueOrError(Malformed, () => parseDuration(typed === BARE_WAIT ? defaultWait : typed))
  if (!(ms instanceof Malformed)) return ms
  throw new UsageError(t`\`--wait\`: ${ms.message}`, {
    hint: t`Write \`--wait=10m\`, or only \`--wait\` to wait up to ${defaultWait}`,
  })
}

/** The option that shows people's data of payments. */
export const UNMASK_OPTION = {
  flags: '--unmask',
  description: 'show keys and tax documents of people unmasked',
} as const

/** The same option where nothing is masked, so that it may be typed there, too. */
export const UNMASK_ACCEPTED = {
  ...UNMASK_OPTION,
  description: 'accepted as in lists; nothing is masked here',
} as const

/** As many of the newest are listed on a terminal unless all are requested. */
const NEWEST_ROWS = 30
const LIMIT_MAX = 100_000_000

/** The option that limits a list to the newest. */
export const LIMIT_OPTION = {
  flags: '--limit <n>',
  description: 'only the newest n',
  parse: wholeNumber(1, LIMIT_MAX),
} as const

/** The option of lists that are cut on a terminal. */
export const ALL_ROWS_OPTION = {
  flags: '--all-rows',
  description: `on a terminal, too, all rows: not only the newest ${NEWEST_ROWS}`,
} as const

/** How many of the newest a list has; null for all of them: in a pipe, and in a format for programs. */
export function listLimit({ terminal, print }: Pick<Context, 'terminal' | 'print'>, allRows: boolean): number | null {
  return allRows || !terminal.outIsTerminal || print.format !== 'text' ? null : NEWEST_ROWS
}

/** Says how to see what a list leaves out. `isLimitTyped` is false if its limit is that of every list on a terminal. */
export function suggestAllRows({ terminal }: Pick<Context, 'terminal'>, isLimitTyped: boolean): void {
  terminal.next(isLimitTyped ? t`Omit \`--limit\` to list all` : t`Add \`--all-rows\` to list all`)
}
