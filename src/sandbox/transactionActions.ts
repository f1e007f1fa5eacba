import { t } from '../text/translate.ts'
import type { Transaction } from './bank.ts'
import type { Deliveries } from './deliveries.ts'
import { conflictError } from './httpError.ts'
import type { Fields } from './requestFields.ts'
import type { Service } from './service.ts'

/** What an action can touch. */
interface ActionParts {
  service: Service
  deliveries: Deliveries
}

/** Does something to one transaction. Throws HttpError 409 if its state does not allow it. */
export type TransactionAction = (parts: ActionParts, transaction: Transaction, fields: Fields) => void

/** The control commands that take the id of a transaction. */
export const TRANSACTION_ACTIONS = {
  pay: ({ service }, one, fields) => service.pay(payment(one), fields.value('late') === true),
  expire: ({ service }, one) => service.end(payment(one), 'EXPIRED'),
  cancel: ({ service }, one) => cancel(service, one),
  chargeback: ({ service }, one) => service.chargeBack(payment(one)),
  return: ({ service }, one) => service.returnTransfer(transfer(one)),
  fail: ({ service }, one, fields) => fail(service, one, fields),
  deliver: ({ deliveries }, one) => deliver(deliveries, one),
} as const satisfies Record<string, TransactionAction>

export type TransactionActionName = keyof typeof TRANSACTION_ACTIONS

const BY_NAME: ReadonlyMap<string, TransactionAction> = new Map<string, TransactionAction>(
  Object.entries(TRANSACTION_ACTIONS),
)

/** The action of this name; undefined if there is none. */
export function transactionAction(name: string): TransactionAction | undefined {
  return BY_NAME.get(name)
}

function cancel(service: Service, one: Transaction): void {
  if (one.type === 'transfer') service.failTransfer(one.idTransaction, 'CANCELED', 'CANCELED')
  else service.end(payment(one), 'CANCELLED')
}

function fail(service: Service, one: Transaction, fields: Fields): void {
  const errorCode = fields.optionalText('errorCode') ?? 'PIX_KEY_NOT_FOUND'
  if (!/^[A-Z][A-Z0-9_]{0,63}$/.test(errorCode)) fields.fault('errorCode', t`must be a code such as NO_FUNDS`)
  fields.assertNoFaults('WRONG_DATA_FORMAT')
  if (one.type === 'refund') service.failRefund(one.idTransaction)
  else service.failTransfer(transfer(one), 'ERROR', errorCode)
}

function deliver(deliveries: Deliveries, one: Transaction): void {
  if (deliveries.sendAgain(one.idTransaction) > 0) return
  throw conflictError(t`Transaction \`${one.idTransaction}\` has had no event yet`)
}

function payment(transaction: Transaction): string {
  if (transaction.type === 'payment') return transaction.idTransaction
  throw conflictError(t`\`${transaction.idTransaction}\` is a ${transaction.type}, not a payment`)
}

function transfer(transaction: Transaction): string {
  if (transaction.type === 'transfer') return transaction.idTransaction
  throw conflictError(t`\`${transaction.idTransaction}\` is a ${transaction.type}, not a transfer`)
}
