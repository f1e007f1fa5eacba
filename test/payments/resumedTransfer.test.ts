import { describe, expect, it } from 'vitest'
import type { PaymentState } from '../../src/ledger/paymentState.ts'
import type { Payment } from '../../src/ledger/payments.ts'
import { resumeProposal, transferToResume } from '../../src/payments/resumedPayment.ts'
import { Failure } from '../../src/wire/errors.ts'
import { type PaymentWorld, paymentWorld } from './paymentWorld.ts'
import { earlier, TRANSFER } from './samplePayments.ts'

const STORE = { active: null, profiles: new Map() }

/** The transfer that `old` names among payments, or the exit code and the message of the failure. */
function resumed(world: PaymentWorld, found: readonly Payment[], id = 'old') {
  try {
    return transferToResume(found, id, { account: world.context().account, store: STORE })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    expect(error.outcome).toBe('not-sent')
    return `${error.exitCode} ${error.message}`
  }
}

describe('resuming a transfer', () => {
  it.each<[PaymentState, string | null]>([
    ['unknown', 'resend'],
    ['accepted', null],
    ['paid', null],
    ['not-sent', 'pay'],
    ['refused', 'finished'],
    ['not-paid', 'finished'],
    ['returned', 'finished'],
  ])('that is %s', async (state, action) => {
    const world = paymentWorld()
    const id = await earlier(world, TRANSFER, state)
    const own = transferToResume(await world.payments(), 'old', { account: world.context().account, store: STORE })
    if (action === 'finished') {
      expect(() => resumeProposal(own, true)).toThrow(expect.objectContaining({ exitCode: 1, externalId: 'old' }))
      return
    }
    const proposal = resumeProposal(own, true)
    expect(proposal?.action ?? null).toBe(action)
    if (action === 'resend') {
      expect(proposal).toEqual({ action, payment: id, includeUnknown: true, despiteChargeback: false })
      expect(resumeProposal(own, false)).toEqual({
        action,
        payment: id,
        includeUnknown: false,
        despiteChargeback: false,
      })
    }
    // Much may have been sent since, so it is judged as a new payment, and no repeat is accepted.
    const none = { throughSeq: 0, ids: [], despiteChargeback: false }
    if (action === 'pay') {
      expect(proposal).toMatchObject({ externalId: 'old', facts: TRANSFER, accepted: none, isIdMadeUp: false })
    }
  })
})

describe('a transfer that is finished is reported', () => {
  /** What is said of the only transfer of a world. */
  async function finished(world: PaymentWorld) {
    const own = transferToResume(await world.payments(), 'old', { account: world.context().account, store: STORE })
    try {
      return resumeProposal(own, true)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const { exitCode, code, outcome, externalId, details, hint } = error
      return { exitCode, code, outcome, externalId, details, hint }
    }
  }
  const refused = { exitCode: 1, outcome: 'refused', externalId: 'old' }
  const history = expect.stringContaining('pixgate history show old')

  it.each([
    [null, 'REFUSED', [], history],
    ['NO_FUNDS', 'NO_FUNDS', ['The gateway answered NO_FUNDS'], history],
    [
      'DUPLICATE_EXTERNAL_ID',
      'DUPLICATE_EXTERNAL_ID',
      ['The gateway answered DUPLICATE_EXTERNAL_ID'],
      expect.stringContaining('in the dashboard before you pay it another way'),
    ],
  ])('with the code %s of its refusal', async (answered, code, details, hint) => {
    const world = paymentWorld()
    await world.pay(TRANSFER, 'refused', { externalId: 'old' }, { code: answered })
    expect(await finished(world)).toEqual({ ...refused, code, details, hint })
  })

  it('with the event that says so', async () => {
    const world = paymentWorld()
    await world.pay(TRANSFER, 'accepted', { externalId: 'old' }, { idTransaction: 'id-1' })
    await world.event('ERROR', { idTransaction: 'id-1', externalId: null, errorCode: null })
    const details = [expect.stringMatching(/^Event .* says ERROR$/)]
    expect(await finished(world)).toEqual({ ...refused, code: 'REFUSED', details, hint: history })
  })
})

describe('of several transfers that were found, one is resumed', () => {
  it.each<[PaymentState[], number]>([
    [['accepted', 'unknown', 'accepted'], 1],
    [['unknown', 'accepted', 'refused'], 0],
    [['accepted', 'paid', 'refused'], 1],
    [['refused', 'not-sent'], 1],
  ])('of those that are %j', async (states, index) => {
    const world = paymentWorld()
    const ids: string[] = []
    for (const [number, state] of states.entries()) {
      // Each has another target, and an id of its own: they differ in case, or are the beginnings of one.
      const key = `p${number}@example.com`
      const how = { externalId: `old${number}` }
      const payment = await world.pay({ ...TRANSFER, key }, state === 'paid' ? 'unknown' : stateOutcome(state), how)
      if (state === 'paid') await world.settle(payment, 'paid')
      ids.push(payment)
    }
    expect(resumed(world, await world.payments())).toMatchObject({ id: ids[index] })
  })
})

function stateOutcome(state: PaymentState) {
  if (state === 'accepted' || state === 'unknown' || state === 'refused' || state === 'not-sent') return state
  throw new Error(`${state} is no outcome`)
}

describe('nothing is resumed', () => {
  it('of another account, another client or another address', async () => {
    const world = paymentWorld()
    await earlier(world, TRANSFER, 'unknown')
    const found = await world.payments()
    for (const differences of [{ clientId: 'c-2' }, { url: 'https://other.example.com' }]) {
      const { account } = world.context(differences)
      expect(() => transferToResume(found, 'old', { account, store: STORE })).toThrow(
        'old was sent to https://gateway.example.com with client id c-1',
      )
    }
  })

  it('that is not recorded', () => {
    const world = paymentWorld()
    expect(resumed(world, [])).toBe('3 No transfer with the external id old is recorded')
    expect(resumed(world, [], 'run-1')).toBe('3 No run `run-1` is recorded')
  })
})
