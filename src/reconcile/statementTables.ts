import { fitsAny, HEADINGS, headingForms, headingsOf } from '../pix/tableWords.ts'
import type { FileContent } from '../spreadsheet/fileContent.ts'
import {
  assertHeader,
  assertInReais,
  findHeader,
  forPrinter,
  isCompleteHeader,
  isForPrinter,
  isSameHeading,
  readColumns,
  SOUGHT_RECORDS,
  type TableColumns,
  type TableSpec,
} from '../spreadsheet/tableHeader.ts'
import { columnNames, quotedList, type TableRecord } from '../spreadsheet/tableRecords.ts'
import { foldedText } from '../text/foldedText.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { type Direction, periodIn, readDay, readSignedAmount, tryRead } from './tableFile.ts'

/** The columns of a statement. */
export interface StatementColumns extends TableColumns {
  /** The places of the cells that say what a row is about, the one that says most first. */
  texts: readonly number[]
  /** False if the file has no header, so that a row is read by what its cells are. */
  hasHeader: boolean
}

/** What the lines of a statement are. */
interface StatementParts {
  /** The lines below each header of the table that is read, and its columns. */
  tables: readonly (readonly TableRecord[])[]
  columns: StatementColumns
  /** Titles, repeated headers, and what is in tables that are not read. */
  skipped: readonly TableRecord[]
  /** The period in a line above the first table. */
  period?: readonly [first: string, last: string] | undefined
  /** Sentences about what is not read. */
  remarks: readonly string[]
}

/** A part of a statement: from a header, or the title of a section, to the next one. */
interface FoundPart {
  header: TableRecord
  table: FoundTable
  /** Null if it is read, else the title or the columns by which it is named. */
  unread: { title: string; isFuture: boolean } | null
  hasRows: boolean
  records: TableRecord[]
}

interface FoundTable {
  columns: TableColumns
  cells: ColumnCells[]
}

const NO_TABLE: FoundTable = { columns: { names: [], places: new Map(), unclear: new Map() }, cells: [] }

/** What the cells of a column are. */
interface ColumnCells {
  filled: number
  directions: Map<string, number>
  hasPhrase: boolean
  /** Up to two different texts. */
  texts: Set<string>
}

/** The fields of the columns of amounts. */
export const AMOUNTS = ['amount', 'debit', 'credit'] as const
const SECTION =
  '(?:(?:lancamentos?|saidas?|entradas?|pagamentos?|transac(?:ao|oes)|moviment\\w+|debitos?|creditos?|transferencias?|operac(?:ao|oes)|proxim[oa]s|e|de|os|as) )*'
const FUTURE = new RegExp(
  `^\\W*${SECTION}(?:futur[oa]s?|agendad[oa]s?|agendamentos?|provisionad[oa]s?|programad[oa]s?|previst[oa]s?|a vencer|scheduled|future|upcoming)\\b`,
)
const MADE = /^\W*(?:ultim[oa]s )?(?:lancamentos|movimentac(?:ao|oes)|transacoes|extrato|historico)\b/

/**
 * Finds the tables of a statement. The first one whose header has the columns is read, with every other one of the same columns. Throws UsageError if there is
 * none, unless the file has no header at all and each row is a day with one amount.
 */
