import { describe, expect, it } from 'vitest'
import type { TransferPayment } from '../../src/ledger/facts.ts'
import type { PaymentState } from '../../src/ledger/paymentState.ts'
import { addRunRow } from '../../src/ledger/runRows.ts'
import { addUnacceptedRun } from '../../src/ledger/runs.ts'
import { NO_REPEATS } from '../../src/payments/repeatOptions.ts'
import { REPEAT_DAYS } from '../../src/pix/calendar.ts'
import type { Account } from '../../src/profiles/account.ts'
import { OWNER } from '../ledger/paymentHistory.ts'
import { DAY_MS, paymentWorld, why } from './paymentWorld.ts'
import { earlier, TRANSFER } from './samplePayments.ts'

describe('the same transfer after one that is', () => {
  it.each<[PaymentState, plain: string | undefined, accepted: string | undefined]>([
    ['accepted', 'repeat', undefined],
    ['paid', 'repeat', undefined],
    ['unknown', 'unknown', 'unknown'],
    ['refused', undefined, undefined],
    ['not-sent', undefined, undefined],
    ['not-paid', undefined, undefined],
    ['returned', undefined, undefined],
  ])('%s', async (state, plain, whenAccepted) => {
    const world = paymentWorld()
    const payment = await earlier(world, TRANSFER, state)
    if (plain !== undefined) expect(why(await world.propose(TRANSFER))).toBe(plain)
    expect(why(await world.propose(TRANSFER, { accepted: [payment] }))).toBe(whenAccepted)
    expect(await world.problems()).toEqual([])
  })

  it('refused because the gateway holds its id, which may have been paid from elsewhere', async () => {
    const world = paymentWorld()
    await world.pay(TRANSFER, 'refused', { externalId: 'old' }, { code: 'DUPLICATE_EXTERNAL_ID' })
    expect(why(await world.propose(TRANSFER))).toBe('repeat')
  })
})

describe('what counts as the same transfer', () => {
  it.each<[string, Partial<TransferPayment>, string | undefined]>([
    ['another amount', { amountCents: 1001 }, undefined],
    ['another key', { key: 'joao@example.com' }, undefined],
    ['the key in capitals', { key: 'MARIA@example.com' }, 'repeat'],
    ['another owner', { documentValidation: '52998224725' }, 'repeat'],
    ['another callback URL', { callbackUrl: 'https://other.example.com/' }, 'repeat'],
  ])('%s', async (_name, differences, conflict) => {
    const world = paymentWorld()
    await earlier(world, TRANSFER, 'accepted')
    expect(why(await world.propose({ ...TRANSFER, ...differences }))).toBe(conflict)
  })

  it('a mobile number with and without +55', async () => {
    const world = paymentWorld()
    await earlier(world, { ...TRANSFER, key: '62999998888', keyType: 'phoneNumber' }, 'accepted')
    expect(why(await world.propose({ ...TRANSFER, key: '+5562999998888', keyType: 'phoneNumber' }))).toBe('repeat')
  })

  it.each<[string, Partial<Account>]>([
    ['client id', { clientId: 'c-2' }],
    ['address', { url: 'https://other.example.com' }],
  ])('not one of another %s, not even its external id', async (_name, differences) => {
    const world = paymentWorld()
    await earlier(world, TRANSFER, 'unknown')
    expect(why(await world.propose(TRANSFER, { externalId: 'old' }, differences))).toBeUndefined()
  })

  it('while the days of a repeat last, and for as long as its outcome is unknown', async () => {
    const world = paymentWorld()
    const payment = await earlier(world, TRANSFER, 'accepted')
    world.nowMs += REPEAT_DAYS * DAY_MS
    expect(why(await world.propose(TRANSFER))).toBe('repeat')
    world.nowMs += 1
    const { attempt } = await world.propose(TRANSFER)
    if (attempt === null) expect.unreachable()
    expect(attempt.record.payment).not.toBe(payment)
    await world.answer(attempt, 'unknown')
    world.nowMs += 100 * DAY_MS
    expect(why(await world.propose(TRANSFER, { externalId: 'newer' }))).toBe('unknown')
  })

  it('although a wrong clock was used in a sandbox since', async () => {
    const world = paymentWorld()
    await earlier(world, TRANSFER, 'accepted')
    const trial = { environment: 'sandbox' } as const
    const rightMs = world.nowMs
    for (const days of [-30, 7]) {
      world.nowMs = rightMs + days * DAY_MS
      world.gatewayMs = rightMs
      const amountCents = 100 + Math.abs(days)
      expect(
        why(await world.propose({ ...TRANSFER, amountCents }, { externalId: `trial${days}` }, trial)),
      ).toBeUndefined()
      await expect(world.propose(TRANSFER)).rejects.toThrow("but the gateway's says")
      world.nowMs = rightMs
      expect(why(await world.propose(TRANSFER))).toBe('repeat')
    }
  })

  it('if the clock was set back since', async () => {
    const world = paymentWorld()
    await earlier(world, TRANSFER, 'accepted')
    world.nowMs -= 30 * DAY_MS
    expect(why(await world.propose(TRANSFER))).toBe('repeat')
  })
})

