import { describe, expect, it } from 'vitest'
import type { MoneyPayment, RefundPayment, TransferPayment } from '../../src/ledger/facts.ts'
import type { PaymentState } from '../../src/ledger/paymentState.ts'
import type { AnswerRecord } from '../../src/ledger/records.ts'
import { addRunRow } from '../../src/ledger/runRows.ts'
import { addUnacceptedRun } from '../../src/ledger/runs.ts'
import type { Account } from '../../src/profiles/account.ts'
import { NOON_MS, OWNER } from '../ledger/paymentHistory.ts'
import { allowed, DAY_MS, HOUR_MS, type PaymentWorld, paymentWorld, proposalOf, why } from './paymentWorld.ts'
import { earlier, place, REFUND, TRANSFER, WHOLE } from './samplePayments.ts'

describe('refunds of the same payment', () => {
  type Amounts = Partial<RefundPayment>
  it.each<[string, PaymentState, Amounts, Amounts, originalCents: number | null, string | undefined]>([
    ['the same amount', 'accepted', {}, {}, 1000, 'repeat'],
    ['another amount', 'accepted', {}, { amountCents: 600 }, 1000, undefined],
    ['more than what is left', 'accepted', {}, { amountCents: 601 }, 1000, 'left'],
    ['another amount of an unknown original', 'accepted', {}, { amountCents: 600 }, null, undefined],
    ['another amount while one is unknown', 'unknown', {}, { amountCents: 1 }, 1000, 'unknown'],
    ['another original while one is unknown', 'unknown', {}, { originalTransactionId: 'original-2' }, 1000, undefined],
    ['anything after all of it', 'accepted', WHOLE, {}, 1000, 'left'],
    ['anything after all of an unknown original', 'accepted', WHOLE, {}, null, 'left'],
    ['all of it after all of it', 'accepted', WHOLE, WHOLE, null, 'repeat'],
    ['all of it after a part of it', 'accepted', {}, WHOLE, 1000, 'left'],
    ['all of an unknown original after a part of it', 'accepted', {}, WHOLE, null, 'left'],
    ['all of it after a part that was refused', 'refused', {}, WHOLE, 1000, undefined],
    ['the same amount after a refusal', 'refused', {}, {}, 1000, undefined],
    ['the same amount after what a person found unpaid', 'not-paid', {}, {}, 1000, 'repeat'],
    ['more than the whole original', 'not-paid', {}, { amountCents: 1001 }, 1000, 'left'],
  ])('%s', async (_name, state, before, after, originalCents, conflict) => {
    const world = paymentWorld()
    await earlier(world, { ...REFUND, ...before }, state)
    const decision = await world.propose({ ...REFUND, ...after }, originalCents === null ? {} : { originalCents })
    expect(why(decision)).toBe(conflict)
  })

  it('never add up to more than the original, also if each was accepted as a repeat', async () => {
    const world = paymentWorld()
    const first = await earlier(world, REFUND, 'accepted')
    const second = await world.pay(REFUND, 'accepted', { accepted: [first], originalCents: 1000 })
    expect(why(await world.propose(REFUND, { accepted: [first, second], originalCents: 1000 }))).toBe('left')
  })

  it('are judged one after the other within one decision', async () => {
    const world = paymentWorld()
    const rows = [1, 2, 3].map((line) =>
      proposalOf(REFUND, { rowId: `row-${line}`, place: place('run-1', line), originalCents: 1000 }),
    )
    // The outcome of the first is unknown until it is answered.
    expect((await world.decide(rows)).map(why)).toEqual([undefined, 'unknown', 'unknown'])
  })
})

