import type { Command } from 'commander'
import { tryParseAmount } from '../pix/amount.ts'
import { Malformed } from '../pix/malformed.ts'
import { AmbiguousKey, readPixKey } from '../pix/pixKey.ts'
import { shellWord } from '../text/shellWord.ts'

type Meaning = 'key' | 'amount' | 'reason'

/**
 * The options that arguments were meant to be the values of, such as `--key maria@example.com` and `--amount 10`. Empty if one of them
 * cannot be told, because a value with spaces may have lost its quotes.
 */
export function optionsForArguments(command: Command, words: readonly string[]): string[] {
  const taken = new Set<Meaning>()
  const options: string[] = []
  for (const word of words) {
    const meaning = meaningOf(word, (option) => isMissing(command, option) && !taken.has(option))
    if (meaning === undefined) return []
    taken.add(meaning)
    options.push(`--${meaning} ${shellWord(word)}`)
  }
  return options
}

function meaningOf(word: string, isMissing: (meaning: Meaning) => boolean): Meaning | undefined {
  if (word.startsWith('-')) return undefined
  if (isPixKey(word)) return isMissing('key') ? 'key' : undefined
  if (tryParseAmount(word) !== null) return isMissing('amount') ? 'amount' : undefined
  return (['key', 'reason'] as const).find(isMissing)
}

/** True if the command has the option and it was not typed. */
function isMissing(command: Command, name: Meaning): boolean {
  const isTyped = (option: string) => command.getOptionValue(option) !== undefined
  if (isTyped(name) || (name === 'amount' && isTyped('value'))) return false
  return command.options.some(({ long }) => long === `--${name}`)
}

function isPixKey(word: string): boolean {
  try {
    readPixKey(word)
    return true
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    return error instanceof AmbiguousKey
  }
}
