import { formatDuration } from '../pix/duration.ts'
import { type Account, LOCAL_PROFILE } from '../profiles/account.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import type { AnswerError } from '../wire/answers.ts'
import { isRefusedStatus, isSuccessStatus } from '../wire/answerVerdict.ts'
import { type CodeMeaning, type FailedPayment, isSpecifiedCode, meaningOfCode, withCode } from '../wire/errorCodes.ts'
import {
  AuthError,
  Cancelled,
  type Failure,
  NotFound,
  NotReached,
  OutcomeUnknown,
  RateLimited,
  Refused,
} from '../wire/errors.ts'
import { unreachableFailure } from './connections.ts'
import type { ExchangeFailed, ExchangeFault, PostOutcome, StrayAnswer } from './exchange.ts'

/** The requested operation, as far as error messages need it. */
export type PostedOperation =
  | { kind: 'qr'; requestNumber: string }
  | { kind: 'refund'; originalTransactionId: string; payment: string }
  | ({ kind: 'transfer'; externalId: string } & FailedPayment)

/** The failure for the result of a POST; undefined if it was accepted. */
export function postFailure(
  account: Account,
  operation: PostedOperation,
  result: PostOutcome,
  timeoutMs: number,
): Failure | undefined {
  if (result.outcome === 'accepted') return undefined
  if (result.outcome === 'refused') return refusedFailure(account, operation, result)
  if (result.outcome === 'unknown') return unknownOutcome(operation, result, timeoutMs)
  if (result.fault === 'interrupted') {
    return new Cancelled(t`Interrupted before anything was sent`, { hint: t`Run the command again when you are ready` })
  }
  return unreachableFailure(account, result.fault, result.code, timeoutMs)
}

function refusedFailure(
  account: Account,
  operation: PostedOperation,
  result: Extract<PostOutcome, { outcome: 'refused' }>,
): Failure {
  const { code, description } = result.answerError
  const hasAlphanumericCnpj = operation.kind === 'transfer' && operation.hasAlphanumericCnpj
  const meaning = code === null ? undefined : meaningOfCode(code, { hasAlphanumericCnpj })
  const facts: AnswerFacts = {
    ...(operation.kind === 'transfer' ? { externalId: operation.externalId } : {}),
    httpStatus: result.httpStatus,
    code: code ?? undefined,
    details: description === null ? [] : [t`The gateway says: ${description}`],
  }
  if (result.httpStatus === 429) return rateLimited(result.retryAfterMs, facts)
  if (code === 'UNAUTHORIZED_IP') return allowlistFailure(facts)
  if (result.httpStatus === 401) return credentialsFailure(account, facts)
  if (operation.kind === 'refund' && code === 'TRANSACTION_NOT_FOUND') {
    return new NotFound(t`The gateway has no payment \`${operation.originalTransactionId}\``, {
      ...facts,
      hint: t`Check the id, which must be the \`idTransaction\` of a received payment`,
    })
  }
  return new Refused(refusedMessage(code, meaning, result.httpStatus), {
    ...facts,
    hint: meaning?.hint ?? t`Fix what the gateway reports, then try again; nothing was carried out`,
  })
}

function refusedMessage(code: string | null, meaning: CodeMeaning | undefined, httpStatus: number): string {
  if (code !== null && meaning !== undefined) return withCode(meaning.sentence, code) ?? code
  if (code !== null) return t`The gateway refused the request: ${code}`
  if (isSuccessStatus(httpStatus)) return t`The gateway answered that the request failed`
  return t`The gateway refused the request: HTTP ${httpStatus}`
}

function unknownOutcome(
  operation: PostedOperation,
  result: Extract<PostOutcome, { outcome: 'unknown' }>,
  timeoutMs: number,
): OutcomeUnknown {
  return new OutcomeUnknown(unknownOutcomeMessage(result, timeoutMs), {
    httpStatus: result.httpStatus ?? undefined,
    details: [
      ...(result.words === undefined ? [] : [t`The gateway says: ${result.words}`]),
      ...unknownOutcomeDetails(operation),
      ...strayDetails(result.stray),
    ],
    hint: unknownOutcomeHint(operation),
    externalId: operation.kind === 'transfer' ? operation.externalId : undefined,
  })
}

