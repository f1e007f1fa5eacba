import { randomUUID } from 'node:crypto'
import type { Owner } from '../../src/ledger/accounts.ts'
import { storeEvent } from '../../src/ledger/events.ts'
import type { PaymentFacts } from '../../src/ledger/facts.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { ownCharge } from '../../src/ledger/originals.ts'
import type { Finding } from '../../src/ledger/paymentState.ts'
import { loadPayment } from '../../src/ledger/payments.ts'
import type { AnswerRecord } from '../../src/ledger/records.ts'
import type { Writer } from '../../src/ledger/writer.ts'
import type { Outcome } from '../../src/wire/errors.ts'
import { answerContent } from '../ledger/paymentHistory.ts'
import { withLedger } from '../ledger/storedLedger.ts'
import type { World } from '../world.ts'
import { receivedEvent } from './storedEvents.ts'

const CALLBACK = 'https://shop.example.com/'

/** A São Paulo time `30/09/2026 22:30:00`, in ms. The clock has been three hours behind UTC since 2019. */
function inSaoPaulo(text: string): number {
  const [, day, month, year, time] = /^(\d\d)\/(\d\d)\/(\d{4}) ([\d:]{8})$/.exec(text) ?? []
  return Date.parse(`${year}-${month}-${day}T${time}-03:00`)
}

/** What happens to payments at times, in any order; it is written to a world's ledger in the order of the times. */
export class MonthLedger {
  readonly #owner: Owner
  readonly #steps: { ms: number; step: (writer: Writer) => void }[] = []

  constructor(owner: Owner) {
    this.#owner = owner
  }

