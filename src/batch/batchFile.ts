import { basename } from 'node:path'
import type { RunRow } from '../ledger/records.ts'
import { RunSum } from '../ledger/runFingerprint.ts'
import { tryParseAmount } from '../pix/amount.ts'
import { type ReferenceColumns, referenceColumns, referenceIn } from '../pix/tableWords.ts'
import { bytesOf, type FileSource, readContent } from '../spreadsheet/fileContent.ts'
import { isKnownColumn, readMapping } from '../spreadsheet/tableHeader.ts'
import {
  brokenFault,
  type CellFault,
  columnNames,
  RowCells,
  type TableRecord,
  unlisted,
} from '../spreadsheet/tableRecords.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import {
  AmountColumnScan,
  assertAmountsPresent,
  assertAmountsUsed,
  type BatchHeader,
  copiedNameRemark,
  type EarlierReading,
  type HeaderQuery,
  headerFinder,
  headerRemarks,
  ignoredColumns,
  isTarget,
  locateHeader,
  skippedLinesRemark,
} from './fileHeader.ts'
import { FooterLines, HiddenCells, type HiddenChoice, TotalLines } from './leftOutLines.ts'
import {
  type FindOriginal,
  type FindPayee,
  PAYMENT_TABLES,
  type ReadRow,
  readRefundRow,
  readTransferRow,
} from './paymentRows.ts'
import { RowIds, RowRegister, referenceOf } from './rowIds.ts'
import { type MarkChoices, RowMarks, settledTitles } from './rowMarks.ts'
import {
  carriedColumns,
  type ElsewhereOutcome,
  type FindPayments,
  referenceOfResults,
  resultRowId,
} from './rowResults.ts'

export type BatchKind = 'transfer' | 'refund'

export interface BatchFileOptions {
  map?: readonly string[]
  reference?: string
  /** The name that the reference is taken from; the source's own unless given, null for standard input. */
  fileName?: string | null
  /** The reason for refunds whose row has none. */
  refundReason?: string
  /** True if `--full` was given: refunds without an amount return all that is left of their payments. */
  isFull?: boolean
  /** The values of `--ignore-column`: columns of amounts to ignore, or of what became of the rows. */
  ignoreColumns?: readonly string[]
  /** The value of `--sheet`: the sheet of a workbook that is read instead of the first visible one with the columns. */
  sheet?: string
  /** The value of `--header-row`: the row of the header, as a spreadsheet counts it. */
  headerRow?: number
  /** How files that were sent before were read, and whether this one is to be read like one of them. */
  earlier?: { readings: readonly EarlierReading[]; accept: (reading: EarlierReading) => Promise<boolean> }
  /** Finds the payments that the rows of a results file name; none are known unless given. */
  findPayments?: FindPayments
  /** Ends reading. */
  interrupt?: AbortSignal
  /** Looks up the payee that a row names; none are known unless given. */
  findPayee?: FindPayee
  /** Looks up the payment that a row refunds; each is as it is typed unless given. */
  findOriginal?: FindOriginal
  /** True if a person reads the question. */
  isRead?: boolean
  /** What to do with hidden rows and columns of a workbook; `stop` unless given. */
  hidden?: HiddenChoice
  /** What to do with what the file says became of its rows; it stops the run unless given. */
  marks?: Partial<MarkChoices>
  /** True if rows with the same reference, destination and amount are meant. */
  repeatsReferences?: boolean
}

/** Today, unless it is known: every day has passed. */
const LAST_DAY = '2999-12-31'
const NEVER = new AbortController().signal

/** A file whose header has been read. */
export type BatchFile = Awaited<ReturnType<typeof readBatchFile>>

/**
 * Detects how a CSV file or a workbook is written, and reads its header; {@link judgeBatchFile} reads its rows. Throws UsageError
 * if the file cannot be read, is neither of them, or its header has faults.
 */
