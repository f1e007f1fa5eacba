import { exactExpression, isSearchable } from '../../ledger/search.ts'
import { tryParseAmount } from '../../pix/amount.ts'
import { Malformed } from '../../pix/malformed.ts'
import { type ClosedPeriod, instantPeriod, type Period, periodFromText, takePrintedTimes } from '../../pix/period.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'

/** The search that the words of `history find` describe. */
export interface SearchTerms {
  words: readonly string[]
  period: Period | null
  amountCents: number | null
  /** Whole numbers, which may be amounts or parts of an id. */
  amountOrWord: readonly { amountCents: number; word: string; match: string }[]
}

/** `R$ 25,00` is one word. */
const REAIS = /R\$\s*\d[\d.,]*/gi
/** A number with decimals, which must be an amount. */
const DECIMAL = /^\d[\d.]*,\d{1,2}$|^\d+\.\d{1,2}$/
/** Punctuation between and around words. */
const OUTER_PUNCTUATION = /^[\s,;:"'“”]+|[\s,;:"'“”?!]+$/g

/**
 * Reads the words of `history find`: days, months and amounts narrow the search, everything else is looked for. Throws UsageError if
 * there is nothing to look for, or two days or two amounts.
 */
export function parseSearchTerms(typed: readonly string[], nowMs: number): SearchTerms {
  const all = typed.join(' ')
  const { periods, rest: text } = unlessMalformed(() => takePrintedTimes(all, nowMs)) ?? { periods: [], rest: all }
  const amounts = (text.match(REAIS) ?? []).map((each) => tryParseAmount(each.replace(/[.,]+$/, '')))
  const words: string[] = []
  const amountOrWord: { amountCents: number; word: string; match: string }[] = []
  for (const part of text.replace(REAIS, ' ').split(/\s+/)) {
    const word = part.replace(OUTER_PUNCTUATION, '')
    if (!isSearchable(word)) continue
    const period = periodOf(word, nowMs)
    const cents = /^\d[\d.,]*$/.test(word) ? tryParseAmount(word) : null
    if (period !== undefined) periods.push(period)
    else if (cents !== null && DECIMAL.test(word)) amounts.push(cents)
    else if (cents !== null) amountOrWord.push({ amountCents: cents, word, match: exactExpression(word) })
    else words.push(word)
  }
  const known = amounts.flatMap((cents) => cents ?? [])
  if (periods.length > 1 || known.length > 1) {
    throw new UsageError(t`The search contains more than one day or amount`, {
      hint: t`Use \`--since\`, \`--until\`, \`--min\` and \`--max\` for ranges`,
    })
  }
  const isEmpty = words.length + periods.length + known.length + amountOrWord.length === 0
  if (isEmpty) {
    throw new UsageError(t`There is nothing to search for`, {
      hint: t`Write names, keys, ids, amounts or days, like \`pixgate history find maria yesterday\``,
    })
  }
  return { words, period: periods[0] ?? null, amountCents: known[0] ?? null, amountOrWord }
}

function periodOf(word: string, nowMs: number): ClosedPeriod | undefined {
  return unlessMalformed(() => periodFromText(word, nowMs) ?? instantPeriod(word))
}

/** What looks like a day that is not in the calendar is a word. */
function unlessMalformed<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Malformed) return undefined
    throw error
  }
}
