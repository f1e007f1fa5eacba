import type { PostEnd } from '../gateway/client.ts'
import { postFailure } from '../gateway/postFailure.ts'
import { formatReais } from '../pix/amount.ts'
import { formatInstant } from '../pix/calendar.ts'
import type { Account } from '../profiles/account.ts'
import { t } from '../text/words.ts'
import type { TimelineRecord, TransferIntent } from '../timeline/records.ts'
import { foldTransactions, isOf, type Transaction } from '../timeline/transactions.ts'
import { type Failure, NotFound, OutcomeUnknown, Refused, UsageError } from '../wire/errors.ts'
import { comparedWith } from './comparedWith.ts'
import { askConsent, type Question } from './consent.ts'
import type { Desk } from './desk.ts'
import { checkLimits } from './limits.ts'
import { type Accepted, operationOf, pay } from './pay.ts'
import { isHeldBefore, outcomeOfAnother, recordOutcome } from './recording.ts'
import { send } from './send.ts'

/** How a resumed transfer stands: accepted now, or held by the gateway from before. */
export type Resumed =
  | { outcome: 'accepted'; accepted: Accepted }
  | { outcome: 'accepted-before'; idTransaction: string | null; status: string | null; warnings: readonly string[] }

const NOT_AGAIN = { again: false, inAdditionTo: undefined }

/** The transfer of this account with this externalId. Throws NotFound, or UsageError for what cannot be resumed. */
export function findTransfer(
  transactions: readonly Transaction[],
  externalId: string,
  account: Pick<Account, 'url' | 'clientId'>,
): Transaction<TransferIntent> {
  const named = transactions.filter(({ intent }) => intent.kind === 'transfer' && intent.externalId === externalId)
  const own = named.findLast((each) => isOf(each, account))
  if (own !== undefined && isTransfer(own)) return own
  const other = named.at(-1)
  if (other !== undefined) {
    throw new UsageError(t`${externalId} was sent to ${other.intent.baseUrl} with client id ${other.intent.clientId}`, {
      details: [t`It cannot go on with ${account.url} and client id ${account.clientId}`],
      hint: t`Name the profile that it was sent with: \`--profile ${other.intent.profile ?? '<name>'}\``,
    })
  }
  const refunds = transactions.filter(
    ({ intent }) => intent.kind === 'refund' && intent.originalTransactionId === externalId,
  )
  if (refunds.length > 0) throw noResumeOfRefund(refunds.findLast(({ state }) => state === 'unknown'))
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
  const { intent, state, idTransaction, outcome, event } = transaction
  if (state === 'accepted' || state === 'paid') {
    const status = event?.status ?? outcome?.status ?? null
    return { outcome: 'accepted-before', idTransaction, status, warnings: [] }
  }
  if (state === 'refused' || state === 'not-paid' || state === 'returned') throw isOver(transaction)
  // Nothing of it ever left, and much may have been sent since: it is a new payment in everything but its bytes.
  if (state === 'not-sent')
    return { outcome: 'accepted', accepted: await pay(desk, unstamped(intent), question, NOT_AGAIN) }
  const known = foldTransactions(await desk.timeline.readUndamaged(comparedWith(intent, desk.now())))
  const earlier = known.filter((each) => each.intent.id !== intent.id)
  checkLimits(earlier, intent.amountCents, desk.account, desk.now())
  await askConsent(desk, question)
  const current = async () =>
    findTransfer(
      foldTransactions(await desk.timeline.readUndamaged({ names: [intent.externalId] })),
      intent.externalId,
      desk.account,
    )
  const resumed = await desk.aloneWith(intent.externalId, async () => {
    const { state } = await current()
    return state === 'unknown' ? sendAgain(desk, intent) : undefined
  })
  // Another process has ended it while the question was open.
  return resumed ?? resumeTransfer(desk, await current(), question)
}

