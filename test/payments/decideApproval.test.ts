import { describe, expect, it } from 'vitest'
import type { MoneyPayment } from '../../src/ledger/facts.ts'
import type { PaymentState } from '../../src/ledger/paymentState.ts'
import { NO_REPEATS } from '../../src/payments/repeatOptions.ts'
import { paymentWorld, proposalOf, why } from './paymentWorld.ts'
import { earlier, REFUND, TRANSFER, WHOLE } from './samplePayments.ts'

const OTHER: MoneyPayment = { ...TRANSFER, key: 'joao@example.com' }

describe('an account whose payments of R$ 30,00 and more, one or all of a day, need a plan', () => {
  const FROM = 3000
  /** What was sent today without a plan: R$ 20,00. */
  async function afterTwenty(state: PaymentState = 'accepted') {
    const world = paymentWorld()
    await earlier(world, { ...TRANSFER, amountCents: 2000 }, state)
    await world.rule('approvalFromCents', FROM)
    return world
  }

  it.each<[number, string | undefined]>([
    [999, undefined],
    [1000, 'approval'],
    [2999, 'approval'],
    [3000, 'approval'],
  ])('after R$ 20,00, with %i cents', async (amountCents, conflict) => {
    const world = await afterTwenty()
    expect(why(await world.propose({ ...OTHER, amountCents }))).toBe(conflict)
  })

  it.each<[PaymentState, string | undefined]>([
    ['unknown', 'approval'],
    ['paid', 'approval'],
    ['refused', undefined],
    ['not-sent', undefined],
    // Only a person says that nothing was paid.
    ['not-paid', 'approval'],
  ])('counts R$ 20,00 that are %s', async (state, conflict) => {
    const world = await afterTwenty(state)
    expect(why(await world.propose(OTHER))).toBe(conflict)
  })

  it('says what the rule is, and what it counted', async () => {
    const world = await afterTwenty()
    const { conflict } = await world.propose(OTHER)
    expect(conflict).toEqual({ why: 'approval', fromCents: 3000, amountCents: 1000, sentCents: 2000 })
    const large = await world.propose({ ...OTHER, amountCents: 3000 })
    expect(large.conflict).toEqual({ why: 'approval', fromCents: 3000, amountCents: 3000, sentCents: 0 })
  })

  it('begins again at midnight in São Paulo, and counts each account for itself', async () => {
    const world = await afterTwenty()
    expect(why(await world.propose(OTHER, {}, { clientId: 'c-2' }))).toBeUndefined()
    world.nowMs = Date.UTC(2026, 10, 22, 3) - 1
    expect(why(await world.propose(OTHER))).toBe('approval')
    world.nowMs += 1
    expect(why(await world.propose(OTHER))).toBeUndefined()
  })

  it('is the same account with a dot at the end of the host', async () => {
    const world = await afterTwenty()
    for (const url of ['https://gateway.example.com.', 'https://gateway.example.com.:443'])
      expect(why(await world.propose(OTHER, {}, { url }))).toBe('approval')
    expect(why(await world.propose(OTHER, {}, { url: 'https://gateway.example.co' }))).toBeUndefined()
  })

  it('adds up what is decided together', async () => {
    const world = await afterTwenty()
    const proposals = ['a', 'b', 'c'].map((name) =>
      proposalOf({ ...OTHER, key: `${name}@example.com`, amountCents: 499 }, { externalId: name }),
    )
    expect((await world.decide(proposals)).map(why)).toEqual([undefined, undefined, 'approval'])
  })

  it('needs one for a refund of an unknown amount', async () => {
    const world = await afterTwenty()
    expect(why(await world.propose(WHOLE))).toBe('approval-amount-unknown')
    expect(why(await world.propose(REFUND))).toBeUndefined()
  })

  it('needs one for a further attempt, which is another request', async () => {
    const world = paymentWorld()
    const payment = await earlier(world, TRANSFER, 'refused')
    await world.rule('approvalFromCents', 1000)
    const retry = { action: 'retry', payment, accepted: NO_REPEATS, originalCents: null, run: null } as const
    expect((await world.decide([retry])).map(why)).toEqual(['approval'])
  })

  it.each<[number, string | undefined]>([
    [1000, 'approval'],
    [1001, undefined],
  ])('from %i cents on, the same bytes again count by their own R$ 10,00', async (from, conflict) => {
    const world = paymentWorld()
    const payment = await earlier(world, TRANSFER, 'unknown')
    await world.pay(OTHER, 'accepted', { externalId: 'other' })
    await world.rule('approvalFromCents', from)
    const resend = { action: 'resend', payment, includeUnknown: false, despiteChargeback: false } as const
    expect((await world.decide([resend])).map(why)).toEqual([conflict])
    expect((await world.payment(payment)).summary.attempts[0]?.sends).toHaveLength(conflict === undefined ? 2 : 1)
  })
})
