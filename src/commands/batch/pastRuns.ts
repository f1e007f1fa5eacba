import { countDifferentNames, type RowResult, resultPages } from '../../batch/rowResults.ts'
import { leftOutDocument, runFigures, runProgress } from '../../batch/runTally.ts'
import { runWorkers } from '../../batch/sendRows.ts'
import { defineCommand, defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { acceptedBeforeOf } from '../../ledger/acceptedBefore.ts'
import { SHOWN_STATES } from '../../ledger/paymentState.ts'
import { paymentsBeingSent } from '../../ledger/processes.ts'
import { countLeftOut, countRun } from '../../ledger/runRows.ts'
import { listRuns } from '../../ledger/runs.ts'
import { stateText } from '../../ledger/stateWords.ts'
import { companyOf } from '../../profiles/company.ts'
import { objectOf, shapedBy } from '../../schemas/jsonSchema.ts'
import { findRunToShow } from '../../steps/namedPayment.ts'
import { ALL_ROWS_OPTION, LIMIT_OPTION, listLimit, suggestAllRows } from '../../steps/optionSets.ts'
import { OUT_OPTION, reportFile, writeReport } from '../../steps/reportFile.ts'
import { csvColumns, documentOf, listColumns } from '../../terminal/fields.ts'
import { labelledLines } from '../../terminal/terminal.ts'
import { commandArgument } from '../../text/shellWord.ts'
import { t } from '../../text/translate.ts'
import { ROW_CSV, ROW_FIELDS, rowFile } from '../../views/batch/rowFields.ts'
import { type ListedRun, RUN_CSV, RUN_FIELDS, RUN_SUMS, runColumns } from '../../views/batch/runFields.ts'
import { RUN_REPORT, RunSums, runReport } from '../../views/batch/runReport.ts'
import { differenceRows, rowColumns, runRows, showNext, stateRows, workerText } from '../../views/batch/runScreen.ts'
import { amountText } from '../../views/valueText.ts'

const LIST_OPTIONS = defineOptions(LIMIT_OPTION, { ...ALL_ROWS_OPTION, conflicts: { options: ['--limit'] } })

export const batchList = defineCommand({
  options: LIST_OPTIONS,
  examples: [['pixgate batch list', 'what was sent, and what is left']],
  acceptsCsv: true,
  run: list,
})

async function list(context: Context, options: OptionsOf<typeof LIST_OPTIONS>): Promise<number> {
  const { print, terminal } = context
  const ledger = await context.ledger()
  const runs = await ledger.read(listRuns)
  const limit = options.limit ?? listLimit(context, options.allRows) ?? runs.length
  const workers = await runWorkers(ledger)
  const beingSent = await paymentsBeingSent(ledger)
  const listed: ListedRun[] = []
  for (const { record } of runs.slice(0, limit)) {
    const figures = await ledger.read((database) =>
      runFigures(countRun(database, record.run, beingSent.keys()), acceptedBeforeOf(database, record.run)),
    )
    listed.push({ record, figures, worker: workers.get(record.run) ?? null })
  }
  if (listed.length === 0 && print.format === 'text') {
    terminal.note(t`No batch is recorded yet`)
    return 0
  }
  await print.list(listed, {
    columns: print.format === 'text' ? runColumns(listed, context.now()) : csvColumns(RUN_FIELDS, RUN_CSV),
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

/** A person reads no more rows than this; CSV and JSON have all of them. */
const TEXT_ROWS_MAX = 1000
/** What `--fields` may name of any run. */
const ROW_LIST = { more: listColumns(ROW_FIELDS), documentOf: rowDocument }

const SHOW_OPTIONS = defineOptions({
  flags: '--state <state>',
  description: SHOWN_STATES.join(', '),
  choices: SHOWN_STATES,
})

export const batchShow = defineCommand({
  arguments: [{ name: '<run>', description: 'name of the run, or the beginning of it', completes: 'runs' }],
  options: SHOW_OPTIONS,
  examples: [
    ['pixgate batch show run-5f0c2a9b1d3e', 'the final state of each payment'],
    ['pixgate batch show run-5f0c2a9b1d3e --state refused', 'what was refused, and why'],
  ],
  acceptsCsv: true,
  run: show,
})

async function show(
  context: Context,
  { run: typed, state }: { run: string } & OptionsOf<typeof SHOW_OPTIONS>,
): Promise<number> {
  const known = await findRunToShow(context, typed)
  const name = known.record.run
  const { print, terminal } = context
  const ledger = await context.ledger()
  const beingSent = await paymentsBeingSent(ledger)
  const isShown = (row: RowResult) => state === undefined || row.shownState === state
  const pages = (isListed = isShown) => listedPages(resultPages(ledger, known, beingSent), isListed)
  if (print.format === 'csv') {
    const file = rowFile(known)
    const fields = ROW_FIELDS.filter(({ isIn }) => isIn?.(file) !== false)
    const columns = csvColumns(fields, ROW_CSV)
    await print.list(pages(), { columns, ...ROW_LIST })
    return 0
  }
  const { progress, leftOut } = await ledger.read((database) => ({
    progress: runProgress(database, name, beingSent.keys()),
    leftOut: countLeftOut(database, name),
  }))
  const worker = (await runWorkers(ledger)).get(name) ?? null
  const { counts, before } = progress
  const { record } = known
  const namesDiffer = await countDifferentNames(ledger, known)
  const figures = runFigures(counts, before)
  const sums = { ...figures, ...leftOutDocument(leftOut) }
  const document = {
    ...documentOf(RUN_FIELDS, { record, figures, worker }),
    ...shapedBy(objectOf(RUN_SUMS), { ...record, ...sums, namesDiffer }),
  }
  if (print.format === 'json') {
    await print.withList(document, 'rowsDetail', rowDocuments(pages()))
    return 0
  }
  const { out } = terminal
  const about = [...runRows(known, worker, out), ...stateRows(sums, before, out), ...differenceRows(namesDiffer, out)]
  terminal.data(labelledLines(about, terminal.out, terminal.textColumns).join('\n'))
  // A person asks for what this run sends; what an earlier one had sent is in the sums above.
  const isOwn = (row: RowResult) => isShown(row) && (state !== undefined || record.rows === 0 || !row.isLeftOut)
  const found = await firstRows(pages(isOwn), TEXT_ROWS_MAX + 1)
  const rows = found.slice(0, TEXT_ROWS_MAX)
  const hasEventNames = rows.some(({ names }) => names.inEvent !== null)
  const hasFailures = rows.some(({ errorCode, message }) => errorCode !== null || message() !== null)
  const senders = new Set(rows.flatMap(({ writer }) => (writer === null ? [] : [`${writer.user} ${writer.machine}`])))
  const has = { hasFailures, hasEventNames, hasDifferences: namesDiffer > 0, hasSenders: senders.size > 1 }
  const shown = { hasLeftOut: rows.some(({ isLeftOut }) => isLeftOut), ...has }
  await print.list(rows, { columns: rowColumns(known, shown, context.now()), ...ROW_LIST })
  if (state !== undefined && rows.length === 0) terminal.note(t`No row of ${name} has the state ${stateText(state)}`)
  if (state === undefined && record.rows > 0 && document.leftOut > 0) {
    terminal.note(
      t`Rows that are not listed, because they had been sent before this run: ${document.leftOut}; \`-o csv\` lists them, too`,
    )
  }
  if (found.length > TEXT_ROWS_MAX) {
    terminal.note(t`The first ${rows.length} rows are shown; \`-o csv\` lists all of them`)
  }
  // The machine that works on the run continues it.
  if (worker === null) showNext(context, name, progress)
  return 0
}

async function* listedPages(
  pages: AsyncIterable<readonly RowResult[]>,
  isListed: (row: RowResult) => boolean,
): AsyncGenerator<RowResult[]> {
  for await (const page of pages) yield page.filter(isListed)
}

async function firstRows(pages: AsyncIterable<readonly RowResult[]>, max: number): Promise<RowResult[]> {
  const rows: RowResult[] = []
  for await (const page of pages) {
    rows.push(...page)
    if (rows.length >= max) break
  }
  return rows.slice(0, max)
}

async function* rowDocuments(pages: AsyncIterable<readonly RowResult[]>): AsyncGenerator<object[]> {
  for await (const page of pages) yield page.map(rowDocument)
}

function rowDocument(result: RowResult) {
  return documentOf(ROW_FIELDS, result)
}

const REPORT_OPTIONS = defineOptions(OUT_OPTION)

export const batchReport = defineCommand({
  arguments: [{ name: '<run>', description: 'name of the run, or the beginning of it', completes: 'runs' }],
  options: REPORT_OPTIONS,
  examples: [['pixgate batch report run-5f0c2a9b1d3e --out november.xlsx', 'for the accountant']],
  run: report,
})

async function report(
  context: Context,
  { run: name, out }: { run: string } & OptionsOf<typeof REPORT_OPTIONS>,
): Promise<number> {
  const list = `pixgate batch show ${commandArgument(name)}`
  const path = reportFile(out, t`report`, list)
  const known = await findRunToShow(context, name)
  const { owner } = known.record
  const ledger = await context.ledger()
  const { user, machine } = ledger.environment
  const company = await companyOf(context.configFolder(), owner, (line) => context.terminal.warn(line))
  const origin = { owner, company, user, machine, writtenMs: context.now() }
  const sums = new RunSums(known.record)
  await writeReport(path, () => runReport(known, resultPages(ledger, known), sums, origin), list)
  const document = RUN_REPORT.documentOf({ record: known.record, path, sums })
  context.print.one(document, () => [writtenSentence(sums.all, path)])
  return 0
}

function writtenSentence({ rows, cents }: RunSums['all'], path: string): string {
  return rows === 1
    ? t`Wrote 1 row, ${amountText(cents)}, to ${path}`
    : t`Wrote ${rows} rows, ${amountText(cents)} in total, to ${path}`
}
