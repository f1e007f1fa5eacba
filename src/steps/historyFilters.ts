import { defineOptions, type OptionsOf } from '../commandDefinition.ts'
import { PAYMENT_KINDS } from '../ledger/facts.ts'
import type { PaymentFilter } from '../ledger/paymentList.ts'
import { SHOWN_STATES } from '../ledger/paymentState.ts'
import { exactExpression, isSearchable, matchExpression, type SearchQuery } from '../ledger/search.ts'
import { readAmountOrZero, readText, withName } from '../optionParsers.ts'
import { tryParseAmount } from '../pix/amount.ts'
import {
  type ClosedPeriod,
  instantPeriod,
  monthFromText,
  type Period,
  periodFromText,
  takePrintedTimes,
  timeFromText,
} from '../pix/calendar.ts'
import { comparableKeysOf } from '../pix/destination.ts'
import { Malformed, valueOr } from '../pix/expectedError.ts'
import { foldedText } from '../text/foldedText.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { ALL_ROWS_OPTION, LIMIT_OPTION, UNMASK_OPTION } from './optionSets.ts'

type TypedTime = Period & { typed: string }

const PERIODS_COMBINED = {
  message: () => t`\`--month\`, \`--day\` and \`--since\` or \`--until\` cannot be combined`,
  hint: () => t`Give a month, a day, or a beginning and an end`,
}

/** Options that select a time span. */
export const PERIOD_OPTIONS = defineOptions(
  {
    flags: '--since <when>',
    description: 'made or paid since: 7d, a day, or a time as printed',
    parse: readTime,
  },
  {
    flags: '--until <when>',
    description: 'made or paid until then; a day is included in full',
    parse: readTime,
  },
  {
    flags: '--day <day>',
    description: 'on this day: today, yesterday, 21/11/2026 or 2026-11-21',
    parse: readDay,
    conflicts: { options: ['--since', '--until'], ...PERIODS_COMBINED },
  },
  {
    flags: '--month <month>',
    description: 'in this month: 11/2026 or 2026-11',
    parse: readMonth,
    conflicts: { options: ['--since', '--until', '--day'], ...PERIODS_COMBINED },
  },
)

/** Options that select payments. */
export const FILTER_OPTIONS = defineOptions(
  ...PERIOD_OPTIONS,
  { flags: '--kind <kind>', description: PAYMENT_KINDS.join(', '), choices: PAYMENT_KINDS },
  { flags: '--state <state>', description: SHOWN_STATES.join(', '), choices: SHOWN_STATES },
  { flags: '--amount <amount>', description: 'of exactly this amount', parse: readAmountOrZero },
  { flags: '--min <amount>', description: 'of at least this amount', parse: readBound },
  { flags: '--max <amount>', description: 'of at most this amount', parse: readBound },
  {
    flags: '--key <key>',
    description: 'to this PIX key, with or without its punctuation',
    parse: (typed, name) => comparableKeysOf(readText(typed, name)),
  },
  {
    flags: '--name <words>',
    description: 'involving a person or company with this name',
    parse: (typed, name) => readText(typed, name).split(/\s+/),
  },
  {
    flags: '--document <document>',
    description: 'with this CPF or CNPJ',
    parse: (typed, name) => readText(typed, name).trim(),
  },
  {
    flags: '--reference <text>',
    description: 'of this reference, external id or request number',
    parse: readText,
  },
  { flags: '--by <user>', description: 'created by this user', parse: readText },
  {
    flags: '--for-profile <name>',
    description: 'created under this profile',
    parse: readText,
    completes: 'profiles',
  },
  LIMIT_OPTION,
)

/** The filter that the options describe; the account is not in it. Throws UsageError for an empty range. */
export function paymentFilter(options: OptionsOf<typeof FILTER_OPTIONS>, found?: SearchTerms): PaymentFilter {
  const { kind, state, reference, by, forProfile, amount, min, max, key, name, document } = options
  const query: SearchQuery = {
    words: found?.words ?? [],
    names: name ?? [],
    taxDocuments: document === undefined ? [] : [document],
  }
  if (min !== undefined && max !== undefined && min.cents > max.cents) {
    throw new UsageError(t`\`--min ${min.typed}\` is more than \`--max ${max.typed}\``, { hint: t`Swap them` })
  }
  const period = periodOf(options)
  const isPeriodTyped = period.sinceMs !== null || period.beforeMs !== null
  return {
    ...(isPeriodTyped ? period : (found?.period ?? period)),
    isByDay: options.month !== undefined,
    kind,
    state,
    reference,
    user: by,
    profile: forProfile,
    amountCents: amount ?? found?.amountCents ?? undefined,
    minCents: min?.cents,
    maxCents: max?.cents,
    keys: key,
    match: matchExpression(query),
    amountOrWord: found?.amountOrWord,
  }
}

