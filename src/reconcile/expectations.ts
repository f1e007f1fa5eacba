import type { Finding, PaymentState } from '../ledger/paymentState.ts'
import { findingFromStatus, UNFINISHED } from '../ledger/statusMeaning.ts'
import { withoutAccents } from '../text/foldedText.ts'
import type { PaymentStatus } from '../wire/answers.ts'
import { amountDifferences, type Difference, type Direction, directionOf } from './tableFile.ts'

/** An id to look up and what its payment should be; null for what is not expected. */
export interface Expectation {
  idTransaction: string
  amountCents: number | null
  /** Of the amount; null if it has no sign. */
  direction: Direction | null
  status: string | null
  /** True for a row of a CSV with expectations: then a payment that is not found is `missing`. */
  isJudged: boolean
  /** True for an external id in the results of a batch, for which the gateway has no query. */
  isLocal: boolean
  /** What the results of a batch say of the row, as `not-sent`; null in other files. */
  outcome: string | null
}

export type ExpectationVerdict = 'match' | 'differs' | 'missing'

/** A verdict, and what differs if anything does. */
export interface ExpectationResult {
  verdict: ExpectationVerdict
  differences: readonly Difference[]
}

/** States of payments that were not made, came back, or may not have been made: they match only if exactly that is expected. */
const NOT_MADE: readonly (string | null)[] = ['not-sent', 'refused', 'unknown', 'not-paid', 'returned']

/** Whether a payment is what was expected; null if nothing was. `state` is what is known of it, null if it is not finished. */
export function compareExpectation(
  expected: Expectation,
  actual: Pick<PaymentStatus, 'status' | 'amountCents'>,
  kind: string,
  state: PaymentState | null,
): ExpectationResult | null {
  const { amountCents, status, isJudged } = expected
  if (amountCents === null && status === null && !isJudged) return null
  const differences = amountDifferences(expected, { direction: directionOf(kind), amountCents: actual.amountCents })
  if (status === null ? NOT_MADE.includes(state) : statusDiffers(status, actual.status, state))
    differences.push('status')
  return { verdict: differences.length > 0 ? 'differs' : 'match', differences }
}

/** Statuses in the service's own words and states are compared as they are, others by what they mean. */
function statusDiffers(expected: string, actual: string | null, state: PaymentState | null): boolean {
  if (expected.toLowerCase() === state) return false
  // Whether it was paid is open, whatever was expected.
  if (state === 'unknown') return true
  const known = actual?.toUpperCase() ?? ''
  if (expected.toUpperCase() === known) return false
  if (isServiceStatus(expected)) return true
  const meaning = findingFromStatusText(expected)
  return meaning === null ? !(isOpenStatus(expected) && isOpenStatus(known)) : meaning !== findingFromStatusText(known)
}

/** Statuses as banks and spreadsheets in Portuguese write them, without accents. */
const PORTUGUESE: readonly (readonly [RegExp, Finding | null])[] = [
  [/^nao (pag|efetiv|realizad|concluid|liquidad)/, 'not-paid'],
  [/^(devolvid|estornad|reembolsad|retornad)/, 'returned'],
  [/^(pag[oa]?$|pago\b|paga\b|liquidad|concluid|efetivad|efetuad|realizad|aprovad|confirmad|recebid|sucesso)/, 'paid'],
  [/^(cancelad|expirad|recusad|rejeitad|negad|falh|erro|vencid)/, 'not-paid'],
]

const NOT_PAID_YET = 'unpaid|(em )?aberto|a (pagar|receber)\\b'
const OPEN = new RegExp(
  `^(pending|processing|pendente|aguardando|em processamento|processando|agendad|${NOT_PAID_YET})`,
)
const UNPAID = new RegExp(`^(${NOT_PAID_YET})`)
const SERVICE_OPEN: readonly string[] = [...UNFINISHED, 'UNPAID']

/** True for a status in the service's own words. */
export function isServiceStatus(status: string): boolean {
  return findingFromStatus(status) !== null || SERVICE_OPEN.includes(status.toUpperCase())
}

/** True for a status that says that nothing is decided yet. */
export function isOpenStatus(status: string): boolean {
  return OPEN.test(withoutAccents(status.trim()))
}

/** True for a status that says that nothing was paid. `Pendente` does not: accounting programs use it for a line that is not reconciled yet. */
export function isUnpaidStatus(status: string): boolean {
  return findingFromStatusText(status) === 'not-paid' || UNPAID.test(withoutAccents(status.trim()))
}

/** The result that a status means for a payment, in the service's words or in Portuguese; null if it is not final. */
export function findingFromStatusText(status: string): Finding | null {
  const plain = withoutAccents(status.trim())
  return findingFromStatus(status.trim()) ?? PORTUGUESE.find(([pattern]) => pattern.test(plain))?.[1] ?? null
}
