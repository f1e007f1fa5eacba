import type { HttpRequest, PostOutcome } from '../gateway/exchange.ts'
import { type PostedOperation, postFailure } from '../gateway/gatewayErrors.ts'
import { refundRequest, transferRequest } from '../gateway/requests.ts'
import type { MoneyPayment } from '../ledger/facts.ts'
import { loadPayment } from '../ledger/payments.ts'
import type { AttemptRecord } from '../ledger/records.ts'
import type { Account } from '../profiles/account.ts'
import { t } from '../text/translate.ts'
import type { AnswerFields } from '../wire/answers.ts'
import { type Failure, OutcomeUnknown } from '../wire/errors.ts'
import {
  answerRecordOf,
  recordAnswer,
  refusesPayment,
  unknownOutcomeHint,
  unrecordedFailure,
} from './attemptOutcomes.ts'
import { conflictFailure } from './conflictFailure.ts'
import type { Consent } from './consent.ts'
import { type DurableAttempt, decide, mayBeSent, type SendConflict } from './decide.ts'
import { hasAlphanumericCnpj } from './explanation.ts'
import { type PaymentContext, paymentWarnings } from './paymentContext.ts'
import type { Proposal } from './proposal.ts'

/** A payment that the gateway accepted, now or before. */
export interface Paid {
  outcome: 'accepted' | 'accepted-before'
  /** What the gateway answered; what the ledger knows of one that was accepted before. */
  fields: AnswerFields
  idTransaction: string | null
  /** Warnings for the user. */
  warnings: readonly string[]
  /** False if the answer could not be recorded, so that the outcome stays unknown here: exit code 5. */
  isRecorded: boolean
}

/**
 * Makes one payment to which somebody agreed: the rules are applied and the attempt is recorded in one transaction, it is sent once, and its
 * outcome is recorded. Throws the Failure that tells whether it was not sent, refused or has an unknown outcome.
 */
export async function pay(
  context: PaymentContext,
  _consent: Consent,
  proposal: Proposal,
  facts: MoneyPayment,
): Promise<Paid> {
  const attempt = await decideOne(context, proposal, facts)
  const result = await send(context, attempt)
  const answer = answerRecordOf(attempt, result)
  const { unrecorded, warnings } = await recordAnswer(context, { attempt: attempt.record, answer })
  const paid = { warnings: [...paymentWarnings(context), ...warnings], isRecorded: unrecorded === null }
  if (result.outcome === 'accepted') {
    const { fields, idTransaction } = result
    return { outcome: 'accepted', fields, idTransaction, ...paid }
  }
  if (answer.outcome === 'accepted-before') {
    return { outcome: 'accepted-before', fields: { idTransaction: null, status: null }, idTransaction: null, ...paid }
  }
  const failure = await failureOf(context, attempt, result)
  throw unrecorded === null ? failure : unrecordedFailure(failure, unrecorded)
}

/** The failure of a request that was not accepted; of one that was sent again, only an acceptance or the duplicate settles the first. */
async function failureOf(
  context: PaymentContext,
  { record, isResend }: DurableAttempt,
  result: PostOutcome,
): Promise<Failure> {
  if (isResend && result.outcome === 'refused' && refusesPayment(result.answerError.code, result.httpStatus)) {
    return refusedAgain(context, record, result.answerError.code ?? '')
  }
  const failure = postFailure(context.account, operationOf(record), result, context.timeoutMs)
  if (failure === undefined) throw new Error('a POST that was not accepted has a failure')
  if (!isResend || result.outcome === 'unknown') return failure
  const externalId = record.externalId ?? ''
  const details = [...failure.details, t`The outcome of the earlier request of ${externalId} is still unknown`]
  return Object.assign(failure, { outcome: 'unknown', externalId, details } as const)
}

async function refusedAgain({ ledger }: PaymentContext, record: AttemptRecord, code: string): Promise<OutcomeUnknown> {
  const id = record.externalId ?? ''
  const payment = await ledger.read((database) => loadPayment(database, record.payment))
  return new OutcomeUnknown(t`The gateway answered ${code}, which does not reveal the outcome of the first request`, {
    code,
    externalId: id,
    details: [
      t`The first request may have been carried out; its outcome is still unknown`,
      t`Resume it again only when the cause of ${code} is fixed`,
    ],
    hint: unknownOutcomeHint(payment),
  })
}

/** Decides about one payment. Throws the failure for a person if it is not allowed. */
async function decideOne(context: PaymentContext, proposal: Proposal, facts: MoneyPayment): Promise<DurableAttempt> {
  const [decision] = await decide(context, [proposal])
  if (decision === undefined) throw new Error('a proposal has no decision')
  if (decision.attempt !== null) return decision.attempt
  throw await decisionFailure(context, proposal, facts, decision.conflict)
}

/** The failure of a proposal that was decided against. */
export function decisionFailure(
  { ledger, account }: PaymentContext,
  proposal: Proposal,
  facts: MoneyPayment,
  conflict: SendConflict,
): Promise<Failure> {
  const intended = { facts, externalId: proposal.action === 'pay' ? proposal.externalId : null }
  return ledger.read((database) => conflictFailure(database, account, intended, conflict))
}

/** What the words about a failure need to know of an attempt. */
export function operationOf({ facts, payment, externalId }: AttemptRecord): PostedOperation {
  switch (facts.kind) {
    case 'qr':
      return { kind: 'qr', requestNumber: facts.requestNumber }
    case 'refund':
      return { kind: 'refund', originalTransactionId: facts.originalTransactionId, payment }
    case 'transfer':
      return { kind: 'transfer', externalId: externalId ?? '', hasAlphanumericCnpj: hasAlphanumericCnpj(facts) }
  }
}

/** Sends the request of an attempt that is on the disk, once. This is the only way to the two endpoints that move money. */
export function send(
  { account, gateway }: PaymentContext,
  { facts, body, limit }: DurableAttempt,
): Promise<PostOutcome> {
  const mayLeave = limit === null ? undefined : () => mayBeSent(limit)
  return gateway.post(requestOf(account, facts, body), undefined, mayLeave)
}

/** The HTTP request of a payment; the body goes out byte for byte. */
export function requestOf(account: Account, { kind }: Pick<MoneyPayment, 'kind'>, body: string): HttpRequest {
  return kind === 'refund' ? refundRequest(account, body) : transferRequest(account, body)
}
