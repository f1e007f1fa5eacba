import { describe, expect, it } from 'vitest'
import type { PaymentState } from '../../src/ledger/paymentState.ts'
import { resendRefusal } from '../../src/payments/attemptOutcomes.ts'
import { previewPayment, previewResume, tryPayment } from '../../src/payments/preview.ts'
import { singlePayment } from '../../src/payments/proposal.ts'
import { acceptedRepeats, NO_REPEATS, type RepeatOptions } from '../../src/payments/repeatOptions.ts'
import { transferToResume } from '../../src/payments/resumedPayment.ts'
import { REPEAT_DAYS } from '../../src/pix/calendar.ts'
import type { Account } from '../../src/profiles/account.ts'
import { NOON_MS, PaymentHistory } from '../ledger/paymentHistory.ts'
import { DAY_MS, HOUR_MS, type PaymentWorld, paymentWorld, proposalOf } from './paymentWorld.ts'
import { earlier, REFUND, TRANSFER, WHOLE } from './samplePayments.ts'

const OPTIONS: RepeatOptions = { again: false, inAdditionTo: [] }
const planned = (facts: typeof TRANSFER | typeof REFUND) => {
  const isRefund = facts.kind === 'refund'
  return singlePayment({ facts, externalId: isRefund ? null : 'new' }, { originalCents: isRefund ? 1000 : null })
}

describe('what a question shows', () => {
  it('is how often the key was paid, when last, the sum of the day and the payees of the key', async () => {
    const world = paymentWorld()
    const preview = () => previewPayment(world.context(), planned(TRANSFER), OPTIONS)
    const nothing = { paidBefore: { count: 0, lastMs: null }, sentTodayCents: 0, refundedCents: 0 }
    expect(await preview()).toEqual({
      ...nothing,
      accepted: NO_REPEATS,
      payees: [],
      settledEarlier: null,
      sentUnder: null,
    })
    await world.pay({ ...TRANSFER, amountCents: 1 }, 'accepted', { externalId: 'a' })
    world.nowMs += HOUR_MS
    await world.pay({ ...TRANSFER, amountCents: 2 }, 'unknown', { externalId: 'b' })
    await world.pay({ ...TRANSFER, amountCents: 3 }, 'refused', { externalId: 'c' })
    await world.pay({ ...TRANSFER, key: 'joao@example.com' }, 'accepted', { externalId: 'd' })
    await world.payee('Maria')
    expect(await preview()).toMatchObject({
      ...{ paidBefore: { count: 2, lastMs: NOON_MS + HOUR_MS }, sentTodayCents: 1003 },
      payees: [{ name: 'Maria', state: 'new' }],
    })
  })

  it('is what was refunded, and no payee', async () => {
    const world = paymentWorld()
    await world.pay({ ...REFUND, amountCents: 300 }, 'accepted', { originalCents: 1000 })
    const preview = await previewPayment(world.context(), planned(REFUND), OPTIONS)
    expect(preview).toMatchObject({ refundedCents: 300, payees: [], paidBefore: { count: 1 }, sentTodayCents: 300 })
  })

  it('is the newest of the same amount that only a person says was not made', async () => {
    const world = paymentWorld()
    await earlier(world, TRANSFER, 'not-paid')
    world.nowMs += REPEAT_DAYS * DAY_MS + 1
    const second = await world.pay(TRANSFER, 'unknown', { externalId: 'second' })
    await world.settle(second, 'not-paid')
    await world.pay(TRANSFER, 'refused', { externalId: 'third', accepted: [second] })
    world.nowMs += REPEAT_DAYS * DAY_MS + 1
    const preview = await previewPayment(world.context(), planned(TRANSFER), OPTIONS)
    expect(preview).toMatchObject({ settledEarlier: { id: second }, paidBefore: { count: 0 } })
    const other = planned({ ...TRANSFER, amountCents: 1 })
    expect((await previewPayment(world.context(), other, OPTIONS)).settledEarlier).toBeNull()
  })

  it('is when the same amount was sent to the same key under the id that was typed, however long ago', async () => {
    const world = paymentWorld()
    const sent = await world.pay(TRANSFER, 'accepted', { externalId: 'NF-3' })
    await world.settle(sent, 'paid')
    world.nowMs += 25 * DAY_MS
    const under = async (externalId: string, differences = {}, isIdMadeUp = false) => {
      const wanted = singlePayment({ facts: { ...TRANSFER, ...differences }, externalId }, { isIdMadeUp })
      return (await previewPayment(world.context(), wanted, OPTIONS)).sentUnder
    }
    expect(await under('nf 3')).toMatchObject({ shown: 'NF-3', sentMs: NOON_MS, isPaid: true })
    for (const other of [under('nf 4'), under('nf 3', { amountCents: 1 }), under('nf 3', {}, true), under('other')])
      expect(await other).toBeNull()
  })

  it('is nothing if the payment is not allowed', async () => {
    const world = paymentWorld()
    await earlier(world, TRANSFER, 'accepted')
    const preview = (options: Partial<RepeatOptions>, differences: Partial<Account> = {}) =>
      previewPayment(world.context(differences), planned(TRANSFER), { ...OPTIONS, ...options })
    await expect(preview({})).rejects.toMatchObject({ code: 'REPEAT', exitCode: 2, outcome: 'not-sent' })
    await expect(preview({ again: true })).rejects.toMatchObject({ code: 'REPEAT' })
    expect((await preview({ inAdditionTo: ['old'] })).accepted.ids).toHaveLength(1)
    expect((await preview({ again: true }, { environment: 'sandbox' })).accepted.throughSeq).toBeGreaterThan(0)
    const limited = preview({ inAdditionTo: ['old'] }, { maxDayCents: 1999 })
    await expect(limited).rejects.toMatchObject({ code: 'OVER_LIMIT' })
    await preview({ inAdditionTo: ['old'] }, { maxDayCents: 2000 })
  })

  it('of a transfer that is sent again leaves that out', async () => {
    const world = paymentWorld()
    await world.pay({ ...TRANSFER, amountCents: 1 }, 'accepted', { externalId: 'a' })
    await earlier(world, TRANSFER, 'unknown')
    const preview = async () => {
      const { account } = world.context()
      const store = { active: null, profiles: new Map() }
      const own = (await world.payments()).filter(({ givenId }) => givenId === 'old')
      return previewResume(world.context(), transferToResume(own, 'old', { account, store }))
    }
    expect(await preview()).toMatchObject({ paidBefore: { count: 1, lastMs: NOON_MS }, sentTodayCents: 1 })
    world.nowMs += 13 * HOUR_MS
    expect(await preview()).toMatchObject({ paidBefore: { count: 1 }, sentTodayCents: 0, settledEarlier: null })
  })
})

