import { t } from '../text/translate.ts'
import {
  addDays,
  endOfSaoPauloDayMs,
  parseInstant,
  parsePaymentDate,
  saoPauloDay,
  startOfSaoPauloDayMs,
} from './calendar.ts'
import { parseDuration } from './duration.ts'
import { Malformed } from './malformed.ts'

/** From a time on, and before another, in ms since the epoch; null for an open end. */
export interface Period {
  sinceMs: number | null
  beforeMs: number | null
}

/** A period without an open end. */
export type ClosedPeriod = { sinceMs: number; beforeMs: number }

/** Only years from 1000 to 2999: calendars disagree about others, and no payment has one. */
const YEAR = /^[12]\d{3}$/
const DURATION = /^\d+(?:ms|s|m|h|d)$/
/** `22/11/2026`; without a year it is the newest such day. */
const DAY_FIRST = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?$/
/** `22/11/2026 14:05:09 BRT`, as times are printed, also on receipts; year, seconds and zone may be missing. */
const PRINTED_TIME =
  /(?<!\S)(\d{1,2}\/\d{1,2}(?:\/\d{4})?),?\s+(\d{1,2}:\d{2})(:\d{2})?(?:\s+(?:BRT|BRST|LMT|\(São Paulo\)|\(horário de Brasília\)))?(?![\w:])/
/** A 29 February is at most this many years ago. */
const LEAP_YEARS_MAX = 8

/**
 * The São Paulo day that a text names: `today`, `yesterday`, `21/11/2026`, `21/11` (the newest) or `2026-11-21`; undefined for other text.
 * Throws Malformed for a day that is not in the calendar.
 */
function dayFromText(text: string, nowMs: number): string | undefined {
  const word = text.toLowerCase()
  const today = saoPauloDay(nowMs)
  if (word === 'today' || word === 'hoje') return today
  if (word === 'yesterday' || word === 'ontem') return addDays(today, -1)
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return YEAR.test(text.slice(0, 4)) ? realDay(text, text) : undefined
  const match = DAY_FIRST.exec(text)
  if (match === null) return undefined
  const [, day = '', month = '', year] = match
  const inYear = (each: string) => `${each}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (year === undefined) return newestDay(inYear, today, text)
  return YEAR.test(year) ? realDay(inYear(year), text) : undefined
}

/** The newest day with this day and month that is not after today. Throws Malformed if no year has it. */
function newestDay(inYear: (year: string) => string, today: string, typed: string): string {
  const thisYear = Number(today.slice(0, 4))
  for (let year = thisYear; year >= thisYear - LEAP_YEARS_MAX; year--) {
    const day = inYear(String(year))
    if (isRealDay(day) && day <= today) return day
  }
  throw noSuchDay(typed)
}

/**
 * Takes the times out of a text in which they are written as they are printed, with a space between day and time. Throws Malformed for a day that is
 * not in the calendar.
 */
export function takePrintedTimes(text: string, nowMs: number): { periods: ClosedPeriod[]; rest: string } {
  const periods: ClosedPeriod[] = []
  const rest = text.replace(new RegExp(PRINTED_TIME, 'g'), (printed) => {
    const period = printedTime(printed, nowMs)
    if (period === undefined) return printed
    periods.push(period)
    return ' '
  })
  return { periods, rest }
}

/** The period of an instant as JSON and CSV have it, `2026-11-22T19:04:55.441Z`: its millisecond or second; undefined for other text. */
export function instantPeriod(text: string): ClosedPeriod | undefined {
  const sinceMs = YEAR.test(text.slice(0, 4)) ? parseInstant(text) : undefined
  return sinceMs === undefined ? undefined : { sinceMs, beforeMs: sinceMs + (text.includes('.') ? 1 : 1000) }
}

/** The period that a text names: a day as in {@link dayFromText}, or a month, `2026-11` or `11/2026`; undefined for other text. */
export function periodFromText(text: string, nowMs: number): ClosedPeriod | undefined {
  const day = dayFromText(text, nowMs)
  return day === undefined ? monthFromText(text) : periodOfDay(day)
}

/** A month of São Paulo: `2026-11` or `11/2026`; undefined for other text. */
export function monthFromText(text: string): ClosedPeriod | undefined {
  const [, year = '', month = ''] = /^(\d{4})-(\d{2})$/.exec(text) ?? yearFirst(/^(\d{1,2})\/(\d{4})$/.exec(text))
  if (!YEAR.test(year) || Number(month) < 1 || Number(month) > 12) return undefined
  const first = `${year}-${month.padStart(2, '0')}-01`
  return {
    sinceMs: startOfSaoPauloDayMs(first),
    beforeMs: startOfSaoPauloDayMs(`${addDays(first, 31).slice(0, 7)}-01`),
  }
}

/** A São Paulo day from its first to its last millisecond. */
function periodOfDay(day: string): ClosedPeriod {
  return { sinceMs: startOfSaoPauloDayMs(day), beforeMs: endOfSaoPauloDayMs(day) + 1 }
}

/**
 * The shortest period that a text names: a duration before now (`7d`, which is an instant), a day, or a time in any form that is printed.
 * Throws Malformed for other text.
 */
export function timeFromText(typed: string, nowMs: number): ClosedPeriod {
  const text = typed.trim()
  const day = dayFromText(text, nowMs)
  if (day !== undefined) return periodOfDay(day)
  const printed = printedTime(text, nowMs)
  if (printed !== undefined) return printed
  const instant = YEAR.test(text.slice(0, 4)) ? parseInstant(text) : undefined
  if (instant !== undefined) return { sinceMs: instant, beforeMs: instant }
  if (DURATION.test(text)) {
    const beforeNow = nowMs - parseDuration(text)
    return { sinceMs: beforeNow, beforeMs: beforeNow }
  }
  throw new Malformed(
    t`\`${text}\` is not a time`,
    t`Write a duration like \`7d\`, a day like \`21/11/2026\` or \`2026-11-21\`, or a time like \`21/11/2026 18:00\` or \`2026-11-21T18:00:00-03:00\``,
  )
}

function printedTime(text: string, nowMs: number): ClosedPeriod | undefined {
  const [all, day = '', minutes = '', seconds] = PRINTED_TIME.exec(text) ?? []
  const named = all === text ? dayFromText(day, nowMs) : undefined
  if (named === undefined) return undefined
  const [year, month, date] = named.split('-')
  const sinceMs = parsePaymentDate(`${date}/${month}/${year} ${minutes.padStart(5, '0')}${seconds ?? ':00'}`)
  // A printed time names all of its second or minute.
  return sinceMs === undefined ? undefined : { sinceMs, beforeMs: sinceMs + (seconds === undefined ? 60_000 : 1000) }
}

function realDay(day: string, typed: string): string {
  if (isRealDay(day)) return day
  throw noSuchDay(typed)
}

/** True for a day of the calendar as `2026-11-21`. */
export function isRealDay(day: string): boolean {
  try {
    startOfSaoPauloDayMs(day)
    return true
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return false
  }
}

function noSuchDay(typed: string): Malformed {
  return new Malformed(
    t`There is no day \`${typed}\` in the calendar`,
    t`Write it like \`21/11/2026\` or \`2026-11-21\``,
  )
}

/** The groups of a match from last to first, behind the whole of it. */
function yearFirst(match: RegExpExecArray | null): string[] {
  return match === null ? [] : [match[0], ...match.slice(1).reverse()]
}
