import type { Context } from '../context.ts'
import { parseDuration } from '../pix/duration.ts'
import { Malformed } from '../pix/malformed.ts'
import { durationOption } from '../settings.ts'
import { csvNotSupported } from '../terminal/printer.ts'
import { hasControlCharacter } from '../text/safeText.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'

/** How long `--wait` waits if no duration is given. */
export const DEFAULT_WAIT = '15m'
/** The same for a transfer: a bank may hold one for up to an hour. */
export const TRANSFER_WAIT = '65m'
/** What a bare `--wait` is read as. */
export const BARE_WAIT = 'default'

/** The port of the inspector's page if no other is given. */
export const INSPECTOR_PORT = '4040'

/** A required value, and how to prompt for it. */
export interface RequiredValue {
  question: string
  /** The hint if the value is missing and prompts are not possible. */
  hint: string
  /** Throws UsageError for an invalid value, so that the prompt is repeated immediately. */
  check?: (text: string) => void
}

export const INTERVAL_OPTION = {
  flags: '--interval <duration>',
  description: 'pause between two queries while waiting',
  default: '2s',
  parse: (typed: string) => durationOption(typed, '--interval'),
} as const

/**
 * Returns a required value as typed, or prompts for it on a terminal. Throws UsageError with the hint if it is missing
 * and prompts are not possible.
 */
export async function typedOrPrompted(
  context: Context,
  typed: string | undefined,
  option: string,
  { question, check = () => undefined, hint }: RequiredValue,
): Promise<string> {
  if (typed !== undefined) return requireText(typed, option)
  if (context.terminal.canAsk) {
    return context.terminal.askText(question, (text) => faultOf(() => check(requireText(text, option))))
  }
  throw new UsageError(t`\`${option}\` is missing`, { hint })
}

function faultOf(check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return t`${error.message}. ${error.hint}`
  }
}

/** The value of an option that has an alias, with the name that was typed. Throws UsageError if both differ. */
export function parseAliasedOption(
  [name, value]: readonly [name: string, value: string | undefined],
  [alias, aliasValue]: readonly [alias: string, value: string | undefined],
): { option: string; typed: string | undefined } {
  if (aliasValue === undefined) return { option: name, typed: value }
  if (value === undefined || value === aliasValue) return { option: alias, typed: aliasValue }
  throw new UsageError(t`\`${name} ${value}\` and \`${alias} ${aliasValue}\` conflict`, {
    hint: t`Use only one of them; they are the same option`,
  })
}

/** Rejects `-o csv` before anything happens, for a command whose output is not a list. Throws UsageError. */
export function assertNotCsv({ print }: Context): void {
  if (print.format === 'csv') throw csvNotSupported()
}

/** The duration of `--wait` in ms; null without the option. Throws UsageError. */
export function parseWaitMs(typed: string | true | undefined, defaultWait = DEFAULT_WAIT): number | null {
  if (typed === undefined) return null
  try {
    return parseDuration(typed === true || typed === BARE_WAIT ? defaultWait : typed)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    throw new UsageError(t`\`--wait\`: ${error.message}`, {
      hint: t`Write \`--wait=10m\`, or only \`--wait\` to wait up to ${defaultWait}`,
    })
  }
}

/** Checks that text is not blank and has no control characters. Throws UsageError. */
export function requireText(text: string, option: string): string {
  if (text.trim() === '') {
    const hint = option.startsWith('-') ? t`Add a value after \`${option}\`` : t`Replace \`${option}\` with a value`
    throw new UsageError(t`\`${option}\` is empty`, { hint })
  }
  if (hasControlCharacter(text)) {
    throw new UsageError(t`\`${option}\` contains a line break or another control character`, {
      hint: t`Type the value on a single line`,
    })
  }
  return text
}

/** Checks that the typed text is one of these words. Throws a UsageError that lists them. */
export function parseChoice<Word extends string>(words: readonly Word[], typed: string, option: string): Word {
  const word = words.find((each) => each === typed)
  if (word !== undefined) return word
  throw new UsageError(t`\`${typed}\` is not a valid value for \`${option}\``, {
    hint: t`Use one of: ${words.join(', ')}`,
  })
}

/** Parses a whole number within bounds. Throws UsageError. */
export function parseWholeNumber(typed: string, option: string, least: number, most: number): number {
  const value = /^\d{1,15}$/.test(typed) ? Number(typed) : Number.NaN
  if (value >= least && value <= most) return value
  throw new UsageError(t`\`${typed}\` is not a valid value for \`${option}\``, {
    hint: t`Use a whole number from ${least} to ${most}`,
  })
}