function unknownOutcomeMessage(
  { why, httpStatus }: Extract<PostOutcome, { outcome: 'unknown' }>,
  timeoutMs: number,
): string {
  const after = (reason: string) => t`${reason}, so it is unknown whether the request was carried out`
  switch (why) {
    case 'status':
      return after(t`The gateway answered HTTP ${httpStatus ?? ''}`)
    case 'unreadable':
      return after(t`The gateway's answer is not a JSON object`)
    case 'no-id':
      return after(t`The gateway's answer has no \`idTransaction\``)
    default:
      return after(unansweredText(why, timeoutMs))
  }
}

/** Why there is no complete answer to a request that was sent, in a sentence. */
export function unansweredText(fault: ExchangeFault, timeoutMs: number): string {
  switch (fault) {
    case 'timeout':
      return t`No complete answer arrived within ${formatDuration(timeoutMs)}`
    case 'interrupted':
      return t`Stopped while waiting for the answer`
    case 'too-large':
      return t`The answer exceeds the size limit`
    case 'unasked':
      return t`The answer began with HTTP 100 or 101, which the request had not asked for`
    case 'malformed':
      return t`What came back is not valid HTTP`
    case 'too-late':
    case 'connection':
      return t`The connection broke before the complete answer arrived`
  }
}

function strayDetails(stray: StrayAnswer | undefined): string[] {
  switch (stray) {
    case 'page':
      return [t`The answer is a web page: perhaps this network asks for a login in a browser first`]
    case 'redirect':
      return [t`The answer leads to another address: perhaps this network asks for a login in a browser first`]
    case undefined:
      return []
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
      return t`Run \`pixgate resume ${commandArgument(operation.externalId)}\`, which uses the same external id, so that the gateway carries it out only once; do not pay it another way`
  }
}

/** The failure of a query that was answered, but not usably. */
export function queryFailure(
  account: Account,
  idTransaction: string,
  httpStatus: number,
  verdict: { why: 'status' | 'unreadable'; answerError: AnswerError },
  retryAfterMs: number | null,
  stray: StrayAnswer | undefined,
): Failure {
  const { code, description } = verdict.answerError
  const facts = { httpStatus, code: code ?? undefined, details: description === null ? [] : [t`${description}`] }
  if (code === 'UNAUTHORIZED_IP') return allowlistFailure(facts)
  if (httpStatus === 401) return credentialsFailure(account, facts)
  if (httpStatus === 429) return rateLimited(retryAfterMs, facts)
  const saysNo = isRefusedStatus(httpStatus) || (code !== null && isSpecifiedCode(code) && isSuccessStatus(httpStatus))
  if (saysNo && code === 'TRANSACTION_NOT_FOUND') {
    return new NotFound(t`The gateway has no transaction \`${idTransaction}\``, {
      ...facts,
      hint: t`Check the id, and that it was created at ${account.host} with client id ${account.clientId}; to search the recorded payments for it, run \`pixgate history find ${commandArgument(idTransaction)}\``,
    })
  }
  if (saysNo && code !== null) {
    return new Refused(t`The gateway refused the query for \`${idTransaction}\`: ${code}`, {
      ...facts,
      hint: t`Check the id: it must be an \`idTransaction\` from the gateway, a UUID; to search the recorded payments for it, run \`pixgate history find ${commandArgument(idTransaction)}\``,
    })
  }
  const message =
    verdict.why === 'unreadable'
      ? t`The gateway answered HTTP ${httpStatus} with a body that is not a JSON object`
      : t`The gateway's answer is not usable: HTTP ${httpStatus}`
  return new NotReached(message, {
    ...facts,
    details: [...facts.details, ...strayDetails(stray)],
    outcome: 'unknown',
    hint: t`Try again, which is safe; if it keeps failing, check that ${account.url} is the gateway's base address`,
  })
}

