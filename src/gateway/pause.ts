import { setTimeout as sleep } from 'node:timers/promises'
import { t } from '../text/words.ts'
import { Cancelled } from '../wire/errors.ts'

/** Waits for `delayMs`. Throws Cancelled as soon as the signal is aborted. */
export async function pause(delayMs: number, interrupt: AbortSignal): Promise<void> {
  try {
    await sleep(delayMs, undefined, { signal: interrupt })
  } catch (error) {
    if (!interrupt.aborted) throw error
    throw new Cancelled(t`Interrupted while waiting`, {
      hint: t`Run the command again to continue waiting; a query changes nothing`,
    })
  }
}
