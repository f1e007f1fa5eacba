import type { PaymentState } from '../ledger/paymentState.ts'
import type { Payment } from '../ledger/payments.ts'
import { endOfSaoPauloDayMs, saoPauloDay, startOfSaoPauloDayMs } from '../pix/calendar.ts'
import type { Period } from '../pix/period.ts'
import {
  amountDifferences,
  type Difference,
  type StatementFile,
  type StatementLine,
  signedCents,
} from './externalLine.ts'
import { matchByAmount } from './matchByAmount.ts'
import { hasDirection, isOwnId, matchById, type NamedSides } from './matchById.ts'
import { hasMoved, type NamedPayment, type PaymentSide, sidesOf } from './paymentSides.ts'
import { daysOf } from './statementText.ts'
import { findingFromStatusText } from './statusWords.ts'

/** In the order in which they are shown: what a person must look at first. */
export const STATEMENT_VERDICTS = ['differs', 'only-there', 'only-here', 'duplicate', 'match'] as const
type StatementVerdict = (typeof STATEMENT_VERDICTS)[number]

/** A payment of the ledger, a line of the statement, or both. */
export interface StatementMatch {
  payment: Payment | null
  line: StatementLine | null
  verdict: StatementVerdict
  differences: readonly Difference[]
  /** How the line was matched; null without a line or without a payment. */
  matchedBy: 'id' | 'by-amount' | null
  /** True if other payments or lines agree as well, so that it is not known which of them belong together. */
  isAmbiguous: boolean
  /** The amount here, with the sign of its direction; null if it is not known, or another line has this payment already. */
  hereCents: number | null
}

/** The payments that a statement is compared with. */
export interface OwnPayments {
  /** Those that an id names, the likeliest first. */
  named(id: string): Promise<readonly NamedPayment[]>
  /** All that lines of the statement may be, or that should be on it. */
  all(): AsyncIterable<readonly NamedPayment[]>
}

/** Which payments should be on a statement. */
export interface ExpectedPayments extends Period {
  /** Null for all. */
  kind: string | null
}

/** In a statement with debits an amount without a sign is a credit; in one without signs it may be either. */
export function withDirections(lines: readonly StatementLine[]): StatementLine[] {
  const hasDebits = lines.some(({ direction }) => direction === 'debit')
  return lines.map((line) => ({ ...line, direction: line.direction ?? (hasDebits ? 'credit' : null) }))
}

/** The period that a statement is about, from its first day to its last; an open end if it names none. */
export function periodOf({ lines, period }: Pick<StatementFile, 'lines' | 'period'>): Period {
  return periodOfDays([...lines.flatMap(({ day }) => day ?? []), ...(period ?? [])])
}

/** The period in which payments that are on a statement may have been made; an open end if the statement has no days. */
export function periodOfPayments(file: Pick<StatementFile, 'lines' | 'period'>): Period {
  return periodOfDays([
    ...file.lines.flatMap(({ day, description }) => daysOf(day, description)),
    ...(file.period ?? []),
  ])
}

function periodOfDays(all: readonly string[]): Period {
  const days = all.toSorted()
  const [first] = days
  const last = days.at(-1)
  if (first === undefined || last === undefined) return { sinceMs: null, beforeMs: null }
  return { sinceMs: startOfSaoPauloDayMs(first), beforeMs: endOfSaoPauloDayMs(last) + 1 }
}

/**
 * A line is matched with the payment that its id names, else by amount, day and name. Each payment matches once: a further line for it is a
 * duplicate. Payments without a line are only here if they moved money or may have. What differs comes first.
 */
export async function matchStatement(
  lines: readonly StatementLine[],
  payments: OwnPayments,
  expected: ExpectedPayments,
): Promise<StatementMatch[]> {
  const taken = new Set<string>()
  const named: NamedSides[] = []
  for (const line of lines) {
    const sides = await sidesNamedBy(line, payments)
    if (sides.length > 0) named.push({ line, sides })
  }
  const byId = matchById(named, taken)
  const identified = new Set(named.map(({ line }) => line))
  const others = lines.filter((line) => !identified.has(line))
  const amounts = new Set(others.map(({ amountCents }) => amountCents))
  const sides: PaymentSide[] = []
  for await (const page of payments.all()) {
    for (const each of page) {
      const { payment } = each
      if (!hasMoved(payment)) continue
      const isSought = payment.amountCents !== null && amounts.has(payment.amountCents)
      if (isSought || (!taken.has(payment.id) && isExpected(payment, expected))) sides.push(...sidesOf(each))
    }
  }
  const byAmount = matchByAmount(others, sides, taken)
  const matched = new Set([...byId, ...byAmount.matches].map(({ line }) => line))
  const matches = [
    ...byId.map((match) => lineMatch(match, 'id', false)),
    ...byAmount.matches.map((match) => lineMatch(match, 'by-amount', byAmount.ambiguousLines.has(match.line))),
    ...lines.filter((line) => !matched.has(line)).map(onlyThere),
    ...sides
      .filter((side) => !side.isReturn && !taken.has(side.key) && isExpected(side.payment, expected))
      .filter(({ days }) => days.every((day) => isInPeriod(day, expected)))
      .map((side) => onlyHere(side, byAmount.ambiguousSides.has(side.key))),
  ]
  return matches.sort(byVerdict)
}

