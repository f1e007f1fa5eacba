import type { IncomingHttpHeaders } from 'node:http'
import { reaisFromCents, reaisOrNull } from '../pix/amount.ts'
import { DAY_MS } from '../pix/calendar.ts'
import { Malformed, valueOrError } from '../pix/expectedError.ts'
import {
  about,
  flag,
  line,
  type Members,
  type ObjectReader,
  object,
  type Readers,
  where,
  wholeNumber,
} from '../schemas/jsonReader.ts'
import { shapedBy, TEXT, type ValueOf } from '../schemas/jsonSchema.ts'
import {
  type CONTROL_SCHEMAS,
  DELIVERY,
  type DeliveryEntry,
  type DeliveryView,
  type EventStep,
  type HistoryStep,
  PAYMENT,
  type PaymentView,
  REFUND,
  REQUEST_LINE,
  type RefundView,
  type RequestEntry,
  SPLIT,
  TRANSFER,
  type TransactionView,
  type TransferView,
} from '../schemas/sandboxAnswers.ts'
import { english } from '../text/translate.ts'
import { readAnswerError, readObject } from '../wire/answers.ts'
import { withoutBrackets } from '../wire/baseAddress.ts'
import { parseJson } from '../wire/jsonTree.ts'
import { redact, type Secret, withoutSecretParameters } from '../wire/secret.ts'
import type { Bank } from './bank.ts'
import { type Deliveries, type Delivery, formatWireInstant, urlWithoutSecrets } from './deliveries.ts'
import { addressList, type Call, hasBearer, namesIn, type SandboxParts, TRANSACTION_NAMES } from './endpoints.ts'
import { ENDPOINT_NAMES } from './faultKinds.ts'
import { FAULT_TIMES_MAX, type Reply } from './faults.ts'
import type { Keeper } from './keeper.ts'
import { readBody, readJsonObject } from './requestBodies.ts'
import { conflictError, SandboxError } from './sandboxError.ts'
import { namedTransactions, type Payment, type Refund, type Transaction, type Transfer } from './transactions.ts'

/** What control calls can touch beyond the endpoints. */
export interface ControlParts extends SandboxParts {
  deliveries: Deliveries
  requests: RequestLog
  keeper: Keeper
  /** Restores the initial state. */
  reset: () => void
}

type Answers = typeof CONTROL_SCHEMAS

/** A control call: how it is documented, what it takes, and how it is carried out. */
export interface ControlCall<Body = unknown, Answer extends keyof Answers = keyof Answers> {
  readonly method: 'GET' | 'POST'
  readonly summary: string
  /** A POST's body; of a GET the query, of which all members are texts, flags or numbers. */
  readonly body: ObjectReader<Body>
  readonly answer: Answer
  /** Reads the body and carries the call out. Throws SandboxError for a faulty body, and if the state does not allow the call. */
  readonly run: (parts: ControlParts, values: object) => ValueOf<Answers[Answer]>
}

const REQUESTS_MAX = Number.MAX_SAFE_INTEGER
const ADVANCE_MS_MAX = 10 * 365 * DAY_MS
/** The code of the answer to a fault whose target names nothing. */
export const UNKNOWN_TARGET = 'UNKNOWN_TARGET'

const ERROR_CODE = /^[A-Z][A-Z0-9_]{0,63}$/

const ID = about(
  'Transaction id or its first 6 characters, payment code, request number or external id, in any case, that names only one transaction',
  line,
)

/** True for a code with which a transfer can fail. */
export function isErrorCode(code: string): boolean {
  return ERROR_CODE.test(code)
}

