/** How a serialiser writes a number that stands under this name as this literal. */
export type NumberStyle = (literal: string, name: string) => string

/** Where a fixed number of decimals is for money alone, these are the fields that hold it. */
const MONEY = /amount|value|price|total|fee|balance/i
const IS_WHOLE = /^-?\d+$/

export const asWritten: NumberStyle = (literal) => literal

/** The shortest that reads back as the same, as JavaScript and Go write it: `10.50` is 10.5, `10.0` is 10. */
export const shortest: NumberStyle = (literal) => JSON.stringify(Number(literal))

/** Python's: whole numbers stay whole, floats keep a point. */
export const pythonNumber: NumberStyle = (literal) =>
  IS_WHOLE.test(literal) ? String(BigInt(literal)) : pythonFloat(literal, '')

/** As if every number were a float of Python: 10 is 10.0. */
export const pythonFloat: NumberStyle = (literal) => {
  const { sign, digits, exponent } = shortestDigits(literal)
  if (exponent >= -4 && exponent < 16) return sign + plain(digits, exponent, '.0')
  const size = String(Math.abs(exponent)).padStart(2, '0')
  return `${sign}${mantissa(digits, '')}e${exponent < 0 ? '-' : '+'}${size}`
}

/** Two decimals, as databases and decimal types keep money: 10.50. */
export const twoDecimals: NumberStyle = (literal) => {
  const fixed = Number(literal).toFixed(2)
  return Number(fixed) === Number(literal) ? fixed : literal
}

/** PHP's with `serialize_precision` -1. */
export const phpNumber: NumberStyle = (literal) =>
  IS_WHOLE.test(literal) ? literal : phpFloat(shortestDigits(literal))

/** PHP's with `serialize_precision` 17: 10.10 is 10.1 with its error, 10.1 or 10.0999…. */
export const phpLongNumber: NumberStyle = (literal) => {
  if (IS_WHOLE.test(literal)) return literal
  return phpFloat(digitsOf(Number(literal).toExponential(16)))
}

/** Java's doubles: 10.0, and 1.0E7 from ten million on. */
export const javaDouble: NumberStyle = (literal) => {
  const { sign, digits, exponent } = shortestDigits(literal)
  if (exponent >= -3 && exponent < 7) return sign + plain(digits, exponent, '.0')
  return `${sign}${mantissa(digits, '.0')}E${exponent}`
}

export const javaNumber: NumberStyle = (literal) => (IS_WHOLE.test(literal) ? literal : javaDouble(literal, ''))

/** This style for the fields that hold money, every other number as it is written. */
export function forMoney(number: NumberStyle): NumberStyle {
  return (literal, name) => (MONEY.test(name) ? number(literal, name) : literal)
}

interface Digits {
  sign: string
  /** Significant digits, the first one before the point, without zeros at the end. */
  digits: string
  exponent: number
}

function shortestDigits(literal: string): Digits {
  return digitsOf(Number(literal).toExponential(), literal)
}

/** Takes what `toExponential` gives apart; the sign of a zero stands in the literal alone. */
function digitsOf(exponential: string, literal = exponential): Digits {
  const [coefficient = '', exponent = '0'] = exponential.replace(/^-/, '').split('e')
  const digits = coefficient.replace('.', '').replace(/0+$/, '') || '0'
  return { sign: literal.startsWith('-') ? '-' : '', digits, exponent: Number(exponent) }
}

function phpFloat({ sign, digits, exponent }: Digits): string {
  if (exponent >= -4 && exponent < 17) return sign + plain(digits, exponent, '')
  return `${sign}${mantissa(digits, '.0')}e${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`
}

/** Without an exponent; `ending` follows a whole number. */
function plain(digits: string, exponent: number, ending: string): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  const fraction = digits.slice(exponent + 1)
  return fraction === '' ? whole + ending : `${whole}.${fraction}`
}

function mantissa(digits: string, ending: string): string {
  return digits.length === 1 ? digits + ending : `${digits.slice(0, 1)}.${digits.slice(1)}`
}
