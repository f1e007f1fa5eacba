import { reaisFromCents } from '../pix/amount.ts'
import { isAlphanumericCnpj } from '../pix/taxDocument.ts'
import { type CodeMeaning, meaningOfCode } from '../wire/errorCodes.ts'
import { type AttemptSummary, amountCentsOf } from './derivePayment.ts'
import { canBeAbout, findingFromEvent } from './eventMeaning.ts'
import type { PaymentState } from './paymentState.ts'
import type { Payment, RefundSums } from './payments.ts'
import type {
  EventRecord,
  Finding,
  FindingRecord,
  LedgerRecord,
  PaymentFacts,
  PaymentRecord,
  RunPlace,
  TransferPayment,
} from './records.ts'

type JsonObject = Record<string, unknown>

/** A payment as `status` and `history` show it in JSON; amounts in reais. */
export function paymentDocument(payment: Payment): JsonObject {
  const { id, facts, name, summary, amountCents, owner, first } = payment
  const { deciding, idTransaction, status, state } = summary
  return {
    idTransaction,
    ...namedIds(facts, name),
    status,
    amount: reaisOrNull(amountCents),
    ...(facts.kind === 'transfer' ? { key: facts.key, typeKey: facts.keyType } : {}),
    pixgate: {
      id,
      ...accountOf(owner),
      kind: facts.kind,
      name,
      payee: payeeOf(payment),
      outcome: deciding.outcome,
      state,
      attempts: summary.attempts.length,
      ...reasonOf(deciding),
      knownBy: knownBy(deciding),
      at: first.at,
      user: first.user,
      machine: first.machine,
      ...(facts.kind === 'transfer' ? { owner: facts.documentValidation } : {}),
      ...(facts.kind === 'refund' ? { reason: facts.refundReason } : {}),
      ...(facts.kind === 'qr' ? {} : placeDocument(first.place)),
      finding: deciding.finding === null ? null : findingDocument(deciding.finding),
      event: deciding.event === null ? null : eventDocument(deciding.event),
      warnings: [],
    },
  }
}

/** One attempt as `history --attempts` lists it: the payment's document with what is known of this attempt. */
export function attemptListDocument(payment: Payment, attempt: AttemptSummary): JsonObject {
  const document = paymentDocument(payment)
  const { record, outcome, state, idTransaction, finding, event } = attempt
  const pixgate = {
    ...(typeof document.pixgate === 'object' ? document.pixgate : {}),
    attempt: record.number,
    attemptId: record.id,
    name: record.externalId ?? payment.name,
    outcome,
    state,
    ...reasonOf(attempt),
    knownBy: knownBy(attempt),
    at: record.at,
    user: record.user,
    machine: record.machine,
    finding: finding === null ? null : findingDocument(finding),
    event: event === null ? null : eventDocument(event),
  }
  const status =
    attempt === payment.summary.deciding ? document.status : (event?.status ?? attempt.answer?.status ?? null)
  return {
    ...document,
    idTransaction,
    ...(record.externalId === null ? {} : { externalId: record.externalId }),
    status,
    amount: reaisOrNull(amountCentsOf(attempt)),
    pixgate,
  }
}

/** A payment with all its attempts and records, oldest first. */
export function fullPaymentDocument(payment: Payment): JsonObject {
  return {
    ...paymentDocument(payment),
    attempts: payment.summary.attempts.map(attemptDocument),
    timeline: payment.records.map((record) => recordDocument(record, payment)),
  }
}

/** A refund as the document of the payment that it returns lists it. */
function refundDocument({ id, facts, summary, amountCents, first }: Payment): JsonObject {
  return {
    id,
    idTransaction: summary.idTransaction,
    amount: reaisOrNull(amountCents),
    reason: facts.kind === 'refund' ? facts.refundReason : null,
    state: summary.state,
    status: summary.status,
    at: first.at,
    user: first.user,
    machine: first.machine,
  }
}

/** The refunds of a payment as its JSON has them under `pixgate`; nothing if there are none. Amounts in reais. */
export function refundsDocument({ refunds, refundedCents }: RefundSums): JsonObject {
  if (refunds.length === 0) return {}
  return {
    refundedAmount: reaisOrNull(refundedCents),
    refunds: refunds.map(refundDocument),
  }
}

/** Who receives the money, or pays a charge, as far as it is known: a name, else the key or the id of the refunded payment. */
export function payeeOf({ facts, personName }: Pick<Payment, 'facts' | 'personName'>): string | null {
  if (personName !== null) return personName
  switch (facts.kind) {
    case 'qr':
      return null
    case 'transfer':
      return facts.key
    case 'refund':
      return facts.originalTransactionId
  }
}

