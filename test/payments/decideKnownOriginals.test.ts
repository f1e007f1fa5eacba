import { describe, expect, it } from 'vitest'
import { refundedCents } from '../../src/payments/paymentRules.ts'
import { recordQuery } from '../../src/payments/recordQuery.ts'
import { NO_REPEATS } from '../../src/payments/repeatOptions.ts'
import { REPEAT_DAYS } from '../../src/pix/calendar.ts'
import { NOON_MS } from '../ledger/paymentHistory.ts'
import { allowed, DAY_MS, type PaymentWorld, paymentWorld, proposalOf, why } from './paymentWorld.ts'
import { earlier, place, REFUND, WHOLE } from './samplePayments.ts'

const ORIGINAL = REFUND.originalTransactionId
const of = (amountCents: number) => ({ ...REFUND, amountCents })

/** A refund of the original that was made in the dashboard, as its event says. */
function refundedElsewhere(world: PaymentWorld, amountCents: number, idTransaction: string): Promise<void> {
  const ids = { idTransaction, originalTransactionId: ORIGINAL, externalId: null }
  return world.event('COMPLETED', { ...ids, event: 'refund.status', subject: 'refund', amountCents })
}

function chargedBack(world: PaymentWorld): Promise<void> {
  const ids = { idTransaction: ORIGINAL, externalId: null }
  return world.event('CHARGEBACK', { ...ids, event: null, subject: 'payment', amountCents: 1000 })
}

const known = (world: PaymentWorld) => {
  const { account } = world.context()
  return world.ledger.read((database) => refundedCents(database, account, ORIGINAL))
}

describe('what was refunded of a payment', () => {
  it('are refunds of this ledger whose money may have moved, and those that were made elsewhere', async () => {
    const world = paymentWorld()
    expect(await known(world)).toBe(0)
    await world.pay(of(100), 'accepted', { originalCents: 1000 })
    await world.pay(of(50), 'refused', { originalCents: 1000 })
    await world.pay(of(25), 'not-sent', { originalCents: 1000 })
    await refundedElsewhere(world, 300, 'elsewhere')
    expect(await known(world)).toBe(400)
    expect(why(await world.propose(of(601), { originalCents: 1000 }))).toBe('left')
    expect(why(await world.propose(WHOLE, { originalCents: 1000 }))).toBe('left')
    const last = await world.pay(of(600), 'unknown', { originalCents: 1000 })
    expect(await known(world)).toBe(1000)
    await world.settle(last, 'not-paid')
    expect(await known(world)).toBe(400)
  })

  it('is all of it after a refund of all, however much that was', async () => {
    const world = paymentWorld()
    await earlier(world, WHOLE, 'accepted')
    expect(await known(world)).toBe(Number.POSITIVE_INFINITY)
  })

  it('is compared with the amount that a query said before, if none is asked now', async () => {
    const world = paymentWorld()
    const { account } = world.context()
    await recordQuery(world.ledger, account, ORIGINAL, { status: 'PAID', amount: 5 })
    expect((await world.propose(of(501))).conflict).toEqual({
      ...{ why: 'left', originalCents: 500, refundedCents: 0, amountCents: 501 },
    })
    await world.pay(of(501), 'accepted', { originalCents: 502 })
    await recordQuery(world.ledger, account, ORIGINAL, { status: 'REFUNDED' })
    expect(why(await world.propose(of(1), { originalCents: 502 }))).toBe('left')
  })
})

describe('an answer about a payment', () => {
  const originals = (world: PaymentWorld) =>
    world.ledger.read((database) => database.all("SELECT seq FROM record WHERE type = 'query'").length)

  it('is recorded only if the payment was received, and says something new', async () => {
    const world = paymentWorld()
    const { account } = world.context()
    const paidAt = new Date(NOON_MS).toISOString()
    const later = new Date(NOON_MS + 1000).toISOString()
    for (const [fields, count] of [
      [{}, 0],
      [{ status: 'PENDING', amount: 10 }, 0],
      [{ status: 'UNPAID', amount: 10 }, 0],
      [{ status: 'paid' }, 1],
      [{ status: 'paid' }, 1],
      [{ status: 'paid', amount: 10 }, 2],
      [{ status: 'paid', amount: 10, paidAt }, 3],
      [{ status: 'paid', amount: 10, paidAt }, 3],
      // What it leaves out is known.
      [{ status: 'paid' }, 3],
      [{ status: 'paid', amount: 11, paidAt }, 4],
      [{ status: 'paid', amount: 11, paidAt: later }, 5],
      [{ status: 'CHARGEBACK', amount: 11, paidAt: later }, 6],
      [{ status: 'REFUNDED', amount: 11, paidAt: later }, 7],
    ] as const) {
      await recordQuery(world.ledger, account, ORIGINAL, fields)
      expect([fields, await originals(world)]).toEqual([fields, count])
    }
  })
})

