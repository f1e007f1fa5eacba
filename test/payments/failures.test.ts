import { describe, expect, it } from 'vitest'
import { type MoneyPayment, planCommand } from '../../src/ledger/facts.ts'
import type { SendConflict } from '../../src/payments/decide.ts'
import { decisionFailure } from '../../src/payments/pay.ts'
import { assertNoApprovalNeeded } from '../../src/payments/paymentRules.ts'
import type { Account } from '../../src/profiles/account.ts'
import { NOON_MS } from '../ledger/paymentHistory.ts'
import { DAY_MS, type PaymentWorld, paymentWorld, proposalOf } from './paymentWorld.ts'
import { earlier, REFUND, TRANSFER, WHOLE } from './samplePayments.ts'

const NOTHING = 'Nothing was sent'
const LEFT = { why: 'left', originalCents: 1000, refundedCents: 400, amountCents: 601 } as const

/** What a program and a person get for a conflict: the interface of the failure, and the commands and options of its hint. */
async function shown(
  world: PaymentWorld,
  facts: MoneyPayment,
  conflict: SendConflict | null,
  { externalId = 'new', ...differences }: Partial<Account> & { externalId?: string } = {},
) {
  if (conflict === null) throw new Error('it was allowed')
  const proposal = proposalOf(facts, { externalId })
  const failure = await decisionFailure(world.context(differences), proposal, facts, conflict)
  const commands = [...failure.hint.matchAll(/`([^`]*)`/g)].map(([, command]) => command)
  const { exitCode, code, outcome, message, details } = failure
  expect(outcome).toBe('not-sent')
  return { failed: `${exitCode} ${code}`, externalId: failure.externalId, commands, message, details }
}

describe('a conflict with a rule is reported with its code, and with what to type', () => {
  it.each<[SendConflict, MoneyPayment, failed: string, commands: string[], words: RegExp]>([
    [
      { why: 'chargeback', originalTransactionId: 'original-1' },
      REFUND,
      '2 REPEAT',
      ['--despite-chargeback'],
      /chargeback/,
    ],
    [LEFT, REFUND, '1 REFUND_NOT_ALLOWED', ['pixgate history show original-1'], /6,01 is more than the R\$ 6,00/],
    [{ ...LEFT, refundedCents: 0, amountCents: 1001 }, REFUND, '1 REFUND_NOT_ALLOWED', [], /10,01 is more/],
    [
      { ...LEFT, amountCents: null },
      WHOLE,
      '1 REFUND_NOT_ALLOWED',
      ['pixgate history show original-1'],
      /R\$ 10,00 is/,
    ],
    [
      { ...LEFT, refundedCents: 1000 },
      REFUND,
      '1 REFUND_NOT_ALLOWED',
      ['pixgate history show original-1'],
      /All of the payment original-1 was already/,
    ],
    [
      { ...LEFT, originalCents: null, refundedCents: Number.POSITIVE_INFINITY },
      REFUND,
      '1 REFUND_NOT_ALLOWED',
      ['pixgate history show original-1'],
      /All of the payment original-1 was already/,
    ],
    [{ why: 'id-made-up' }, TRANSFER, '2 USAGE', ['--external-id', '--reference'], /requires an external id/],
    [{ why: 'payee-changed', name: 'Maria' }, TRANSFER, '2 USAGE', ['pixgate payee show Maria'], /changed or removed/],
    [
      { why: 'not-payee', key: 'maria@example.com', keyType: 'email' },
      TRANSFER,
      '2 USAGE',
      ['pixgate payee add supplier --key maria@example.com'],
      /maria@example.com is the key of no payee/,
    ],
    [{ why: 'payee-owner', name: 'Maria' }, TRANSFER, '2 USAGE', ['--to Maria', 'payee'], /does not check the owner/],
    [
      { why: 'payee-wait', name: 'Maria', state: 'new', untilMs: NOON_MS },
      TRANSFER,
      '2 USAGE',
      ['pixgate payee show Maria'],
      /is new, and this account pays it from 21\/11\/2026 12:00/,
    ],
    [
      { why: 'payee-wait', name: 'Maria', state: 'changed', untilMs: NOON_MS },
      TRANSFER,
      '2 USAGE',
      ['pixgate payee show Maria'],
      /was changed, and/,
    ],
    [{ why: 'amount-unknown' }, WHOLE, '2 OVER_LIMIT', ['--amount'], /the amount of this refund is not known/],
    [
      { why: 'max-amount', amountCents: 1001, maxCents: 1000 },
      TRANSFER,
      '2 OVER_LIMIT',
      ['pixgate profile edit prod --max-amount 10.01'],
      /R\$ 10,01 is more than the R\$ 10,00/,
    ],
    [
      { why: 'max-day', amountCents: 1000, maxCents: 1500, sentTodayCents: 600 },
      TRANSFER,
      '2 OVER_LIMIT',
      ['pixgate profile edit prod --max-day 16.00'],
      /R\$ 6,00 was sent today; R\$ 10,00 more/,
    ],
    [{ why: 'approval-amount-unknown' }, WHOLE, '2 APPROVAL_REQUIRED', ['--amount'], /second person approves/],
    [
      { why: 'approval', fromCents: 1000, amountCents: 1000, sentCents: 0 },
      TRANSFER,
      '2 APPROVAL_REQUIRED',
      ['pixgate transfer --key maria@example.com --key-type email --amount 10.00 --external-id new --plan'],
      /as everything from R\$ 10,00 on/,
    ],
    [
      { why: 'approval', fromCents: 1000, amountCents: 400, sentCents: 700 },
      REFUND,
      '2 APPROVAL_REQUIRED',
      ['pixgate refund original-1 --reason damaged --amount 4.00 --plan'],
      /with the R\$ 7,00 that was sent today/,
    ],
    [
      { why: 'not-planned', plan: 'plan-1' },
      TRANSFER,
      '2 APPROVAL_REQUIRED',
      ['pixgate plan show plan-1'],
      /does not have this payment/,
    ],
    [
      { why: 'plan-used', plan: 'plan-1' },
      TRANSFER,
      '2 APPROVAL_REQUIRED',
      ['pixgate plan show plan-1'],
      /it was made already/,
    ],
  ])('%j', async (conflict, facts, failed, commands, words) => {
    const failure = await shown(paymentWorld(), facts, conflict)
    expect(failure).toMatchObject({ failed, commands, message: expect.stringMatching(words) })
    expect([failure.externalId, failure.details.at(-1)]).toEqual([undefined, NOTHING])
  })

  it('with what was refunded, if the amount of the original is known', async () => {
    expect((await shown(paymentWorld(), REFUND, LEFT)).details[0]).toBe('It was R$ 10,00, and R$ 4,00 was refunded')
  })
})

describe('a conflict with an earlier payment names it', () => {
  const EARLIER = /^Earlier: .*, 21\/11\/2026 12:00:00 BRT, by maria on desk/

  it.each<[Account['environment'], externalId: string, option: string[]]>([
    ['production', 'new', ['--in-addition-to old']],
    ['production', 'old', ['--in-addition-to old', '--external-id']],
    ['sandbox', 'new', ['--again']],
  ])('as a repeat in a %s, of a transfer as %s', async (environment, externalId, options) => {
    const world = paymentWorld()
    await earlier(world, TRANSFER, 'accepted')
    const { conflict } = await world.propose(TRANSFER)
    const failure = await shown(world, TRANSFER, conflict, { environment, externalId })
    expect(failure).toMatchObject({ failed: '2 REPEAT', externalId: 'old', details: [expect.stringMatching(EARLIER)] })
    expect(failure.commands).toEqual(['pixgate history show old', ...options])
  })

  it('as a repeat of a refund, by the id that the gateway gave it, and says who settled it', async () => {
    const world = paymentWorld()
    const id = await world.pay(REFUND, 'accepted', {}, { idTransaction: 'id-1' })
    const repeat = async () => shown(world, REFUND, (await world.propose(REFUND)).conflict)
    const commands = ['pixgate history show id-1', '--in-addition-to id-1']
    const first = await repeat()
    expect(first).toMatchObject({ failed: '2 REPEAT', externalId: undefined, commands })
    expect([first.message, first.details[0]]).toEqual([
      'The same amount of original-1 was already refunded',
      'Earlier: id-1, 21/11/2026 12:00:00 BRT, by maria on desk, accepted',
    ])
    await world.settle(id, 'not-paid')
    const settled = await repeat()
    expect(settled.message).toContain('was settled as not paid, and only a person says so')
    expect(settled.details[0]).toContain('; maria on desk settled it as not paid at 21/11/2026 12:00:00 BRT')
  })

  it('as one whose outcome is unknown, with what tells it', async () => {
    const world = paymentWorld()
    await earlier(world, TRANSFER, 'unknown')
    const { conflict } = await world.propose(TRANSFER)
    const expected = { failed: '2 REPEAT', externalId: 'old', commands: ['pixgate resume old'] }
    const other = await shown(world, TRANSFER, conflict)
    expect(other).toMatchObject(expected)
    expect(other.message).toContain('it is not sent under another id')
    const same = await shown(world, TRANSFER, conflict, { externalId: 'old' })
    expect(same).toMatchObject(expected)
    expect(same.message).toBe('The outcome of the transfer `old` is unknown, so it is not sent again')
    expect(same.details[0]).toMatch(EARLIER)
  })

  it('as a refund whose outcome is unknown', async () => {
    const world = paymentWorld()
    const id = await earlier(world, REFUND, 'unknown')
    const failure = await shown(world, REFUND, (await world.propose({ ...REFUND, amountCents: 1 })).conflict)
    expect(failure).toMatchObject({
      failed: '2 REPEAT',
      externalId: undefined,
      commands: [`pixgate history settle ${id}`],
    })
    expect(failure.message).toContain('The outcome of a refund of original-1 is unknown')
    expect(failure.details[0]).toMatch(EARLIER)
  })

  it('as the one that used the external id', async () => {
    const world = paymentWorld()
    await earlier(world, TRANSFER, 'refused')
    const other = { ...TRANSFER, amountCents: 1 }
    const { conflict } = await world.propose(other, { externalId: 'old' })
    expect(await shown(world, other, conflict, { externalId: 'old' })).toMatchObject({
      ...{ failed: '2 REPEAT', externalId: 'old', details: [expect.stringMatching(EARLIER)] },
      ...{ commands: ['pixgate history show old', '--external-id'], message: expect.stringContaining('already used') },
    })
  })

  it.each<[string, MoneyPayment]>([
    ['transfer', TRANSFER],
    ['refund', REFUND],
  ])('as a %s that was settled meanwhile, is being sent, or is too old', async (kind, facts) => {
    const world = paymentWorld()
    const payment = await earlier(world, facts, 'unknown')
    const [externalId, name] = kind === 'transfer' ? ['old', 'old'] : [undefined, payment]
    const resend = { action: 'resend', payment, includeUnknown: false, despiteChargeback: false } as const
    world.nowMs += DAY_MS + 1
    const [old] = await world.decide([resend])
    expect(await shown(world, facts, old?.conflict ?? null)).toMatchObject({
      ...{ failed: '2 USAGE', externalId, commands: [`pixgate history settle ${name}`] },
      details: ['It may have been sent at 21/11/2026 12:00:00 BRT', NOTHING],
    })
    const attempt = await world.allow({ ...resend, includeUnknown: true })
    const [sending] = await world.decide([resend])
    expect(await shown(world, facts, sending?.conflict ?? null)).toMatchObject({
      ...{ failed: '2 REPEAT', externalId, commands: [`pixgate status ${name}`] },
      details: [expect.stringMatching(/^Process \d+, started by maria on desk/), 'Nothing was sent from here'],
    })
    await world.answer(attempt, 'accepted')
    const [changed] = await world.decide([resend])
    const failure = await shown(world, facts, changed?.conflict ?? null)
    expect(failure).toMatchObject({ failed: '2 REPEAT', externalId, commands: [`pixgate history show ${name}`] })
    expect([failure.message.includes('is now accepted'), failure.details.length]).toEqual([true, 1])
  })
})

describe('the command that makes a plan', () => {
  it.each<[MoneyPayment, externalId: string | null, command: string]>([
    [
      { ...TRANSFER, key: '52998224725', keyType: 'document', documentValidation: '52998224725' },
      null,
      'pixgate transfer --key 52998224725 --key-type document --amount 10.00 --owner 52998224725 --plan',
    ],
    [
      TRANSFER,
      'NF 17',
      "pixgate transfer --key maria@example.com --key-type email --amount 10.00 --external-id 'NF 17' --plan",
    ],
    [WHOLE, null, 'pixgate refund original-1 --reason damaged --plan'],
  ])('of %j as %s', (facts, externalId, command) => {
    expect(planCommand(facts, externalId)).toBe(command)
  })
})

describe('before the question', () => {
  it.each<[amountCents: number | null, newTodayCents: number, isNeeded: boolean]>([
    [999, 999, false],
    [1000, 1000, true],
    [2999, 2999, true],
    [3000, 3000, true],
    // What is sent again counts by its own amount alone.
    [2999, 0, false],
    [3000, 0, true],
    [null, 0, true],
  ])('after R$ 20,00 that needed no approval, %s of which %i are new', async (amountCents, newTodayCents, isNeeded) => {
    const world = paymentWorld()
    await earlier(world, { ...TRANSFER, amountCents: 2000 }, 'accepted')
    const amounts = { amountCents, newTodayCents }
    await assertNoApprovalNeeded(world.context(), { ...amounts, amountCents: 1_000_000 }, 'pixgate')
    await world.rule('approvalFromCents', 3000)
    const asked = assertNoApprovalNeeded(world.context(), amounts, 'pixgate transfer --plan')
    await (isNeeded ? expect(asked).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED', exitCode: 2 }) : asked)
  })
})
