import { DAY_MS, formatInstant, REFUND_WINDOW_DAYS } from '../pix/calendar.ts'
import type { JsonSchema } from '../schemas/jsonSchema.ts'
import { english } from '../text/translate.ts'
import { CASH_OUT_ERRORS, type CashOutCode } from './faultKinds.ts'
import type { Keeper } from './keeper.ts'
import type { RefundRequest } from './requestBodies.ts'
import { conflictError, SandboxError } from './sandboxError.ts'
import {
  KEPT_PAYMENT,
  KEPT_REFUND,
  KEPT_TRANSFER,
  namedTransactions,
  type Payment,
  type Refund,
  type Transaction,
  type Transfer,
} from './transactions.ts'

/** Why a transfer failed: how events name the status, the code, and a sentence. */
interface TransferFailure {
  readonly statusTransaction: 'ERROR' | 'CANCELED' | 'RETURNED'
  readonly errorCode: string
  readonly errorMessage: string
}

/**
 * All transactions and the one balance. At every moment the balance is the initial one, plus payments, minus their
 * partners' shares, minus chargebacks, refunds and transfers that have not failed. Steps that change something return the records
 * after it, in the order of their events. They throw SandboxError 404 for an unknown id, and 409 if the state does not allow them.
 */
export class Bank {
  readonly payments: KeptMap<Payment>
  readonly refunds: KeptMap<Refund>
  readonly transfers: KeptMap<Transfer>
  readonly #externalIds: Set<string>
  readonly #begun: { balanceCents: number; begunAtMs: number }

  /** The bank that is kept, which began at this time with this balance. Throws UnknownContent. */
  constructor(keeper: Keeper, begun: { balanceCents: number; begunAtMs: number }) {
    this.payments = new KeptMap(
      { keeper, kind: 'payment', schema: KEPT_PAYMENT },
      ({ paidAtMs, amountCents, split, chargedBackCents }) =>
        paidAtMs === null ? 0 : amountCents - (split?.shareCents ?? 0) - chargedBackCents,
    )
    this.refunds = new KeptMap({ keeper, kind: 'refund', schema: KEPT_REFUND }, ({ status, amountCents }) =>
      status === 'FAILED' ? 0 : -amountCents,
    )
    this.transfers = new KeptMap({ keeper, kind: 'transfer', schema: KEPT_TRANSFER }, ({ status, valueCents }) =>
      status === 'FAILED' ? 0 : -valueCents,
    )
    this.#externalIds = new Set([...this.transfers.values()].flatMap(({ externalId }) => externalId ?? []))
    this.#begun = begun
  }

  get balanceCents(): number {
    const { payments, refunds, transfers } = this
    return this.#begun.balanceCents + payments.broughtCents + refunds.broughtCents + transfers.broughtCents
  }

  addPayment(payment: Payment): void {
    this.payments.put(payment)
  }

  /** Paid by the payer; a code that is expired or cancelled only if `late`. */
  pay(id: string, nowMs: number, late: boolean): Payment[] {
    const payment = this.#known(this.payments, id)
    const { status } = payment
    if (status === 'PAID' || status === 'REFUNDED') throw conflictError(english`Payment \`${id}\` is already paid`)
    if (status !== 'PENDING' && !late) {
      throw conflictError(
        english`Payment \`${id}\` is ${status}: the payer's bank refuses its code unless \`late\` is set`,
        'CODE_ENDED',
      )
    }
    return [this.payments.put({ ...payment, status: 'PAID', paidAtMs: nowMs })]
  }

  /** A pending payment that ends unpaid. */
  end(id: string, status: 'EXPIRED' | 'CANCELLED'): Payment[] {
    const payment = this.#known(this.payments, id)
    assertStill('PENDING', payment)
    return [this.payments.put({ ...payment, status })]
  }

