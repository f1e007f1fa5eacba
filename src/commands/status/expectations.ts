import { type AnswerFields, readPaymentState } from '../../wire/answers.ts'

/** An id to ask for and what its payment should be; null where nothing is expected. */
export interface Expectation {
  idTransaction: string
  amountCents: number | null
  status: string | null
  /** True for a row of a CSV with expectations: then a payment that is not found is `missing`. */
  isJudged: boolean
}

export type Verdict = 'match' | 'differs' | 'missing'

/** Whether a payment is what was expected; null where nothing was. */
export function judge(expected: Expectation, fields: AnswerFields): Verdict | null {
  if (expected.amountCents === null && expected.status === null) return expected.isJudged ? 'match' : null
  const state = readPaymentState(fields)
  const amountDiffers = expected.amountCents !== null && expected.amountCents !== state.amountCents
  const statusDiffers = expected.status !== null && expected.status !== state.status?.toUpperCase()
  return amountDiffers || statusDiffers ? 'differs' : 'match'
}