describe('rows of batches', () => {
  it('of one run may name the same key and amount more than once', async () => {
    const world = paymentWorld()
    const rows = [1, 2].map((line) => proposalOf(TRANSFER, { externalId: `row-${line}`, place: place('run-1', line) }))
    expect((await world.decide(rows)).map(why)).toEqual([undefined, undefined])
  })

  it('of another run are repeats', async () => {
    const world = paymentWorld()
    await world.pay(TRANSFER, 'accepted', { externalId: 'row-1', place: place('run-1', 1) })
    expect(why(await world.propose(TRANSFER, { externalId: 'row-2', place: place('run-2', 1) }))).toBe('repeat')
    expect(why(await world.propose(TRANSFER, { externalId: 'single' }))).toBe('repeat')
  })

  it.each<[string, MoneyPayment]>([
    ['transfers', TRANSFER],
    ['refunds', REFUND],
  ])('are no repeats of equal %s of an earlier run that their own file holds, too', async (_name, facts) => {
    const world = paymentWorld()
    const idOf = (row: string) => (facts.kind === 'transfer' ? row : null)
    const how = { externalId: idOf('row-1'), rowId: 'row-1', place: place('run-1', 1), originalCents: 1000 }
    await world.pay(facts, 'accepted', how)
    const second = { ...how, externalId: idOf('row-2'), rowId: 'row-2', place: place('run-2', 2) }
    expect(why(await world.propose(facts, second))).toBe('repeat')
    const sender = await world.ledger.sender()
    await world.ledger.write((writer) => {
      const of = { run: 'run-2', kind: facts.kind, owner: OWNER, reference: 'payroll' } as const
      addUnacceptedRun(writer, sender, world.folder, { ...of, file: null, columns: [], fields: {}, isDryRun: false })
      const row = { line: 1, isTypedId: true, facts, cells: [], originalCents: null, isLeftOut: true }
      addRunRow(writer.database, 'run-2', { ...row, rowId: 'row-1' })
    })
    expect(why(await world.propose(facts, second))).toBeUndefined()
  })

  it('that were made are not made again by the same id', async () => {
    const world = paymentWorld()
    await world.pay(TRANSFER, 'accepted', { externalId: 'row-1', place: place('run-1', 1) })
    expect(why(await world.propose(TRANSFER, { externalId: 'row-1', place: place('run-2', 1) }))).toBe('changed')
  })
})

describe('the limits of a profile', () => {
  const limited = { maxAmountCents: 1000, maxDayCents: 2500 }

  it('bind one payment', async () => {
    const world = paymentWorld()
    expect(why(await world.propose({ ...TRANSFER, amountCents: 1001 }, {}, limited))).toBe('max-amount')
    expect(why(await world.propose(TRANSFER, {}, limited))).toBeUndefined()
  })

  it.each<[PaymentState, counts: boolean]>([
    ['accepted', true],
    ['unknown', true],
    ['paid', true],
    ['refused', false],
    ['not-sent', false],
    // Only a person says that nothing was paid.
    ['not-paid', true],
    ['returned', true],
  ])('bind a day, in which one counts that is %s', async (state, counts) => {
    const world = paymentWorld()
    await earlier(world, TRANSFER, state)
    const more = { ...TRANSFER, key: 'joao@example.com', amountCents: 1501 }
    expect(why(await world.propose(more, {}, { maxDayCents: 2500 }))).toBe(counts ? 'max-day' : undefined)
    const exactly = { ...more, key: 'ana@example.com', amountCents: counts ? 1500 : 999 }
    expect(why(await world.propose(exactly, { externalId: 'exactly' }, { maxDayCents: 2500 }))).toBeUndefined()
  })

  it('begin again at midnight in São Paulo', async () => {
    const world = paymentWorld()
    const midnightMs = Date.UTC(2026, 10, 22, 3)
    world.nowMs = midnightMs - 1
    await earlier(world, TRANSFER, 'accepted')
    const more = { ...TRANSFER, key: 'joao@example.com' }
    expect(why(await world.propose(more, {}, { maxDayCents: 1999 }))).toBe('max-day')
    world.nowMs = midnightMs
    expect(why(await world.propose(more, {}, { maxDayCents: 1999 }))).toBeUndefined()
  })

  it('count refunds too, and each account for itself', async () => {
    const world = paymentWorld()
    await earlier(world, REFUND, 'accepted')
    expect(why(await world.propose(TRANSFER, {}, { maxDayCents: 1399 }))).toBe('max-day')
    expect(why(await world.propose(TRANSFER, {}, { maxDayCents: 1399, clientId: 'c-2' }))).toBeUndefined()
  })

  it('refuse a refund of an unknown amount', async () => {
    const world = paymentWorld()
    expect(why(await world.propose(WHOLE, {}, limited))).toBe('amount-unknown')
    expect(why(await world.propose(WHOLE))).toBeUndefined()
  })

  it('are judged one payment after the other within one decision', async () => {
    const world = paymentWorld()
    const rows = [1, 2, 3].map((line) =>
      proposalOf(
        { ...TRANSFER, key: `p${line}@example.com` },
        { externalId: `row-${line}`, place: place('run-1', line) },
      ),
    )
    expect((await world.decide(rows, limited)).map(why)).toEqual([undefined, undefined, 'max-day'])
  })
})

