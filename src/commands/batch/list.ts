import { tallyOf } from '../../batch/runTally.ts'
import { runWorkers } from '../../batch/runWorkers.ts'
import type { Context } from '../../context.ts'
import { acceptedBeforeOf } from '../../ledger/acceptedBefore.ts'
import { countRun } from '../../ledger/runRows.ts'
import { listRuns } from '../../ledger/runs.ts'
import { csvColumns, documentOf, listColumns } from '../../terminal/fields.ts'
import { t } from '../../text/translate.ts'
import { type ListedRun, RUN_FIELDS } from '../../views/batch/runFields.ts'
import { runColumns } from '../../views/batch/runList.ts'
import { workerText } from '../../views/batch/runText.ts'
import { defineCommand, defineOptions, type OptionsOf } from '../command.ts'
import { ALL_ROWS_OPTION, LIMIT_OPTION, listLimit, suggestAllRows } from '../listLimit.ts'

const OPTIONS = defineOptions(LIMIT_OPTION, { ...ALL_ROWS_OPTION, conflicts: { options: ['--limit'] } })

export const batchList = defineCommand({
  options: OPTIONS,
  examples: [['pixgate batch list', 'what was sent, and what is left']],
  acceptsCsv: true,
  run: list,
})

async function list(context: Context, options: OptionsOf<typeof OPTIONS>): Promise<number> {
  const { print, terminal } = context
  const ledger = await context.ledger()
  const runs = await ledger.read(listRuns)
  const limit = options.limit ?? listLimit(context, options.allRows) ?? runs.length
  const workers = await runWorkers(ledger)
  const listed: ListedRun[] = []
  for (const { record } of runs.slice(0, limit)) {
    const { counts, before } = await ledger.read((database) => ({
      counts: countRun(database, record.run),
      before: acceptedBeforeOf(database, record.run),
    }))
    listed.push({ record, tally: tallyOf(counts), before, worker: workers.get(record.run) ?? null })
  }
  if (listed.length === 0 && print.format === 'text') {
    terminal.note(t`No batch is recorded yet`)
    return 0
  }
  await print.listOf(listed, {
    columns: print.format === 'text' ? runColumns(listed, context.now()) : csvColumns(RUN_FIELDS),
    more: listColumns(RUN_FIELDS),
    documentOf: (run) => documentOf(RUN_FIELDS, run),
  })
  if (print.format === 'text') {
    for (const { record, worker } of listed) {
      if (worker !== null) terminal.note(t`${record.run} is ${workerText(worker)}`)
    }
  }
  if (runs.length > limit && print.format !== 'json') {
    terminal.note(
      limit === 1
        ? t`This is the newest of ${runs.length} batches`
        : t`These are the newest ${limit} of ${runs.length} batches`,
    )
    suggestAllRows(context, options.limit !== undefined)
  }
  return 0
}
