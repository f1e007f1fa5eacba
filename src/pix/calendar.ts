import { foldedText, withoutAccents } from '../text/foldedText.ts'
import { t } from '../text/translate.ts'
import { parseDuration, UNIT_MS } from './duration.ts'
import { Malformed } from './expectedError.ts'

const ZONE = 'America/Sao_Paulo'
/** The length of `2026-11-21T03:04:05.678Z`. */
const ISO_CHARACTERS = 24
/** 24 hours. */
export const DAY_MS = UNIT_MS.d
/** The number of days for which the same payment counts as a repeat. */
export const REPEAT_DAYS = 6
/** The number of days after the payment for which the service accepts refunds. */
export const REFUND_WINDOW_DAYS = 30
const DUE_DAYS_MAX = 3650

let wallClockFormat: Intl.DateTimeFormat | undefined

/** The words for a day in both languages, folded, and how many days it is from today. */
const DAY_WORDS = new Map([
  ['today', 0],
  ['hoje', 0],
  ['yesterday', -1],
  ['ontem', -1],
  ['tomorrow', 1],
  ['amanha', 1],
])

/** The day that a word names, in either language; undefined for other text. */
function dayOfWord(word: string, today: string): string | undefined {
  const count = DAY_WORDS.get(withoutAccents(word))
  return count === undefined ? undefined : addDays(today, count)
}

/**
 * The wire form of a due date: a São Paulo day `YYYY-MM-DD` for `+3d` or a day as in {@link wholeDay}, and an RFC 3339 date-time exactly
 * as typed. Throws Malformed for invalid dates, for a date-time without a zone, and for dates in the past: a day
 * before today in São Paulo, or an instant before now.
 */
export function dueDateFromText(text: string, nowMs: number): string {
  const today = saoPauloDay(nowMs)
  const days = /^\+(\d+)d$/.exec(text)?.[1]
  if (days !== undefined) return dayAfter(today, days)
  const day = wholeDay(text, today)
  if (day !== undefined) {
    if (day >= today) return day
    throw new Malformed(
      t`The due date \`${text}\` is in the past`,
      t`Use \`${today}\` (today in São Paulo) or a later date`,
    )
  }
  const dueMs = parseInstant(text)
  if (dueMs === undefined) throw notADueDate(text)
  if (dueMs >= nowMs) return text
  throw new Malformed(t`The due date \`${text}\` is in the past`, t`Use a time after ${formatInstant(nowMs)}`)
}

/** True for a due date that counts from today. */
export function isRelativeDueDate(text: string): boolean {
  return DAY_WORDS.has(withoutAccents(text)) || /^\+\d+d$/.test(text)
}

/** The day in São Paulo at an instant: `YYYY-MM-DD`. */
export function saoPauloDay(ms: number): string {
  return new Date(wallClockMs(ms)).toISOString().slice(0, 10)
}

/**
 * The first millisecond of a São Paulo day: midnight, or 01:00 on days on which daylight saving time began.
 * Throws a RangeError for an invalid date.
 */
export function startOfSaoPauloDayMs(day: string): number {
  const starts = instantsNear(utcMidnightMs(day)).filter((ms) => saoPauloDay(ms) === day)
  return Math.min(...starts)
}

/** The last millisecond of a São Paulo day. Throws a RangeError for an invalid date. */
export function endOfSaoPauloDayMs(day: string): number {
  return startOfSaoPauloDayMs(addDays(day, 1)) - 1
}

/** The date `count` days after another (before it, if negative). Throws a RangeError for an invalid date. */
export function addDays(day: string, count: number): string {
  return new Date(utcMidnightMs(day) + count * DAY_MS).toISOString().slice(0, 10)
}

/** Parses an RFC 3339 date-time to ms; undefined for any other text, including a date-time without a zone. */
export function parseInstant(text: string): number | undefined {
  const ms = Date.parse(text)
  // Most texts are written by this program, and reading the ledger spends much of its time here.
  if (text.length === ISO_CHARACTERS && !Number.isNaN(ms) && new Date(ms).toISOString() === text) return ms
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i.exec(text)
  if (match === null) return undefined
  const [, day = '', time = '', fraction = '', zone = ''] = match
  if (!isRealDay(day) || !isTime(time)) return undefined
  const offset = zone.toUpperCase() === 'Z' ? '+00:00' : zone
  if (!isTime(`${offset.slice(1)}:00`)) return undefined
  const offsetMs = timeMs(`${offset.slice(1)}:00`) * (offset.startsWith('-') ? -1 : 1)
  const fractionMs = Number(fraction.slice(1, 4).padEnd(3, '0'))
  return utcMidnightMs(day) + timeMs(time) + fractionMs - offsetMs
}

