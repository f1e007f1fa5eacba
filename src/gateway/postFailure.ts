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

/** The requested operation, as far as error messages need it. */
export type PostedOperation =
  | { kind: 'qr'; requestNumber: string }
  | { kind: 'refund'; originalTransactionId: string; payment: string }
  | { kind: 'transfer'; externalId: string }

/** The failure for the result of a POST; undefined if it was accepted. */
export function postFailure(
  account: Account,
  operation: PostedOperation,
  end: PostEnd,
  timeoutMs: number,
): Failure | undefined {
  if (end.outcome === 'accepted') return undefined
  if (end.outcome === 'refused') return refusal(account, operation, end)
  if (end.outcome === 'unknown') return unknownOutcome(operation, end, timeoutMs)
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
    return new NotFound(t`The gateway has no payment \`${operation.originalTransactionId}\``, {
      ...facts,
      hint: t`Check the id, which must be the \`idTransaction\` of a received payment`,
    })
  }
  return new Refused(refusalMessage(code, end.httpStatus), {
    ...facts,
    externalId: operation.kind === 'transfer' ? operation.externalId : undefined,
    hint: hintFor(code),
  })
}

function refusalMessage(code: string | null, httpStatus: number): string {
  if (code !== null) return t`The gateway refused the request: ${code}`
  if (isSuccessStatus(httpStatus)) return t`The gateway answered that the request failed`
  return t`The gateway refused the request: HTTP ${httpStatus}`
}

function hintFor(code: string | null): string {
  switch (code) {
    case 'NO_FUNDS':
      return t`Add money to the account, or send a smaller amount`
    case 'PIX_KEY_NOT_FOUND':
      return t`Ask the receiver to confirm the PIX key, which is not registered, and check \`--key-type\``
    case 'DOCUMENT_VALIDATE':
      return t`Ask the receiver who owns the key, which does not belong to the document in \`--owner\`; do not just omit the check`
    case 'DUPLICATE_EXTERNAL_ID':
      return t`Look up the existing transfer with this external id before you pay under another one`
    case 'REFUND_NOT_ALLOWED':
      return t`Check the payment: it must be PAID, at most 30 days old, and the amount must not exceed what is left of it`
    case 'INVALID_AMOUNT':
      return t`Check the amounts and the other fields with \`--dry-run\`, which shows the request`
    case 'INVALID_TRANSACTION_ID':
      return t`Check the id, which must be an \`idTransaction\` of the gateway, a UUID`
    default:
      return t`Fix what the gateway reports, then try again; nothing was carried out`
  }
}

function unknownOutcome(
  operation: PostedOperation,
  end: Extract<PostEnd, { outcome: 'unknown' }>,
  timeoutMs: number,
): OutcomeUnknown {
  return new OutcomeUnknown(unknownOutcomeMessage(end, timeoutMs), {
    httpStatus: end.httpStatus ?? undefined,
    details: unknownOutcomeDetails(operation),
    hint: unknownOutcomeHint(operation),
    externalId: operation.kind === 'transfer' ? operation.externalId : undefined,
  })
}

function unknownOutcomeMessage(end: Extract<PostEnd, { outcome: 'unknown' }>, timeoutMs: number): string {
  switch (end.why) {
    case 'status':
      return t`The gateway answered HTTP ${end.httpStatus ?? ''}, so it is unknown whether the request was carried out`
    case 'unreadable':
      return t`The gateway's answer is not a JSON object, so it is unknown whether the request was carried out`
    case 'no-id':
      return t`The gateway's answer has no \`idTransaction\`, so it is unknown whether the request was carried out`
    case 'timeout':
      return t`No complete answer arrived within ${formatDuration(timeoutMs)}, so it is unknown whether the request was carried out`
    case 'interrupted':
      return t`Stopped while waiting for the answer, so it is unknown whether the request was carried out`
    case 'too-large':
      return t`The answer exceeds the size limit, so it is unknown whether the request was carried out`
    case 'connection':
      return t`The connection broke before the complete answer arrived, so it is unknown whether the request was carried out`
  }
}

function unknownOutcomeDetails(operation: PostedOperation): string[] {
  switch (operation.kind) {
    case 'qr':
      return [t`The request number is ${operation.requestNumber}; no money has moved`]
    case 'refund':
      return [t`The refund of ${operation.originalTransactionId} may be in progress`]
    case 'transfer':
      return [t`The external id is ${operation.externalId}; the money may be on its way`]
  }
}

function unknownOutcomeHint(operation: PostedOperation): string {
  switch (operation.kind) {
    case 'qr':
      return t`Create it again with another \`--request-number\`, and show the payer only one of the codes`
    case 'refund':
      return t`Do not refund again yet; check the dashboard or wait for a \`refund.status\` event, then record the result with \`pixgate history settle ${operation.payment}\``
    case 'transfer':
      return t`Do not pay again another way; run \`pixgate resume ${commandArgument(operation.externalId)}\`, which uses the same external id, so the gateway carries it out only once`
  }
}
