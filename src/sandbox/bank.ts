import { english } from '../text/translate.ts'
import { CASH_OUT_ERRORS, type CashOutCode } from './faultKinds.ts'
import { HttpError, notFoundError } from './httpError.ts'
import type { RefundRequest } from './requestBodies.ts'
import {
  addHeldRefund,
  addRefunded,
  endUnpaid,
  markChargedBack,
  markCompleted,
  markFailed,
  markPaid,
  markSettled,
  namedTransactions,
  type Payment,
  type Refund,
  refundableCents,
  refundNotAllowed,
  type Transfer,
  type TransferFailure,
} from './transactions.ts'

/** Anything with a transaction id; told apart by its `type`. */
export type Transaction = Payment | Refund | Transfer

/**
 * All transactions and the one balance. At every moment the balance is the initial one, plus payments, minus their
 * partners' shares, minus chargebacks, refunds and transfers that have not failed. Steps that change something return the records
 * after it, in the order of their events.
 */
export class Bank {
  readonly payments = new Map<string, Payment>()
  readonly refunds = new Map<string, Refund>()
  readonly transfers = new Map<string, Transfer>()
  readonly #externalIds = new Set<string>()
  balanceCents: number

  constructor(balanceCents: number) {
    this.balanceCents = balanceCents
  }

  addPayment(payment: Payment): void {
    this.payments.set(payment.idTransaction, payment)
  }

  pay(id: string, nowMs: number, late: boolean): Payment[] {
    const payment = markPaid(this.#payment(id), nowMs, late)
    this.balanceCents += payment.amountCents - (payment.split?.shareCents ?? 0)
    this.payments.set(id, payment)
    return [payment]
  }

  end(id: string, status: 'EXPIRED' | 'CANCELLED'): Payment[] {
    const payment = endUnpaid(this.#payment(id), status)
    this.payments.set(id, payment)
    return [payment]
  }

  /** Takes what is left of the payment out of the balance, which may become negative. */
  chargeBack(id: string, nowMs: number): Payment {
    const payment = markChargedBack(this.#payment(id), nowMs)
    this.balanceCents -= payment.chargedBackCents
    this.payments.set(id, payment)
    return payment
  }

  /** Takes the money out of the balance at once. Throws HttpError 404 or 422. */
  startRefund(asked: RefundRequest & { idTransaction: string }, nowMs: number): Refund {
    const payment = this.#payment(asked.originalTransactionId)
    const amountCents = refundableCents(payment, asked.amountCents, nowMs)
    if (amountCents > this.balanceCents) throw refundNotAllowed(english`The balance is not sufficient for this refund`)
    const refund: Refund = {
      ...asked,
      type: 'refund',
      originalTransactionId: payment.idTransaction,
      amountCents,
      status: 'PROCESSING',
      createdAtMs: nowMs,
      settledAtMs: null,
    }
    this.balanceCents -= amountCents
    this.payments.set(payment.idTransaction, addHeldRefund(payment, amountCents))
    this.refunds.set(refund.idTransaction, refund)
    return refund
  }

  /** Ends a refund; one that fails puts the money back. The original follows if it is now REFUNDED. */
  settleRefund(id: string, status: 'COMPLETED' | 'FAILED', nowMs: number): Transaction[] {
    const refund = markSettled(this.#refund(id), status, nowMs)
    const before = this.#payment(refund.originalTransactionId)
    const isBack = status === 'COMPLETED'
    const after = isBack ? addRefunded(before, refund.amountCents) : addHeldRefund(before, -refund.amountCents)
    if (!isBack) this.balanceCents += refund.amountCents
    this.refunds.set(id, refund)
    this.payments.set(after.idTransaction, after)
    return after.status === before.status ? [refund] : [refund, after]
  }

  /**
   * Takes the money out of the balance at once. Returns the payment whose copy-and-paste code is paid, if it is one of this bank. Throws
   * HttpError with code `DUPLICATE_EXTERNAL_ID`, `PIX_KEY_NOT_FOUND` or `NO_FUNDS`.
   */
  startTransfer(transfer: Transfer): Payment | undefined {
    const { externalId, valueCents } = transfer
    if (externalId !== null && this.#externalIds.has(externalId)) throw cashOutError('DUPLICATE_EXTERNAL_ID')
    const payment = transfer.typeKey === 'paymentCode' ? this.#withCode(transfer.key) : undefined
    if (payment !== undefined && payment.status !== 'PENDING') throw endedCodeError(payment.status)
    if (valueCents > this.balanceCents) throw cashOutError('NO_FUNDS')
    if (externalId !== null) this.#externalIds.add(externalId)
    this.balanceCents -= valueCents
    this.transfers.set(transfer.idTransaction, transfer)
    return payment
  }

  completeTransfer(id: string, nowMs: number): Transfer[] {
    const transfer = markCompleted(this.#transfer(id), nowMs)
    this.transfers.set(id, transfer)
    return [transfer]
  }

  /** Puts the money back. */
  failTransfer(id: string, failure: TransferFailure, nowMs: number): Transfer[] {
    const transfer = markFailed(this.#transfer(id), failure, nowMs)
    this.balanceCents += transfer.valueCents
    this.transfers.set(id, transfer)
    return [transfer]
  }

  /** The transaction with this id; undefined if there is none. */
  withId(idTransaction: string): Transaction | undefined {
    return this.payments.get(idTransaction) ?? this.refunds.get(idTransaction) ?? this.transfers.get(idTransaction)
  }

  /** The only transaction that a typed id names, see {@link namedTransactions}. Throws HttpError 404, and 400 if there are several. */
  find(typed: string): Transaction {
    const { found } = namedTransactions(this.#all(), typed)
    const [first, second] = found
    if (first === undefined) throw notFoundError(typed)
    if (second === undefined) return first
    throw new HttpError(400, 'AMBIGUOUS_ID', english`\`${typed}\` names ${found.length} transactions`)
  }

  /** True if a typed id names a transaction. */
  has(typed: string): boolean {
    return namedTransactions(this.#all(), typed).found.length > 0
  }

  #withCode(code: string): Payment | undefined {
    return [...this.payments.values()].find(({ paymentCode }) => paymentCode === code.trim())
  }

  #all(): Transaction[] {
    return [...this.payments.values(), ...this.refunds.values(), ...this.transfers.values()]
  }

  #payment(id: string): Payment {
    const payment = this.payments.get(id)
    if (payment === undefined) throw notFoundError(id)
    return payment
  }

  #refund(id: string): Refund {
    const refund = this.refunds.get(id)
    if (refund === undefined) throw notFoundError(id)
    return refund
  }

  #transfer(id: string): Transfer {
    const transfer = this.transfers.get(id)
    if (transfer === undefined) throw notFoundError(id)
    return transfer
  }
}

const BY_CODE: ReadonlyMap<string, { status: number; sentence: string }> = new Map(Object.entries(CASH_OUT_ERRORS))

/** The error with one of the codes of a transfer. */
export function cashOutError(code: CashOutCode): HttpError {
  const { status, sentence } = CASH_OUT_ERRORS[code]
  return new HttpError(status, code, sentence)
}

/** The error for a payment code that was paid, has expired or was cancelled, which the payer's bank no longer finds. */
function endedCodeError(status: string): HttpError {
  return new HttpError(
    404,
    'PIX_KEY_NOT_FOUND',
    english`The payment code in \`key\` can no longer be paid: its charge is ${status}`,
  )
}

/** What a code means, as one sentence. */
export function cashOutSentence(code: string): string {
  return BY_CODE.get(code)?.sentence ?? 'The transfer failed'
}
