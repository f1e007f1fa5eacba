import { describe, expect, it } from 'vitest'
import { assertRefundable, isStillRefundable } from '../../src/payments/refundable.ts'
import { REFUND_WINDOW_DAYS as DAYS } from '../../src/pix/calendar.ts'
import { Refused } from '../../src/wire/errors.ts'
import { NOON_MS } from '../ledger/paymentHistory.ts'
import { DAY_MS } from './paymentWorld.ts'

const NOTHING = { amountCents: null, paidAtMs: null }
const ago = (ms: number) => new Date(NOON_MS - ms).toISOString()
const check = (
  fields: Record<string, unknown>,
  refundedCents = 0,
  known: { amountCents: number | null; paidAtMs: number | null } = NOTHING,
) => assertRefundable('original-1', fields, known, refundedCents, NOON_MS)

/** The failure of a check: its message, code, outcome and exit code. */
function failureOf(...args: Parameters<typeof check>) {
  try {
    check(...args)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { code, outcome, exitCode } = error
    expect({ code, outcome, exitCode }).toEqual({ code: 'REFUND_NOT_ALLOWED', outcome: 'not-sent', exitCode: 1 })
    return error.message
  }
  return 'allowed'
}

describe('an original', () => {
  it.each(['PENDING', 'EXPIRED', 'CANCELLED', 'REFUNDED', 'UNPAID', 'PAID_OUT'])(
    'that is %s is not refunded',
    (status) => {
      expect(failureOf({ status })).toContain(`is ${status}, and only a PAID one can be refunded`)
    },
  )

  it('without a status is not refunded', () => {
    expect(failureOf({})).toContain('is —, and only a PAID one can be refunded')
  })

  it.each([{ status: 'PAID' }, { status: 'paid' }, { statusTransaction: 'PAID' }])('is refunded as %j', (fields) => {
    expect(failureOf(fields)).toBe('allowed')
  })

  it.each<[ms: number, daysLeft: number | null]>([
    [0, DAYS],
    [1, DAYS],
    [DAY_MS, DAYS - 1],
    [DAY_MS + 1, DAYS - 1],
    [(DAYS - 1) * DAY_MS, 1],
    [DAYS * DAY_MS - 1, 1],
    [DAYS * DAY_MS, 0],
    [DAYS * DAY_MS + 1, null],
    // The gateway's clock may be ahead.
    [-DAY_MS, DAYS],
  ])('paid %i ms ago has so many days left', (ms, daysLeft) => {
    const fields = { status: 'PAID', paidAt: ago(ms) }
    if (daysLeft === null) expect(failureOf(fields)).toContain(`can only be refunded for ${DAYS} days`)
    else expect(check(fields).daysLeft).toBe(daysLeft)
    expect(isStillRefundable({ amountCents: null, paidAtMs: NOON_MS - ms }, 0, NOON_MS)).toBe(daysLeft !== null)
  })

  it.each<[amount: number | null, refundedCents: number, leftCents: number | null | 'none']>([
    [10, 0, 1000],
    [10, 400, 600],
    [10, 999, 1],
    [10, 1000, 'none'],
    [10, 1001, 'none'],
    [10, Number.POSITIVE_INFINITY, 'none'],
    [null, 400, null],
    [null, Number.POSITIVE_INFINITY, 'none'],
  ])('of %s reais with %s cents refunded has so much left', (amount, refundedCents, leftCents) => {
    const fields = { status: 'PAID', amount }
    if (leftCents === 'none') expect(failureOf(fields, refundedCents)).toContain('was already refunded')
    else expect(check(fields, refundedCents)).toMatchObject({ leftCents, refundedCents })
    const amountCents = amount === null ? null : 1000
    expect(isStillRefundable({ amountCents, paidAtMs: null }, refundedCents, NOON_MS)).toBe(leftCents !== 'none')
  })

  it('is judged by what the ledger knows where the answer is silent, and by the answer where it is not', () => {
    const known = { amountCents: 500, paidAtMs: NOON_MS - (DAYS + 1) * DAY_MS }
    expect(failureOf({ status: 'PAID' }, 0, known)).toContain(`for ${DAYS} days`)
    const recent = { status: 'PAID', paidAt: ago(DAY_MS) }
    expect(check(recent, 0, known)).toMatchObject({ amountCents: 500, paidAtMs: NOON_MS - DAY_MS, leftCents: 500 })
    expect(check({ ...recent, amount: 7 }, 0, known)).toMatchObject({ amountCents: 700, leftCents: 700 })
    expect(check({ status: 'PAID' })).toEqual({
      amountCents: null,
      paidAtMs: null,
      refundedCents: 0,
      leftCents: null,
      daysLeft: null,
    })
  })
})
