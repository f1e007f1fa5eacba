/** The outcome of a request that changes something; `unknown` means that it may have been carried out. */
export type Outcome = (typeof OUTCOMES)[number]

export const OUTCOMES = ['not-sent', 'refused', 'accepted', 'accepted-before', 'unknown'] as const

/** The facts of a failure in addition to its message. `hint` says what to do next and is never empty. */
export interface FailureFacts {
  hint: string
  /** The gateway's own code if it sent one; otherwise the default of the class. */
  code?: string
  /** Additional sentences or lines. */
  details?: readonly string[]
  httpStatus?: number
  outcome?: Outcome
  externalId?: string
  /** True if payments are recorded in what failed before they are sent: a command that sends them adds that none was. */
  isWhatSendingNeeds?: true
  /** All the faults of a file, each with its place. */
  faults?: readonly { row?: number; line: number; column: string; message: string }[]
}

/** The base of all errors that are reported to the user, each with an exit code. */
export abstract class Failure extends Error {
  abstract readonly exitCode: number
  readonly code: string
  readonly hint: string
  readonly details: readonly string[]
  readonly httpStatus: number | null
  readonly outcome: Outcome
  readonly externalId: string | undefined
  readonly isWhatSendingNeeds: boolean
  readonly faults: FailureFacts['faults']

  constructor(message: string, facts: FailureFacts, code: string, outcome: Outcome) {
    super(message)
    this.code = facts.code ?? code
    this.hint = facts.hint
    this.details = facts.details ?? []
    this.httpStatus = facts.httpStatus ?? null
    this.outcome = facts.outcome ?? outcome
    this.externalId = facts.externalId
    this.isWhatSendingNeeds = facts.isWhatSendingNeeds === true
    this.faults = facts.faults
  }
}

/** A class of failures with one exit code; `code` and `outcome` count unless the facts name others. */
function failure<ExitCode extends number>(exitCode: ExitCode, code: string, outcome: Outcome) {
  return class extends Failure {
    readonly exitCode = exitCode
    constructor(message: string, facts: FailureFacts) {
      super(message, facts, code, outcome)
    }
  }
}

/** True for a system error; a Failure is not one, although it also has a code. */
export function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && !(error instanceof Failure) && 'code' in error && typeof error.code === 'string'
}

/** What `work` returns, or undefined if the system says with this code that it cannot be done. Throws any other error. */
export function unlessSystem<Value>(code: string, work: () => Value): Value | undefined {
  try {
    return work()
  } catch (error) {
    if (isSystemError(error) && error.code === code) return undefined
    throw error
  }
}

/** What Node.js says of a call that its option `--permission` forbids. */
export const FORBIDDEN = 'ERR_ACCESS_DENIED'

/** What Node.js says where a file of the program is not there. */
export const MISSING_PART = 'MODULE_NOT_FOUND'

/** True where a file of the program is not there, such as while an update of it goes on. */
export function isPartMissing(error: unknown): error is Error {
  return isSystemError(error) && error.code.endsWith(MISSING_PART)
}

/** The code of an error of a system call (`ENOSPC`), also of one that was forbidden; undefined for any other error, as errors of Node.js itself are defects. */
export function systemCode(error: unknown): string | undefined {
  return isSystemError(error) && ('syscall' in error || error.code === FORBIDDEN) ? error.code : undefined
}

/** The command line, a file or the environment is wrong; nothing was sent. Exit 2. */
export class UsageError extends failure(2, 'USAGE', 'not-sent') {}

/** The gateway, a rule or a check said no. Exit 1. */
export class Refused extends failure(1, 'REFUSED', 'refused') {}

/** The transaction does not exist. Exit 3. */
export class NotFound extends failure(3, 'TRANSACTION_NOT_FOUND', 'refused') {}

/** There are no credentials, or the gateway rejects them or this machine's IP address. Exit 4. */
export class AuthError extends failure(4, 'NO_CREDENTIALS', 'not-sent') {}

/** The request may have been carried out. Exit 5. */
export class OutcomeUnknown extends failure(5, 'OUTCOME_UNKNOWN', 'unknown') {}

/** Nothing was sent, or a query got no usable answer; it is safe to try again. Exit 6. */
export class NotReached extends failure(6, 'NOT_REACHED', 'not-sent') {}

/** The gateway or the query limit requires a wait. Exit 7. */
export class RateLimited extends failure(7, 'RATE_LIMITED', 'not-sent') {}

/** Interrupted, or declined by the user, before anything that moves money was sent. Exit 130; 143 after SIGTERM. */
export class Cancelled extends failure(130, 'CANCELLED', 'not-sent') {}

/**
 * The request was accepted, but a later step, such as waiting for the payment, failed or was interrupted. It has the code
 * and the exit code of its cause.
 */
export class FailedAfterAcceptance extends Failure {
  readonly exitCode: number
  constructor(message: string, cause: Failure, facts: FailureFacts) {
    super(message, facts, cause.code, 'accepted')
    this.exitCode = cause.exitCode
  }
}

const WORST_FIRST: readonly number[] = [70, 5, 4, 7, 6, 8, 3, 1]

/** The most severe of several exit codes; 0 if all are 0. */
export function worstExitCode(exitCodes: readonly number[]): number {
  return WORST_FIRST.find((code) => exitCodes.includes(code)) ?? exitCodes.find((code) => code !== 0) ?? 0
}

/** True for the code of a rejected certificate, for which a retry is useless. */
export function isCertificateProblem(code: string): boolean {
  return (
    code.startsWith('ERR_TLS_') || /CERT|SIGNATURE|ISSUER|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME/.test(code)
  )
}

/** True for the code of a connection over https whose other end answers something else, mostly plain HTTP. */
export function isWithoutTls(code: string): boolean {
  return code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG'
}