  /** A request and its answer; returns what later steps name it by. */
  request(
    time: string,
    facts: PaymentFacts,
    outcome: Outcome,
    answer: Partial<AnswerRecord> = {},
    differences: Partial<Owner> = {},
  ): { payment: string; idTransaction: string; externalId: string | null } {
    const payment = randomUUID()
    const idTransaction = answer.idTransaction ?? randomUUID()
    const externalId = facts.kind === 'transfer' ? `nf-${idTransaction.slice(0, 8)}` : null
    this.#at(time, (writer) => {
      const attempt = writer.append({
        type: 'attempt',
        payment,
        number: 1,
        owner: { ...this.#owner, ...differences },
        facts,
        externalId,
        body: facts.kind === 'qr' ? null : '{}',
        place: null,
        rowId: externalId,
        sender: 'process-1',
      })
      const named = outcome === 'accepted' || outcome === 'accepted-before' ? { idTransaction } : {}
      writer.append(answerContent(payment, attempt.id, outcome, { ...named, ...answer }))
    })
    return { payment, idTransaction, externalId }
  }

  /** The only attempt of a payment is sent again, byte for byte, and answered. */
  resend(time: string, payment: string, outcome: Outcome): void {
    this.#at(time, (writer) => {
      const { first } = loadPayment(writer.database, payment)
      writer.append({ type: 'resend', payment, attempt: first.id, sender: 'process-2' })
      writer.append(answerContent(payment, first.id, outcome))
    })
  }

  /** A second attempt of a transfer; returns the gateway's id of it. */
  retry(time: string, payment: string, outcome: Outcome): string {
    const idTransaction = randomUUID()
    this.#at(time, (writer) => {
      const { first } = loadPayment(writer.database, payment)
      const { owner, facts, place, rowId, body, externalId } = first
      const attempt = writer.append({
        type: 'attempt',
        payment,
        number: 2,
        owner,
        facts,
        externalId: `${externalId}-2`,
        body,
        place,
        rowId,
        sender: 'process-2',
      })
      writer.append(answerContent(payment, attempt.id, outcome, { idTransaction }))
    })
    return idTransaction
  }

  charge(time: string, amountCents: number) {
    return this.request(
      time,
      { kind: 'qr', requestNumber: randomUUID(), amountCents, payer: null, payerName: null },
      'accepted',
    )
  }

  transfer(time: string, amountCents: number, outcome: Outcome, answer = {}, differences: Partial<Owner> = {}) {
    const facts = {
      kind: 'transfer',
      key: '52998224725',
      keyType: 'document',
      amountCents,
      documentValidation: null,
      callbackUrl: CALLBACK,
      payee: null,
      payeeDisplayName: null,
    } as const
    return this.request(time, facts, outcome, answer, differences)
  }

  refund(time: string, originalTransactionId: string, amountCents: number | null, outcome: Outcome = 'accepted') {
    const facts = {
      kind: 'refund',
      originalTransactionId,
      amountCents,
      isWhole: amountCents === null,
      refundReason: 'damaged',
      callbackUrl: CALLBACK,
      idField: 'originalTransactionId',
    } as const
    return this.request(time, facts, outcome)
  }

  /** An event that arrives; times in its data are written as the service does. */
  event(time: string, event: string, data: Record<string, unknown>, differences: Partial<Owner> = {}): void {
    const body = JSON.stringify(event === 'payment' ? data : { event, data })
    this.#at(time, (writer) => {
      storeEvent(
        writer,
        receivedEvent(body, { owner: { ...this.#owner, ...differences }, receivedAtMs: inSaoPaulo(time) }),
      )
    })
  }

  /** The event of a charge whose status changed; paid at a time unless it is null. */
  chargeEvent(time: string, idTransaction: string, status: string, amount: number, paidAt: string | null): void {
    const at = paidAt === null ? null : new Date(inSaoPaulo(paidAt)).toISOString()
    this.event(time, 'pix.received', { idTransaction, status, amount, paidAt: at })
  }

  /** The event of a transfer, which has no date. */
  transferEvent(time: string, idTransaction: string, status: string, value: number, differences: Partial<Owner> = {}) {
    const isPaid = status === 'PAID_OUT'
    const data = {
      idTransaction,
      typeTransaction: 'PIX_CASHOUT',
      statusTransaction: status,
      value,
      ...(isPaid
        ? { destinationName: 'Maria da Silva', destinationTaxId: '52998224725', destinationBank: 'Banco' }
        : {}),
    }
    this.event(time, isPaid ? 'transfer.completed' : 'transfer.failed', data, differences)
  }

  refundEvent(time: string, idTransaction: string, original: string, status: string, amount: number | null): void {
    const timestamp = new Date(inSaoPaulo(time)).toISOString()
    this.event(time, 'refund.status', { idTransaction, originalTransactionId: original, status, amount, timestamp })
  }

  find(time: string, payment: string, as: Finding): void {
    this.#at(time, (writer) => writer.append({ type: 'finding', payment, as, because: 'seen in the dashboard' }))
  }

  /** What the gateway answers to a query of a charge. */
  query(time: string, idTransaction: string, status: string, amountCents: number, paidAt: string | null): void {
    const paidAtMs = paidAt === null ? null : inSaoPaulo(paidAt)
    this.#at(time, (writer) => {
      const account = { url: this.#owner.baseUrl, clientId: this.#owner.clientId }
      const payment = ownCharge(writer.database, account, idTransaction)?.payment ?? null
      writer.append({ type: 'query', payment, owner: this.#owner, idTransaction, status, amountCents, paidAtMs })
    })
  }

  /** Writes everything to the ledger of a world. */
  write(world: World): Promise<void> {
    let nowMs = 0
    const writeSteps = async (ledger: Ledger) => {
      for (const { ms, step } of this.#steps.toSorted((one, other) => one.ms - other.ms)) {
        nowMs = ms
        await ledger.write(step)
      }
    }
    return withLedger(world, writeSteps, { now: () => nowMs })
  }

  #at(time: string, step: (writer: Writer) => void): void {
    this.#steps.push({ ms: inSaoPaulo(time), step })
  }
}