/** The time span that the options describe. Throws UsageError if it ends before it begins. */
export function periodOf({ since, until, day, month }: OptionsOf<typeof PERIOD_OPTIONS>): Period {
  const whole = month ?? day
  if (whole !== undefined) return whole
  const [sinceMs, beforeMs] = [since?.sinceMs ?? null, until?.beforeMs ?? null]
  if (sinceMs === null || beforeMs === null || sinceMs < beforeMs) return { sinceMs, beforeMs }
  throw new UsageError(t`\`--since ${since?.typed ?? ''}\` is not before \`--until ${until?.typed ?? ''}\``, {
    hint: t`Swap them, or give \`--month 2026-11\` for a whole month`,
  })
}

/** A time as it is printed, a day, or a time until now such as `7d`. */
export function readTime(typed: string, name: string, nowMs: number): TypedTime {
  return { typed, ...withName(name, () => timeFromText(typed, nowMs)) }
}

/** A month of São Paulo, `2026-11` or `11/2026`. */
export function readMonth(typed: string, name: string): ClosedPeriod {
  const period = monthFromText(typed.trim())
  if (period !== undefined) return period
  throw new UsageError(t`\`${name}\`: \`${typed}\` is not a month`, {
    hint: t`Write the month and the year, like \`11/2026\` or \`2026-11\``,
  })
}

function readDay(typed: string, name: string, nowMs: number): Period {
  const period = withName(name, () => periodFromText(typed.trim(), nowMs))
  if (period !== undefined && monthFromText(typed.trim()) === undefined) return period
  throw new UsageError(t`\`${name}\`: \`${typed}\` is not a day`, {
    hint: t`Write \`today\`, \`yesterday\`, \`21/11/2026\` or \`2026-11-21\``,
  })
}

function readBound(typed: string, name: string): { typed: string; cents: number } {
  return { typed, cents: readAmountOrZero(typed, name) }
}

/** Options that say how payments are listed. */
export const LIST_OPTIONS = defineOptions(
  { flags: '--all', description: 'all accounts and environments, with separate sums' },
  { flags: '--attempts', description: 'every attempt, not each payment in its last state' },
  { ...ALL_ROWS_OPTION, conflicts: { options: ['--limit'] } },
  { flags: '--excel', description: 'with -o csv: local times and decimal commas, for a spreadsheet' },
  UNMASK_OPTION,
)

/** The options of a list of payments. */
export type ListOptions = OptionsOf<[...typeof FILTER_OPTIONS, ...typeof LIST_OPTIONS]>

interface SearchTerms {
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
/** What people say around a name, an amount and a day: `Maria paid 25 reais yesterday`. */
const FILLERS: ReadonlySet<string> = new Set([
  ...['paid', 'pays', 'received', 'pagou', 'pagaram', 'recebeu', 'reais', 'real', 'r$', 'brl'],
])
const OUTER_PUNCTUATION = /^[\s,;:"'“”]+|[\s,;:"'“”?!]+$/g

/**
 * Reads the words of `history find`: days, months and amounts narrow the search, everything else is looked for. Throws UsageError if
 * there is nothing to look for, or two days or two amounts.
 */
export function parseSearchTerms(typed: readonly string[], nowMs: number): SearchTerms {
  const all = typed.join(' ')
  // What looks like a day that is not in the calendar is a word.
  const unread: ReturnType<typeof takePrintedTimes> = { periods: [], rest: all }
  const { periods, rest: text } = valueOr(unread, Malformed, () => takePrintedTimes(all, nowMs))
  const amounts = (text.match(REAIS) ?? []).map((each) => tryParseAmount(each.replace(/[.,]+$/, '')))
  const words: string[] = []
  const fillers: string[] = []
  const amountOrWord: { amountCents: number; word: string; match: string }[] = []
  for (const part of text.replace(REAIS, ' ').split(/\s+/)) {
    const word = part.replace(OUTER_PUNCTUATION, '')
    if (!isSearchable(word)) continue
    if (FILLERS.has(foldedText(word))) {
      fillers.push(word)
      continue
    }
    const period = periodOfWord(word, nowMs)
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
  if (isEmpty && fillers.length > 0) words.push(...fillers)
  else if (isEmpty) {
    throw new UsageError(t`There is nothing to search for`, {
      hint: t`Write names, keys, ids, amounts or days, like \`pixgate history find maria 22/11\``,
    })
  }
  return { words, period: periods[0] ?? null, amountCents: known[0] ?? null, amountOrWord }
}

function periodOfWord(word: string, nowMs: number): ClosedPeriod | undefined {
  return valueOr(undefined, Malformed, () => periodFromText(word, nowMs) ?? instantPeriod(word))
}
