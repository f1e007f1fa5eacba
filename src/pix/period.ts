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
type ClosedPeriod = { sinceMs: number; beforeMs: number }

/** Only years from 1000 to 2999: calendars disagree about others, and no payment has one. */
const YEAR = /^[12]\d{3}$/
const DURATION = /^\d+(?:ms|s|m|h|d)$/
/** `22/11/2026 14:05:09 BRT`, as times are printed, also on receipts; seconds and zone may be missing. */
const PRINTED_TIME =
  /^(\d{2}\/\d{2}\/\d{4}),? (\d{2}:\d{2})(:\d{2})?(?: (?:BRT|BRST|LMT|\(São Paulo\)|\(horário de Brasília\)))?$/

/**
 * The São Paulo day that a text names: `today`, `yesterday`, `21/11/2026` or `2026-11-21`; undefined for other text. Throws Malformed for
 * a day that is not in the calendar.
 */
function dayFromText(text: string, nowMs: number): string | undefined {
  const word = text.toLowerCase()
  const today = saoPauloDay(nowMs)
  if (word === 'today' || word === 'hoje') return today
  if (word === 'yesterday' || word === 'ontem') return addDays(today, -1)
  const [, year = '', month = '', day = ''] =
    /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? yearFirst(/^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text))
  if (!YEAR.test(year)) return undefined
  return realDay(`${year}-${month}-${day}`, text)
}

/** The period that a text names: a day as in {@link dayFromText}, or a month, `2026-11` or `11/2026`; undefined for other text. */
export function periodFromText(text: string, nowMs: number): ClosedPeriod | undefined {
  const day = dayFromText(text, nowMs)
  return day === undefined ? monthFromText(text) : periodOfDay(day)
}

/** A month of São Paulo: `2026-11` or `11/2026`; undefined for other text. */
export function monthFromText(text: string): ClosedPeriod | undefined {
  const [, year = '', month = ''] = /^(\d{4})-(\d{2})$/.exec(text) ?? yearFirst(/^(\d{2})\/(\d{4})$/.exec(text))
  if (!YEAR.test(year) || month < '01' || month > '12') return undefined
  const first = `${year}-${month}-01`
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
  const printed = printedTime(text)
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

function printedTime(text: string): ClosedPeriod | undefined {
  const [, date = '', minutes = '', seconds] = PRINTED_TIME.exec(text) ?? []
  const sinceMs = parsePaymentDate(`${date} ${minutes}${seconds ?? ':00'}`)
  // A printed time names all of its second or minute.
  return sinceMs === undefined ? undefined : { sinceMs, beforeMs: sinceMs + (seconds === undefined ? 60_000 : 1000) }
}

function realDay(day: string, typed: string): string {
  try {
    startOfSaoPauloDayMs(day)
    return day
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Malformed(
      t`There is no day \`${typed}\` in the calendar`,
      t`Write it like \`21/11/2026\` or \`2026-11-21\``,
    )
  }
}

/** The groups of a match from last to first, behind the whole of it. */
function yearFirst(match: RegExpExecArray | null): string[] {
  return match === null ? [] : [match[0], ...match.slice(1).reverse()]
}
