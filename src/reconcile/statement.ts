import type { PaymentState } from '../ledger/paymentState.ts'
import type { Payment } from '../ledger/payments.ts'
import { endOfSaoPauloDayMs, startOfSaoPauloDayMs } from '../pix/calendar.ts'
import type { Period } from '../pix/period.ts'
import { amountDifferences, type Difference, type ExternalLine } from './externalLine.ts'
import { findingFromStatusText } from './statusWords.ts'
import type { TableSpec } from './tableColumns.ts'

/** A statement of a bank or of the gateway. */
export const STATEMENT: TableSpec = {
  all: ['id', 'amount', 'status', 'date'],
  required: ['id', 'amount'],
  isList: false,
}

export type StatementVerdict = 'match' | 'differs' | 'only-here' | 'only-there'

/** A payment of the ledger, a line of the statement, or both. */
export interface StatementMatch {
  payment: Payment | null
  line: ExternalLine | null
  verdict: StatementVerdict
  differences: readonly Difference[]
}

/** The payments that a statement is compared with. */
export interface OwnPayments {
  /** Those that an id names. */
  named(id: string): Promise<readonly Payment[]>
  /** All of the period. */
  all(): AsyncIterable<readonly Payment[]>
}

/** In a statement with debits an amount without a sign is a credit; in one without signs it may be either. */
export function withDirections(lines: readonly ExternalLine[]): ExternalLine[] {
  const hasDebits = lines.some(({ direction }) => direction === 'debit')
  return lines.map((line) => ({ ...line, direction: line.direction ?? (hasDebits ? 'credit' : null) }))
}

/** The days that a statement is about; an open end if it names none. */
export function periodOf(lines: readonly ExternalLine[]): Period {
  const days = lines.flatMap(({ day }) => day ?? []).sort()
  const [first] = days
  const last = days.at(-1)
  if (first === undefined || last === undefined) return { sinceMs: null, beforeMs: null }
  return { sinceMs: startOfSaoPauloDayMs(first), beforeMs: endOfSaoPauloDayMs(last) + 1 }
}

/**
 * A line matches the payment that its id names, preferably one that moved money. Each payment matches once: a second line with the same id,
 * and one without an id, is only there. Payments without a line are only here if they moved money or may have.
 */
export async function matchStatement(lines: readonly ExternalLine[], payments: OwnPayments): Promise<StatementMatch[]> {
  const taken = new Set<string>()
  const matches: StatementMatch[] = []
  for (const line of lines) {
    const named = line.id === null ? [] : await payments.named(line.id)
    const free = named.filter(({ id }) => !taken.has(id))
    const payment = free.find(hasMoved) ?? free[0]
    if (payment === undefined) matches.push({ payment: null, line, verdict: 'only-there', differences: [] })
    else {
      taken.add(payment.id)
      const differences = differencesOf(payment, line)
      matches.push({ payment, line, verdict: differences.length === 0 ? 'match' : 'differs', differences })
    }
  }
  for await (const page of payments.all()) {
    for (const payment of page) {
      if (taken.has(payment.id) || !hasMoved(payment)) continue
      matches.push({ payment, line: null, verdict: 'only-here', differences: [] })
    }
  }
  return matches
}

/** True if the statement says, or does not deny, that a payment with an unknown outcome was made. */
export function suggestsPaid(
  match: StatementMatch,
): match is StatementMatch & { payment: Payment; line: ExternalLine } {
  const { payment, line } = match
  if (payment?.summary.state !== 'unknown' || line === null) return false
  return ['paid', null].includes(findingFromStatusText(line.status ?? ''))
}

/** A payment whose amount is not known here has that of the statement. */
function differencesOf({ facts, amountCents, summary }: Payment, line: ExternalLine): Difference[] {
  const differences = amountDifferences(line, { kind: facts.kind, amountCents: amountCents ?? line.amountCents })
  if (isOtherStatus(summary.state, line)) differences.push('status')
  return differences
}

/** A line of a statement is evidence that money moved, unless its own status says that it did not. */
function isOtherStatus(state: PaymentState, line: ExternalLine): boolean {
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

/** A charge is on no statement until it is paid. */
function hasMoved({ facts, summary: { state } }: Payment): boolean {
  if (state === 'paid' || state === 'returned') return true
  return facts.kind !== 'qr' && (state === 'accepted' || state === 'unknown')
}
