import type { PostOutcome } from '../gateway/exchange.ts'
import { postFailure } from '../gateway/gatewayErrors.ts'
import { nameOfEvent } from '../ledger/events.ts'
import type { TransferPayment } from '../ledger/facts.ts'
import { isOfAccount, loadPayment, type Payment } from '../ledger/payments.ts'
import type { AttemptRecord, LedgerRecord } from '../ledger/records.ts'
import { formatReais } from '../pix/amount.ts'
import { formatInstant } from '../pix/calendar.ts'
import type { Account } from '../profiles/account.ts'
import type { ProfileStore } from '../profiles/profile.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t, translated } from '../text/translate.ts'
import { type Failure, NotFound, OutcomeUnknown, Refused, UsageError } from '../wire/errors.ts'
import { checkProposal } from './askCheckCommand.ts'
import {
  answerRecordOf,
  isAlreadyHeld,
  recordAnswer,
  refusesPayment,
  unknownOutcomeHint,
  unrecordedFailure,
} from './attemptOutcomes.ts'
import { askConsent, type Question } from './consent.ts'
import { otherAccountFailure, unknownRun } from './explanation.ts'
import { type Accepted, decideOne, operationOf, pay, send } from './pay.ts'
import { type PaymentContext, paymentWarnings } from './paymentContext.ts'
import type { Proposal } from './proposal.ts'
import { NO_REPEATS } from './repeatOptions.ts'

/** The outcome of resuming a transfer: accepted now, or already accepted earlier. */
export type Resumed =
  | { outcome: 'accepted'; accepted: Accepted }
  | {
      outcome: 'accepted-before'
      idTransaction: string | null
      status: string | null
      warnings: readonly string[]
      /** See {@link Accepted}. */
      isRecorded: boolean
    }

/** A resend, or a payment of which nothing ever left. */
type ResumeProposal = Extract<Proposal, { action: 'resend' | 'pay' }>

export type TransferInLedger = Payment & { facts: TransferPayment }

/**
 * The transfer of this account that an id names, of those that were found under it. `store` holds the profiles that a hint may name.
 * Throws NotFound, or UsageError for what cannot be resumed.
 */
export function transferToResume(
  found: readonly Payment[],
  refunds: readonly Payment[],
  id: string,
  { account, store }: { account: Account; store: ProfileStore },
): TransferInLedger {
  const transfers = found.filter(isTransfer)
  const own = transfers.filter((each) => isOfAccount(each, account))
  const transfer =
    own.find(({ summary }) => summary.state === 'unknown') ??
    own.findLast(({ summary }) => summary.mayHaveMoved) ??
    own.at(-1)
  if (transfer !== undefined) return transfer
  const other = transfers.at(-1)
  if (other !== undefined) throw otherAccountFailure(id, other.owner, account, store)
  const refund = [...found, ...refunds].filter(({ facts }) => facts.kind === 'refund')
  if (refund.length > 0) throw refundCannotBeResumed(refund.findLast(({ summary }) => summary.state === 'unknown'))
  if (id.startsWith('run-')) throw unknownRun(id)
  throw new NotFound(t`No transfer with the external id ${id} is recorded`, {
    outcome: 'not-sent',
    hint: t`Run \`pixgate history find ${commandArgument(id)}\` to search for it`,
  })
}

/**
 * What resuming a transfer proposes: the same request again if its outcome is unknown, a new one if nothing of it ever left; null if it was
 * accepted. Throws Refused if it is finished.
 */
export function resumeProposal(payment: TransferInLedger, includeUnknown: boolean): ResumeProposal | null {
  const { summary, id, facts, givenId, first } = payment
  switch (summary.state) {
    case 'accepted':
    case 'paid':
      return null
    case 'unknown':
      return { action: 'resend', payment: id, includeUnknown, despiteChargeback: false }
    case 'not-sent': {
      // Much may have been sent since, so the rules for a new payment apply.
      const { rowId, place } = first
      return {
        action: 'pay',
        facts,
        externalId: givenId,
        rowId,
        place,
        accepted: NO_REPEATS,
        originalCents: null,
        isIdMadeUp: false,
      }
    }
    default:
      throw isFinished(payment)
  }
}

/**
 * Resumes a transfer as proposed: the same bytes are sent again under the same externalId, which the gateway carries out only once. One
 * that was accepted is only reported. Throws the Failure that describes the outcome.
 */
