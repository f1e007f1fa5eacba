import type { HttpRequest, PostOutcome } from '../gateway/exchange.ts'
import { type PostedOperation, postFailure } from '../gateway/gatewayErrors.ts'
import { refundRequest, transferRequest } from '../gateway/requests.ts'
import type { MoneyPayment } from '../ledger/facts.ts'
import type { AttemptRecord } from '../ledger/records.ts'
import type { Account } from '../profiles/account.ts'
import type { Failure } from '../wire/errors.ts'
import { checkProposal } from './askCheckCommand.ts'
import { answerRecordOf, recordAnswer, unrecordedFailure } from './attemptOutcomes.ts'
import { conflictFailure } from './conflictFailure.ts'
import { askConsent, type Question } from './consent.ts'
import { type DurableAttempt, decide, mayBeSent, type SendConflict } from './decide.ts'
import { hasAlphanumericCnpj } from './explanation.ts'
import { type PaymentContext, paymentWarnings } from './paymentContext.ts'
import type { Proposal } from './proposal.ts'

export type Accepted = Extract<PostOutcome, { outcome: 'accepted' }> & {
  /** Warnings for the user. */
  warnings: readonly string[]
  /** False if the answer could not be recorded, so that the outcome stays unknown here: exit code 5. */
  isRecorded: boolean
}

/**
 * Makes one payment: a person is asked, the rules are applied and the attempt is recorded in one transaction, it is sent once, and its
 * outcome is recorded. Throws the Failure that tells whether it was not sent, refused or has an unknown outcome.
 */
export async function pay(
  context: PaymentContext,
  proposal: Proposal & { facts: MoneyPayment },
  question: Question,
): Promise<Accepted> {
  await checkProposal(context, 'send', proposal, proposal.facts)
  await askConsent(context, question)
  const attempt = await decideOne(context, proposal, proposal.facts)
  const result = await send(context, attempt)
  const answered = { attempt: attempt.record, answer: answerRecordOf(attempt, result) }
  const { unrecorded, warnings } = await recordAnswer(context, answered)
  const failure = postFailure(context.account, operationOf(attempt.record), result, context.timeoutMs)
  if (failure !== undefined) throw unrecorded === null ? failure : unrecordedFailure(failure, unrecorded)
  if (result.outcome === 'accepted') {
    return { ...result, warnings: [...paymentWarnings(context), ...warnings], isRecorded: unrecorded === null }
  }
  throw new Error('a POST that was not accepted has a failure')
}

/** Decides about one payment. Throws the failure for a person if it is not allowed. */
export async function decideOne(
  context: PaymentContext,
  proposal: Proposal,
  facts: MoneyPayment,
): Promise<DurableAttempt> {
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