export function statementParts(
  records: readonly TableRecord[],
  kind: FileContent['format']['kind'],
  spec: TableSpec,
): StatementParts {
  const found: FoundPart[] = []
  let title = ''
  let last: readonly string[] = []
  for (const [place, record] of records.entries()) {
    const part = found.at(-1)
    if (part === undefined && place >= SOUGHT_RECORDS) break
    if (part !== undefined && isRowOf(record.cells, part.table.columns)) {
      part.hasRows = true
      part.records.push(record)
      note(part.table, record.cells)
      title = ''
      last = []
      continue
    }
    const next =
      headerPart(record, title, found, spec) ??
      headerPart(belowGroups(record, last), title, found, spec) ??
      titlePart(record, found)
    if (next === undefined) part?.records.push(record)
    else found.push({ ...next, header: record, hasRows: false, records: [] })
    title = titleOf(record) || title
    last = next === undefined ? record.cells : []
  }
  const [first] = found
  if (first === undefined) return headerlessParts(records, spec)
  const above = records.slice(0, records.indexOf(first.header))
  const payment = [...above, first.header].find(({ cells }) => isPayment(cells))
  if (payment !== undefined) throw paymentAbove(payment, first.header.line, spec)
  const main = mainPart(found)
  const table = main?.table ?? NO_TABLE
  if (!spec.typed?.has('amount')) assertNoCardBill(table.columns.names)
  const columns = finished(kind === 'xlsx' ? widened(table) : table, spec, true)
  assertInReais(columns, AMOUNTS)
  const unread = found.flatMap((part) => (part.unread === null ? [] : part.records))
  return {
    tables: found.flatMap((part) => (part.unread === null ? [part.records] : [])),
    columns,
    skipped: [...above, ...found.slice(1).map(({ header }) => header), ...unread],
    period: [...above, first.header].map(({ cells }) => periodIn(cells)).find((each) => each !== undefined),
    remarks: found.flatMap(unreadRemark),
  }
}

/** The first part that is read. */
function mainPart(found: readonly FoundPart[]): FoundPart | undefined {
  return found.find(({ unread }) => unread === null)
}

/** What Nubank heads the bills of its cards with, and columns that only such bills have. */
const CARD_BILL = /^date,(?:category,)?title,amount$/
const OF_CARD = /^(?:portador|nome no cartao|titular do cartao)$/

/** Throws UsageError for the bill of a credit card, whose purchases have no sign and would be money that came in. */
function assertNoCardBill(names: readonly string[]): void {
  const headings = names.map(foldedText)
  if (!CARD_BILL.test(headings.join(',')) && !headings.some((name) => OF_CARD.test(name))) return
  throw cardBill(
    t`Export the statement of the account instead; if this is one, name its amounts with \`--map amount=…\``,
  )
}

/** The error for the bill of a credit card. */
export function cardBill(hint = t`Export the statement of the account instead`): UsageError {
  return new UsageError(t`The file holds the bill of a credit card, whose lines are not payments of the account`, {
    hint,
  })
}

/** The part that begins with a record, if that is a header. */
function headerPart(
  { cells }: TableRecord,
  title: string,
  found: readonly FoundPart[],
  spec: TableSpec,
): Pick<FoundPart, 'table' | 'unread'> | undefined {
  const columns = readColumns(cells, spec)
  // `Data: 29/11/2026` is in a title.
  const isTitle = spec.typed?.has('date') !== true && /\d/.test(cells[columns.places.get('date') ?? -1] ?? '')
  if (isTitle || !isCompleteHeader(columns, spec)) return undefined
  const main = mainPart(found)
  const isFuture = isFutureText(title)
  const isOther = main !== undefined && !hasSameNames(columns.names, main.table.columns.names)
  const table = main === undefined || isOther || isFuture ? { columns, cells: [] } : main.table
  return { table, unread: isFuture || isOther ? { title, isFuture } : null }
}

/** The second line of a header whose first one names groups of columns; where it names none, the name above it counts. */
function belowGroups(record: TableRecord, above: readonly string[]): TableRecord {
  if (record.cells.some((cell) => /\d/.test(cell))) return record
  const cells = above.map((cell, place) => record.cells[place]?.trim() || cell)
  return { ...record, cells: [...cells, ...record.cells.slice(above.length)] }
}

/** The part that begins with a record, if that is the title of a section of the table above it. */
function titlePart(record: TableRecord, found: readonly FoundPart[]): Pick<FoundPart, 'table' | 'unread'> | undefined {
  const last = found.at(-1)
  const title = titleOf(record)
  const isFuture = isFutureText(title)
  const isMade = MADE.test(foldedText(title)) && !isFuture
  const isOpened = isMade && last?.unread?.isFuture === true
  if (last === undefined || title === '' || !(isFuture || isOpened)) return undefined
  if (!isOpened) return { table: { columns: last.table.columns, cells: [] }, unread: { title, isFuture } }
  const main = mainPart(found)
  return main === undefined ? undefined : { table: main.table, unread: null }
}

