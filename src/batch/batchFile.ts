import { basename } from 'node:path'
import { bytesOf, type FileContent, type FileFormat, type FileSource, readContent } from '../spreadsheet/fileContent.ts'
import { type FieldNames, type FileHeader, findFields, type Mapping, readMapping } from '../spreadsheet/header.ts'
import { RowCells } from '../spreadsheet/rowCells.ts'
import type { CellFault, TableRecord } from '../spreadsheet/table.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { AmountColumnScan, type AmountColumns, assertAmountsPresent, assertAmountsUsed } from './amountColumns.ts'
import { copiedNameRemark, headerRemarks, ignoredColumns, readHeader } from './fileHeader.ts'
import { HiddenCells, type HiddenChoice, type HiddenSummary } from './hiddenCells.ts'
import { REFUND_FIELDS, type RefundDefaults, readRefundRow, readTransferRow, TRANSFER_FIELDS } from './paymentRows.ts'
import { type RowFacts, RowIds, RowRegister, referenceOf } from './rowIds.ts'

export type BatchKind = 'transfer' | 'refund'

/**
 * A row that can be sent. `id` is the externalId of a transfer, or identifies a refund within its reference. `cells` are all the cells of
 * the row, in the order of the file's columns.
 */
export type CheckedRow = RowFacts & { line: number; row: number; id: string; cells: readonly string[] }

/** A row, or what is wrong with it. */
type JudgedRow = { row: CheckedRow; faults: null } | { row: null; faults: CellFault[] }

export interface BatchFileOptions {
  map?: readonly string[]
  reference?: string
  /** The name that the reference is taken from; the source's own unless given, null for standard input. */
  fileName?: string | null
  /** The reason for refunds whose row has none. */
  refundReason?: string
  /** True if `--full` was given: refunds without an amount return all that is left of their payments. */
  isFull?: boolean
  /** The values of `--ignore-column`: columns of amounts to ignore. */
  ignoreColumns?: readonly string[]
  /** The value of `--sheet`: the sheet of a workbook that is read instead of the first visible one. */
  sheet?: string
  /** What to do with hidden rows and columns of a workbook; `stop` unless given. */
  hidden?: HiddenChoice
}

/** A file whose header has been read. */
export interface BatchFile {
  kind: BatchKind
  format: FileFormat
  /** The names in its header, in their order. */
  columns: readonly string[]
  /** The places of the fields among the columns. */
  fields: Readonly<Record<string, number>>
  reference: string
  /** Sentences about its name and its header that a person should read before the question. */
  remarks: readonly string[]
  /**
   * Reads every row, or its faults. The file is parsed while this is iterated over, so it is read once and no row is kept. Throws
   * UsageError at the end if something hidden would be sent, or if a column of amounts is not used.
   */
  rows(): AsyncGenerator<JudgedRow>
  /** The hidden payments that `rows` found when it ended; null before that. */
  hiddenSummary(): HiddenSummary | null
}

const FIELDS: Readonly<Record<BatchKind, FieldNames>> = { transfer: TRANSFER_FIELDS, refund: REFUND_FIELDS }

/** What is needed to read the records of a file. */
interface Table {
  records: FileContent['records']
  fields: FieldNames
  mapping: Mapping
}

/**
 * Detects how a CSV file or a workbook is written, and reads its header; the rows are read when they are iterated over. Throws UsageError
 * if the file cannot be read, is neither of them, or its header has faults.
 */
