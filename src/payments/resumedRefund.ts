import type { RefundPayment } from '../ledger/facts.ts'
import { isOfAccount, type Payment } from '../ledger/payments.ts'
import { formatReais } from '../pix/amount.ts'
import { formatInstant } from '../pix/calendar.ts'
import type { Account } from '../profiles/account.ts'
import type { ProfileStore } from '../profiles/profile.ts'
import { t } from '../text/translate.ts'
import { OutcomeUnknown, UsageError } from '../wire/errors.ts'
import { unknownOutcomeHint } from './attemptOutcomes.ts'
import { otherAccountFailure, saidAloneBy, unverifiedEvent } from './explanation.ts'

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

function isRefund(payment: Payment): payment is RefundInLedger {
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