/** True if an event contradicts the state that counts for a refund or transfer. */
export function isContradiction(event: EventRecord, facts: PaymentFacts, state: PaymentState): boolean {
  const meaning = canBeAbout(event.subject, facts.kind) ? findingFromEvent(event) : null
  if (facts.kind === 'qr' || meaning === null || meaning === state) return false
  return !(meaning === 'paid' && state === 'returned')
}

/** The gateway's code and sentence for what failed; null if nothing is known to have. */
export function reasonOf({ event, answer, state }: AttemptSummary): {
  errorCode: string | null
  errorMessage: string | null
} {
  const isMade = state === 'paid' || state === 'accepted'
  if (event !== null && event.errorCode !== null)
    return { errorCode: event.errorCode, errorMessage: event.errorMessage }
  if (answer === null || isMade) return { errorCode: null, errorMessage: null }
  return { errorCode: answer.code, errorMessage: answer.message }
}

/** What the code of what failed means, and what to do; undefined if nothing failed or its code is not known. */
export function reasonMeaning({ facts, summary }: Pick<Payment, 'facts' | 'summary'>): CodeMeaning | undefined {
  const { errorCode } = reasonOf(summary.deciding)
  if (errorCode === null) return undefined
  return meaningOfCode(errorCode, { hasAlphanumericCnpj: facts.kind === 'transfer' && hasAlphanumericCnpj(facts) })
}

/** True for a transfer to a CNPJ with letters, or one that checks it as the owner. */
export function hasAlphanumericCnpj({ key, documentValidation }: TransferPayment): boolean {
  return [key, documentValidation].some((text) => text !== null && isAlphanumericCnpj(text))
}

function attemptDocument(attempt: AttemptSummary): JsonObject {
  const { record, outcome, state, idTransaction, answer, finding, event } = attempt
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
    sending: attempt.sender !== null,
    finding: finding === null ? null : findingDocument(finding),
    event: event === null ? null : eventDocument(event),
  }
}

function recordDocument(record: PaymentRecord, payment: Payment): JsonObject {
  const { id, at, user, machine, type } = record
  const stamp = { at, type, user, machine, id }
  switch (record.type) {
    case 'attempt': {
      const { number, externalId, owner } = record
      return { ...stamp, kind: record.facts.kind, number, externalId, address: owner.baseUrl }
    }
    case 'resend':
      return { ...stamp, attempt: record.attempt }
    case 'answer': {
      const { attempt, outcome, status, code, message, httpStatus, idTransaction } = record
      return { ...stamp, attempt, outcome, status, code, message, httpStatus, idTransaction }
    }
    case 'finding':
      return { ...stamp, as: record.as, because: record.because }
    case 'event': {
      const { idTransaction, errorCode, errorMessage, via } = record
      const contradicts = isContradiction(record, payment.facts, payment.summary.state)
      return { ...stamp, ...eventDocument(record), idTransaction, errorCode, errorMessage, via, contradicts }
    }
  }
}

/** The source of the status: an event, a person, or only what this machine recorded. */
export function knownBy({ event, finding }: AttemptSummary): 'event' | 'person' | 'ledger' {
  if (event !== null) return 'event'
  return finding === null ? 'ledger' : 'person'
}

function namedIds(facts: PaymentFacts, name: string): JsonObject {
  switch (facts.kind) {
    case 'qr':
      return { requestNumber: name }
    case 'transfer':
      return { externalId: name }
    case 'refund':
      return { originalTransactionId: facts.originalTransactionId }
  }
}

function accountOf({ profile, environment, baseUrl }: Payment['owner']) {
  return { profile, environment, baseUrl }
}

function placeDocument(place: RunPlace | null) {
  return { run: place?.run ?? null, line: place?.line ?? null, reference: place?.reference ?? null }
}

function eventDocument({ n, event, status, amountCents, at }: LedgerRecord<EventRecord>) {
  return { n, event, status, amount: reaisOrNull(amountCents), at }
}

function findingDocument({ as, because, at, user, machine }: LedgerRecord<FindingRecord>): {
  as: Finding
  because: string
  at: string
  user: string
  machine: string
} {
  return { as, because, at, user, machine }
}

function reaisOrNull(cents: number | null): number | null {
  return cents === null ? null : reaisFromCents(cents)
}
