import { addDays } from '../pix/calendar.ts'
import { withoutAccents } from '../text/withoutAccents.ts'
import { isDay } from './cellValues.ts'

/** `SALDO ANTERIOR`, `S A L D O`, `Saldo em 21/11`; not `SALDO DEVEDOR`, which is paid. */
const BALANCE =
  /^\W*(s ?a ?l ?d ?o|saldos?|sdo)(?= *\W*$| +(anterior|atual|inicial|final|total|parcial|diario|do dia|dia|do periodo|em|na|c\/c|cta|da conta|disponivel|bloqueado|liquido|previsto|aplic\w*|invest\w*)\b)/
const TOTAL = /^\W*(sub)?(total|totais|totals)\b/
/** Banks book what happens at a weekend or at night on the next working day; the longest holidays have five days. */
const BOOKING_DAYS_MAX = 7
const DAY_IN_TEXT = /(?<!\d|\/)(\d{2})\/(\d{2})(?:\/(\d{4}|\d{2}))?(?![\d/])/g

/** True for what a bank writes beside a balance, which is no payment. */
export function isBalanceText(text: string): boolean {
  return BALANCE.test(withoutAccents(text.trim()))
}

/** True for what is written beside a sum of payments. */
export function isTotalText(text: string): boolean {
  return TOTAL.test(withoutAccents(text.trim()))
}

/**
 * The days on which a payment may have been made that a bank booked on a day: that day, and one shortly before it that the description names, as
 * in `PIX TRANSF MARIA 21/11`. None if the day is not known.
 */
export function daysOf(booked: string | null, description: string): string[] {
  if (booked === null) return []
  const earliest = addDays(booked, -BOOKING_DAYS_MAX)
  const named = [...description.matchAll(DAY_IN_TEXT)].flatMap(([, day = '', month = '', typedYear]) => {
    const year = booked.slice(0, 4)
    const years = typedYear === undefined ? [year, String(Number(year) - 1)] : [typedYear.padStart(4, '20')]
    return years.map((each) => `${each}-${month}-${day}`)
  })
  const possible = named.filter((day) => isDay(day) && day >= earliest && day < booked)
  return [...new Set([booked, ...possible])]
}
