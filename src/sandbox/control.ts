import type { IncomingHttpHeaders } from 'node:http'
import { reaisFromCents } from '../pix/amount.ts'
import { Malformed } from '../pix/malformed.ts'
import { t } from '../text/words.ts'
import { addressList } from './auth.ts'
import type { Transaction } from './bank.ts'
import type { Deliveries } from './deliveries.ts'
import type { Call, Parts } from './endpoints.ts'
import { instant } from './eventBodies.ts'
import { parseFault } from './faults.ts'
import { Fields, readObject } from './fields.ts'
import { conflict, Refusal } from './refusal.ts'
import type { Service } from './service.ts'
import { deliveryView, transactionView } from './views.ts'

/** What control commands can touch beyond the endpoints. */
export interface ControlParts extends Parts {
  deliveries: Deliveries
  /** Everything as on the first day. */
  reset: () => void
}

/** Below this path are the control commands. */
export const CONTROL_PREFIX = '/sandbox/'

const ADVANCE_MS_MAX = 10 * 365 * 86_400_000

const isLoopback = addressList(['127.0.0.0/8', '::1'])

type Action = (parts: ControlParts, transaction: Transaction, fields: Fields) => void

const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['pay', ({ service }, one, fields) => service.pay(payment(one), fields.value('late') === true)],
  ['expire', ({ service }, one) => service.end(payment(one), 'EXPIRED')],
  ['cancel', ({ service }, one) => cancel(service, one)],
  ['chargeback', ({ service }, one) => service.chargeBack(payment(one))],
  ['return', ({ service }, one) => service.returnTransfer(transfer(one))],
  ['fail', ({ service }, one, fields) => fail(service, one, fields)],
  ['deliver', ({ deliveries }, one) => deliver(deliveries, one)],
])

/**
 * Carries out a control command: `POST /sandbox/<action>` with `{id, …}`, `/sandbox/fault`, `/sandbox/advance`,
 * `/sandbox/reset`, or `GET /sandbox/state`. Refuses everybody but programs on this machine.
 */
export function control(call: Call, parts: ControlParts): object {
  checkCaller(call.headers, call.peer)
  const name = call.path.slice(CONTROL_PREFIX.length)
  const action = ACTIONS.get(name)
  const isKnown = action !== undefined || ['fault', 'advance', 'reset', 'state'].includes(name)
  if (!isKnown) throw new Refusal(404, 'NOT_FOUND', t`There is no control command \`${name}\``)
  const method = name === 'state' ? 'GET' : 'POST'
  if (call.method !== method) {
    throw new Refusal(405, 'METHOD_NOT_ALLOWED', t`Only ${method} is allowed here`, { Allow: method })
  }
  if (name === 'state') return state(parts)
  if (name === 'reset') {
    parts.reset()
    return state(parts)
  }
  const fields = new Fields(readObject(call.body(), 'WRONG_DATA_FORMAT'))
  if (name === 'fault') return addFault(parts, fields)
  if (name === 'advance') return advance(parts, fields)
  return act(parts, action, fields)
}

/** No machine but this one, and no page in a browser, by its own name or by one that it made resolve to this machine. */
function checkCaller(headers: IncomingHttpHeaders, peer: string | undefined): void {
  const host = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  const isHere = isLoopback(peer) && (host.toLowerCase() === 'localhost' || isLoopback(host))
  if (!isHere || headers.origin !== undefined) {
    throw new Refusal(403, 'FORBIDDEN', t`Only programs on this machine may control the sandbox`)
  }
}

function act(parts: ControlParts, action: Action | undefined, fields: Fields): object {
  const id = fields.text('id')
  const late = fields.value('late')
  if (late !== undefined && typeof late !== 'boolean') fields.fault('late', t`must be true or false`)
  fields.refuse('WRONG_DATA_FORMAT')
  const transaction = parts.service.bank.find(id)
  action?.(parts, transaction, fields)
  return transactionView(parts.service.bank.find(transaction.idTransaction))
}

function cancel(service: Service, one: Transaction): void {
  if (one.type === 'transfer') service.failTransfer(one.idTransaction, 'CANCELED', 'CANCELED')
  else service.end(payment(one), 'CANCELLED')
}

function fail(service: Service, one: Transaction, fields: Fields): void {
  const errorCode = fields.optionalText('errorCode') ?? 'PIX_KEY_NOT_FOUND'
  if (!/^[A-Z][A-Z0-9_]{0,63}$/.test(errorCode)) fields.fault('errorCode', t`must be a code such as NO_FUNDS`)
  fields.refuse('WRONG_DATA_FORMAT')
  if (one.type === 'refund') service.failRefund(one.idTransaction)
  else service.failTransfer(transfer(one), 'ERROR', errorCode)
}

function deliver(deliveries: Deliveries, one: Transaction): void {
  if (deliveries.sendAgain(one.idTransaction) === 0) {
    throw conflict(t`Transaction \`${one.idTransaction}\` has had no event yet`)
  }
}

function addFault({ faults }: ControlParts, fields: Fields): object {
  const kind = fields.text('kind')
  const times = fields.value('times') ?? 1
  const async = fields.value('async') ?? false
  if (typeof times !== 'number') fields.fault('times', t`must be a number`)
  if (typeof async !== 'boolean') fields.fault('async', t`must be true or false`)
  fields.refuse('WRONG_DATA_FORMAT')
  try {
    faults.add(parseFault(kind, async === true), Number(times))
  } catch (error) {
    if (error instanceof Malformed) throw new Refusal(400, 'WRONG_DATA_FORMAT', `${error.message}. ${error.hint}`)
    throw error
  }
  return { kind, times, async }
}

function advance({ clock }: ControlParts, fields: Fields): object {
  const ms = fields.value('ms')
  if (typeof ms !== 'number' || !Number.isInteger(ms) || ms < 1 || ms > ADVANCE_MS_MAX) {
    throw new Refusal(400, 'WRONG_DATA_FORMAT', t`\`ms\` must be a whole number from 1 to ${ADVANCE_MS_MAX}`)
  }
  clock.advance(ms)
  return { now: instant(clock.now()) }
}

function state({ service, deliveries, clock }: ControlParts): object {
  const { balanceCents, payments, refunds, transfers } = service.bank
  return {
    balance: reaisFromCents(balanceCents),
    payments: [...payments.values()].map(transactionView),
    refunds: [...refunds.values()].map(transactionView),
    transfers: [...transfers.values()].map(transactionView),
    deliveries: deliveries.all.map(deliveryView),
    now: instant(clock.now()),
  }
}

function payment(transaction: Transaction): string {
  if (transaction.type === 'payment') return transaction.idTransaction
  throw conflict(t`\`${transaction.idTransaction}\` is a ${transaction.type}, not a payment`)
}

function transfer(transaction: Transaction): string {
  if (transaction.type === 'transfer') return transaction.idTransaction
  throw conflict(t`\`${transaction.idTransaction}\` is a ${transaction.type}, not a transfer`)
}