export async function resumeTransfer(
  context: PaymentContext,
  { summary, facts }: TransferInLedger,
  proposal: ResumeProposal | null,
  question: Question,
): Promise<Resumed> {
  if (proposal === null) {
    const { idTransaction, status } = summary
    return { outcome: 'accepted-before', idTransaction, status, warnings: [], isRecorded: true }
  }
  if (proposal.action === 'pay') return { outcome: 'accepted', accepted: await pay(context, proposal, question) }
  await checkProposal(context, 'send', proposal, facts)
  await askConsent(context, question)
  const attempt = await decideOne(context, proposal, facts)
  const result = await send(context, attempt)
  const answered = { attempt: attempt.record, answer: answerRecordOf(attempt, result) }
  const { unrecorded, warnings: own } = await recordAnswer(context, answered)
  const [warnings, isRecorded] = [[...paymentWarnings(context), ...own], unrecorded === null]
  if (isAlreadyHeld(result)) {
    return { outcome: 'accepted-before', idTransaction: null, status: null, warnings, isRecorded }
  }
  if (result.outcome === 'accepted') return { outcome: 'accepted', accepted: { ...result, warnings, isRecorded } }
  const failure = await resendFailure(context, attempt.record, result)
  throw unrecorded === null ? failure : unrecordedFailure(failure, unrecorded)
}

/** The failure of a request that was sent again; only an acceptance or the duplicate settles the first. */
async function resendFailure(
  context: PaymentContext,
  record: LedgerRecord<AttemptRecord>,
  result: PostOutcome,
): Promise<Failure> {
  if (result.outcome === 'refused' && refusesPayment(result.answerError.code, result.httpStatus)) {
    return refusedAgain(context, record, result.answerError.code ?? '')
  }
  const failure = postFailure(context.account, operationOf(record), result, context.timeoutMs)
  if (failure === undefined) throw new Error('a POST that was not accepted has a failure')
  if (result.outcome === 'unknown') return failure
  const externalId = record.externalId ?? ''
  const details = [...failure.details, t`The outcome of the earlier request of ${externalId} is still unknown`]
  return Object.assign(failure, { outcome: 'unknown', externalId, details } as const)
}

async function refusedAgain({ ledger }: PaymentContext, record: AttemptRecord, code: string): Promise<OutcomeUnknown> {
  const id = record.externalId ?? ''
  const payment = await ledger.read((database) => loadPayment(database, record.payment))
  return new OutcomeUnknown(t`The gateway answered ${code}, which does not reveal the outcome of the first request`, {
    code,
    externalId: id,
    details: [
      t`The first request may have been carried out; its outcome is still unknown`,
      t`Resume it again only when the cause of ${code} is fixed`,
    ],
    hint: unknownOutcomeHint(payment),
  })
}

/** A transfer that is finished is never resumed; what to do now depends on whether it was made. */
function isFinished({ givenId, summary }: TransferInLedger): Refused {
  const { state, errorCode, deciding } = summary
  const answered = errorCode === null ? [] : [t`The gateway answered ${errorCode}`]
  const event =
    deciding.event === null ? [] : [t`Event ${nameOfEvent(deciding.event)} says ${deciding.event.status ?? '—'}`]
  const isHeld = errorCode === 'DUPLICATE_EXTERNAL_ID'
  return new Refused(t`The transfer ${givenId} is finished: ${translated(state)}`, {
    code: errorCode ?? undefined,
    outcome: 'refused',
    externalId: givenId,
    details: [...answered, ...event],
    hint: isHeld
      ? t`Look for this external id in the dashboard before you pay it another way: the gateway has a transfer with this id that this ledger did not send`
      : t`Run \`pixgate history show ${commandArgument(givenId)}\` to see what happened; if it must still be paid, send it under a new external id`,
  })
}

/** The gateway has no id by which it could tell a refund from the same one again. */
function refundCannotBeResumed(unknown: Payment | undefined): UsageError {
  const message = t`A refund cannot be resumed, because the gateway would carry it out a second time`
  if (unknown === undefined) {
    return new UsageError(message, {
      hint: t`Run \`pixgate history\` to see its state: no refund of it has an unknown outcome`,
    })
  }
  const amount = unknown.amountCents === null ? t`all of it` : formatReais(unknown.amountCents)
  return new UsageError(message, {
    details: [t`The outcome of the refund of ${amount}, sent at ${formatInstant(unknown.summary.sentMs)}, is unknown`],
    hint: unknownOutcomeHint(unknown),
  })
}

function isTransfer(payment: Payment): payment is TransferInLedger {
  return payment.facts.kind === 'transfer'
}
