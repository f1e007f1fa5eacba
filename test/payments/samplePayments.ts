import type { MoneyPayment, RefundPayment, TransferPayment } from '../../src/ledger/facts.ts'
import type { PaymentState } from '../../src/ledger/paymentState.ts'
import type { RunPlace } from '../../src/ledger/records.ts'
import type { PaymentWorld } from './paymentWorld.ts'

export const TRANSFER: TransferPayment = {
  kind: 'transfer',
  key: 'maria@example.com',
  keyType: 'email',
  amountCents: 1000,
  documentValidation: null,
  callbackUrl: 'https://shop.example.com/',
  payee: null,
  payeeDisplayName: null,
}
export const REFUND: RefundPayment = {
  kind: 'refund',
  originalTransactionId: 'original-1',
  amountCents: 400,
  isWhole: false,
  refundReason: 'damaged',
  callbackUrl: 'https://shop.example.com/',
  idField: 'originalTransactionId',
}
export const WHOLE: RefundPayment = { ...REFUND, amountCents: null, isWhole: true }

/** Where a row of a batch belongs. */
export function place(run: string, line: number): RunPlace {
  return { run, line, reference: 'payroll', isDerivedId: true }
}

/** Brings an earlier payment into a state. */
export async function earlier(world: PaymentWorld, facts: MoneyPayment, state: PaymentState): Promise<string> {
  const how = { externalId: facts.kind === 'transfer' ? 'old' : null }
  if (state === 'pending') throw new Error('only charges are pending')
  if (state === 'refused' || state === 'accepted' || state === 'unknown' || state === 'not-sent') {
    return world.pay(facts, state, how)
  }
  const payment = await world.pay(facts, 'unknown', how)
  await world.settle(payment, state)
  return payment
}
