import { readDuration } from '../optionParsers.ts'
import { parseDuration } from '../pix/duration.ts'
import { Malformed } from '../pix/malformed.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'

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
  try {
    return parseDuration(typed === BARE_WAIT ? defaultWait : typed)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    throw new UsageError(t`\`--wait\`: ${error.message}`, {
      hint: t`Write \`--wait=10m\`, or only \`--wait\` to wait up to ${defaultWait}`,
    })
  }
}
