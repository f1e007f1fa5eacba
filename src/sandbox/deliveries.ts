import { t } from '../text/words.ts'
import { signBody } from '../wire/signature.ts'
import { SIGNATURE_HEADER, type SignatureEncoding } from '../wire/signatureHeader.ts'
import type { Clock } from './clock.ts'
import type { Notice } from './eventBodies.ts'
import type { DeliveryFault } from './faults.ts'
import { postOnce } from './posting.ts'

/** One webhook and what became of it. */
export interface Delivery {
  readonly notice: Notice
  /** The value of the signature header; null where a fault leaves it out. */
  readonly signature: string | null
  readonly createdAtMs: number
  attempts: number
  /** The HTTP status of the last answer; null where there was none. */
  status: number | null
  outcome: 'waiting' | 'delivered' | 'given-up' | 'lost'
  /** Why the last attempt had no answer. */
  error: string | null
}

/** What deliveries need from the sandbox's options. */
export interface DeliveryRules {
  clientSecret: string
  signatureEncoding: SignatureEncoding
  deliverAttempts: number
  deliverBackoffMs: readonly number[]
  answerLimitMs: number
  onNotice?: (line: string) => void
}

/** A delivery that is held back for the next one goes out after this time even if no other follows. */
const REORDER_PATIENCE_MS = 10_000

/**
 * Signs and delivers webhooks. First attempts to one receiver leave in the order of their events, each after the answer
 * to the one before; anything but 200 within the limit is tried again with the same bytes after the clock's next pause.
 */
export class Deliveries {
  readonly #rules: DeliveryRules
  readonly #clock: Clock
  readonly #takeFault: () => DeliveryFault | undefined
  #all: Delivery[] = []
  #heldBack: Delivery[] = []
  /** The last first attempt under way, by the receiver's origin. */
  #lines = new Map<string, Promise<void>>()
  #life = new AbortController()

  constructor(rules: DeliveryRules, clock: Clock, takeFault: () => DeliveryFault | undefined) {
    this.#rules = rules
    this.#clock = clock
    this.#takeFault = takeFault
  }

  get all(): readonly Delivery[] {
    return this.#all
  }

  /** Delivers a notice, as the next fault will have it. */
  send(notice: Notice): void {
    const fault = this.#takeFault()
    const delivery = this.#record(notice, fault)
    if (fault?.how === 'lost') {
      delivery.outcome = 'lost'
      this.#say(delivery, 'lost on purpose')
      return
    }
    if (fault?.how === 'late') {
      this.#clock.at(this.#clock.now() + fault.ms, () => this.#queue(delivery))
      return
    }
    if (fault?.how === 'reorder') {
      this.#holdBack(delivery)
      return
    }
    this.#queue(delivery)
    if (fault?.how === 'twice') this.#queue(this.#record(notice, undefined))
    for (const held of this.#heldBack.splice(0)) this.#queue(held)
  }

  /** Sends the latest event of a transaction again to each of its receivers; how many that are. */
  sendAgain(idTransaction: string): number {
    const latest = new Map<string, Notice>()
    for (const { notice } of this.#all) {
      if (notice.idTransaction === idTransaction) latest.set(`${notice.event === 'payment'} ${notice.url}`, notice)
    }
    for (const notice of latest.values()) this.send(notice)
    return latest.size
  }

  /** Ends what is under way; nothing leaves any more. */
  close(): void {
    this.#life.abort()
  }

  /** Forgets everything and ends what is under way. */
  reset(): void {
    this.close()
    this.#life = new AbortController()
    this.#all = []
    this.#heldBack = []
    this.#lines = new Map()
  }

  #record(notice: Notice, fault: DeliveryFault | undefined): Delivery {
    const { clientSecret, signatureEncoding } = this.#rules
    const secret = fault?.how === 'bad-signature' ? `not ${clientSecret}` : clientSecret
    const signature = fault?.how === 'unsigned' ? null : signBody(Buffer.from(notice.body), secret, signatureEncoding)
    const delivery: Delivery = {
      notice,
      signature,
      createdAtMs: this.#clock.now(),
      attempts: 0,
      status: null,
      outcome: 'waiting',
      error: null,
    }
    this.#all.push(delivery)
    return delivery
  }

  #holdBack(delivery: Delivery): void {
    this.#heldBack.push(delivery)
    this.#clock.at(this.#clock.now() + REORDER_PATIENCE_MS, () => {
      const place = this.#heldBack.indexOf(delivery)
      if (place === -1) return
      this.#heldBack.splice(place, 1)
      this.#queue(delivery)
    })
  }

  /** Makes the first attempt after those before it at the same receiver. */
  #queue(delivery: Delivery): void {
    const { origin } = new URL(delivery.notice.url)
    const { signal } = this.#life
    const before = this.#lines.get(origin) ?? Promise.resolve()
    this.#lines.set(
      origin,
      before.then(() => this.#attempt(delivery, signal)),
    )
  }

  async #attempt(delivery: Delivery, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const { deliverAttempts, deliverBackoffMs, answerLimitMs } = this.#rules
    const { notice, signature } = delivery
    const headers: Record<string, string> = { 'Content-Type': 'application/json', 'User-Agent': 'pixgate-sandbox' }
    if (signature !== null) headers[SIGNATURE_HEADER] = signature
    delivery.attempts += 1
    const result = await postOnce(new URL(notice.url), Buffer.from(notice.body), headers, { answerLimitMs, signal })
    if (signal.aborted) return
    delivery.status = result.status
    delivery.error = result.error
    this.#say(delivery, String(result.status ?? result.error))
    if (result.status === 200) {
      delivery.outcome = 'delivered'
    } else if (delivery.attempts >= deliverAttempts) {
      delivery.outcome = 'given-up'
    } else {
      const pauseMs = deliverBackoffMs[delivery.attempts - 1] ?? deliverBackoffMs.at(-1) ?? 0
      this.#clock.at(this.#clock.now() + pauseMs, () => void this.#attempt(delivery, signal))
    }
  }

  #say(delivery: Delivery, result: string): void {
    const { event, status, url } = delivery.notice
    const { deliverAttempts } = this.#rules
    // A callback URL may carry a token in its query or a password before its host.
    const { origin, pathname } = new URL(url)
    this.#rules.onNotice?.(
      t`webhook ${event} ${status} to ${origin + pathname}: ${result} (attempt ${delivery.attempts} of ${deliverAttempts})`,
    )
  }
}
