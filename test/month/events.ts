import type { LedgerEntry } from '../gateway/faultGateway.ts'
import type { PlannedTransfer } from './courses.ts'
import type { GatewayBooks } from './gatewayBooks.ts'

const BANK = 'Banco do Povo'
const TAX_ID = '52998224725'
const PAYER = 'Pedro Álvares'

/** The events by which the gateway tells of a transfer that it was paid, that it failed, or that it was paid and came back. */
export function transferEvents(
  { idTransaction, externalId, body }: LedgerEntry,
  { payee, course }: PlannedTransfer,
  ending: 'paid' | 'not-paid' | 'returned',
): object[] {
  // Only an event with the externalId can tell of a transfer whose answer was lost.
  const id = course.first === 'answer lost' ? { idTransaction, externalId } : { idTransaction }
  const { value } = body
  const receiver = { destinationName: payee, destinationTaxId: TAX_ID, destinationBank: BANK }
  const completed = { ...id, typeTransaction: 'PIX_CASHOUT', statusTransaction: 'PAID_OUT', value, ...receiver }
  const failed = (statusTransaction: string, errorCode: string) => ({
    event: 'transfer.failed',
    data: { ...id, typeTransaction: 'PIX_CASHOUT', statusTransaction, value, errorCode, errorMessage: 'It failed' },
  })
  if (ending === 'not-paid') return [failed('ERROR', 'NO_FUNDS')]
  const paid = { event: 'transfer.completed', data: completed }
  return ending === 'paid' ? [paid] : [paid, failed('RETURNED', 'RETURNED')]
}

/** The event of a charge whose status changed. */
export function chargeEvent(books: GatewayBooks, entry: LedgerEntry, status: 'PAID' | 'EXPIRED'): object {
  const { idTransaction } = entry
  const paidAt = status === 'PAID' ? { paidAt: new Date(books.nowMs).toISOString() } : {}
  return { event: 'pix.received', data: { idTransaction, status, amount: books.centsOf(entry) / 100, ...paidAt } }
}

/** The notification that the money of a charge was taken back, in the format of dashboards. */
export function chargebackEvent(books: GatewayBooks, entry: LedgerEntry): object {
  const { idTransaction } = entry
  const value = books.centsOf(entry) / 100
  const payer = { payerName: PAYER, payerTaxId: TAX_ID, paymentDate: '12/11/2026 10:00:00' }
  return { idTransaction, typeTransaction: 'PIX', statusTransaction: 'CHARGEBACK', value, ...payer }
}

/** The event of a refund that has ended. */
export function refundEvent(books: GatewayBooks, entry: LedgerEntry, status: 'COMPLETED' | 'FAILED'): object {
  const { idTransaction, body } = entry
  const { originalTransactionId } = body
  const timestamp = new Date(books.nowMs).toISOString()
  const amount = books.centsOf(entry) / 100
  return { event: 'refund.status', data: { idTransaction, originalTransactionId, status, amount, timestamp } }
}