export async function readBatchFile(
  source: FileSource,
  kind: BatchKind,
  options: BatchFileOptions = {},
): Promise<BatchFile> {
  const fields = FIELDS[kind]
  const mapping = readMapping(options.map ?? [], fields)
  const ownName = typeof source === 'string' ? basename(source) : null
  const fileName = options.fileName === undefined ? ownName : options.fileName
  const reference = referenceOf(options.reference, fileName)
  const names = new Set([...fields.all, ...mapping.values()].map((name) => name.toLowerCase()))
  const content = await readContent(bytesOf(source), options.sheet, (name) => names.has(name.trim().toLowerCase()))
  const table: Table = { records: content.records, fields, mapping }
  const header = await headerOf(table)
  const ignored = ignoredColumns(options.ignoreColumns ?? [], header)
  const isFull = options.isFull === true
  let hiddenSummary: HiddenSummary | null = null
  return {
    kind,
    format: content.format,
    columns: header.names,
    fields: Object.fromEntries(header.places),
    reference,
    remarks: [
      ...(options.reference === undefined ? copiedNameRemark(reference) : []),
      ...headerRemarks(header, fields, kind),
      ...content.remarks,
    ],
    async *rows() {
      const scan = new AmountColumnScan(header.names, unusedPlaces(header, ignored))
      const hidden = new HiddenCells(header, fields, options.hidden ?? 'stop', content.isColumnHidden)
      const register = await RowRegister.open()
      const ids = new RowIds(reference, register)
      const defaults = { reason: options.refundReason ?? null, isFull }
      try {
        yield* judgeRows(table, header, { scan, hidden }, { kind, ids, defaults })
      } finally {
        register.close()
      }
      hidden.assertAllowed()
      hiddenSummary = hidden.summary()
      assertAmountsUsed(header, scan.found(), fields)
      if (kind === 'refund') assertAmountsPresent(header, scan.found(), { isFull, ignored })
    },
    hiddenSummary: () => hiddenSummary,
  }
}

/** Reads the header. Only if it has faults is the rest of the file read, because its columns of amounts make a better hint. */
async function headerOf(table: Table): Promise<FileHeader> {
  const { fields, mapping } = table
  const { cells, line, row } = await firstRecord(table)
  const found = findFields(cells, fields, mapping)
  try {
    return readHeader(cells, line, fields, mapping, [], row)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const { money } = await amountColumnsOf(table, found)
    return readHeader(cells, line, fields, mapping, money, row)
  }
}

async function amountColumnsOf(table: Table, header: FileHeader): Promise<AmountColumns> {
  const scan = new AmountColumnScan(header.names, unusedPlaces(header, new Set()))
  let isHeader = true
  for await (const record of table.records()) {
    if (!isHeader && 'cells' in record) scan.add(record.cells)
    isHeader = false
    if (scan.isDone) break
  }
  return scan.found()
}

function unusedPlaces({ names, places }: FileHeader, ignored: ReadonlySet<number>): number[] {
  const used = new Set([...places.values(), ...ignored])
  return [...names.keys()].filter((place) => !used.has(place))
}

async function firstRecord({ records, fields }: Table): Promise<TableRecord> {
  for await (const record of records()) {
    if ('cells' in record) return record
    const { line, row, place, message } = record
    throw new UsageError(t`The header cannot be read: ${message}`, {
      faults: [{ row, line, column: `#${place + 1}`, message }],
      hint: t`Correct the first line`,
    })
  }
  throw new UsageError(t`The file is empty`, {
    hint: t`Begin it with a line of names, such as \`${fields.all.join(',')}\``,
  })
}

interface RowReading {
  kind: BatchKind
  ids: RowIds
  defaults: RefundDefaults
}

async function* judgeRows(
  table: Table,
  header: FileHeader,
  { scan, hidden }: { scan: AmountColumnScan; hidden: HiddenCells },
  reading: RowReading,
): AsyncGenerator<JudgedRow> {
  let isHeader = true
  for await (const record of table.records()) {
    if ('message' in record) {
      const { row, line, place, message } = record
      const column = header.names[place] ?? `#${place + 1}`
      yield { row: null, faults: [{ row, line, column, message }] }
    } else if (!isHeader && !hidden.leavesOut(record)) {
      if (!scan.isDone) scan.add(record.cells)
      yield judgeRow(record, new RowCells(record, header), reading)
    }
    isHeader = false
  }
}

function judgeRow(
  { line, row, cells: texts, isHidden }: TableRecord,
  cells: RowCells,
  { kind, ids, defaults }: RowReading,
): JudgedRow {
  // The spreadsheet does not show where the fault is.
  const faults = () =>
    isHidden === true
      ? cells.faults.map((fault) => ({ ...fault, message: t`In a hidden row: ${fault.message}` }))
      : cells.faults
  if (cells.isRagged) return { row: null, faults: faults() }
  const facts = kind === 'transfer' ? readTransferRow(cells) : readRefundRow(cells, defaults)
  const id = facts === undefined ? cells.raw('externalId').trim() : ids.idOf(facts)
  const first = id === '' ? undefined : ids.clash(id, line)
  if (first !== undefined) cells.fault('externalId', t`The id \`${id}\` is already used on line ${first}`)
  if (facts === undefined || first !== undefined) return { row: null, faults: faults() }
  return { row: { ...facts, line, row, id, cells: texts }, faults: null }
}
