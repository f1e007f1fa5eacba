import { formatReais, tryParseAmount } from '../pix/amount.ts'
import { nearestDay } from '../pix/calendar.ts'
import { type MarkReader, markReader, type RowState } from '../pix/rowStates.ts'
import { saysAllSettled } from '../pix/tableTitles.ts'
import { isNameHeading } from '../pix/tableWords.ts'
import {
  type CellFault,
  columnNames,
  quotedList,
  type TableRecord,
  unknownColumn,
} from '../spreadsheet/tableRecords.ts'
import { foldedText } from '../text/foldedText.ts'
import { shellWord } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { type BatchHeader, recordText } from './fileHeader.ts'
import { type PaymentSpec, statedCents } from './paymentRows.ts'

/** How many rows, and the sum of their amounts as far as these are known. */
export interface RowSum {
  rows: number
  cents: number
  /** How many of these rows have no amount that is known. */
  unknownAmounts: number
}

/** The sum of no rows. */
export function noRows(): RowSum {
  return { rows: 0, cents: 0, unknownAmounts: 0 }
}

/** Adds a row to a sum; its amount is null if none is known. */
export function addRow(sum: RowSum, cents: number | null): void {
  sum.rows += 1
  sum.cents += cents ?? 0
  if (cents === null) sum.unknownAmounts += 1
}

/** A number of rows with their sum: `2, R$ 10,00`. */
export function rowSumText(sum: RowSum): string {
  return t`${sum.rows}, ${amountsText(sum)}`
}

/** The sum of some rows, and how many have no amount: `R$ 10,00 and 1 without an amount`. */
export function amountsText({ rows, cents, unknownAmounts }: RowSum): string {
  if (unknownAmounts === 0) return formatReais(cents)
  return unknownAmounts === rows
    ? t`without an amount`
    : t`${formatReais(cents)} and ${unknownAmounts} without an amount`
}

const OPERATORS = /^ ?(!=|<=|>=|=|<|>)(.*)$/s

/** What `--only` demands of the cells of a column. */
class Condition {
  readonly typed: string
  readonly place: number
  /** True if it names the values that are meant, so that they decide; what is left by any other may say what became of a row. */
  readonly decides: boolean
  /** How many rows have each of the first values of the column. */
  readonly seen = new Map<string, { shown: string; rows: number }>()
  readonly #operator: string
  readonly #values: readonly string[]
  readonly #today: string

