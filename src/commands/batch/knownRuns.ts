import type { Context } from '../../context.ts'
import { LedgerTail } from '../../money/batch/ledgerTail.ts'
import { readRunRows } from '../../money/batch/runRows.ts'
import { runDocument, tallyRun } from '../../money/batch/runTally.ts'
import { t } from '../../text/words.ts'
import type { RunRecord, TimelineRecord } from '../../timeline/records.ts'
import { NotFound, UsageError } from '../../wire/errors.ts'

type Run = TimelineRecord<RunRecord>

/** The record of a run; undefined where this machine knows none of that name. */
export async function findRun(context: Context, run: string): Promise<Run | undefined> {
  const timeline = await context.timeline()
  return timeline.findRun(run)
}

/** The failure of a run that this machine does not know. */
export function unknownRun(run: string): NotFound {
  return new NotFound(t`This machine knows no run ${run}`, {
    outcome: 'not-sent',
    hint: t`\`pixgate batch list\` lists the runs`,
  })
}

/** The ledger with all that is known now. */
export async function ledgerTail(context: Context): Promise<LedgerTail> {
  const timeline = await context.timeline()
  const tail = new LedgerTail(timeline.follow())
  await tail.refreshWithEvents()
  return tail
}

/** How a run stands; of one whose rows are gone nothing counts as sent. */
export async function standingRun(context: Context, { index }: LedgerTail, record: Run) {
  const dataFolder = context.dataFolder()
  try {
    const { rows } = await readRunRows(dataFolder, record.run)
    const tally = await tallyRun(index, record, rows)
    return { tally, document: runDocument(record, tally) }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    context.terminal.alarm(t`${record.run}: ${error.message}`)
    const tally = { accepted: 0, refused: 0, unknown: 0, notSent: record.rows }
    return { tally, document: runDocument(record, tally) }
  }
}
