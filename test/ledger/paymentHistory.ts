import type { Owner } from '../../src/ledger/accounts.ts'
import { derivePayment, type PaymentSummary } from '../../src/ledger/derivePayment.ts'
import type { MoneyPayment } from '../../src/ledger/facts.ts'
import type { Finding } from '../../src/ledger/paymentState.ts'
import type {
  AnswerRecord,
  AttemptRecord,
  EventRecord,
  FindingRecord,
  PaymentRecord,
  ResendRecord,
} from '../../src/ledger/records.ts'
import type { Outcome } from '../../src/wire/errors.ts'

/** Noon of a day in São Paulo. */
export const NOON_MS = Date.UTC(2026, 10, 21, 15)
const MINUTE_MS = 60_000

export const OWNER: Owner = {
  profile: 'prod',
  environment: 'production',
  baseUrl: 'https://gateway.example.com',
  clientId: 'c-1',
}

export const TRANSFER: MoneyPayment = {
  kind: 'transfer',
  key: '52998224725',
  keyType: 'document',
  amountCents: 1000,
  documentValidation: null,
  callbackUrl: 'https://shop.example.com/',
  payee: null,
  payeeDisplayName: null,
}

export const REFUND: MoneyPayment = {
  kind: 'refund',
  originalTransactionId: 'original-1',
  amountCents: 400,
  isWhole: false,
  refundReason: 'damaged',
  callbackUrl: 'https://shop.example.com/',
  idField: 'originalTransactionId',
}

/** An event as far as a test needs to name it. */
export type EventDifferences = Partial<Omit<EventRecord, 'type'>>

/** The content of an event about the transfer above. */
export function eventContent(status: string | null, differences: EventDifferences = {}): EventRecord {
  return {
    type: 'event',
    n: 1,
    duplicateOf: null,
    owner: OWNER,
    event: status === 'PAID_OUT' ? 'transfer.completed' : 'transfer.failed',
    subject: 'transfer',
    idTransaction: 'id-1',
    originalTransactionId: null,
    externalId: 'invoice-17',
    status,
    amountCents: 1000,
    name: null,
    taxId: null,
    bank: null,
    errorCode: null,
    errorMessage: null,
    isSigned: true,
    via: 'listen',
    target: '/',
    headers: [
      ['Content-Type', 'application/json'],
      ['X-Signature', '00'],
    ],
    bodyBase64: '',
    ...differences,
  }
}

/** The content of an answer to an attempt. */
export function answerContent(
  payment: string,
  attempt: string,
  outcome: Outcome,
  differences: Partial<AnswerRecord> = {},
): AnswerRecord {
  return {
    type: 'answer',
    payment,
    attempt,
    outcome,
    idTransaction: null,
    status: null,
    code: null,
    message: null,
    httpStatus: null,
    amountCents: null,
    ...differences,
  }
}

type Content = AttemptRecord | ResendRecord | AnswerRecord | FindingRecord | EventRecord

/** The records of one payment, each a minute after the one before it. */
export class PaymentHistory {
  readonly records: PaymentRecord[] = []
  readonly #facts: MoneyPayment
  #attempt = 0
  #login = 'maria'

  constructor(facts: MoneyPayment = TRANSFER) {
    this.#facts = facts
  }

  get summary(): PaymentSummary {
    return derivePayment(this.records)
  }

  /** Who writes from now on. */
  by(login: string): this {
    this.#login = login
    return this
  }

  attempt(externalId: string | null = 'invoice-17', differences: Partial<AttemptRecord> = {}): this {
    this.#attempt += 1
    return this.#add(
      {
        type: 'attempt',
        payment: 'payment',
        number: this.#attempt,
        owner: OWNER,
        facts: this.#facts,
        externalId,
        body: '{}',
        place: null,
        rowId: externalId,
        sender: 'process-1',
        ...differences,
      },
      `attempt-${this.#attempt}`,
    )
  }

  resend(attempt = this.#attempt): this {
    return this.#add({ type: 'resend', payment: 'payment', attempt: `attempt-${attempt}`, sender: 'process-2' })
  }

  answer(outcome: Outcome, differences: Partial<AnswerRecord> = {}, attempt = this.#attempt): this {
    return this.#add(answerContent('payment', `attempt-${attempt}`, outcome, differences))
  }

  finding(as: Finding): this {
    return this.#add({ type: 'finding', payment: 'payment', as, because: 'seen in the dashboard' })
  }

  event(status: string | null, differences: EventDifferences = {}, minute?: number): this {
    return this.#add(eventContent(status, differences), undefined, minute)
  }

  #add(content: Content, id?: string, minute?: number): this {
    const seq = this.records.length + 1
    const madeMs = NOON_MS + (minute ?? seq) * MINUTE_MS
    const stamp = {
      seq,
      id: id ?? `record-${seq}`,
      at: new Date(madeMs).toISOString(),
      madeMs,
      user: 'maria',
      machine: 'desk',
      login: this.#login,
    }
    const verified = content.type === 'event' ? { isVerified: true as const } : {}
    this.records.push({ ...content, ...stamp, ...verified })
    return this
  }
}

/** When the record with a number was written, in ms. */
export function timeOfRecord(seq: number): number {
  return NOON_MS + seq * MINUTE_MS
}
