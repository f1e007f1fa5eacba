import type { RunRecord, TimelineRecord } from '../../timeline/records.ts'
import { gravestExitCode } from '../../wire/errors.ts'
import type { KeptRow } from './keptRow.ts'
import type { LedgerIndex } from './ledgerIndex.ts'
import { standingOf } from './plan.ts'

/** How many rows of a run stand how. */
export interface RunTally {
  accepted: number
  refused: number
  unknown: number
  notSent: number
}

/** Counts the rows of a run by what the ledger says of them. */
export async function tallyRun(
  index: LedgerIndex,
  { baseUrl, clientId, reference, rows: count }: RunRecord,
  rows: AsyncIterable<KeptRow>,
): Promise<RunTally> {
  const context = { account: { baseUrl, clientId }, reference, nowMs: 0 }
  const tally = { accepted: 0, refused: 0, unknown: 0 }
  for await (const row of rows) {
    const { as } = standingOf(index, row, context)
    // An id that belongs to another payment is not sent for this one.
    if (as !== 'not-sent' && as !== 'other') tally[as] += 1
  }
  return { ...tally, notSent: count - tally.accepted - tally.refused - tally.unknown }
}

/** The exit code of rows that stand like this. */
export function tallyExitCode({ unknown, refused }: RunTally): number {
  return gravestExitCode([unknown > 0 ? 5 : 0, refused > 0 ? 1 : 0])
}

/** The last line of a batch in JSON. */
export function summaryDocument({ run, rows, totalCents }: RunRecord, tally: RunTally) {
  const { accepted, refused, unknown, notSent } = tally
  return { type: 'summary', run, rows, accepted, refused, unknown, notSent, totalCents }
}

/** A run as `batch list` shows it. */
export function runDocument(record: TimelineRecord<RunRecord>, tally: RunTally) {
  const { run, kind, file, reference, rows, at } = record
  const { accepted, refused, unknown, notSent } = tally
  const finished = unknown === 0 && notSent === 0
  return { run, kind, file, reference, rows, accepted, refused, unknown, notSent, startedAt: at, finished }
}
