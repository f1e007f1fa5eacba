import { expect, it } from 'vitest'
import { checkLimits, sentTodayCents } from '../../src/money/limits.ts'
import { Failure } from '../../src/wire/errors.ts'
import { account, DAY_MS, earlier, NOW_MS, refundIntent, transferIntent } from './earlier.ts'

const HOUR_MS = 60 * 60 * 1000

const before = [
  earlier(transferIntent({ amountCents: 100 }), 'accepted', { ageMs: HOUR_MS }),
  earlier(transferIntent({ amountCents: 20 }), 'unknown', { ageMs: 11 * HOUR_MS }),
  earlier(refundIntent({ amountCents: 3 }), 'accepted', { ageMs: 2 * HOUR_MS }),
  earlier(transferIntent({ amountCents: 5000 }), 'accepted', { ageMs: 12 * HOUR_MS + 1 }),
  earlier(transferIntent({ amountCents: 5000 }), 'accepted', { ageMs: DAY_MS }),
  earlier(transferIntent({ amountCents: 5000 }), 'refused', { ageMs: HOUR_MS }),
  earlier(transferIntent({ amountCents: 5000 }), 'not-sent', { ageMs: HOUR_MS }),
  earlier(transferIntent({ amountCents: 5000, clientId: 'c-2' }), 'accepted', { ageMs: HOUR_MS }),
]

function refusal(amountCents: number | null, limits: { maxAmountCents?: number; maxDayCents?: number }): string | null {
  try {
    checkLimits(before, amountCents, account(limits), NOW_MS)
    return null
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    expect([error.code, error.exitCode]).toEqual(['OVER_LIMIT', 2])
    return error.message
  }
}

it('adds up what may have left since midnight in São Paulo', () => {
  expect(sentTodayCents(before, account(), NOW_MS)).toBe(123)
})

it('binds one payment', () => {
  expect(refusal(1000, { maxAmountCents: 1000 })).toBeNull()
  expect(refusal(1001, { maxAmountCents: 1000 })).toBe(
    'R$ 10,01 is more than the profile prod allows for one payment, which is R$ 10,00',
  )
})

it('binds the day', () => {
  expect(refusal(877, { maxDayCents: 1000 })).toBeNull()
  expect(refusal(878, { maxDayCents: 1000 })).toBe(
    'R$ 1,23 was sent today, and with R$ 8,78 more the limit of R$ 10,00 a day is passed',
  )
})

it('allows an unknown amount only where nothing is limited', () => {
  expect(refusal(null, {})).toBeNull()
  expect(refusal(null, { maxDayCents: 1 })).toBe(
    'The profile prod has limits, and the amount of this refund is not known',
  )
})