const TRANSACTION_CALLS = {
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
      errorCode: where(
        { ...line, schema: { ...TEXT, pattern: ERROR_CODE.source } },
        isErrorCode,
        'told',
        english`must be a code such as NO_FUNDS`,
      ),
    },
    ({ service }, one, { errorCode = 'PIX_KEY_NOT_FOUND' }) =>
      one.type === 'refund'
        ? service.settleRefund(one.idTransaction, 'FAILED')
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
      { kind: about('Such as drop-after, NO_FUNDS or webhook:twice', line) },
      {
        times: about('How many times', wholeNumber(1, FAULT_TIMES_MAX)),
        async: about('Accept the transfer, then make it fail with this code', flag),
        on: about('transfer, refund, qr, status, or an id, external id, request number or key', line),
      },
    ),
    'Fault',
    ({ faults, service }, { kind, times = 1, async = false, on = null }) => {
      if (on !== null && namesNothing(on, service.bank)) {
        throw new SandboxError(
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
  'failed-deliveries': call(
    'GET',
    'The webhooks that were given up and not sent again since, oldest first',
    object({}),
    'Deliveries',
    ({ deliveries }) => ({ deliveries: deliveries.givenUp().map(deliveryView) }),
  ),
  'deliver-failed': call(
    'POST',
    'Deliver all webhooks again that were given up',
    object({}),
    'Deliveries',
    (parts) => ({
      deliveries: parts.deliveries.sendGivenUpAgain().map(deliveryView),
    }),
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
  history: call(
    'GET',
    'The requests and events of a transaction, and what became of their deliveries, oldest first',
    object({ id: ID }),
    'History',
    (parts, { id }) => historyOf(parts, parts.service.bank.find(id)),
  ),
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
  body: ObjectReader<Body>,
  answer: Answer,
  carryOut: (parts: ControlParts, body: Body) => ValueOf<Answers[Answer]>,
): ControlCall<Body, Answer> {
  const run = (parts: ControlParts, values: object) => carryOut(parts, readBody(body, values, 'WRONG_DATA_FORMAT'))
  return { method, summary, body, answer, run }
}

function onTransaction<Options extends Readers>(
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
  return (
    !ENDPOINT_NAMES.some((name) => name === on) &&
    !/[\d@]/.test(on) &&
    namedTransactions(bank.all(), on).found.length === 0
  )
}

function parsed<Value>(parse: () => Value): Value {
  const value = valueOrError(Malformed, parse)
  if (!(value instanceof Malformed)) return value
  throw new SandboxError(400, 'WRONG_DATA_FORMAT', `${value.message}. ${value.hint}`)
}

function payment(transaction: Transaction): string {
  if (transaction.type === 'payment') return transaction.idTransaction
  throw conflictError(english`\`${transaction.idTransaction}\` is a ${transaction.type}, not a payment`)
}

function transfer(transaction: Transaction): string {
  if (transaction.type === 'transfer') return transaction.idTransaction
  throw conflictError(english`\`${transaction.idTransaction}\` is a ${transaction.type}, not a transfer`)
}

/** A transaction as the control commands show it: the wire's names, amounts in reais, times ISO 8601 or null. */
function transactionView(transaction: Transaction): TransactionView {
  switch (transaction.type) {
    case 'payment':
      return paymentView(transaction)
    case 'refund':
      return refundView(transaction)
    case 'transfer':
      return transferView(transaction)
  }
}

/** A delivery as the state shows it; `body` is the exact text that was signed. */
export function deliveryView(delivery: Delivery): DeliveryView {
  const { status = null, error = null, answer = null } = delivery.answers.at(-1) ?? {}
  const createdAt = formatWireInstant(delivery.createdAtMs)
  return shapedBy(DELIVERY, { ...delivery.webhook, ...delivery, status, error, answer, createdAt })
}

function historyOf(
  { service: { bank }, deliveries, requests }: ControlParts,
  transaction: Transaction,
): ValueOf<Answers['History']> {
  const refunds = [...bank.refunds.values()].filter(
    ({ originalTransactionId }) => originalTransactionId === transaction.idTransaction,
  )
  const ids = [transaction, ...refunds].map(({ idTransaction }) => idTransaction)
  const events = deliveries.all.filter(({ webhook }) => ids.includes(webhook.idTransaction))
  const steps: HistoryStep[] = [
    ...requests
      .naming([...ids, ...ownNames(transaction)])
      .map(({ at, type: kind, ...entry }) => ({ at, kind, ...entry })),
    ...events.flatMap((delivery) => [
      requests.redacted(eventStep(delivery)),
      ...deliveries
        .logged(delivery)
        .map((entry) => requests.redacted(entry))
        .map(({ at, type: kind, ...entry }) => ({ at, kind, ...entry })),
    ]),
  ]
  // The sort is stable: in one millisecond a request comes before the event that it makes, and each event with its deliveries before the next one.
  return {
    transaction: transactionView(transaction),
    steps: steps.sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at))),
  }
}

/** The names that a request gave this transaction; the id of a refund's original is that of another. */
function ownNames(transaction: Transaction): string[] {
  if (transaction.type === 'payment') return [transaction.requestNumber]
  return transaction.type === 'transfer' && transaction.externalId !== null ? [transaction.externalId] : []
}

function eventStep({ webhook, createdAtMs, outcome }: Delivery): EventStep {
  const { event, status: eventStatus, idTransaction, url, body } = webhook
  const at = formatWireInstant(createdAtMs)
  return { at, kind: 'event', event, eventStatus, idTransaction, url: urlWithoutSecrets(url), outcome, body }
}