  /**
   * Disputed by the payer's bank: what was not refunded goes back to the payer, also if the balance becomes negative; the status stays PAID.
   */
  chargeBack(id: string, nowMs: number): Payment {
    const payment = this.#known(this.payments, id)
    const { status, chargebackAtMs, amountCents, heldForRefundsCents } = payment
    if (status !== 'PAID') {
      throw conflictError(english`Payment \`${id}\` is ${status}: only a PAID one can be charged back`)
    }
    if (chargebackAtMs !== null) throw conflictError(english`Payment \`${id}\` has already been charged back`)
    const chargedBackCents = amountCents - heldForRefundsCents
    return this.payments.put({ ...payment, chargebackAtMs: nowMs, chargedBackCents })
  }

  /** Takes the money out of the balance at once. Throws SandboxError 404 or 422. */
  startRefund(asked: RefundRequest & { idTransaction: string }, nowMs: number): Refund {
    const payment = this.#known(this.payments, asked.originalTransactionId)
    const amountCents = refundableCents(payment, asked.amountCents, nowMs)
    if (amountCents > this.balanceCents) throw refundNotAllowed(english`The balance is not sufficient for this refund`)
    this.payments.put({ ...payment, heldForRefundsCents: payment.heldForRefundsCents + amountCents })
    return this.refunds.put({
      ...asked,
      type: 'refund',
      originalTransactionId: payment.idTransaction,
      amountCents,
      status: 'PROCESSING',
      createdAtMs: nowMs,
      settledAtMs: null,
    })
  }

  /** Ends a refund; one that fails puts the money back. The original follows if it is now REFUNDED. */
  settleRefund(id: string, status: 'COMPLETED' | 'FAILED', nowMs: number): Transaction[] {
    const refund = this.#known(this.refunds, id)
    assertStill('PROCESSING', refund)
    const payment = this.#known(this.payments, refund.originalTransactionId)
    const settled = this.refunds.put({ ...refund, status, settledAtMs: nowMs })
    if (status === 'FAILED') {
      this.payments.put({ ...payment, heldForRefundsCents: payment.heldForRefundsCents - refund.amountCents })
      return [settled]
    }
    const refundedCents = payment.refundedCents + refund.amountCents
    if (refundedCents < payment.amountCents) {
      this.payments.put({ ...payment, refundedCents })
      return [settled]
    }
    return [settled, this.payments.put({ ...payment, refundedCents, status: 'REFUNDED' })]
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
    return this.transfers.put({ ...asked, paysPayment: payment?.idTransaction ?? null })
  }

  /** Paid out to the recipient. */
  completeTransfer(id: string, nowMs: number): Transfer[] {
    const transfer = this.#known(this.transfers, id)
    assertStill('PROCESSING', transfer)
    return [this.transfers.put({ ...transfer, status: 'COMPLETED', statusTransaction: 'PAID_OUT', settledAtMs: nowMs })]
  }

  /** Puts the money back: while the transfer is in progress, or after it was paid out when the recipient returns it. */
  failTransfer(id: string, failure: TransferFailure, nowMs: number): Transfer[] {
    const transfer = this.#known(this.transfers, id)
    if (failure.statusTransaction !== 'RETURNED') assertStill('PROCESSING', transfer)
    else if (transfer.status !== 'COMPLETED') {
      throw conflictError(english`Transfer \`${id}\` is ${transfer.status}: only a paid one can be returned`)
    }
    return [this.transfers.put({ ...transfer, ...failure, status: 'FAILED', settledAtMs: nowMs })]
  }

  /** The transaction with this id; undefined if there is none. */
  withId(idTransaction: string): Transaction | undefined {
    return this.payments.get(idTransaction) ?? this.refunds.get(idTransaction) ?? this.transfers.get(idTransaction)
  }

  /** The only transaction that a typed id names, see {@link namedTransactions}. Throws SandboxError 404, and 400 if there are several. */
  find(typed: string): Transaction {
    const { found } = namedTransactions(this.all(), typed)
    const [first, second] = found
    if (first === undefined) throw this.notFound(typed)
    if (second === undefined) return first
    throw new SandboxError(400, 'AMBIGUOUS_ID', english`\`${typed}\` names ${found.length} transactions`)
  }

