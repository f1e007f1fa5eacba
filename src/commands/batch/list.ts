import { runDocument, tallyOf } from '../../batch/runTally.ts'
import type { Context } from '../../context.ts'
import { countRun } from '../../ledger/runRows.ts'
import { listRuns } from '../../ledger/runs.ts'
import type { Document } from '../../terminal/printer.ts'
import { t } from '../../text/translate.ts'
import { defineCommand } from '../command.ts'
import { RUN_COLUMNS, RUN_CSV_COLUMNS } from '../listColumns.ts'

export const batchList = defineCommand({
  description: 'List the runs of this machine, newest first, with the outcomes of their rows',
  examples: [['pixgate batch list', 'what was sent, and what is left']],
  acceptsCsv: true,
  run: list,
})

async function list(context: Context): Promise<number> {
  const ledger = await context.ledger()
  const runs = await ledger.read(listRuns)
  const documents: Document[] = []
  for (const { record } of runs) {
    const counts = await ledger.read((database) => countRun(database, record.run))
    documents.push(runDocument(record, tallyOf(counts)))
  }
  if (documents.length === 0 && context.print.format === 'text') {
    context.terminal.note(t`No batch was sent from this machine yet`)
    return 0
  }
  await context.print.list(documents, context.print.format === 'csv' ? RUN_CSV_COLUMNS : RUN_COLUMNS)
  return 0
}