/** The text of a record that has nothing but a text in its first cell; empty for any other. */
function titleOf({ cells }: TableRecord): string {
  const [first = '', ...others] = cells.map((cell) => cell.trim())
  return others.every((cell) => cell === '') && tryRead(first, readDay) === undefined ? first : ''
}

function hasSameNames(one: readonly string[], other: readonly string[]): boolean {
  const filled = (names: readonly string[]) => names.slice(0, names.findLastIndex((name) => name !== '') + 1)
  const [a, b] = [filled(one), filled(other)]
  return a.length === b.length && a.every((name, place) => isSameHeading(name, b[place] ?? ''))
}

function unreadRemark({ header: { line }, unread, hasRows, table }: FoundPart): string[] {
  if (unread === null || !hasRows) return []
  const { title, isFuture } = unread
  if (isFuture) return [t`Not read, because it has not happened yet: what is below \`${title}\`, from line ${line}`]
  return [
    t`Not read: the other table from line ${line}, with the columns ${quotedList(columnNames(table.columns.names))}`,
  ]
}

/** True if a record is a row of a table: it has a day or an amount where the table has them. */
function isRowOf(cells: readonly string[], { places }: TableColumns): boolean {
  const cell = (field: string) => (cells[places.get(field) ?? -1] ?? '').trim()
  const hasAmount = (field: string) => /\d/.test(cell(field)) && tryRead(cell(field), readSignedAmount) !== undefined
  return tryRead(cell('date'), readDay) !== undefined || AMOUNTS.some(hasAmount)
}

const DEBIT_WORD =
  /^(?:d|db|deb|debitos?|debit|debited|saidas?|saiu|s|-|out|outflow|outgoing|withdrawals?|retiradas?|despesas?|expenses?|(?:(?:pix|transferencia) )?enviad[oa]s?|sent)$/
const CREDIT_WORD =
  /^(?:c|cr|cred|creditos?|credit|credited|entradas?|entrou|e|\+|in|inflow|incoming|deposits?|depositos?|receitas?|incomes?|(?:(?:pix|transferencia) )?recebid[oa]s?|received)$/
/** Words that mean a direction even below a heading that does not mention it. */
const SURE_WORD = /^(?:deb|cred|debito|credito|debit|credit|entrada|saida)$/
const PHRASE = /\p{L}{2,}\P{L}*\s\P{L}*\p{L}{2,}/u

/** A word as it is compared with those of directions: without the dot of an abbreviation. */
function directionWord(cell: string): string {
  return foldedText(cell).replace(/\.$/, '')
}

/** True for the title of what has not happened yet, and for the status of such a line. */
export function isFutureText(text: string): boolean {
  return FUTURE.test(foldedText(text))
}

/** What a cell says of the direction of its row; undefined if it says nothing. */
export function directionIn(cell: string): Direction | undefined {
  const word = directionWord(cell)
  return DEBIT_WORD.test(word) ? 'debit' : CREDIT_WORD.test(word) ? 'credit' : undefined
}

function note({ cells: columns }: FoundTable, cells: readonly string[]): void {
  for (const [place, cell] of cells.entries()) {
    columns[place] ??= { filled: 0, directions: new Map(), hasPhrase: false, texts: new Set() }
    const column = columns[place]
    const text = cell.trim()
    if (text === '') continue
    column.filled += 1
    column.hasPhrase ||= PHRASE.test(text)
    if (column.texts.size < 2) column.texts.add(foldedText(text))
    if (directionIn(text) !== undefined) {
      const word = directionWord(text)
      column.directions.set(word, (column.directions.get(word) ?? 0) + 1)
    }
  }
}