describe('the same bytes again', () => {
  const resendOf = (payment: string, includeUnknown = false) =>
    ({ action: 'resend', payment, includeUnknown, despiteChargeback: false }) as const

  async function resend(world: PaymentWorld, payment: string, includeUnknown = false, limits: Partial<Account> = {}) {
    const [decision] = await world.decide([resendOf(payment, includeUnknown)], limits)
    if (decision === undefined) throw new Error('there is no decision')
    return decision
  }

  it.each<[PaymentState, string | undefined]>([
    ['unknown', undefined],
    ['accepted', 'changed'],
    ['refused', 'changed'],
    ['not-sent', 'changed'],
    ['paid', 'changed'],
    ['not-paid', 'changed'],
  ])('of a payment that is %s', async (state, conflict) => {
    const world = paymentWorld()
    const payment = await earlier(world, TRANSFER, state)
    const decision = await resend(world, payment)
    expect(why(decision)).toBe(conflict)
    if (conflict !== undefined) return
    const first = (await world.payment(payment)).first
    expect(allowed(decision)).toMatchObject({ isResend: true, body: first.body, record: { id: first.id } })
  })

  it('are sent for 24 hours from the first byte on, which a resend does not renew', async () => {
    const world = paymentWorld()
    const payment = await earlier(world, TRANSFER, 'unknown')
    world.nowMs += 20 * HOUR_MS
    await world.answer(allowed(await resend(world, payment)), 'unknown')
    world.nowMs = NOON_MS + DAY_MS
    await world.answer(allowed(await resend(world, payment)), 'unknown')
    world.nowMs += 1
    expect((await resend(world, payment)).conflict).toMatchObject({ why: 'too-old', firstSentMs: NOON_MS })
    expect(why(await resend(world, payment, true))).toBeUndefined()
  })

  it('are sent for 24 hours from the first byte that may have left, not from a request that never did', async () => {
    const world = paymentWorld()
    const payment = await earlier(world, TRANSFER, 'not-sent')
    world.nowMs += 20 * HOUR_MS
    expect(await world.pay(TRANSFER, 'unknown', { externalId: 'new' })).toBe(payment)
    world.nowMs += 20 * HOUR_MS
    await world.answer(allowed(await resend(world, payment)), 'not-sent')
    world.nowMs += 4 * HOUR_MS
    await world.answer(allowed(await resend(world, payment)), 'not-sent')
    world.nowMs += 1
    expect(why(await resend(world, payment))).toBe('too-old')
  })

  it('are never sent for a refund unless a person accepts it', async () => {
    const world = paymentWorld()
    const payment = await earlier(world, REFUND, 'unknown')
    expect(why(await resend(world, payment))).toBe('too-old')
    expect(why(await resend(world, payment, true))).toBeUndefined()
  })

  it('are not sent while the request is being sent', async () => {
    const world = paymentWorld()
    const { record } = await world.allow(proposalOf(TRANSFER))
    const { conflict } = await resend(world, record.payment)
    expect(conflict).toMatchObject({ why: 'being-sent', holder: { pid: process.pid, user: 'maria', machine: 'desk' } })
  })

  it('are not sent if the same was paid under another id since', async () => {
    const world = paymentWorld()
    const payment = await earlier(world, TRANSFER, 'unknown')
    // Such as from another machine, whose copy of the ledger was restored.
    await world.ledger.write((writer) => {
      const { id } = writer.append({
        ...attemptContent(TRANSFER, 'other'),
      })
      writer.append(answer(id, 'accepted'))
    })
    expect(why(await resend(world, payment))).toBe('repeat')
  })

  it('count once for the limit of a day', async () => {
    const world = paymentWorld()
    const payment = await earlier(world, TRANSFER, 'unknown')
    await world.answer(allowed(await resend(world, payment, false, { maxDayCents: 1000 })), 'unknown')
    expect(why(await resend(world, payment, false, { maxDayCents: 999 }))).toBe('max-day')
    world.nowMs = NOON_MS + 13 * HOUR_MS
    await world.pay({ ...TRANSFER, key: 'ana@example.com' }, 'accepted', { externalId: 'ana' })
    expect(why(await resend(world, payment, false, { maxDayCents: 1999 }))).toBe('max-day')
    expect(why(await resend(world, payment, false, { maxDayCents: 2000 }))).toBeUndefined()
  })
})

function attemptContent(facts: TransferPayment, externalId: string) {
  return {
    type: 'attempt' as const,
    payment: `payment-of-${externalId}`,
    number: 1,
    owner: OWNER,
    facts,
    externalId,
    body: '{}',
    place: null,
    rowId: externalId,
    sender: 'elsewhere',
  }
}

function answer(attempt: string, outcome: 'accepted'): AnswerRecord {
  const nothing = { idTransaction: null, status: null, code: null, message: null, httpStatus: null, amountCents: null }
  return { type: 'answer', payment: 'payment-of-other', attempt, outcome, ...nothing }
}
