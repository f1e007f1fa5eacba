import type { PostEnd } from '../../gateway/client.ts'
import { isAllowlistComplaint } from '../../gateway/credentialFailure.ts'
import { postFailure } from '../../gateway/postFailure.ts'
import type { Account } from '../../profiles/account.ts'
import type { MoneyIntent, OutcomeRecord, TimelineRecord } from '../../timeline/records.ts'
import type { Failure, Outcome } from '../../wire/errors.ts'
import { operationOf } from '../pay.ts'
import { isHeldBefore, outcomeOf, outcomeOfAnother } from '../recording.ts'
import type { KeptRow } from './keptRow.ts'

/** What became of a row that was taken up. */
export interface RowEnd {
  row: KeptRow
  /** The id that it went by: of a new attempt another one than the row's own. */
  externalId: string
  outcome: Outcome
  status: string | null
  idTransaction: string | null
  errorCode: string | null
  /** What a person should know; null where it was accepted. */
  failure: Failure | null
  exitCode: number
}

/** What the end of a POST says of a row. `isAgain` where the same intent had been sent before. */
export function rowOutcome(
  row: KeptRow,
  intent: TimelineRecord<MoneyIntent>,
  end: PostEnd,
  isAgain: boolean,
): OutcomeRecord {
  // A derived id stands for exactly this payment, whatever machine it was sent from before.
  const isHeld = row.kind === 'transfer' && row.typedId === null && isHeldBefore(end)
  return isAgain || isHeld ? outcomeOfAnother(intent, end) : outcomeOf(intent, end)
}

/** The end of a row by its outcome. */
export function rowEnd(
  row: KeptRow,
  intent: TimelineRecord<MoneyIntent>,
  end: PostEnd,
  { outcome, status, idTransaction, code }: OutcomeRecord,
  { account, timeoutMs }: { account: Account; timeoutMs: number },
): RowEnd {
  const externalId = intent.kind === 'transfer' ? intent.externalId : row.id
  const isAccepted = outcome === 'accepted' || outcome === 'accepted-before'
  const failure = isAccepted ? null : (postFailure(account, operationOf(intent), end, timeoutMs) ?? null)
  const errorCode = isAccepted ? null : (code ?? failure?.code ?? null)
  const exitCode = outcome === 'unknown' ? 5 : (failure?.exitCode ?? 0)
  return { row, externalId, outcome, status, idTransaction, errorCode, failure, exitCode }
}

/** True where the next row would meet the same: credentials, address or balance are what the gateway refuses, or it wants to rest. */
export function stopsAtOnce(end: PostEnd): boolean {
  if (end.outcome !== 'refused') return false
  const { code } = end.complaint
  return end.httpStatus === 401 || end.httpStatus === 429 || code === 'NO_FUNDS' || isAllowlistComplaint(code)
}
