import type { Context } from '../../context.ts'
import { addDays, endOfSaoPauloDayMs, parseInstant, startOfSaoPauloDayMs } from '../../pix/calendar.ts'
import { parseDuration } from '../../pix/duration.ts'
import { Malformed } from '../../pix/malformed.ts'
import { reading } from '../../settings.ts'
import { t } from '../../text/words.ts'
import { INTENT_KINDS, type LedgerFilter, TRANSACTION_STATES } from '../../timeline/ledgerFilter.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineOptions } from '../command.ts'
import { notBlank, oneOf } from '../optionValues.ts'

/** The options of a time span, as commander gives them. */
export interface TypedPeriod {
  since?: string
  until?: string
  month?: string
}

/** The options that pick transactions, as commander gives them. */
export interface TypedFilter extends TypedPeriod {
  kind?: string
  state?: string
  reference?: string
  by?: string
  forProfile?: string
}

/** From a time on, and before another, in ms since the epoch; null for an open end. */
export type Period = Pick<LedgerFilter, 'sinceMs' | 'beforeMs'>

const DAY = /^\d{4}-\d{2}-\d{2}$/
const MONTH = /^[12]\d{3}-(?:0[1-9]|1[0-2])$/
/** Calendars agree on no other years, and no payment is of one. */
const YEAR = /^[12]\d{3}-/

/** The options of a time span. */
export const PERIOD_OPTIONS = defineOptions(
  { flags: '--since <when>', description: 'asked for since: a duration like 7d, a day in São Paulo, or a date-time' },
  { flags: '--until <when>', description: 'asked for until then; a day counts to its end' },
  { flags: '--month <month>', description: 'asked for in this month in São Paulo, like 2026-11' },
)

/** All options that pick transactions. */
export const FILTER_OPTIONS = defineOptions(
  ...PERIOD_OPTIONS,
  { flags: '--kind <kind>', description: INTENT_KINDS.join(', '), completes: INTENT_KINDS },
  { flags: '--state <state>', description: TRANSACTION_STATES.join(', '), completes: TRANSACTION_STATES },
  { flags: '--reference <text>', description: 'of this batch reference, or with this external id or request number' },
  { flags: '--by <user>', description: 'asked for by this user' },
  { flags: '--for-profile <name>', description: 'asked for under this profile', completes: 'profiles' },
)

/** Reads the options that pick transactions. Throws UsageError. */
export function readFilter(context: Context, typed: TypedFilter): LedgerFilter {
  const { kind, state, reference, by, forProfile } = typed
  return {
    ...readPeriod(context, typed),
    kind: kind === undefined ? null : oneOf(INTENT_KINDS, kind, '--kind'),
    state: state === undefined ? null : oneOf(TRANSACTION_STATES, state, '--state'),
    reference: reference === undefined ? null : notBlank(reference, '--reference'),
    by: by === undefined ? null : notBlank(by, '--by'),
    profile: forProfile === undefined ? null : notBlank(forProfile, '--for-profile'),
  }
}

/** Reads the options of a time span. Throws UsageError. */
export function readPeriod({ now }: Pick<Context, 'now'>, { since, until, month }: TypedPeriod): Period {
  if (month !== undefined) {
    if (since === undefined && until === undefined) return monthPeriod(month)
    throw new UsageError(t`\`--month\` stands beside \`${since === undefined ? '--until' : '--since'}\``, {
      hint: t`Give a month, or a beginning and an end`,
    })
  }
  const sinceMs = since === undefined ? null : reading('--since', () => instantOf(since, now(), startOfSaoPauloDayMs))
  const beforeMs =
    until === undefined ? null : reading('--until', () => instantOf(until, now(), (day) => endOfSaoPauloDayMs(day) + 1))
  if (sinceMs === null || beforeMs === null || sinceMs < beforeMs) return { sinceMs, beforeMs }
  throw new UsageError(t`\`--since ${since ?? ''}\` is not before \`--until ${until ?? ''}\``, {
    hint: t`Exchange them, or give \`--month 2026-11\` for a whole month`,
  })
}

function monthPeriod(month: string): Period {
  if (!MONTH.test(month)) {
    throw new UsageError(t`\`--month\`: \`${month}\` is no month`, {
      hint: t`Write the year and the month, like \`2026-11\``,
    })
  }
  const first = `${month}-01`
  const next = `${addDays(first, 31).slice(0, 7)}-01`
  return { sinceMs: startOfSaoPauloDayMs(first), beforeMs: startOfSaoPauloDayMs(next) }
}

/** A duration before now, a day, or a date-time. Throws Malformed. */
function instantOf(typed: string, nowMs: number, ofDay: (day: string) => number): number {
  const text = typed.trim()
  if (YEAR.test(text)) {
    if (DAY.test(text)) return dayMs(text, ofDay)
    const instant = parseInstant(text)
    if (instant !== undefined) return instant
  }
  if (/^\d+(?:ms|s|m|h|d)$/.test(text)) return nowMs - parseDuration(text)
  throw notATime(t`\`${text}\` is no time`)
}

function dayMs(day: string, ofDay: (day: string) => number): number {
  try {
    return ofDay(day)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw notATime(t`There is no day \`${day}\` in the calendar`)
  }
}

function notATime(message: string): Malformed {
  return new Malformed(
    message,
    t`Write a duration like \`7d\`, a day like \`2026-11-21\`, or a date-time with its zone like \`2026-11-21T18:00:00-03:00\``,
  )
}
