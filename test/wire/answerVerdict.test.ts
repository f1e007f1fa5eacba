import { expect, it } from 'vitest'
import { CASH_OUT_CODES, ENDPOINT_CODES } from '../../src/sandbox/faultKinds.ts'
import { judgePost, judgeQuery } from '../../src/wire/answerVerdict.ts'

const ID = 'a1'

it.each<[string, number, Record<string, unknown> | undefined, string]>([
  ['a plain success', 200, { idTransaction: ID, status: 'PROCESSING', response: 'OK' }, 'accepted'],
  ['any 2xx', 202, { idTransaction: ID }, 'accepted'],
  ['FAILED in a success', 200, { idTransaction: ID, status: 'FAILED' }, 'refused'],
  ['FAILED under the other name', 200, { idTransaction: ID, statusTransaction: 'FAILED' }, 'refused'],
  ['FAILED in other letters', 200, { idTransaction: ID, status: 'failed' }, 'accepted'],
  ['FAILED in other letters without an id', 200, { status: 'Failed' }, 'unknown'],
  ['FAILED with a space', 200, { idTransaction: ID, status: 'FAILED ' }, 'accepted'],
  ['a known code in message', 200, { idTransaction: ID, message: 'NO_FUNDS' }, 'refused'],
  ['a known code in response', 200, { idTransaction: ID, response: 'PIX_KEY_NOT_FOUND' }, 'refused'],
  ['an unknown code in errorCode', 200, { idTransaction: ID, errorCode: 'SOMETHING_NEW' }, 'accepted'],
  ['an unknown code in error', 200, { idTransaction: ID, error: 'NO_ERROR' }, 'accepted'],
  ['a known code in other letters', 200, { idTransaction: ID, message: 'no_funds' }, 'accepted'],
  ['a known code with more around it', 200, { idTransaction: ID, message: 'NO_FUNDS_CHECKED' }, 'accepted'],
  ['a known code behind a word', 200, { idTransaction: ID, message: 'IN_PROCESS', errorCode: 'NO_FUNDS' }, 'refused'],
  ['a status that is not known', 200, { idTransaction: ID, status: 'WAITING_FOR_APPROVAL' }, 'accepted'],
  ['a success in the peer’s own words', 200, { idTransaction: ID, message: 'PIX_SENT' }, 'accepted'],
  ['an unknown code without an id', 200, { message: 'SOMETHING_NEW' }, 'unknown'],
  ['no id', 200, { status: 'PROCESSING' }, 'unknown'],
  ['a blank id', 200, { idTransaction: '  ' }, 'unknown'],
  ['nothing readable', 200, undefined, 'unknown'],
  ['a readable 400', 400, { message: 'NO_FUNDS' }, 'refused'],
  ['an unreadable 400', 400, undefined, 'refused'],
  ['a 408', 408, undefined, 'unknown'],
  ['a 302', 302, undefined, 'unknown'],
  ['a 500 with a code', 500, { message: 'NO_FUNDS' }, 'unknown'],
])('%s', (_name, httpStatus, fields, outcome) => {
  expect(judgePost(httpStatus, fields).outcome).toBe(outcome)
})

/** The codes that the service specification lists. */
const SPECIFIED = [
  'INVALID_AMOUNT',
  'INVALID_TRANSACTION_ID',
  'INVALID_CREDENTIALS',
  'TRANSACTION_NOT_FOUND',
  'REFUND_NOT_ALLOWED',
  'NO_FUNDS',
  'PIX_KEY_NOT_FOUND',
  'DOCUMENT_VALIDATE',
  'DUPLICATE_EXTERNAL_ID',
  'UNAUTHORIZED_IP',
]

it('takes only the codes of the specification for a refusal beside a success status', () => {
  const beyond = [...CASH_OUT_CODES, ...ENDPOINT_CODES].filter((code) => !SPECIFIED.includes(code))
  expect(beyond).toEqual(['ACCOUNT_DOCUMENTS_NOT_VALIDATED', 'OPERATION_EXCEEDS_LIMIT', 'WRONG_DATA_FORMAT'])
  const outcomesOf = (codes: readonly string[]) =>
    new Set(codes.map((code) => judgePost(200, { idTransaction: ID, message: code }).outcome))
  expect(outcomesOf(SPECIFIED)).toEqual(new Set(['refused']))
  expect(outcomesOf([...beyond, 'AC03'])).toEqual(new Set(['accepted']))
})

const STATUSES = Array.from({ length: 500 }, (_, index) => index + 100)

it('judges every status of a payment that was answered with an id', () => {
  const withOutcome = (outcome: string) =>
    STATUSES.filter((status) => judgePost(status, { idTransaction: ID }).outcome === outcome)
  expect(withOutcome('accepted')).toEqual(STATUSES.slice(100, 200))
  expect(withOutcome('refused')).toEqual(STATUSES.slice(300, 400).filter((status) => status !== 408))
})

it.each([
  [500, {}, 'status'],
  [200, undefined, 'unreadable'],
  [200, {}, 'no-id'],
])('tells why the outcome of %d with %j is unknown', (httpStatus, fields, why) => {
  expect(judgePost(httpStatus, fields)).toEqual({ outcome: 'unknown', why })
})

it('takes a query for answered by a 2xx with an object and no error code', () => {
  const fields = { status: 'PAID' }
  expect(STATUSES.filter((status) => judgeQuery(status, fields).usable)).toEqual(STATUSES.slice(100, 200))
  expect(judgeQuery(200, fields)).toEqual({ usable: true, fields })
  expect(judgeQuery(200, undefined)).toMatchObject({ usable: false, why: 'unreadable' })
  expect(judgeQuery(200, { errorCode: 'SOMETHING_NEW' })).toMatchObject({
    usable: false,
    why: 'status',
    answerError: { code: 'SOMETHING_NEW' },
  })
  expect(judgeQuery(200, { status: 'PAID', message: 'TRANSACTION_NOT_FOUND' })).toMatchObject({ usable: false })
  expect(judgeQuery(200, { status: 'PAID', message: 'PAYMENT_FOUND' })).toMatchObject({ usable: true })
  expect(judgeQuery(404, undefined)).toMatchObject({ usable: false, why: 'status' })
})