/** The failure of a query that got no complete answer. */
export function queryUnansweredFailure(account: Account, failed: ExchangeFailed, timeoutMs: number): Failure {
  if (failed.fault === 'interrupted') {
    return new Cancelled(t`Interrupted while querying the gateway`, { hint: t`Run the command again, which is safe` })
  }
  const { fault, code } = failed
  if (!failed.mayHaveLeft) return unreachableFailure(account, fault, code, timeoutMs)
  const hints: Partial<Record<ExchangeFault, string>> = {
    timeout: t`Try again, which is safe, or allow more time with \`--timeout 60s\``,
    connection: t`Try again, which is safe`,
  }
  return new NotReached(unansweredText(fault, timeoutMs), {
    outcome: 'unknown',
    details: fault === 'connection' || fault === 'malformed' ? [t`System error ${code}`] : [],
    hint: hints[fault] ?? t`Check that ${account.url} is the gateway's base address, and what a proxy before it adds`,
  })
}

/** The failure of a query whose turn would come after its deadline. */
export function queryLimitFailure(waitMs: number): RateLimited {
  return new RateLimited(t`This machine has sent 100 queries within a minute, the limit of the gateway`, {
    hint: t`Wait ${formatDuration(waitMs)}, or use a longer \`--timeout\``,
  })
}

function rateLimited(retryAfterMs: number | null, facts: AnswerFacts): RateLimited {
  return new RateLimited(t`The gateway received too many requests`, {
    ...facts,
    outcome: 'refused',
    hint:
      retryAfterMs === null
        ? t`Wait a minute, then try again`
        : t`Wait ${formatDuration(retryAfterMs)}, as the gateway asks, then try again`,
  })
}

interface AnswerFacts {
  /** Of a transfer, to look it up by. */
  externalId?: string
  httpStatus: number
  code: string | undefined
  details: string[]
}

function credentialsFailure(account: Account, facts: AnswerFacts): AuthError {
  const hint = credentialsHint(account)
  return new AuthError(t`The gateway at ${account.host} rejected the credentials`, {
    ...facts,
    code: facts.code ?? 'INVALID_CREDENTIALS',
    outcome: 'refused',
    hint,
  })
}

function credentialsHint({ profile, host, secretKind, sources }: Account): string {
  if (profile === null) {
    return t`Check \`PIXGATE_CLIENT_ID\` and \`PIXGATE_CLIENT_SECRET\`: they must belong to ${host}`
  }
  if (profile === LOCAL_PROFILE.name) {
    return t`Start \`pixgate sandbox\` with its default credentials, or set \`PIXGATE_CLIENT_ID\`, \`PIXGATE_CLIENT_SECRET\` and \`PIXGATE_BASE_URL\``
  }
  switch (secretKind) {
    case 'stored':
      return t`Compare \`pixgate profile show ${profile}\` with the dashboard, then replace the secret with \`pixgate profile edit ${profile} --client-secret-stdin\``
    case 'keychain':
      return t`Compare \`pixgate profile show ${profile}\` with the dashboard, then replace the secret with \`pixgate profile edit ${profile} --keychain\``
    case 'none':
      return t`Add its secret with \`pixgate profile edit ${profile} --client-secret-stdin\``
    case 'env':
    case 'command':
      return t`Compare \`pixgate profile show ${profile}\` with the dashboard, then correct the secret at its source: ${sources.clientSecret}`
  }
}

function allowlistFailure(facts: AnswerFacts): AuthError {
  return new AuthError(t`The IP address of this machine is not registered for cash-out`, {
    ...facts,
    outcome: 'refused',
    hint: t`Register the public IP address in the dashboard, under gateway/checkout, IP management`,
  })
}
