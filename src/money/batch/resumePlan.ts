import { saoPauloDay, startOfSaoPauloDayMs } from '../../pix/calendar.ts'
import type { KeptRow } from './keptRow.ts'
import type { LedgerIndex } from './ledgerIndex.ts'
import { type RowContext, standingOf } from './plan.ts'
import type { Task } from './preparation.ts'

/** What is sent beside the rows that were never sent and those in doubt for less than a day. */
export interface ResumeWish {
  /** Refused rows too, each as a new attempt. */
  refused: boolean
  /** All transfers and refunds in doubt too. */
  includeUnknown: boolean
}

/** A row in doubt that is left alone. */
interface LeftDoubt {
  line: number
  id: string
  atMs: number
}

/** What going on with a run comes to. */
export interface ResumePlan {
  fresh: number
  again: number
  refused: number
  cents: number
  /** Of those that do not count as sent today already. */
  newCents: number
  largestCents: number
  /** True where the amount of a refund is not known. */
  hasUnknownAmount: boolean
  /** The first thousand; `leftCount` counts all. */
  left: readonly LeftDoubt[]
  leftCount: number
}

/** After so long nobody knows whether the gateway still remembers an id. */
const DOUBT_MS_MAX = 24 * 60 * 60 * 1000
const LISTED_MAX = 1000

/** What to do with a row of a run that is gone on with; undefined for one that is left alone. */
export function resumeTask(index: LedgerIndex, row: KeptRow, context: RowContext, wish: ResumeWish): Task | undefined {
  const standing = standingOf(index, row, context)
  switch (standing.as) {
    case 'not-sent':
      return { attempt: standing.attempt }
    case 'unknown': {
      const again = index.intentInDoubt(standing.entry)
      const isFresh = context.nowMs - index.atMsOf(standing.entry) <= DOUBT_MS_MAX
      const isSafe = row.kind === 'transfer' && isFresh
      return again !== undefined && (isSafe || wish.includeUnknown) ? { again } : undefined
    }
    case 'refused': {
      // The gateway holds a transfer under that id, whoever sent it.
      if (!wish.refused || index.mayHaveMoved(standing.entry)) return undefined
      return { attempt: index.attemptOf(standing.entry) + 1 }
    }
    case 'accepted':
    case 'other':
      return undefined
  }
}

/** Counts what would be done with the rows of a run. */
export async function planResume(
  index: LedgerIndex,
  rows: AsyncIterable<KeptRow>,
  context: RowContext,
  wish: ResumeWish,
): Promise<ResumePlan> {
  const left: LeftDoubt[] = []
  const midnightMs = startOfSaoPauloDayMs(saoPauloDay(context.nowMs))
  const plan = {
    fresh: 0,
    again: 0,
    refused: 0,
    cents: 0,
    newCents: 0,
    largestCents: 0,
    hasUnknownAmount: false,
    leftCount: 0,
  }
  for await (const row of rows) {
    const standing = standingOf(index, row, context)
    const task = resumeTask(index, row, context, wish)
    if (task === undefined) {
      if (standing.as !== 'unknown') continue
      plan.leftCount += 1
      const { line, id } = row
      if (left.length < LISTED_MAX) left.push({ line, id, atMs: index.atMsOf(standing.entry) })
      continue
    }
    if ('again' in task) plan.again += 1
    else if (standing.as === 'refused') plan.refused += 1
    else plan.fresh += 1
    plan.cents += row.amountCents ?? 0
    const isCounted = standing.as === 'unknown' && index.atMsOf(standing.entry) >= midnightMs
    if (!isCounted) plan.newCents += row.amountCents ?? 0
    plan.largestCents = Math.max(plan.largestCents, row.amountCents ?? 0)
    plan.hasUnknownAmount ||= row.amountCents === null
  }
  return { ...plan, left }
}
