import { describe, expect, it } from 'vitest'
import { REPEAT_DAYS } from '../../src/pix/calendar.ts'
import { NOON_MS } from '../ledger/paymentHistory.ts'
import { DAY_MS, HOUR_MS, paymentWorld, proposalOf, why } from './paymentWorld.ts'
import { TRANSFER } from './samplePayments.ts'

const LIMIT = { maxDayCents: 10_000 }
const BIG = { ...TRANSFER, amountCents: 10_000 }
const SMALL = { ...TRANSFER, key: 'joao@example.com', amountCents: 100 }
const OTHER = { ...TRANSFER, key: 'ana@example.com', amountCents: 100 }

describe('a payment that was made while the clock was ahead', () => {
  it('counts today, is a repeat while its days last, and stops no later day', async () => {
    const world = paymentWorld()
    world.nowMs += 30 * DAY_MS
    await world.pay(BIG, 'accepted', { externalId: 'ahead' })
    world.nowMs -= 30 * DAY_MS
    expect(why(await world.propose(SMALL, { externalId: 'small' }, LIMIT))).toBe('max-day')
    expect(why(await world.propose(BIG))).toBe('repeat')
    world.nowMs += DAY_MS
    // The first decision was refused and made no payment; the limit of the next day is free all the same.
    expect(why(await world.propose(SMALL, { externalId: 'small' }, LIMIT))).toBeUndefined()
    world.nowMs += (REPEAT_DAYS - 1) * DAY_MS
    expect(why(await world.propose(BIG))).toBe('repeat')
    world.nowMs += 1
    expect(why(await world.propose(BIG, { externalId: 'again' }))).toBeUndefined()
    expect(await world.problems()).toEqual([])
  })

  it('is sent again only if a person accepts it, however young it looks', async () => {
    const world = paymentWorld()
    world.nowMs += 400 * DAY_MS
    const payment = await world.pay(TRANSFER, 'unknown')
    world.nowMs -= 390 * DAY_MS
    const resend = { action: 'resend', payment, includeUnknown: false, despiteChargeback: false } as const
    for (const ahead of [0, HOUR_MS, 389 * DAY_MS]) {
      world.nowMs += ahead
      expect((await world.decide([resend])).map(why)).toEqual(['too-old'])
    }
    expect((await world.decide([{ ...resend, includeUnknown: true }])).map(why)).toEqual([undefined])
  })
})

describe('the clock of this machine', () => {
  async function paidAtNoon() {
    const world = paymentWorld()
    await world.pay(BIG, 'accepted', { externalId: 'noon' })
    return world
  }

  it.each<[string, sinceMs: number, isCompared: boolean]>([
    ['24 hours ahead', DAY_MS, false],
    ['more than 24 hours ahead', DAY_MS + 1, true],
    ['an hour behind', -HOUR_MS, false],
    ['more than an hour behind', -HOUR_MS - 1, true],
  ])('that is %s of the newest payment is compared with the gateway: %s', async (_name, sinceMs, isCompared) => {
    const world = await paidAtNoon()
    world.nowMs += sinceMs
    world.gatewayMs = world.nowMs + 2 * HOUR_MS
    const proposed = world.propose(SMALL)
    await (isCompared ? expect(proposed).rejects.toMatchObject({ exitCode: 2, outcome: 'not-sent' }) : proposed)
    expect(await world.payments()).toHaveLength(isCompared ? 1 : 2)
  })

  it.each([
    [HOUR_MS, true],
    [-HOUR_MS, true],
    [HOUR_MS + 1, false],
    [-HOUR_MS - 1, false],
  ])('%i ms from that of the gateway is right in production: %s', async (apartMs, isRight) => {
    const world = await paidAtNoon()
    world.nowMs += 2 * DAY_MS
    world.gatewayMs = world.nowMs + apartMs
    const proposed = world.propose(SMALL)
    await (isRight ? proposed : expect(proposed).rejects.toThrow("but the gateway's says"))
    expect(await world.payments()).toHaveLength(isRight ? 2 : 1)
  })

  it.each([2 * DAY_MS, -2 * HOUR_MS])('is not compared with that of a sandbox: %i ms', async (ms) => {
    const world = paymentWorld()
    const sandbox = { environment: 'sandbox' } as const
    await world.propose(BIG, { externalId: 'noon' }, sandbox)
    world.nowMs += ms
    world.gatewayMs = NOON_MS + 40 * DAY_MS
    expect(why(await world.propose(SMALL, {}, sandbox))).toBeUndefined()
    expect(world.warnings.read()).toBeNull()
    const notes = await world.ledger.read((database) => database.all("SELECT seq FROM record WHERE type = 'clock'"))
    expect(notes).toEqual([])
  })

  it.each([
    ['ahead', 2 * DAY_MS, 0],
    ['behind', -2 * HOUR_MS, 1],
  ])(
    'that is right and %s of the newest payment is recorded only if that has a later time',
    async (_name, ms, count) => {
      const world = await paidAtNoon()
      world.nowMs += ms
      await world.propose(SMALL)
      const notes = await world.ledger.read((database) => database.all("SELECT seq FROM record WHERE type = 'clock'"))
      expect(notes).toHaveLength(count)
    },
  )

  it.each([
    [HOUR_MS, undefined],
    [HOUR_MS + 1, 'too-old'],
  ])('that is %i ms behind that of a request sends its same bytes again, or says %s', async (behindMs, conflict) => {
    const world = paymentWorld()
    const payment = await world.pay(TRANSFER, 'unknown')
    const resend = { action: 'resend', payment, includeUnknown: false, despiteChargeback: false } as const
    world.nowMs -= behindMs
    expect((await world.decide([resend])).map(why)).toEqual([conflict])
  })
})