describe('repeats that options accept', () => {
  async function two() {
    const world = paymentWorld()
    const first = await earlier(world, TRANSFER, 'accepted')
    const other = await world.pay({ ...TRANSFER, key: 'joao@example.com' }, 'accepted', { externalId: 'other' })
    return { world, first, other }
  }
  const accepted = (
    world: PaymentWorld,
    options: Partial<RepeatOptions>,
    differences: Partial<Account> = {},
    lastSeq?: number,
  ) =>
    world.ledger.read((database) =>
      acceptedRepeats(database, world.context(differences).account, TRANSFER, { ...OPTIONS, ...options }, lastSeq),
    )

  it('are those that are named, of this account and target, that were known when a person was asked', async () => {
    const { world, first } = await two()
    const named = { inAdditionTo: ['old', 'other', 'nothing'] }
    expect(await accepted(world, named)).toEqual({ ...NO_REPEATS, ids: [first] })
    expect(await accepted(world, { ...named, again: true })).toEqual({ ...NO_REPEATS, ids: [first] })
    expect(await accepted(world, named, { clientId: 'c-2' })).toEqual(NO_REPEATS)
    const { seq } = (await world.payment(first)).first
    expect(await accepted(world, named, {}, seq)).toEqual({ ...NO_REPEATS, ids: [first] })
    expect(await accepted(world, named, {}, seq - 1)).toEqual(NO_REPEATS)
  })

  it('are all until now with --again, in a sandbox only', async () => {
    const { world } = await two()
    const sandbox = { environment: 'sandbox' } as const
    const newest = await world.ledger.read((database) => database.get('SELECT max(seq) AS seq FROM record')?.seq)
    expect(await accepted(world, { again: true })).toEqual(NO_REPEATS)
    expect(await accepted(world, { again: true }, sandbox)).toEqual({ ...NO_REPEATS, throughSeq: newest })
    expect(await accepted(world, { again: true }, sandbox, 2)).toEqual({ ...NO_REPEATS, throughSeq: 2 })
    expect(await accepted(world, {}, sandbox)).toEqual(NO_REPEATS)
  })

  it('keep a chargeback that is accepted', async () => {
    const { world } = await two()
    const despite = { despiteChargeback: true }
    for (const options of [{}, { again: true }, { inAdditionTo: ['nothing'] }]) {
      expect(await accepted(world, { ...options, ...despite })).toEqual({ ...NO_REPEATS, ...despite })
    }
    const all = await accepted(world, { again: true, ...despite }, { environment: 'sandbox' })
    expect(all).toMatchObject({ ...despite, ids: [] })
  })
})

