import type { Option } from 'commander'
import { BARE_WAIT } from '../commands/optionValues.ts'
import { t } from '../text/translate.ts'
import { withoutPassword } from '../wire/address.ts'
import { UsageError } from '../wire/errors.ts'
import type { CompletableOption } from './program.ts'

/** Called for each option before commander stores its value. Throws UsageError. */
export type OptionCheck = (option: CompletableOption, value: string | null | undefined) => void

/**
 * Creates a check that rejects what commander accepts silently: an option given twice, of which only the last would count,
 * and an option used as the value of another (`--reason --amount 10`).
 */
export function optionChecker(argv: readonly string[]): OptionCheck {
  const given = new Map<string, { option: Option; value: string | null | undefined }>()
  return (option, value) => {
    if (option.required && value && /^-[^\d]/.test(value) && !isAttached(argv, option, value)) {
      throw optionAsValue(option, value)
    }
    const earlier = given.get(option.attributeName())
    if (earlier !== undefined && !option.repeatable) throw givenTwice(option, value, earlier)
    given.set(option.attributeName(), { option, value })
  }
}

/**
 * Adds a value to a bare `--wait`, because commander would take the next word as the duration: `--wait <id>`.
 */
export function attachWaitDefault(argv: readonly string[]): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  return argv.map((word, index) => {
    if (word !== '--wait' || index > end) return word
    return /^\d+(?:ms|s|m|h|d)$/.test(argv[index + 1] ?? '') ? word : `--wait=${BARE_WAIT}`
  })
}

function isAttached(argv: readonly string[], { long, short }: Option, value: string): boolean {
  return argv.includes(`${long}=${value}`) || (short !== undefined && argv.includes(`${short}${value}`))
}

function optionAsValue(option: Option, value: string): UsageError {
  const name = option.long ?? option.flags
  return new UsageError(t`\`${name}\` needs a value, and \`${shown(option, value)}\` looks like an option`, {
    hint: t`Add the value after \`${name}\`, or, if it begins with \`-\`, write \`${name}=${shown(option, value)}\``,
  })
}

function givenTwice(
  option: Option,
  value: string | null | undefined,
  earlier: { option: Option; value: string | null | undefined },
): UsageError {
  const name = option.long ?? option.flags
  if (earlier.option.negate !== option.negate) {
    return new UsageError(t`\`${earlier.option.long ?? ''}\` and \`${name}\` conflict`, {
      hint: t`Use only one of them`,
    })
  }
  const hint = t`Use \`${name}\` only once`
  if (!value || !earlier.value || value === earlier.value) {
    return new UsageError(t`\`${name}\` is given twice`, { hint })
  }
  const [first, second] = [shown(option, earlier.value), shown(option, value)]
  return new UsageError(t`\`${name}\` is given twice, as \`${first}\` and as \`${second}\``, { hint })
}

/** Hides a secret that was typed in the wrong place, so that the error message does not repeat it. */
function shown({ long }: Option, value: string): string {
  if (/secret|token/.test(long ?? '')) return '••••'
  return long?.endsWith('-url') ? withoutPassword(value) : value
}