it('accepts a repeat only of the payments that were named', async () => {
  const world = paymentWorld()
  const first = await earlier(world, TRANSFER, 'accepted')
  const second = await world.pay(TRANSFER, 'accepted', { externalId: 'second', accepted: [first] })
  expect(why(await world.propose(TRANSFER, { accepted: [first] }))).toBe('repeat')
  // The older one is hidden behind the newer, which alone is named.
  expect(why(await world.propose(TRANSFER, { accepted: [second] }))).toBe('repeat')
  expect(why(await world.propose(TRANSFER, { accepted: [first, second] }))).toBeUndefined()
})

describe('an external id', () => {
  it.each<[PaymentState, string | undefined]>([
    ['accepted', 'external-id'],
    ['refused', 'external-id'],
    ['paid', 'external-id'],
    ['not-paid', 'external-id'],
    ['returned', 'external-id'],
    ['unknown', 'unknown'],
    ['not-sent', undefined],
  ])('of a payment that is %s', async (state, conflict) => {
    const world = paymentWorld()
    await earlier(world, TRANSFER, state)
    expect(why(await world.propose({ ...TRANSFER, amountCents: 5 }, { externalId: 'old' }))).toBe(conflict)
  })

  it('of a payment that was refused is used up, although another payment with it was not sent', async () => {
    const world = paymentWorld()
    await world.pay(TRANSFER, 'not-sent', { externalId: 'old' })
    await world.pay({ ...TRANSFER, amountCents: 5 }, 'refused', { externalId: 'old' })
    expect(why(await world.propose({ ...TRANSFER, amountCents: 6 }, { externalId: 'old' }))).toBe('external-id')
  })
})

it('turns a payment that was never sent into its next attempt, whatever id is typed', async () => {
  const world = paymentWorld()
  const payment = await earlier(world, TRANSFER, 'not-sent')
  expect(await world.pay(TRANSFER, 'accepted', { externalId: 'new' })).toBe(payment)
  expect(await world.payment(payment)).toMatchObject({ givenId: 'new', summary: { state: 'accepted' } })
  expect((await world.payment(payment)).summary.attempts).toHaveLength(2)
})

describe('a further attempt', () => {
  const retryOf = (payment: string) =>
    ({ action: 'retry', payment, accepted: NO_REPEATS, originalCents: null, run: null }) as const

  it.each<[PaymentState, string | undefined]>([
    ['refused', undefined],
    // Only a person says that nothing was paid.
    ['not-paid', 'repeat'],
    ['returned', 'repeat'],
    ['not-sent', 'changed'],
    ['accepted', 'changed'],
    ['unknown', 'changed'],
    ['paid', 'changed'],
  ])('of a payment that is %s', async (state, conflict) => {
    const world = paymentWorld()
    const payment = await earlier(world, TRANSFER, state)
    const [decision] = await world.decide([retryOf(payment)])
    expect(decision?.conflict?.why).toBe(conflict)
    if (conflict === undefined) expect(decision?.attempt?.record.externalId).toBe('old-2')
  })

  it('is never made of one whose id the gateway holds', async () => {
    const world = paymentWorld()
    const payment = await world.pay(TRANSFER, 'refused', {}, { code: 'DUPLICATE_EXTERNAL_ID' })
    expect((await world.decide([retryOf(payment)]))[0]?.conflict?.why).toBe('changed')
  })

  it('is a repeat if the same was paid under another id since', async () => {
    const world = paymentWorld()
    const payment = await earlier(world, TRANSFER, 'refused')
    await world.pay(TRANSFER, 'accepted', { externalId: 'other' })
    expect((await world.decide([retryOf(payment)]))[0]?.conflict?.why).toBe('repeat')
  })

  it('has an id that no attempt and no row of a batch has, not even one that was not sent', async () => {
    const world = paymentWorld()
    const payment = await earlier(world, TRANSFER, 'refused')
    await world.pay({ ...TRANSFER, amountCents: 1 }, 'accepted', { externalId: 'old-2' })
    await world.pay({ ...TRANSFER, amountCents: 2 }, 'not-sent', { externalId: 'old-3' })
    const sender = await world.ledger.sender()
    await world.ledger.write((writer) => {
      const plan = {
        run: 'run-1',
        kind: 'transfer',
        owner: OWNER,
        file: null,
        reference: 'payroll',
        columns: [],
        fields: {},
        isDryRun: false,
      } as const
      addUnacceptedRun(writer, sender, world.folder, plan)
      const row = { line: 1, isTypedId: true, facts: TRANSFER, cells: [], originalCents: null, isLeftOut: false }
      addRunRow(writer.database, 'run-1', { ...row, rowId: 'old-4' })
    })
    const attempt = await world.allow(retryOf(payment))
    expect(attempt.record.externalId).toBe('old-5')
    expect(JSON.parse(attempt.body)).toMatchObject({ externalId: 'old-5', value: 10 })
  })
})
