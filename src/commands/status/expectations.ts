import { type AnswerFields, readPaymentState } from '../../wire/answers.ts'
import { type Direction, isOpenStatus, isServiceStatus, meaningOfStatusWord } from '../foreignTable.ts'

/** An id to look up and what its payment should be; null for what is not expected. */
export interface Expectation {
  idTransaction: string
  amountCents: number | null
  /** Of the amount; null if it has no sign. */
  direction: Direction | null
  status: string | null
  /** True for a row of a CSV with expectations: then a payment that is not found is `missing`. */
  isJudged: boolean
}

export type Verdict = 'match' | 'differs' | 'missing'

/** Whether a payment is what was expected; null if nothing was. Only charges bring money in. */
export function judge(expected: Expectation, fields: AnswerFields, kind: string): Verdict | null {
  const { amountCents, direction, status } = expected
  if (amountCents === null && status === null) return expected.isJudged ? 'match' : null
  const actual = readPaymentState(fields)
  const amountDiffers = amountCents !== null && amountCents !== actual.amountCents
  const signDiffers = direction !== null && direction !== (kind === 'qr' ? 'credit' : 'debit')
  return amountDiffers || signDiffers || (status !== null && statusDiffers(status, actual.status)) ? 'differs' : 'match'
}

/** Statuses in the service's own words are compared as they are, others by what they mean. */
function statusDiffers(expected: string, actual: string | null): boolean {
  const known = actual?.toUpperCase() ?? ''
  if (expected.toUpperCase() === known) return false
  if (isServiceStatus(expected)) return true
  const meaning = meaningOfStatusWord(expected)
  return meaning === null ? !(isOpenStatus(expected) && isOpenStatus(known)) : meaning !== meaningOfStatusWord(known)
}
