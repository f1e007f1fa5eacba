import { parseAmount } from '../pix/amount.ts'
import { parseInstant, saoPauloDay, startOfSaoPauloDayMs } from '../pix/calendar.ts'
import { Malformed } from '../pix/malformed.ts'
import { bytesOf, readContent } from '../spreadsheet/fileContent.ts'
import type { Mapping } from '../spreadsheet/header.ts'
import { RowCells } from '../spreadsheet/rowCells.ts'
import type { CellFault, TableRecord } from '../spreadsheet/table.ts'
import { hasControlCharacter } from '../text/safeText.ts'
import { t } from '../text/translate.ts'
import type { Direction, ExternalFile, ExternalLine } from './externalLine.ts'
import { isKnownColumn, PLAIN_LIST, type TableColumns, type TableSpec, tableColumns } from './tableColumns.ts'

/** A table that was read, and everything in it that cannot be read. */
export interface TableReading extends ExternalFile {
  faults: readonly CellFault[]
  /** Sentences that a person should read, such as about the other sheets of a workbook. */
  remarks: readonly string[]
}

const YEAR = /^[12]\d{3}-/

/**
 * Reads a CSV in any encoding and with any separator that spreadsheets write, or the first visible sheet of a workbook. `typed` names columns,
 * as `--map` does. Throws UsageError for a file that is neither, and for a header without the fields that are required.
 */
export async function readTableFile(bytes: Uint8Array, spec: TableSpec, typed: Mapping): Promise<TableReading> {
  const content = await readContent(bytesOf(bytes), undefined, (name) => isKnownColumn(name, spec, typed))
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
    const cells = new RowCells(spec.isList ? padded(record, columns.names.length) : record, columns)
    const line = readLine(cells, spec, columns)
    if (cells.faults.length === 0) lines.push(line)
    else faults.push(...cells.faults)
  }
  const { places, recognised, unused } = columns ?? PLAIN_LIST
  return { lines, faults, fields: [...places.keys()], recognised, unused, remarks: content.remarks }
}

function padded(record: TableRecord, width: number): TableRecord {
  const missing = Math.max(0, width - record.cells.length)
  return { ...record, cells: [...record.cells, ...Array<string>(missing).fill('')] }
}

function readLine(cells: RowCells, spec: TableSpec, { isResults }: TableColumns): ExternalLine {
  const id = cells.raw('id').trim()
  const externalId = isResults ? cells.raw('externalId').trim() : ''
  // A row of a batch that was left out has neither.
  if (id === '' && !isResults && spec.required.includes('id')) cells.fault('id', t`The id is empty`)
  if (hasControlCharacter(id || externalId)) cells.fault('id', t`The id has a control character in it`)
  const { direction, unsigned } = splitSign(cells.raw('amount').trim())
  const toCents = () => parseAmount(unsigned, { zeroAllowed: true })
  const amountCents = spec.required.includes('amount')
    ? cells.read('amount', toCents)
    : cells.readOptional('amount', toCents)
  return {
    line: cells.line,
    id: id || null,
    amountCents: amountCents ?? null,
    direction,
    status: cells.raw('status').trim() || null,
    day: cells.readOptional('date', dayOf) ?? null,
    batchRow: isResults ? { externalId, outcome: cells.raw('outcome').trim().toLowerCase() } : null,
  }
}

const MINUS = '\\-\u2212'
const SIGNED = new RegExp(`^((?:R\\$\\s*)?)([${MINUS}+]?)\\s*((?:R\\$\\s*)?[\\d.,]+)\\s*([${MINUS}+]|[CD])?$`, 'i')

/** An amount without its sign, and what the sign says: `-10,00`, `R$ -10,00`, `10,00-`, `(10,00)` and `10,00 D` are debits. */
function splitSign(text: string): { direction: Direction | null; unsigned: string } {
  const [, currency = '', before = '', number = '', after = ''] = SIGNED.exec(text.replace(/^\((.*)\)$/, '-$1')) ?? []
  if (number === '') return { direction: null, unsigned: text }
  const mark = before || after.toUpperCase()
  if (mark === '') return { direction: null, unsigned: currency + number }
  return { direction: mark === '+' || mark === 'C' ? 'credit' : 'debit', unsigned: currency + number }
}

/** The day of `2026-11-21`, `21/11/2026`, either with a time behind it, or of a date-time with its zone. Throws Malformed. */
function dayOf(text: string): string {
  const instantMs = parseInstant(text)
  if (instantMs !== undefined && YEAR.test(text)) return saoPauloDay(instantMs)
  const [, day = '', month = '', year = ''] = /^(\d{2})\/(\d{2})\/(\d{4})(?:\D.*)?$/.exec(text) ?? []
  const iso = year === '' ? text.slice(0, 10) : `${year}-${month}-${day}`
  try {
    startOfSaoPauloDayMs(YEAR.test(iso) ? iso : '')
    return iso
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Malformed(t`\`${text}\` is not a day`, t`Write it like \`2026-11-21\` or \`21/11/2026\``)
  }
}
