import { parseAmount } from './pix/amount.ts'
import { parseDuration } from './pix/duration.ts'
import { Malformed, valueOrError } from './pix/expectedError.ts'
import { readKeyTypeWord } from './pix/keyTypeWords.ts'
import type { DeclaredKeyType } from './pix/pixKey.ts'
import { parseTaxDocument } from './pix/taxDocument.ts'
import { LANGUAGE_CHOICE, type Language, languageNamed } from './text/languages.ts'
import { hasControlCharacter } from './text/safeText.ts'
import { meantValues, nearest } from './text/suggest.ts'
import { t, translated } from './text/translate.ts'
import { readBaseAddress } from './wire/baseAddress.ts'
import { UsageError } from './wire/errors.ts'

// Each parser takes the text and the name of the option or argument, which its error names, and throws UsageError. An answer to a prompt has no name.

/** Text that is not blank and has no control characters. */
export function readText(typed: string, name = t`answer`): string {
  if (typed.trim() === '') {
    const hint = name.startsWith('-') ? t`Add a value after \`${name}\`` : t`Replace \`${name}\` with a value`
    throw new UsageError(t`\`${name}\` is empty`, { hint })
  }
  if (hasControlCharacter(typed)) {
    throw new UsageError(t`\`${name}\` contains a line break or another control character`, {
      hint: t`Type the value on a single line`,
    })
  }
  return typed
}

/** A duration such as `30s`, in ms. */
export function readDuration(typed: string, name?: string): number {
  return withName(name, () => parseDuration(typed))
}

/** A base address, without a trailing slash. */
export function readBaseUrl(typed: string, name?: string): string {
  return readBaseAddress(readText(typed, name), name).url
}

/** An amount in reais above zero, in cents. */
export function readAmount(typed: string, name?: string): number {
  return withName(name, () => parseAmount(typed))
}

/** An amount in reais, in cents; zero is allowed. */
export function readAmountOrZero(typed: string, name?: string): number {
  return withName(name, () => parseAmount(typed, { zeroAllowed: true }))
}

/** A CPF or CNPJ without punctuation. */
export function readTaxDocument(typed: string, name?: string): string {
  return withName(name, () => parseTaxDocument(readText(typed, name)))
}

/** A type of key, by any of its names. */
export function readKeyType(typed: string, name?: string): DeclaredKeyType {
  return withName(name, () => readKeyTypeWord(typed))
}

/** The name of a language. */
export function readLanguage(typed: string, name = t`answer`): Language {
  const language = languageNamed(typed)
  if (language !== undefined) return language
  throw new UsageError(t`\`${typed}\` is not a valid language for \`${name}\``, {
    hint: t`Use ${translated(LANGUAGE_CHOICE)}`,
  })
}

/** The number of a TCP port; 0 picks a free one. */
export const readPort = wholeNumber(0, 65_535)

/** The status of an HTTP answer. */
export const readHttpStatus = wholeNumber(100, 599)

/** A parser of whole numbers within bounds. */
export function wholeNumber(least: number, most: number): (typed: string, name: string) => number {
  return (typed, name) => {
    const value = /^\d{1,15}$/.test(typed) ? Number(typed) : Number.NaN
    if (value >= least && value <= most) return value
    throw new UsageError(t`\`${typed}\` is not a valid value for \`${name}\``, {
      hint: t`Use a whole number from ${least} to ${most}`,
    })
  }
}

/** The error for a value that is none of these words. */
export function notAChoice(typed: string, name: string, words: readonly string[]): UsageError {
  const meant = meantValues(typed).find((each) => words.includes(each)) ?? nearest(typed, words)[0]
  const hint =
    meant === undefined
      ? t`Use one of: ${words.join(', ')}`
      : t`Did you mean \`${meant}\`? Use one of: ${words.join(', ')}`
  return new UsageError(t`\`${typed}\` is not a valid value for \`${name}\``, { hint })
}

/** Runs a parser of another layer. Turns Malformed into a UsageError that names the option, if there is one. */
export function withName<Value>(name: string | undefined, parse: () => Value): Value {
  const value = valueOrError(Malformed, parse)
  if (!(value instanceof Malformed)) return value
  const { message, hint } = value
  throw new UsageError(name === undefined ? message : t`\`${name}\`: ${message}`, { hint })
}

/** The name under which a command receives an option or an argument: `max-day` as `maxDay`. */
export function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
