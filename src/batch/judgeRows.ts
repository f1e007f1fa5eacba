import { formatReais, tryParseAmount } from '../pix/amount.ts'
import { type ReferenceColumns, referenceIn } from '../pix/tableWords.ts'
import {
  type BrokenRecord,
  brokenFault,
  type CellFault,
  cellName,
  cellOf,
  columnNames,
  type FileHeader,
  quotedList,
  RowCells,
  type TableRecord,
} from '../spreadsheet/tableRecords.ts'
import { foldedText } from '../text/foldedText.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { type AmountColumnScan, type BatchHeader, isTarget, linesText } from './fileHeader.ts'
import {
  type FindOriginal,
  type FindPayee,
  type FoundPayee,
  PAYMENT_TABLES,
  type PaymentSpec,
  type RefundDefaults,
  readRefundRow,
  readTransferRow,
  statedCents,
} from './paymentRows.ts'
import type { RowFacts, RowIds } from './rowIds.ts'
import { addRow, amountsText, noRows, type RowMarks, type RowSum } from './rowMarks.ts'
import { type CarriedColumns, type ElsewhereOutcome, type FindPayments, resultRowId } from './rowResults.ts'

/**
 * A row that can be sent. `id` is the externalId of a transfer, or identifies a refund within its reference. `cells` are all the cells of
 * the row, in the order of the file's columns.
 */
export type ValidRow = RowFacts & { line: number; row: number; id: string; cells: readonly string[] }

/**
 * A row, or what is wrong with it. One that is held is in the file and not sent, also because its results file says what became of the payment of
 * another machine.
 */
export type JudgedRow =
  | { row: ValidRow; faults: null; isHeld?: boolean; elsewhere?: ElsewhereOutcome }
  | { row: null; faults: CellFault[] }

interface RowReading {
  kind: 'transfer' | 'refund'
  ids: RowIds
  findPayments: FindPayments
  findPayee: FindPayee
  findOriginal: FindOriginal
  /** The cells of a record that belong to its run. */
  cellsOf: CarriedColumns['cellsOf']
  defaults: RefundDefaults
  /** The columns of references that must not be repeated; null if they may be. */
  references: ReferenceColumns | null
}

interface RecordWatch {
  scan: AmountColumnScan
  hidden: HiddenCells
  totals: TotalLines
  footers: FooterLines
  marks: RowMarks
}

/** Judges the records below a header, one after another. */
export async function* judgeRows(
  records: AsyncIterable<TableRecord | BrokenRecord>,
  header: BatchHeader,
  watch: RecordWatch,
  reading: RowReading,
): AsyncGenerator<JudgedRow> {
  const { totals, hidden, footers } = watch
  for await (const record of records) {
    if ('message' in record) {
      yield { row: null, faults: [brokenFault(record, header.names)] }
    } else if (record.line > header.record.line && !footers.takes(record)) {
      const isTotal = totals.takes(record)
      footers.pass(record, isTotal)
      if (isTotal) continue
      for (const line of footers.release()) yield await judgeRecord(line, header, watch, reading)
      const isLeftOut = hidden.leavesOut(record)
      const judged = await judgeRecord(record, header, watch, reading, isLeftOut)
      if (!isLeftOut || judged.row !== null || judged.faults.length > 0) yield judged
    }
  }
}

