import type { Context } from '../../context.ts'
import { ALL_PAYMENTS, type PaymentFilter } from '../../ledger/paymentList.ts'
import { PAYMENT_STATES } from '../../ledger/paymentState.ts'
import { PAYMENT_KINDS } from '../../ledger/records.ts'
import { matchExpression, type SearchQuery } from '../../ledger/search.ts'
import { readChoice, readText, wholeNumber, withName } from '../../optionParsers.ts'
import { parseAmount } from '../../pix/amount.ts'
import { monthFromText, type Period, periodFromText, timeFromText } from '../../pix/period.ts'
import { comparableKey } from '../../pix/pixKey.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineOptions, type OptionsOf } from '../command.ts'
import type { SearchTerms } from './searchTerms.ts'

/** The most payments that `--limit` takes. */
const LIMIT_MAX = 100_000_000

/** Options that select a time span. */
export const PERIOD_OPTIONS = defineOptions(
  {
    flags: '--since <when>',
    description: 'created since: a duration like 7d, a day, or a time in any printed form',
  },
  { flags: '--until <when>', description: 'created until this time; a day is included in full' },
  {
    flags: '--day <day>',
    description: 'created on this day in São Paulo: today, yesterday, 21/11/2026 or 2026-11-21',
  },
  { flags: '--month <month>', description: 'created in this month in São Paulo: 11/2026 or 2026-11' },
)

/** The options of a time span, as commander gives them. */
export type TypedPeriod = OptionsOf<typeof PERIOD_OPTIONS>

/** Options that select payments. */
export const FILTER_OPTIONS = defineOptions(
  ...PERIOD_OPTIONS,
  { flags: '--kind <kind>', description: PAYMENT_KINDS.join(', '), completes: PAYMENT_KINDS },
  { flags: '--state <state>', description: PAYMENT_STATES.join(', '), completes: PAYMENT_STATES },
  { flags: '--amount <amount>', description: 'of exactly this amount' },
  { flags: '--min <amount>', description: 'of at least this amount' },
  { flags: '--max <amount>', description: 'of at most this amount' },
  { flags: '--key <key>', description: 'to this PIX key, with or without its punctuation' },
  { flags: '--name <words>', description: 'involving a person or company with this name' },
  { flags: '--document <document>', description: 'with this CPF or CNPJ' },
  {
    flags: '--reference <text>',
    description: 'of this batch reference, or with this external id or request number',
  },
  { flags: '--by <user>', description: 'created by this user' },
  { flags: '--for-profile <name>', description: 'created under this profile', completes: 'profiles' },
  { flags: '--limit <n>', description: 'only the newest n' },
)

/** The options that select payments, as commander gives them. */
export type TypedFilter = OptionsOf<typeof FILTER_OPTIONS>

/** Reads the options that select payments; the account is not among them. Throws UsageError. */
export function readFilter(context: Context, typed: TypedFilter, found?: SearchTerms): PaymentFilter {
  const { kind, state, reference, by, forProfile, amount, min, max, key, name, document } = typed
  const query: SearchQuery = {
    words: found?.words ?? [],
    names: name === undefined ? [] : readText(name, '--name').split(/\s+/),
    documents: document === undefined ? [] : [readText(document, '--document').trim()],
  }
  const minCents = amountOption(min, '--min')
  const maxCents = amountOption(max, '--max')
  if (minCents !== null && maxCents !== null && minCents > maxCents) {
    throw new UsageError(t`\`--min ${min ?? ''}\` is more than \`--max ${max ?? ''}\``, { hint: t`Swap them` })
  }
  return {
    ...ALL_PAYMENTS,
    ...periodOf(context, typed, found),
    kind: kind === undefined ? null : readChoice(PAYMENT_KINDS, kind, '--kind'),
    state: state === undefined ? null : readChoice(PAYMENT_STATES, state, '--state'),
    reference: reference === undefined ? null : readText(reference, '--reference'),
    user: by === undefined ? null : readText(by, '--by'),
    profile: forProfile === undefined ? null : readText(forProfile, '--for-profile'),
    amountCents: amountOption(amount, '--amount') ?? found?.amountCents ?? null,
    minCents,
    maxCents,
    key: key === undefined ? null : comparableKey(readText(key, '--key')),
    match: matchExpression(query),
    amountOrWord: found?.amountOrWord ?? [],
  }
}

/** The number that `--limit` names; null without it. Throws UsageError. */
export function readLimit({ limit }: TypedFilter): number | null {
  return limit === undefined ? null : wholeNumber(1, LIMIT_MAX)(limit, '--limit')
}

/** Reads the options of a time span. Throws UsageError. */
export function readPeriod({ now }: Pick<Context, 'now'>, typed: TypedPeriod): Period {
  const { since, until, day, month } = typed
  const whole = month ?? day
  if (whole !== undefined) {
    const others = [since, until, month === undefined ? undefined : day]
    if (others.some((other) => other !== undefined)) {
      throw new UsageError(t`\`--month\`, \`--day\` and \`--since\` or \`--until\` cannot be combined`, {
        hint: t`Give a month, a day, or a beginning and an end`,
      })
    }
    return month === undefined ? dayOption(whole, now()) : monthOption(whole)
  }
  const sinceMs = since === undefined ? null : withName('--since', () => timeFromText(since, now())).sinceMs
  const beforeMs = until === undefined ? null : withName('--until', () => timeFromText(until, now())).beforeMs
  if (sinceMs === null || beforeMs === null || sinceMs < beforeMs) return { sinceMs, beforeMs }
  throw new UsageError(t`\`--since ${since ?? ''}\` is not before \`--until ${until ?? ''}\``, {
    hint: t`Swap them, or give \`--month 2026-11\` for a whole month`,
  })
}

function periodOf(context: Context, typed: TypedFilter, found: SearchTerms | undefined): Period {
  const period = readPeriod(context, typed)
  return found?.period != null && period.sinceMs === null && period.beforeMs === null ? found.period : period
}

function monthOption(month: string): Period {
  const period = monthFromText(month.trim())
  if (period !== undefined) return period
  throw new UsageError(t`\`--month\`: \`${month}\` is not a month`, {
    hint: t`Write the month and the year, like \`11/2026\` or \`2026-11\``,
  })
}

function dayOption(day: string, nowMs: number): Period {
  const period = withName('--day', () => periodFromText(day.trim(), nowMs))
  if (period !== undefined && monthFromText(day.trim()) === undefined) return period
  throw new UsageError(t`\`--day\`: \`${day}\` is not a day`, {
    hint: t`Write \`today\`, \`yesterday\`, \`21/11/2026\` or \`2026-11-21\``,
  })
}

function amountOption(typed: string | undefined, option: string): number | null {
  return typed === undefined ? null : withName(option, () => parseAmount(typed, { zeroAllowed: true }))
}

/** Options that say how payments are listed. */
export const LIST_OPTIONS = defineOptions(
  { flags: '--all', description: 'include all accounts and environments, with separate sums' },
  { flags: '--attempts', description: 'list every attempt, not each payment in its last state' },
  { flags: '--unmask', description: 'show keys, names and tax documents of people unmasked' },
)

/** The options of a list of payments, as commander gives them. */
export type TypedList = OptionsOf<[...typeof FILTER_OPTIONS, ...typeof LIST_OPTIONS]>
