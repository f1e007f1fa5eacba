import { describe, expect, it } from 'vitest'
import type { Payment } from '../../src/ledger/payments.ts'
import { refundToResume, sentTwiceFailure } from '../../src/payments/resumedPayment.ts'
import { type PaymentWorld, paymentWorld } from './paymentWorld.ts'
import { earlier, REFUND, TRANSFER } from './samplePayments.ts'

const STORE = { active: null, profiles: new Map() }

function resumed(world: PaymentWorld, found: readonly Payment[], refunds: readonly Payment[] = [], differences = {}) {
  const { account } = world.context(differences)
  return refundToResume(found, refunds, 'original-1', { account, store: STORE })
}

describe('the refund that is sent again', () => {
  it('is the one whose outcome is unknown, by its own id or that of its payment', async () => {
    const world = paymentWorld()
    await world.pay({ ...REFUND, amountCents: 100 }, 'accepted', { originalCents: 1000 })
    const accepted = await world.payments()
    expect(() => resumed(world, accepted)).toThrow('A refund can only be resumed while its outcome is unknown')
    const id = await world.pay(REFUND, 'unknown', { originalCents: 1000 })
    const refunds = await world.payments()
    for (const refund of [resumed(world, refunds), resumed(world, [], refunds)]) {
      expect(refund).toMatchObject({ id })
      expect(refund && sentTwiceFailure(refund)).toMatchObject({
        exitCode: 2,
        details: ['The outcome of the refund of R$ 4,00, sent at 21/11/2026 12:00:00 BRT, is unknown'],
        hint: expect.stringContaining(`pixgate history settle ${id}`),
      })
    }
  })

  it('is none of which something is said that is not verified here, and that is what is said', async () => {
    const world = paymentWorld()
    await world.pay(REFUND, 'unknown', { originalCents: 1000 })
    const [refund] = await world.payments()
    if (refund === undefined) throw new Error('no refund was recorded')
    const { summary } = refund
    const unverified = { ...summary, state: 'paid', isVerified: false } as const
    const byEvent = { ...unverified, deciding: { ...summary.deciding, answer: null } }
    expect(() => resumed(world, [{ ...refund, summary: byEvent }])).toThrow(
      expect.objectContaining({
        exitCode: 2,
        message: `The event that says what became of the refund ${refund.id} is not verified here, so nothing was sent`,
      }),
    )
    expect(() => resumed(world, [{ ...refund, summary: unverified }])).toThrow(
      expect.objectContaining({
        exitCode: 5,
        message: `That the refund ${refund.id} was accepted is not verified here`,
      }),
    )
  })

  it('is none of another account, and none where a transfer is named', async () => {
    const world = paymentWorld()
    await earlier(world, REFUND, 'unknown')
    const refunds = await world.payments()
    expect(() => resumed(world, refunds, [], { clientId: 'c-2' })).toThrow('was sent to https://gateway.example.com')
    const other = paymentWorld()
    await earlier(other, TRANSFER, 'unknown')
    expect(resumed(other, await other.payments(), refunds)).toBeUndefined()
    expect(resumed(other, [])).toBeUndefined()
  })
})
