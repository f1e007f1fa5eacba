import { isAllowlistCode, postFailure } from '../gateway/gatewayErrors.ts'
import type { PostOutcome } from '../gateway/postOutcome.ts'
import type { AnswerRecord, RunRow } from '../ledger/records.ts'
import type { DurableAttempt } from '../payments/decide.ts'
import { operationOf } from '../payments/pay.ts'
import type { PaymentContext } from '../payments/paymentContext.ts'
import { t } from '../text/translate.ts'
import { type Failure, type Outcome, OutcomeUnknown } from '../wire/errors.ts'

export interface RowOutcome {
  line: number
  /** The id that was sent; that of a further attempt differs from its row's. */
  externalId: string
  outcome: Outcome
  status: string | null
  idTransaction: string | null
  errorCode: string | null
  /** What a person should know; null if it was accepted. */
  failure: Failure | null
  /** Sentences for the user about an answer that could not be recorded. */
  warnings: readonly string[]
  exitCode: number
}

/** The outcome of a row by the answer to its request. */
export function answeredOutcome(
  { account, timeoutMs }: PaymentContext,
  row: RunRow,
  { record }: DurableAttempt,
  result: PostOutcome,
  { outcome, status, idTransaction, code }: AnswerRecord,
): RowOutcome {
  const isAccepted = outcome === 'accepted' || outcome === 'accepted-before'
  const failure = isAccepted ? null : (postFailure(account, operationOf(record), result, timeoutMs) ?? null)
  return {
    line: row.line,
    externalId: record.externalId ?? row.rowId,
    outcome,
    status,
    idTransaction,
    errorCode: isAccepted ? null : (code ?? failure?.code ?? null),
    failure,
    warnings: [],
    exitCode: outcome === 'unknown' ? 5 : (failure?.exitCode ?? 0),
  }
}

/** The outcome of a row that a rule did not allow to be sent. */
export function unsentOutcome({ line, rowId }: RunRow, failure: Failure): RowOutcome {
  const { code: errorCode, exitCode } = failure
  return {
    line,
    externalId: rowId,
    outcome: 'not-sent',
    status: null,
    idTransaction: null,
    errorCode,
    failure,
    warnings: [],
    exitCode,
  }
}

/** The outcome of a row whose answer could not be recorded: as the gateway gave it, with the exit code of an unknown outcome. */
export function unrecordedOutcome(result: RowOutcome, unrecorded: Failure): RowOutcome {
  const { externalId, idTransaction, outcome } = result
  const message =
    idTransaction === null
      ? t`The answer could not be recorded, so the outcome of this row is unknown here`
      : t`The gateway accepted it as ${idTransaction}, but that could not be recorded, so the outcome of this row is unknown here`
  const failure = new OutcomeUnknown(message, {
    externalId,
    outcome,
    details: [unrecorded.message, ...(result.failure === null ? [] : [result.failure.message])],
    hint: t`Free some disk space, then continue the run; \`pixgate batch list\` shows its name`,
  })
  return { ...result, failure, warnings: [`${message}: ${unrecorded.message}`], exitCode: failure.exitCode }
}

/** True if every further row would fail the same way: the gateway refuses the credentials, the address or the balance, or asks to wait. */
export function isFatalForRun(result: PostOutcome): boolean {
  if (result.outcome !== 'refused') return false
  const { code } = result.answerError
  return result.httpStatus === 401 || result.httpStatus === 429 || code === 'NO_FUNDS' || isAllowlistCode(code)
}
