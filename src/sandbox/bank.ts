import { formatInstant } from '../pix/calendar.ts'
import type { JsonSchema } from '../schemas/jsonSchema.ts'
import { english } from '../text/translate.ts'
import { CASH_OUT_ERRORS, type CashOutCode } from './faultKinds.ts'
import type { Keeper } from './keeper.ts'
import type { RefundRequest } from './requestBodies.ts'
import { SandboxError } from './sandboxError.ts'
import {
  addHeldRefund,
  addRefunded,
  endUnpaid,
  KEPT_PAYMENT,
  KEPT_REFUND,
  KEPT_TRANSFER,
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
  readonly payments: KeptMap<Payment>
  readonly refunds: KeptMap<Refund>
  readonly transfers: KeptMap<Transfer>
  readonly #externalIds: Set<string>
  readonly #begunAtMs: number
  balanceCents: number

  /** The bank that is kept, which began at this time with this balance. Throws UnknownContent. */
  constructor(keeper: Keeper, { balanceCents, begunAtMs }: { balanceCents: number; begunAtMs: number }) {
    this.payments = new KeptMap(keeper, 'payment', KEPT_PAYMENT)
    this.refunds = new KeptMap(keeper, 'refund', KEPT_REFUND)
    this.transfers = new KeptMap(keeper, 'transfer', KEPT_TRANSFER)
    this.#externalIds = new Set([...this.transfers.values()].flatMap(({ externalId }) => externalId ?? []))
    this.#begunAtMs = begunAtMs
    this.balanceCents = balanceCents + this.#movedCents()
  }

  /** What all transactions together brought into the balance. */
  #movedCents(): number {
    const received = [...this.payments.values()].map(({ paidAtMs, amountCents, split, chargedBackCents }) =>
      paidAtMs === null ? 0 : amountCents - (split?.shareCents ?? 0) - chargedBackCents,
    )
    const left = [
      ...[...this.refunds.values()].map(({ status, amountCents }) => (status === 'FAILED' ? 0 : amountCents)),
      ...[...this.transfers.values()].map(({ status, valueCents }) => (status === 'FAILED' ? 0 : valueCents)),
    ]
    return sumCents(received) - sumCents(left)
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

  /** Takes the money out of the balance at once. Throws SandboxError 404 or 422. */
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
   * Takes the money out of the balance at once. Returns the transfer as it is kept, with the payment whose copy-and-paste code it pays, if it is
   * one of this bank. Throws SandboxError with code `DUPLICATE_EXTERNAL_ID`, `PIX_KEY_NOT_FOUND` or `NO_FUNDS`.
   */
  startTransfer(asked: Omit<Transfer, 'paysPayment'>): Transfer {
    const { externalId, valueCents } = asked
    if (externalId !== null && this.#externalIds.has(externalId)) throw cashOutError('DUPLICATE_EXTERNAL_ID')
    const payment = asked.typeKey === 'paymentCode' ? this.#withCode(asked.key) : undefined
    if (payment !== undefined && payment.status !== 'PENDING') throw endedCodeError(payment.status)
    if (valueCents > this.balanceCents) throw cashOutError('NO_FUNDS')
    if (externalId !== null) this.#externalIds.add(externalId)
    this.balanceCents -= valueCents
    const transfer = { ...asked, paysPayment: payment?.idTransaction ?? null }
    this.transfers.set(transfer.idTransaction, transfer)
    return transfer
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

  /** The only transaction that a typed id names, see {@link namedTransactions}. Throws SandboxError 404, and 400 if there are several. */
  find(typed: string): Transaction {
    const { found } = namedTransactions(this.#all(), typed)
    const [first, second] = found
    if (first === undefined) throw this.notFound(typed)
    if (second === undefined) return first
    throw new SandboxError(400, 'AMBIGUOUS_ID', english`\`${typed}\` names ${found.length} transactions`)
  }

  /** No transaction carries the id: 404. A person may remember it from an earlier sandbox. */
  notFound(id: string): SandboxError {
    const begun = formatInstant(this.#begunAtMs)
    const details = english`There is no transaction \`${id}\`: this sandbox was begun at ${begun} and does not have it`
    return new SandboxError(404, 'TRANSACTION_NOT_FOUND', details)
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
    if (payment === undefined) throw this.notFound(id)
    return payment
  }

  #refund(id: string): Refund {
    const refund = this.refunds.get(id)
    if (refund === undefined) throw this.notFound(id)
    return refund
  }

  #transfer(id: string): Transfer {
    const transfer = this.transfers.get(id)
    if (transfer === undefined) throw this.notFound(id)
    return transfer
  }
}

/** Transactions by their ids, which are kept as they change. */
class KeptMap<Each extends Transaction> extends Map<string, Each> {
  readonly #keeper: Keeper
  readonly #kind: string

  constructor(keeper: Keeper, kind: string, schema: JsonSchema<Each>) {
    super()
    this.#keeper = keeper
    this.#kind = kind
    for (const each of keeper.all(kind, schema)) super.set(each.idTransaction, each)
  }

  override set(id: string, each: Each): this {
    this.#keeper.put(this.#kind, id, each)
    return super.set(id, each)
  }
}

function sumCents(amounts: readonly number[]): number {
  return amounts.reduce((sum, cents) => sum + cents, 0)
}

const BY_CODE: ReadonlyMap<string, { status: number; sentence: string }> = new Map(Object.entries(CASH_OUT_ERRORS))

/** The error with one of the codes of a transfer. */
export function cashOutError(code: CashOutCode): SandboxError {
  const { status, sentence } = CASH_OUT_ERRORS[code]
  return new SandboxError(status, code, sentence)
}

/** The error for a payment code that was paid, has expired or was cancelled, which the payer's bank no longer finds. */
function endedCodeError(status: string): SandboxError {
  return new SandboxError(
    404,
    'PIX_KEY_NOT_FOUND',
    english`The payment code in \`key\` can no longer be paid: its charge is ${status}`,
  )
}

/** What a code means, as one sentence. */
export function cashOutSentence(code: string): string {
  return BY_CODE.get(code)?.sentence ?? 'The transfer failed'
}
