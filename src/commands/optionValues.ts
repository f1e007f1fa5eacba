import type { Context } from '../context.ts'
import { parseDuration } from '../pix/duration.ts'
import { Malformed } from '../pix/malformed.ts'
import { durationOption } from '../settings.ts'
import { noList } from '../terminal/printer.ts'
import { hasControlCharacter } from '../text/safeText.ts'
import { t } from '../text/words.ts'
import { UsageError } from '../wire/errors.ts'

/** How long `--wait` waits where it names no duration. */
export const DEFAULT_WAIT = '15m'

/** A value that is required, and how it is asked for. */
export interface RequiredValue {
  question: string
  /** The hint if the value is missing and cannot be asked for. */
  hint: string
  /** Throws UsageError for a value that would be refused later, so that the question is asked again at once. */
  check?: (text: string) => void
}
/** `--interval` of a command that waits; in ms. */
export const INTERVAL_OPTION = {
  flags: '--interval <duration>',
  description: 'pause between two queries of a wait',
  default: '2s',
  parse: (typed: string) => durationOption(typed, '--interval'),
} as const

/**
 * A required value: as typed, else asked for on a terminal. Throws UsageError with the hint if it is missing and
 * cannot be asked for.
 */
export async function typedOrAsked(
  context: Context,
  typed: string | undefined,
  option: string,
  { question, check = () => undefined, hint }: RequiredValue,
): Promise<string> {
  if (typed !== undefined) return notBlank(typed, option)
  if (context.terminal.canAsk) {
    return context.terminal.askText(question, (text) => faultOf(() => check(notBlank(text, option))))
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

/** Of two names of one option the one that was typed, with its name. Throws UsageError where they contradict each other. */
export function eitherOption(
  [name, value]: readonly [name: string, value: string | undefined],
  [alias, aliasValue]: readonly [alias: string, value: string | undefined],
): { option: string; typed: string | undefined } {
  if (aliasValue === undefined) return { option: name, typed: value }
  if (value === undefined || value === aliasValue) return { option: alias, typed: aliasValue }
  throw new UsageError(t`\`${name} ${value}\` and \`${alias} ${aliasValue}\` contradict each other`, {
    hint: t`Give one of them: they are the same option`,
  })
}

/** Refuses CSV before anything happens, for a command whose answer is no list. Throws UsageError. */
export function refuseCsv({ print }: Context): void {
  if (print.format === 'csv') throw noList()
}

/** The duration of `--wait`, 15 minutes where none is given; null without the option. Throws UsageError. */
export function waitMsOf(typed: string | true | undefined): number | null {
  if (typed === undefined) return null
  try {
    return parseDuration(typed === true ? DEFAULT_WAIT : typed)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    throw new UsageError(t`\`--wait\`: ${error.message}`, {
      hint: t`Write it like \`--wait=10m\`, or \`--wait\` alone at the end of the line for ${DEFAULT_WAIT}`,
    })
  }
}

/** Text that must hold something and no control characters. Throws UsageError. */
export function notBlank(text: string, option: string): string {
  if (text.trim() === '') {
    const hint = option.startsWith('-')
      ? t`Write a value after \`${option}\``
      : t`Write a value in place of \`${option}\``
    throw new UsageError(t`\`${option}\` is empty`, { hint })
  }
  if (hasControlCharacter(text)) {
    throw new UsageError(t`\`${option}\` has a line break or another control character in it`, {
      hint: t`Type the value again on one line`,
    })
  }
  return text
}

/** One of these words, exactly. Throws UsageError that lists them. */
export function oneOf<Word extends string>(words: readonly Word[], typed: string, option: string): Word {
  const word = words.find((each) => each === typed)
  if (word !== undefined) return word
  throw new UsageError(t`\`${typed}\` is not something that \`${option}\` can be`, {
    hint: t`Choose one of: ${words.join(', ')}`,
  })
}

/** A whole number within bounds. Throws UsageError. */
export function wholeNumber(typed: string, option: string, least: number, most: number): number {
  const value = /^\d{1,15}$/.test(typed) ? Number(typed) : Number.NaN
  if (value >= least && value <= most) return value
  throw new UsageError(t`\`${typed}\` is not something that \`${option}\` can be`, {
    hint: t`Write a whole number from ${least} to ${most}`,
  })
}
