import { describe, expect, it } from 'vitest'
import type { MoneyPayment, TransferPayment } from '../../src/ledger/facts.ts'
import type { Proposal } from '../../src/payments/proposal.ts'
import { NOON_MS } from '../ledger/paymentHistory.ts'
import { HOUR_MS, type PaymentWorld, paymentWorld, proposalOf, why } from './paymentWorld.ts'
import { earlier, REFUND, TRANSFER } from './samplePayments.ts'

const OWNER_CPF = '52998224725'

/** A payment to the key of the payee that an event confirms. */
async function confirm(world: PaymentWorld): Promise<void> {
  const facts = { ...TRANSFER, amountCents: 1, documentValidation: OWNER_CPF }
  await world.pay(facts, 'accepted', { externalId: 'first' }, { idTransaction: 'id-first' })
  await world.event('PAID_OUT', { idTransaction: 'id-first', externalId: 'first', amountCents: 1 })
}

describe('a transfer that names a payee', () => {
  const named = (differences: Partial<TransferPayment> = {}): TransferPayment => ({
    ...TRANSFER,
    payee: 'Maria',
    ...differences,
  })

  it.each<[string, Partial<TransferPayment>, string | undefined]>([
    ['as it is', {}, undefined],
    ['in another case', { payee: 'MARIA' }, undefined],
    ['with another key', { key: 'joao@example.com' }, 'payee-changed'],
    ['with another type of key', { keyType: 'randomKey' }, 'payee-changed'],
    ['with an owner that it does not have', { documentValidation: OWNER_CPF }, 'payee-changed'],
    ['that does not exist', { payee: 'Ana' }, 'payee-changed'],
  ])('%s', async (_name, differences, conflict) => {
    const world = paymentWorld()
    await world.payee('Maria')
    expect(why(await world.propose(named(differences)))).toBe(conflict)
  })

  it('is not sent once the payee was changed or removed, but its same bytes are sent again', async () => {
    const world = paymentWorld()
    await world.payee('Maria')
    const payment = await world.pay(named(), 'unknown')
    await world.payee('Maria', { key: 'ana@example.com' })
    const other = named({ amountCents: 1 })
    expect(why(await world.propose(other, { externalId: 'other' }))).toBe('payee-changed')
    const resend = { action: 'resend', payment, includeUnknown: false, despiteChargeback: false } as const
    expect((await world.decide([resend])).map(why)).toEqual([undefined])
    await world.payee('Maria')
    expect(why(await world.propose(other, { externalId: 'other' }))).toBeUndefined()
    await world.removePayee('Maria')
    expect(why(await world.propose({ ...other, amountCents: 2 }, { externalId: 'more' }))).toBe('payee-changed')
  })
})

describe('an account that pays payees only', () => {
  const world = async (documentValidation: string | null) => {
    const made = paymentWorld()
    await made.rule('payeesOnly', true)
    await made.payee('Maria', { documentValidation })
    return made
  }

  it.each<[string, owner: string | null, Partial<TransferPayment>, string | undefined]>([
    ['the key of a payee', null, {}, undefined],
    ['its key in capitals', null, { key: 'MARIA@example.com' }, undefined],
    ['an owner that the payee does not have', null, { documentValidation: OWNER_CPF }, undefined],
    ['a key of none', null, { key: 'joao@example.com' }, 'not-payee'],
    ['the owner of the payee', OWNER_CPF, { documentValidation: OWNER_CPF }, undefined],
    ['no owner', OWNER_CPF, {}, 'payee-owner'],
    ['another owner', OWNER_CPF, { documentValidation: '11144477735' }, 'payee-owner'],
  ])('judges %s', async (_name, owner, differences, conflict) => {
    const made = await world(owner)
    expect(why(await made.propose({ ...TRANSFER, ...differences }))).toBe(conflict)
  })

  it('lets refunds and other accounts alone, and ends when the payee is removed', async () => {
    const made = await world(null)
    expect(why(await made.propose({ ...TRANSFER, key: 'ana@example.com' }, {}, { clientId: 'c-2' }))).toBeUndefined()
    expect(why(await made.propose(REFUND))).toBeUndefined()
    await made.removePayee('Maria')
    expect((await made.propose(TRANSFER)).conflict).toEqual({
      why: 'not-payee',
      key: 'maria@example.com',
      keyType: 'email',
    })
  })

  it('is content if one of two payees with a key has the owner that is checked', async () => {
    const made = await world(OWNER_CPF)
    expect((await made.propose(TRANSFER)).conflict).toEqual({ why: 'payee-owner', name: 'Maria' })
    await made.payee('Maria of the shop')
    expect(why(await made.propose(TRANSFER))).toBeUndefined()
  })

  it('does not wait', async () => {
    expect(why(await (await world(null)).propose(TRANSFER))).toBeUndefined()
  })
})

