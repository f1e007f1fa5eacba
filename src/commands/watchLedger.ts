import type { Context } from '../context.ts'
import { pause } from '../gateway/retry.ts'
import { chainEnd } from '../ledger/chain.ts'
import type { Database } from '../storage/sqlite.ts'

const POLL_MS = 200

/**
 * Reads from the ledger again whenever a record was added, until `read` finds what is waited for. Returns what was found last when the
 * time is up; undefined if that was nothing. Throws Cancelled on Ctrl-C.
 */
export async function watchLedger<Found>(
  context: Context,
  waitMs: number,
  read: (database: Database) => { found: Found; isOver: boolean } | undefined,
): Promise<Found | undefined> {
  const ledger = await context.ledger()
  const deadlineMs = context.now() + waitMs
  let seenSeq: number | undefined
  let last: Found | undefined
  for (;;) {
    const { seq, seen } = await ledger.read((database) => {
      const end = chainEnd(database).seq
      return { seq: end, seen: end === seenSeq ? undefined : read(database) }
    })
    seenSeq = seq
    if (seen !== undefined) last = seen.found
    const leftMs = deadlineMs - context.now()
    if (seen?.isOver === true || leftMs <= 0) return last
    await pause(Math.min(POLL_MS, leftMs), context.runtime.interrupt)
  }
}
