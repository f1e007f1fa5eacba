import { parseAmount } from '../pix/amount.ts'
import { addDays, daysIn, isDay, MONTH_NAME, writtenDay } from '../pix/calendar.ts'
import { Malformed, valueOr } from '../pix/expectedError.ts'
import type { CellFault } from '../spreadsheet/tableRecords.ts'
import { foldedText } from '../text/foldedText.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'

/** An amount in cents, never negative, and what its sign says; null if it has none. */
export interface SignedAmount {
  amountCents: number
  direction: Direction | null
}

const MINUS = '\\-\u2212\u2013'
const SIGNED = new RegExp(
  `^(?:R\\$\\s*)?([${MINUS}+]?)\\s*(?:R\\$\\s*)?([\\d.,]+)\\s*(\\(?(?:[${MINUS}+]|CR?|DB?)\\)?)?$`,
  'i',
)

const SIGN_ALONE = new RegExp(`^[${MINUS}]$`)
/** A sign is no fault here, so that of what is not an amount is not named. */
const SIGN_BEFORE = new RegExp(`^[${MINUS}+]\\s*(?=.)`)
/** `1 430` before decimals: thousands as some programs part them. */
const BLANK_THOUSANDS = /(?<![\d.,]\s?)[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+(?=,\d{1,2}(?!\d))/
/** `1,430.00`: with its decimals it can be nothing else, so no sign of the language is needed. */
const ENGLISH_THOUSANDS = /(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?=\.\d{2}(?!\d))/
/** The code of the currency, as programs write it around an amount. */
const REAIS_CODE = /^BRL\s*(?=\S)|(?<=\d)\s*BRL$/i

/**
 * Reads an amount: `-10,00`, `R$ -10,00`, `10,00-`, `(10,00)`, `R$ (10,00)`, `10,00 (-)`, `10,00 D` and `10,00 DB` are debits, with `+` or `C` credits;
 * `R$ -` and `-` are zero, `10.00 BRL` is in reais, and thousands may be parted by blanks or, before `.00`, by commas. Throws Malformed for what is not an amount.
 */
export function readSignedAmount(text: string): SignedAmount {
  const plain = text
    .trim()
    .replace(BLANK_THOUSANDS, (digits) => digits.replace(/\s/g, ''))
    .replace(ENGLISH_THOUSANDS, (digits) => digits.replaceAll(',', ''))
    .replace(REAIS_CODE, '')
  const [, before = '', number = '', after = ''] = SIGNED.exec(plain.replace(/^(R\$\s*)?\((.*)\)$/, '-$1$2')) ?? []
  const amountCents = parseAmount(number || plain.replace(SIGN_ALONE, '0').replace(SIGN_BEFORE, ''), {
    zeroAllowed: true,
  })
  const mark = (before || after.toUpperCase()).replace(/[()]/g, '')
  if (mark === '') return { amountCents, direction: null }
  return { amountCents, direction: mark === '+' || mark.startsWith('C') ? 'credit' : 'debit' }
}

/** `20261128`, `28 nov 2026`: what has all digits of its year needs no other day to be known by. */
const WHOLE_YEAR = /^(?:\d{8}$|.*\b\d{4}\b)/
const SOME_DAY = '2026-01-01'
/** The day, and times behind it: other digits behind a day are those of a line that was not split into cells. */
const BEFORE_TIME = /^\S+|\d{1,2}[:h]\d{2}(?::\d{2}(?:[.,]\d+)?)?|[+-]\d{2}:?\d{2}\b/g

/** Reads a day as {@link writtenDay} does, or as `20261128` or `28 nov 2026`. Throws Malformed for any other text. */
export function readDay(text: string): string {
  const spoken = WHOLE_YEAR.test(text) ? daysIn(text, SOME_DAY) : { days: [], rest: text }
  const written = /\d/.test(text.replace(BEFORE_TIME, '')) ? undefined : writtenDay(text)
  const day = written ?? (spoken.rest === '' && spoken.days.length === 1 ? spoken.days[0] : undefined)
  if (day !== undefined) return day
  if (DAY_OF_YEAR.test(text)) {
    throw new Malformed(
      t`\`${text}\` has no year, and no line above the table names a period with this day`,
      t`Write the period in a line above the table, like \`01/11/2026 a 30/11/2026\`, or export the statement as OFX`,
    )
  }
  if (SERIAL_DAY.test(text)) {
    throw new Malformed(
      t`\`${text}\` is a day as a spreadsheet counts it`,
      t`Format the column as dates in the spreadsheet, and save it again`,
    )
  }
  if (MONTH_FIRST.test(text)) {
    throw new Malformed(
      t`\`${text}\` has the month before the day`,
      t`Write every day of the file like \`2026-11-21\` or \`21/11/2026\`: in others the two would be exchanged`,
    )
  }
  throw new Malformed(t`\`${text}\` is not a day`, t`Write it like \`2026-11-21\` or \`21/11/2026\``)
}

/** The number of a day from 2017 to 2036. */
const SERIAL_DAY = /^4[3-9]\d{3}(?:[.,]\d+)?$/

/** The order of the United States. If only such lines were corrected, `11/05/2026` would stay, which means the 5th of November. */
const MONTH_FIRST = /^(?:0?[1-9]|1[0-2])\/(?:1[3-9]|2\d|3[01])\/(?:\d{2}|\d{4})(?!\d)/

const DAY_OF_YEAR = /^(\d{1,2})[/.-](\d{1,2})$/
const TWO_DAYS = /(\d{2}\/\d{2}\/\d{4})(?: a | ate | - | e | to )\W*(\d{2}\/\d{2}\/\d{4})/
const MONTH_OF = new RegExp(`(?:^|[ :,;])(?:(0[1-9]|1[0-2])|(${MONTH_NAME}))(?:/| de | )(20\\d\\d)(?=$|[ ,;)])`)

/** The period in a line above a table: `Período: 01/11/2026 a 30/11/2026`, `Mês: 11/2026`, `Novembro de 2026`; undefined for any other line. */
export function periodIn(cells: readonly string[]): readonly [first: string, last: string] | undefined {
  const line = foldedText(cells.join(' ')).replace(/\s+/g, ' ')
  const [, from, to] = TWO_DAYS.exec(line) ?? []
  if (from !== undefined && to !== undefined) {
    const [first, last] = [writtenDay(from), writtenDay(to)]
    return first !== undefined && last !== undefined && first <= last ? [first, last] : undefined
  }
  const [, number, name, year] = MONTH_OF.exec(line) ?? []
  const month = number ?? (name === undefined ? undefined : daysIn(`1 ${name} ${year}`, SOME_DAY).days[0]?.slice(5, 7))
  return month === undefined ? undefined : [`${year}-${month}-01`, `${year}-${month}-31`]
}

/** `28/11`, and in a period of one month `28`, with the rest that it has in the period; any other text as it is, and a day that the period does not have, or has twice. */
export function withYear(text: string, [first, last]: readonly [string, string]): string {
  const onlyMonth = first.slice(0, 7) === last.slice(0, 7) ? first.slice(5, 7) : ''
  const [, date = '', month = onlyMonth] = DAY_OF_YEAR.exec(text.trim()) ?? /^(\d{1,2})$/.exec(text.trim()) ?? []
  const years = new Set([first.slice(0, 4), last.slice(0, 4)])
  if (Number(last.slice(0, 4)) - Number(first.slice(0, 4)) > 1) return text
  const days = [...years].map((year) => `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`)
  const possible = days.filter((day) => isDay(day) && day >= first && day <= last)
  const [day] = possible
  return day === undefined || possible.length > 1 ? text : day
}

/** What a reader makes of a text; undefined if it throws Malformed. */
export function tryRead<Value>(text: string, reader: (text: string) => Value): Value | undefined {
  return valueOr(undefined, Malformed, () => reader(text))
}

/** Whether money came in or left. */
export type Direction = 'credit' | 'debit'

/** A line of a bank's statement. */
export interface StatementLine {
  line: number
  /** An idTransaction, external id or request number; null if the line has none. */
  id: string | null
  /** Always positive; the direction tells whether it came or went. */
  amountCents: number
  /** Null if the amount has no sign. */
  direction: Direction | null
  /** As it came; null if there is none. */
  status: string | null
  /** In São Paulo, as `2026-11-21`; null if there is none. */
  day: string | null
  /** What the bank says about it, such as `PIX ENVIADO MARIA`; empty if it says nothing. */
  description: string
  /** The other party, if the statement names it apart from the description; null if not. */
  name: string | null
}

/** What a statement says, and what of it cannot be read. */
export interface StatementFile {
  lines: readonly StatementLine[]
  faults: readonly CellFault[]
  /** The numbers of lines that hold a balance. */
  balanceLines: readonly number[]
  /** The numbers of lines that hold no payment: titles, totals and notes of the bank. */
  otherLines: readonly number[]
  /** The columns that were recognised by their names, as `amount=Valor`. */
  recognised: readonly string[]
  /** Sentences that a person should read. */
  remarks: readonly string[]
  /** The first and the last day that the file says it is about; null if it does not say. */
  period: readonly [first: string, last: string] | null
}

/** Only charges bring money in. */
export function directionOf(kind: string): Direction {
  return kind === 'qr' ? 'credit' : 'debit'
}

/** Cents with the sign of their direction; without a direction they are as they come. */
export function signedCents(cents: number, direction: Direction | null): number {
  return direction === 'debit' ? -cents : cents
}

/** In what a payment can differ from a line. */
export type Difference = 'amount' | 'sign' | 'status'

/** In what a payment differs from a line, apart from the status. What the line does not say is no difference. */
export function amountDifferences(
  { amountCents, direction }: { amountCents: number | null; direction: Direction | null },
  payment: { direction: Direction; amountCents: number | null },
): Difference[] {
  return [
    ...(amountCents !== null && amountCents !== payment.amountCents ? (['amount'] as const) : []),
    ...(direction !== null && direction !== payment.direction ? (['sign'] as const) : []),
  ]
}

/** `SALDO ANTERIOR`, `S A L D O`, `Saldo em 21/11`, `opening balance`; not `SALDO DEVEDOR`, which is paid. */
const BALANCE =
  /^[\W\d]*(s ?a ?l ?d ?o|saldos?|sdo)(?= *\W*$| +(anterior|ant|atual|inicial|final|total|parcial|diario|do dia|dia|do periodo|em|na|c\/c|cta|(d[ae] )?conta corrente|da conta|disponivel|bloq\w*|liquido|previsto|aplic\w*|invest\w*)\b)|^\W*((initial|opening|closing|final|total|available|previous|daily|running|current) )+balance\b/
const TOTAL = /^\W*(sub)?(total|totais|totals)\b/
const TOTAL_ALONE = /^\W*(sub)?(total|totais|totals)( geral| d[oe] (dia|mes|periodo))?\W*$/
/** Banks book what happens at a weekend or at night on the next working day; the longest holidays have five days. */
const BOOKING_DAYS_MAX = 7
const DAY_IN_TEXT = /(?<!\d|\/)(\d{2})\/(\d{2})(?:\/(\d{4}|\d{2}))?(?![\d/])/g

/** True for what a bank writes beside a balance, which is no payment. */
export function isBalanceText(text: string): boolean {
  return BALANCE.test(foldedText(text))
}

/** True for a text about a balance, which is no payment if its row has no amount. */
export function mentionsBalance(text: string): boolean {
  return /\b(?:saldos?|balance)\b/.test(foldedText(text))
}

/** True for what is written beside a sum of payments. */
export function isTotalText(text: string): boolean {
  return TOTAL.test(foldedText(text))
}

/** True for a text that says only that its row is a sum: `Total`, `Total do dia`, not `TOTAL ENERGIA LTDA`. */
export function isTotalAlone(text: string): boolean {
  return TOTAL_ALONE.test(foldedText(text))
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

/** The lines of a statement, and its faults, are held in memory; no bank writes this many into one file. */
export const LINES_MAX = 200_000
/** No bank writes longer texts about a payment. */
export const STATEMENT_TEXT_MAX = 500

/** The error for a statement with more than {@link LINES_MAX} lines. */
export function tooManyLines(): UsageError {
  return new UsageError(t`The statement has more than ${LINES_MAX} lines`, {
    hint: t`Export a shorter period, such as one month`,
  })
}
