import { reaisFromCents } from '../pix/amount.ts'
import { DAY_MS } from '../pix/calendar.ts'
import { Malformed } from '../pix/malformed.ts'
import { TEXT, type ValueOf } from '../schemas/jsonSchema.ts'
import type { CONTROL_SCHEMAS } from '../schemas/sandboxAnswers.ts'
import { english } from '../text/translate.ts'
import type { Bank, Transaction } from './bank.ts'
import { deliveryView, paymentView, refundView, transactionView, transferView } from './controlViews.ts'
import type { Deliveries } from './deliveries.ts'
import type { SandboxParts } from './endpoints.ts'
import { ENDPOINT_NAMES } from './faultKinds.ts'
import { FAULT_TIMES_MAX } from './faults.ts'
import { conflictError, HttpError } from './httpError.ts'
import { formatWireInstant } from './outgoingWebhooks.ts'
import {
  about,
  type Fields,
  flag,
  type Members,
  type ObjectField,
  object,
  readBody,
  text,
  textThat,
  wholeNumber,
} from './requestFields.ts'
import type { RequestLog } from './requestLog.ts'

/** What control calls can touch beyond the endpoints. */
export interface ControlParts extends SandboxParts {
  deliveries: Deliveries
  requests: RequestLog
  /** Restores the initial state. */
  reset: () => void
}

type Answers = typeof CONTROL_SCHEMAS

/** A control call: how it is documented, what it takes, and how it is carried out. */
export interface ControlCall<Body = unknown, Answer extends keyof Answers = keyof Answers> {
  readonly method: 'GET' | 'POST'
  readonly summary: string
  /** A POST's body; of a GET the query, of which all members are flags or numbers. */
  readonly body: ObjectField<Body>
  readonly answer: Answer
  /** Reads the body and carries the call out. Throws HttpError for a faulty body, and if the state does not allow the call. */
  readonly run: (parts: ControlParts, values: object) => ValueOf<Answers[Answer]>
}

const REQUESTS_MAX = Number.MAX_SAFE_INTEGER
const ADVANCE_MS_MAX = 10 * 365 * DAY_MS
/** The code of the answer to a fault whose target names nothing. */
export const UNKNOWN_TARGET = 'UNKNOWN_TARGET'

const ERROR_CODE = /^[A-Z][A-Z0-9_]{0,63}$/

const ID = about(
  'Transaction id or its first 6 characters, payment code, request number or external id, in any case, that names only one transaction',
  text,
)

/** True for a code with which a transfer can fail. */
export function isErrorCode(code: string): boolean {
  return ERROR_CODE.test(code)
}

/** The calls that do something to one transaction. */
export const TRANSACTION_CALLS = {
  pay: onTransaction(
    'Pay a code, as the payer would',
    { late: about('Pay a code that has expired or was cancelled', flag) },
    ({ service }, one, { late }) => service.pay(payment(one), late),
  ),
  expire: onTransaction('Let a code expire unpaid', {}, ({ service }, one) => service.end(payment(one), 'EXPIRED')),
  cancel: onTransaction('Cancel an unpaid code, or a transfer in progress', {}, ({ service }, one) =>
    one.type === 'transfer'
      ? service.failTransfer(one.idTransaction, 'CANCELED', 'CANCELED')
      : service.end(payment(one), 'CANCELLED'),
  ),
  chargeback: onTransaction('Charge back a received payment, as the fraud procedure does', {}, ({ service }, one) =>
    service.chargeBack(payment(one)),
  ),
  return: onTransaction('Return a transfer, as its receiver would', {}, ({ service }, one) =>
    service.returnTransfer(transfer(one)),
  ),
  deliver: onTransaction('Deliver the last event of a transaction again', {}, ({ deliveries }, { idTransaction }) => {
    if (deliveries.sendAgain(idTransaction) > 0) return
    throw conflictError(english`Transaction \`${idTransaction}\` has had no event yet`)
  }),
  fail: onTransaction(
    'Make a transfer or refund in progress fail',
    {
      errorCode: textThat(isErrorCode, english`must be a code such as NO_FUNDS`, {
        ...TEXT,
        pattern: ERROR_CODE.source,
      }),
    },
    ({ service }, one, { errorCode = 'PIX_KEY_NOT_FOUND' }) =>
      one.type === 'refund'
        ? service.failRefund(one.idTransaction)
        : service.failTransfer(transfer(one), 'ERROR', errorCode),
  ),
}

