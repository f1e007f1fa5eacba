import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Bank } from '../../src/sandbox/bank.ts'
import { type Keeper, NOTHING_KEPT } from '../../src/sandbox/keeper.ts'
import { SandboxError } from '../../src/sandbox/sandboxError.ts'
import type { Payment, Transfer } from '../../src/sandbox/transactions.ts'
import { isDescribedBy } from '../../src/schemas/jsonSchema.ts'

const DAY_MS = 86_400_000
const INITIAL_CENTS = 50_000

type Step =
  | { kind: 'cashIn'; cents: number; sharePercent: number }
  | { kind: 'cashOut'; cents: number; externalId: string | null }
  | { kind: 'refund'; place: number; cents: number | undefined }
  | { kind: 'pay'; place: number; late: boolean }
  | { kind: 'wait'; days: number }
  | { kind: 'end' | 'chargeBack' | 'refundDone' | 'refundFailed' | 'complete' | 'fail' | 'return'; place: number }

const place = fc.nat(5)
const cents = fc.integer({ min: 1, max: 40_000 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('cashIn' as const), cents, sharePercent: fc.constantFrom(0, 0, 10, 33, 100) }),
  fc.record({
    kind: fc.constant('cashOut' as const),
    cents,
    externalId: fc.constantFrom(null, 'invoice-1', 'invoice-2', 'invoice-3'),
  }),
  fc.record({ kind: fc.constant('refund' as const), place, cents: fc.option(cents, { nil: undefined }) }),
  fc.record({ kind: fc.constant('pay' as const), place, late: fc.boolean() }),
  fc.record({ kind: fc.constant('wait' as const), days: fc.constantFrom(1, 29, 31) }),
  fc.record({
    kind: fc.constantFrom('end', 'chargeBack', 'refundDone', 'refundFailed', 'complete', 'fail', 'return'),
    place,
  }),
)

function payment(id: string, amountCents: number, sharePercent: number, nowMs: number): Payment {
  const shareCents = Math.floor((amountCents * sharePercent) / 100)
  return {
    type: 'payment',
    idTransaction: id,
    requestNumber: id,
    status: 'PENDING',
    amountCents,
    shippingAmountCents: null,
    usernameCheckout: null,
    client: null,
    split: sharePercent === 0 ? null : { username: 'partner', percentageSplit: sharePercent, shareCents },
    callbackUrl: 'http://127.0.0.1:1/',
    paymentCode: `code of ${id}`,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + DAY_MS,
    paidAtMs: null,
    chargebackAtMs: null,
    chargedBackCents: 0,
    heldForRefundsCents: 0,
    refundedCents: 0,
  }
}

function transfer(id: string, valueCents: number, externalId: string | null, nowMs: number): Transfer {
  return {
    type: 'transfer',
    idTransaction: id,
    externalId,
    status: 'PROCESSING',
    statusTransaction: null,
    valueCents,
    key: 'maria@example.com',
    typeKey: 'email',
    documentValidation: null,
    holder: { name: 'FULANO', taxId: '52998224725', bank: 'BANCO' },
    callbackUrl: 'http://127.0.0.1:1/',
    createdAtMs: nowMs,
    settledAtMs: null,
    errorCode: null,
    errorMessage: null,
    failsWith: null,
    paysPayment: null,
  }
}

/** Carries out one step; an impossible one is refused and must leave everything as it was. */
function carryOut(bank: Bank, one: Step, id: string, nowMs: number): void {
  const pick = (keys: Iterable<string>, at: number) => {
    const ids = [...keys]
    return ids[at % Math.max(ids.length, 1)] ?? 'nobody'
  }
  switch (one.kind) {
    case 'cashIn':
      bank.addPayment(payment(id, one.cents, one.sharePercent, nowMs))
      return
    case 'cashOut':
      bank.startTransfer(transfer(id, one.cents, one.externalId, nowMs))
      return
    case 'refund': {
      const originalTransactionId = pick(bank.payments.keys(), one.place)
      const asked = { idTransaction: id, originalTransactionId, refundReason: 'why', callbackUrl: 'http://x/' }
      bank.startRefund({ ...asked, amountCents: one.cents }, nowMs)
      return
    }
    case 'pay':
      bank.pay(pick(bank.payments.keys(), one.place), nowMs, one.late)
      return
    case 'end':
      bank.end(pick(bank.payments.keys(), one.place), one.place % 2 === 0 ? 'EXPIRED' : 'CANCELLED')
      return
    case 'chargeBack':
      bank.chargeBack(pick(bank.payments.keys(), one.place), nowMs)
      return
    case 'refundDone':
      bank.settleRefund(pick(bank.refunds.keys(), one.place), 'COMPLETED', nowMs)
      return
    case 'refundFailed':
      bank.settleRefund(pick(bank.refunds.keys(), one.place), 'FAILED', nowMs)
      return
    case 'complete':
      bank.completeTransfer(pick(bank.transfers.keys(), one.place), nowMs)
      return
    case 'wait':
      return
    default: {
      const statusTransaction = one.kind === 'fail' ? 'ERROR' : 'RETURNED'
      const failure = { statusTransaction, errorCode: 'NO_FUNDS', errorMessage: 'none' } as const
      bank.failTransfer(pick(bank.transfers.keys(), one.place), failure, nowMs)
    }
  }
}

