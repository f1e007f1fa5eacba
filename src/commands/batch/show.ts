import { ROW_FIELDS, type RowField, rowFile } from '../../batch/rowFields.ts'
import { countDifferentNames, type RowResult, resultPages } from '../../batch/rowResults.ts'
import { RUN_FIELDS } from '../../batch/runFields.ts'
import { leftOutDocument, runProgress, stateDocument, tallyOf } from '../../batch/runTally.ts'
import type { Context } from '../../context.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { countLeftOut } from '../../ledger/runRows.ts'
import { type Run as BatchRun, unknownRun } from '../../ledger/runs.ts'
import { formatReais } from '../../pix/amount.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { columnOf, csvColumns, documentOf, listColumns } from '../../terminal/fields.ts'
import type { Column, Document } from '../../terminal/printer.ts'
import { type LabelledRow, labelledLines } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import { amountText, instantText } from '../../views/valueText.ts'
import { defineCommand } from '../command.ts'
import { findRunByName } from './findRunByName.ts'
import { differenceRows, showNext } from './runScreen.ts'

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
  const { counts } = progress
  const { record } = known
  const tally = tallyOf(counts)
  const { totalCents, fingerprint, user, machine } = record
  const namesDiffer = await countDifferentNames(ledger, known)
  const sums = { ...stateDocument(counts), ...leftOutDocument(leftOut), namesDiffer }
  const document = { ...documentOf(RUN_FIELDS, { record, tally }), ...sums, totalCents, fingerprint, user, machine }
  if (print.format === 'json') {
    print.checkFields({ columns: [] }, [{ ...document, rowsDetail: [] }])
    await print.withList(document, 'rowsDetail', rowDocuments(ledger, known))
    return 0
  }
  const { out } = terminal
  const about = [...runRows(known), ...stateRows(document, out), ...differenceRows(namesDiffer, out)]
  print.one(document, () => labelledLines(about, terminal.out, terminal.textColumns))
  const rows = await firstRows(ledger, known, TEXT_ROWS_MAX)
  const hasEventNames = rows.some(({ names }) => names.inEvent !== null)
  const shown = { hasLeftOut: document.leftOut > 0, hasEventNames, hasDifferences: namesDiffer > 0 }
  await print.listOf(rows, { columns: textColumns(known, shown), ...ROW_LIST })
  if (record.rows + document.leftOut > rows.length) {
    terminal.note(t`The first ${rows.length} rows are shown; \`-o csv\` lists all of them`)
  }
  showNext(context, name, progress)
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

function rowColumn(name: (typeof ROW_FIELDS)[number]['name']): Column<RowResult> {
  return columnOf(ROW_FIELDS, name)
}

/** The most important columns come first. A payee may be shortened; the id of a refunded payment never is. */
function textColumns(
  run: BatchRun,
  { hasLeftOut, hasEventNames, hasDifferences }: Record<'hasLeftOut' | 'hasEventNames' | 'hasDifferences', boolean>,
): Column<RowResult>[] {
  const { drop = 0, ...nameInEvent } = rowColumn('nameInEvent')
  const names = hasEventNames ? [hasDifferences ? nameInEvent : { ...nameInEvent, drop }] : []
  const leftOut = hasLeftOut ? (['leftOut'] as const) : []
  const outcome = (['amount', 'state', ...leftOut, 'errorCode', 'reason', 'status', 'date'] as const).map(rowColumn)
  const ids = (['externalId', 'idTransaction'] as const).map(rowColumn)
  const { drop: targetDrop = 0, ...target } = rowColumn(
    run.record.kind === 'transfer' ? 'key' : 'originalTransactionId',
  )
  return run.record.kind === 'refund' && !rowFile(run).hasNames
    ? [rowColumn('line'), target, ...names, ...outcome, ...ids]
    : [rowColumn('line'), rowColumn('payee'), ...names, ...outcome, { ...target, drop: targetDrop }, ...ids]
}

function runRows({ record }: BatchRun): LabelledRow[] {
  const { run, kind, file, reference, rows, totalCents, at, user, machine, owner, fingerprint } = record
  return [
    [t`run`, run],
    [t`kind`, kind],
    [t`file`, file ?? '-'],
    [t`reference`, reference],
    [t`account`, t`${owner.environment}, ${owner.baseUrl}, client id ${owner.clientId}`],
    [t`started`, instantText(parseInstant(at) ?? null)],
    [t`by`, t`${user} on ${machine}`],
    [t`fingerprint`, fingerprint],
    [t`rows`, t`${rows}, ${formatReais(totalCents)}`],
  ]
}

function stateRows(
  document: ReturnType<typeof stateDocument> & ReturnType<typeof leftOutDocument>,
  out: Context['terminal']['out'],
): LabelledRow[] {
  const states = [
    [t`paid`, document.paid, document.paidCents, out.green],
    [t`pending`, document.pending, document.pendingCents, out.yellow, 'accepted'],
    [t`failed`, document.failed, document.failedCents, out.red, 'not-paid'],
    [t`returned`, document.returned, document.returnedCents, out.red],
    [t`refused`, document.refused, document.refusedCents, out.red],
    [t`unknown`, document.unknown, document.unknownCents, out.red.bold],
    [t`not sent`, document.notSent, document.notSentCents, out.yellow],
    [t`left out`, document.leftOut, document.leftOutCents, out],
  ] as const
  return states.map(([label, rows, cents, colour, state]) => {
    const sum = t`${rows}, ${amountText(cents)}`
    // The rows below call these states by another name.
    return [label, state === undefined || rows === 0 ? sum : t`${sum} (${state})`, rows > 0 ? colour : out]
  })
}
