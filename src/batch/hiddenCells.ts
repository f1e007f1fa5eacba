import { formatReais, tryParseAmount } from '../pix/amount.ts'
import { columnNames, type FieldNames, type FileHeader, quotedList } from '../spreadsheet/header.ts'
import type { TableRecord } from '../spreadsheet/table.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'

/** What to do with what a spreadsheet does not show: stop, send it too, or leave the hidden rows out. */
export type HiddenChoice = 'stop' | 'include' | 'skip'

/** The payments of a workbook that the spreadsheet does not show. */
export interface HiddenSummary {
  /** Hidden rows that hold a payment, and the sum of their amounts as far as they can be read. */
  rows: number
  cents: number
  /** True if these rows are left out. */
  isLeftOut: boolean
  /** The names of hidden columns whose cells would be sent. */
  columns: readonly string[]
}

/** Rows that an error names. */
const NAMED_ROWS_MAX = 10

/** Finds the hidden payments among the records of a workbook, because an office hides or filters out what it does not want to pay. */
export class HiddenCells {
  readonly #header: FileHeader
  readonly #fields: FieldNames
  readonly #choice: HiddenChoice
  /** The places of hidden columns that are sent; true if one of their cells is not empty. */
  readonly #columns: Map<number, boolean>
  readonly #rowNumbers: number[] = []
  #rows = 0
  #cents = 0

  constructor(
    header: FileHeader,
    fields: FieldNames,
    choice: HiddenChoice,
    isColumnHidden: (place: number) => boolean,
  ) {
    this.#header = header
    this.#fields = fields
    this.#choice = choice
    const sent = [...header.places].filter(([field]) => fields.shownOnly?.includes(field) !== true)
    this.#columns = new Map(sent.flatMap(([, place]) => (isColumnHidden(place) ? [[place, false]] : [])))
  }

  /** Counts a record. Returns whether it is left out. */
  leavesOut(record: TableRecord): boolean {
    const holdsPayment = record.isHidden === true && this.#holdsPayment(record)
    if (holdsPayment) this.#count(record)
    // A hidden row without a payment has the same faults as a visible one.
    const isLeftOut = record.isHidden === true && (this.#choice === 'skip' || (this.#choice === 'stop' && holdsPayment))
    if (isLeftOut) return true
    for (const place of this.#columns.keys()) {
      if ((record.cells[place] ?? '').trim() !== '') this.#columns.set(place, true)
    }
    return false
  }

  summary(): HiddenSummary {
    const names = columnNames(this.#header.names)
    const columns = [...this.#columns].flatMap(([place, isFilled]) => (isFilled ? [names[place] ?? ''] : []))
    return { rows: this.#rows, cents: this.#cents, isLeftOut: this.#choice === 'skip', columns }
  }

  /** Throws UsageError if something hidden would be sent without an option that allows it. */
  assertAllowed(): void {
    if (this.#choice === 'include') return
    const { rows, cents, columns } = this.summary()
    const [first = ''] = columns
    const hiddenRows = this.#choice === 'stop' && rows > 0
    if (!hiddenRows && columns.length === 0) return
    const columnText =
      columns.length === 1
        ? t`The column \`${first}\` is hidden, but its cells would be sent`
        : t`The columns ${quotedList(columns)} are hidden, but their cells would be sent`
    if (!hiddenRows) {
      throw new UsageError(columnText, {
        details: [t`Nothing was sent`],
        hint: t`Add \`--include-hidden\` to send them, or show the hidden columns in the spreadsheet and save it`,
      })
    }
    throw new UsageError(t`The workbook has ${hiddenRowsText({ rows, cents })}`, {
      details: [this.#rowsText(), ...(columns.length === 0 ? [] : [columnText]), t`Nothing was sent`],
      hint:
        columns.length === 0
          ? t`Add \`--skip-hidden\` to leave out what the spreadsheet does not show, or \`--include-hidden\` to send it`
          : t`Add \`--include-hidden\` to send all of it, or show the hidden columns in the spreadsheet and save it`,
    })
  }

  #holdsPayment({ cells }: TableRecord): boolean {
    const { required, insteadOf, amount = '' } = this.#fields
    const fields = [...required, ...Object.values(insteadOf ?? {}), amount]
    return fields.some((field) => this.#cell(cells, field) !== '')
  }

  #count({ row, cells }: TableRecord): void {
    this.#rows += 1
    this.#cents += tryParseAmount(this.#cell(cells, this.#fields.amount ?? '')) ?? 0
    if (this.#rowNumbers.length < NAMED_ROWS_MAX) this.#rowNumbers.push(row)
  }

  #cell(cells: readonly string[], field: string): string {
    const place = this.#header.places.get(field)
    return place === undefined ? '' : (cells[place] ?? '').trim()
  }

  #rowsText(): string {
    const numbers = this.#rowNumbers.join(', ')
    const unnamed = this.#rows - this.#rowNumbers.length
    if (unnamed > 0) return t`Rows ${numbers} and ${unnamed} more`
    return this.#rows === 1 ? t`Row ${numbers}` : t`Rows ${numbers}`
  }
}

/** `1 hidden row, R$ 20,00`; without a sum if no amount could be read. */
export function hiddenRowsText({ rows, cents }: Pick<HiddenSummary, 'rows' | 'cents'>): string {
  const count = rows === 1 ? t`1 hidden row` : t`${rows} hidden rows`
  return cents === 0 ? count : t`${count}, ${formatReais(cents)}`
}