/** An instant in São Paulo time, 24-hour clock: `21/11/2026 00:39:12 BRT` (`BRST` in daylight saving time). */
export function formatInstant(ms: number): string {
  return `${formatPaymentDate(ms)} ${zoneName(ms)}`
}

/** An instant as the service writes `paymentDate`: `dd/MM/yyyy HH:mm:ss` in São Paulo, without a zone. */
export function formatPaymentDate(ms: number): string {
  const iso = new Date(wallClockMs(ms)).toISOString()
  return `${iso.slice(8, 10)}/${iso.slice(5, 7)}/${iso.slice(0, 4)} ${iso.slice(11, 19)}`
}

/**
 * Parses a `paymentDate` to ms; undefined for any other text and for a time skipped by a clock change. A time that occurred
 * twice is taken as the first one.
 */
export function parsePaymentDate(text: string): number | undefined {
  const match = /^(\d{2})\/(\d{2})\/(\d{4}) (\d{2}:\d{2}:\d{2})$/.exec(text)
  if (match === null) return undefined
  const [, date = '', month = '', year = '', time = ''] = match
  const day = `${year}-${month}-${date}`
  if (!isRealDay(day) || !isTime(time)) return undefined
  const instants = instantsNear(utcMidnightMs(day) + timeMs(time)).filter((ms) => formatPaymentDate(ms) === text)
  return instants.length === 0 ? undefined : Math.min(...instants)
}

function dayAfter(today: string, days: string): string {
  if (Number(days) <= DUE_DAYS_MAX) return addDays(today, Number(days))
  throw new Malformed(t`\`+${days}d\` is too far in the future`, t`Use at most \`+${DUE_DAYS_MAX}d\``)
}

function notADueDate(text: string): Malformed {
  const day = text.slice(0, 10)
  if (/^\d{4}-\d{2}-\d{2}T/i.test(text) && !isRealDay(day)) return noSuchDay(day)
  const zoned = `${text}${text.length === 16 ? ':00' : ''}-03:00`
  if (parseInstant(zoned) !== undefined) {
    return new Malformed(t`The date-time \`${text}\` has no zone`, t`Type \`${zoned}\` for São Paulo time`)
  }
  return new Malformed(
    t`\`${text}\` is not a valid due date`,
    t`Type a day like \`21/11/2026\`, \`2026-11-21\`, \`today\` or \`+3d\`, or a date-time with its zone like \`2026-11-21T18:00:00-03:00\``,
  )
}

/**
 * Since its last clock change, in February 2019, São Paulo is three hours behind UTC, and no further change is planned;
 * daylight saving time used to begin in October. Loading Node.js's time zone data takes longer than most commands, so it is
 * only used outside this period.
 */
const STEADY_FROM_MS = Date.parse('2019-02-17T02:00:00Z')
const STEADY_UNTIL_MS = Date.parse('2027-10-01T03:00:00Z')
const STEADY_OFFSET_MS = -3 * 3_600_000

