import { once, setMaxListeners } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { reaisFromCents } from '../pix/amount.ts'
import { formatPaymentDate } from '../pix/calendar.ts'
import { BOOLEAN, COUNT, enumOf, list, NUMBER, objectOf, orNull, TEXT, type ValueOf } from '../schemas/jsonSchema.ts'
import { ATTEMPT_RESULT, type DeliveryEntry, OUTCOME } from '../schemas/sandboxAnswers.ts'
import { EVENT_NAMES, type EventName, type WebhookBody } from '../schemas/webhookBodies.ts'
import { isSystemError } from '../wire/errors.ts'
import { eventBody, repeatIdKey } from '../wire/eventBody.ts'
import { SIGNATURE_HEADER, signBody } from '../wire/signature.ts'
import type { EndpointName } from './faultKinds.ts'
import type { DeliveryFault, FaultSubject } from './faults.ts'
import type { Keeper } from './keeper.ts'
import type { Clock, SandboxOptions } from './sandboxOptions.ts'
import type { Payment, Transaction } from './transactions.ts'

/** A webhook to be delivered. `body` is the exact text; `event` is `payment` for the general notification. */
const WEBHOOK = objectOf({
  idTransaction: TEXT,
  /** The other names of its transaction, by which a fault may select it. */
  alsoNamed: list(TEXT),
  url: TEXT,
  event: enumOf(...EVENT_NAMES),
  /** The status in the body, for the log. */
  status: TEXT,
  body: TEXT,
})

export type OutgoingWebhook = ValueOf<typeof WEBHOOK>

/** A delivery as it is kept. */
const KEPT_DELIVERY = objectOf({
  /** Its place among all, from 0. */
  n: COUNT,
  webhook: WEBHOOK,
  /** The value of the signature header; null if a fault omits it. */
  signature: orNull(TEXT),
  createdAtMs: NUMBER,
  /** When its next attempt is due. */
  dueAtMs: NUMBER,
  /** It goes out after the next one. */
  isHeldBack: BOOLEAN,
  /** Counted before each attempt. */
  attempts: COUNT,
  /** What came of each attempt that ended, oldest first. */
  answers: list(ATTEMPT_RESULT),
  outcome: OUTCOME,
})

/** One webhook and the result of delivering it. */
export type Delivery = ValueOf<typeof KEPT_DELIVERY>

type DeliveryRules = Pick<
  SandboxOptions,
  'clientSecret' | 'signature' | 'deliverAttempts' | 'deliverDelaysMs' | 'answerLimitMs'
>

/** A delivery that is held back for the next one goes out after this time even if no other follows. */
const REORDER_PATIENCE_MS = 10_000

/**
 * Signs and delivers webhooks. First attempts to one receiver leave in the order of their events, each after the answer
 * to the one before; anything but 200 within the limit is tried again with the same bytes after the clock's next pause.
 */
export class Deliveries {
  readonly #rules: DeliveryRules
  readonly #clock: Clock
  readonly #keeper: Keeper
  readonly #takeFault: (subject: FaultSubject) => DeliveryFault | undefined
  readonly #onAttempt: (entry: DeliveryEntry) => void
  #all: Delivery[]
  #heldBack: Delivery | undefined
  /** The last first attempt under way, by the receiver's origin. */
  #lines = new Map<string, Promise<void>>()
  #life = newLife()

  /** Throws UnknownContent. */
  constructor(
    rules: DeliveryRules,
    clock: Clock,
    keeper: Keeper,
    takeFault: (subject: FaultSubject) => DeliveryFault | undefined,
    onAttempt: (entry: DeliveryEntry) => void,
  ) {
    this.#rules = rules
    this.#clock = clock
    this.#takeFault = takeFault
    this.#onAttempt = onAttempt
    this.#keeper = keeper
    this.#all = keeper.all('delivery', KEPT_DELIVERY)
  }

  /** Goes on with the deliveries that were kept and have not ended. One whose attempt was under way is attempted again. */
  resume(): void {
    for (const delivery of this.#all) {
      if (delivery.outcome !== 'waiting') continue
      if (delivery.isHeldBack) this.#heldBack = delivery
      this.#atDue(delivery)
    }
  }

  get all(): readonly Delivery[] {
    return this.#all
  }

