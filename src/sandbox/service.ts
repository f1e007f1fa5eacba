import { reaisFromCents } from '../pix/amount.ts'
import { unformattedTaxId } from '../pix/taxDocument.ts'
import { english } from '../text/translate.ts'
import { type Bank, cashOutError, cashOutSentence, type Transaction } from './bank.ts'
import { paymentCodeFor, qrImage } from './brCodes.ts'
import {
  dashboardNotification,
  formatWireInstant,
  type OutgoingWebhook,
  paymentWebhook,
  refundWebhook,
  transferWebhook,
} from './deliveries.ts'
import type { EndpointAnswer, StatusAnswer } from './endpointAnswers.ts'
import type { CashOutFault } from './faults.ts'
import {
  FAILING_KEYS,
  findKeyHolder,
  isBeyondFunds,
  isMistypedFailure,
  PERSON,
  transferFailureOf,
} from './keyDirectory.ts'
import type { CashIn, CashOut, RefundRequest } from './requestBodies.ts'
import { SandboxError } from './sandboxError.ts'
import type { Clock, SandboxOptions } from './sandboxOptions.ts'
import type { Payment, Refund, Transfer } from './transactions.ts'

/** What an unknown `paid-…` id is said to be worth, and any id under the hosted rule. */
const SAMPLE_AMOUNT_CENTS = 1000

/** Carries out parsed requests of the four endpoints, and everything that follows from them automatically. */
export class Service {
  readonly #options: SandboxOptions
  readonly #clock: Clock
  readonly #send: (webhook: OutgoingWebhook) => void
  readonly #newId: () => string
  readonly #startedAtMs: number
  bank: Bank

  constructor(
    options: SandboxOptions,
    clock: Clock,
    bank: Bank,
    newId: () => string,
    send: (webhook: OutgoingWebhook) => void,
  ) {
    this.#options = options
    this.#clock = clock
    this.#newId = newId
    this.#send = send
    this.#startedAtMs = clock.now()
    this.bank = bank
  }

  /** Goes on with what is under way in a bank that was kept. */
  resume(): void {
    for (const payment of this.bank.payments.values()) this.#follow(payment)
    for (const refund of this.bank.refunds.values()) this.#followRefund(refund)
    for (const transfer of this.bank.transfers.values()) this.#followTransfer(transfer)
  }

  createQrCode(request: CashIn): EndpointAnswer<'QrCodeAnswer'> {
    const idTransaction = this.#newId()
    const paymentCode = paymentCodeFor(idTransaction, request.amountCents)
    const payment: Payment = {
      ...request,
      type: 'payment',
      idTransaction,
      paymentCode,
      status: 'PENDING',
      createdAtMs: this.#clock.now(),
      paidAtMs: null,
      chargebackAtMs: null,
      chargedBackCents: 0,
      heldForRefundsCents: 0,
      refundedCents: 0,
    }
    this.bank.addPayment(payment)
    this.#follow(payment)
    return {
      idTransaction,
      paymentCode,
      paymentCodeBase64: qrImage(paymentCode).toString('base64'),
      response: 'OK',
      expiresAt: new Date(payment.expiresAtMs).toISOString(),
    }
  }