/** The wall-clock time in São Paulo at an instant, in ms as if it were UTC. */
export function wallClockMs(ms: number): number {
  if (ms >= STEADY_FROM_MS && ms < STEADY_UNTIL_MS) return Math.floor(ms / 1000) * 1000 + STEADY_OFFSET_MS
  // Created on first use, because creating a formatter is slow.
  wallClockFormat ??= new Intl.DateTimeFormat('en-US', {
    timeZone: ZONE,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  const parts: Record<string, string> = {}
  for (const { type, value } of wallClockFormat.formatToParts(ms)) parts[type] = value
  const day = `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}`
  return utcMidnightMs(day) + timeMs(`${parts.hour}:${parts.minute}:${parts.second}`)
}

/** Candidate instants for a wall-clock time in São Paulo; they differ only around a clock change. */
function instantsNear(wallMs: number): number[] {
  return [wallMs - DAY_MS, wallMs + DAY_MS].map((ms) => wallMs - (wallClockMs(ms) - ms))
}

function zoneName(ms: number): string {
  const hours = (wallClockMs(ms) - Math.floor(ms / 1000) * 1000) / 3_600_000
  if (hours === -3) return 'BRT'
  return hours === -2 ? 'BRST' : 'LMT'
}

function utcMidnightMs(day: string): number {
  if (!isRealDay(day)) throw new RangeError(`not a calendar day: ${day}`)
  return Date.parse(`${day}T00:00:00Z`)
}

/** True for a day of the calendar as `2026-11-21`. */
function isRealDay(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`)
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

/** True for a day of the calendar, as `2026-11-21`, in a year that payments can have. */
export function isDay(text: string): boolean {
  return YEAR.test(text.slice(0, 4)) && isRealDay(text)
}

/** `21/11/2026`, `21.11.2026`, `21-11-2026`, `21/11/26`, each with or without a time behind it. */
const WRITTEN_DAY = /^(\d{1,2})(?:([/.-])(\d{1,2})\2(\d{4})|\/(\d{1,2})\/(\d{2}))(?!\d)/

/**
 * The day of a cell: as {@link WRITTEN_DAY}, or like `2026-11-21`, or of a date-time with its zone; undefined for other text, and for a day that is not
 * in the calendar.
 */
export function writtenDay(text: string): string | undefined {
  const instantMs = parseInstant(text)
  if (instantMs !== undefined && YEAR.test(text.slice(0, 4))) return saoPauloDay(instantMs)
  const [, date = '', , month, year, shortMonth = '', shortYear = ''] = WRITTEN_DAY.exec(text) ?? []
  const iso =
    date === ''
      ? text.slice(0, 10)
      : `${year ?? `20${shortYear}`}-${(month ?? shortMonth).padStart(2, '0')}-${date.padStart(2, '0')}`
  return isDay(iso) ? iso : undefined
}

const MONTHS = [
  ...[
    'jan(?:eiro|uary)?',
    'fev(?:ereiro)?|feb(?:ruary)?',
    'mar(?:co|ch)?',
    'abr(?:il)?|apr(?:il)?',
    'maio?|may',
    'jun(?:ho|e)?',
  ],
  ...[
    'jul(?:ho|y)?',
    'ago(?:sto)?|aug(?:ust)?',
    'set(?:embro)?|sept?(?:ember)?',
    'out(?:ubro)?|oct(?:ober)?',
    'nov(?:embro|ember)?',
  ],
  'dez(?:embro)?|dec(?:ember)?',
]
/** The name of a month in a folded text, short or long. */
export const MONTH_NAME = `(?:${MONTHS.join('|')})\\b\\.?`
const WEEKDAY =
  '(?:segunda|terca|quarta|quinta|sexta|sabado|domingo|seg|ter|qua|qui|sex|sab|dom)\\b(?:[- ]feira)?\\.?,? ?'
const TIME = '(?:,? (?:as )?\\d{1,2}[:h]\\d{2}(?::\\d{2})?)?'
/** What a row says of tomorrow is not done, so that word is judged with the words around it. */
const SPOKEN_WORDS = [...DAY_WORDS].filter(([, count]) => count <= 0).map(([word]) => word)
/** How people write a day among other words, folded: `sexta 20/11`, `05/nov`, `5-nov-26`, `em 5 de novembro`, `ontem`. */
const SPOKEN_DAY = new RegExp(
  `(?:\\b(?:em|no|na|dia|on) )*(?:${WEEKDAY})?(?:${[
    `\\b(?<word>${SPOKEN_WORDS.join('|')})\\b`,
    '(?<!\\d|\\d[/.-])(?<isoYear>\\d{4})[/.-](?<isoMonth>\\d{1,2})[/.-](?<isoDate>\\d{1,2})(?!\\d)',
    '(?<!\\d|\\d[/.-])(?<date>\\d{1,2})(?:(?<mark>[/.-])(?<month>\\d{1,2})(?:\\k<mark>(?<year>\\d{4}|\\d{2}))?(?![/.-]?\\d)' +
      `|(?:[/.-]| de | )?(?<name>${MONTH_NAME})(?:(?:[/.-]| de | )(?<nameYear>\\d{4}|\\d{2}))?(?!\\d))`,
  ].join('|')})${TIME}`,
  'g',
)
/** What may as well be an amount, or begin with the year. */
const UNSURE_DAY = /^\d+(?:[.-]\d+(?:[.-]\d\d)?)?$/

/** The days that a text names, the nearest ones to today where it has no year, and the rest of it, folded; what looks like a day and is in no calendar is in neither. */
export function daysIn(text: string, today: string): { days: string[]; rest: string } {
  const instantMs = parseInstant(text)
  if (instantMs !== undefined) return { days: [saoPauloDay(instantMs)], rest: '' }
  const folded = foldedText(text).replace(/(?<!\d)(20\d\d)(0\d|1[0-2])([0-3]\d)(?!\d)/g, '$1-$2-$3')
  const days = [...folded.matchAll(SPOKEN_DAY)].flatMap(({ groups = {} }) => spokenDay(groups, today) ?? [])
  return { days, rest: folded.replace(SPOKEN_DAY, ' ').trim() }
}

function spokenDay(parts: Readonly<Record<string, string | undefined>>, today: string): string | undefined {
  const { word, date, isoDate, name = '' } = parts
  if (word !== undefined) return dayOfWord(word, today)
  const ofName = MONTHS.findIndex((each) => new RegExp(`^(?:${each})\\b`).test(name)) + 1
  const month = (parts.isoMonth ?? parts.month ?? String(ofName)).padStart(2, '0')
  const inYear = (year: string) => `${year}-${month}-${(isoDate ?? date ?? '').padStart(2, '0')}`
  const year = parts.isoYear ?? parts.year ?? parts.nameYear
  if (year !== undefined) return [inYear(year.padStart(4, '20'))].find(isDay)
  const thisYear = Number(today.slice(0, 4))
  const distance = (day: string) => Math.abs(utcMidnightMs(day) - utcMidnightMs(today))
  return [thisYear - 1, thisYear, thisYear + 1]
    .map((each) => inYear(String(each)))
    .filter(isDay)
    .toSorted((one, other) => distance(one) - distance(other))[0]
}

/** Two days of leap years, so far apart that no day without a year is the nearest to both. */
const APART = ['2024-07-01', '2028-01-01']

/** The one day that a text names among other words, as `11-30` if it has no year; undefined for other text, and for one like `today`. */
export function dayInAnyYear(text: string): string | undefined {
  const written = writtenDay(text)
  if (written !== undefined) return written
  const [[day = '', ...further] = [], [sameDay = ''] = []] = APART.map((today) => daysIn(text, today).days)
  if (day === '' || further.length > 0) return undefined
  if (day === sameDay) return day
  return day.slice(5) === sameDay.slice(5) ? day.slice(5) : undefined
}

/** The day of a cell like {@link writtenDay}, or as people say it: of `21/11`, `21/nov` or `sexta 21/11` the nearest to today is meant. */
export function nearestDay(text: string, today: string): string | undefined {
  const day = writtenDay(text) ?? dayOfWord(text, today)
  if (day !== undefined || UNSURE_DAY.test(text)) return day
  const { days, rest } = daysIn(text, today)
  return rest === '' ? days[0] : undefined
}

function isTime(text: string): boolean {
  return /^(?:[01]\d|2[0-3])(?::[0-5]\d){2}$/.test(text)
}

/** Converts `HH:mm:ss` to milliseconds. */
function timeMs(time: string): number {
  const [hours, minutes, seconds] = time.split(':').map(Number)
  return (((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000
}

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
 * The São Paulo day that a text names without a doubt about its year: a word such as `today` or `amanhã`, `21/11/2026` or `2026-11-21`;
 * undefined for other text. Throws Malformed for a day that is not in the calendar.
 */
function wholeDay(text: string, today: string): string | undefined {
  const named = dayOfWord(text, today)
  if (named !== undefined) return named
  const [, day = '', month = '', dayFirstYear] = DAY_FIRST.exec(text) ?? []
  const iso = dayFirstYear === undefined ? text : dayInYear(dayFirstYear, month, day)
  return /^[12]\d{3}-\d{2}-\d{2}$/.test(iso) ? realDay(iso, text) : undefined
}

function dayInYear(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** The São Paulo day that a text names as in {@link wholeDay}, or without its year: `21/11` is the newest such day. */
function dayFromText(text: string, nowMs: number): string | undefined {
  const today = saoPauloDay(nowMs)
  const whole = wholeDay(text, today)
  const match = whole === undefined ? DAY_FIRST.exec(text) : null
  if (match === null) return whole
  const [, day = '', month = '', year] = match
  return year === undefined ? newestDay((each) => dayInYear(each, month, day), today, text) : undefined
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