  /** Delivers a webhook, unless the next fault says otherwise. */
  send(webhook: OutgoingWebhook): void {
    const { idTransaction, alsoNamed, event } = webhook
    const fault = this.#takeFault({ endpoint: ENDPOINTS[event], names: [idTransaction, ...alsoNamed] })
    const heldBack = this.#heldBack
    const delivery = this.#record(webhook, fault)
    if (delivery.isHeldBack) this.#heldBack = delivery
    if (delivery.outcome === 'lost') this.#log(delivery)
    else if (delivery.isHeldBack || fault?.how === 'late') this.#atDue(delivery)
    else {
      this.#queue(delivery)
      if (fault?.how === 'twice') this.#queue(this.#record(webhook, undefined))
      if (heldBack !== undefined) this.#queue(heldBack)
    }
  }

  /** Sends the latest event of a transaction again to each of its receivers; returns how many those are. */
  sendAgain(idTransaction: string): number {
    const latest = new Map<string, OutgoingWebhook>()
    for (const { webhook } of this.#all) {
      if (webhook.idTransaction === idTransaction) latest.set(`${webhook.event === 'payment'} ${webhook.url}`, webhook)
    }
    for (const webhook of latest.values()) this.send(webhook)
    return latest.size
  }

  /** Those that were given up, oldest first, but for those that were sent again since. */
  givenUp(): Delivery[] {
    const last = new Map(this.#all.map((delivery) => [`${delivery.webhook.url} ${delivery.webhook.body}`, delivery]))
    return [...last.values()].filter(({ outcome }) => outcome === 'given-up').sort((one, other) => one.n - other.n)
  }

  /** Sends all again that were given up; returns how they are delivered now. */
  sendGivenUpAgain(): Delivery[] {
    const before = this.#all.length
    for (const { webhook } of this.givenUp()) this.send(webhook)
    return this.#all.slice(before)
  }

  /** A delivery as the log has it after each of its attempts; of one that was never sent, once. */
  logged(delivery: Delivery): DeliveryEntry[] {
    const { webhook, answers, outcome, createdAtMs } = delivery
    const { event, status: eventStatus, idTransaction, url, body } = webhook
    const attemptsMax = this.#rules.deliverAttempts
    const about = {
      type: 'delivery',
      event,
      eventStatus,
      idTransaction,
      url: urlWithoutSecrets(url),
      attemptsMax,
      body,
    } as const
    if (outcome === 'lost') {
      const at = formatWireInstant(createdAtMs)
      return [{ ...about, at, attempt: 0, status: null, error: null, answer: null, outcome }]
    }
    return answers.map((answer, place) => ({
      ...about,
      ...answer,
      attempt: place + 1,
      outcome: place === answers.length - 1 ? outcome : 'waiting',
    }))
  }

  /** Ends what is under way; nothing leaves any more. */
  close(): void {
    this.#life.abort()
  }

  /** Forgets everything and ends what is under way. */
  reset(): void {
    this.close()
    this.#life = newLife()
    this.#all = []
    this.#heldBack = undefined
    this.#lines = new Map()
  }

  #record(webhook: OutgoingWebhook, fault: DeliveryFault | undefined): Delivery {
    const { clientSecret, signature: encoding } = this.#rules
    const secret = fault?.how === 'bad-signature' ? `not ${clientSecret}` : clientSecret
    const signature = fault?.how === 'unsigned' ? null : signBody(Buffer.from(webhook.body), secret, encoding)
    const nowMs = this.#clock.now()
    const isHeldBack = fault?.how === 'reorder' && this.#heldBack === undefined
    const waitMs = fault?.how === 'late' ? fault.ms : isHeldBack ? REORDER_PATIENCE_MS : 0
    const delivery: Delivery = {
      n: this.#all.length,
      webhook,
      signature,
      createdAtMs: nowMs,
      dueAtMs: nowMs + waitMs,
      isHeldBack,
      attempts: 0,
      answers: [],
      outcome: fault?.how === 'lost' ? 'lost' : 'waiting',
    }
    this.#all.push(delivery)
    this.#keep(delivery)
    return delivery
  }