describe('a dry run', () => {
  it('applies the rules, gives the request, and records nothing', async () => {
    const world = paymentWorld()
    const request = await tryPayment(world.context(), proposalOf(TRANSFER), TRANSFER)
    expect(request).toMatchObject({ method: 'POST', url: expect.stringMatching(/\/api\/v1\/gateway\/pix-payment$/) })
    expect(JSON.parse(String(request.body))).toMatchObject({ value: 10, externalId: 'new' })
    const refund = await tryPayment(world.context(), proposalOf(WHOLE), WHOLE)
    expect(String(refund.url)).toMatch(/\/api\/v2\/gateway\/pix-refund$/)
    expect(await world.payments()).toEqual([])
  })

  it('refuses what the real run would refuse', async () => {
    const world = paymentWorld()
    await earlier(world, TRANSFER, 'accepted')
    const trial = (differences: Partial<Account>, facts = TRANSFER) =>
      tryPayment(world.context(differences), proposalOf(facts), facts)
    await expect(trial({})).rejects.toMatchObject({ code: 'REPEAT', exitCode: 2 })
    const other = { ...TRANSFER, amountCents: 1 }
    await expect(trial({ readOnly: true }, other)).rejects.toThrow('read-only')
    await expect(trial({ maxDayCents: 1000 }, other)).rejects.toMatchObject({ code: 'OVER_LIMIT' })
    expect((await world.payments()).map(({ summary }): PaymentState => summary.state)).toEqual(['accepted'])
  })
})

describe('the refusal of the same bytes again that only a cause which is fixed would change', () => {
  it.each<[string, PaymentHistory, string | null]>([
    [
      'of the payment',
      new PaymentHistory()
        .attempt()
        .answer('unknown')
        .resend()
        .answer('unknown', { code: 'NO_FUNDS', httpStatus: 400 }),
      'NO_FUNDS',
    ],
    [
      'of the caller',
      new PaymentHistory().attempt().answer('unknown').resend().answer('unknown', { code: 'X_Y', httpStatus: 403 }),
      null,
    ],
    [
      'as too much',
      new PaymentHistory().attempt().answer('unknown').resend().answer('unknown', { code: 'X_Y', httpStatus: 429 }),
      null,
    ],
    [
      'as a stranger',
      new PaymentHistory().attempt().answer('unknown').resend().answer('unknown', { code: 'X_Y', httpStatus: 401 }),
      null,
    ],
    [
      'without a code',
      new PaymentHistory().attempt().answer('unknown').resend().answer('unknown', { httpStatus: 400 }),
      null,
    ],
    [
      'while it is sent again',
      new PaymentHistory().attempt().answer('unknown', { code: 'NO_FUNDS', httpStatus: 400 }).resend(),
      null,
    ],
    [
      'of a process that ended',
      new PaymentHistory().attempt().answer('unknown').resend().answer('unknown', { code: 'SENDER_ENDED' }),
      null,
    ],
    [
      'of the first request',
      new PaymentHistory().attempt().answer('unknown', { code: 'NO_FUNDS', httpStatus: 400 }),
      null,
    ],
    ['that has no answer', new PaymentHistory().attempt(), null],
    [
      'of a payment that is paid',
      new PaymentHistory()
        .attempt()
        .answer('unknown')
        .resend()
        .answer('unknown', { code: 'NO_FUNDS', httpStatus: 400 })
        .finding('paid'),
      null,
    ],
    [
      'of a payment that was refused',
      new PaymentHistory().attempt().answer('refused', { code: 'NO_FUNDS', httpStatus: 400 }),
      null,
    ],
  ])('%s', (_name, { summary }, code) => {
    expect(resendRefusal(summary)).toBe(code)
  })
})
