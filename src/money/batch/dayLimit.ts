import { formatReais } from '../../pix/amount.ts'
import { saoPauloDay, startOfSaoPauloDayMs } from '../../pix/calendar.ts'
import type { Account } from '../../profiles/account.ts'
import { t } from '../../text/words.ts'
import { type Failure, UsageError } from '../../wire/errors.ts'
import type { LedgerIndex } from './ledgerIndex.ts'

/** What was sent for an account since midnight in São Paulo, in cents. */
export function sentToday(index: LedgerIndex, { url, clientId }: Account, nowMs: number): number {
  return index.sentSinceCents({ baseUrl: url, clientId }, startOfSaoPauloDayMs(saoPauloDay(nowMs)))
}

/** Why the limit of a day forbids to send so much more; null where it does not. */
export function checkDay(index: LedgerIndex, account: Account, nowMs: number, moreCents = 0): Failure | null {
  const { maxDayCents, confirmName } = account
  if (maxDayCents === null) return null
  const sentCents = sentToday(index, account, nowMs)
  if (sentCents + moreCents <= maxDayCents) return null
  return new UsageError(
    t`${formatReais(sentCents)} was sent today, and with ${formatReais(moreCents)} more the limit of ${formatReais(maxDayCents)} a day is passed`,
    {
      code: 'OVER_LIMIT',
      hint: t`Wait until midnight in São Paulo; whoever may do so raises the limit with \`pixgate profile edit ${confirmName} --max-day\``,
    },
  )
}
