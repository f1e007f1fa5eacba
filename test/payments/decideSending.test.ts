import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WitnessFolder } from '../../src/ledger/witness.ts'
import { askCheckCommand } from '../../src/payments/askCheckCommand.ts'
import { decide } from '../../src/payments/decide.ts'
import { NO_REPEATS } from '../../src/payments/repeatOptions.ts'
import type { Account } from '../../src/profiles/account.ts'
import { UsageError } from '../../src/wire/errors.ts'
import { NOON_MS } from '../ledger/paymentHistory.ts'
import { allowed, DAY_MS, HOUR_MS, PaymentWorld, paymentWorld, proposalOf, why } from './paymentWorld.ts'
import { place, REFUND, TRANSFER } from './samplePayments.ts'

const resendOf = (payment: string) =>
  ({ action: 'resend', payment, includeUnknown: false, despiteChargeback: false }) as const
const OTHER = { ...TRANSFER, key: 'joao@example.com' }

/** What a second process on the ledger of a world decides with. */
function secondProcess(world: PaymentWorld): PaymentWorld {
  const second = new PaymentWorld(world.home)
  onTestFinished(() => second.ledger.close())
  return second
}

describe('nothing is sent or recorded', () => {
  it('with a read-only profile', async () => {
    const world = paymentWorld()
    await expect(world.propose(TRANSFER, {}, { readOnly: true })).rejects.toThrow('read-only')
    expect(await world.payments()).toEqual([])
  })

  it('if the profile is another account by now, or has another limit', async () => {
    const world = paymentWorld()
    const context = world.context()
    const failure = new UsageError('the profile is another account by now', { hint: 'look' })
    const currentAccount = (): Account => {
      throw failure
    }
    await expect(decide({ ...context, currentAccount }, [proposalOf(TRANSFER)])).rejects.toBe(failure)
    const limited = { ...context.account, maxAmountCents: 999 }
    const decisions = await decide({ ...context, currentAccount: () => limited }, [proposalOf(TRANSFER)])
    expect(decisions.map(why)).toEqual(['max-amount'])
    expect(await world.payments()).toEqual([])
  })

  it('that the check command of the profile did not allow', async () => {
    const world = paymentWorld()
    const context = world.context({ checkCommand: 'true' })
    const now = (checkCommand: string | null) => ({
      ...context,
      currentAccount: () => ({ ...context.account, checkCommand }),
    })
    const proposals = [proposalOf(TRANSFER)]
    await expect(decide(now('true'), proposals)).rejects.toThrow('The check command of prod was changed')
    const requests = { kind: 'transfer', bodies: ['{}'], totalCents: 1000 } as const
    await askCheckCommand(context, 'send', requests)
    await expect(decide(now('other'), proposals)).rejects.toThrow('The check command of prod was changed')
    expect(await world.payments()).toEqual([])
    expect((await decide(now('true'), proposals)).map(why)).toEqual([undefined])
    const refusing = world.context({ checkCommand: 'exit 1' })
    await expect(askCheckCommand(refusing, 'send', requests)).rejects.toMatchObject({
      exitCode: 1,
      outcome: 'not-sent',
    })
    await expect(decide(refusing, proposals)).rejects.toThrow('The check command of prod was changed')
  })

  it.each<[string, (saved: string, folder: string) => void]>([
    ['is new to the account', () => undefined],
    ['lacks what was seen of it', (saved, folder) => cpSync(saved, folder, { recursive: true })],
  ])('in production with a ledger that %s', async (_name, replace) => {
    const world = paymentWorld()
    await world.pay(TRANSFER, 'not-sent')
    const saved = join(world.home, 'saved')
    cpSync(world.folder, saved, { recursive: true })
    await world.pay(TRANSFER, 'accepted')
    rmSync(world.folder, { recursive: true })
    replace(saved, world.folder)
    const fresh = secondProcess(world)
    const before = (await fresh.payments()).length
    await expect(fresh.propose(TRANSFER)).rejects.toMatchObject({ code: 'LEDGER_OLDER', exitCode: 2 })
    const states = (await fresh.payments()).map(({ summary }) => summary.state)
    expect(states).toEqual(before === 0 ? [] : ['not-sent'])
    expect(why(await fresh.propose(TRANSFER, {}, { environment: 'sandbox' }))).toBeUndefined()
    expect(String(fresh.warnings.read())).toContain('In production nothing would be sent')
  })

  it('in production before the clock was compared with the gateway, if the ledger has no payment yet', async () => {
    const world = paymentWorld()
    world.gatewayMs = world.nowMs + 2 * HOUR_MS
    await expect(world.propose(TRANSFER)).rejects.toThrow("but the gateway's says")
    expect(await world.payments()).toEqual([])
    expect(why(await world.propose(TRANSFER, {}, { environment: 'sandbox' }))).toBeUndefined()
  })
})

