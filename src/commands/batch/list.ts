import { type ListedRun, RUN_FIELDS } from '../../batch/runFields.ts'
import { tallyOf } from '../../batch/runTally.ts'
import type { Context } from '../../context.ts'
import { countRun } from '../../ledger/runRows.ts'
import { listRuns } from '../../ledger/runs.ts'
import { columnOf, csvColumns, documentOf, listColumns } from '../../terminal/fields.ts'
import { t } from '../../text/translate.ts'
import { defineCommand } from '../command.ts'

export const batchList = defineCommand({
  examples: [['pixgate batch list', 'what was sent, and what is left']],
  acceptsCsv: true,
  run: list,
})

const TEXT_COLUMNS = [
  ...(['run', 'date', 'environment', 'kind', 'reference', 'file'] as const),
  ...(['rows', 'accepted', 'refused', 'unknown', 'notSent', 'finished'] as const),
].map((name) => columnOf(RUN_FIELDS, name))

async function list(context: Context): Promise<number> {
  const ledger = await context.ledger()
  const runs = await ledger.read(listRuns)
  const listed: ListedRun[] = []
  for (const { record } of runs) {
    const counts = await ledger.read((database) => countRun(database, record.run))
    listed.push({ record, tally: tallyOf(counts) })
  }
  if (listed.length === 0 && context.print.format === 'text') {
    context.terminal.note(t`No batch was sent from this machine yet`)
    return 0
  }
  await context.print.listOf(listed, {
    columns: context.print.format === 'csv' ? csvColumns(RUN_FIELDS) : TEXT_COLUMNS,
    more: listColumns(RUN_FIELDS),
    documentOf: (run) => documentOf(RUN_FIELDS, run),
  })
  return 0
}
