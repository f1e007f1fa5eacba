import { formatInstant } from '../pix/calendar.ts'
import { comparableKey } from '../pix/pixKey.ts'
import type { Account } from '../profiles/account.ts'
import { t } from '../text/words.ts'
import type { MoneyIntent } from '../timeline/records.ts'
import { isOf, mayHaveMoved, nameOf, type Transaction } from '../timeline/transactions.ts'
import { UsageError } from '../wire/errors.ts'

/** For so long the same payment again is taken for a repeat. */
export const REPEAT_WINDOW_MS = 6 * 24 * 60 * 60 * 1000

/** How the user said that a repeat is meant. */
export interface RepeatWish {
  again: boolean
  /** In production: the externalId, or the id of the refund, that the new one is in addition to. */
  inAdditionTo: string | undefined
}

/**
 * Refuses to make a payment twice. `earlier` are the transactions that came before. While the same payment, or any refund
 * of the same original, is in doubt, nothing allows another. Throws UsageError with code REPEAT, naming the earlier one.
 */
export function checkRepeats(
  earlier: readonly Transaction[],
  wanted: MoneyIntent,
  account: Account,
  wish: RepeatWish,
  nowMs: number,
): void {
  const own = earlier.filter((transaction) => isOf(transaction, account) && mayHaveMoved(transaction))
  const doubtful = own.findLast((each) => each.state === 'unknown' && standsInTheWay(each, wanted))
  if (doubtful !== undefined) throw inDoubt(doubtful)
  const repeated = own.findLast((each) => isSamePayment(each, wanted) && nowMs - each.atMs <= REPEAT_WINDOW_MS)
  if (repeated === undefined) {
    checkExternalId(own, wanted)
    return
  }
  if (account.environment === 'production') {
    if (wish.inAdditionTo !== undefined && namesOf(repeated).includes(wish.inAdditionTo)) return
    throw repeat(
      repeated,
      t`If it must be paid once more, send a new one with \`--in-addition-to ${earlierName(repeated)}\``,
    )
  }
  if (wish.again || (wish.inAdditionTo !== undefined && namesOf(repeated).includes(wish.inAdditionTo))) return
  throw repeat(repeated, t`If it must be paid once more, send a new one with \`--again\``)
}

/** A doubtful refund blocks every further one of its original, a doubtful transfer the same payment again. */
function standsInTheWay({ intent }: Transaction, wanted: MoneyIntent): boolean {
  if (wanted.kind === 'refund') {
    return intent.kind === 'refund' && intent.originalTransactionId === wanted.originalTransactionId
  }
  if (intent.kind !== 'transfer') return false
  return intent.externalId === wanted.externalId || isSameTransfer(intent, wanted)
}

function isSamePayment({ intent }: Transaction, wanted: MoneyIntent): boolean {
  if (wanted.kind === 'transfer') return intent.kind === 'transfer' && isSameTransfer(intent, wanted)
  return (
    intent.kind === 'refund' &&
    intent.originalTransactionId === wanted.originalTransactionId &&
    (intent.amountCents === wanted.amountCents || (intent.isWhole && wanted.isWhole))
  )
}

function isSameTransfer(
  one: { key: string; amountCents: number },
  other: { key: string; amountCents: number },
): boolean {
  return one.amountCents === other.amountCents && comparableKey(one.key) === comparableKey(other.key)
}

/** An externalId stands for one payment for ever; the gateway refuses a second one, so it is not even tried. */
function checkExternalId(own: readonly Transaction[], wanted: MoneyIntent): void {
  if (wanted.kind !== 'transfer') return
  const holder = own.findLast(({ intent }) => intent.kind === 'transfer' && intent.externalId === wanted.externalId)
  if (holder === undefined) return
  throw repeat(holder, t`Choose another \`--external-id\`: this one belongs to another payment`)
}

function inDoubt(transaction: Transaction): UsageError {
  const { intent } = transaction
  if (intent.kind === 'refund') {
    return new UsageError(t`A refund of ${intent.originalTransactionId} is in doubt, so no other one is sent`, {
      code: 'REPEAT',
      details: described(transaction),
      hint: t`Find out whether the payer got it (dashboard, or \`pixgate status ${intent.originalTransactionId}\`), then say so: \`pixgate history settle ${intent.id} --as paid|not-paid --because "…"\``,
    })
  }
  const name = nameOf(transaction)
  return new UsageError(t`The same transfer is in doubt, so it is not sent under another id`, {
    code: 'REPEAT',
    details: described(transaction),
    hint: t`Go on with it by \`pixgate resume ${name}\`: it is sent under its own id, which the gateway carries out only once`,
    externalId: name,
  })
}

function repeat(transaction: Transaction, hint: string): UsageError {
  const { intent } = transaction
  const message =
    intent.kind === 'refund'
      ? t`The same amount of ${intent.originalTransactionId} was returned already`
      : t`The same payment was sent already`
  return new UsageError(message, {
    code: 'REPEAT',
    details: described(transaction),
    hint,
    externalId: intent.kind === 'transfer' ? intent.externalId : undefined,
  })
}

function described(transaction: Transaction): string[] {
  const { intent, atMs, state } = transaction
  return [
    t`Earlier: ${earlierName(transaction)}, ${formatInstant(atMs)}, by ${intent.user} on ${intent.machine}, ${state}`,
  ]
}

/** What a person types to name it: the externalId of a transfer, the own id of a refund. */
function earlierName({ intent, idTransaction }: Transaction): string {
  if (intent.kind === 'transfer') return intent.externalId
  return idTransaction ?? intent.id
}

function namesOf(transaction: Transaction): string[] {
  const { intent, idTransaction } = transaction
  return [earlierName(transaction), intent.id, ...(idTransaction === null ? [] : [idTransaction])]
}