/** Judges a record; one that is left out is hidden, and its file holds it all the same. */
async function judgeRecord(
  record: TableRecord,
  header: BatchHeader,
  { scan, totals, footers, marks }: RecordWatch,
  reading: RowReading,
  isLeftOut = false,
): Promise<JudgedRow> {
  if (!isLeftOut && !scan.isDone) scan.add(record.cells)
  const taken = isLeftOut ? false : marks.takes(record)
  const cells = new RowCells(record, header)
  const read = cells.isRagged ? undefined : await readRow(record, cells, header, reading)
  const isHeld = taken === false || read?.elsewhere !== undefined
  const clashes = cells.isRagged ? [] : clashesOf(record, cells, read, isHeld, reading)
  // What is wrong with a row that is not sent does not matter, only what it shares with one that is.
  const found = [...(typeof taken === 'object' ? [taken] : []), ...(isHeld ? [] : cells.faults), ...clashes]
  // The spreadsheet does not show where the fault is.
  const faults =
    record.isHidden === true
      ? found.map((fault) => ({ ...fault, message: t`In a hidden row: ${fault.message}` }))
      : found
  if (faults.length > 0) {
    const advice =
      taken === true
        ? (totals.adviceFor(record) ?? footers.adviceFor(record) ?? adviceBelow(header, record, reading.kind))
        : undefined
    return { row: null, faults: advised(faults, advice) }
  }
  if (read === undefined) return { row: null, faults }
  const { facts, id } = read
  const elsewhere = taken === false ? undefined : read.elsewhere
  // A copy of the facts with these would take longer than all the rest of a row.
  const row = Object.assign(facts, { line: record.line, row: record.row, id, cells: reading.cellsOf(record.cells) })
  return { row, faults: null, isHeld, ...(elsewhere === undefined ? {} : { elsewhere }) }
}

/** What to do with the line below a header that has neither a key nor an amount: in templates of banks it says how to fill in each column. */
function adviceBelow(header: BatchHeader, { row, cells }: TableRecord, kind: RowReading['kind']): string | undefined {
  const isNext = row === header.record.row + 1
  const holdsPayment = cells.some(
    (cell) => isTarget(cell, PAYMENT_TABLES[kind]) || tryParseAmount(cell.trim()) !== null,
  )
  return isNext && !holdsPayment ? t`If the line only explains the columns, delete it` : undefined
}

/** Faults for what a row shares with an earlier one, of which at least one is sent: its id, the charge that it pays, or its reference, destination and amount. */
function clashesOf(
  { row, line, cells: texts }: TableRecord,
  cells: RowCells,
  read: ReadRow | undefined,
  isHeld: boolean,
  { ids, references, cellsOf }: RowReading,
): CellFault[] {
  const place = { line, isHeld }
  const fault = (column: string, message: string): CellFault => ({ row, line, column, message })
  const id = read?.id ?? cells.raw('externalId').trim()
  const first = id === '' ? undefined : ids.clash(id, place)
  const ofId =
    first === undefined
      ? []
      : [fault(cells.columnOf('externalId'), t`The id \`${id}\` is already used on line ${first}`)]
  if (read === undefined) return ofId
  const charged = ids.clashOfCharge(read.facts, place)
  const ofCharge =
    charged === undefined
      ? []
      : [
          fault(
            cells.columnOf('key'),
            t`The code is for the charge that line ${charged} pays, and a charge is paid once. Remove one of them`,
          ),
        ]
  const typedId = read.facts.kind === 'transfer' ? read.facts.typedId : null
  const reference = references === null ? null : referenceIn(cellsOf(texts), references, typedId)
  const same = reference === null ? undefined : ids.clashOfReference(reference, read.facts, place)
  if (references === null || same === undefined || ofId.length + ofCharge.length > 0) return [...ofId, ...ofCharge]
  const { line: other, number } = same
  const message = t`\`${number.cell}\` is on line ${other} already, for the same destination and amount. Delete one of the two lines, or add \`--repeat-reference\` if both are meant`
  return [fault(references.names[number.place] ?? cells.columnOf('externalId'), message)]
}

function advised([first, ...others]: readonly CellFault[], advice: string | undefined): CellFault[] {
  if (first === undefined) return []
  return [advice === undefined ? first : { ...first, message: `${first.message}. ${advice}` }, ...others]
}

/** What the ledger knows of the payee that a row names; null if it names none. */
async function payeeOf(cells: RowCells, { findPayee }: RowReading): Promise<FoundPayee | null> {
  const name = cells.raw('payee').trim()
  return name === '' ? null : findPayee(name)
}

/** What a row without faults asks for, under which id, and what its results file says of the payment of another machine. */
type ReadRow = NonNullable<Awaited<ReturnType<typeof readRow>>>