/** True if the statement says, or does not deny, that a payment with an unknown outcome was made, and which one it is. */
export function suggestsPaid(
  match: StatementMatch,
): match is StatementMatch & { payment: Payment; line: StatementLine } {
  const { payment, line, isAmbiguous, verdict } = match
  if (payment?.summary.state !== 'unknown' || line === null || isAmbiguous || verdict === 'duplicate') return false
  return ['paid', null].includes(findingFromStatusText(line.status ?? ''))
}

async function sidesNamedBy(line: StatementLine, payments: OwnPayments): Promise<PaymentSide[]> {
  if (line.id === null) return []
  const found = await payments.named(line.id)
  const moved = found.filter(({ payment }) => hasMoved(payment))
  const sides = [...moved, ...found.filter((each) => !moved.includes(each))].flatMap(sidesOf)
  return sides.filter((side) => isOwnId(line, side))
}

function lineMatch(
  { line, side, isSecond }: { line: StatementLine; side: PaymentSide; isSecond: boolean },
  matchedBy: 'id' | 'by-amount',
  isAmbiguous: boolean,
): StatementMatch {
  const { payment, direction } = side
  const common = { payment, line, matchedBy, isAmbiguous }
  if (isSecond && hasDirection(line, side)) return { ...common, verdict: 'duplicate', differences: [], hereCents: null }
  const differences = differencesOf(side, line)
  const hereCents = isSecond || payment.amountCents === null ? null : signedCents(payment.amountCents, direction)
  return { ...common, verdict: differences.length === 0 ? 'match' : 'differs', differences, hereCents }
}

function onlyThere(line: StatementLine): StatementMatch {
  const verdict = 'only-there'
  return { payment: null, line, verdict, differences: [], matchedBy: null, isAmbiguous: false, hereCents: null }
}

function onlyHere({ payment, direction }: PaymentSide, isAmbiguous: boolean): StatementMatch {
  const hereCents = payment.amountCents === null ? null : signedCents(payment.amountCents, direction)
  return { payment, line: null, verdict: 'only-here', differences: [], matchedBy: null, isAmbiguous, hereCents }
}

/** By verdict, then by line; what is only here stays in the order of the ledger. */
function byVerdict(one: StatementMatch, other: StatementMatch): number {
  const order = STATEMENT_VERDICTS.indexOf(one.verdict) - STATEMENT_VERDICTS.indexOf(other.verdict)
  return order || (one.line?.line ?? 0) - (other.line?.line ?? 0)
}

function isExpected({ facts }: Payment, { kind }: ExpectedPayments): boolean {
  return kind === null || kind === facts.kind
}

/** A statement tells days only, so a day belongs to a period if any time of it does. */
function isInPeriod(day: string, { sinceMs, beforeMs }: Period): boolean {
  return (sinceMs === null || day >= saoPauloDay(sinceMs)) && (beforeMs === null || day <= saoPauloDay(beforeMs - 1))
}

/** A payment whose amount is not known here has that of the statement. */
function differencesOf({ payment, direction, isReturn }: PaymentSide, line: StatementLine): Difference[] {
  const amountCents = payment.amountCents ?? line.amountCents
  const differences = amountDifferences(line, { direction, amountCents })
  if (!isReturn && isOtherStatus(payment.summary.state, line)) differences.push('status')
  return differences
}

/** A line of a statement is evidence that money moved, unless its own status says that it did not. */
function isOtherStatus(state: PaymentState, line: StatementLine): boolean {
  const there = findingFromStatusText(line.status ?? '')
  switch (state) {
    case 'accepted':
      return false
    case 'unknown':
      return true
    case 'refused':
    case 'not-sent':
    case 'not-paid':
      return there !== 'not-paid'
    default:
      return there !== null && there !== state
  }
}
