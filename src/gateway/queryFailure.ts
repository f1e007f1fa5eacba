import { formatDuration } from '../pix/duration.ts'
import type { Account } from '../profiles/account.ts'
import { t } from '../text/words.ts'
import type { Complaint } from '../wire/answers.ts'
import { Cancelled, type Failure, NotFound, NotReached, RateLimited, Refused } from '../wire/errors.ts'
import { isRefusalStatus, isSuccessStatus } from '../wire/verdict.ts'
import { type AnswerFacts, allowlistFailure, credentialsFailure, isAllowlistComplaint } from './credentialFailure.ts'
import type { ExchangeFailed } from './exchange.ts'
import { unreachable } from './unreachable.ts'

/** The failure of a query that was answered, but not usably. */
export function queryFailure(
  account: Account,
  idTransaction: string,
  httpStatus: number,
  verdict: { why: 'status' | 'unreadable'; complaint: Complaint },
  retryAfterMs: number | null,
): Failure {
  const { code, description } = verdict.complaint
  const facts = { httpStatus, code: code ?? undefined, details: description === null ? [] : [t`${description}`] }
  if (httpStatus === 401) return credentialsFailure(account, facts)
  if (isAllowlistComplaint(code)) return allowlistFailure(facts)
  if (httpStatus === 429) return rateLimited(retryAfterMs, facts)
  const saysNo = isRefusalStatus(httpStatus) || isSuccessStatus(httpStatus)
  if (saysNo && code === 'TRANSACTION_NOT_FOUND') {
    return new NotFound(t`The gateway has no transaction \`${idTransaction}\``, {
      ...facts,
      hint: t`Check the id, and that it was created at ${account.host} with client id ${account.clientId}`,
    })
  }
  if (saysNo && code !== null) {
    return new Refused(t`The gateway refused the query for \`${idTransaction}\`: ${code}`, {
      ...facts,
      hint: t`Check the id, which must be an \`idTransaction\` of the gateway, a UUID`,
    })
  }
  const message =
    verdict.why === 'unreadable'
      ? t`The gateway answered HTTP ${httpStatus} with a body that is not a JSON object`
      : t`The gateway's answer is not usable: HTTP ${httpStatus}`
  return new NotReached(message, {
    ...facts,
    outcome: 'unknown',
    hint: t`Try again, which is safe; if it keeps failing, check that ${account.url} is the gateway's base address`,
  })
}

/** The failure of a query that got no complete answer. */
export function queryUnanswered(account: Account, failed: ExchangeFailed, timeoutMs: number): Failure {
  if (failed.fault === 'interrupted') {
    return new Cancelled(t`Interrupted while querying the gateway`, { hint: t`Run the command again, which is safe` })
  }
  if (!failed.mayHaveLeft) return unreachable(account, failed.fault, failed.code, timeoutMs)
  const outcome = 'unknown'
  if (failed.fault === 'timeout') {
    return new NotReached(t`The gateway did not answer within ${formatDuration(timeoutMs)}`, {
      outcome,
      hint: t`Try again, which is safe, or allow more time with \`--timeout 60s\``,
    })
  }
  if (failed.fault === 'too-large') {
    return new NotReached(t`The gateway's answer exceeds the size limit`, {
      outcome,
      hint: t`Check that ${account.url} is the gateway's base address`,
    })
  }
  return new NotReached(t`The connection to ${account.host} broke before the complete answer arrived`, {
    outcome,
    details: [t`System error ${failed.code}`],
    hint: t`Try again, which is safe`,
  })
}

/** The failure of a query whose turn would come after its deadline. */
export function queryLimitFailure(waitMs: number): RateLimited {
  return new RateLimited(t`This machine has sent 100 queries within a minute, the limit of the gateway`, {
    hint: t`Wait ${formatDuration(waitMs)}, or use a longer \`--timeout\``,
  })
}

/** The failure of a request that the gateway answered with HTTP 429. */
export function rateLimited(retryAfterMs: number | null, facts: AnswerFacts): RateLimited {
  return new RateLimited(t`The gateway received too many requests`, {
    ...facts,
    outcome: 'refused',
    hint:
      retryAfterMs === null
        ? t`Wait a minute, then try again`
        : t`Wait ${formatDuration(retryAfterMs)}, as the gateway asks, then try again`,
  })
}