async function sendAgain(desk: Desk, intent: TimelineRecord<TransferIntent>): Promise<Resumed> {
  const durable = await desk.timeline.recordAttempt(intent)
  const end = await send(desk, durable)
  const warnings = await recordOutcome(desk, outcomeOfAnother(durable, end))
  if (isHeldBefore(end)) return { outcome: 'accepted-before', idTransaction: null, status: null, warnings }
  if (end.outcome === 'accepted') return { outcome: 'accepted', accepted: { ...end, warnings } }
  if (end.outcome === 'refused' && isRefusedForItself(end)) throw refusedInDoubt(intent, end.complaint.code ?? '')
  const failure = postFailure(desk.account, operationOf(intent), end, desk.timeoutMs)
  if (failure === undefined) throw new Error('a POST that was not accepted has a failure')
  throw end.outcome === 'unknown' ? failure : inDoubtStill(failure, intent)
}

/** The gateway has no id by which it could tell a refund from the same one again. */
function noResumeOfRefund(doubtful: Transaction | undefined): UsageError {
  const message = t`A refund cannot be resumed, because the gateway would carry it out a second time`
  if (doubtful === undefined) {
    return new UsageError(message, {
      hint: t`None of this payment's refunds is in doubt; \`pixgate history\` lists them`,
    })
  }
  const { id, amountCents } = doubtful.intent
  const amount = amountCents === null ? t`all of it` : formatReais(amountCents)
  return new UsageError(message, {
    details: [t`In doubt is the refund of ${amount}, asked for at ${formatInstant(doubtful.atMs)}`],
    hint: t`Find out what became of it, then say so: \`pixgate history settle ${id} --as paid|not-paid --because "…"\``,
  })
}

function isTransfer(transaction: Transaction): transaction is Transaction<TransferIntent> {
  return transaction.intent.kind === 'transfer'
}

function unstamped({ id, at, user, machine, ...intent }: TimelineRecord<TransferIntent>): TransferIntent {
  return intent
}

/** True where the gateway looked at the transfer and named what is wrong with it, rather than refuse the caller. */
function isRefusedForItself({ httpStatus, complaint }: Extract<PostEnd, { outcome: 'refused' }>): boolean {
  return complaint.code !== null && httpStatus !== 401 && httpStatus !== 403 && httpStatus !== 429
}

/** The failure of an attempt that tells nothing about the one before it. */
function inDoubtStill(failure: Failure, { externalId }: TransferIntent): Failure {
  const details = [...failure.details, t`The earlier attempt of ${externalId} stays in doubt`]
  return Object.assign(failure, { outcome: 'unknown', externalId, details } as const)
}

function refusedInDoubt({ externalId }: TransferIntent, code: string): OutcomeUnknown {
  return new OutcomeUnknown(t`The gateway says ${code}, which does not tell what became of the first attempt`, {
    code,
    externalId,
    details: [t`The first attempt may have been carried out before; it stays in doubt`],
    hint: t`Look for ${externalId} in the dashboard, then say what you found with \`pixgate history settle ${externalId}\`, or run \`pixgate resume ${externalId}\` when the cause is gone`,
  })
}

function isOver({ intent, state, outcome, event }: Transaction<TransferIntent>): Refused {
  const said = outcome?.code == null ? [] : [t`The gateway said ${outcome.code}`]
  const arrived = event === null ? [] : [t`The event ${event.n} says ${event.status ?? '—'}`]
  return new Refused(t`The transfer ${intent.externalId} is over: ${state}`, {
    code: outcome?.code ?? undefined,
    externalId: intent.externalId,
    details: [...said, ...arrived],
    hint:
      outcome?.code === 'DUPLICATE_EXTERNAL_ID'
        ? t`The gateway holds a transfer with this external id that was not sent from here: look it up before you pay`
        : t`Nothing of it is in doubt: send a new one with \`pixgate transfer\` when it must be paid`,
  })
}