/** A table of a workbook with the columns behind its header, which no separator in a cell can make. */
function widened({ columns, cells }: FoundTable): FoundTable {
  const more = Array<string>(Math.max(0, cells.length - columns.names.length)).fill('')
  return { columns: { ...columns, names: [...columns.names, ...more] }, cells }
}

/** The columns of a table as its cells show them: which one tells the direction, and which ones only have text, whatever their headings. */
function finished({ columns, cells }: FoundTable, spec: TableSpec, hasHeader: boolean): StatementColumns {
  const { names, typed } = { names: columns.names, typed: spec.typed ?? new Map<string, string>() }
  const places = new Map(oneAmount(columns.places, spec))
  const isFixed = (field: string) => typed.has(field) || ['date', 'balance', ...AMOUNTS].includes(field)
  const fixed = new Set([...places].flatMap(([field, place]) => (isFixed(field) ? [place] : [])))
  const free = [...names.keys()].filter((place) => !fixed.has(place))
  const fits = (place: number, patterns: readonly RegExp[]) => fitsAny(headingForms(names[place] ?? ''), patterns)
  if (!typed.has('direction')) {
    const direction = free
      .toSorted((one, other) => wordShare(cells[other]) - wordShare(cells[one]))
      .find((place) => {
        const isNamed = fits(place, HEADINGS.direction.words)
        if (isNamed) return wordShare(cells[place]) >= 0.5
        // Right behind a balance are the `C` and `D` of that.
        const isUnnamed = names[place] === '' && place - 1 !== places.get('balance')
        return isSurelyDirection(cells[place], isUnnamed)
      })
    for (const [field, place] of places) if (field === 'direction' || place === direction) places.delete(field)
    if (direction !== undefined) places.set('direction', direction)
  }
  const id = places.get('id') ?? -1
  if (!typed.has('id') && cells[id]?.hasPhrase === true) places.delete('id')
  const hasName = () => ['name', 'receiver', 'sender'].some((field) => places.has(field))
  const party = free.find((place) => fits(place, HEADINGS.ownOrParty.words) && (cells[place]?.texts.size ?? 0) > 1)
  if (!hasName() && party !== undefined) places.set('name', party)
  const taken = new Set([...places].flatMap(([field, place]) => (isText(field) ? [] : [place])))
  const described = headingsOf(['description', 'details'], true)
  const rest = free.filter((place) => !taken.has(place))
  const texts = [
    ...['description', 'details'].flatMap((field) => places.get(field) ?? []),
    ...rest.filter((place) => (hasHeader ? fits(place, described) : true)),
    ...rest.filter((place) => cells[place]?.hasPhrase && (place === id || fits(place, HEADINGS.direction.words))),
  ]
  // A name below an unknown heading is better than none: without one a line is matched by its amount alone.
  const mayBeNames = (place: number) =>
    cells[place]?.hasPhrase && (texts.length === 0 || !fits(place, HEADINGS.circumstances.words))
  if (!hasName()) texts.push(...rest.filter(mayBeNames))
  return { names, places, unclear: columns.unclear, texts: [...new Set(texts)], hasHeader }
}

function isText(field: string): boolean {
  return field === 'description' || field === 'details'
}

function wordShare(column: ColumnCells | undefined): number {
  if (column === undefined || column.filled === 0) return 0
  return [...column.directions.values()].reduce((sum, count) => sum + count, 0) / column.filled
}

/** True for a column that has only words for a direction; single letters count if both directions occur, or it has no heading. */
function isSurelyDirection(column: ColumnCells | undefined, isUnnamed: boolean): boolean {
  if (column === undefined || wordShare(column) < 1) return false
  const words = [...column.directions.keys()]
  const hasBoth = words.includes('d') && words.includes('c')
  return words.every((word) => SURE_WORD.test(word) || ((hasBoth || isUnnamed) && /^[dc]$/.test(word)))
}