/** Reads a row; undefined if it has faults, which the cells have noted. */
async function readRow(record: TableRecord, cells: RowCells, { results }: BatchHeader, reading: RowReading) {
  const { kind, ids, defaults } = reading
  const facts =
    kind === 'transfer'
      ? readTransferRow(cells, await payeeOf(cells, reading))
      : await readRefundRow(cells, defaults, reading.findOriginal)
  if (facts === undefined) return undefined
  if (results === null) return { facts, id: ids.idOf(facts) }
  const found = await resultRowId(record, results, facts, reading)
  switch (found.is) {
    case 'answered-elsewhere':
      return { facts, id: cells.raw('externalId').trim(), elsewhere: found.outcome }
    case 'fault':
      cells.fault(found.column, found.message)
      return undefined
    case 'row':
      if (facts.kind === 'transfer') facts.typedId = found.isTyped ? found.id : null
      return { facts, id: found.id }
  }
}

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
  readonly #place: number
  readonly #spec: PaymentSpec
  #lines: TableRecord[] = []
  #row: number
  #isBelowTotal = false

  constructor({ names, record }: FileHeader & { record: TableRecord }, spec: PaymentSpec) {
    const first = names.findIndex((name) => name !== '')
    this.#place = Math.max(0, first)
    this.#spec = spec
    this.#row = record.row
  }

  /** True if a record may be a footer: it is held back, and is one unless `release` gives it back. */
  takes(record: TableRecord): boolean {
    const isApart = record.row > this.#row + 1 || this.#isBelowTotal || this.#lines.length > 0
    const text = this.#onlyText(record)
    const isFooter = text !== undefined && this.#lines.length < LINES_MAX && isFooterText(text, isApart, this.#spec)
    if (isFooter) {
      this.#lines.push(record)
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
    return this.#lines.splice(0)
  }

  lines(): readonly TableRecord[] {
    return this.#lines
  }

  /** What to do with a record that is no footer though it has text in its first cell only; undefined for any other. */
  adviceFor(record: TableRecord): string | undefined {
    return this.#onlyText(record) === undefined
      ? undefined
      : t`If it is not a payment, delete the line, or move it to the end of the file below an empty line`
  }

  /** The text of a record that has nothing but text in its first cell; undefined for any other. */
  #onlyText({ cells, held }: TableRecord): string | undefined {
    if (held !== undefined) return undefined
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
  /** True if it is the sum without the hidden rows only. */
  isOfVisibleRows: boolean
  /** True if it is the sum of the rows between it and the subtotal above. */
  isSinceSubtotal: boolean
}

/** Sums of the rows above a total, in cents; null if a row has no amount that can be read. */
interface Sums {
  all: number | null
  visible: number | null
}

