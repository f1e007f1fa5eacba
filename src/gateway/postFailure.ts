import { formatDuration } from '../pix/duration.ts'
import type { Account } from '../profiles/account.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/words.ts'
import { Cancelled, type Failure, NotFound, OutcomeUnknown, Refused } from '../wire/errors.ts'
import { isSuccessStatus } from '../wire/verdict.ts'
import type { PostEnd } from './client.ts'
import { type AnswerFacts, allowlistFailure, credentialsFailure, isAllowlistComplaint } from './credentialFailure.ts'
import { rateLimited } from './queryFailure.ts'
import { unreachable } from './unreachable.ts'

/** What was asked of the gateway, as far as the words about its failure need it. */
export type PostedOperation =
  | { kind: 'qr'; requestNumber: string }
  | { kind: 'refund'; originalTransactionId: string; payment: string }
  | { kind: 'transfer'; externalId: string }

/** The failure that the end of a POST is; undefined where it was accepted. */
export function postFailure(
  account: Account,
  operation: PostedOperation,
  end: PostEnd,
  timeoutMs: number,
): Failure | undefined {
  if (end.outcome === 'accepted') return undefined
  if (end.outcome === 'refused') return refusal(account, operation, end)
  if (end.outcome === 'unknown') return doubt(operation, end, timeoutMs)
  if (end.fault === 'interrupted') {
    return new Cancelled(t`Interrupted before anything was sent`, { hint: t`Run the command again when you are ready` })
  }
  return unreachable(account, end.fault, end.code, timeoutMs)
}

function refusal(account: Account, operation: PostedOperation, end: Extract<PostEnd, { outcome: 'refused' }>): Failure {
  const { code, description } = end.complaint
  const facts: AnswerFacts = {
    httpStatus: end.httpStatus,
    code: code ?? undefined,
    details: description === null ? [] : [t`The gateway says: ${description}`],
  }
  if (end.httpStatus === 429) return rateLimited(end.retryAfterMs, facts)
  if (end.httpStatus === 401) return credentialsFailure(account, facts)
  if (isAllowlistComplaint(code)) return allowlistFailure(facts)
  if (operation.kind === 'refund' && code === 'TRANSACTION_NOT_FOUND') {
    return new NotFound(t`The gateway knows no payment ${operation.originalTransactionId}`, {
      ...facts,
      hint: t`Check the id: it is the \`idTransaction\` of the payment that was received`,
    })
  }
  return new Refused(refusalMessage(code, end.httpStatus), {
    ...facts,
    externalId: operation.kind === 'transfer' ? operation.externalId : undefined,
    hint: hintFor(code),
  })
}

function refusalMessage(code: string | null, httpStatus: number): string {
  if (code !== null) return t`The gateway refused it with ${code}`
  if (isSuccessStatus(httpStatus)) return t`The gateway answered that it failed`
  return t`The gateway refused it with HTTP ${httpStatus}`
}

function hintFor(code: string | null): string {
  switch (code) {
    case 'NO_FUNDS':
      return t`Add money to the balance, or send less`
    case 'PIX_KEY_NOT_FOUND':
      return t`Ask the receiver for the PIX key again, and check \`--key-type\`: this one is not registered`
    case 'DOCUMENT_VALIDATE':
      return t`Ask the receiver whose key it is, and do not just omit \`--owner\`: the key belongs to another tax document`
    case 'DUPLICATE_EXTERNAL_ID':
      return t`Look for this external id in the dashboard before you pay under another one: the gateway already has a transfer with it`
    case 'REFUND_NOT_ALLOWED':
      return t`Check the payment: only a PAID one can be refunded, within 30 days, and never more than what is left of it`
    case 'INVALID_AMOUNT':
      return t`Check the amounts and the other fields: \`--dry-run\` shows what is sent`
    case 'INVALID_TRANSACTION_ID':
      return t`Check the id: it is the \`idTransaction\` that the gateway gave, a UUID`
    default:
      return t`Correct what the gateway names, then try again: nothing was carried out`
  }
}

function doubt(
  operation: PostedOperation,
  end: Extract<PostEnd, { outcome: 'unknown' }>,
  timeoutMs: number,
): OutcomeUnknown {
  return new OutcomeUnknown(doubtMessage(end, timeoutMs), {
    httpStatus: end.httpStatus ?? undefined,
    details: doubtDetails(operation),
    hint: doubtHint(operation),
    externalId: operation.kind === 'transfer' ? operation.externalId : undefined,
  })
}

function doubtMessage(end: Extract<PostEnd, { outcome: 'unknown' }>, timeoutMs: number): string {
  switch (end.why) {
    case 'status':
      return t`The gateway answered HTTP ${end.httpStatus ?? ''}, which does not say whether it was carried out`
    case 'unreadable':
      return t`The gateway answered with something that is not a JSON object, so whether it was carried out is unknown`
    case 'no-id':
      return t`The gateway answered without an \`idTransaction\`, so whether it was carried out is unknown`
    case 'timeout':
      return t`No whole answer came within ${formatDuration(timeoutMs)}, so whether it was carried out is unknown`
    case 'interrupted':
      return t`Stopped while the answer was awaited, so whether it was carried out is unknown`
    case 'too-large':
      return t`The answer was too large to be one, so whether it was carried out is unknown`
    case 'connection':
      return t`The connection broke before the whole answer had come, so whether it was carried out is unknown`
  }
}

function doubtDetails(operation: PostedOperation): string[] {
  switch (operation.kind) {
    case 'qr':
      return [t`The request number is ${operation.requestNumber}; no money has moved`]
    case 'refund':
      return [t`The refund of ${operation.originalTransactionId} may be under way`]
    case 'transfer':
      return [t`The external id is ${operation.externalId}; the money may be on its way`]
  }
}

function doubtHint(operation: PostedOperation): string {
  switch (operation.kind) {
    case 'qr':
      return t`Create it again under another \`--request-number\`, and show the payer only one of the codes`
    case 'refund':
      return t`Look in the dashboard or for a \`refund.status\` event before you refund again, then record what you found with \`pixgate history settle ${operation.payment}\``
    case 'transfer':
      return t`Run \`pixgate resume ${commandArgument(operation.externalId)}\` and do not pay it another way: it sends the same external id, which the gateway carries out only once`
  }
}
