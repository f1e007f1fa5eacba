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

/** Once in so often everything is counted anew: what was sent yesterday may be sent again today. */
const COUNT_EVERY = 50

/** Holds what was sent today against the limit, again and again, without counting all of it each time. */
export class DayGuard {
  readonly #index: LedgerIndex
  readonly #account: Account
  readonly #now: () => number
  #asked = 0
  #seen = 0
  /** No less than what was sent today. */
  #mostCents = 0

  constructor(index: LedgerIndex, account: Account, now: () => number) {
    this.#index = index
    this.#account = account
    this.#now = now
  }

  /** Why nothing of what was recorded last may be sent; null where it may. */
  check(): Failure | null {
    const { maxDayCents } = this.#account
    if (maxDayCents === null) return null
    for (; this.#seen < this.#index.size; this.#seen++) this.#mostCents += this.#index.centsOf(this.#seen) ?? 0
    if (this.#asked++ % COUNT_EVERY !== 0 && this.#mostCents <= maxDayCents) return null
    this.#mostCents = sentToday(this.#index, this.#account, this.#now())
    return checkDay(this.#index, this.#account, this.#now())
  }
}
