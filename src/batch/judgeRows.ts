import { RowCells } from '../spreadsheet/rowCells.ts'
import type { BrokenRecord, CellFault, TableRecord } from '../spreadsheet/table.ts'
import { t } from '../text/translate.ts'
import type { AmountColumnScan } from './amountColumns.ts'
import type { BatchHeader } from './fileHeader.ts'
import type { FooterLines } from './footerLines.ts'
import type { HiddenCells } from './hiddenCells.ts'
import { type RefundDefaults, readRefundRow, readTransferRow } from './paymentRows.ts'
import type { CarriedColumns } from './resultColumns.ts'
import { type ElsewhereOutcome, type FindPayments, resultRowId } from './resultRows.ts'
import type { RowFacts, RowIds } from './rowIds.ts'
import type { FindPayee, FoundPayee } from './rowPayee.ts'
import type { TotalLines } from './totalLines.ts'

/**
 * A row that can be sent. `id` is the externalId of a transfer, or identifies a refund within its reference. `cells` are all the cells of
 * the row, in the order of the file's columns.
 */
export type CheckedRow = RowFacts & { line: number; row: number; id: string; cells: readonly string[] }

/** A row, or what is wrong with it, or what its results file says of the payment of another machine. */
export type JudgedRow =
  | { row: CheckedRow; faults: null }
  | { row: null; faults: CellFault[]; elsewhere?: ElsewhereOutcome }

interface RowReading {
  kind: 'transfer' | 'refund'
  ids: RowIds
  findPayments: FindPayments
  findPayee: FindPayee
  /** The cells of a record that belong to its run. */
  cellsOf: CarriedColumns['cellsOf']
  defaults: RefundDefaults
}

/** What watches the records of a file beside their own rules. */
interface RecordWatch {
  scan: AmountColumnScan
  hidden: HiddenCells
  totals: TotalLines
  footers: FooterLines
}

/** Judges the records below a header, one after another. */
export async function* judgeRows(
  records: AsyncIterable<TableRecord | BrokenRecord>,
  header: BatchHeader,
  watch: RecordWatch,
  reading: RowReading,
): AsyncGenerator<JudgedRow> {
  const { totals, hidden, footers } = watch
  for await (const record of records) {
    if ('message' in record) {
      const { row, line, place, message } = record
      const column = header.names[place] ?? `#${place + 1}`
      yield { row: null, faults: [{ row, line, column, message }] }
    } else if (record.line > header.record.line && !footers.takes(record)) {
      const isTotal = totals.takes(record)
      footers.pass(record, isTotal)
      if (isTotal) continue
      for (const line of footers.release()) yield await judgeRecord(line, header, watch, reading)
      if (!hidden.leavesOut(record)) yield await judgeRecord(record, header, watch, reading)
    }
  }
}

async function judgeRecord(
  record: TableRecord,
  header: BatchHeader,
  { scan, totals, footers }: RecordWatch,
  reading: RowReading,
): Promise<JudgedRow> {
  if (!scan.isDone) scan.add(record.cells)
  const judged = await judgeRow(record, new RowCells(record, header), header, reading)
  if (judged.row !== null || judged.elsewhere !== undefined) return judged
  return { row: null, faults: advised(judged.faults, totals.adviceFor(record) ?? footers.adviceFor(record)) }
}

/** Faults, of which the first also says what the line may be instead of a payment. */
function advised([first, ...others]: readonly CellFault[], advice: string | undefined): CellFault[] {
  if (first === undefined) return []
  return [advice === undefined ? first : { ...first, message: `${first.message}. ${advice}` }, ...others]
}

/** What the ledger knows of the payee that a row names; null if it names none. */
async function payeeOf(cells: RowCells, { findPayee }: RowReading): Promise<FoundPayee | null> {
  const name = cells.raw('payee').trim()
  return name === '' ? null : findPayee(name)
}

async function judgeRow(
  record: TableRecord,
  cells: RowCells,
  { results }: BatchHeader,
  reading: RowReading,
): Promise<JudgedRow> {
  const { kind, ids, defaults } = reading
  const { line, row, cells: texts, isHidden } = record
  // The spreadsheet does not show where the fault is.
  const faults = () =>
    isHidden === true
      ? cells.faults.map((fault) => ({ ...fault, message: t`In a hidden row: ${fault.message}` }))
      : cells.faults
  if (cells.isRagged) return { row: null, faults: faults() }
  const facts =
    kind === 'transfer' ? readTransferRow(cells, await payeeOf(cells, reading)) : readRefundRow(cells, defaults)
  let id = facts === undefined ? cells.raw('externalId').trim() : results === null ? ids.idOf(facts) : ''
  if (facts !== undefined && results !== null) {
    const found = await resultRowId(record, results, facts, reading)
    if (found.is === 'answered-elsewhere') return { row: null, faults: [], elsewhere: found.outcome }
    if (found.is === 'fault') {
      cells.fault(found.column, found.message)
      return { row: null, faults: faults() }
    }
    id = found.id
    if (facts.kind === 'transfer') facts.typedId = found.isTyped ? id : null
  }
  const first = id === '' ? undefined : ids.clash(id, line)
  if (first !== undefined) cells.fault('externalId', t`The id \`${id}\` is already used on line ${first}`)
  if (facts === undefined || first !== undefined) return { row: null, faults: faults() }
  // A copy of the facts with these would take longer than all the rest of a row.
  return { row: Object.assign(facts, { line, row, id, cells: reading.cellsOf(texts) }), faults: null }
}
