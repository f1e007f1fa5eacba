import { formatDuration } from '../pix/duration.ts'
import { only } from '../pix/expectedError.ts'
import type { Account } from '../profiles/account.ts'
import type { EnvironmentVariables } from '../programInfo.ts'
import { sqliteCode } from '../storage/sqlite.ts'
import { systemTrouble } from '../storage/systemTrouble.ts'
import { t } from '../text/translate.ts'
import { type AnswerFields, readObject } from '../wire/answers.ts'
import { judgeQuery } from '../wire/answerVerdict.ts'
import { Cancelled, Failure, isCertificateProblem, isSystemError } from '../wire/errors.ts'
import { redactFields, type Secret } from '../wire/secret.ts'
import {
  assertCertificatesVerified,
  assertWebAssembly,
  CLOCK_DIFFERENCE_MS_MAX,
  connect,
  hasOwnClock,
  isProxyRefusal,
  openConnectionPool,
  readServerTimeMs,
  routeTo,
  serverTimeRequest,
} from './connections.ts'
import {
  brokenPostOutcome,
  ExchangeFailed,
  exchange,
  type HttpAnswer,
  type HttpRequest,
  type PostOutcome,
  postOutcome,
  strayAnswer,
} from './exchange.ts'
import { queryFailure, queryLimitFailure, queryUnansweredFailure } from './gatewayErrors.ts'
import type { QueryQuota } from './queryQuota.ts'
import { consultRequest } from './requests.ts'
import { type FailedAttempt, pause, readRetryAfterMs, retryDelayMs } from './retry.ts'

/** The time is only compared before a payment, which has its own timeout. */
const SERVER_TIME_MS_MAX = 5000
const ANSWER_BYTES_MAX = 1024 * 1024
const QUIET_MS = 10_000

export interface GatewayDependencies {
  env: EnvironmentVariables
  /** The limit for one call, from the first attempt to the last byte, pauses included. */
  timeoutMs: number
  quota: QueryQuota
  /** The first Ctrl-C: stops everything except a POST whose first byte may have been sent. */
  interrupt: AbortSignal
  /** The second Ctrl-C, or SIGTERM: stops everything. */
  abandon: AbortSignal
  now(): number
  random(): number
  /** Tells the user why the call waits. */
  notice(line: string): void
  /** A protocol line for `--verbose`, without secrets. `line` is only called if it is printed. */
  trace(line: () => string): void
  /** Called with the usable answer to each query of a payment, before it is returned. */
  learned(idTransaction: string, fields: AnswerFields): Promise<void>
}

/** The client of one account. */
export type Gateway = ReturnType<typeof createGateway>

/**
 * Creates the client of one account. Throws UsageError if certificates are not verified or a proxy is invalid. Create it before
 * anything is recorded, so that a request that cannot be sent leaves no record.
 */
