import { type AnswerFields, readPaymentState } from '../../wire/answers.ts'
import { isOpenStatus, isServiceStatus, meaningOfStatusWord } from '../columnWords.ts'
import type { Difference } from '../listColumns.ts'
import { type Direction, directionOf } from '../signedAmount.ts'

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
}

export type Verdict = 'match' | 'differs' | 'missing'

/** A verdict, and what differs if anything does. */
export interface Judgement {
  verdict: Verdict
  differences: readonly Difference[]
}

/** Whether a payment is what was expected; null if nothing was. What may or may not have been paid matches no amount. */
export function judge(expected: Expectation, fields: AnswerFields, kind: string, isUnknown: boolean): Judgement | null {
  const { amountCents, direction, status } = expected
  if (amountCents === null && status === null) return expected.isJudged ? { verdict: 'match', differences: [] } : null
  const actual = readPaymentState(fields)
  const differences: Difference[] = []
  if (amountCents !== null && amountCents !== actual.amountCents) differences.push('amount')
  if (direction !== null && direction !== directionOf(kind)) differences.push('sign')
  if (isUnknown || (status !== null && statusDiffers(status, actual.status))) differences.push('status')
  return { verdict: differences.length > 0 ? 'differs' : 'match', differences }
}

/** Statuses in the service's own words are compared as they are, others by what they mean. */
function statusDiffers(expected: string, actual: string | null): boolean {
  const known = actual?.toUpperCase() ?? ''
  if (expected.toUpperCase() === known) return false
  if (isServiceStatus(expected)) return true
  const meaning = meaningOfStatusWord(expected)
  return meaning === null ? !(isOpenStatus(expected) && isOpenStatus(known)) : meaning !== meaningOfStatusWord(known)
}
