import type { Context } from '../context.ts'
import { pause } from '../gateway/pause.ts'
import { foldLedger, type Ledger } from '../timeline/transactions.ts'

/** So often it is looked whether anything is new, which costs next to nothing. */
const LOOK_MS = 200

/**
 * Reads what the ledger knows under an id again whenever an event has arrived or something was recorded, until `look`
 * finds what is waited for. Gives the last thing found when the time is up; undefined where it was nothing. Throws
 * Cancelled on Ctrl-C.
 */
export async function waitInLedger<Found>(
  context: Context,
  id: string,
  waitMs: number,
  look: (ledger: Ledger) => { found: Found; isOver: boolean } | undefined,
): Promise<Found | undefined> {
  const timeline = await context.timeline()
  const deadlineMs = context.now() + waitMs
  for (;;) {
    const length = await timeline.length()
    const seen = look(foldLedger(await timeline.read({ names: [id] })))
    if (seen?.isOver === true) return seen.found
    do {
      const leftMs = deadlineMs - context.now()
      if (leftMs <= 0) return seen?.found
      await pause(Math.min(LOOK_MS, leftMs), context.world.interrupt)
    } while ((await timeline.length()) === length)
  }
}
