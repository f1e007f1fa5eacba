import { declared } from '../text/translate.ts'
import { eventBody, repeatIdKey, WEBHOOK_STYLES, type WebhookStyle } from '../wire/eventBody.ts'
import { signBody } from '../wire/signature.ts'
import { SIGNATURE_HEADER, type SignatureEncoding } from '../wire/signatureHeader.ts'
import { type BodyEdit, editBody } from './bodyEdits.ts'
import { sampleEvent } from './samples.ts'
import type { Header } from './webhookPost.ts'
import { type WrongSignature, wrongSignatures } from './wrongSignatures.ts'

/** One delivery of a check. */
export interface Probe {
  /** Stable, for programs: `pix.received/PAID`. */
  name: string
  /** For a person: what is special about it. */
  sent: string
  body: Buffer
  headers: readonly Header[]
  /** What a right receiver does: takes it, or refuses it. */
  expects: 'accepted' | 'refused'
  /** Must not be sent beside others. */
  isAlone?: boolean
}

/** What the probes of one check are made from. */
export interface ProbeSource {
  secret: string
  encoding: SignatureEncoding
  edits: readonly BodyEdit[]
  headers: readonly Header[]
  newId(): string
  nowMs: number
}

/** So that a receiver can tell samples from payments. */
const CHECK_HEADER: Header = ['X-Pixgate-Check', '1']
const AMOUNT = 0.1
/** Each writer has a way of its own to write it: letters outside ASCII, and a slash. */
const NAME = 'João da Conceição S/A'

/** Every status that the specification knows for an event. */
const STATUSES = {
  'pix.received': ['PAID', 'EXPIRED', 'CANCELLED', 'REFUNDED'],
  'refund.status': ['COMPLETED', 'PROCESSING', 'FAILED'],
  'transfer.completed': ['PAID_OUT'],
  'transfer.failed': ['ERROR', 'CANCELED', 'RETURNED'],
  payment: ['PAID_OUT', 'CHARGEBACK'],
} as const

type EventName = keyof typeof STATUSES

/** What is special about an event that is written as a language does. */
const STYLE_TEXTS: Readonly<Record<WebhookStyle, string>> = {
  java: declared`transfer.completed, java style`,
  php: declared`transfer.completed, php style`,
  python: declared`transfer.completed, python style`,
  javascript: declared`transfer.completed, javascript style`,
}

/** Makes the bodies of one check, and signs them in all the right and wrong ways. */
export class ProbeMaker {
  readonly #source: ProbeSource

  constructor(source: ProbeSource) {
    this.#source = source
  }

  /** A payment, which every receiver must take: it is sent first. */
  first(): Probe {
    return this.#genuine('pix.received/PAID', 'pix.received PAID', this.#body('pix.received', 'PAID'))
  }