it('does not take the word of a clock that is behind, if the gateway is silent about its own', async () => {
  const world = paymentWorld()
  await world.pay(BIG, 'accepted', { externalId: 'today' })
  world.gatewayMs = null
  world.nowMs -= 10 * DAY_MS
  expect(why(await world.propose(BIG))).toBe('repeat')
  expect(String(world.warnings.read())).toContain('the clock was not checked')
  world.nowMs += 10 * DAY_MS
  expect(why(await world.propose(BIG))).toBe('repeat')
})

describe('a clock that is behind while the gateway is silent about its own', () => {
  it('makes no payment forgotten that was made before or meanwhile', async () => {
    const world = paymentWorld()
    const before = await world.pay(BIG, 'unknown', { externalId: 'before' })
    world.gatewayMs = null
    world.nowMs -= 30 * DAY_MS
    const meanwhile = await world.pay(SMALL, 'unknown', { externalId: 'meanwhile' })
    world.nowMs += 30 * DAY_MS
    for (const payment of [before, meanwhile]) await world.settle(payment, 'not-paid')
    // The gateway still says nothing, so this machine's time is the only one that there is.
    for (const facts of [BIG, SMALL]) expect(why(await world.propose(facts))).toBe('repeat')
    expect(why(await world.propose(OTHER, { externalId: 'other' }, LIMIT))).toBe('max-day')
    expect(await world.problems()).toEqual([])
  })

  it('counts what is made meanwhile on the day before', async () => {
    const world = paymentWorld()
    await world.pay(SMALL, 'accepted', { externalId: 'first' })
    world.gatewayMs = null
    world.nowMs -= 30 * DAY_MS
    await world.pay(BIG, 'accepted', { externalId: 'meanwhile' })
    world.nowMs += 30 * DAY_MS
    expect(why(await world.propose(OTHER, { externalId: 'other' }, LIMIT))).toBe('max-day')
  })
})

it('judges the clock before it records anything', async () => {
  const world = paymentWorld()
  await world.pay(SMALL, 'accepted')
  world.gatewayMs = world.nowMs
  world.nowMs += 3 * DAY_MS
  const before = await world.ledger.read((database) => database.get('SELECT count(*) AS count FROM record'))
  await expect(world.decide([proposalOf(BIG)])).rejects.toThrow(
    /The clock of this machine says .+, but the gateway's says /,
  )
  expect(await world.ledger.read((database) => database.get('SELECT count(*) AS count FROM record'))).toEqual(before)
})