describe('an account that pays new and changed payees after 24 hours', () => {
  const WAIT_MS = 24 * HOUR_MS
  async function waiting() {
    const world = paymentWorld()
    await world.rule('payeeWaitMs', WAIT_MS)
    await world.payee('Maria')
    return world
  }

  it('waits, and then pays', async () => {
    const world = await waiting()
    const untilMs = NOON_MS + WAIT_MS
    expect((await world.propose(TRANSFER)).conflict).toEqual({
      why: 'payee-wait',
      name: 'Maria',
      state: 'new',
      untilMs,
    })
    world.nowMs = untilMs - 1
    world.gatewayMs = world.nowMs
    expect(why(await world.propose(TRANSFER))).toBe('payee-wait')
    world.nowMs = untilMs
    expect(why(await world.propose(TRANSFER))).toBeUndefined()
  })

  it('pays other keys, which only --payees-only refuses', async () => {
    expect(why(await (await waiting()).propose({ ...TRANSFER, key: 'joao@example.com' }))).toBeUndefined()
  })

  it('waits again after the key was changed, not after the displayed name was', async () => {
    const world = await waiting()
    world.nowMs += WAIT_MS
    await world.payee('Maria', { displayName: 'Maria Silva' })
    expect(why(await world.propose(TRANSFER))).toBeUndefined()
    const key = 'ana@example.com'
    await world.payee('Maria', { key })
    const { conflict } = await world.propose({ ...TRANSFER, key }, { externalId: 'other' })
    expect(conflict).toMatchObject({ why: 'payee-wait', state: 'changed', untilMs: world.nowMs + WAIT_MS })
  })

  it('does not wait once an event confirmed a payment to it', async () => {
    const world = paymentWorld()
    await world.payee('Maria', { documentValidation: OWNER_CPF })
    await confirm(world)
    await world.rule('payeeWaitMs', WAIT_MS)
    expect(why(await world.propose(TRANSFER))).toBeUndefined()
  })

  it('does not wait if another payee with the key has waited', async () => {
    const world = await waiting()
    world.nowMs += WAIT_MS
    await world.payee('Maria of the shop')
    expect(why(await world.propose(TRANSFER))).toBeUndefined()
  })
})

describe('an account that requires external ids', () => {
  it('refuses a transfer under an id that pixgate made up, and no other', async () => {
    const world = paymentWorld()
    await world.rule('requireExternalId', true)
    const madeUpOf = (facts: MoneyPayment): Proposal => ({ ...proposalOf(facts), isIdMadeUp: true })
    expect((await world.decide([madeUpOf(TRANSFER)])).map(why)).toEqual(['id-made-up'])
    expect(why(await world.propose(TRANSFER))).toBeUndefined()
    expect((await world.decide([madeUpOf(REFUND)])).map(why)).toEqual([undefined])
  })

  it('sends what was sent before the rule again, and what was refused under the next id', async () => {
    const world = paymentWorld()
    const payment = await earlier(world, TRANSFER, 'refused')
    const lost = await world.pay({ ...TRANSFER, amountCents: 1 }, 'unknown', { externalId: 'lost' })
    await world.rule('requireExternalId', true)
    const none = { throughSeq: 0, ids: [], despiteChargeback: false }
    const decisions = await world.decide([
      { action: 'retry', payment, accepted: none, originalCents: null, run: null },
      { action: 'resend', payment: lost, includeUnknown: false, despiteChargeback: false },
    ])
    expect(decisions.map(why)).toEqual([undefined, undefined])
  })
})