export async function readBatchFile(source: FileSource, kind: BatchKind, options: BatchFileOptions = {}) {
  const { ignoreColumns = [], headerRow = null, sheet, interrupt = NEVER, findPayments = async () => [] } = options
  const spec = PAYMENT_TABLES[kind]
  const typed = readMapping(options.map ?? [], spec)
  const ownName = typeof source === 'string' ? basename(source) : null
  const fileName = options.fileName === undefined ? ownName : options.fileName
  const isTyped = typed.size > 0 || ignoreColumns.length > 0
  const earlier = isTyped ? [] : (options.earlier?.readings ?? [])
  const query: HeaderQuery = { ...spec, typed, ignored: ignoreColumns, row: headerRow, earlier }
  const content = await readContent(bytesOf(source), {
    name: typeof source === 'string' ? source : fileName,
    interrupt,
    sheet,
    isKnown: (column) => isKnownColumn(column, query),
    findHeader: headerFinder(query),
  })
  const table = { records: content.records, query }
  const { header, ignored: ignoredNames } = await locateHeader(table, options.earlier?.accept ?? (async () => false))
  const { results, names, places } = header
  const ignored = ignoredColumns(ignoredNames, header)
  const ofRun =
    results === null || options.reference !== undefined
      ? undefined
      : await referenceOfResults(content.records(), results, findPayments)
  const reference = referenceOf(options.reference ?? ofRun, fileName)
  const carried = carriedColumns(names, places, results)
  const { columns, fields } = carried
  return {
    kind,
    options: { ...options, findPayments },
    content,
    query,
    header,
    carried,
    /** The places of the columns that are not to be used. */
    ignoredPlaces: ignored,
    format: content.format,
    headerLine: header.record.line,
    /** The names in its header, in their order; without those that pixgate added to a results file. */
    columns,
    /** The places of the fields among the columns. */
    fields,
    /** The names of the columns that are not to be used. */
    ignored: [...ignored].map((place) => columnNames(columns)[carried.places.indexOf(place)] ?? ''),
    reference,
    /** Sentences about its name and its header that a person should read before the question. */
    remarks: [
      ...(options.reference === undefined && ofRun === undefined ? copiedNameRemark(reference) : []),
      ...(results === null
        ? []
        : [t`This is a results file: what was answered is not sent again. Its reference is ${reference}`]),
      ...headerRemarks(header, spec),
      ...content.remarks,
      ...skippedLinesRemark(header.above),
    ],
  }
}

/** A row that can be sent, with the row under which a spreadsheet shows it. The callback URL of its payment is empty if the row has none. */
export interface ValidRow extends RunRow, Pick<ReadRow, 'payer' | 'otherName'> {
  row: number
}

/** A row with another name than that of who paid the payment that it returns. */
interface OtherName {
  line: number
  name: string
  payer: string
}

/** What was found in a whole file. It can be sent only if `faultCount` is 0. */
export type FileJudgement = Awaited<ReturnType<typeof judgeBatchFile>>

export const FAULTS_MAX = 1000
const NAMES_MAX = 3
const OTHER_NAMES_MAX = 10

/**
 * Reads a file from end to end, once, and gives each row without a fault to `take`, also those that are held: they are in the file and not sent; it keeps no
 * row. Throws UsageError if something hidden would be sent, or what the file calls paid or cancelled, if a total is not the sum of the rows above it, or if a
 * column of amounts is not used.
 */
