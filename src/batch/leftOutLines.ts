import { formatReais, tryParseAmount } from '../pix/amount.ts'
import {
  cellName,
  cellOf,
  columnNames,
  type FileHeader,
  holdsOther,
  quotedList,
  type TableRecord,
} from '../spreadsheet/tableRecords.ts'
import { foldedText } from '../text/foldedText.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { isTarget, linesText } from './fileHeader.ts'
import { type PaymentSpec, statedCents } from './paymentRows.ts'
import { addTo, amountsText, noLines, type RowSum } from './rowMarks.ts'

/** No more lines are taken for a footer, so that memory does not grow with the file. */
const LINES_MAX = 50
/** A CPF, a phone number or the like has this many digits. */
const KEY_DIGITS_MIN = 8
const DATES_AND_TIMES =
  /\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[/.-]\d{1,2}[/.-](?:\d{4}|\d{2})\b|\b\d{1,2}(?::|h)\d{2}(?::\d{2})?\b/g
/** A line to sign on, or between two parts. */
const RULE = /^[\s_.=*–—-]{3,}$/
/** What is written below a table, as {@link foldedText} gives it; never the beginning of a name. */
const NOTE = new RegExp(
  [
    '^(?:gerad|emitid|impress|elaborad|preparad|exportad|atualizad|extraid|aprovad|autorizad|conferid|assinad)[oa] (?:em|por|pel[oa])\\b',
    '^(?:generated|created|printed|prepared|exported|updated|approved|checked|signed) (?:on|at|by)\\b',
    '^(?:obs|observac(?:ao|oes)|notas?|assinatura|responsavel|visto|fonte|notes?|remarks?|signature|source)\\s*[:.]',
    '^(?:pagina|page) \\d',
  ].join('|'),
)

/**
 * Finds the lines below the last payment that are left out: a note, a signature, when the file was made. Such a line has text in its first
 * cell only, and neither a key nor an amount. Directly below a row, where it could be a payment that is not filled in, it must also read like
 * a note; below an empty line or a total any words will do. What payments follow is none, and stays a fault.
 */
export class FooterLines {
  /** Those that were taken. */
  readonly lines: TableRecord[] = []
  readonly #place: number
  readonly #spec: PaymentSpec
  #row: number
  #isBelowTotal = false