export function createGateway(account: Account, dependencies: GatewayDependencies) {
  assertCertificatesVerified(account, dependencies.env)
  assertWebAssembly()
  const route = routeTo(account.url, dependencies.env)
  const connections = openConnectionPool(route, dependencies.now)
  let quotaIsShared = true
  let quietUntilMs = 0

  /** Throws RateLimited instead of waiting beyond the deadline. */
  async function waitForTurn(deadlineMs: number): Promise<void> {
    if (!quotaIsShared) return
    try {
      const turnMs = await dependencies.quota.reserve(deadlineMs)
      const waitMs = turnMs - dependencies.now()
      if (waitMs <= 0) return
      if (turnMs > deadlineMs) throw queryLimitFailure(waitMs)
      noticePause(t`The limit of 100 queries per minute is reached; continuing in ${formatDuration(waitMs)}`)
      await pause(waitMs, dependencies.interrupt)
    } catch (error) {
      if (!(error instanceof Error) || (sqliteCode(error) === null && !isSystemError(error))) throw error
      // Queries that run side by side fail together; one line is enough.
      if (!quotaIsShared) return
      quotaIsShared = false
      const { reason } = systemTrouble(error, dependencies.quota.folder)
      dependencies.notice(
        t`The limit of 100 queries per minute is not enforced, because its file cannot be written: ${reason}`,
      )
    }
  }

  async function attempt(request: HttpRequest, deadlineMs: number): Promise<HttpAnswer> {
    const dispatcher = await connections.take()
    const answer = await traced(request, () =>
      exchange(dispatcher, request, {
        timeoutMs: Math.max(1, deadlineMs - dependencies.now()),
        bytesMax: ANSWER_BYTES_MAX,
        interrupt: dependencies.interrupt,
        abandon: dependencies.abandon,
      }),
    )
    connections.giveBack(dispatcher)
    return answer
  }

  async function traced(request: HttpRequest, send: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
    const startMs = dependencies.now()
    dependencies.trace(() => t`> ${request.method} ${request.url}`)
    try {
      const answer = await send()
      dependencies.trace(
        () => t`< ${answer.httpStatus}, ${answer.body.length} bytes, ${dependencies.now() - startMs} ms`,
      )
      return answer
    } catch (error) {
      if (error instanceof ExchangeFailed) {
        dependencies.trace(() => t`< ${error.fault} ${error.code}, ${dependencies.now() - startMs} ms`)
      }
      throw error
    }
  }

  /** True once an interrupt was answered: several requests may be under way. */
  let isHeld = false

  return {
    /**
     * Queries the status of one payment and retries if that is useful. Throws NotFound, AuthError, Refused,
     * RateLimited, NotReached, Cancelled. It gives up at `latestMs` if that is before the timeout; with `isOneOfMany` the wait for its turn
     * within the query limit does not count. `nowMs` is the time by which the gateway counts days.
     */
    async consult(idTransaction: string, { latestMs = Number.POSITIVE_INFINITY, isOneOfMany = false } = {}) {
      const request = consultRequest(account, idTransaction)
      let deadlineMs = Math.min(dependencies.now() + dependencies.timeoutMs, latestMs)
      for (let count = 1; ; count++) {
        const waitFromMs = dependencies.now()
        await waitForTurn(isOneOfMany ? Number.POSITIVE_INFINITY : deadlineMs)
        if (isOneOfMany) deadlineMs += dependencies.now() - waitFromMs
        const result = await attempt(request, deadlineMs).catch((error: unknown) => asExchangeFailure(error))
        if (!(result instanceof ExchangeFailed)) {
          const verdict = judgeQuery(result.httpStatus, fieldsOf(result, account.clientSecret))
          if (verdict.usable) {
            await dependencies.learned(idTransaction, verdict.fields)
            const ownMs = hasOwnClock(account) ? readServerTimeMs(result.headers) : null
            return { httpStatus: result.httpStatus, fields: verdict.fields, nowMs: ownMs ?? dependencies.now() }
          }
          const retryAfterMs = readRetryAfterMs(result.headers['retry-after'], dependencies.now())
          const delayMs = nextDelayMs(count, { kind: 'http', httpStatus: result.httpStatus, retryAfterMs }, deadlineMs)
          if (delayMs === null) {
            throw queryFailure(account, idTransaction, result.httpStatus, verdict, retryAfterMs, strayAnswer(result))
          }
          await pauseBeforeRetry(delayMs)
          continue
        }
        const isPassing = result.fault === 'connection' || result.fault === 'malformed'
        const isFinal = !isPassing || isCertificateProblem(result.code) || isProxyRefusal(result.code)
        const delayMs = isFinal ? null : nextDelayMs(count, { kind: 'network' }, deadlineMs)
        if (delayMs === null) throw queryUnansweredFailure(account, result, dependencies.timeoutMs)
        await pauseBeforeRetry(delayMs)
      }
    },
    /**
     * Sends a POST exactly once, over a new connection. With `isOneOfMany` it reuses pooled connections, because connecting
     * takes longer than the request itself. `mayLeave` is asked just before the first byte.
     */
    async post(request: HttpRequest, isOneOfMany = false, mayLeave?: () => boolean): Promise<PostOutcome> {
      const held = () => {
        if (isHeld) return
        isHeld = true
        dependencies.notice(
          isOneOfMany
            ? t`Waiting for the answers to what was already sent (press Ctrl-C again to stop without them)`
            : t`The request was already sent; waiting for the answer (press Ctrl-C again to stop without it)`,
        )
      }
      try {
        const dispatcher = isOneOfMany ? await connections.takeForMoney() : await connect(route)
        const answer = await traced(request, () =>
          exchange(dispatcher, request, {
            timeoutMs: dependencies.timeoutMs,
            bytesMax: request.answerBytesMax ?? ANSWER_BYTES_MAX,
            interrupt: dependencies.interrupt,
            abandon: dependencies.abandon,
            mayLeave,
            onHeld: held,
          }),
        )
        if (isOneOfMany) connections.giveBack(dispatcher)
        else void dispatcher.destroy()
        const nowMs = dependencies.now()
        // The clock of a sandbox may have been moved.
        const gatewayMs = account.environment === 'sandbox' ? null : readServerTimeMs(answer.headers)
        const outcome = postOutcome(answer, fieldsOf(answer, account.clientSecret), nowMs)
        return gatewayMs === null || gatewayMs - nowMs <= CLOCK_DIFFERENCE_MS_MAX ? outcome : { ...outcome, gatewayMs }
      } catch (error) {
        const failure = asExchangeFailure(error)
        return brokenPostOutcome(failure)
      }
    },
    /**
     * Asks for the gateway's time with a request without credentials. Null if the gateway was not reached within the timeout or
     * its answer has no usable `Date`. Throws Cancelled on Ctrl-C.
     */
    async serverTimeMs() {
      const dispatcher = await connect(route)
      const request = serverTimeRequest(account)
      const limits = {
        timeoutMs: Math.min(dependencies.timeoutMs, SERVER_TIME_MS_MAX),
        bytesMax: ANSWER_BYTES_MAX,
        interrupt: dependencies.interrupt,
        abandon: dependencies.abandon,
      }
      try {
        const { headers } = await traced(request, () => exchange(dispatcher, request, limits))
        return readServerTimeMs(headers)
      } catch (error) {
        const failure = asExchangeFailure(error)
        if (failure.fault === 'interrupted') throw queryUnansweredFailure(account, failure, dependencies.timeoutMs)
        return null
      } finally {
        void dispatcher.destroy()
      }
    },
    async close() {
      await Promise.all([connections.close(), dependencies.quota.close()])
    },
  }

  function nextDelayMs(count: number, failed: FailedAttempt, deadlineMs: number): number | null {
    return retryDelayMs(count, failed, deadlineMs - dependencies.now(), dependencies.random())
  }

  /** Limits these notices, which frequent polling would repeat many times. */
  function noticePause(line: string): void {
    if (dependencies.now() < quietUntilMs) return
    quietUntilMs = dependencies.now() + QUIET_MS
    dependencies.notice(line)
  }

  async function pauseBeforeRetry(delayMs: number): Promise<void> {
    if (delayMs >= 1000) noticePause(t`The gateway asked to wait; retrying in ${formatDuration(delayMs)}`)
    await pause(delayMs, dependencies.interrupt)
  }
}

