import { tryParseAmount } from '../pix/amount.ts'
import { columnNames, type FieldNames, type FileHeader, quotedList } from '../spreadsheet/header.ts'
import { shellWord } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { type BatchHeader, likelyColumn } from './fileHeader.ts'

/** Columns of a file of which every cell that is not empty is an amount. */
export interface AmountColumns {
  /** Those with decimals or `R$` in at least one cell. */
  money: readonly string[]
  /** Those with whole numbers only, which may as well be counts or codes. */
  wholeNumbers: readonly string[]
}

interface Column {
  hasCells: boolean
  isMoney: boolean
}

/** Finds the columns of amounts among those at the given places, from the rows that are added. */
export class AmountColumnScan {
  readonly #names: readonly string[]
  readonly #columns: Map<number, Column>

  constructor(names: readonly string[], places: readonly number[]) {
    this.#names = names
    this.#columns = new Map(places.map((place) => [place, { hasCells: false, isMoney: false }]))
  }

  /** True if no column can hold amounts any more, which mostly is known after the first row. */
  get isDone(): boolean {
    return this.#columns.size === 0
  }

  add(cells: readonly string[]): void {
    if (cells.length === this.#names.length) judgeCells(this.#columns, cells)
  }

  found(): AmountColumns {
    const shown = columnNames(this.#names)
    const listOf = (isMoney: boolean) =>
      [...this.#columns]
        .filter(([, column]) => column.hasCells && column.isMoney === isMoney)
        .map(([place]) => shown[place] ?? '')
    return { money: listOf(true), wholeNumbers: listOf(false) }
  }
}

/**
 * Rejects a file with amounts that would not be used, because a column under an unexpected name is the likeliest way to
 * pay or return another amount than meant. Throws UsageError.
 */
export function assertAmountsUsed(header: FileHeader, { money }: AmountColumns, fields: FieldNames): void {
  if (money.length === 0) return
  const message =
    money.length === 1
      ? t`The column ${quotedList(money)} holds amounts, but it is not used`
      : t`The columns ${quotedList(money)} hold amounts, but they are not used`
  throw new UsageError(message, { hint: unusedHint(header, money, fields.amount ?? '') })
}

/** Rejects a refund file without amounts unless `isFull`. Columns at the places `ignored` are not asked about. Throws UsageError. */
export function assertAmountsPresent(
  header: BatchHeader,
  { wholeNumbers }: AmountColumns,
  { isFull, ignored }: { isFull: boolean; ignored: ReadonlySet<number> },
): void {
  if (header.places.has('amount')) return
  const likely = likelyColumn(header, 'amount', ignored)
  if (likely !== undefined) {
    throw new UsageError(t`The header has no column \`amount\`, but \`${likely}\` looks like one`, {
      hint: t`Add \`--map ${shellWord(`amount=${likely}`)}\` if it holds the amounts to return, or \`--ignore-column ${shellWord(likely)}\` if it does not`,
    })
  }
  if (isFull) return
  const [column] = wholeNumbers
  throw new UsageError(t`The file has no column \`amount\``, {
    hint:
      column === undefined
        ? t`Add a column \`amount\`, or add \`--full\` to refund all that is left of each payment`
        : t`Add \`--map ${shellWord(`amount=${column}`)}\` if it holds the amounts; add \`--full\` only to refund all that is left of each payment`,
  })
}

function unusedHint(header: FileHeader, money: readonly string[], field: string): string {
  const options = money.map((column) => `--ignore-column ${shellWord(column)}`).join(' ')
  const place = header.places.get(field)
  if (place !== undefined) {
    return t`Check that \`${header.names[place] ?? field}\` holds the right amounts, then add \`${options}\``
  }
  const [column = ''] = money
  if (money.length === 1) {
    return t`Add \`--map ${shellWord(`${field}=${column}`)}\` if it holds the amounts to return, or \`${options}\` if it does not`
  }
  return t`Add \`--map ${shellWord(`${field}=${column}`)}\` for the one that holds the amounts to return, and \`--ignore-column\` for the others`
}

function judgeCells(columns: Map<number, Column>, cells: readonly string[]): void {
  for (const [place, column] of columns) {
    const text = (cells[place] ?? '').trim()
    if (text === '') continue
    if (!isAmount(text)) {
      columns.delete(place)
      continue
    }
    column.hasCells = true
    column.isMoney ||= /^R\$|[.,]\d{1,2}$/.test(text)
  }
}

function isAmount(text: string): boolean {
  return /^(?:R\$\s?)?\d[\d.,]*$/.test(text) && tryParseAmount(text, { zeroAllowed: true }) !== null
}
