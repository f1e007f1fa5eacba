import { countDifferentNames, type RowResult, resultPages } from '../../batch/rowResults.ts'
import { leftOutDocument, runProgress, stateDocument, tallyOf } from '../../batch/runTally.ts'
import { runWorkers } from '../../batch/runWorkers.ts'
import type { Context } from '../../context.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { countLeftOut } from '../../ledger/runRows.ts'
import type { Run as BatchRun } from '../../ledger/runs.ts'
import { unknownRun } from '../../payments/unknownRun.ts'
import { csvColumns, documentOf, listColumns } from '../../terminal/fields.ts'
import type { Document } from '../../terminal/printer.ts'
import { labelledLines } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import { type RowField, rowFile } from '../../views/batch/rowField.ts'
import { ROW_FIELDS } from '../../views/batch/rowFields.ts'
import { RUN_FIELDS } from '../../views/batch/runFields.ts'
import { differenceRows, showNext } from '../../views/batch/runScreen.ts'
import { rowColumns, runRows, stateRows } from '../../views/batch/runText.ts'
import { defineCommand } from '../command.ts'
import { findRunByName } from './findRunByName.ts'

/** A person reads no more rows than this; CSV and JSON have all of them. */
const TEXT_ROWS_MAX = 1000
/** What `--fields` may name of any run. */
const ROW_LIST = { more: listColumns(ROW_FIELDS), documentOf: rowDocument }

export const batchShow = defineCommand({
  arguments: [{ name: '<run>', description: 'name of the run' }],
  examples: [['pixgate batch show run-5f0c2a9b1d3e', 'the final state of each payment']],
  acceptsCsv: true,
  run: show,
})

async function show(context: Context, { run: name }: { run: string }): Promise<number> {
  const known = await findRunByName(context, name)
  if (known === undefined) throw unknownRun(name)
  const { print, terminal } = context
  const ledger = await context.ledger()
  if (print.format === 'csv') {
    const file = rowFile(known)
    const columns = csvColumns(ROW_FIELDS.filter(({ isIn }: RowField) => isIn?.(file) !== false))
    await print.pieces(resultPages(ledger, known), { columns, ...ROW_LIST })
    return 0
  }
  const { progress, leftOut } = await ledger.read((database) => ({
    progress: runProgress(database, name),
    leftOut: countLeftOut(database, name),
  }))
  const worker = (await runWorkers(ledger)).get(name) ?? null
  const { counts, before } = progress
  const { record } = known
  const tally = tallyOf(counts)
  const { totalCents, fingerprint } = record
  const namesDiffer = await countDifferentNames(ledger, known)
  const sums = { ...stateDocument(counts), ...leftOutDocument(leftOut), namesDiffer }
  const document = {
    ...documentOf(RUN_FIELDS, { record, tally, before, worker }),
    ...sums,
    totalCents,
    fingerprint,
  }
  if (print.format === 'json') {
    print.checkFields({ columns: [] }, [{ ...document, rowsDetail: [] }])
    await print.withList(document, 'rowsDetail', rowDocuments(ledger, known))
    return 0
  }
  const { out } = terminal
  const about = [
    ...runRows(known, worker, out),
    ...stateRows(document, before, out),
    ...differenceRows(namesDiffer, out),
  ]
  print.one(document, () => labelledLines(about, terminal.out, terminal.textColumns))
  const rows = await firstRows(ledger, known, TEXT_ROWS_MAX)
  const hasEventNames = rows.some(({ names }) => names.inEvent !== null)
  const hasFailures = rows.some(({ errorCode, message }) => errorCode !== null || message() !== null)
  const senders = new Set(rows.flatMap(({ writer }) => (writer === null ? [] : [`${writer.user} ${writer.machine}`])))
  const has = { hasFailures, hasEventNames, hasDifferences: namesDiffer > 0, hasSenders: senders.size > 1 }
  const shown = { hasLeftOut: document.leftOut > 0, ...has }
  await print.listOf(rows, { columns: rowColumns(known, shown, context.now()), ...ROW_LIST })
  if (record.rows + document.leftOut > rows.length) {
    terminal.note(t`The first ${rows.length} rows are shown; \`-o csv\` lists all of them`)
  }
  // The machine that works on the run continues it.
  if (worker === null) showNext(context, name, progress)
  return 0
}

/** The first rows of a run. */
async function firstRows(ledger: Ledger, run: BatchRun, max: number): Promise<RowResult[]> {
  const rows: RowResult[] = []
  for await (const page of resultPages(ledger, run)) {
    rows.push(...page)
    if (rows.length >= max) break
  }
  return rows.slice(0, max)
}

/** The rows of a run in JSON, page by page. */
async function* rowDocuments(ledger: Ledger, run: BatchRun): AsyncGenerator<Document[]> {
  for await (const page of resultPages(ledger, run)) yield page.map(rowDocument)
}

function rowDocument(result: RowResult): Document {
  return documentOf(ROW_FIELDS, result)
}