  /** No transaction carries the id: 404. A person may remember it from an earlier sandbox. */
  notFound(id: string): SandboxError {
    const begun = formatInstant(this.#begun.begunAtMs)
    const details = english`There is no transaction \`${id}\`: this sandbox was begun at ${begun} and does not have it`
    return new SandboxError(404, 'TRANSACTION_NOT_FOUND', details)
  }

  all(): Transaction[] {
    return [...this.payments.values(), ...this.refunds.values(), ...this.transfers.values()]
  }

  #withCode(code: string): Payment | undefined {
    return [...this.payments.values()].find(({ paymentCode }) => paymentCode === code.trim())
  }

  #known<Each extends Transaction>(transactions: KeptMap<Each>, id: string): Each {
    const transaction = transactions.get(id)
    if (transaction === undefined) throw this.notFound(id)
    return transaction
  }
}

/** Transactions of one kind by their ids, which are kept as they change, and what they all brought into the balance. */
class KeptMap<Each extends Transaction> extends Map<string, Each> {
  readonly #kept: { keeper: Keeper; kind: string; schema: JsonSchema<Each> }
  readonly #broughtBy: (transaction: Each) => number
  broughtCents = 0

  constructor(
    kept: { keeper: Keeper; kind: string; schema: JsonSchema<Each> },
    broughtBy: (transaction: Each) => number,
  ) {
    super()
    this.#kept = kept
    this.#broughtBy = broughtBy
    for (const each of kept.keeper.all(kept.kind, kept.schema)) this.#hold(each)
  }

  put(each: Each): Each {
    this.#kept.keeper.put(this.#kept.kind, each.idTransaction, each)
    this.#hold(each)
    return each
  }

  #hold(each: Each): void {
    const before = this.get(each.idTransaction)
    this.broughtCents += this.#broughtBy(each) - (before === undefined ? 0 : this.#broughtBy(before))
    this.set(each.idTransaction, each)
  }
}

function assertStill(expected: 'PENDING' | 'PROCESSING', { type, idTransaction, status }: Transaction): void {
  if (status === expected) return
  const kind = type.charAt(0).toUpperCase() + type.slice(1)
  throw conflictError(english`${kind} \`${idTransaction}\` is ${status}, no longer ${expected}`)
}

/**
 * The cents that a refund of this payment gives back: all that is left if no amount is requested. Throws SandboxError 422
 * what the service's rules forbid: not PAID, charged back, received too long ago, more than what is left.
 */
function refundableCents(payment: Payment, askedCents: number | undefined, nowMs: number): number {
  if (payment.status !== 'PAID' || payment.paidAtMs === null) {
    throw refundNotAllowed(english`The original transaction is ${payment.status}: only a PAID one can be refunded`)
  }
  if (payment.chargebackAtMs !== null) throw refundNotAllowed(english`The payment was charged back`)
  if (nowMs - payment.paidAtMs > REFUND_WINDOW_DAYS * DAY_MS) {
    throw refundNotAllowed(
      english`The payment was received more than ${REFUND_WINDOW_DAYS} days ago: the sandbox's clock is at ${formatInstant(nowMs)}`,
    )
  }
  const leftCents = payment.amountCents - payment.heldForRefundsCents
  if (leftCents === 0) throw refundNotAllowed(english`The whole payment is already being refunded`)
  if (askedCents !== undefined && askedCents > leftCents) {
    throw refundNotAllowed(english`\`amount\` is more than what is left of the original payment`)
  }
  return askedCents ?? leftCents
}

/** A refund that the rules of the business forbid: 422. */
function refundNotAllowed(details: string): SandboxError {
  return new SandboxError(422, 'REFUND_NOT_ALLOWED', details)
}

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
