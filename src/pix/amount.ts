import { currentLanguage, t } from '../text/translate.ts'
import { Malformed, valueOr } from './expectedError.ts'

/** The largest amount that is accepted: 9,999,999,999.99 reais, in cents. */
export const AMOUNT_CENTS_MAX = 999_999_999_999

const REAIS_DIGITS_MAX = 10
/** `10`, `10.5`, `10,50`: whole reais, then at most two decimals after a dot or a comma. */
const PLAIN = /^(0|[1-9]\d*)(?:[.,](\d{1,2}))?$/
/** `1.234,56`: thousands grouped with dots, then a comma and decimals. */
const GROUPED = /^([1-9]\d{0,2}(?:\.\d{3})+),(\d{1,2})$/
/** How the accounting format of a spreadsheet shows zero: `R$ -`. */
const ACCOUNTING_ZERO = /^R\$\s*[-\u2212\u2013]$/

/**
 * Parses an amount to integer cents: `10`, `10.5`, `10,50`, `1.234,56`, `R$ 1.234,56`. It is parsed as text
 * throughout, never as a floating-point number. Throws Malformed for any other text, for more than
 * {@link AMOUNT_CENTS_MAX} and, unless `zeroAllowed`, for zero.
 */
export function parseAmount(text: string, options: { zeroAllowed?: boolean } = {}): number {
  const typed = text.trim()
  const plain = typed.replace(/^R\$[ \u00a0\u202f]?(?=.)/, '')
  const number = ACCOUNTING_ZERO.test(typed) ? '0' : plain
  const match = PLAIN.exec(number) ?? GROUPED.exec(number)
  const reais = match?.[1]?.replaceAll('.', '')
  if (reais === undefined) throw malformedAmount(typed, number)
  if (reais.length > REAIS_DIGITS_MAX) {
    throw new Malformed(t`The amount \`${typed}\` is too large`, t`Enter at most \`${asTyped('9999999999.99')}\``)
  }
  const cents = centsFromDigits(reais, match?.[2] ?? '')
  if (cents === 0 && options.zeroAllowed !== true) throw zeroAmount()
  return cents
}

function zeroAmount(): Malformed {
  return new Malformed(t`The amount is zero`, t`Type at least \`${asTyped('0.01')}\``)
}

/** True for a name of the real; `BRC` is what Santander writes into its statements. */
export function isReais(currency: string): boolean {
  return /^(?:brl|brc|r\$|rea(?:l|is)(?: brasileiros?)?)$/i.test(currency.trim())
}

/** Throws Malformed for the name of another currency than the real. */
export function assertReais(currency: string): void {
  if (isReais(currency)) return
  throw new Malformed(
    t`The amount is in \`${currency}\`, not in reais`,
    t`Type reais, and leave the currency empty or \`BRL\``,
  )
}

/** Parses an amount like {@link parseAmount}; null for text that is not an amount. */
export function tryParseAmount(text: string, options: { zeroAllowed?: boolean } = {}): number | null {
  return valueOr(null, Malformed, () => parseAmount(text, options))
}

/**
 * The cents in a number from JSON, or in a string like `"10.50"`; undefined unless it is an exact, non-negative number
 * of cents. A number counts as exact when it is the double nearest to a value of two decimals, which is what JSON text
 * of that value always becomes.
 */
export function centsFromJson(value: unknown): number | undefined {
  if (typeof value === 'string') {
    const match = /^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$/.exec(value)
    return match === null ? undefined : centsFromDigits(match[1] ?? '', match[2] ?? '')
  }
  if (typeof value !== 'number' || !(value >= 0)) return undefined
  const cents = Math.round(Math.abs(value) * 100)
  // A quotient of two integers is rounded correctly, so only the nearest double of an amount in cents passes.
  return Number.isSafeInteger(cents) && cents / 100 === value ? cents : undefined
}

/** The JSON number for an amount in cents: 10.5 for 1050. */
export function reaisFromCents(cents: number): number {
  return cents / 100
}