/** Redacts the secret from an answer that echoes it, so that it is neither shown nor recorded. Any other stays as it came, its numbers too. */
function fieldsOf({ body }: HttpAnswer, secret: Secret): AnswerFields | undefined {
  const fields = readObject(body.toString('utf8'))
  const redacted = fields && redactFields(fields, [secret])
  return JSON.stringify(redacted) === JSON.stringify(fields) ? fields : redacted
}

function asExchangeFailure(error: unknown): ExchangeFailed {
  if (error instanceof ExchangeFailed) return error
  throw error
}

/** An id that no gateway has: the answer shows whether the credentials are accepted. */
const NO_SUCH_ID = '00000000-0000-4000-8000-000000000000'

/** What a gateway that accepts the credentials answers for an id that it does not have. */
const ACCEPTED_CODES: readonly string[] = ['TRANSACTION_NOT_FOUND', 'INVALID_TRANSACTION_ID']

/**
 * Asks the gateway for a payment that does not exist. Returns undefined if it accepts the credentials, else the failure.
 * It gives up at `latestMs`. Throws Cancelled on Ctrl-C.
 */
export async function testCredentials(gateway: Gateway, latestMs?: number): Promise<Failure | undefined> {
  const failure = await gateway.consult(NO_SUCH_ID, { latestMs }).then(
    () => undefined,
    only(Failure, (refused) => refused),
  )
  if (failure instanceof Cancelled) throw failure
  return failure !== undefined && ACCEPTED_CODES.includes(failure.code) ? undefined : failure
}