function paymentView(payment: Payment): PaymentView {
  const { split, shippingAmountCents } = payment
  return shapedBy(PAYMENT, {
    ...payment,
    amount: reaisFromCents(payment.amountCents),
    refunded: reaisFromCents(payment.refundedCents),
    paidAt: formatWireInstant(payment.paidAtMs),
    expiresAt: formatWireInstant(payment.expiresAtMs),
    createdAt: formatWireInstant(payment.createdAtMs),
    chargebackAt: formatWireInstant(payment.chargebackAtMs),
    chargedBack: reaisFromCents(payment.chargedBackCents),
    shippingAmount: reaisOrNull(shippingAmountCents),
    split: split === null ? null : shapedBy(SPLIT, { ...split, amount: reaisFromCents(split.shareCents) }),
  })
}

function refundView(refund: Refund): RefundView {
  return shapedBy(REFUND, {
    ...refund,
    amount: reaisFromCents(refund.amountCents),
    createdAt: formatWireInstant(refund.createdAtMs),
    settledAt: formatWireInstant(refund.settledAtMs),
  })
}

function transferView(transfer: Transfer): TransferView {
  const { holder } = transfer
  return shapedBy(TRANSFER, {
    ...transfer,
    value: reaisFromCents(transfer.valueCents),
    destinationName: holder.name,
    destinationTaxId: holder.taxId,
    destinationBank: holder.bank,
    createdAt: formatWireInstant(transfer.createdAtMs),
    settledAt: formatWireInstant(transfer.settledAtMs),
  })
}

interface RequestTiming {
  atMs: number
  tookMs: number
}

const ENTRIES_MAX = 1000
/** A longer body is cut, so that the log of a long test run does not fill the memory. */
const BODY_CHARACTERS_MAX = 16 * 1024

/** Remembers the last 1,000 requests to the service. */
export class RequestLog {
  readonly #secrets: readonly Secret[]
  readonly #keeper: Keeper
  #entries: RequestEntry[]
  #count: number

  /** The requests that are kept. Throws UnknownContent. */
  constructor(keeper: Keeper, secrets: readonly Secret[]) {
    this.#secrets = secrets
    this.#keeper = keeper
    this.#entries = keeper.all('request', REQUEST_LINE).sort((one, other) => (one.n ?? 0) - (other.n ?? 0))
    this.#count = this.#entries.at(-1)?.n ?? 0
  }

