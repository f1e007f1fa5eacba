import { basename } from 'node:path'
import { t } from '../../text/words.ts'
import { UsageError } from '../../wire/errors.ts'
import { findAmountColumns, refuseMissingAmounts, refuseUnusedAmounts } from './amountColumns.ts'
import { decodeText, detectEncoding, type Encoding } from './encoding.ts'
import { bytesOf } from './fileBytes.ts'
import {
  type FieldNames,
  findFields,
  type Header,
  ignoredPlaces,
  type Mapping,
  readHeader,
  readMapping,
} from './header.ts'
import { copiedNameRemark, headerRemarks } from './headerRemarks.ts'
import { REFUND_FIELDS, type RefundDefaults, readRefundRow } from './refundRows.ts'
import { type Fault, RowCells } from './rowCells.ts'
import { type RowFacts, RowIds, referenceOf } from './rowIds.ts'
import {
  type BrokenRecord,
  type Delimiter,
  detectDelimiter,
  isSeparatorLine,
  readRecords,
  type TableRecord,
} from './table.ts'
import { readTransferRow, TRANSFER_FIELDS } from './transferRows.ts'

export type BatchKind = 'transfer' | 'refund'

/**
 * A row that can be sent. `id` is the externalId of a transfer, and what a refund is known by in its run. `cells` are all
 * the cells of the row, in the order of the file's columns.
 */
export type CheckedRow = RowFacts & { line: number; id: string; cells: readonly string[] }

/** A row, or what is wrong with it. */
export type JudgedRow = { row: CheckedRow; faults: null } | { row: null; faults: Fault[] }

export interface BatchFileOptions {
  /** What was given to `--map`, each time. */
  map?: readonly string[]
  /** What was given to `--reference`. */
  reference?: string
  /** The name that the reference is taken from; the source's own unless given, null for standard input. */
  fileName?: string | null
  /** Why payments are returned whose row does not say it. */
  refundReason?: string
  /** True if `--full` was given: refunds without an amount return all that is left of their payments. */
  isFull?: boolean
  /** What was given to `--ignore-column`, each time: columns of amounts that are not to be used. */
  ignoreColumns?: readonly string[]
}

/** A file whose header has been read. Each iteration reads it anew, so that no row needs to be kept. */
export interface BatchFile {
  kind: BatchKind
  encoding: Encoding
  delimiter: Delimiter
  /** The names in its header, in their order. */
  columns: readonly string[]
  reference: string
  /** Sentences about its name and its header that a person should read before the question. */
  remarks: readonly string[]
  /** Every row, or its faults. */
  judged: AsyncIterable<JudgedRow>
  /** Every row; throws UsageError at the first that has a fault. */
  rows: AsyncIterable<CheckedRow>
}

const FIELDS: Readonly<Record<BatchKind, FieldNames>> = { transfer: TRANSFER_FIELDS, refund: REFUND_FIELDS }
const BEGINNING_CHARACTERS = 64 * 1024

/**
 * Finds out how a CSV file is written, and reads its header; the rows are read when they are iterated over. `source` is a
 * path, or the bytes. Throws UsageError where the file cannot be read, is no CSV, or its header has faults.
 */
export async function readBatchFile(
  source: string | Uint8Array,
  kind: BatchKind,
  options: BatchFileOptions = {},
): Promise<BatchFile> {
  const fields = FIELDS[kind]
  const mapping = readMapping(options.map ?? [], fields)
  const ownName = typeof source === 'string' ? basename(source) : null
  const fileName = options.fileName === undefined ? ownName : options.fileName
  const reference = referenceOf(options.reference, fileName)
  const bytes = bytesOf(source)
  const encoding = await detectEncoding(bytes)
  const names = new Set([...fields.all, ...mapping.values()].map((name) => name.toLowerCase()))
  const delimiter = detectDelimiter(await beginningOf(decodeText(bytes, encoding)), (name) =>
    names.has(name.trim().toLowerCase()),
  )
  const records = () => tableRecords(decodeText(bytes, encoding), delimiter)
  const header = await headerOf(records, fields, mapping, options)
  const defaults = { reason: options.refundReason ?? null, isFull: options.isFull === true }
  const judged = () => judgeRows(records(), header, kind, new RowIds(reference), defaults)
  return {
    kind,
    encoding,
    delimiter,
    columns: header.names,
    reference,
    remarks: [
      ...(options.reference === undefined ? copiedNameRemark(reference) : []),
      ...headerRemarks(header, fields, kind),
    ],
    judged: { [Symbol.asyncIterator]: judged },
    rows: { [Symbol.asyncIterator]: () => soundRows(judged()) },
  }
}

