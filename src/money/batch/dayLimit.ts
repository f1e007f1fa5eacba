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
export function checkDay(index: LedgerIndex, account: Account, nowMs: number, moreCents: number): Failure | null {
  const { maxDayCents } = account
  if (maxDayCents === null) return null
  const sentCents = sentToday(index, account, nowMs)
  if (sentCents + moreCents <= maxDayCents) return null
  return overDay(
    account,
    t`${formatReais(sentCents)} was sent today, and with ${formatReais(moreCents)} more the limit of ${formatReais(maxDayCents)} a day is passed`,
  )
}

/** Holds what was sent today against the limit, again and again, without counting all of it each time. */
export class DayGuard {
  readonly #index: LedgerIndex
  readonly #account: Account
  readonly #now: () => number
  #countedCents = 0
  #begunBefore = 0

  constructor(index: LedgerIndex, account: Account, now: () => number) {
    this.#index = index
    this.#account = account
    this.#now = now
  }

  /** Why nothing of what was recorded last may be sent; null where it may. */
  check(): Failure | null {
    const { maxDayCents } = this.#account
    if (maxDayCents === null) return null
    const { begunCents } = this.#index
    // No less than what was sent today, so that all is only counted where it may be too much.
    if (this.#countedCents + begunCents - this.#begunBefore <= maxDayCents) return null
    this.#countedCents = sentToday(this.#index, this.#account, this.#now())
    this.#begunBefore = begunCents
    if (this.#countedCents <= maxDayCents) return null
    return overDay(
      this.#account,
      t`With the rows that come next ${formatReais(this.#countedCents)} would have been sent today, and the limit of ${formatReais(maxDayCents)} a day is passed`,
    )
  }
}

function overDay({ confirmName }: Account, message: string): UsageError {
  return new UsageError(message, {
    code: 'OVER_LIMIT',
    hint: t`Wait until midnight in São Paulo; whoever may do so raises the limit with \`pixgate profile edit ${confirmName} --max-day\``,
  })
}
