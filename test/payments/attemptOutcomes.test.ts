import { describe, expect, it } from 'vitest'
import type { PostOutcome } from '../../src/gateway/exchange.ts'
import type { AttemptRecord, LedgerRecord } from '../../src/ledger/records.ts'
import { answerRecordOf, unrecordedFailure } from '../../src/payments/attemptOutcomes.ts'
import { Refused, UsageError } from '../../src/wire/errors.ts'
import { PaymentHistory } from '../ledger/paymentHistory.ts'
import { place } from './samplePayments.ts'

function refused(code: string | null): PostOutcome {
  return { outcome: 'refused', httpStatus: 400, answerError: { code, description: 'no' }, retryAfterMs: null }
}
const ACCEPTED: PostOutcome = {
  outcome: 'accepted',
  httpStatus: 200,
  idTransaction: 'id-1',
  fields: { idTransaction: 'id-1', status: 'PROCESSING', amount: 10.5 },
}
const UNKNOWN: PostOutcome = { outcome: 'unknown', httpStatus: 500, why: 'status' }
const NOT_SENT: PostOutcome = { outcome: 'not-sent', fault: 'interrupted', code: 'NEVER_SENT' }
const HELD = refused('DUPLICATE_EXTERNAL_ID')

/** The first attempt of a payment, as far as its answer depends on it. */
function attemptWith(differences: Partial<AttemptRecord> = {}): LedgerRecord<AttemptRecord> {
  const [record] = new PaymentHistory().attempt('derived', differences).records
  if (record?.type !== 'attempt') throw new Error('it is no attempt')
  return record
}

const DERIVED = { place: place('run-1', 2), rowId: 'derived' }

describe('what the answer to an attempt means', () => {
  it.each<[string, PostOutcome, isResend: boolean, string]>([
    ['an acceptance', ACCEPTED, false, 'accepted'],
    ['an acceptance of the same bytes again', ACCEPTED, true, 'accepted'],
    ['a refusal', refused('NO_FUNDS'), false, 'refused'],
    // It says nothing about the first request.
    ['a refusal of the same bytes again', refused('NO_FUNDS'), true, 'unknown'],
    ['a refusal without a code of the same bytes again', refused(null), true, 'unknown'],
    ['an unknown outcome', UNKNOWN, false, 'unknown'],
    ['nothing sent', NOT_SENT, false, 'not-sent'],
    ['nothing sent of the same bytes again', NOT_SENT, true, 'not-sent'],
    ['an id that the gateway holds, typed and sent for the first time', HELD, false, 'refused'],
    ['an id that the gateway holds, sent again', HELD, true, 'accepted-before'],
  ])('%s', (_name, result, isResend, outcome) => {
    expect(answerRecordOf({ record: attemptWith(), isResend }, result).outcome).toBe(outcome)
  })

  it.each<[string, Partial<AttemptRecord>, string]>([
    ['derived from a file', DERIVED, 'accepted-before'],
    ['typed in a file', { ...DERIVED, place: { ...place('run-1', 2), isDerivedId: false } }, 'refused'],
    ['of a further attempt', { ...DERIVED, number: 2 }, 'refused'],
    ['other than that of its row', { ...DERIVED, rowId: 'another' }, 'refused'],
  ])('an id that the gateway holds, %s', (_name, differences, outcome) => {
    expect(answerRecordOf({ record: attemptWith(differences), isResend: false }, HELD).outcome).toBe(outcome)
  })

  it('is recorded with all that the gateway said', () => {
    const record = attemptWith()
    const nothing = { idTransaction: null, status: null, code: null, message: null, amountCents: null }
    const of = { type: 'answer', payment: record.payment, attempt: record.id }
    const answerTo = (result: PostOutcome) => answerRecordOf({ record, isResend: false }, result)
    expect(answerTo(ACCEPTED)).toEqual({
      ...{ ...of, outcome: 'accepted', idTransaction: 'id-1', status: 'PROCESSING' },
      ...{ code: null, message: null, httpStatus: 200, amountCents: 1050 },
    })
    expect(answerTo(refused('NO_FUNDS'))).toEqual({
      ...{ ...of, ...nothing, outcome: 'refused', code: 'NO_FUNDS', message: 'no', httpStatus: 400 },
    })
    expect(answerTo(UNKNOWN)).toEqual({ ...of, ...nothing, outcome: 'unknown', httpStatus: 500 })
    expect(answerTo(NOT_SENT)).toEqual({ ...of, ...nothing, outcome: 'not-sent', httpStatus: null })
    const late = { ...UNKNOWN, gatewayMs: Date.UTC(2026, 10, 22) }
    expect(answerTo(late)).toMatchObject({ gatewayAt: '2026-11-22T00:00:00.000Z' })
  })

  it('is accepted-before without the code of the refusal', () => {
    expect(answerRecordOf({ record: attemptWith(), isResend: true }, HELD)).toMatchObject({ code: null, message: 'no' })
  })
})

it('shows an answer that could not be recorded with its own words and exit code 5', () => {
  const answered = new Refused('no funds', {
    code: 'NO_FUNDS',
    details: ['one'],
    hint: 'wait',
    httpStatus: 400,
    externalId: 'a',
  })
  const unrecorded = new UsageError('the disk is full', { hint: 'free some space' })
  expect(unrecordedFailure(answered, unrecorded)).toMatchObject({
    ...{ message: 'no funds', code: 'NO_FUNDS', httpStatus: 400, outcome: 'refused', externalId: 'a', exitCode: 5 },
    ...{ details: ['one', 'This answer could not be recorded: the disk is full'], hint: 'free some space' },
  })
})
