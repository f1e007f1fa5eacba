import { IS_CLOCKED } from '../ledger/chain.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { formatInstant, parseInstant } from '../pix/calendar.ts'
import { type Database, textOf } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import type { PaymentContext } from './paymentContext.ts'
import { warnOnce } from './paymentWarnings.ts'

const HOUR_MS = 60 * 60 * 1000

/** A clock that is this much ahead of the newest record, or behind it, is compared with the gateway's before a payment is decided. */
const AHEAD_MAX_MS = 24 * HOUR_MS
const BEHIND_MAX_MS = HOUR_MS

/** How far the clocks of this machine and of the gateway may differ. */
const DIFFERENCE_MAX_MS = HOUR_MS

/** When the clock was last compared, by the gateway that was asked: a batch decides many times. */
const compared = new WeakMap<PaymentContext['gateway'], number>()

/**
 * Compares the clock of this machine with the gateway's if it is more than 24 hours ahead of the newest record, or more than an hour behind it: the
 * rules about repeats and the limit of a day depend on it. To be called before each decision, outside of its transaction. Throws UsageError in
 * production if the clocks differ by more than an hour; in a sandbox, and without an answer, that is a warning.
 */
export async function checkClock(context: PaymentContext): Promise<void> {
  const { account, gateway, ledger, now } = context
  const newestMs = await ledger.read(newestRecordMs)
  const nowMs = now()
  if (newestMs === null || (nowMs - newestMs <= AHEAD_MAX_MS && newestMs - nowMs <= BEHIND_MAX_MS)) return
  if (Math.abs(nowMs - (compared.get(gateway) ?? Number.NEGATIVE_INFINITY)) <= HOUR_MS) return
  const gatewayMs = await gateway.serverTimeMs()
  compared.set(gateway, nowMs)
  if (gatewayMs === null) {
    warnOnce(
      context,
      t`The clock of this machine says ${formatInstant(nowMs)} and the newest payment record ${formatInstant(newestMs)}; the gateway did not tell its time, so the clock was not checked`,
    )
    return
  }
  if (Math.abs(gatewayMs - nowMs) <= DIFFERENCE_MAX_MS) {
    if (newestMs > nowMs) await recordClock(ledger, gatewayMs)
    return
  }
  const message = t`The clock of this machine says ${formatInstant(nowMs)}, but the gateway's says ${formatInstant(gatewayMs)}`
  if (account.environment === 'sandbox') {
    warnOnce(context, t`${message}. In production nothing would be sent`)
    return
  }
  throw new UsageError(message, {
    details: [t`Repeats and the limit of a day are judged by the clock, so nothing was sent`],
    hint: t`Set the clock of this machine, then run the command again`,
  })
}

/**
 * Records that the clock is right although the newest record has a later time, so that this counts as made now. Otherwise a limit that was used up
 * under a wrong clock would refuse every payment, and no record would ever be made.
 */
async function recordClock(ledger: Ledger, gatewayMs: number): Promise<void> {
  await ledger.write((writer) => {
    if ((newestRecordMs(writer.database) ?? 0) <= writer.nowMs) return
    writer.append({ type: 'clock', gatewayAt: new Date(gatewayMs).toISOString() })
  })
}

/** The time of the newest record that was made by this machine's clock; null if there is none. */
function newestRecordMs(database: Database): number | null {
  const row = database.get(`SELECT at FROM record WHERE ${IS_CLOCKED} ORDER BY seq DESC LIMIT 1`)
  return row === undefined ? null : (parseInstant(textOf(row, 'at')) ?? null)
}