  constructor({ names, record }: FileHeader & { record: TableRecord }, spec: PaymentSpec) {
    this.#place = Math.max(
      0,
      names.findIndex((name) => name !== ''),
    )
    this.#spec = spec
    this.#row = record.row
  }

  /** True if a record may be a footer: it is held back, and is one unless `release` gives it back. */
  takes(record: TableRecord): boolean {
    const isApart = record.row > this.#row + 1 || this.#isBelowTotal || this.lines.length > 0
    const text = this.#onlyText(record)
    const isFooter = text !== undefined && this.lines.length < LINES_MAX && isFooterText(text, isApart, this.#spec)
    if (isFooter) {
      this.lines.push(record)
      this.#row = record.row
    }
    return isFooter
  }

  /** Notes a record that is no footer. */
  pass({ row }: TableRecord, isTotal: boolean): void {
    this.#row = row
    this.#isBelowTotal = isTotal
  }

  /** The lines that were taken, if a payment follows them. */
  release(): TableRecord[] {
    return this.lines.splice(0)
  }

  /** The text of a record that has nothing but text in its first cell; undefined for any other. */
  #onlyText(record: TableRecord): string | undefined {
    if (holdsOther(record)) return undefined
    const { cells } = record
    const filled = cells.flatMap((cell, place) => (cell.trim() === '' ? [] : [place]))
    const text = (cells[this.#place] ?? '').trim()
    return filled.length === 1 && filled[0] === this.#place && tryParseAmount(text) === null ? text : undefined
  }
}

/** A sentence about the lines below the payments, which are not read; none if there are none. */
export function footerRemark(lines: readonly TableRecord[]): string[] {
  return lines.length === 0 ? [] : [t`The lines below the payments are not read: ${linesText(lines)}`]
}

function isFooterText(text: string, isApart: boolean, spec: PaymentSpec): boolean {
  const folded = foldedText(text)
  if (RULE.test(text)) return true
  if (/tota|soma/.test(folded) || holdsTarget(text, spec) || holdsAmount(text)) return false
  const words = folded.match(/[a-z]{2,}/g) ?? []
  const dates = folded.match(DATES_AND_TIMES) ?? []
  if (NOTE.test(folded) || (dates.length > 0 && words.length >= 2)) return true
  // `NF 1043` may be the beginning of a payment.
  return isApart && words.length >= (/\d/.test(folded) ? 3 : 1)
}

/** True if a part of the text could be a PIX key or the id of a payment. */
function holdsTarget(text: string, spec: PaymentSpec): boolean {
  const plain = text.replace(DATES_AND_TIMES, ' ')
  const digits = plain.match(/\d/g) ?? []
  const parts = text.split(/[\s,;:()]+/)
  return /@/.test(plain) || digits.length >= KEY_DIGITS_MIN || [text, ...parts].some((part) => isTarget(part, spec))
}

function holdsAmount(text: string): boolean {
  return /r\$/i.test(text) || /\d[.,]\d{1,2}(?!\d)/.test(text.replace(DATES_AND_TIMES, ' '))
}

/** A line that is left out, because it is the total of the rows above it. */
export interface TotalLine {
  line: number
  /** As it is in the file. */
  label: string
  cents: number
  /** Of which rows: of all above it, of those that are not hidden, or of those since the subtotal above; null if it is none of these sums. */
  sumOf: 'all' | 'visible' | 'part' | null
}

/** Sums of the rows above a total, in cents; null if a row has no amount that can be read. */
interface Sums {
  all: number | null
  visible: number | null
}

const NO_SUMS: Sums = { all: 0, visible: 0 }

const OF_WHAT =
  '(?: (?:geral|parcial|liquido|a pagar|a transferir|a devolver|pago|em r\\$|r\\$|d[aeo]s? (?:pagamentos?|valores|folha|lote|dia|mes|periodo|fornecedores|salarios|transferencias|devolucoes|estornos)))*'
/** The label of a total, alone or with its amount in the same cell. A name such as `Total Serviços Ltda` is not one. */
const LABEL = new RegExp(
  `^(?:valor )?(sub ?-?total|total|totais|soma|somatorio)${OF_WHAT}[ .:=-]*(?:r\\$)? ?([\\d.,]+)?$`,
)
/** How any other label of a total begins: `Total do setor de obras`, `Total: 3 empregados`. Beside the sum of the rows above it is one; `Total Clean` is a name. */
const LABEL_OF_PART =
  /^(?:sub ?-?total|total|totais|soma|somatorio)\b(?=.*[\d:=(]| ?[-\u2013]| (?:geral|d[aeo]s?|por)\b)/
const TOTAL_LETTERS = /tota|soma/i
const TOTAL_WORD = /\b(?:sub ?-?total|total|totais|soma)\b/

/** Finds the lines of totals among the records below a header, and compares each with the sum of the rows above it. */
export class TotalLines {
  /** The totals, which are left out. */
  readonly lines: TotalLine[] = []
  readonly #header: FileHeader
  readonly #spec: PaymentSpec
  readonly #targets: readonly string[]
  #above = NO_SUMS
  #sinceSubtotal = NO_SUMS
  /** What is wrong with the first total that is not the sum of the rows above it. */
  #difference: UsageError | undefined
  /** What is wrong with the first of these above which each row has an amount. */
  #comparableDifference: UsageError | undefined

  constructor(header: FileHeader, spec: PaymentSpec) {
    this.#header = header
    this.#spec = spec
    this.#targets = spec.needed[0] ?? []
  }

  /**
   * True if the record is a total: it has a label for it, and no key. Any other record is added to the sum. One that has a key is never a
   * total.
   */
  takes(record: TableRecord): boolean {
    const label = this.#labelOf(record)
    if (label === undefined) this.#add(record)
    else this.#compare(record, label)
    return label !== undefined
  }

  #compare(record: TableRecord, label: string): void {
    const folded = foldedText(label)
    const isSubtotal = folded.startsWith('sub') || !LABEL.test(folded)
    const cents = this.#amountOf(record)
    const [above, part] = [this.#above, isSubtotal ? this.#sinceSubtotal : this.#above]
    const sumOf =
      cents === above.all
        ? 'all'
        : cents === part.all
          ? 'part'
          : [above.visible, part.visible].includes(cents)
            ? 'visible'
            : null
    const { line } = record
    if (cents === null || sumOf === null) {
      const failure = differentTotal(line, label, cents, part)
      this.#difference ??= failure
      if (cents === null || part.all !== null) this.#comparableDifference ??= failure
    }
    this.lines.push({ line, label, cents: cents ?? 0, sumOf })
    if (isSubtotal) this.#sinceSubtotal = NO_SUMS
  }

  /** What may be wrong with a record without a key, if it looks like a total; undefined if it does not. */
  adviceFor({ cells }: TableRecord): string | undefined {
    if (this.#targets.some((field) => cellOf(this.#header, cells, field) !== '')) return undefined
    const cents = statedCents(this.#header, cells, this.#spec)
    // The record itself was added.
    const isSum = cents !== null && this.#above.all === 2 * cents
    return isSum || cells.some((cell) => TOTAL_WORD.test(foldedText(cell)))
      ? t`If it is a total, write \`TOTAL\` in an empty cell of the line`
      : undefined
  }

  /**
   * Throws UsageError for the first total that is not the sum of the rows above it. One that cannot be compared does not matter if rows that are not
   * to be sent could not be read.
   */
  assertEqual(isRead: boolean): void {
    const failure = isRead ? this.#difference : this.#comparableDifference
    if (failure !== undefined) throw failure
  }

  #labelOf({ cells }: TableRecord): string | undefined {
    // Most rows hold no such word, and folding each of their cells would take longer than reading them.
    const words = cells.filter((cell) => TOTAL_LETTERS.test(cell))
    const label = (
      words.find((cell) => LABEL.test(foldedText(cell))) ??
      words.find((cell) => LABEL_OF_PART.test(foldedText(cell)) && this.#isSum(cells))
    )?.trim()
    if (label === undefined) return undefined
    const hasTarget = this.#targets.some((field) => {
      const target = cellOf(this.#header, cells, field)
      return target !== '' && target !== label && tryParseAmount(target) === null
    })
    return hasTarget ? undefined : label
  }

  #isSum(cells: readonly string[]): boolean {
    const cents = tryParseAmount(cellOf(this.#header, cells, this.#spec.amount))
    const sums = [this.#above, this.#sinceSubtotal].flatMap(({ all, visible }) => [all, visible])
    return cents !== null && sums.includes(cents)
  }

  /** The amount of a total: that in the column of amounts, else the only one in the line, which may be behind its label. */
  #amountOf({ cells }: TableRecord): number | null {
    const cents = tryParseAmount(cellOf(this.#header, cells, this.#spec.amount), { zeroAllowed: true })
    if (cents !== null) return cents
    const amounts = cells.flatMap((cell) => {
      const text = LABEL.exec(foldedText(cell))?.[2] ?? cell.trim()
      return tryParseAmount(text, { zeroAllowed: true }) ?? []
    })
    return amounts.length === 1 ? (amounts[0] ?? null) : null
  }

  #add({ cells, isHidden }: TableRecord): void {
    const cents = statedCents(this.#header, cells, this.#spec)
    const plus = (sum: number | null) => (sum === null || cents === null ? null : sum + cents)
    const add = ({ all, visible }: Sums): Sums => ({
      all: plus(all),
      visible: isHidden === true ? visible : plus(visible),
    })
    this.#above = add(this.#above)
    this.#sinceSubtotal = add(this.#sinceSubtotal)
  }
}

function differentTotal(line: number, label: string, cents: number | null, { all, visible }: Sums): UsageError {
  if (cents === null) {
    return new UsageError(t`Line ${line} is labelled \`${label}\`, but it is not clear which amount is the total`, {
      details: [t`Nothing was sent`],
      hint: t`Write the total in the column of the amounts, or delete line ${line}`,
    })
  }
  const total = t`Line ${line}, ${label}: ${formatReais(cents)}`
  if (all === null) {
    return new UsageError(t`The total on line ${line} cannot be compared, because rows above it have no amount`, {
      details: [total, t`Nothing was sent`],
      hint: t`Write the amounts of these rows, or delete line ${line}`,
    })
  }
  const hidden =
    visible === null || visible === all ? [] : [t`Sum of those that are not hidden: ${formatReais(visible)}`]
  return new UsageError(t`The total on line ${line} differs from the sum of the rows above it`, {
    details: [
      total,
      t`Sum of the rows above it: ${formatReais(all)}`,
      ...hidden,
      cents > all
        ? t`The total is ${formatReais(cents - all)} more than the sum`
        : t`The total is ${formatReais(all - cents)} less than the sum`,
      t`Nothing was sent`,
    ],
    hint: t`Compare the rows with the total, correct the file, and send it again`,
  })
}

/** What to do with what a spreadsheet does not show: stop, send it too, or leave the hidden rows out. */
export type HiddenChoice = 'stop' | 'include' | 'skip'

const COVERED_MAX = 10

/** Finds the hidden payments among the records of a workbook, because an office hides or filters out what it does not want to pay. */
export class HiddenCells {
  readonly #header: FileHeader
  readonly #spec: PaymentSpec
  readonly #choice: HiddenChoice
  /** The places of hidden columns that are sent; true if one of their cells is not empty. */
  readonly #columns: Map<number, boolean>
  readonly #sent: readonly number[]
  /** Sentences about the first cells that are below merged ones. */
  readonly #covered: string[] = []
  #coveredCount = 0
  /** True if such a cell is in a row of which something is shown. */
  #isPartlyCovered = false
  readonly #rows = noLines()

  constructor(header: FileHeader, spec: PaymentSpec, choice: HiddenChoice, isColumnHidden: (place: number) => boolean) {
    this.#header = header
    this.#spec = spec
    this.#choice = choice
    this.#sent = [...header.places].flatMap(([field, place]) => (field === spec.shownOnly ? [] : [place]))
    this.#columns = new Map(this.#sent.flatMap((place) => (isColumnHidden(place) ? [[place, false]] : [])))
  }

  /** Counts a record. Returns whether it is left out. */
  leavesOut(record: TableRecord): boolean {
    const holdsPayment = record.isHidden === true && this.#holdsPayment(record)
    if (holdsPayment) addTo(this.#rows, statedCents(this.#header, record.cells, this.#spec), record.row)
    for (const [place, { coveredBy }] of record.notes ?? [])
      if (coveredBy !== undefined) this.#countCovered(record, place, coveredBy)
    // A hidden row without a payment has the same faults as a visible one.
    const isLeftOut = record.isHidden === true && (this.#choice === 'skip' || (this.#choice === 'stop' && holdsPayment))
    if (isLeftOut) return true
    for (const place of this.#columns.keys()) {
      if ((record.cells[place] ?? '').trim() !== '') this.#columns.set(place, true)
    }
    return false
  }

  /** The hidden rows that hold a payment, and the names of the hidden columns whose cells would be sent. */
  summary() {
    const names = columnNames(this.#header.names)
    const columns = [...this.#columns].flatMap(([place, isFilled]) => (isFilled ? [names[place] ?? ''] : []))
    return { ...this.#rows, isLeftOut: this.#choice === 'skip', columns }
  }

  /** Throws UsageError if something hidden would be sent without an option that allows it. */
  assertAllowed(): void {
    if (this.#choice === 'include') return
    const hidden = this.summary()
    const { columns } = hidden
    const hasRows = this.#choice === 'stop' && hidden.rows > 0
    const [message, ...more] = [
      ...(hasRows ? [t`The workbook has ${hiddenRowsText(hidden)}`] : []),
      ...columnsSentence(columns),
      ...(this.#isPartlyCovered ? [this.#coveredSentence()] : []),
    ]
    if (message === undefined) return
    throw new UsageError(message, {
      details: [...(hasRows ? [this.#rowsText()] : []), ...more, ...this.#covered, t`Nothing was sent`],
      hint: this.#hint(columns.length > 0),
    })
  }

  #hint(hasColumns: boolean): string {
    if (hasColumns)
      return t`Add \`--include-hidden\` to send all of it, or show the hidden columns in the spreadsheet and save it`
    return this.#isPartlyCovered
      ? t`Separate the merged cells in the spreadsheet, correct what is below and save it, or add \`--include-hidden\` to send what is not shown`
      : t`Add \`--skip-hidden\` to leave out what the spreadsheet does not show, or \`--include-hidden\` to send it`
  }

  #countCovered({ row, cells, isHidden }: TableRecord, place: number, merged: string): void {
    if (!this.#sent.includes(place)) return
    this.#coveredCount += 1
    this.#isPartlyCovered ||= isHidden !== true
    if (this.#covered.length === COVERED_MAX) return
    const name = cellName(place, row)
    this.#covered.push(
      t`\`${name}\` is not shown, because it is below the merged cells \`${merged}\`; it holds \`${cells[place] ?? ''}\``,
    )
  }

  #coveredSentence(): string {
    return this.#coveredCount === 1
      ? t`One cell is below merged cells and is not shown, but would be sent`
      : t`${this.#coveredCount} cells are below merged cells and are not shown, but would be sent`
  }

  #holdsPayment({ cells }: TableRecord): boolean {
    const { needed, amount } = this.#spec
    return [...needed.flat(), amount].some((field) => cellOf(this.#header, cells, field) !== '')
  }

  #rowsText(): string {
    const { rows, lines } = this.#rows
    const numbers = lines.join(', ')
    const unnamed = rows - lines.length
    if (unnamed > 0) return t`Rows ${numbers} and ${unnamed} more`
    return rows === 1 ? t`Row ${numbers}` : t`Rows ${numbers}`
  }
}

function columnsSentence(columns: readonly string[]): string[] {
  const [first] = columns
  if (first === undefined) return []
  return columns.length === 1
    ? [t`The column \`${first}\` is hidden, but its cells would be sent`]
    : [t`The columns ${quotedList(columns)} are hidden, but their cells would be sent`]
}

/** `1 hidden row, R$ 20,00`. */
export function hiddenRowsText(sum: RowSum): string {
  const count = sum.rows === 1 ? t`1 hidden row` : t`${sum.rows} hidden rows`
  return t`${count}, ${amountsText(sum)}`
}
