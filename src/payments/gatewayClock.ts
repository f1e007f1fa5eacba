import { CLOCK_DIFFERENCE_MS_MAX } from '../gateway/connections.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { newestClockMs } from '../ledger/recordedClock.ts'
import { formatInstant } from '../pix/calendar.ts'
import type { EnvironmentKind } from '../profiles/settings.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { type PaymentContext, warnOnce } from './paymentContext.ts'

const HOUR_MS = 60 * 60 * 1000

/** A clock that is this much ahead of the newest payment, or behind it, is compared with the gateway's before the next one is decided. */
const AHEAD_MAX_MS = 24 * HOUR_MS
const BEHIND_MAX_MS = HOUR_MS

/** When the clock was last compared, by the gateway that was asked: a batch decides many times. */
const compared = new WeakMap<PaymentContext['gateway'], number>()

/**
 * Compares the clock of this machine with the gateway's if it is more than 24 hours ahead of the newest payment, or more than an hour behind it, and
 * before the first payment of a ledger in production: the rules about repeats and the limit of a day depend on it. To be called before each preview and
 * each decision, outside of its transaction. The gateway is asked about a first payment only when the user has agreed to it (`isDecided`). Throws
 * UsageError if the clocks differ by more than an hour; no answer is a warning. The clock of a sandbox says nothing, because it can be moved.
 */
export async function assertClockAgrees(context: PaymentContext, isDecided = false): Promise<void> {
  const { account, gateway, ledger, now } = context
  const { environment } = account
  if (environment === 'sandbox') return
  const newestMs = await ledger.read((database) => newestClockMs(database, environment))
  const nowMs = now()
  const needsNone = newestMs === null ? !isDecided : isPlausible(nowMs, newestMs)
  if (needsNone) return
  if (Math.abs(nowMs - (compared.get(gateway) ?? Number.NEGATIVE_INFINITY)) <= HOUR_MS) return
  const gatewayMs = await gateway.serverTimeMs()
  compared.set(gateway, nowMs)
  if (gatewayMs === null) {
    warnOnce(
      context,
      newestMs === null
        ? t`The clock of this machine says ${formatInstant(nowMs)}; the gateway did not tell its time, so the clock was not checked`
        : t`The clock of this machine says ${formatInstant(nowMs)} and the newest payment record ${formatInstant(newestMs)}; the gateway did not tell its time, so the clock was not checked`,
    )
    return
  }
  if (Math.abs(gatewayMs - nowMs) <= CLOCK_DIFFERENCE_MS_MAX) {
    if (newestMs !== null && newestMs > nowMs) await recordClock(ledger, environment, gatewayMs)
    return
  }
  const message = t`The clock of this machine says ${formatInstant(nowMs)}, but the gateway's says ${formatInstant(gatewayMs)}`
  throw new UsageError(message, {
    details: [t`Repeats and the limit of a day are judged by the clock, so nothing was sent`],
    hint: t`Set the clock of this machine, then run the command again`,
  })
}

function isPlausible(nowMs: number, newestMs: number): boolean {
  return nowMs - newestMs <= AHEAD_MAX_MS && newestMs - nowMs <= BEHIND_MAX_MS
}

/**
 * Records that the clock is right although the newest payment has a later time, so that this counts as made now. Otherwise a limit that was used up
 * under a wrong clock would refuse every payment, and no record would ever be made.
 */
async function recordClock(ledger: Ledger, environment: EnvironmentKind, gatewayMs: number): Promise<void> {
  await ledger.write((writer) => {
    if ((newestClockMs(writer.database, environment) ?? 0) <= writer.nowMs) return
    writer.append({ type: 'clock', environment, gatewayAt: new Date(gatewayMs).toISOString() })
  })
}
