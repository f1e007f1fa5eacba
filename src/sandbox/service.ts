import { reaisFromCents } from '../pix/amount.ts'
import { unformattedTaxId } from '../pix/taxDocument.ts'
import { english } from '../text/translate.ts'
import { type Bank, cashOutError } from './bank.ts'
import { paymentCodeFor, qrImage } from './brCodes.ts'
import { dashboardNotification, eventWebhook, formatWireInstant, type OutgoingWebhook } from './deliveries.ts'
import type { EndpointAnswer, StatusAnswer } from './endpointAnswers.ts'
import { CASH_OUT_CODES, CASH_OUT_ERRORS } from './faultKinds.ts'
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
import type { Payment, Transaction, Transfer } from './transactions.ts'

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
    for (const each of this.bank.all()) this.#follow(each)
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
    this.#follow(refund)
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
    this.#follow(transfer)
    return { idTransaction: transfer.idTransaction, status: transfer.status, response: 'OK' }
  }

  /** The status of a payment; throws SandboxError 404 for an unknown id, unless a rule for sample ids covers it. */
  consult(id: string): StatusAnswer {
    const { hostedStatusRule, statusKey } = this.#options
    const payment = this.bank.payments.get(id.toLowerCase())
    const isPaid = id.startsWith('paid-')
    const sample = {
      idTransaction: id,
      status: isPaid ? ('PAID' as const) : ('UNPAID' as const),
      amountCents: payment?.amountCents ?? SAMPLE_AMOUNT_CENTS,
      paidAtMs: isPaid ? this.#startedAtMs : null,
    }
    const told = hostedStatusRule || (payment === undefined && isPaid) ? sample : payment
    if (told === undefined) throw this.bank.notFound(id)
    const { idTransaction, status, amountCents, paidAtMs } = told
    const named = statusKey === 'status' ? { status } : { statusTransaction: status }
    const amount = reaisFromCents(amountCents)
    return { idTransaction, ...named, amount, paidAt: formatWireInstant(paidAtMs), response: 'OK' }
  }

  pay(id: string, late = false): void {
    const changed = this.bank.pay(id, this.#clock.now(), late)
    this.#tell(changed)
    for (const payment of changed) this.#notify(payment, 'PAID_OUT')
  }

  end(id: string, status: 'EXPIRED' | 'CANCELLED'): void {
    this.#tell(this.bank.end(id, status))
  }

  /** Told to the dashboard webhook alone; the query knows no such status. */
  chargeBack(id: string): void {
    this.#notify(this.bank.chargeBack(id, this.#clock.now()), 'CHARGEBACK')
  }

  settleRefund(id: string, status: 'COMPLETED' | 'FAILED'): void {
    this.#tell(this.bank.settleRefund(id, status, this.#clock.now()))
  }

  failTransfer(id: string, statusTransaction: 'ERROR' | 'CANCELED', errorCode: string): void {
    const code = CASH_OUT_CODES.find((known) => known === errorCode)
    const errorMessage = code === undefined ? 'The transfer failed' : CASH_OUT_ERRORS[code].sentence
    this.#tell(this.bank.failTransfer(id, { statusTransaction, errorCode, errorMessage }, this.#clock.now()))
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

  #settleTransfer({ idTransaction: id, failsWith: failure, paysPayment: charge }: Transfer): void {
    const isEnded = charge !== null && this.bank.payments.get(charge)?.status !== 'PENDING'
    if (failure === null && isEnded) this.failTransfer(id, 'ERROR', 'PIX_KEY_NOT_FOUND')
    else if (failure === null) {
      this.#tell(this.bank.completeTransfer(id, this.#clock.now()))
      if (charge !== null) this.pay(charge)
    } else if (failure === 'RETURNED') this.returnTransfer(id)
    else this.failTransfer(id, failure === 'CANCELED' ? 'CANCELED' : 'ERROR', failure)
  }

  #tell(changed: readonly Transaction[]): void {
    for (const each of changed) this.#send(eventWebhook(each, this.#options))
  }

  #notify(payment: Payment, status: 'PAID_OUT' | 'CHARGEBACK'): void {
    const { dashboardWebhook } = this.#options
    if (dashboardWebhook !== undefined)
      this.#send(dashboardNotification(payment, status, dashboardWebhook, this.#options))
  }

  /** Lets a transaction end in time, unless it has ended by then. */
  #follow(transaction: Transaction): void {
    const { autoPayMs, autoSettleMs } = this.#options
    const { idTransaction: id, createdAtMs } = transaction
    const isUnderWay = () => ['PENDING', 'PROCESSING'].includes(this.bank.withId(id)?.status ?? '')
    const at = (dueMs: number, act: () => void) => this.#clock.at(dueMs, () => isUnderWay() && act())
    if (!isUnderWay()) return
    switch (transaction.type) {
      case 'payment':
        at(transaction.expiresAtMs, () => this.end(id, 'EXPIRED'))
        if (autoPayMs !== undefined) at(createdAtMs + autoPayMs, () => this.pay(id))
        break
      case 'refund':
        at(createdAtMs + autoSettleMs, () => this.settleRefund(id, 'COMPLETED'))
        break
      case 'transfer':
        at(createdAtMs + autoSettleMs, () => this.#settleTransfer(transaction))
    }
  }
}
