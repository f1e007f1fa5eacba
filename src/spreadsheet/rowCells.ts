import { Malformed } from '../pix/malformed.ts'
import { safeText } from '../text/safeText.ts'
import { t } from '../text/translate.ts'
import { columnNames, type FileHeader } from './header.ts'
import type { CellFault, TableRecord } from './table.ts'

/** The cells of one record by field, and the faults that are found in them. */
export class RowCells {
  readonly faults: CellFault[] = []
  readonly line: number
  readonly row: number
  /** True if the record has more or fewer cells than the header, so that none can be trusted. */
  readonly isRagged: boolean
  readonly #cells: readonly string[]
  readonly #header: FileHeader

  constructor({ line, row, cells }: TableRecord, header: FileHeader) {
    this.line = line
    this.row = row
    this.#cells = cells
    this.#header = header
    this.isRagged = cells.length !== header.names.length
    if (this.isRagged) this.#reportRagged(cells.length, header.names)
  }

  /** True if the file has a column of a field. */
  has(field: string): boolean {
    return this.#header.places.has(field)
  }

  /** The cell of a field as it is in the file; empty if the file has no such column. */
  raw(field: string): string {
    const place = this.#header.places.get(field)
    return place === undefined ? '' : (this.#cells[place] ?? '')
  }

  /** The file's own name for the column of a field; the field's name if there is no such column. */
  columnOf(field: string): string {
    const place = this.#header.places.get(field)
    return place === undefined ? field : (columnNames(this.#header.names)[place] ?? field)
  }

  fault(field: string, message: string): void {
    this.faults.push({ row: this.row, line: this.line, column: this.columnOf(field), message })
  }

  /**
   * What a reader makes of a cell without outer spaces. Undefined if the cell is damaged or the reader throws
   * Malformed; either becomes a fault.
   */
  read<Value>(field: string, reader: (text: string) => Value): Value | undefined {
    return this.readText(field, (text) => {
      assertPlainCell(text)
      return reader(text)
    })
  }

  /** Like {@link read} for free text, whose form is not checked. */
  readText<Value>(field: string, reader: (text: string) => Value): Value | undefined {
    try {
      return reader(this.raw(field).trim())
    } catch (error) {
      if (!(error instanceof Malformed)) throw error
      this.fault(field, `${error.message}${error.message.endsWith('?') ? '' : '.'} ${error.hint}`)
      return undefined
    }
  }

  /** Like {@link read}; null if the cell is empty. */
  readOptional<Value>(field: string, reader: (text: string) => Value): Value | null | undefined {
    return this.raw(field).trim() === '' ? null : this.read(field, reader)
  }

  #reportRagged(count: number, names: readonly string[]): void {
    const column = count < names.length ? (names[count] ?? '') : `#${names.length + 1}`
    const message =
      count < names.length
        ? count === 1
          ? t`The line has 1 cell, but the header has ${names.length}: cells are missing at its end`
          : t`The line has ${count} cells, but the header has ${names.length}: cells are missing at its end`
        : t`The line has ${count} cells, but the header has ${names.length}. Put a cell that holds the separator in quotes`
    this.faults.push({ row: this.row, line: this.line, column, message })
  }
}

/** A record with empty cells at its end, so that it is as wide as the header. */
export function padded(record: TableRecord, width: number): TableRecord {
  const missing = Math.max(0, width - record.cells.length)
  return { ...record, cells: [...record.cells, ...Array<string>(missing).fill('')] }
}

/** The errors that spreadsheets leave in a cell, in English and Portuguese, and a number too long for its column. */
const ERROR_VALUE =
  /^#(?:N\/A|N\/D|REF!|VALUE!|VALOR!|DIV\/0!|NAME\?|NOME\?|NULL!|NULO!|NUM!|NÚM!|SPILL!|DESPEJAR!|CALC!|#+)$/i
/** What programs write for a missing value. */
const NO_VALUE = /^(?:nan|null|none|undefined|n\/a|<na>)$/i
const EXPONENT = /^[-+]?\d+(?:[.,]\d+)?E[-+]?\d+$/i

/** Throws Malformed if a spreadsheet or a program changed a cell that should hold one plain value. */
function assertPlainCell(text: string): void {
  if (/[\r\n\u2028\u2029]/.test(text)) {
    throw new Malformed(t`\`${text}\` has a line break in it`, t`Remove it; check for a quote \`"\` closed too late`)
  }
  assertTextCell(text)
  if (/^['\u2018\u2019]/.test(text)) {
    throw new Malformed(t`\`${text}\` begins with an apostrophe`, t`Remove it, and format the column as text instead`)
  }
  if (NO_VALUE.test(text)) {
    throw new Malformed(t`\`${text}\` is what a program writes for an empty cell`, t`Leave it empty, or fill it in`)
  }
  if (EXPONENT.test(text)) {
    throw new Malformed(
      t`\`${text}\` was shortened by the spreadsheet, so its digits are lost`,
      t`Format the column as text and type all the digits again`,
    )
  }
}

/** Throws Malformed for a damaged cell of free text, which may have line breaks and look like a number. */
export function assertTextCell(text: string): void {
  if (text.includes('\ufffd')) {
    throw new Malformed(t`\`${text}\` has a character that could not be read`, t`Save the file again as "CSV UTF-8"`)
  }
  if (ERROR_VALUE.test(text)) {
    throw new Malformed(
      t`\`${text}\` is a spreadsheet error`,
      t`Correct the cell in the spreadsheet and save the file again`,
    )
  }
  if (text.startsWith('=')) {
    throw new Malformed(t`\`${text}\` is a formula`, t`Replace it with its value: paste the column as "values only"`)
  }
  const visible = text.replace(/[\r\n\t]/g, ' ')
  if (safeText(visible) !== visible) {
    throw new Malformed(t`\`${text}\` has an invisible character in it`, t`Type the cell again`)
  }
}

/** Throws Malformed for a space inside an identifier that is not an ordinary one, though it looks like one. */
export function assertOrdinarySpaces(text: string): void {
  if (!/[^\S ]/.test(text)) return
  throw new Malformed(t`\`${text}\` contains a special space character`, t`Type the cell again`)
}