  /** Describes a request; one that `isKept` is remembered and gets a number. */
  add(call: Call, reply: Reply, { atMs, tookMs }: RequestTiming, isKept: boolean): RequestEntry {
    const { code, description } = readAnswerError(reply.status >= 400 ? readObject(reply.body ?? '') : undefined)
    const entry: RequestEntry = {
      type: 'request',
      n: null,
      at: formatWireInstant(atMs),
      method: call.method,
      path: this.#shown(call.path),
      query: this.#shown(withoutSecretParameters(`?${call.query}`).slice(1)),
      status: reply.body === undefined ? null : reply.status,
      ms: tookMs,
      code,
      details: description === null ? null : this.#shown(description),
      requestBody: this.#shown(call.text),
      responseBody: reply.body === undefined || !isKept ? null : this.#shown(reply.body),
    }
    if (!isKept) return entry
    this.#count += 1
    entry.n = this.#count
    this.#entries.push(entry)
    if (this.#entries.length > ENTRIES_MAX) this.#entries.shift()
    // In the place of the one that is forgotten.
    this.#keeper.put('request', String(this.#count % ENTRIES_MAX), entry)
    return entry
  }

  /** The entry without secrets, which a callback URL may carry and an event may repeat. */
  redacted<Entry extends DeliveryEntry | EventStep>(entry: Entry): Entry {
    const shown = { ...entry, url: this.#shown(entry.url), body: this.#shown(entry.body) }
    return 'answer' in shown && shown.answer !== null ? { ...shown, answer: this.#shown(shown.answer) } : shown
  }

  /** The remembered requests that name a transaction in one of these ways, or were answered with its id. */
  naming(names: readonly string[]): RequestEntry[] {
    const known = new Set(names.map((name) => name.toLowerCase()))
    return this.#entries.filter((entry) => namesOf(entry).some((name) => known.has(name.toLowerCase())))
  }

  /**
   * The remembered requests after number `after`, oldest first; all if it counts from before a reset. Only those with an error or without
   * an answer if `failedOnly`.
   */
  entries(failedOnly: boolean, after = 0): RequestEntry[] {
    const last = after > this.#count ? 0 : after
    return this.#entries.filter(({ n, status }) => (n ?? 0) > last && (!failedOnly || status === null || status >= 400))
  }

  reset(): void {
    this.#entries = []
    this.#count = 0
  }

  #shown(text: string): string {
    const whole = redact(text, this.#secrets)
    return whole.length > BODY_CHARACTERS_MAX ? `${whole.slice(0, BODY_CHARACTERS_MAX)}…` : whole
  }
}

/** All names of transactions in a request and its answer. A key is none: others are paid to it, too. */
function namesOf({ query, requestBody, responseBody }: RequestEntry): string[] {
  const answer = parseJson(responseBody ?? '')
  return [
    ...new URLSearchParams(query).getAll('idTransaction'),
    ...namesIn(parseJson(requestBody), TRANSACTION_NAMES),
    ...namesIn(answer, ['idTransaction']),
  ]
}

/** Below this path are the control calls. */
export const CONTROL_PREFIX = '/sandbox/'

const isLoopback = addressList(['127.0.0.0/8', '::1'])

const BY_NAME: ReadonlyMap<string, ControlCall> = new Map(Object.entries(CONTROL_CALLS))

/**
 * Answers a control request: `POST /sandbox/<name>`, or `GET` for a call that changes nothing. Rejects callers beyond this
 * machine without the control token.
 */
export function answerControl(call: Call, parts: ControlParts): object {
  assertAllowedCaller(call.headers, call.peer, parts.options.controlToken)
  const name = call.path.slice(CONTROL_PREFIX.length)
  const control = BY_NAME.get(name)
  if (control === undefined) throw new SandboxError(404, 'NOT_FOUND', english`There is no control command \`${name}\``)
  const { method } = control
  if (call.method !== method) {
    throw new SandboxError(405, 'METHOD_NOT_ALLOWED', english`Only ${method} is allowed here`, { Allow: method })
  }
  return control.run(parts, method === 'GET' ? valuesIn(call.query, control) : bodyOf(call, control))
}

/** Texts, flags and numbers, as the members of this name are. */
function valuesIn(query: URLSearchParams, { body: { members } }: ControlCall): object {
  const texts = Object.entries(members).flatMap(([name, { schema }]) => (schema.type === TEXT.type ? [name] : []))
  return Object.fromEntries(
    [...query].map(([name, value]) => {
      if (texts.includes(name)) return [name, value]
      return [name, /^\d+$/.test(value) ? Number(value) : value === 'true']
    }),
  )
}

/** True for a question that is asked again and again to follow the requests. */
export function isFollowingRequests({ path, query }: Call): boolean {
  return path === `${CONTROL_PREFIX}requests` && query.has('after')
}

function bodyOf(call: Call, { body }: ControlCall): object {
  const needsNone = Object.keys(body.members).length === 0
  return needsNone && call.text === '' ? {} : readJsonObject(call.body(), 'WRONG_DATA_FORMAT')
}

type ControlAnswers = { [Name in ControlName]: ReturnType<(typeof CONTROL_CALLS)[Name]['run']> }

const CALLS: {
  readonly [Name in ControlName]: { run: (parts: ControlParts, values: object) => ControlAnswers[Name] }
} = CONTROL_CALLS

/** A control call without HTTP, for the program that started the sandbox. Throws SandboxError if the state does not allow it. */
export type DirectControl = <Name extends ControlName>(name: Name, body: ControlBody<Name>) => ControlAnswers[Name]

/** The control calls of these parts. What is due by the clock happens before each. */
export function directControl(parts: ControlParts): DirectControl {
  return (name, body) => {
    parts.clock.runDue()
    return CALLS[name].run(parts, body)
  }
}

/** Without the token only programs on this machine are let in, and no page in a browser, whatever its name resolves to. */
function assertAllowedCaller(headers: IncomingHttpHeaders, peer: string | undefined, token: string | undefined): void {
  if (token !== undefined && hasBearer(headers, token)) return
  const host = withoutBrackets((headers.host ?? '').replace(/:\d+$/, ''))
  const isHere = isLoopback(peer) && (host.toLowerCase() === 'localhost' || isLoopback(host))
  if (isHere && headers.origin === undefined) return
  const details =
    token === undefined
      ? english`Only programs on this machine may control the sandbox, because it has no control token`
      : english`The header \`Authorization: Bearer <control token>\` is missing or wrong`
  throw new SandboxError(403, 'FORBIDDEN', details)
}