export async function judgeBatchFile(
  file: BatchFile,
  take: (row: ValidRow, isHeld: boolean) => Promise<void> | void = () => undefined,
) {
  const { kind, header, query, options } = file
  const sum = new RunSum()
  const faults: CellFault[] = []
  let faultCount = 0
  let swallowedLine: number | null = null
  const [names, payers] = [new NameList(), new NameList()]
  const otherNames = { count: 0, first: [] as OtherName[] }
  const elsewhere = { accepted: 0, unknown: 0, unknownRows: [] as ValidRow[] }
  /** False once a row could not be read. */
  let isRead = true
  const note = (fault: CellFault) => {
    faultCount += 1
    if (faults.length < FAULTS_MAX) faults.push(fault)
  }
  const register = await RowRegister.open()
  const judge = new RowJudge(file, register)
  const { scan, hidden, totals, footers, marks } = judge
  try {
    for await (const judged of judge.rows()) {
      if (judged.row === null) {
        judged.faults.forEach(note)
        isRead = false
        continue
      }
      const { row, isHeld } = judged
      const { line, facts, payer, otherName: name } = row
      if (judged.elsewhere !== undefined) {
        elsewhere[judged.elsewhere] += 1
        if (judged.elsewhere === 'unknown' && elsewhere.unknownRows.length < FAULTS_MAX) elsewhere.unknownRows.push(row)
        continue
      }
      if (isHeld) {
        await take(row, isHeld)
        continue
      }
      if (!Number.isSafeInteger(sum.totalCents + (facts.amountCents ?? 0))) {
        note({
          row: row.row,
          line,
          column: query.amount,
          message: t`The total becomes too large at this row: split the file`,
        })
        continue
      }
      sum.add(row.rowId, facts)
      names.add(nameIn(row, file))
      payers.add(payer ?? '')
      if (payer !== null && name !== null && ++otherNames.count <= OTHER_NAMES_MAX) {
        otherNames.first.push({ line, name, payer })
      }
      if (swallowedLine === null && file.format.kind === 'csv' && mayBeRows(row, file.format.delimiter))
        swallowedLine = line
      if (faultCount === 0) await take(row, isHeld)
    }
  } finally {
    register.close()
  }
  hidden.assertAllowed()
  // Amounts with faults are missing in the sums.
  if (faultCount === 0) totals.assertEqual(isRead)
  const found = scan.found()
  assertAmountsUsed(header, found, query)
  if (kind === 'refund')
    assertAmountsPresent(header, found, { isFull: options.isFull === true, ignored: file.ignoredPlaces })
  // A column such as `Estorno` may hold the amounts themselves.
  marks.assertAllowed(
    settledTitles(kind, {
      sheet: file.format.kind === 'xlsx' && options.sheet === undefined ? file.format.sheet : null,
      above: options.headerRow === undefined ? header.above : [],
      below: footers.lines,
      headerRow: header.record.row,
      otherSheets: file.content.remarks,
    }),
  )
  const { rows: count, totalCents, fingerprint } = sum.sums
  return {
    /** Rows without a fault. */
    count,
    totalCents,
    /** 16 hex digits that identify exactly these payments, in any order. */
    fingerprint,
    /** The first thousand faults, in the order of the lines; `faultCount` counts all. */
    faults,
    faultCount,
    /** The first row with a cell of several lines in which the separator occurs: a quote may swallow rows. */
    swallowedLine,
    /** How many of these rows have a name, and the first of the names. */
    names,
    /** How many rows return a payment whose payer is known, and the first of these names. */
    payers,
    /** The rows with another name than that of the payer: how many, and the first of them. */
    otherNames,
    /** How many rows a results file says another machine sent, and the first thousand of those with an unknown outcome. */
    elsewhere,
    hidden: hidden.summary(),
    /** The rows that the file, or `--only`, does not ask for. */
    marks: marks.summary(),
    totalLines: totals.lines,
    /** The lines below the last payment, which are not read. */
    linesBelow: footers.lines,
  }
}

type JudgedRow =
  | { row: null; faults: readonly CellFault[] }
  | { row: ValidRow; isHeld: boolean; elsewhere: ElsewhereOutcome | undefined }

/** What a row without faults asks for, under which id, and what its results file says of the payment of another machine. */
type IdentifiedRow = ReadRow & { id: string; elsewhere?: ElsewhereOutcome }

/** Judges the records below the header of a file, one after another. */
class RowJudge {
  readonly scan: AmountColumnScan
  readonly hidden: HiddenCells
  readonly totals: TotalLines
  readonly footers: FooterLines
  readonly marks: RowMarks
  readonly #file: BatchFile
  readonly #register: RowRegister
  readonly #ids: RowIds
  /** The columns of references that must not be repeated; null if they may be. */
  readonly #references: ReferenceColumns | null

  constructor(file: BatchFile, register: RowRegister) {
    const { kind, header, query, options, content, ignoredPlaces, columns, fields } = file
    const marks = { only: [], struck: 'stop', today: LAST_DAY, ...options.marks } as const
    this.scan = new AmountColumnScan(header.names, unusedPlaces(header, ignoredPlaces))
    this.hidden = new HiddenCells(header, query, options.hidden ?? 'stop', content.isColumnHidden)
    this.totals = new TotalLines(header, query)
    this.footers = new FooterLines(header, query)
    this.marks = new RowMarks(header, query, kind, ignoredPlaces, marks)
    this.#file = file
    this.#register = register
    this.#ids = new RowIds(file.reference, register)
    this.#references = options.repeatsReferences === true ? null : referenceColumns(columns, fields)
  }