describe('a ledger in which a payment is lost to one of the two ways to find it', () => {
  it.each([
    'DELETE FROM sent_target',
    "UPDATE sent_target SET target = 'lost'",
    "UPDATE payment SET comparable_key = 'lost'",
    'UPDATE payment SET was_sent = 0',
  ])('sends no repeat: %s', async (damage) => {
    const world = paymentWorld()
    await world.pay(TRANSFER, 'accepted', { externalId: 'old' })
    await world.ledger.write(({ database }) => database.run(damage))
    await expect(world.propose(TRANSFER)).rejects.toMatchObject({ code: 'LEDGER_DAMAGED', exitCode: 2 })
  })

  it('sends no row a second time', async () => {
    const world = paymentWorld()
    const how = { externalId: 'row-1', rowId: 'row-1', place: place('run-1', 1) }
    await world.pay(TRANSFER, 'accepted', how)
    await world.ledger.write(({ database }) => database.run("UPDATE payment SET row_id = 'lost'"))
    await expect(world.propose(TRANSFER, how)).rejects.toMatchObject({ code: 'LEDGER_DAMAGED', exitCode: 2 })
  })
})

it('gives up what it recorded if it cannot note outside of the ledger that it did', async () => {
  const world = paymentWorld()
  const witness = new WitnessFolder(join(world.home, 'config'), world.folder, () => join('missing', 'folder'))
  // The second is refused, and has no attempt.
  const proposals = [proposalOf(TRANSFER), proposalOf(TRANSFER, { externalId: 'other' })]
  await expect(decide({ ...world.context(), witness }, proposals)).rejects.toBeInstanceOf(UsageError)
  const payments = await world.payments()
  expect(payments.map(({ summary }) => summary.state)).toEqual(['not-sent'])
})

describe('while another process sends the same', () => {
  it('names that process, until it has an answer', async () => {
    const world = paymentWorld()
    const attempt = await world.allow(proposalOf(TRANSFER))
    const second = secondProcess(world)
    const holder = { pid: process.pid, user: 'maria', machine: 'desk' }
    const { conflict } = await second.propose(TRANSFER, { externalId: 'other' })
    expect(conflict).toMatchObject({ why: 'being-sent', holder, payment: { id: attempt.record.payment } })
    expect(why(await world.propose(TRANSFER, { externalId: 'other' }))).toBe('unknown')
    await world.answer(attempt, 'unknown')
    expect(why(await second.propose(TRANSFER, { externalId: 'other' }))).toBe('unknown')
    expect((await second.decide([resendOf(attempt.record.payment)])).map(why)).toEqual([undefined])
    expect((await world.decide([resendOf(attempt.record.payment)])).map(why)).toEqual(['being-sent'])
  })
})

describe('a new attempt', () => {
  it('is no resend, and belongs to this machine alone', async () => {
    const attempt = await paymentWorld().allow(proposalOf(TRANSFER))
    expect(attempt).toMatchObject({ isResend: false, limit: null, record: { number: 1 } })
  })

  it('of a refund that was refused has no external id, and is a repeat of one that was made since', async () => {
    const world = paymentWorld()
    const payment = await world.pay(REFUND, 'refused', { originalCents: 1000 })
    const retry = { action: 'retry', payment, accepted: NO_REPEATS, originalCents: 1000, run: null } as const
    const attempt = await world.allow(retry)
    expect(attempt.record).toMatchObject({ number: 2, externalId: null, payment })
    await world.answer(attempt, 'refused')
    await world.pay({ ...REFUND, amountCents: 601 }, 'accepted', { originalCents: 1000 })
    expect((await world.decide([retry])).map(why)).toEqual(['left'])
  })

  it('of a transfer that was refused twice has the next number', async () => {
    const world = paymentWorld()
    const payment = await world.pay(TRANSFER, 'refused', { externalId: 'old' })
    const retry = { action: 'retry', payment, accepted: NO_REPEATS, originalCents: null, run: null } as const
    await world.answer(await world.allow(retry), 'refused')
    expect((await world.allow(retry)).record).toMatchObject({ number: 3, externalId: 'old-3' })
  })
})