/** A table has one column of amounts, or one for each direction: what was typed, else one for each direction if it has both. */
function oneAmount(all: TableColumns['places'], { typed = new Map() }: TableSpec): Map<string, number> {
  const places = new Map(all)
  if (!places.has('amount')) return places
  const hasBothSides = places.has('debit') && places.has('credit')
  const areSidesRead = typed.has('debit') || typed.has('credit') || (hasBothSides && !typed.has('amount'))
  for (const field of areSidesRead ? ['amount'] : ['debit', 'credit']) if (!typed.has(field)) places.delete(field)
  return places
}

/** The places of the amounts in a row without a header: those with decimals, else those of all numbers that can be one. */
export function amountPlaces(cells: readonly string[]): number[] {
  const numbers = [...cells.keys()].filter((place) => {
    const text = (cells[place] ?? '').trim()
    return /\d/.test(text) && tryRead(text, readDay) === undefined && tryRead(text, readSignedAmount) !== undefined
  })
  const decimals = numbers.filter((place) => /[.,]\d{1,2}\D*$/.test(cells[place]?.trim() ?? ''))
  return decimals.length > 0 ? decimals : numbers
}

/** True for a record that begins with a day and has an amount. */
function isPayment(cells: readonly string[]): boolean {
  const first = cells.find((cell) => cell.trim() !== '') ?? ''
  return tryRead(first.trim(), readDay) !== undefined && amountPlaces(cells).length > 0
}

function paymentAbove({ line }: TableRecord, header: number, { typed }: TableSpec): UsageError {
  if (line === header) {
    return new UsageError(t`Line ${line} is a payment, not a header, so \`--map\` cannot name its cells as columns`, {
      hint: t`Omit \`--map\`: rows of a day, a text and one amount are read without a header`,
    })
  }
  return new UsageError(t`Line ${line} is above the header on line ${header}, but it has a day and an amount`, {
    hint:
      typed === undefined || typed.size === 0
        ? t`Move the header to the top of the file`
        : t`Check \`--map\`, or move the header to the top of the file`,
  })
}

/**
 * A statement without a header: its rows begin with a day and have one amount, each in the same place. Throws UsageError if the rows are not like that, or a line
 * above them may be a header.
 */
function headerlessParts(records: readonly TableRecord[], spec: TableSpec): StatementParts {
  const first = records.slice(0, SOUGHT_RECORDS)
  const row = first.findIndex(({ cells }) => isPayment(cells))
  const mayBeHeader = (first[row - 1]?.cells.filter((cell) => /^[^\d]*\p{L}[^\d]*$/u.test(cell)).length ?? 0) > 2
  const payment = mayBeHeader ? undefined : first[row]
  if (payment !== undefined && (spec.typed?.size ?? 0) === 0) {
    const table = headerlessTable(payment.cells)
    for (const { cells } of records) if (isPayment(cells)) note(table, cells)
    const columns = finished(table, spec, false)
    return { tables: [records], columns, skipped: [], remarks: [headerlessRemark(table)] }
  }
  const header = first[findHeader(first, spec).index]
  if (header !== undefined) {
    if (payment !== undefined) throw paymentAbove(header, header.line, spec)
    if (first.filter(isForPrinter).length > 1) throw forPrinter()
    assertHeader(readColumns(header.cells, spec), spec, header)
  }
  return { tables: [], columns: finished(NO_TABLE, spec, false), skipped: [], remarks: [] }
}

function headerlessTable(cells: readonly string[]): FoundTable {
  const date = cells.findIndex((cell) => cell.trim() !== '')
  const [amount = -1] = amountPlaces(cells)
  const places = new Map([
    ['date', date],
    ['amount', amount],
  ])
  return { columns: { names: cells.map(() => ''), places, unclear: new Map() }, cells: [] }
}

function headerlessRemark({ columns: { places } }: FoundTable): string {
  const [date = 0, amount = 0] = [places.get('date'), places.get('amount')].map((place) => (place ?? 0) + 1)
  return t`The file has no header: the day is read from column ${date}, the amount from column ${amount}`
}