function checkMoney(bank: Bank): void {
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
  const payments = [...bank.payments.values()]
  const refunds = [...bank.refunds.values()]
  const received = payments.filter(({ status }) => status === 'PAID' || status === 'REFUNDED')
  const balance =
    INITIAL_CENTS +
    sum(received.map(({ amountCents, split }) => amountCents - (split?.shareCents ?? 0))) -
    sum(payments.map(({ chargedBackCents }) => chargedBackCents)) -
    sum(refunds.filter(({ status }) => status !== 'FAILED').map(({ amountCents }) => amountCents)) -
    sum([...bank.transfers.values()].filter(({ status }) => status !== 'FAILED').map(({ valueCents }) => valueCents))
  expect(bank.balanceCents).toBe(balance)
  // Only a chargeback may take money that was already spent.
  if (payments.every(({ chargebackAtMs }) => chargebackAtMs === null))
    expect(bank.balanceCents).toBeGreaterThanOrEqual(0)
  for (const { idTransaction, amountCents, status, chargedBackCents } of payments) {
    const own = refunds.filter((refund) => refund.originalTransactionId === idTransaction && refund.status !== 'FAILED')
    const back = own.filter((refund) => refund.status === 'COMPLETED')
    expect(sum(own.map((refund) => refund.amountCents))).toBeLessThanOrEqual(amountCents - chargedBackCents)
    expect(status === 'REFUNDED').toBe(sum(back.map((refund) => refund.amountCents)) === amountCents)
  }
  const used = [...bank.transfers.values()].flatMap(({ externalId }) => externalId ?? [])
  expect(new Set(used).size).toBe(used.length)
}

function textOf(bank: Bank): string {
  return JSON.stringify([bank.balanceCents, [...bank.payments], [...bank.refunds], [...bank.transfers]])
}

/** Keeps the JSON of things as the file does. */
function keeperInMemory(): Keeper {
  const texts = new Map<string, string>()
  return {
    ...NOTHING_KEPT,
    put: (kind, id, value) => void texts.set(`${kind} ${id}`, JSON.stringify(value)),
    all: (kind, schema) =>
      [...texts].flatMap(([key, text]) => {
        if (!key.startsWith(`${kind} `)) return []
        const value: unknown = JSON.parse(text)
        if (!isDescribedBy(schema, value)) throw new Error(`${text} is no ${kind}`)
        return [value]
      }),
  }
}

test('money is conserved through any sequence of steps, a refused step changes nothing, and what is kept is the same bank', () => {
  const carriedOut = new Map<string, number>()
  fc.assert(
    fc.property(fc.array(step, { minLength: 30, maxLength: 60 }), (steps) => {
      const keeper = keeperInMemory()
      const beginning = { balanceCents: INITIAL_CENTS, begunAtMs: 0 }
      const bank = new Bank(keeper, beginning)
      let nowMs = 0
      steps.forEach((one, index) => {
        if (one.kind === 'wait') nowMs += one.days * DAY_MS
        const before = textOf(bank)
        try {
          carryOut(bank, one, `id-${index}`, nowMs)
          carriedOut.set(one.kind, (carriedOut.get(one.kind) ?? 0) + 1)
        } catch (error) {
          if (!(error instanceof SandboxError)) throw error
          expect(textOf(bank)).toBe(before)
        }
        checkMoney(bank)
      })
      expect(textOf(new Bank(keeper, beginning))).toBe(textOf(bank))
    }),
    { numRuns: 100 },
  )
  // Every kind of step must really have happened, or the property would hold for nothing.
  expect([...carriedOut.keys()].length).toBe(12)
})