interface ComparedTotal {
  line: number
  label: string
  /** Null if the line has none, or several. */
  cents: number | null
  isSubtotal: boolean
  above: Sums
  sinceSubtotal: Sums
}

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
  readonly #header: FileHeader
  readonly #spec: PaymentSpec
  readonly #targets: readonly string[]
  readonly #amount: string
  #above: Sums = { all: 0, visible: 0 }
  #sinceSubtotal: Sums = { all: 0, visible: 0 }
  readonly #totals: ComparedTotal[] = []

  constructor(header: FileHeader, spec: PaymentSpec) {
    this.#header = header
    this.#spec = spec
    this.#targets = spec.needed[0] ?? []
    this.#amount = spec.amount
  }

  /**
   * True if the record is a total: it has a label for it, and no key. Any other record is added to the sum. One that has a key is never a
   * total.
   */
  takes(record: TableRecord): boolean {
    const label = this.#labelOf(record)
    if (label === undefined) {
      this.#add(record)
      return false
    }
    const folded = foldedText(label)
    const isSubtotal = folded.startsWith('sub') || !LABEL.test(folded)
    this.#totals.push({
      line: record.line,
      label,
      cents: this.#amountOf(record),
      isSubtotal,
      above: { ...this.#above },
      sinceSubtotal: { ...this.#sinceSubtotal },
    })
    if (isSubtotal) this.#sinceSubtotal = { all: 0, visible: 0 }
    return true
  }

  /** What may be wrong with a record without a key, if it looks like a total; undefined if it does not. */
  adviceFor({ cells }: TableRecord): string | undefined {
    if (this.#targets.some((field) => cellOf(this.#header, cells, field) !== '')) return undefined
    const cents = statedCents(this.#header, cells, this.#spec)
    const isSum = cents !== null && cents === this.#aboveWithout(cents)
    if (isSum)
      return t`Its amount is the sum of the rows above: if it is a total, write \`TOTAL\` in an empty cell of the line`
    if (!cells.some((cell) => TOTAL_WORD.test(foldedText(cell)))) return undefined
    return t`If it is a total, write only \`TOTAL\` as its label, or delete the line`
  }

  /** Throws UsageError for the first total that is not the sum of the rows above it. */
  assertEqual(): void {
    for (const total of this.#totals) {
      if (matchOf(total) === null) throw differentTotal(total)
    }
  }

  /** The totals that were left out; {@link assertEqual} has not thrown. */
  lines(): TotalLine[] {
    return this.#totals.map((total) => ({
      line: total.line,
      label: total.label,
      cents: total.cents ?? 0,
      isOfVisibleRows: matchOf(total)?.rows === 'visible',
      isSinceSubtotal: matchOf(total)?.isSinceSubtotal === true,
    }))
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
    const cents = tryParseAmount(cellOf(this.#header, cells, this.#amount))
    const sums = [this.#above, this.#sinceSubtotal].flatMap(({ all, visible }) => [all, visible])
    return cents !== null && sums.includes(cents)
  }

  /** The amount of a total: that in the column of amounts, else the only one in the line, which may be behind its label. */
  #amountOf({ cells }: TableRecord): number | null {
    const cents = tryParseAmount(cellOf(this.#header, cells, this.#amount), { zeroAllowed: true })
    if (cents !== null) return cents
    const amounts = cells.flatMap((cell) => {
      const text = LABEL.exec(foldedText(cell))?.[2] ?? cell.trim()
      return tryParseAmount(text, { zeroAllowed: true }) ?? []
    })
    return amounts.length === 1 ? (amounts[0] ?? null) : null
  }

  #add({ cells, isHidden }: TableRecord): void {
    const cents = statedCents(this.#header, cells, this.#spec)
    const add = ({ all, visible }: Sums): Sums => ({
      all: plus(all, cents),
      visible: isHidden === true ? visible : plus(visible, cents),
    })
    this.#above = add(this.#above)
    this.#sinceSubtotal = add(this.#sinceSubtotal)
  }

  /** The sum of the rows above one that was added last. */
  #aboveWithout(cents: number): number | null {
    return this.#above.all === null ? null : this.#above.all - cents
  }
}

function plus(sum: number | null, cents: number | null): number | null {
  return sum === null || cents === null ? null : sum + cents
}

/** Which sum a total is; null if it is none of them. A subtotal may count from the subtotal before it. */
function matchOf(total: ComparedTotal): { rows: keyof Sums; isSinceSubtotal: boolean } | null {
  const { cents, isSubtotal, above, sinceSubtotal } = total
  if (cents === null) return null
  for (const rows of ['all', 'visible'] as const) {
    if (above[rows] === cents) return { rows, isSinceSubtotal: false }
    if (isSubtotal && sinceSubtotal[rows] === cents) return { rows, isSinceSubtotal: true }
  }
  return null
}

function differentTotal({ line, label, cents, isSubtotal, above, sinceSubtotal }: ComparedTotal): UsageError {
  const { all, visible } = isSubtotal ? sinceSubtotal : above
  if (cents === null) {
    return new UsageError(t`Line ${line} is labelled \`${label}\`, but it is not clear which amount is the total`, {
      details: [t`Nothing was sent`],
      hint: t`Write the total in the column of the amounts, or delete line ${line}`,
    })
  }
  if (all === null) {
    return new UsageError(t`The total on line ${line} cannot be compared, because rows above it have no amount`, {
      details: [t`Line ${line}, ${label}: ${formatReais(cents)}`, t`Nothing was sent`],
      hint: t`Write the amounts of these rows, or delete line ${line}`,
    })
  }
  const hidden =
    visible === null || visible === all ? [] : [t`Sum of those that are not hidden: ${formatReais(visible)}`]
  return new UsageError(t`The total on line ${line} differs from the sum of the rows above it`, {
    details: [
      t`Line ${line}, ${label}: ${formatReais(cents)}`,
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

/** The hidden rows of a workbook that hold a payment, and its hidden columns. */
export interface HiddenSummary extends RowSum {
  /** True if these rows are left out. */
  isLeftOut: boolean
  /** The names of hidden columns whose cells would be sent. */
  columns: readonly string[]
}

const NAMED_ROWS_MAX = 10

/** Finds the hidden payments among the records of a workbook, because an office hides or filters out what it does not want to pay. */
export class HiddenCells {
  readonly #header: FileHeader
  readonly #spec: PaymentSpec
  readonly #choice: HiddenChoice
  /** The places of hidden columns that are sent; true if one of their cells is not empty. */
  readonly #columns: Map<number, boolean>
  readonly #sent: readonly number[]
  readonly #rowNumbers: number[] = []
  /** Sentences about the first cells that are below merged ones. */
  readonly #covered: string[] = []
  #coveredCount = 0
  /** True if such a cell is in a row of which something is shown. */
  #isPartlyCovered = false
  readonly #sum = noRows()

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
    if (holdsPayment) this.#count(record)
    if (record.covered !== undefined) this.#countCovered(record, record.covered)
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
    return { ...this.#sum, isLeftOut: this.#choice === 'skip', columns }
  }

  /** Throws UsageError if something hidden would be sent without an option that allows it. */
  assertAllowed(): void {
    if (this.#choice === 'include') return
    const hidden = this.summary()
    const { columns } = hidden
    const hiddenRows = this.#choice === 'stop' && hidden.rows > 0
    const others = [...columnsSentence(columns), ...(this.#isPartlyCovered ? [this.#coveredSentence()] : [])]
    const reasons = [...(hiddenRows ? [t`The workbook has ${hiddenRowsText(hidden)}`] : []), ...others]
    const [message, ...more] = reasons
    if (message === undefined) return
    throw new UsageError(message, {
      details: [...(hiddenRows ? [this.#rowsText()] : []), ...more, ...this.#covered, t`Nothing was sent`],
      hint: this.#hint({ hiddenRows, columns }),
    })
  }

  #hint({ hiddenRows, columns }: { hiddenRows: boolean; columns: readonly string[] }): string {
    if (columns.length > 0) {
      return hiddenRows || this.#isPartlyCovered
        ? t`Add \`--include-hidden\` to send all of it, or show the hidden columns in the spreadsheet and save it`
        : t`Add \`--include-hidden\` to send them, or show the hidden columns in the spreadsheet and save it`
    }
    return this.#isPartlyCovered
      ? t`Separate the merged cells in the spreadsheet, correct what is below and save it, or add \`--include-hidden\` to send what is not shown`
      : t`Add \`--skip-hidden\` to leave out what the spreadsheet does not show, or \`--include-hidden\` to send it`
  }

  #countCovered({ row, cells, isHidden }: TableRecord, covered: ReadonlyMap<number, string>): void {
    for (const [place, merged] of covered) {
      if (!this.#sent.includes(place)) continue
      this.#coveredCount += 1
      this.#isPartlyCovered ||= isHidden !== true
      if (this.#covered.length === NAMED_ROWS_MAX) continue
      const name = cellName(place, row)
      this.#covered.push(
        t`\`${name}\` is not shown, because it is below the merged cells \`${merged}\`; it holds \`${cells[place] ?? ''}\``,
      )
    }
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

  #count({ row, cells }: TableRecord): void {
    addRow(this.#sum, statedCents(this.#header, cells, this.#spec))
    if (this.#rowNumbers.length < NAMED_ROWS_MAX) this.#rowNumbers.push(row)
  }

  #rowsText(): string {
    const numbers = this.#rowNumbers.join(', ')
    const { rows } = this.#sum
    const unnamed = rows - this.#rowNumbers.length
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
