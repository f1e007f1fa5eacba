import { describe, expect, it } from 'vitest'
import { checkRepeats } from '../../src/money/repeats.ts'
import type { MoneyIntent } from '../../src/timeline/records.ts'
import type { Transaction, TransactionState } from '../../src/timeline/transactions.ts'
import { Failure } from '../../src/wire/errors.ts'
import { account, DAY_MS, earlier, NOW_MS, refundIntent, transferIntent } from './earlier.ts'

interface Wish {
  again?: boolean
  inAdditionTo?: string
  environment?: 'sandbox' | 'production'
}

/** Undefined where the payment may go, else the sentence that stops it. */
function judged(before: Transaction[], wanted: MoneyIntent, wish: Wish = {}): string | undefined {
  const { again = false, inAdditionTo, environment = 'sandbox' } = wish
  try {
    checkRepeats(before, wanted, account({ environment }), { again, inAdditionTo }, NOW_MS)
    return undefined
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    expect([error.code, error.exitCode]).toEqual(['REPEAT', 2])
    return error.message
  }
}

const old = transferIntent({ externalId: 'old' })
const SENT = 'The same payment was sent already'
const DOUBT = 'The same transfer is in doubt, so it is not sent under another id'

describe('the state of the same transfer before', () => {
  it.each<[TransactionState, string | undefined, string | undefined]>([
    ['accepted', SENT, undefined],
    ['paid', SENT, undefined],
    ['unknown', DOUBT, DOUBT],
    ['refused', undefined, undefined],
    ['not-sent', undefined, undefined],
    ['not-paid', undefined, undefined],
    ['returned', undefined, undefined],
  ])('%s', (state, plain, withAgain) => {
    expect(judged([earlier(old, state)], transferIntent())).toBe(plain)
    expect(judged([earlier(old, state)], transferIntent(), { again: true })).toBe(withAgain)
    expect(judged([earlier(old, state)], transferIntent(), { inAdditionTo: 'old' })).toBe(withAgain)
  })
})

describe('production', () => {
  const before = [earlier(old, 'accepted')]
  it.each<[string, Wish, string | undefined]>([
    ['--again is not enough', { again: true }, SENT],
    ['another id is not enough', { inAdditionTo: 'other' }, SENT],
    ['the earlier id is', { inAdditionTo: 'old' }, undefined],
  ])('%s', (_name, wish, sentence) => {
    expect(judged(before, transferIntent(), { ...wish, environment: 'production' })).toBe(sentence)
  })
})

describe('what is the same payment', () => {
  const before = [earlier(old, 'accepted')]
  it.each<[string, MoneyIntent, string | undefined]>([
    ['another amount', transferIntent({ amountCents: 1001 }), undefined],
    ['another key', transferIntent({ key: 'joao@example.com' }), undefined],
    ['the key in capitals', transferIntent({ key: 'MARIA@example.com' }), SENT],
    ['a refund', refundIntent({ amountCents: 1000 }), undefined],
    ['the same externalId for another payment', transferIntent({ externalId: 'old', amountCents: 5 }), SENT],
  ])('%s', (_name, wanted, sentence) => {
    expect(judged(before, wanted)).toBe(sentence)
  })

  it('a mobile number with and without +55', () => {
    const national = earlier(transferIntent({ key: '62999998888', externalId: 'old' }), 'accepted')
    expect(judged([national], transferIntent({ key: '+5562999998888' }))).toBe(SENT)
  })

  it('not of another client id or address', () => {
    expect(judged([earlier({ ...old, clientId: 'c-2' }, 'unknown')], transferIntent())).toBeUndefined()
    expect(
      judged([earlier({ ...old, baseUrl: 'https://other.example.com' }, 'unknown')], transferIntent()),
    ).toBeUndefined()
  })

  it('after six days only while it is in doubt', () => {
    const sixDays = { ageMs: 6 * DAY_MS }
    const more = { ageMs: 6 * DAY_MS + 1 }
    expect(judged([earlier(old, 'accepted', sixDays)], transferIntent())).toBe(SENT)
    expect(judged([earlier(old, 'accepted', more)], transferIntent())).toBeUndefined()
    expect(judged([earlier(old, 'unknown', more)], transferIntent())).toBe(DOUBT)
  })
})

describe('refunds', () => {
  const RETURNED = 'The same amount of original was returned already'
  const IN_DOUBT = 'A refund of original is in doubt, so no other one is sent'
  const whole = refundIntent({ amountCents: null, isWhole: true })
  it.each<[string, Transaction, MoneyIntent, Wish, string | undefined]>([
    ['the same amount', earlier(refundIntent(), 'accepted'), refundIntent(), {}, RETURNED],
    ['the same amount, meant', earlier(refundIntent(), 'accepted'), refundIntent(), { again: true }, undefined],
    ['another amount', earlier(refundIntent(), 'accepted'), refundIntent({ amountCents: 400 }), {}, undefined],
    [
      'another amount, one in doubt',
      earlier(refundIntent(), 'unknown'),
      refundIntent({ amountCents: 1 }),
      { again: true },
      IN_DOUBT,
    ],
    [
      'another original, one in doubt',
      earlier(refundIntent(), 'unknown'),
      refundIntent({ originalTransactionId: 'b' }),
      {},
      undefined,
    ],
    ['all of it twice', earlier({ ...whole, amountCents: 900 }, 'accepted'), whole, {}, RETURNED],
    ['a transfer in doubt', earlier(old, 'unknown'), refundIntent(), {}, undefined],
  ])('%s', (_name, before, wanted, wish, sentence) => {
    expect(judged([before], wanted, wish)).toBe(sentence)
  })

  it('names the earlier refund by its own id in production', () => {
    const before = [earlier(refundIntent(), 'accepted', { idTransaction: 'refund-9' })]
    expect(judged(before, refundIntent(), { environment: 'production', inAdditionTo: 'refund-9' })).toBeUndefined()
  })
})

it('names the earlier payment, its time, user and outcome', () => {
  try {
    checkRepeats(
      [earlier(old, 'accepted')],
      transferIntent(),
      account(),
      { again: false, inAdditionTo: undefined },
      NOW_MS,
    )
    expect.unreachable()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    expect(error.details).toEqual(['Earlier: old, 20/11/2026 12:00:00 BRT, by joao on desk, accepted'])
    expect(error.hint).toBe('If it must be paid once more, send a new one with `--in-addition-to old`')
    expect(error.externalId).toBe('old')
  }
})