  /** Each event with each of its statuses, in the writing style of the service. */
  events(): Probe[] {
    return Object.entries(STATUSES).flatMap(([event, statuses]) =>
      statuses
        .map((status) => [event as EventName, status] as const)
        .filter(([name, status]) => name !== 'pix.received' || status !== 'PAID')
        .map(([name, status]) => this.#genuine(`${name}/${status}`, `${name} ${status}`, this.#body(name, status))),
    )
  }

  /** The same event as four languages write it; `java` is how the other probes are written. */
  styles(): (Probe & { style: WebhookStyle })[] {
    return WEBHOOK_STYLES.map((style) => ({
      ...this.#genuine(`style/${style}`, STYLE_TEXTS[style], this.#body('transfer.completed', 'PAID_OUT', style)),
      style,
    }))
  }

  /** Genuine events that are unusual. */
  unusual(): Probe[] {
    const refund = this.#body('refund.status', 'COMPLETED').toString('utf8')
    const ended = Buffer.concat([this.#body('pix.received', 'PAID'), Buffer.from('\n')])
    return [
      this.#genuine('repeated-key', declared`refund.status with idTransaction twice`, Buffer.from(repeatIdKey(refund))),
      this.#genuine('line-break', declared`pix.received, a line break at the end`, ended),
      this.#upperCase(),
    ]
  }

  /** A refund before its payment, which may arrive in any order. */
  reordered(): Probe[] {
    const payment = this.#source.newId()
    const refund = this.#body('refund.status', 'COMPLETED', 'java', { originalTransactionId: payment })
    return [
      { ...this.#genuine('re-ordered', declared`refund.status before its payment`, refund), isAlone: true },
      {
        ...this.#genuine(
          're-ordered/payment',
          declared`the payment after its refund`,
          this.#body('pix.received', 'PAID', 'java', { idTransaction: payment }),
        ),
        isAlone: true,
      },
    ]
  }

  /** What anybody could send. */
  forgeries(): Probe[] {
    const body = this.#body('pix.received', 'PAID')
    const right = signBody(body, this.#source.secret)
    const other = signBody(body, `not ${this.#source.secret}`)
    const forged = (name: string, sent: string, signature: string): Probe => ({
      ...this.#genuine(name, sent, body),
      headers: this.#headers(signature),
      expects: 'refused',
    })
    return [
      { ...forged('unsigned', declared`without a signature`, ''), headers: this.#headers(undefined) },
      forged('forged', declared`signed with another secret`, other),
      forged(
        'forged/beginning',
        declared`a signature of which only the first 8 characters are right`,
        right.slice(0, 8) + other.slice(8),
      ),
      forged('forged/short', declared`only the first 8 characters of the signature`, right.slice(0, 8)),
      forged('forged/empty', declared`an empty signature`, ''),
    ]
  }

  /** Genuine events with the signatures that wrong receivers expect. */
  otherwise(): { signature: WrongSignature; probe: Probe }[] {
    const body = this.#body('pix.received', 'PAID')
    return wrongSignatures(body, this.#source.secret, this.#source.encoding).map((signature) => ({
      signature,
      probe: { ...this.#genuine(signature.cause, signature.cause, body), headers: this.#headers(signature.value) },
    }))
  }

  /** A payment that was not paid: what was credited must stay as it is. */
  unpaid(): Probe {
    return this.#genuine(
      'unpaid',
      declared`pix.received EXPIRED, of a payment that was not paid`,
      this.#body('pix.received', 'EXPIRED'),
    )
  }

  #upperCase(): Probe {
    const body = this.#body('pix.received', 'PAID')
    const probe = this.#genuine('upper-case', declared`pix.received, the signature in upper case`, body)
    return this.#source.encoding === 'hex'
      ? { ...probe, headers: this.#headers(signBody(body, this.#source.secret).toUpperCase()) }
      : probe
  }

  #genuine(name: string, sent: string, body: Buffer): Probe {
    const { secret, encoding } = this.#source
    return { name, sent, body, headers: this.#headers(signBody(body, secret, encoding)), expects: 'accepted' }
  }

  #headers(signature: string | undefined): Header[] {
    return [
      ['Content-Type', 'application/json'],
      ['User-Agent', 'pixgate'],
      CHECK_HEADER,
      ...this.#source.headers,
      ...(signature === undefined ? [] : [[SIGNATURE_HEADER, signature] satisfies Header]),
    ]
  }

  #body(event: EventName, status: string, style: WebhookStyle = 'java', own: Record<string, string> = {}): Buffer {
    const { newId, nowMs, edits } = this.#source
    const sample = sampleEvent(event, { newId, nowMs })
    const inner = 'data' in sample ? sample.data : sample
    const values = {
      ...inner,
      ...('amount' in inner ? { amount: AMOUNT } : { value: AMOUNT }),
      ...('status' in inner ? { status } : { statusTransaction: status }),
      ...('destinationName' in inner ? { destinationName: NAME } : {}),
      ...own,
    }
    return editBody(Buffer.from(eventBody('data' in sample ? { ...sample, data: values } : values, style)), edits)
  }
}
