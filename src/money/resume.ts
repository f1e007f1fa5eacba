import type { PostEnd } from '../gateway/client.ts'
import { postFailure } from '../gateway/postFailure.ts'
import { t } from '../text/words.ts'
import type { TransferIntent } from '../timeline/records.ts'
import { isOf, type Transaction } from '../timeline/transactions.ts'
import { NotFound, OutcomeUnknown, Refused, UsageError } from '../wire/errors.ts'
import { askConsent, type Question } from './consent.ts'
import type { Desk } from './desk.ts'
import { type Accepted, operationOf, recordOutcome } from './pay.ts'
import { send } from './send.ts'

/** How a resumed transfer stands: accepted now, or held by the gateway from before. */
export type Resumed =
  | { outcome: 'accepted'; accepted: Accepted }
  | { outcome: 'accepted-before'; idTransaction: string | null; status: string | null }

/** Refusals at the door: the gateway did not look at the transfer, so they say nothing about an earlier attempt. */
const DOOR_CODES: readonly string[] = ['INVALID_CREDENTIALS', 'UNAUTHORIZED_IP']
/** An earlier attempt may be what has used up the balance. */
const NO_EVIDENCE_CODES: readonly string[] = [...DOOR_CODES, 'NO_FUNDS']

/** The transfer of this account with this externalId. Throws NotFound, or UsageError for what cannot be resumed. */
export function findTransfer(
  transactions: readonly Transaction[],
  externalId: string,
  desk: Pick<Desk, 'account'>,
): Transaction<TransferIntent> {
  const named = transactions.filter(({ intent }) => intent.kind === 'transfer' && intent.externalId === externalId)
  const own = named.findLast((each) => isOf(each, desk.account))
  if (own !== undefined && isTransfer(own)) return own
  const other = named.at(-1)
  if (other !== undefined) {
    throw new UsageError(t`${externalId} was sent to ${other.intent.baseUrl} with client id ${other.intent.clientId}`, {
      details: [t`It cannot go on with ${desk.account.url} and client id ${desk.account.clientId}`],
      hint: t`Name the profile that it was sent with: \`--profile ${other.intent.profile ?? '<name>'}\``,
    })
  }
  const refund = transactions.find(
    ({ intent }) => intent.kind === 'refund' && intent.originalTransactionId === externalId,
  )
  if (refund !== undefined) {
    throw new UsageError(t`A refund cannot be resumed, because the gateway would carry it out a second time`, {
      hint: t`Find out what became of it, then say so: \`pixgate history settle ${refund.intent.id} --as paid|not-paid --because "…"\``,
    })
  }
  throw new NotFound(t`This machine has sent no transfer with the external id ${externalId}`, {
    outcome: 'not-sent',
    hint: t`\`pixgate history\` lists what was sent from here`,
  })
}

/**
 * Goes on with a transfer: the same bytes are sent again under the same externalId, which the gateway carries out only once.
 * One that was accepted is only reported. Throws the Failure that tells what became of it.
 */
export async function resumeTransfer(
  desk: Desk,
  transaction: Transaction<TransferIntent>,
  question: Question,
): Promise<Resumed> {
  const { intent, state, idTransaction, outcome } = transaction
  if (state === 'accepted' || state === 'paid') {
    return { outcome: 'accepted-before', idTransaction, status: outcome?.status ?? null }
  }
  if (state === 'refused' || state === 'not-paid' || state === 'returned') throw isOver(transaction)
  await askConsent(desk, question)
  const durable = await desk.timeline.recordAttempt(intent)
  const end = await send(desk, durable)
  // Where nothing of ours ever left, a duplicate is somebody else's transfer.
  if (state === 'unknown' && end.outcome === 'refused' && end.complaint.code === 'DUPLICATE_EXTERNAL_ID') {
    await desk.timeline.append({ ...emptyOutcome(intent.id), outcome: 'accepted-before', httpStatus: end.httpStatus })
    return { outcome: 'accepted-before', idTransaction, status: null }
  }
  const settled = state === 'unknown' && isNoEvidence(end) ? undefined : end
  await recordOutcome(desk, durable, settled ?? { outcome: 'unknown', httpStatus: null, why: 'status' })
  if (end.outcome === 'accepted') return { outcome: 'accepted', accepted: end }
  const failure = postFailure(desk.account, operationOf(intent), end, desk.timeoutMs)
  if (settled === undefined && end.outcome === 'refused' && end.complaint.code === 'NO_FUNDS')
    throw stillInDoubt(intent)
  throw failure ?? new Error('a POST that was not accepted has a failure')
}

function isTransfer(transaction: Transaction): transaction is Transaction<TransferIntent> {
  return transaction.intent.kind === 'transfer'
}

/** True for an end that leaves an earlier attempt in doubt. */
function isNoEvidence(end: PostEnd): boolean {
  if (end.outcome === 'not-sent' || end.outcome === 'unknown') return true
  if (end.outcome === 'accepted') return false
  const { httpStatus, complaint } = end
  if (httpStatus === 401 || httpStatus === 403 || httpStatus === 429) return true
  // A 4xx without a code may come from something in front of the gateway.
  return complaint.code === null || NO_EVIDENCE_CODES.includes(complaint.code)
}

function emptyOutcome(of: string) {
  return { type: 'outcome', of, idTransaction: null, status: null, code: null, amountCents: null } as const
}

function stillInDoubt({ externalId }: TransferIntent): OutcomeUnknown {
  return new OutcomeUnknown(t`The gateway says NO_FUNDS, which does not tell what became of the first attempt`, {
    code: 'NO_FUNDS',
    externalId,
    details: [t`The first attempt itself may have used the balance`],
    hint: t`Look for ${externalId} in the dashboard; add money and run \`pixgate resume ${externalId}\`, or say what you found with \`pixgate history settle ${externalId}\``,
  })
}

function isOver({ intent, state, outcome }: Transaction<TransferIntent>): Refused {
  return new Refused(t`The transfer ${intent.externalId} is over: ${state}`, {
    code: outcome?.code ?? undefined,
    externalId: intent.externalId,
    details: outcome?.code == null ? [] : [t`The gateway said ${outcome.code}`],
    hint: t`Nothing of it is in doubt: send a new one with \`pixgate transfer\` when it must be paid`,
  })
}
