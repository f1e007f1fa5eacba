import { nameOfEvent } from '../ledger/events.ts'
import type { RefundPayment, TransferPayment } from '../ledger/facts.ts'
import { isOfAccount, type Payment } from '../ledger/payments.ts'
import { stateText } from '../ledger/stateWords.ts'
import { formatReais } from '../pix/amount.ts'
import { formatInstant } from '../pix/calendar.ts'
import type { Account } from '../profiles/account.ts'
import type { ProfileStore } from '../profiles/profile.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { NotFound, OutcomeUnknown, Refused, UsageError } from '../wire/errors.ts'
import { unknownOutcomeHint } from './attemptOutcomes.ts'
import { otherAccountFailure, saidAloneBy, unknownRun, unverifiedEvent } from './explanation.ts'
import { type Proposal, singlePayment } from './proposal.ts'
import type { AcceptedRepeats } from './repeatOptions.ts'

/** A resend, or a payment of which nothing ever left. */
type ResumeProposal = Extract<Proposal, { action: 'resend' | 'pay' }>

export type TransferInLedger = Payment & { facts: TransferPayment }

/**
 * The transfer of this account that an id names, of those that were found under it. `store` holds the profiles that a hint may name.
 * Throws NotFound, or UsageError for what cannot be resumed.
 */
export function transferToResume(
  found: readonly Payment[],
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
  if (id.startsWith('run-')) throw unknownRun(id)
  const charge = found.find(({ facts }) => facts.kind === 'qr')
  if (charge !== undefined) {
    throw new UsageError(t`${charge.givenId} is a charge, and a charge is not sent again`, {
      hint: t`Run \`pixgate status ${commandArgument(charge.givenId)}\` to look it up`,
    })
  }
  throw new NotFound(t`No transfer with the external id ${id} is recorded`, {
    outcome: 'not-sent',
    hint: t`Run \`pixgate history find ${commandArgument(id)}\` to search for it`,
  })
}

/**
 * What resuming a transfer proposes: the same request again if its outcome is unknown, a new one if nothing of it ever left; null if it was
 * accepted. `ofOther` are the earlier payments that it may repeat if another login recorded it. Throws Refused if it is finished.
 */
export function resumeProposal(
  payment: TransferInLedger,
  includeUnknown: boolean,
  ofOther?: AcceptedRepeats,
): ResumeProposal | null {
  const { summary, id, facts, givenId, first } = payment
  const asNew = ofOther === undefined ? {} : { asNew: { accepted: ofOther, row: null } }
  const saidBy = saidAloneBy(summary)
  if (saidBy !== null) {
    throw new OutcomeUnknown(t`That the transfer ${givenId} was accepted is not verified here`, {
      details: [t`Only ${saidBy} says so, who did not send it`, t`Nothing was sent from here`],
      externalId: givenId,
      hint: unknownOutcomeHint(payment),
    })
  }
  if (!summary.isVerified) {
    throw unverifiedEvent(
      t`The event that says what became of the transfer ${givenId} is not verified here, so nothing was sent`,
    )
  }
  switch (summary.state) {
    case 'accepted':
    case 'paid':
      return null
    case 'unknown':
      return { action: 'resend', payment: id, includeUnknown, despiteChargeback: false, ...asNew }
    case 'not-sent': {
      // Much may have been sent since, so the rules for a new payment apply.
      const { rowId, place } = first
      const wanted = singlePayment({ facts, externalId: givenId }, ofOther === undefined ? {} : { accepted: ofOther })
      // The run that somebody else names makes nothing allowed.
      return { ...wanted, rowId, place: ofOther === undefined ? place : null }
    }
    default:
      throw isFinished(payment)
  }
}

/** A transfer that is finished is never resumed; what to do now depends on whether it was made. */
function isFinished({ givenId, summary }: TransferInLedger): Refused {
  const { state, errorCode, deciding } = summary
  const answered = errorCode === null ? [] : [t`The gateway answered ${errorCode}`]
  const event =
    deciding.event === null ? [] : [t`Event ${nameOfEvent(deciding.event)} says ${deciding.event.status ?? '—'}`]
  const { finding } = deciding
  const found =
    finding === null ? [] : [t`${finding.user} on ${finding.machine} settled it as ${stateText(finding.as)}`]
  const isHeld = errorCode === 'DUPLICATE_EXTERNAL_ID'
  return new Refused(t`The transfer ${givenId} is finished: ${stateText(state)}`, {
    code: errorCode ?? undefined,
    outcome: 'refused',
    externalId: givenId,
    details: [...answered, ...event, ...found],
    hint: isHeld
      ? t`Look for this external id in the dashboard before you pay it another way: the gateway has a transfer with this id that this ledger did not send`
      : t`Run \`pixgate history show ${commandArgument(givenId)}\` to see what happened; if it must still be paid, send it under a new external id`,
  })
}

function isTransfer(payment: Payment): payment is TransferInLedger {
  return payment.facts.kind === 'transfer'
}

export type RefundInLedger = Payment & { facts: RefundPayment }

/**
 * The refund of this account with an unknown outcome that an id names, or that was made of the payment that it names; undefined if it names a
 * transfer, or no refund. `store` holds the profiles that a hint may name. Throws the Failure of a refund that must not be sent again.
 */
export function refundToResume(
  found: readonly Payment[],
  refunds: readonly Payment[],
  id: string,
  { account, store }: { account: Account; store: ProfileStore },
): RefundInLedger | undefined {
  const named = found.some(({ facts }) => facts.kind === 'transfer') ? [] : [...found, ...refunds].filter(isRefund)
  const newest = named.at(-1)
  if (newest === undefined) return undefined
  const own = named.filter((each) => isOfAccount(each, account))
  if (own.length === 0) throw otherAccountFailure(id, newest.owner, account, store)
  // While the outcome of one is unknown, no other refund of its payment is sent.
  const unknown = own.findLast(({ summary }) => summary.isUnknown)
  if (unknown === undefined) {
    throw new UsageError(t`A refund can only be resumed while its outcome is unknown`, {
      hint: t`Run \`pixgate history\` to see its state: no refund of it has an unknown outcome`,
    })
  }
  assertVerified(unknown)
  return unknown
}

/** True for a refund. */
export function isRefund(payment: Payment): payment is RefundInLedger {
  return payment.facts.kind === 'refund'
}

/** What others say of a refund proves nothing, and stops it. Throws OutcomeUnknown and UsageError. */
function assertVerified(refund: RefundInLedger): void {
  const { id, summary } = refund
  const saidBy = saidAloneBy(summary)
  if (saidBy !== null) {
    throw new OutcomeUnknown(t`That the refund ${id} was accepted is not verified here`, {
      details: [t`Only ${saidBy} says so, who did not send it`, t`Nothing was sent from here`],
      hint: unknownOutcomeHint(refund),
    })
  }
  if (summary.state !== 'unknown' || !summary.isVerified) {
    throw unverifiedEvent(
      t`The event that says what became of the refund ${id} is not verified here, so nothing was sent`,
    )
  }
}

/** The failure of a resume that does not say that it knows what the gateway does. */
export function sentTwiceFailure(refund: RefundInLedger): UsageError {
  const { amountCents, summary } = refund
  const amount = amountCents === null ? t`all of it` : formatReais(amountCents)
  return new UsageError(
    t`A refund is sent again only with \`--include-unknown\`, because the gateway would carry it out a second time`,
    {
      details: [t`The outcome of the refund of ${amount}, sent at ${formatInstant(summary.sentMs)}, is unknown`],
      hint: unknownOutcomeHint(refund),
    },
  )
}