  /** Throws UsageError for text of another form, for a column that is not there, and for a bound that is neither a day nor an amount. */
  constructor(typed: string, names: readonly string[], today: string) {
    const text = foldedText(typed)
    const [place, rest] =
      columnNames(names)
        .map((name, at) => [at, foldedText(name)] as const)
        .toSorted(([, one], [, other]) => other.length - one.length)
        .flatMap(([at, name]) => {
          const match = text.startsWith(name) ? OPERATORS.exec(text.slice(name.length)) : null
          return match === null ? [] : [[at, match] as const]
        })[0] ?? []
    if (place === undefined) throw unreadableCondition(typed, names)
    const [, operator = '', values = ''] = rest ?? []
    this.typed = typed
    this.place = place
    this.#operator = operator
    this.decides = operator === '='
    this.#values = values.split('|').map((value) => value.trim())
    this.#today = today
    const [bound = ''] = this.#values
    if (/[<>]/.test(operator) && (this.#values.length > 1 || this.#comparable(bound) === undefined)) {
      throw new UsageError(t`\`--only ${typed}\`: \`${values.trim()}\` is neither a day nor an amount`, {
        hint: t`Write it like \`--only ${shellWord(`${columnNames(names)[place] ?? ''}${operator}30/11/2026`)}\`, or with an amount such as \`100,00\``,
      })
    }
  }

  /** Whether a cell is as demanded; undefined for one that is not empty and cannot be compared. */
  holds(cell: string): boolean | undefined {
    const text = foldedText(cell)
    const seen = this.seen.get(text)
    if (seen !== undefined) seen.rows += 1
    else if (this.seen.size < LISTED_VALUES) this.seen.set(text, { shown: cell, rows: 1 })
    if (this.#operator === '=') return this.#isOneOf(text)
    if (this.#operator === '!=') return !this.#isOneOf(text)
    if (text === '') return false
    const bound = this.#comparable(this.#values[0] ?? '')
    const value = this.#comparable(text)
    if (bound === undefined || value === undefined || typeof bound !== typeof value) return undefined
    if (value === bound) return this.#operator.length === 2
    return value < bound === this.#operator.startsWith('<')
  }

  #isOneOf(text: string): boolean {
    if (this.#values.includes(text)) return true
    const value = text === '' ? undefined : this.#comparable(text)
    return value !== undefined && this.#values.some((each) => this.#comparable(each) === value)
  }

  /** The day of a folded text, or its amount in cents, which may be negative. */
  #comparable(text: string): string | number | undefined {
    const day = nearestDay(text, this.#today)
    if (day !== undefined) return day
    const amount = /^[-\u2212(]/.test(text) ? text.replace(/^[-\u2212(]+|\)$/g, '') : text
    const cents = tryParseAmount(amount.trim().toUpperCase(), { zeroAllowed: true })
    return cents === null ? undefined : amount === text ? cents : -cents
  }
}

function unreadableCondition(typed: string, names: readonly string[]): UsageError {
  const [column = '', operator] = typed.split(/[!<>=]/, 2)
  if (operator !== undefined) return unknownColumn(`--only ${typed}`, column.trim(), columnNames(names))
  return new UsageError(t`\`--only ${typed}\` is not a column and what its cells are to be`, {
    hint: t`Write it like \`--only 'Situação=ABERTO'\`; \`A|B\` names several values, \`!=\` leaves rows out, \`<\`, \`<=\`, \`>\` and \`>=\` compare days and amounts`,
  })
}

/** The most different values of a column that are told apart. */
const VALUES_MAX = 40
/** The most different marks of a column that are counted; in a column of names each row may have its own. */
const MARKS_MAX = 1000
const LISTED_VALUES = 12
const YES_OR_NO = /^\W*(?:s|sim|y|yes|n|nao|no|x|true|false|verdadeiro|falso|[01])\W*$/
const LISTED_LINES = 10

/** A sum with the first lines of its rows, or the rows as a spreadsheet counts them. */
interface ValueSum extends RowSum {
  lines: number[]
}

export function noLines(): ValueSum {
  return { ...noRows(), lines: [] }
}

/** The values of a column, and which of them are marks. */
class MarkColumn {
  readonly name: string
  readonly place: number
  readonly marks = new Map<string, ValueSum>()
  /** What is a mark if another row of the column is open. */
  readonly unsure = new Map<string, ValueSum>()
  readonly others = new Map<string, ValueSum>()
  /** Rows with values that are not told apart. */
  readonly rest = noRows()
  readonly #reader: MarkReader
  readonly #today: string
  #hasOpen = false

  constructor(name: string, place: number, reader: MarkReader, today: string) {
    this.name = name
    this.place = place
    this.#reader = reader
    this.#today = today
  }

  /** Counts a row, and says what its cell says of it. */
  add(text: string, line: number, cents: number | null): RowState {
    const state = this.#state(text)
    this.#hasOpen ||= state === 'open'
    const values = state === 'marked' ? this.marks : state === 'unsure' ? this.unsure : this.others
    const sum = values.get(text)
    if (sum !== undefined) addTo(sum, cents, line)
    else if (values.size < (values === this.others ? VALUES_MAX : MARKS_MAX)) {
      const first = noLines()
      values.set(text, first)
      addTo(first, cents, line)
    } else addRow(this.rest, cents)
    return state
  }

  #state(text: string): RowState {
    if (this.marks.has(text)) return 'marked'
    return this.others.has(text) ? 'unknown' : this.#reader(text, this.#today)
  }

  /** When all rows are counted: true if what was unsure is a mark. */
  decideUnsure(): boolean {
    const values = this.#hasOpen ? this.marks : this.others
    for (const [value, sum] of this.unsure) values.set(value, sum)
    return this.#hasOpen
  }

  /** All values with their counts and sums, the marks first and with their lines. */
  text(): string {
    const marked = [...this.marks].map(([value, sum]) => t`${valueText(value, sum)} (${linesText(sum)})`)
    const others = [...this.others].map(([value, sum]) => valueText(value, sum))
    const all = [...marked, ...others]
    const unlisted = [...this.marks.values(), ...this.others.values()].slice(LISTED_VALUES)
    const rest = sumOf([this.rest, ...unlisted])
    const list = all.slice(0, LISTED_VALUES).join('; ')
    return rest.rows === 0
      ? t`\`${this.name}\`: ${list}`
      : t`\`${this.name}\`: ${list}; other values: ${rowSumText(rest)}`
  }

  /** What to type so that only rows with another value are sent, or all of them. */
  hint(): string {
    const ignore = `--ignore-column ${shellWord(this.name)}`
    const [first, ...more] = this.others.keys()
    if (first === undefined && this.marks.size === 1)
      return t`Remove these rows, or add \`${ignore}\` if the words mean nothing`
    // What a yes or a no means is for the office to say.
    const isOnlyOne =
      first !== undefined && !YES_OR_NO.test(foldedText(first)) && more.length === 0 && this.rest.rows === 0
    const only = `--only ${shellWord(`${this.name}=${isOnlyOne ? first : '…'}`)}`
    return isOnlyOne
      ? t`Add \`${only}\` to send only the rows with this value, or \`${ignore}\` if the column means nothing`
      : t`Add \`${only}\` with the values of the rows to send, such as \`A|B\`, or \`${ignore}\` if the column means nothing`
  }
}

/** What a spreadsheet shows in a row and a column: merged cells show theirs in each of their rows. */
function shownIn({ cells, notes }: TableRecord, place: number): string {
  return (notes?.get(place)?.fromAbove ?? cells[place] ?? '').trim()
}

export function addTo(sum: ValueSum, cents: number | null, line: number): void {
  addRow(sum, cents)
  if (sum.lines.length < LISTED_LINES) sum.lines.push(line)
}

function sumOf(sums: readonly RowSum[]): RowSum {
  return sums.reduce(
    (sum, { rows, cents, unknownAmounts }) => ({
      rows: sum.rows + rows,
      cents: sum.cents + cents,
      unknownAmounts: sum.unknownAmounts + unknownAmounts,
    }),
    noRows(),
  )
}

function valueText(value: string, sum: RowSum): string {
  return t`${shownValue(value)} ${rowSumText(sum)}`
}

function shownValue(value: string): string {
  return value === '' ? t`empty` : `\`${value}\``
}

function linesText({ lines, rows }: ValueSum): string {
  const [numbers, more] = [lines.join(', '), rows - lines.length]
  if (more > 0) return t`lines ${numbers} and ${more} more`
  return rows === 1 ? t`line ${numbers}` : t`lines ${numbers}`
}

/** What is to be done with what a file says about its rows. */
export interface MarkChoices {
  /** The values of `--only`. */
  only: readonly string[]
  /** What to do with rows that are struck through. */
  struck: 'stop' | 'include' | 'skip'
  /** In São Paulo, as `2026-11-28`. */
  today: string
}

/**
 * Finds the rows that the file itself calls paid, cancelled or the like, because that is how an office keeps a list of what is to be paid: by a word, or
 * struck through; and those in which the answer to such a question is not understood. Rows that `--only` does not select are not judged, nor are columns that are ignored, of which `--only` names the values, or that pixgate
 * wrote.
 */
export class RowMarks {
  readonly #names: readonly string[]
  readonly #header: BatchHeader
  readonly #spec: PaymentSpec
  readonly #choice: MarkChoices['struck']
  readonly #conditions: readonly Condition[]
  readonly #columns: readonly MarkColumn[]
  readonly #comments: MarkColumn
  /** The places of the cells that strike out their row. */
  readonly #striking: readonly number[]
  readonly #notSelected = noRows()
  readonly #selected = noRows()
  readonly #struck = noLines()
  /** Rows of which a rule of the workbook says whether they are struck through. */
  readonly #perhapsStruck = noLines()
  readonly #marked = noRows()
  /** The rows of which nothing but these columns may say it. */
  readonly #unsure = new Map<string, { columns: readonly MarkColumn[]; sum: RowSum }>()

  /** Throws UsageError for what is wrong with a value of `--only`. */
  constructor(
    header: BatchHeader,
    spec: PaymentSpec,
    kind: 'transfer' | 'refund',
    ignored: ReadonlySet<number>,
    { only, struck, today }: MarkChoices,
  ) {
    const { places, names, results } = header
    this.#header = header
    this.#names = columnNames(names)
    this.#spec = spec
    this.#choice = struck
    this.#conditions = only.map((typed) => new Condition(typed, names, today))
    const unjudged = new Set([
      ...ignored,
      ...(results?.added ?? []),
      ...this.#conditions.filter(({ decides }) => decides).map(({ place }) => place),
      // What is read as something else says that, whatever it is called.
      ...[...places].flatMap(([field, place]) => (field === spec.shownOnly ? [] : [place])),
    ])
    this.#columns = this.#names.flatMap((name, place) =>
      unjudged.has(place) ? [] : [new MarkColumn(name, place, markReader(kind, names, place), today)],
    )
    this.#comments = new MarkColumn(t`Comments`, names.length, markReader(kind, [''], 0), today)
    this.#striking = [...names.keys()].filter(
      (place) =>
        [...spec.needed.flat(), spec.amount, spec.shownOnly].some((field) => places.get(field ?? '') === place) ||
        isNameHeading(names[place] ?? ''),
    )
  }

  /** Whether a row is to be sent as far as the file says; a fault if that cannot be told. */
  takes(record: TableRecord): boolean | CellFault {
    // Of a row with too many cells, or too few, none can be trusted.
    if (record.cells.length !== this.#names.length) return true
    const cents = statedCents(this.#header, record.cells, this.#spec)
    const verdicts = this.#conditions.map((each) => each.holds(shownIn(record, each.place)))
    if (verdicts.includes(false)) {
      addRow(this.#notSelected, cents)
      return false
    }
    const unread = this.#conditions[verdicts.indexOf(undefined)]
    if (unread !== undefined) return this.#unreadFault(record, unread)
    addRow(this.#selected, cents)
    const isStruck = this.#striking.some((place) => record.notes?.get(place)?.isStruck)
    if (isStruck) addTo(this.#struck, cents, record.row)
    if (isStruck && this.#choice === 'skip') return false
    const isUnclear =
      !isStruck &&
      this.#choice !== 'include' &&
      this.#striking.some((place) => record.notes?.get(place)?.isPerhapsStruck)
    if (isUnclear) addTo(this.#perhapsStruck, cents, record.row)
    const states = this.#columns.map((column) => column.add(shownIn(record, column.place), record.line, cents))
    for (const comment of record.comments ?? []) states.push(this.#comments.add(comment, record.line, cents))
    const unsure = this.#columns.filter((_, at) => states[at] === 'unsure')
    if (states.includes('marked') || isUnclear || (isStruck && this.#choice === 'stop')) addRow(this.#marked, cents)
    else if (unsure.length > 0) this.#addUnsure(unsure, cents)
    return true
  }

  #addUnsure(columns: readonly MarkColumn[], cents: number | null): void {
    const names = columns.map(({ place }) => place).join()
    const sum = this.#unsure.get(names)?.sum ?? noRows()
    this.#unsure.set(names, { columns, sum })
    addRow(sum, cents)
  }

  /** Rows that are not sent, or sent although they are struck through. */
  summary() {
    return {
      /** Null if `--only` was not given. */
      notSelected: this.#conditions.length === 0 ? null : this.#notSelected,
      struck: this.#struck,
      isStruckLeftOut: this.#choice === 'skip',
    }
  }

  /** Throws UsageError if `--only` selects no row, if a row that would be sent is marked, or if the file has titles that say it of all its rows. */
  assertAllowed(titles: readonly SettledTitle[]): void {
    if (this.#selected.rows === 0 && this.#notSelected.rows > 0) throw this.#nothingSelected()
    const decided = new Set(this.#columns.filter((column) => column.decideUnsure()))
    const unsure = [...this.#unsure.values()].flatMap(({ columns, sum }) =>
      columns.some((each) => decided.has(each)) ? [sum] : [],
    )
    const settled = titles.length > 0 ? this.#selected : sumOf([this.#marked, ...unsure])
    if (settled.rows === 0) return
    const causes: SettledTitle[] = [
      ...titles,
      ...this.#columns
        .filter(({ marks }) => marks.size > 0)
        .map((column) => ({ details: [column.text()], hint: column.hint() })),
    ]
    if (this.#choice === 'stop' && this.#struck.rows > 0) {
      causes.push({
        details: [t`Struck through: ${rowSumText(this.#struck)} (${linesText(this.#struck)})`],
        hint: t`Add \`--skip-struck\` to leave out what is struck through, or \`--include-struck\` to send it`,
      })
    }
    const perhaps = this.#perhapsStruck
    if (perhaps.rows > 0) {
      causes.push({
        details: [t`Perhaps struck through, by a conditional format: ${rowSumText(perhaps)} (${linesText(perhaps)})`],
        hint: t`Leave out with \`--only\` what is not to be sent, and add \`--include-struck\` to send the rest`,
      })
    }
    if (this.#comments.marks.size > 0) {
      const hint = t`Remove these rows, or the comments if they mean nothing`
      causes.push({ details: [this.#comments.text()], hint })
    }
    throw new UsageError(
      settled.rows === 1
        ? t`By the file itself 1 row is paid, cancelled, struck through, not by PIX or not clearly open, ${amountsText(settled)}`
        : t`By the file itself ${settled.rows} rows are paid, cancelled, struck through, not by PIX or not clearly open, ${amountsText(settled)}`,
      {
        code: 'FILE_MARKS',
        details: [
          ...causes.flatMap(({ details }) => details),
          t`Columns of the file: ${quotedList(this.#names)}`,
          t`Nothing was sent`,
        ],
        hint: causes.map(({ hint }) => hint).join('. '),
      },
    )
  }

  #unreadFault(record: TableRecord, { place, typed }: Condition): CellFault {
    const { line, row } = record
    const cell = shownIn(record, place)
    const message = t`\`${cell}\` cannot be compared as \`--only ${typed}\` demands: correct the cell, or leave it empty`
    return { line, row, column: this.#names[place] ?? '', message }
  }

  #nothingSelected(): UsageError {
    const typed = this.#conditions.map((each) => `\`--only ${each.typed}\``).join(', ')
    return new UsageError(t`No row of the file is selected by ${typed}`, {
      details: this.#conditions.map(({ place, seen }) => {
        const values = [...seen.values()].map(({ shown, rows }) => `${shownValue(shown)} ${rows}`)
        return t`\`${this.#names[place] ?? ''}\`: ${values.join('; ')}`
      }),
      hint: t`Name the values of the rows to send, as the column has them`,
    })
  }
}

/** Words beside the table of a file that say of all its rows that they are settled, and what to do about them. */
interface SettledTitle {
  details: readonly string[]
  hint: string
}

/**
 * The words around a table that say that all its rows are settled. The name of a sheet that was typed is none, nor are the lines above a header that was typed:
 * a person knows them. `otherSheets` are sentences about the sheets that are not read.
 */
export function settledTitles(
  kind: 'transfer' | 'refund',
  {
    sheet,
    above,
    below,
    headerRow,
    otherSheets,
  }: {
    sheet: string | null
    above: readonly TableRecord[]
    below: readonly TableRecord[]
    headerRow: number
    otherSheets: readonly string[]
  },
): SettledTitle[] {
  const isSettled = (record: TableRecord) => saysAllSettled(recordText(record), kind)
  const lineText = (record: TableRecord) => t`Line ${record.line}: \`${recordText(record)}\``
  const [over, under] = [above.filter(isSettled), below.filter(isSettled)]
  return [
    ...(sheet !== null && saysAllSettled(sheet, kind)
      ? [
          {
            details: [t`The sheet is called \`${sheet}\``, ...otherSheets],
            hint: t`Name the sheet that is to be paid with \`--sheet\`, or add \`--sheet ${shellWord(sheet)}\` if its name means nothing`,
          },
        ]
      : []),
    ...(over.length === 0
      ? []
      : [
          {
            details: over.map(lineText),
            hint: t`Correct what is above the header, or add \`--header-row ${headerRow}\` if it means nothing`,
          },
        ]),
    ...(under.length === 0
      ? []
      : [{ details: under.map(lineText), hint: t`Remove what is below the rows if it means nothing` }]),
  ]
}
