import { Malformed } from '../../pix/malformed.ts'
import { t } from '../../text/words.ts'
import { checkPlainCell } from './cellDamage.ts'
import { columnNames, type Header } from './header.ts'
import type { TableRecord } from './table.ts'

/** What is wrong in a file and where: the row as a spreadsheet counts it, the line, and the column by the file's own name for it. */
export interface Fault {
  /** Not known of rows that were looked up later. */
  row?: number
  line: number
  column: string
  message: string
}

/** The cells of one record by field, and the faults that are found in them. */
export class RowCells {
  readonly faults: Fault[] = []
  readonly line: number
  readonly row: number
  /** True where the record has more or fewer cells than the header, so that none can be trusted. */
  readonly isRagged: boolean
  readonly #cells: readonly string[]
  readonly #header: Header

  constructor({ line, row, cells }: TableRecord, header: Header) {
    this.line = line
    this.row = row
    this.#cells = cells
    this.#header = header
    this.isRagged = cells.length !== header.names.length
    if (this.isRagged) this.#refuseRagged(cells.length, header.names)
  }

  /** The cell of a field as it stands in the file; empty where the file has no such column. */
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
   * What a reader makes of a cell without outer spaces. Undefined where the cell is damaged or the reader throws
   * Malformed; either becomes a fault.
   */
  read<Value>(field: string, reader: (text: string) => Value): Value | undefined {
    return this.readText(field, (text) => {
      checkPlainCell(text)
      return reader(text)
    })
  }

  /** Like {@link read} for free text, at whose form nothing has looked. */
  readText<Value>(field: string, reader: (text: string) => Value): Value | undefined {
    try {
      return reader(this.raw(field).trim())
    } catch (error) {
      if (!(error instanceof Malformed)) throw error
      this.fault(field, `${error.message}${error.message.endsWith('?') ? '' : '.'} ${error.hint}`)
      return undefined
    }
  }

  /** Like {@link read}; null where the cell is empty. */
  readOptional<Value>(field: string, reader: (text: string) => Value): Value | null | undefined {
    return this.raw(field).trim() === '' ? null : this.read(field, reader)
  }

  #refuseRagged(count: number, names: readonly string[]): void {
    const column = count < names.length ? (names[count] ?? '') : `#${names.length + 1}`
    const message =
      count < names.length
        ? t`The line has ${count} cells, but the header has ${names.length}: cells are missing at its end`
        : t`The line has ${count} cells, but the header has ${names.length}. Put a cell that holds the separator in quotes`
    this.faults.push({ row: this.row, line: this.line, column, message })
  }
}
