/** Rewrites a number literal as a serialiser would. `name` is the name of the member that holds it. */
export type NumberStyle = (literal: string, name: string) => string

/** Names of fields that hold money, for serialisers that format only money with fixed decimals. */
const MONEY = /amount|value|price|total|fee|balance/i
const IS_WHOLE = /^-?\d+$/

export const asWritten: NumberStyle = (literal) => literal

/** The shortest literal with the same value, as JavaScript and Go write it: `10.50` becomes 10.5, `10.0` becomes 10. */
export const shortest: NumberStyle = (literal) => JSON.stringify(Number(literal))

/** As Python writes numbers: integers stay integers, floats keep a decimal point. */
export const pythonNumber: NumberStyle = (literal) =>
  IS_WHOLE.test(literal) ? String(BigInt(literal)) : pythonFloat(literal, '')

/** As Python writes floats: 10 becomes 10.0. */
export const pythonFloat: NumberStyle = (literal) => {
  const { sign, digits, exponent } = shortestDigits(literal)
  if (exponent >= -4 && exponent < 16) return sign + plain(digits, exponent, '.0')
  const size = String(Math.abs(exponent)).padStart(2, '0')
  return `${sign}${mantissa(digits, '')}e${exponent < 0 ? '-' : '+'}${size}`
}

/** With two decimals, as decimal types write money: 10.50. */
export const twoDecimals: NumberStyle = (literal) => {
  const fixed = Number(literal).toFixed(2)
  return Number(fixed) === Number(literal) ? fixed : literal
}

/** As PHP writes numbers with `serialize_precision` -1. */
export const phpNumber: NumberStyle = (literal) =>
  IS_WHOLE.test(literal) ? literal : phpFloat(shortestDigits(literal))

/** As PHP writes numbers with `serialize_precision` 17, including rounding errors: 10.0999…. */
export const phpLongNumber: NumberStyle = (literal) => {
  if (IS_WHOLE.test(literal)) return literal
  return phpFloat(digitsOf(Number(literal).toExponential(16)))
}

/** As Java writes doubles: 10.0, and 1.0E7 from ten million on. */
export const javaDouble: NumberStyle = (literal) => {
  const { sign, digits, exponent } = shortestDigits(literal)
  if (exponent >= -3 && exponent < 7) return sign + plain(digits, exponent, '.0')
  return `${sign}${mantissa(digits, '.0')}E${exponent}`
}

export const javaNumber: NumberStyle = (literal) => (IS_WHOLE.test(literal) ? literal : javaDouble(literal, ''))

/** Applies a style only to fields that hold money. */
export function forMoney(number: NumberStyle): NumberStyle {
  return (literal, name) => (MONEY.test(name) ? number(literal, name) : literal)
}

interface Digits {
  sign: string
  /** Significant digits without trailing zeros; the decimal point follows the first one. */
  digits: string
  exponent: number
}

function shortestDigits(literal: string): Digits {
  return digitsOf(Number(literal).toExponential(), literal)
}

/** Parses the output of `toExponential`. The sign comes from the literal, because -0 loses it. */
function digitsOf(exponential: string, literal = exponential): Digits {
  const [coefficient = '', exponent = '0'] = exponential.replace(/^-/, '').split('e')
  const digits = coefficient.replace('.', '').replace(/0+$/, '') || '0'
  return { sign: literal.startsWith('-') ? '-' : '', digits, exponent: Number(exponent) }
}

function phpFloat({ sign, digits, exponent }: Digits): string {
  if (exponent >= -4 && exponent < 17) return sign + plain(digits, exponent, '')
  return `${sign}${mantissa(digits, '.0')}e${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`
}

/** Writes digits without an exponent; `ending` is added to a whole number. */
function plain(digits: string, exponent: number, ending: string): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  const fraction = digits.slice(exponent + 1)
  return fraction === '' ? whole + ending : `${whole}.${fraction}`
}

function mantissa(digits: string, ending: string): string {
  return digits.length === 1 ? digits + ending : `${digits.slice(0, 1)}.${digits.slice(1)}`
}
