import type { PaymentLine } from '../../inspector/pageData.ts'
import type { AttemptSummary } from '../../ledger/derivePayment.ts'
import type { Payment, RefundSums } from '../../ledger/payments.ts'
import type { PaymentRecord } from '../../ledger/records.ts'
import { isContradiction, reasonOf } from '../../payments/explanation.ts'
import { reaisOrNull } from '../../pix/amount.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { shapedBy, type ValueOf } from '../../schemas/jsonSchema.ts'
import { columnOf, documentOf, listColumns, maskedDocument, pathsOf } from '../../terminal/fields.ts'
import { type Column, cellText, type Document, valueAt } from '../../terminal/printer.ts'
import { safeText } from '../../text/safeText.ts'
import { amountText, instantText } from '../valueText.ts'
import {
  idText,
  type ListedPayment,
  type PaymentItem,
  partyText,
  referenceText,
  shortTimeText,
  stateTone,
} from './paymentCells.ts'
import { eventJson, findingJson, PAYMENT_FIELDS, REFUND } from './paymentFields.ts'

type JsonObject = Record<string, unknown>

/** A payment as `status` and `history` show it in JSON; amounts in reais. */
export function paymentDocument(payment: Payment): JsonObject {
  return listedDocument({ payment, attempt: null })
}

/** A payment or one of its attempts as a list has it in JSON; amounts in reais. */
export function listedDocument(listed: ListedPayment): JsonObject {
  return documentOf(PAYMENT_FIELDS, listed)
}

/** Some fields of a payment in JSON, by their names. */
export function partialDocument(payment: Payment, names: readonly string[]): JsonObject {
  return documentOf(
    PAYMENT_FIELDS.filter(({ name }) => names.includes(name)),
    { payment, attempt: null },
  )
}

/** A payment with all its attempts and records, oldest first. */
export function fullPaymentDocument(payment: Payment): JsonObject {
  const documentsOf = (type: PaymentRecord['type'] | null) =>
    payment.records.flatMap((record) => (type === null || record.type === type ? recordDocument(record, payment) : []))
  return {
    ...paymentDocument(payment),
    attempts: payment.summary.attempts.map(attemptDocument),
    answers: documentsOf('answer'),
    events: documentsOf('event'),
    findings: documentsOf('finding'),
    timeline: documentsOf(null),
  }
}

/** A refund as the document of the payment that it returns lists it. */
function refundDocument(refund: Payment): ValueOf<typeof REFUND> {
  const { facts, summary, amountCents } = refund
  const reason = facts.kind === 'refund' ? facts.refundReason : null
  return shapedBy(REFUND, { ...refund.first, ...summary, id: refund.id, amount: reaisOrNull(amountCents), reason })
}

/** The refunds of a payment as its JSON has them under `pixgate`; nothing if there are none. Amounts in reais. */
export function refundsDocument({ refunds, refundedCents }: RefundSums): JsonObject {
  if (refunds.length === 0) return {}
  return {
    refundedAmount: reaisOrNull(refundedCents),
    refunds: refunds.map(refundDocument),
  }
}

function attemptDocument(attempt: AttemptSummary): JsonObject {
  const { record, outcome, state, idTransaction, answer, event } = attempt
  return {
    id: record.id,
    number: record.number,
    externalId: record.externalId,
    idTransaction,
    outcome,
    state,
    ...reasonOf(attempt),
    httpStatus: answer?.httpStatus ?? null,
    at: record.at,
    answeredAt: answer?.at ?? null,
    user: record.user,
    machine: record.machine,
    storedBy: record.login,
    sending: attempt.sender !== null,
    finding: findingJson(attempt),
    event: eventJson(event),
  }
}

function recordDocument(record: PaymentRecord, payment: Payment): JsonObject {
  const { id, at, user, machine, login, type } = record
  const stamp = { at, type, user, machine, storedBy: login, id }
  switch (record.type) {
    case 'attempt': {
      const { number, externalId, owner } = record
      return { ...stamp, kind: record.facts.kind, number, externalId, address: owner.baseUrl }
    }
    case 'resend':
      return { ...stamp, attempt: record.attempt }
    case 'answer': {
      const { attempt, outcome, status, code, message, httpStatus, idTransaction, isPending } = record
      return {
        ...stamp,
        attempt,
        outcome,
        status,
        code,
        message,
        httpStatus,
        idTransaction,
        pending: isPending === true,
      }
    }
    case 'finding':
      return { ...stamp, as: record.as, because: record.because }
    case 'event': {
      const { idTransaction, errorCode, errorMessage, via, isPending } = record
      const pending = isPending === true
      const contradicts = isContradiction(record, payment.facts, payment.summary.state)
      return { ...stamp, ...eventJson(record), idTransaction, errorCode, errorMessage, via, contradicts, pending }
    }
  }
}

/** The line of a payment in a list of the page, personal data masked unless `unmask`. */
export function paymentLine(payment: Payment, unmask: boolean): PaymentLine {
  const document = paymentDocument(payment)
  const shown = shownDocument(document, unmask)
  const { state } = payment.summary
  const at = (path: string) => safeText(cellText(valueAt(shown, path)))
  return {
    id: payment.id,
    at: instantText(parseInstant(payment.first.at) ?? null),
    kind: at('pixgate.kind'),
    state,
    tone: stateTone(state),
    amount: amountText(payment.amountCents),
    payee: safeText(partyText({ document: shown })),
    name: safeText(referenceText({ document: shown })),
    environment: at('pixgate.environment'),
  }
}

/** What all lists of payments have in common: what `--fields` may name besides their columns. */
export const PAYMENT_LIST = {
  more: listColumns(PAYMENT_FIELDS),
  paths: ['pixgate', ...pathsOf(PAYMENT_FIELDS)],
  documentOf: ({ document }: PaymentItem) => document,
}

/** The column of a field of payments. */
export function paymentColumn(name: (typeof PAYMENT_FIELDS)[number]['name']): Column<PaymentItem> {
  return columnOf(PAYMENT_FIELDS, name)
}

/** JSON of a payment as lists show it in every format: keys and tax documents masked unless `unmask`. */
export function shownDocument(document: Document, unmask: boolean): Document {
  return unmask ? document : maskedDocument(PAYMENT_FIELDS, document)
}

/** The column of the id by which commands take a payment, for people. */
export const ID_COLUMN: Column<PaymentItem> = {
  ...paymentColumn('idTransaction'),
  text: idText,
  id: idText,
}

/** The column of the time at which a payment was recorded, for people. */
export function dateColumn(nowMs: number): Column<PaymentItem> {
  return { ...paymentColumn('date'), short: (item) => shortTimeText(item, 'pixgate.at', nowMs) }
}
