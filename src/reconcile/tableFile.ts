import { bytesOf, type ContentOptions, readContent } from '../spreadsheet/fileContent.ts'
import type { Mapping } from '../spreadsheet/header.ts'
import { RowCells } from '../spreadsheet/rowCells.ts'
import type { CellFault, TableRecord } from '../spreadsheet/table.ts'
import { hasControlCharacter } from '../text/safeText.ts'
import { t } from '../text/translate.ts'
import { readDay, readSignedAmount } from './cellValues.ts'
import type { ExternalFile, ExternalLine } from './externalLine.ts'
import { isKnownColumn, PLAIN_LIST, type TableColumns, type TableSpec, tableColumns } from './tableColumns.ts'

/** A file that was read into memory. */
export interface NamedInput extends Pick<ContentOptions, 'name' | 'interrupt'> {
  bytes: Uint8Array
}

/** A table that was read, and everything in it that cannot be read. */
export interface TableReading extends ExternalFile {
  faults: readonly CellFault[]
  /** Sentences that a person should read, such as about the other sheets of a workbook. */
  remarks: readonly string[]
}

/**
 * Reads a list of ids: a CSV in any encoding and with any separator that spreadsheets write, or the first visible sheet of a workbook. `typed` names columns,
 * as `--map` does. Throws UsageError for a file that is neither, and for a header without the fields that are required.
 */
export async function readTableFile(
  { bytes, ...input }: NamedInput,
  spec: TableSpec,
  typed: Mapping,
): Promise<TableReading> {
  const isKnown = (name: string) => isKnownColumn(name, spec, typed)
  const content = await readContent(bytesOf(bytes), { ...input, isKnown })
  const faults: CellFault[] = []
  const lines: ExternalLine[] = []
  let columns: TableColumns | undefined
  for await (const record of content.records()) {
    if ('message' in record) {
      const { row, line, place, message } = record
      faults.push({ row, line, column: columns?.names[place] ?? `#${place + 1}`, message })
      continue
    }
    if (columns === undefined) {
      columns = tableColumns(record.cells, spec, typed)
      if (columns !== undefined) continue
      columns = PLAIN_LIST
    }
    const cells = new RowCells(padded(record, columns.names.length), columns)
    const line = readLine(cells, columns)
    if (cells.faults.length === 0) lines.push(line)
    else faults.push(...cells.faults)
  }
  const { places, recognised, unused } = columns ?? PLAIN_LIST
  return { lines, faults, fields: [...places.keys()], recognised, unused, remarks: content.remarks }
}

/** A record with empty cells at its end, so that it is as wide as the header. */
export function padded(record: TableRecord, width: number): TableRecord {
  const missing = Math.max(0, width - record.cells.length)
  return { ...record, cells: [...record.cells, ...Array<string>(missing).fill('')] }
}

function readLine(cells: RowCells, { isResults }: TableColumns): ExternalLine {
  const id = cells.raw('id').trim()
  const externalId = isResults ? cells.raw('externalId').trim() : ''
  // A row of a batch that was left out has neither.
  if (id === '' && !isResults) cells.fault('id', t`The id is empty`)
  if (hasControlCharacter(id || externalId)) cells.fault('id', t`The id has a control character in it`)
  const amount = cells.readOptional('amount', readSignedAmount)
  return {
    line: cells.line,
    id: id || null,
    amountCents: amount?.amountCents ?? null,
    direction: amount?.direction ?? null,
    status: cells.raw('status').trim() || null,
    day: cells.readOptional('date', readDay) ?? null,
    batchRow: isResults ? { externalId, outcome: cells.raw('outcome').trim().toLowerCase() } : null,
  }
}
