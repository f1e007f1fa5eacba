import { formatDuration } from '../pix/duration.ts'
import type { Account } from '../profiles/account.ts'
import { t } from '../text/words.ts'
import type { Complaint } from '../wire/answers.ts'
import { Cancelled, type Failure, NotFound, NotReached, RateLimited, Refused } from '../wire/errors.ts'
import { isRefusalStatus, isSuccessStatus } from '../wire/verdict.ts'
import { type AnswerFacts, allowlistFailure, credentialsFailure, isAllowlistComplaint } from './credentialFailure.ts'
import type { ExchangeFailed } from './exchange.ts'
import { unreachable } from './unreachable.ts'

/** The failure that an answered query without a usable answer is. */
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
    return new NotFound(t`The gateway knows no transaction ${idTransaction}`, {
      ...facts,
      hint: t`Check the id, and that ${account.host} with client id ${account.clientId} is where it was made`,
    })
  }
  if (saysNo && code !== null) {
    return new Refused(t`The gateway refused the query for ${idTransaction} with ${code}`, {
      ...facts,
      hint: t`Check the id: it is the \`idTransaction\` that the gateway gave, a UUID`,
    })
  }
  const message =
    verdict.why === 'unreadable'
      ? t`The gateway answered ${httpStatus}, but with something that is not a JSON object`
      : t`The gateway answered ${httpStatus} without a usable answer`
  return new NotReached(message, {
    ...facts,
    outcome: 'unknown',
    hint: t`Run the command again, which is safe; if it fails again, check that ${account.url} is the gateway's base address`,
  })
}

/** The failure of a query that got no whole answer. */
export function queryUnanswered(account: Account, failed: ExchangeFailed, timeoutMs: number): Failure {
  if (failed.fault === 'interrupted') {
    return new Cancelled(t`Interrupted while asking the gateway`, { hint: t`Run the command again, which is safe` })
  }
  if (!failed.mayHaveLeft) return unreachable(account, failed.fault, failed.code, timeoutMs)
  const outcome = 'unknown'
  if (failed.fault === 'timeout') {
    return new NotReached(t`The gateway did not answer within ${formatDuration(timeoutMs)}`, {
      outcome,
      hint: t`Run the command again, which is safe; allow more time with \`--timeout 60s\``,
    })
  }
  if (failed.fault === 'too-large') {
    return new NotReached(t`The gateway's answer is larger than an answer can be, so it was not read`, {
      outcome,
      hint: t`Check that ${account.url} is the gateway's base address`,
    })
  }
  return new NotReached(t`The connection to ${account.host} broke before the whole answer had come`, {
    outcome,
    details: [t`The system says ${failed.code}`],
    hint: t`Run the command again, which is safe`,
  })
}

/** The failure of a query whose turn would come after its deadline. */
export function queryLimitFailure(waitMs: number): RateLimited {
  return new RateLimited(t`100 queries have left this machine within a minute, which is all that the gateway allows`, {
    hint: t`Wait ${formatDuration(waitMs)}, or allow a longer wait with \`--timeout\``,
  })
}

/** The failure of a request that the gateway answered with 429. */
export function rateLimited(retryAfterMs: number | null, facts: AnswerFacts): RateLimited {
  return new RateLimited(t`The gateway says that there were too many requests`, {
    ...facts,
    outcome: 'refused',
    hint:
      retryAfterMs === null
        ? t`Wait a minute, then try again`
        : t`Wait ${formatDuration(retryAfterMs)}, as the gateway asks, then try again`,
  })
}
