import { type AcceptedBefore, acceptedBeforeOf } from '../ledger/acceptedBefore.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { loadPayment } from '../ledger/payments.ts'
import { paymentsBeingSent } from '../ledger/processes.ts'
import { countRun, type RunCounts, unknownWithCode } from '../ledger/runRows.ts'
import type { Run } from '../ledger/runs.ts'
import { resendRefusal } from '../payments/attemptOutcomes.ts'
import type { Database } from '../storage/sqlite.ts'
import { worstExitCode } from '../wire/errors.ts'
import { countDifferentNames } from './rowResults.ts'

/** The number of rows of a run by outcome; what happened to accepted payments later does not count. */
export function tallyOf(counts: RunCounts) {
  const rows = (...states: (keyof RunCounts)[]) => states.reduce((sum, state) => sum + counts[state].rows, 0)
  return {
    accepted: rows('accepted', 'paid', 'not-paid', 'returned'),
    refused: rows('refused'),
    unknown: rows('unknown'),
    beingSent: rows('being-sent'),
    notSent: rows('none', 'not-sent'),
  }
}

/**
 * What became of the rows of a run as flat keys: by outcome, by what an earlier attempt had made of the accepted ones, and by final state, with sums in
 * cents. `paid`, `pending`, `failed`, `returned`, `refused`, `unknown`, `beingSent` and `notSent` add up to all rows to send; of those not sent, `notStarted` are no payments yet.
 */
export function runFigures(counts: RunCounts, { rows, cents, elsewhere }: AcceptedBefore) {
  return {
    ...tallyOf(counts),
    notStarted: counts.none.rows,
    acceptedBefore: rows,
    acceptedBeforeCents: cents,
    sentElsewhere: elsewhere.rows,
    sentElsewhereCents: elsewhere.cents,
    paid: counts.paid.rows,
    paidCents: counts.paid.cents,
    pending: counts.accepted.rows,
    pendingCents: counts.accepted.cents,
    failed: counts['not-paid'].rows,
    failedCents: counts['not-paid'].cents,
    returned: counts.returned.rows,
    returnedCents: counts.returned.cents,
    refusedCents: counts.refused.cents,
    unknownCents: counts.unknown.cents,
    beingSentCents: counts['being-sent'].cents,
    notSentCents: counts.none.cents + counts['not-sent'].cents,
  }
}

export type RunFigures = ReturnType<typeof runFigures>

/** The exit code of a run whose rows have these states. */
export function runExitCode(counts: RunCounts): number {
  const failed = counts.refused.rows + counts['not-paid'].rows + counts.returned.rows
  return worstExitCode([counts.unknown.rows > 0 ? 5 : 0, failed > 0 ? 1 : 0])
}

/** The rows that were left out because they had been sent before, in any state. */
export function leftOutDocument(counts: RunCounts) {
  const all = Object.values(counts)
  return {
    leftOut: all.reduce((sum, { rows }) => sum + rows, 0),
    leftOutCents: all.reduce((sum, { cents }) => sum + cents, 0),
  }
}

/** How far a run is. */
export type RunProgress = ReturnType<typeof runProgress>

/** Reads how far a run is, of whose payments these, by their UUIDs, are being sent. */
export function runProgress(database: Database, run: string, beingSent: Iterable<string>) {
  const payments = unknownWithCode(database, run)
    .map((id) => loadPayment(database, id))
    .filter(({ summary }) => resendRefusal(summary) !== null)
  return {
    counts: countRun(database, run, beingSent),
    /** Which of the accepted rows an earlier attempt had made. */
    before: acceptedBeforeOf(database, run),
    /**
     * Payments whose outcome is unknown and stays so when the run is resumed, because the gateway refused them when they were sent again:
     * how many, and the first of them.
     */
    refusedResends: { count: payments.length, first: payments[0] ?? null },
  }
}

/** What the summary of a run counts. */
export interface RunSummary extends RunProgress {
  /** Rows with another name in the file than in an event. */
  namesDiffer: number
}

/** Counts the rows of a run, none of which the process `pid` sends by now. Throws DamagedRecord. */
export async function summarise(ledger: Ledger, run: Run, pid: number): Promise<RunSummary> {
  const elsewhere = [...(await paymentsBeingSent(ledger))].filter(([, holder]) => holder.pid !== pid)
  const beingSent = elsewhere.map(([payment]) => payment)
  const progress = await ledger.read((database) => runProgress(database, run.record.run, beingSent))
  return { ...progress, namesDiffer: await countDifferentNames(ledger, run) }
}