  #keep(delivery: Delivery): void {
    this.#keeper.put('delivery', String(delivery.n), delivery)
  }

  /** Makes the next attempt when it is due. */
  #atDue(delivery: Delivery): void {
    const { signal } = this.#life
    const { dueAtMs, isHeldBack } = delivery
    this.#clock.at(dueAtMs, () => {
      // One that was held back may have left before.
      if (delivery.isHeldBack !== isHeldBack) return
      if (delivery.attempts > 0) void this.#attempt(delivery, signal)
      else this.#queue(delivery)
    })
  }

  /** Makes the first attempt after those before it at the same receiver. */
  #queue(delivery: Delivery): void {
    if (delivery.isHeldBack) {
      this.#heldBack = undefined
      this.#keep(Object.assign(delivery, { isHeldBack: false, dueAtMs: this.#clock.now() }))
    }
    const { origin } = new URL(delivery.webhook.url)
    const { signal } = this.#life
    const before = this.#lines.get(origin) ?? Promise.resolve()
    this.#lines.set(
      origin,
      before.then(() => this.#attempt(delivery, signal)),
    )
  }

  async #attempt(delivery: Delivery, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const { deliverAttempts, deliverDelaysMs, answerLimitMs } = this.#rules
    const { webhook, signature } = delivery
    const headers: Record<string, string> = { 'Content-Type': 'application/json', 'User-Agent': 'pixgate-sandbox' }
    if (signature !== null) headers[SIGNATURE_HEADER] = signature
    delivery.attempts += 1
    this.#keep(delivery)
    if (!(await this.#keeper.written()) || signal.aborted) return
    const result = await postWebhook(new URL(webhook.url), Buffer.from(webhook.body), headers, {
      answerLimitMs,
      signal,
    })
    if (signal.aborted) return
    delivery.answers.push({ at: formatWireInstant(this.#clock.now()), ...result })
    if (result.status === 200) delivery.outcome = 'delivered'
    else if (delivery.attempts >= deliverAttempts) delivery.outcome = 'given-up'
    const pauseMs = deliverDelaysMs[delivery.attempts - 1] ?? deliverDelaysMs.at(-1) ?? 0
    delivery.dueAtMs = this.#clock.now() + pauseMs
    this.#keep(delivery)
    this.#log(delivery)
    if (delivery.outcome === 'waiting') this.#atDue(delivery)
  }

  #log(delivery: Delivery): void {
    const entry = this.logged(delivery).at(-1)
    if (entry !== undefined) this.#onAttempt(entry)
  }
}

/** A callback URL may carry a token in its query or a password before its host. */
export function urlWithoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

/** The signal that ends all deliveries under way; each of them listens to it. */
function newLife(): AbortController {
  const life = new AbortController()
  setMaxListeners(0, life.signal)
  return life
}

const ENDPOINTS: Readonly<Record<EventName, EndpointName>> = {
  'pix.received': 'qr',
  'refund.status': 'refund',
  'transfer.completed': 'transfer',
  'transfer.failed': 'transfer',
  payment: 'qr',
}

type BodyRules = Pick<SandboxOptions, 'webhookStyle' | 'refundEvent'>

/** The general notification of a payment for dashboards, with the payer of the request. */
export function dashboardNotification(
  payment: Payment,
  status: WebhookBody<'payment'>['statusTransaction'],
  url: string,
  { webhookStyle }: BodyRules,
): OutgoingWebhook {
  const { idTransaction, requestNumber } = payment
  const notification: WebhookBody<'payment'> = {
    idTransaction,
    typeTransaction: 'PIX',
    statusTransaction: status,
    value: reaisFromCents(payment.amountCents),
    payerName: payment.client?.name ?? 'Pagador de Teste',
    payerTaxId: payment.client?.taxId ?? '11144477735',
    paymentDate: payment.paidAtMs === null ? undefined : formatPaymentDate(payment.paidAtMs),
  }
  const body = eventBody(notification, webhookStyle)
  return { idTransaction, alsoNamed: [requestNumber], url, event: 'payment', status, body }
}

/** The event of a transaction whose status changed; a transfer that is told of has ended. */
export function eventWebhook(transaction: Transaction, { webhookStyle, refundEvent }: BodyRules): OutgoingWebhook {
  const { idTransaction, callbackUrl: url } = transaction
  const body = eventOf(transaction)
  const { event, data } = body
  const text = eventBody(body, webhookStyle)
  return {
    idTransaction,
    alsoNamed: otherNames(transaction),
    url,
    event,
    status: 'status' in data ? data.status : data.statusTransaction,
    body: event === 'refund.status' && refundEvent === 'repeated-key' ? repeatIdKey(text) : text,
  }
}

function otherNames(transaction: Transaction): string[] {
  if (transaction.type === 'payment') return [transaction.requestNumber]
  if (transaction.type === 'refund') return [transaction.originalTransactionId]
  const { externalId, key } = transaction
  return externalId === null ? [key] : [externalId, key]
}

function eventOf(transaction: Transaction): WebhookBody<Exclude<EventName, 'payment'>> {
  const { idTransaction } = transaction
  switch (transaction.type) {
    case 'payment': {
      const { status, amountCents, paidAtMs } = transaction
      const amount = reaisFromCents(amountCents)
      return { event: 'pix.received', data: { idTransaction, status, amount, paidAt: formatWireInstant(paidAtMs) } }
    }
    case 'refund': {
      const { originalTransactionId, status, amountCents, settledAtMs, createdAtMs } = transaction
      const timestamp = formatWireInstant(settledAtMs ?? createdAtMs)
      const amount = reaisFromCents(amountCents)
      return { event: 'refund.status', data: { idTransaction, originalTransactionId, status, amount, timestamp } }
    }
    case 'transfer': {
      const { statusTransaction, valueCents, holder, errorCode, errorMessage } = transaction
      const about = { idTransaction, typeTransaction: 'PIX_CASHOUT' } as const
      const value = reaisFromCents(valueCents)
      if (statusTransaction === null || statusTransaction === 'PAID_OUT') {
        const { name: destinationName, taxId: destinationTaxId, bank: destinationBank } = holder
        const receiver = { destinationName, destinationTaxId, destinationBank }
        return { event: 'transfer.completed', data: { ...about, statusTransaction: 'PAID_OUT', value, ...receiver } }
      }
      const failure = { errorCode: errorCode ?? statusTransaction, errorMessage: errorMessage ?? '' }
      return { event: 'transfer.failed', data: { ...about, statusTransaction, value, ...failure } }
    }
  }
}

/** An instant as the wire has it: ISO 8601 in UTC, or null. */
export function formatWireInstant(ms: number): string
export function formatWireInstant(ms: number | null): string | null
export function formatWireInstant(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

type DeliveryResult = Omit<ValueOf<typeof ATTEMPT_RESULT>, 'at'>

const ANSWER_BYTES_MAX = 2048

/**
 * Posts these exact bytes once over a connection of its own; no redirect is followed. Never throws: no answer within the
 * limit, a refused connection and an abort are results.
 */
async function postWebhook(
  url: URL,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
  { answerLimitMs, signal }: { answerLimitMs: number; signal: AbortSignal },
): Promise<DeliveryResult> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  const own = { 'Content-Length': String(body.length), Connection: 'close' }
  const request = send(url, { method: 'POST', agent: false, signal, headers: { ...headers, ...own } })
  const timer = setTimeout(() => request.destroy(new Error(`no answer within ${answerLimitMs} ms`)), answerLimitMs)
  request.on('close', () => {
    clearTimeout(timer)
    // After an answer such as 101 there is neither a response nor an error.
    request.emit('error', new Error('closed without an answer'))
  })
  // Once the status is known, the rest of the answer may end anywhere.
  request.on('error', () => undefined)
  request.end(body)
  let status: number | null = null
  let answer = Buffer.alloc(0)
  try {
    const response: IncomingMessage = (await once(request, 'response'))[0]
    status = response.statusCode ?? null
    if (status === 200) {
      response.on('error', () => undefined).resume()
      return { status, error: null, answer: null }
    }
    for await (const chunk of response) {
      answer = Buffer.concat([answer, chunk]).subarray(0, ANSWER_BYTES_MAX)
      if (answer.length === ANSWER_BYTES_MAX) break
    }
  } catch (error) {
    if (status === null) return { status, error: reasonOf(error), answer: null }
  }
  return { status, error: null, answer: answer.toString() }
}

function reasonOf(error: unknown): string {
  return isSystemError(error) ? error.code : error instanceof Error ? error.message : String(error)
}