describe('a payment with a known chargeback', () => {
  const despite = { ...NO_REPEATS, despiteChargeback: true }

  it('is refunded only if a person accepts that, and never more than is left', async () => {
    const world = paymentWorld()
    await chargedBack(world)
    expect((await world.propose(REFUND)).conflict).toEqual({ why: 'chargeback', originalTransactionId: ORIGINAL })
    expect(why(await world.propose({ ...REFUND, originalTransactionId: 'original-2' }))).toBeUndefined()
    const accepted = { ...proposalOf(of(1001)), accepted: despite, originalCents: 1000 }
    expect((await world.decide([accepted])).map(why)).toEqual(['left'])
    expect((await world.decide([{ ...accepted, facts: REFUND }])).map(why)).toEqual([undefined])
  })

  it('is not returned once more by the same bytes again, unless a person accepts that', async () => {
    const world = paymentWorld()
    const payment = await world.pay(REFUND, 'unknown', { originalCents: 1000 })
    await chargedBack(world)
    const resend = { action: 'resend', payment, includeUnknown: true, despiteChargeback: false } as const
    expect((await world.decide([resend]))[0]?.conflict).toEqual({ why: 'chargeback', originalTransactionId: ORIGINAL })
    expect((await world.decide([{ ...resend, despiteChargeback: true }])).map(why)).toEqual([undefined])
  })

  it('is judged after repeats', async () => {
    const world = paymentWorld()
    await earlier(world, REFUND, 'accepted')
    await chargedBack(world)
    expect(why(await world.propose(REFUND, { originalCents: 1000 }))).toBe('repeat')
    expect(why(await world.propose(of(1), { originalCents: 1000 }))).toBe('chargeback')
  })

  it('that a query told', async () => {
    const world = paymentWorld()
    await recordQuery(world.ledger, world.context().account, ORIGINAL, { status: 'CHARGEBACK', amount: 10 })
    expect(why(await world.propose(REFUND))).toBe('chargeback')
  })
})

describe('a refund that a person settled as not paid', () => {
  async function settled(amountCents = 600) {
    const world = paymentWorld()
    const payment = await world.pay(of(amountCents), 'unknown', { originalCents: 1000 })
    await world.settle(payment, 'not-paid')
    return { world, payment }
  }

  it('counts as refunded until it is named, or the days of a repeat are over', async () => {
    const { world, payment } = await settled()
    expect((await world.propose(of(401), { originalCents: 1000 })).conflict).toMatchObject({
      ...{ why: 'repeat', earlier: { id: payment } },
    })
    expect(why(await world.propose(of(400), { originalCents: 1000 }))).toBeUndefined()
    const other = await settled()
    expect(why(await other.world.propose(of(401), { originalCents: 1000, accepted: [other.payment] }))).toBeUndefined()
    const later = await settled()
    later.world.nowMs += REPEAT_DAYS * DAY_MS
    expect(why(await later.world.propose(of(401), { originalCents: 1000 }))).toBe('repeat')
    later.world.nowMs += 1
    expect(why(await later.world.propose(of(401), { originalCents: 1000 }))).toBeUndefined()
  })

  it('is not the reason if too little is left anyway', async () => {
    const { world } = await settled()
    await world.pay(of(300), 'accepted', { originalCents: 1000 })
    expect(why(await world.propose(of(701), { originalCents: 1000 }))).toBe('left')
    expect(why(await world.propose(of(700), { originalCents: 1000 }))).toBe('repeat')
  })

  it('counts once it is named, if it was made all the same', async () => {
    const { world, payment } = await settled()
    await world.pay(of(500), 'accepted', { originalCents: 1000, accepted: [payment] })
    expect(why(await world.propose(of(501), { originalCents: 1000, accepted: [payment] }))).toBe('left')
  })

  it('is a repeat of itself until it is named', async () => {
    const { world, payment } = await settled()
    const retry = { action: 'retry', payment, originalCents: 1000, run: null } as const
    expect((await world.decide([{ ...retry, accepted: NO_REPEATS }]))[0]?.conflict).toMatchObject({
      ...{ why: 'repeat', earlier: { id: payment } },
    })
    const decided = await world.decide([{ ...retry, accepted: { ...NO_REPEATS, ids: [payment] } }])
    const { record, body } = allowed(decided[0] ?? expect.unreachable())
    expect([record.number, record.externalId, JSON.parse(body).amount]).toEqual([2, null, 6])
  })

  it('is one while the days of a repeat last', async () => {
    const { world, payment } = await settled()
    world.nowMs += REPEAT_DAYS * DAY_MS + 1
    const retry = { action: 'retry', payment, originalCents: 1000, run: null, accepted: NO_REPEATS } as const
    expect((await world.decide([retry])).map(why)).toEqual([undefined])
  })
})

describe('the same amount of the same payment', () => {
  it('is a repeat while its days last', async () => {
    const world = paymentWorld()
    await earlier(world, REFUND, 'accepted')
    world.nowMs += REPEAT_DAYS * DAY_MS
    expect(why(await world.propose(REFUND, { originalCents: 1000 }))).toBe('repeat')
    world.nowMs += 1
    expect(why(await world.propose(REFUND, { originalCents: 1000 }))).toBeUndefined()
  })

  it('is none in another row of the same run, once the first is answered', async () => {
    const world = paymentWorld()
    const row = (line: number, run = 'run-1') => ({
      ...{ externalId: null, rowId: `row-${line}`, place: place(run, line), originalCents: 1000 },
    })
    await world.pay(REFUND, 'accepted', row(1))
    expect(why(await world.propose(REFUND, row(2)))).toBeUndefined()
    const other = paymentWorld()
    await other.pay(REFUND, 'accepted', row(1))
    expect(why(await other.propose(REFUND, row(2, 'run-2')))).toBe('repeat')
  })
})