  async *rows(): AsyncGenerator<JudgedRow> {
    const { content, header } = this.#file
    await this.#reserveIds()
    for await (const record of content.records()) {
      if ('message' in record) {
        yield { row: null, faults: [brokenFault(record, header.names)] }
      } else if (record.line > header.record.line && !this.footers.takes(record)) {
        const isTotal = this.totals.takes(record)
        this.footers.pass(record, isTotal)
        if (isTotal) continue
        for (const line of this.footers.release()) yield await this.#judge(line)
        const isLeftOut = this.hidden.leavesOut(record)
        const judged = await this.#judge(record, isLeftOut)
        if (!isLeftOut || judged.row !== null || judged.faults.length > 0) yield judged
      }
    }
  }

  /** Keeps the ids in a results file from being derived for its new rows. */
  async #reserveIds(): Promise<void> {
    const { content, header } = this.#file
    if (header.results === null) return
    for await (const record of content.records()) {
      if ('cells' in record) this.#register.reserve((record.cells[header.results.id] ?? '').trim())
    }
  }

  /** Judges a record; one that is left out is hidden, and its file holds it all the same. */
  async #judge(record: TableRecord, isLeftOut = false): Promise<JudgedRow> {
    if (!isLeftOut && !this.scan.isDone) this.scan.add(record.cells)
    const taken = isLeftOut ? false : this.marks.takes(record)
    const cells = new RowCells(record, this.#file.header)
    const read = cells.isRagged ? undefined : await this.#read(record, cells)
    const isHeld = taken === false || read?.elsewhere !== undefined
    const clashes = cells.isRagged ? [] : this.#clashes(record, cells, read, isHeld)
    // What is wrong with a row that is not sent does not matter, only what it shares with one that is.
    const found = [...(typeof taken === 'object' ? [taken] : []), ...(isHeld ? [] : cells.faults), ...clashes]
    const [first, ...others] =
      record.isHidden === true
        ? // The spreadsheet does not show where the fault is.
          found.map((fault) => ({ ...fault, message: t`In a hidden row: ${fault.message}` }))
        : found
    if (first !== undefined) {
      const advice = taken === true ? (this.totals.adviceFor(record) ?? this.#adviceFor(record)) : undefined
      const message = advice === undefined ? first.message : `${first.message}. ${advice}`
      return { row: null, faults: [{ ...first, message }, ...others] }
    }
    if (read === undefined) return { row: null, faults: [] }
    const { facts, id: rowId, typedId, payer, otherName } = read
    const { line, row } = record
    const isTypedId = facts.kind === 'transfer' && typedId !== null
    const cellsOfRun = this.#file.carried.cellsOf(record.cells)
    const ofRun = { line, rowId, isTypedId, facts, cells: cellsOfRun, originalCents: null, isLeftOut: false }
    return { row: { ...ofRun, row, payer, otherName }, isHeld, elsewhere: taken === false ? undefined : read.elsewhere }
  }

  /** What to do with a line that may be no payment, because it has only one cell, or explains the columns, as the one below the header does in templates of banks. */
  #adviceFor({ row, cells }: TableRecord): string | undefined {
    const { header, query } = this.#file
    const filled = cells.filter((cell) => cell.trim() !== '')
    const mayBeNone = row === header.record.row + 1 || filled.length === 1
    return mayBeNone && !filled.some((cell) => isTarget(cell, query) || tryParseAmount(cell.trim()) !== null)
      ? t`If the line is not a payment, delete it`
      : undefined
  }

  /** Faults for what a row shares with an earlier one, of which at least one is sent: its id, the charge that it pays, or its reference, destination and amount. */
  #clashes(
    { row, line, cells: texts }: TableRecord,
    cells: RowCells,
    read: IdentifiedRow | undefined,
    isHeld: boolean,
  ): CellFault[] {
    const ids = this.#ids
    const place = { line, isHeld }
    const found: CellFault[] = []
    const note = (column: string, message: string) => found.push({ row, line, column, message })
    const id = read?.id ?? cells.raw('externalId').trim()
    const first = id === '' ? undefined : ids.clash(id, place)
    if (first !== undefined) note(cells.columnOf('externalId'), t`The id \`${id}\` is already used on line ${first}`)
    if (read === undefined) return found
    const charged = ids.clashOfCharge(read.facts, place)
    if (charged !== undefined) {
      note(
        cells.columnOf('key'),
        t`The code is for the charge that line ${charged} pays, and a charge is paid once. Remove one of them`,
      )
    }
    if (this.#references === null) return found
    const reference = referenceIn(this.#file.carried.cellsOf(texts), this.#references, read.typedId)
    const same = reference === null ? undefined : ids.clashOfReference(reference, read.facts, place)
    if (same === undefined || found.length > 0) return found
    const { line: other, number } = same
    note(
      this.#references.names[number.place] ?? cells.columnOf('externalId'),
      t`\`${number.cell}\` is on line ${other} already, for the same destination and amount. Delete one of the two lines, or add \`--repeat-reference\` if both are meant`,
    )
    return found
  }

  /** Reads a row; undefined if it has faults, which the cells have noted. */
  async #read(record: TableRecord, cells: RowCells): Promise<IdentifiedRow | undefined> {
    const { kind, header, options } = this.#file
    const { findOriginal = async (id: string) => ({ id, payers: [], isKnown: false }), refundReason = null } = options
    const { isFull = false, isRead = false } = options
    const read =
      kind === 'transfer'
        ? readTransferRow(cells, await this.#payeeOf(cells))
        : await readRefundRow(cells, { reason: refundReason, isFull, isRead }, findOriginal)
    if (read === undefined) return undefined
    if (header.results === null) return { ...read, id: this.#ids.idOf(read) }
    const found = await resultRowId(record, header.results, read.facts, {
      ids: this.#ids,
      findPayments: options.findPayments,
    })
    switch (found.is) {
      case 'answered-elsewhere':
        return { ...read, id: cells.raw('externalId').trim(), elsewhere: found.outcome }
      case 'fault':
        cells.fault(found.column, found.message)
        return undefined
      case 'row':
        return { ...read, id: found.id, typedId: kind === 'transfer' && found.isTyped ? found.id : null }
    }
  }

  /** What the ledger knows of the payee that a row names; null if it names none. */
  async #payeeOf(cells: RowCells) {
    const { findPayee = async () => ({ payee: null, close: undefined }) } = this.#file.options
    const name = cells.raw('payee').trim()
    return name === '' ? null : findPayee(name)
  }
}

function unusedPlaces({ names, places, results }: BatchHeader, ignored: ReadonlySet<number>): number[] {
  const used = new Set([...places.values(), ...ignored, ...(results?.added ?? [])])
  return [...names.keys()].filter((place) => !used.has(place))
}

class NameList {
  rows = 0
  readonly first: string[] = []

  add(name: string): void {
    if (name === '') return
    this.rows += 1
    if (this.first.length < NAMES_MAX) this.first.push(name)
  }
}

/** Throws UsageError with the faults of a file if it has any, or if it has no rows. */
export function assertNoFaults({
  faults,
  faultCount,
  count,
}: Pick<FileJudgement, 'faults' | 'faultCount'> & { count?: number }): void {
  if (faultCount > 0) {
    throw new UsageError(t`The file has faults: ${faultCount}`, {
      details: [t`Nothing was sent`, ...unlisted(faultCount, faults.length)],
      faults,
      hint: t`Correct them in the file and send it again: valid rows keep their ids`,
    })
  }
  if (count !== 0) return
  throw new UsageError(t`The file has no rows`, { hint: t`Put the payments below its header, one on each line` })
}

/** The name in a row, else that of its payee; empty if it has none. */
function nameIn({ cells, facts }: ValidRow, { fields }: BatchFile): string {
  const typed = fields.name === undefined ? '' : (cells[fields.name] ?? '').trim()
  return typed === '' && facts.kind === 'transfer' ? (facts.payee ?? '') : typed
}

function mayBeRows({ cells }: ValidRow, delimiter: string): boolean {
  return cells.some((cell) => /[\r\n]/.test(cell) && cell.includes(delimiter))
}