/** An amount as a JSON number in reais; null if it is unknown. */
export function reaisOrNull(cents: number | null): number | null {
  return cents === null ? null : reaisFromCents(cents)
}

/** An amount in cents with a dot and two decimals: `1500.00`. */
export function plainAmount(cents: number): string {
  const { sign, reais, decimals } = digitsFromCents(cents)
  return `${sign}${reais}.${decimals}`
}

/** An example such as `10.50` with the decimal mark of the language of texts: `10,50` in Portuguese. */
function asTyped(example: string): string {
  return currentLanguage() === 'pt-BR' ? example.replace('.', ',') : example
}

/** An amount in cents as Brazilians write it, with an ordinary space: `R$ 1.500,00`, `-R$ 1,00`. */
export function formatReais(cents: number | bigint): string {
  const { sign, reais, decimals } = digitsFromCents(cents)
  return `${sign}R$ ${groupThousands(reais)},${decimals}`
}

function centsFromDigits(reais: string, decimals: string): number {
  return Number(reais + decimals.padEnd(2, '0'))
}

function digitsFromCents(cents: number | bigint): { sign: string; reais: string; decimals: string } {
  const digits = String(cents < 0 ? -cents : cents).padStart(3, '0')
  return { sign: cents < 0 ? '-' : '', reais: digits.slice(0, -2), decimals: digits.slice(-2) }
}

function groupThousands(reais: string): string {
  return reais.replace(/\B(?=(?:\d{3})+$)/g, '.')
}

/** Why `number` (the typed text without `R$`) is not an amount, and what to type instead. */
function malformedAmount(typed: string, number: string): Malformed {
  const example = asTyped('10.50')
  if (typed === '' || typed === 'R$') return new Malformed(t`The amount is empty`, t`Type it like \`${example}\``)
  if (ACCOUNTING_ZERO.test(`R$ ${typed}`)) return zeroAmount()
  if ([typed, number].some((text) => /^[-\u2212\u2013(]|-$/.test(text))) {
    return new Malformed(
      t`The amount \`${typed}\` is negative`,
      t`Type it without a sign, like \`${example}\`, if this amount is meant`,
    )
  }
  if (/^[\d.,]+e[-+]?\d+$/i.test(number)) {
    return new Malformed(
      t`The amount \`${typed}\` has an exponent`,
      t`Type all its digits, like \`${asTyped('1000.00')}\``,
    )
  }
  if (/\p{Sc}|USD|EUR|GBP|ARS/iu.test(number) && !/R\$|BRL/i.test(number)) {
    return new Malformed(t`The amount \`${typed}\` is not in reais`, t`Type reais, like \`${example}\` or \`R$ 10,50\``)
  }
  if (/^[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3})*$/.test(number)) {
    return new Malformed(
      t`The amount \`${typed}\` is ambiguous: the \`${number.replace(/\d/g, '').charAt(0)}\` could separate thousands or decimals`,
      t`Type \`${number.replace(/[.,]/g, '')}\` for thousands, or at most two decimals, like \`${asTyped('1.23')}\``,
    )
  }
  if (/^[1-9]\d{0,2}(?:,\d{3})+\.\d{1,2}$/.test(number)) {
    return new Malformed(
      t`The amount \`${typed}\` uses commas for thousands, but a comma is the decimal separator here`,
      t`Type \`${asTyped(number.replaceAll(',', ''))}\``,
    )
  }
  if (/^(?:\d+|\d{1,3}(?:\.\d{3})+|\d{1,3}(?:,\d{3})+)[.,]\d{3,}$/.test(number)) {
    return new Malformed(
      t`The amount \`${typed}\` has more than two decimals`,
      t`Type it with at most two, like \`${example}\``,
    )
  }
  return new Malformed(t`\`${typed}\` is not an amount`, t`Type it like \`10.50\`, \`10,50\` or \`1.234,56\``)
}