  refund(request: RefundRequest): EndpointAnswer<'RefundAnswer'> {
    const idTransaction = this.#newId()
    const refund = this.bank.startRefund({ ...request, idTransaction }, this.#clock.now())
    this.#followRefund(refund)
    const { originalTransactionId, status } = refund
    return { idTransaction, originalTransactionId, amount: reaisFromCents(refund.amountCents), status, response: 'OK' }
  }

  /** A fault refuses the transfer, or lets it fail once it was accepted. */
  transfer(request: CashOut, fault: CashOutFault | undefined): EndpointAnswer<'TransferAnswer'> {
    if (fault !== undefined && !fault.async) throw cashOutError(fault.code)
    if (isMistypedFailure(request.key) && !this.#options.anyKeyHolder) {
      const names = [...FAILING_KEYS.keys()].map((key) => key.split('@')[0]).join(', ')
      throw new SandboxError(400, 'WRONG_DATA_FORMAT', english`\`key\`: fail.pixgate.example has the names ${names}`)
    }
    const holder = findKeyHolder(request.key, request.typeKey) ?? (this.#options.anyKeyHolder ? PERSON : null)
    if (holder === null) throw cashOutError('PIX_KEY_NOT_FOUND')
    const { documentValidation } = request
    const isOfAnother = documentValidation !== null && unformattedTaxId(documentValidation) !== holder.taxId
    if (isOfAnother && !this.#options.anyKeyHolder) throw cashOutError('DOCUMENT_VALIDATE')
    if (isBeyondFunds(request.key) && !this.#options.anyKeyHolder) throw cashOutError('NO_FUNDS')
    const transfer = this.bank.startTransfer({
      ...request,
      type: 'transfer',
      idTransaction: this.#newId(),
      status: 'PROCESSING',
      statusTransaction: null,
      holder,
      createdAtMs: this.#clock.now(),
      settledAtMs: null,
      errorCode: null,
      errorMessage: null,
      failsWith: fault?.code ?? (this.#options.anyKeyHolder ? null : (transferFailureOf(request.key) ?? null)),
    })
    this.#followTransfer(transfer)
    return { idTransaction: transfer.idTransaction, status: transfer.status, response: 'OK' }
  }

  /** The status of a payment; throws SandboxError 404 for an unknown id, unless a rule for sample ids covers it. */
  consult(id: string): StatusAnswer {
    const { hostedStatusRule } = this.#options
    const payment = this.bank.payments.get(id.toLowerCase())
    if (hostedStatusRule || (payment === undefined && id.startsWith('paid-'))) {
      const isPaid = id.startsWith('paid-')
      const cents = payment?.amountCents ?? SAMPLE_AMOUNT_CENTS
      return this.#statusAnswer(id, isPaid ? 'PAID' : 'UNPAID', cents, isPaid ? this.#startedAtMs : null)
    }
    if (payment === undefined) throw this.bank.notFound(id)
    return this.#statusAnswer(payment.idTransaction, payment.status, payment.amountCents, payment.paidAtMs)
  }

  pay(id: string, late = false): void {
    const { dashboardWebhook } = this.#options
    const changed = this.bank.pay(id, this.#clock.now(), late)
    this.#tell(changed)
    if (dashboardWebhook === undefined) return
    for (const payment of changed)
      this.#send(dashboardNotification(payment, 'PAID_OUT', dashboardWebhook, this.#options))
  }

  end(id: string, status: 'EXPIRED' | 'CANCELLED'): void {
    this.#tell(this.bank.end(id, status))
  }

  /** Told to the dashboard webhook alone; the query knows no such status. */
  chargeBack(id: string): void {
    const { dashboardWebhook } = this.#options
    const payment = this.bank.chargeBack(id, this.#clock.now())
    if (dashboardWebhook !== undefined)
      this.#send(dashboardNotification(payment, 'CHARGEBACK', dashboardWebhook, this.#options))
  }

  failRefund(id: string): void {
    this.#tell(this.bank.settleRefund(id, 'FAILED', this.#clock.now()))
  }

  failTransfer(id: string, statusTransaction: 'ERROR' | 'CANCELED', errorCode: string): void {
    const errorMessage = cashOutSentence(errorCode)
    this.#tell(this.bank.failTransfer(id, { statusTransaction, errorCode, errorMessage }, this.#clock.now()))
  }

  #settleTransfer({ idTransaction: id, failsWith: failure, paysPayment: charge }: Transfer): void {
    const isEnded = charge !== null && this.bank.payments.get(charge)?.status !== 'PENDING'
    if (failure === null && isEnded) this.failTransfer(id, 'ERROR', 'PIX_KEY_NOT_FOUND')
    else if (failure === null) {
      this.#tell(this.bank.completeTransfer(id, this.#clock.now()))
      if (charge !== null) this.pay(charge)
    } else if (failure === 'RETURNED') this.returnTransfer(id)
    else this.failTransfer(id, failure === 'CANCELED' ? 'CANCELED' : 'ERROR', failure)
  }

  /** The recipient sends the money back; a transfer still in progress reaches the recipient first. */
  returnTransfer(id: string): void {
    const nowMs = this.#clock.now()
    if (this.bank.transfers.get(id)?.status === 'PROCESSING') this.#tell(this.bank.completeTransfer(id, nowMs))
    const failure = {
      statusTransaction: 'RETURNED',
      errorCode: 'RETURNED',
      errorMessage: 'The recipient returned the amount',
    } as const
    this.#tell(this.bank.failTransfer(id, failure, nowMs))
  }

  #statusAnswer(
    idTransaction: string,
    status: Payment['status'] | 'UNPAID',
    amountCents: number,
    paidAtMs: number | null,
  ): StatusAnswer {
    const paidAt = formatWireInstant(paidAtMs)
    const named = this.#options.statusKey === 'status' ? { status } : { statusTransaction: status }
    return { idTransaction, ...named, amount: reaisFromCents(amountCents), paidAt, response: 'OK' }
  }

  #tell(changed: readonly Transaction[]): void {
    for (const one of changed) {
      const webhook = this.#webhookOf(one)
      if (webhook !== undefined) this.#send(webhook)
    }
  }

  #webhookOf(transaction: Transaction): OutgoingWebhook | undefined {
    switch (transaction.type) {
      case 'payment':
        return paymentWebhook(transaction, this.#options)
      case 'refund':
        return refundWebhook(transaction, this.#options)
      case 'transfer':
        return transferWebhook(transaction, this.#options)
    }
  }

  /** Lets a pending payment expire, or be paid, in time. */
  #follow(payment: Payment): void {
    const { autoPayMs } = this.#options
    const { idTransaction: id, status, createdAtMs, expiresAtMs } = payment
    if (status !== 'PENDING') return
    const isPending = () => this.bank.payments.get(id)?.status === 'PENDING'
    this.#clock.at(expiresAtMs, () => isPending() && this.end(id, 'EXPIRED'))
    if (autoPayMs !== undefined) this.#clock.at(createdAtMs + autoPayMs, () => isPending() && this.pay(id))
  }

  #followRefund({ idTransaction: id, createdAtMs }: Refund): void {
    const isUnderWay = () => this.bank.refunds.get(id)?.status === 'PROCESSING'
    if (!isUnderWay()) return
    this.#clock.at(createdAtMs + this.#options.autoSettleMs, () => {
      if (isUnderWay()) this.#tell(this.bank.settleRefund(id, 'COMPLETED', this.#clock.now()))
    })
  }

  #followTransfer(transfer: Transfer): void {
    const isUnderWay = () => this.bank.transfers.get(transfer.idTransaction)?.status === 'PROCESSING'
    if (!isUnderWay()) return
    this.#clock.at(transfer.createdAtMs + this.#options.autoSettleMs, () => {
      if (isUnderWay()) this.#settleTransfer(transfer)
    })
  }
}