/** All control calls by their names: the last word of their path and, but for those of the state, of their command. */
export const CONTROL_CALLS = {
  ...TRANSACTION_CALLS,
  fault: call(
    'POST',
    'Make the next calls or webhook deliveries fail',
    object(
      { kind: about('Such as drop-after, NO_FUNDS or webhook:twice', text) },
      {
        times: about('How many times', wholeNumber(1, FAULT_TIMES_MAX)),
        async: about('Accept the transfer, then make it fail with this code', flag),
        on: about('transfer, refund, qr, status, or an id, external id, request number or key', text),
      },
    ),
    'Fault',
    ({ faults, service }, { kind, times = 1, async = false, on = null }) => {
      if (on !== null && namesNothing(on, service.bank)) {
        throw new HttpError(
          400,
          UNKNOWN_TARGET,
          english`\`${on}\` is neither an endpoint nor the id or name of a transaction`,
        )
      }
      const fault = { kind, on, times, async }
      parsed(() => faults.add(fault))
      return fault
    },
  ),
  faults: call('GET', 'The faults that are still to come, oldest first', object({}), 'Faults', ({ faults }) => ({
    faults: faults.waiting,
  })),
  'clear-faults': call(
    'POST',
    'Remove a fault that is still to come, or all',
    object({}, { n: about('Its place in the list, from 1; omit it to remove all', wholeNumber(1, FAULT_TIMES_MAX)) }),
    'Faults',
    ({ faults }, { n }) => {
      if (!faults.clear(n)) throw conflictError(english`There is no fault ${n ?? 0} in the list`)
      return { faults: faults.waiting }
    },
  ),
  advance: call(
    'POST',
    'Move the clock forward; everything due by then happens',
    object({ ms: wholeNumber(1, ADVANCE_MS_MAX) }),
    'Clock',
    ({ clock }, { ms }) => {
      clock.advance(ms)
      return { now: formatWireInstant(clock.now()) }
    },
  ),
  reset: call(
    'POST',
    'Delete all transactions, faults and requests, and reset the clock',
    object({}),
    'State',
    (parts) => {
      parts.reset()
      return state(parts)
    },
  ),
  state: call('GET', 'Balance, payments, refunds, transfers, deliveries and the clock', object({}), 'State', state),
  requests: call(
    'GET',
    'The last 1,000 requests to the gateway and their answers, oldest first',
    object({}, { failed: flag, after: about('Only those after this number', wholeNumber(0, REQUESTS_MAX)) }),
    'Requests',
    ({ requests }, { failed = false, after }) => ({ requests: requests.entries(failed, after) }),
  ),
}

export type ControlName = keyof typeof CONTROL_CALLS
export type TransactionCallName = keyof typeof TRANSACTION_CALLS

/** The body of this call as its caller writes it. */
export type ControlBody<Name extends ControlName> =
  (typeof CONTROL_CALLS)[Name] extends ControlCall<infer Body extends object, keyof Answers> ? Body : never

function call<Body, Answer extends keyof Answers>(
  method: 'GET' | 'POST',
  summary: string,
  body: ObjectField<Body>,
  answer: Answer,
  carryOut: (parts: ControlParts, body: Body) => ValueOf<Answers[Answer]>,
): ControlCall<Body, Answer> {
  const run = (parts: ControlParts, values: object) => carryOut(parts, readBody(body, values, 'WRONG_DATA_FORMAT'))
  return { method, summary, body, answer, run }
}

function onTransaction<Options extends Fields>(
  summary: string,
  options: Options,
  act: (parts: ControlParts, transaction: Transaction, values: Members<{ id: typeof ID }, Options>) => void,
): ControlCall<Members<{ id: typeof ID }, Options>, 'Transaction'> {
  return call('POST', summary, object({ id: ID }, options), 'Transaction', (parts, body) => {
    const { bank } = parts.service
    const transaction = bank.find(body.id)
    act(parts, transaction, body)
    return transactionView(bank.withId(transaction.idTransaction) ?? transaction)
  })
}

function state({ service, deliveries, faults, clock }: ControlParts): ValueOf<Answers['State']> {
  const { balanceCents, payments, refunds, transfers } = service.bank
  return {
    balance: reaisFromCents(balanceCents),
    payments: [...payments.values()].map(paymentView),
    refunds: [...refunds.values()].map(refundView),
    transfers: [...transfers.values()].map(transferView),
    deliveries: deliveries.all.map(deliveryView),
    faults: faults.waiting,
    now: formatWireInstant(clock.now()),
  }
}

/**
 * True for a word that is most likely a mistyped endpoint. A name with a digit or an `@` may be that of a transaction, or a key, which is
 * still to come.
 */
function namesNothing(on: string, bank: Bank): boolean {
  return !ENDPOINT_NAMES.some((name) => name === on) && !/[\d@]/.test(on) && !bank.has(on)
}

function parsed<Value>(parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    if (error instanceof Malformed) throw new HttpError(400, 'WRONG_DATA_FORMAT', `${error.message}. ${error.hint}`)
    throw error
  }
}

function payment(transaction: Transaction): string {
  if (transaction.type === 'payment') return transaction.idTransaction
  throw conflictError(english`\`${transaction.idTransaction}\` is a ${transaction.type}, not a payment`)
}

function transfer(transaction: Transaction): string {
  if (transaction.type === 'transfer') return transaction.idTransaction
  throw conflictError(english`\`${transaction.idTransaction}\` is a ${transaction.type}, not a transfer`)
}