async function beginningOf(texts: AsyncIterable<string>): Promise<string> {
  let beginning = ''
  for await (const text of texts) {
    beginning += text
    if (beginning.length >= BEGINNING_CHARACTERS) break
  }
  return beginning.slice(0, BEGINNING_CHARACTERS)
}

/** The records of the table, the header first. */
async function* tableRecords(
  texts: AsyncIterable<string>,
  delimiter: Delimiter,
): AsyncGenerator<TableRecord | BrokenRecord> {
  for await (const record of readRecords(texts, delimiter)) {
    if ('message' in record || !isSeparatorLine(record, delimiter)) yield record
  }
}

/** Reads the header, and holds it against the cells under it: no column of amounts may go unnoticed. */
async function headerOf(
  records: () => AsyncIterable<TableRecord | BrokenRecord>,
  fields: FieldNames,
  mapping: Mapping,
  { isFull = false, ignoreColumns = [] }: BatchFileOptions,
): Promise<Header> {
  const { cells, line } = await firstRecord(records(), fields)
  const found = findFields(cells, fields, mapping)
  const ignored = ignoredPlaces(ignoreColumns, found)
  const amounts = await findAmountColumns(records(), found.names, unusedPlaces(found, ignored))
  const header = readHeader(cells, line, fields, mapping, amounts.money)
  refuseUnusedAmounts(header, amounts, fields)
  if (fields === REFUND_FIELDS) refuseMissingAmounts(header, amounts, { isFull, ignored })
  return header
}

function unusedPlaces({ names, places }: Header, ignored: ReadonlySet<number>): number[] {
  const used = new Set([...places.values(), ...ignored])
  return [...names.keys()].filter((place) => !used.has(place))
}

async function firstRecord(
  records: AsyncIterable<TableRecord | BrokenRecord>,
  fields: FieldNames,
): Promise<TableRecord> {
  for await (const record of records) {
    if ('cells' in record) return record
    const faults = [{ line: record.line, column: `#${record.place + 1}`, message: record.message }]
    throw new UsageError(t`The header cannot be read: ${record.message}`, { faults, hint: t`Correct the first line` })
  }
  throw new UsageError(t`The file is empty`, {
    hint: t`Begin it with a line of names, such as \`${fields.all.join(',')}\``,
  })
}

async function* judgeRows(
  records: AsyncIterable<TableRecord | BrokenRecord>,
  header: Header,
  kind: BatchKind,
  ids: RowIds,
  defaults: RefundDefaults,
): AsyncGenerator<JudgedRow> {
  let isHeader = true
  for await (const record of records) {
    if ('message' in record) {
      const column = header.names[record.place] ?? `#${record.place + 1}`
      yield { row: null, faults: [{ line: record.line, column, message: record.message }] }
    } else if (!isHeader) {
      yield judgeRow(record, new RowCells(record, header), kind, ids, defaults)
    }
    isHeader = false
  }
}

function judgeRow(
  { line, cells: texts }: TableRecord,
  cells: RowCells,
  kind: BatchKind,
  ids: RowIds,
  defaults: RefundDefaults,
): JudgedRow {
  if (cells.isRagged) return { row: null, faults: cells.faults }
  const facts = kind === 'transfer' ? readTransferRow(cells) : readRefundRow(cells, defaults)
  const id = facts === undefined ? cells.raw('externalId').trim() : ids.idOf(facts)
  const first = id === '' ? undefined : ids.clash(id, line)
  if (first !== undefined) cells.fault('externalId', t`The id \`${id}\` is the one of line ${first} already`)
  if (facts === undefined || first !== undefined) return { row: null, faults: cells.faults }
  return { row: { ...facts, line, id, cells: texts }, faults: null }
}

async function* soundRows(judged: AsyncIterable<JudgedRow>): AsyncGenerator<CheckedRow> {
  for await (const { row, faults } of judged) {
    if (row === null) {
      throw new UsageError(t`The file has a fault that was not there before`, { faults, hint: t`Check it again` })
    }
    yield row
  }
}
