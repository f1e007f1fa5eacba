import { accountRules } from '../ledger/accountRules.ts'
import type { MoneyPayment } from '../ledger/facts.ts'
import { formatReais, plainAmount } from '../pix/amount.ts'
import type { AccountRules } from '../profiles/accountRules.ts'
import { commandArgument, shellWord } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import type { PaymentContext } from './paymentContext.ts'
import { sentWithoutApprovalCents } from './paymentLookup.ts'

/** Why a payment needs a plan that a second person approved. */
export type ApprovalConflict =
  /** The amount, with what was sent without approval today, reaches that of the rule. */
  | { why: 'approval'; fromCents: number; amountCents: number; sentCents: number }
  /** The amount of a refund is not known, so nobody can tell. */
  | { why: 'approval-amount-unknown' }

/**
 * Compares an amount, of a payment or of all that a command sends, with the rule of the account. `newTodayCents` is what it adds to the day: nothing if it
 * is sent again, which counts by its own amount alone. `withoutApproval` gives what was sent today without approval.
 */
export function approvalConflict(
  { approvalFromCents: fromCents }: Pick<AccountRules, 'approvalFromCents'>,
  amountCents: number | null,
  newTodayCents: number,
  withoutApproval: () => number,
): ApprovalConflict | undefined {
  if (fromCents === null) return undefined
  if (amountCents === null) return { why: 'approval-amount-unknown' }
  if (amountCents >= fromCents) return { why: 'approval', fromCents, amountCents, sentCents: 0 }
  if (newTodayCents === 0) return undefined
  const sentCents = withoutApproval()
  return sentCents + newTodayCents >= fromCents ? { why: 'approval', fromCents, amountCents, sentCents } : undefined
}

/**
 * Throws UsageError with code APPROVAL_REQUIRED, before a question, if what a command sends needs a plan. The transaction that decides applies the same
 * rule again. `command` makes a plan of it.
 */
export async function assertNoApprovalNeeded(
  { ledger, account, plans, now }: PaymentContext,
  { amountCents, newTodayCents }: { amountCents: number | null; newTodayCents: number },
  command: string,
): Promise<void> {
  if (plans !== undefined) return
  const conflict = await ledger.read((database) =>
    approvalConflict(accountRules(database, account), amountCents, newTodayCents, () =>
      sentWithoutApprovalCents(database, account, now()),
    ),
  )
  if (conflict !== undefined) throw approvalFailure(conflict, command)
}

/** The failure of what needs a plan. `command` makes one. */
export function approvalFailure(conflict: ApprovalConflict, command: string): UsageError {
  const facts = { code: 'APPROVAL_REQUIRED', details: [t`Nothing was sent`] }
  if (conflict.why === 'approval-amount-unknown') {
    return new UsageError(
      t`A second person approves payments of this account, and the amount of this refund is not known`,
      {
        ...facts,
        hint: t`Add \`--amount\` with the amount to refund`,
      },
    )
  }
  const { fromCents, amountCents, sentCents } = conflict
  const amount = formatReais(amountCents)
  const from = formatReais(fromCents)
  return new UsageError(
    sentCents === 0
      ? t`${amount} needs the approval of a second person, as everything from ${from} on`
      : t`${amount} needs the approval of a second person: with the ${formatReais(sentCents)} that was sent today without it, it reaches ${from}`,
    { ...facts, hint: t`Run \`${command}\` and ask a second person to approve the plan` },
  )
}

/** The command line that makes a plan of a payment. */
export function planCommand(facts: MoneyPayment, externalId: string | null): string {
  if (facts.kind === 'refund') {
    const { originalTransactionId, refundReason, amountCents } = facts
    const amount = amountCents === null ? '' : ` --amount ${plainAmount(amountCents)}`
    return `pixgate refund ${commandArgument(originalTransactionId)} --reason ${shellWord(refundReason)}${amount} --plan`
  }
  const { key, keyType, amountCents, documentValidation } = facts
  const words = [
    ...['pixgate', 'transfer', '--key', shellWord(key), '--key-type', keyType, '--amount', plainAmount(amountCents)],
    ...(externalId === null ? [] : ['--external-id', shellWord(externalId)]),
    ...(documentValidation === null ? [] : ['--owner', documentValidation]),
    '--plan',
  ]
  return words.join(' ')
}
