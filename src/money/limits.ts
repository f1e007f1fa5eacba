import { formatReais } from '../pix/amount.ts'
import { saoPauloDay, startOfSaoPauloDayMs } from '../pix/calendar.ts'
import type { Account } from '../profiles/account.ts'
import { t } from '../text/words.ts'
import { isOf, mayHaveMoved, movedCents, type Transaction } from '../timeline/transactions.ts'
import { UsageError } from '../wire/errors.ts'

/** What this ledger sent for the account since midnight in São Paulo, in cents: transfers and refunds, doubtful ones too. */
export function sentTodayCents(earlier: readonly Transaction[], account: Account, nowMs: number): number {
  const midnightMs = startOfSaoPauloDayMs(saoPauloDay(nowMs))
  let sumCents = 0
  for (const transaction of earlier) {
    const { intent } = transaction
    if (intent.kind === 'qr' || transaction.atMs < midnightMs) continue
    if (!isOf(transaction, account) || !mayHaveMoved(transaction)) continue
    sumCents += movedCents(transaction)
  }
  return sumCents
}

/**
 * Holds a payment against the profile's limits. `amountCents` is null for a refund of an unknown amount, which no limit can
 * allow. Throws UsageError with code OVER_LIMIT.
 */
export function checkLimits(
  earlier: readonly Transaction[],
  amountCents: number | null,
  account: Account,
  nowMs: number,
): void {
  const { maxAmountCents, maxDayCents } = account
  if (maxAmountCents === null && maxDayCents === null) return
  if (amountCents === null) {
    throw overLimit(
      t`The profile ${account.confirmName} has limits, and the amount of this refund is not known`,
      t`Name it with \`--amount\``,
    )
  }
  if (maxAmountCents !== null && amountCents > maxAmountCents) {
    throw overLimit(
      t`${formatReais(amountCents)} is more than the profile ${account.confirmName} allows for one payment, which is ${formatReais(maxAmountCents)}`,
      t`Check the amount; whoever may do so raises the limit with \`pixgate profile edit ${account.confirmName} --max-amount\``,
    )
  }
  const sentCents = sentTodayCents(earlier, account, nowMs)
  if (maxDayCents === null || sentCents + amountCents <= maxDayCents) return
  throw overLimit(
    t`${formatReais(sentCents)} was sent today, and with ${formatReais(amountCents)} more the limit of ${formatReais(maxDayCents)} a day is passed`,
    t`Wait until midnight in São Paulo; whoever may do so raises the limit with \`pixgate profile edit ${account.confirmName} --max-day\``,
  )
}

function overLimit(message: string, hint: string): UsageError {
  return new UsageError(message, { code: 'OVER_LIMIT', details: [t`Nothing was sent`], hint })
}
