import { parseAmount } from '../pix/amount.ts'
import { parseInstant, saoPauloDay } from '../pix/calendar.ts'
import { Malformed } from '../pix/malformed.ts'
import { isRealDay } from '../pix/period.ts'
import { t } from '../text/translate.ts'
import type { Direction } from './externalLine.ts'

/** An amount in cents, never negative, and what its sign says; null if it has none. */
export interface SignedAmount {
  amountCents: number
  direction: Direction | null
}

const YEAR = /^[12]\d{3}-/
const MINUS = '\\-\u2212'
const SIGNED = new RegExp(
  `^((?:R\\$\\s*)?)([${MINUS}+]?)\\s*((?:R\\$\\s*)?[\\d.,]+)\\s*([${MINUS}+]|\\([${MINUS}+]\\)|CR?|DB?)?$`,
  'i',
)

/**
 * Reads an amount: `-10,00`, `R$ -10,00`, `10,00-`, `(10,00)`, `10,00 (-)`, `10,00 D` and `10,00 DB` are debits, with `+` or `C` credits. Throws
 * Malformed for what is not an amount.
 */
export function readSignedAmount(text: string): SignedAmount {
  const plain = text.trim()
  const [, currency = '', before = '', number = '', after = ''] = SIGNED.exec(plain.replace(/^\((.*)\)$/, '-$1')) ?? []
  if (number === '') return { amountCents: parseAmount(plain, { zeroAllowed: true }), direction: null }
  const amountCents = parseAmount(currency + number, { zeroAllowed: true })
  const mark = (before || after.toUpperCase()).replace(/[()]/g, '')
  if (mark === '') return { amountCents, direction: null }
  return { amountCents, direction: mark === '+' || mark.startsWith('C') ? 'credit' : 'debit' }
}

/**
 * Reads the day of `2026-11-21`, `21/11/2026` or `21/11/26`, each with or without a time behind it, or of a date-time with its zone. Throws Malformed.
 */
export function readDay(text: string): string {
  const instantMs = parseInstant(text)
  if (instantMs !== undefined && YEAR.test(text)) return saoPauloDay(instantMs)
  const [, day = '', month = '', year = ''] = /^(\d{2})\/(\d{2})\/(\d{4}|\d{2})(?:\D.*)?$/.exec(text) ?? []
  const iso = year === '' ? text.slice(0, 10) : `${year.padStart(4, '20')}-${month}-${day}`
  if (isDay(iso)) return iso
  throw new Malformed(t`\`${text}\` is not a day`, t`Write it like \`2026-11-21\` or \`21/11/2026\``)
}

/** True for a day of the calendar, as `2026-11-21`, in a year that payments can have. */
export function isDay(text: string): boolean {
  return YEAR.test(text) && isRealDay(text)
}

/** What a reader makes of a text; undefined if it throws Malformed. */
export function tryRead<Value>(text: string, reader: (text: string) => Value): Value | undefined {
  try {
    return reader(text)
  } catch (error) {
    if (error instanceof Malformed) return undefined
    throw error
  }
}