describe('the same bytes again', () => {
  it('are those of the attempt whose outcome is unknown', async () => {
    const world = paymentWorld()
    const payment = await world.pay(TRANSFER, 'refused', { externalId: 'old' })
    const retry = { action: 'retry', payment, accepted: NO_REPEATS, originalCents: null, run: null } as const
    const second = await world.allow(retry)
    await world.answer(second, 'unknown')
    const again = await world.allow(resendOf(payment))
    expect(again).toMatchObject({ body: second.body, record: { id: second.record.id }, isResend: true })
    expect(JSON.parse(again.body).externalId).toBe('old-2')
  })

  it('of a row are sent although an equal row of its run was paid', async () => {
    const world = paymentWorld()
    const first = await world.pay(TRANSFER, 'unknown', { externalId: 'row-1', place: place('run-1', 1) })
    await world.pay(TRANSFER, 'accepted', { externalId: 'row-2', place: place('run-1', 2) })
    expect((await world.decide([resendOf(first)])).map(why)).toEqual([undefined])
  })

  it('count for the limit of a day together with what is decided after them, once', async () => {
    const more = proposalOf(OTHER, { externalId: 'other' })
    const decided = async (days: number, maxDayCents: number) => {
      const world = paymentWorld()
      const payment = await world.pay(TRANSFER, 'unknown', { externalId: 'old' })
      world.nowMs += days * 13 * 60 * 60 * 1000
      return (await world.decide([resendOf(payment), more], { maxDayCents })).map(why)
    }
    for (const days of [0, 1]) {
      expect(await decided(days, 2000)).toEqual([undefined, undefined])
      expect(await decided(days, 1999)).toEqual([undefined, 'max-day'])
    }
  })

  it('of what was sent at the first moment of today add nothing to it', async () => {
    const world = paymentWorld()
    world.nowMs = Date.UTC(2026, 10, 22, 3)
    const payment = await world.pay(TRANSFER, 'unknown', { externalId: 'old' })
    expect((await world.decide([resendOf(payment)], { maxDayCents: 1000 })).map(why)).toEqual([undefined])
  })
})

describe('one limit without the other', () => {
  it.each<[string, Partial<Account>, cents: number, string | undefined]>([
    ['of a payment', { maxAmountCents: 1000 }, 1000, undefined],
    ['of a payment', { maxAmountCents: 1000 }, 1001, 'max-amount'],
    ['of a day', { maxDayCents: 1500 }, 500, undefined],
    ['of a day', { maxDayCents: 1500 }, 501, 'max-day'],
  ])('%s: %j allows %i cents after R$ 10,00, or says %s', async (_name, limits, amountCents, conflict) => {
    const world = paymentWorld()
    await world.pay(TRANSFER, 'accepted', { externalId: 'old' })
    expect(why(await world.propose({ ...OTHER, amountCents }, {}, limits))).toBe(conflict)
  })
})

describe('repeats that a person accepts up to a record', () => {
  it('are those that were recorded until then', async () => {
    const world = paymentWorld()
    const first = await world.pay(TRANSFER, 'accepted', { externalId: 'old' })
    const throughSeq = (await world.payment(first)).first.seq
    const again = (externalId: string, through: number) => ({
      ...proposalOf(TRANSFER, { externalId }),
      accepted: { ...NO_REPEATS, throughSeq: through },
    })
    expect((await world.decide([again('a', throughSeq - 1)])).map(why)).toEqual(['repeat'])
    const attempt = await world.allow(again('a', throughSeq))
    await world.answer(attempt, 'accepted')
    expect((await world.decide([again('b', throughSeq)])).map(why)).toEqual(['repeat'])
    expect((await world.decide([again('b', attempt.record.seq)])).map(why)).toEqual([undefined])
  })

  it('of refunds, too, but never one with an unknown outcome', async () => {
    const world = paymentWorld()
    const first = await world.pay(REFUND, 'accepted', { originalCents: 1000 })
    const { seq } = (await world.payment(first)).first
    const accepted = { ...NO_REPEATS, throughSeq: seq }
    const again = { ...proposalOf(REFUND, { originalCents: 1000 }), accepted }
    const attempt = await world.allow(again)
    const later = { ...again, accepted: { ...accepted, throughSeq: attempt.record.seq } }
    await world.answer(attempt, 'unknown')
    world.nowMs = NOON_MS + 10 * DAY_MS
    expect((await world.decide([later])).map(why)).toEqual(['unknown'])
  })
})

it('keeps decisions in the order of the proposals', async () => {
  const decisions = await paymentWorld().decide([
    proposalOf(TRANSFER, { externalId: 'a' }),
    proposalOf(TRANSFER, { externalId: 'b' }),
    proposalOf(OTHER, { externalId: 'c' }),
  ])
  expect(decisions.map(why)).toEqual([undefined, 'unknown', undefined])
  expect(allowed(decisions[2] ?? expect.unreachable()).facts).toEqual(OTHER)
})
