import { basename } from 'node:path'
import { RunSum } from '../ledger/runFingerprint.ts'
import { referenceColumns } from '../pix/tableWords.ts'
import { bytesOf, type FileFormat, type FileSource, readContent } from '../spreadsheet/fileContent.ts'
import { isKnownColumn, readMapping } from '../spreadsheet/tableHeader.ts'
import { type CellFault, columnNames, type TableRecord } from '../spreadsheet/tableRecords.ts'
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
  locateHeader,
  skippedLinesRemark,
  type Table,
} from './fileHeader.ts'
import {
  FooterLines,
  HiddenCells,
  type HiddenChoice,
  type HiddenSummary,
  type JudgedRow,
  judgeRows,
  type TotalLine,
  TotalLines,
  type ValidRow,
} from './judgeRows.ts'
import { type FindOriginal, type FindPayee, PAYMENT_TABLES } from './paymentRows.ts'
import { RowIds, RowRegister, referenceOf } from './rowIds.ts'
import { type MarkChoices, type MarkSummary, RowMarks, settledTitles } from './rowMarks.ts'
import {
  carriedColumns,
  type ElsewhereOutcome,
  type FindPayments,
  type ResultPlaces,
  referenceOfResults,
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

/** How many rows another machine sent, and the first thousand of those with an unknown outcome. */
interface AnsweredElsewhere extends Readonly<Record<ElsewhereOutcome, number>> {
  unknownRows: readonly ValidRow[]
}

/** A file whose header has been read. */
export interface BatchFile {
  kind: BatchKind
  format: FileFormat
  /** The line of its header, and what is on the lines above it, which are not read. */
  headerLine: number
  linesAbove: readonly TableRecord[]
  /** The names in its header, in their order; without those that pixgate added to a results file. */
  columns: readonly string[]
  /** The places of the fields among the columns. */
  fields: Readonly<Record<string, number>>
  /** The names of the columns that are not to be used. */
  ignored: readonly string[]
  /** True if it is a results file that pixgate wrote. */
  isResults: boolean
  reference: string
  /** Sentences about its name and its header that a person should read before the question. */
  remarks: readonly string[]
  /**
   * Reads every row, or its faults. The file is parsed while this is iterated over, so it is read once and no row is kept. Throws
   * UsageError at the end if something hidden would be sent, or what the file calls paid or cancelled, if a total is not the sum of the rows above it, or if a column of amounts is not
   * used.
   */
  rows(): AsyncGenerator<JudgedRow>
  /** The rows that `rows` left out of a results file, because it says so of payments that the ledger does not know. */
  answeredElsewhere(): AnsweredElsewhere
  /** The hidden payments that `rows` found when it ended; null before that. */
  hiddenSummary(): HiddenSummary | null
  /** The rows that `rows` found when it ended, and that the file, or `--only`, does not ask for. */
  markSummary(): MarkSummary | null
  /** The lines of totals that `rows` left out when it ended. */
  totalLines(): readonly TotalLine[]
  /** The lines below the last payment that `rows` left out when it ended. */
  linesBelow(): readonly TableRecord[]
}

/** Today, unless it is known: every day has passed. */
const LAST_DAY = '2999-12-31'
const NEVER = new AbortController().signal

/**
 * Detects how a CSV file or a workbook is written, and reads its header; the rows are read when they are iterated over. Throws UsageError
 * if the file cannot be read, is neither of them, or its header has faults.
 */
export async function readBatchFile(
  source: FileSource,
  kind: BatchKind,
  options: BatchFileOptions = {},
): Promise<BatchFile> {
  const { ignoreColumns = [], headerRow = null } = options
  const markChoices = { only: [], struck: 'stop', today: LAST_DAY, ...options.marks } as const
  const spec = PAYMENT_TABLES[kind]
  const typed = readMapping(options.map ?? [], spec)
  const ownName = typeof source === 'string' ? basename(source) : null
  const fileName = options.fileName === undefined ? ownName : options.fileName
  const { findPayments = async () => [], findPayee = async () => ({ payee: null, close: undefined }) } = options
  const { findOriginal = async (id: string) => ({ id, payers: [], isKnown: false }), isRead = false } = options
  const isTyped = typed.size > 0 || ignoreColumns.length > 0
  const earlier = isTyped ? [] : (options.earlier?.readings ?? [])
  const query: HeaderQuery = { ...spec, typed, ignored: ignoreColumns, row: headerRow, earlier }
  const isKnown = (column: string) => isKnownColumn(column, query)
  const findHeader = headerFinder(query)
  const { sheet, interrupt = NEVER } = options
  const name = typeof source === 'string' ? source : fileName
  const content = await readContent(bytesOf(source), { name, interrupt, sheet, isKnown, findHeader })
  const table: Table = { records: content.records, query }
  const { header, ignored: ignoredNames } = await locateHeader(table, options.earlier?.accept ?? (async () => false))
  const { results } = header
  const ignored = ignoredColumns(ignoredNames, header)
  const ofRun =
    results === null || options.reference !== undefined
      ? undefined
      : await referenceOfResults(content.records(), results, findPayments)
  const reference = referenceOf(options.reference ?? ofRun, fileName)
  const carried = carriedColumns(header.names, header.places, results)
  const elsewhere = { accepted: 0, unknown: 0 }
  const unknownRows: ValidRow[] = []
  const isFull = options.isFull === true
  let hiddenSummary: HiddenSummary | null = null
  let markSummary: MarkSummary | null = null
  let totalLines: readonly TotalLine[] = []
  let linesBelow: readonly TableRecord[] = []
  return {
    kind,
    format: content.format,
    headerLine: header.record.line,
    linesAbove: header.above,
    columns: carried.columns,
    fields: carried.fields,
    ignored: [...ignored].map((place) => columnNames(carried.columns)[carried.places.indexOf(place)] ?? ''),
    isResults: results !== null,
    reference,
    remarks: [
      ...(options.reference === undefined && ofRun === undefined ? copiedNameRemark(reference) : []),
      ...(results === null
        ? []
        : [t`This is a results file: what was answered is not sent again. Its reference is ${reference}`]),
      ...headerRemarks(header, spec),
      ...content.remarks,
      ...skippedLinesRemark(header.above),
    ],
    async *rows() {
      const scan = new AmountColumnScan(header.names, unusedPlaces(header, ignored))
      const hidden = new HiddenCells(header, spec, options.hidden ?? 'stop', content.isColumnHidden)
      const totals = new TotalLines(header, spec)
      const footers = new FooterLines(header, spec)
      const marks = new RowMarks(header, spec, kind, ignored, markChoices)
      const register = await RowRegister.open()
      const ids = new RowIds(reference, register)
      const references = options.repeatsReferences === true ? null : referenceColumns(carried.columns, carried.fields)
      const defaults = { reason: options.refundReason ?? null, isFull, isRead }
      let hasFaults = false
      try {
        if (results !== null) await reserveIds(table, results, register)
        for await (const judged of judgeRows(
          table.records(),
          header,
          { scan, hidden, totals, footers, marks },
          { kind, ids, defaults, findPayments, findPayee, findOriginal, cellsOf: carried.cellsOf, references },
        )) {
          if (judged.row !== null && judged.elsewhere !== undefined) {
            elsewhere[judged.elsewhere] += 1
            if (judged.elsewhere === 'unknown' && unknownRows.length < FAULTS_MAX) unknownRows.push(judged.row)
            continue
          }
          hasFaults ||= judged.row === null
          yield judged
        }
      } finally {
        register.close()
      }
      hidden.assertAllowed()
      hiddenSummary = hidden.summary()
      // Amounts with faults are missing in the sums.
      if (!hasFaults) totals.assertEqual()
      totalLines = totals.lines()
      linesBelow = footers.lines()
      assertAmountsUsed(header, scan.found(), query)
      if (kind === 'refund') assertAmountsPresent(header, scan.found(), { isFull, ignored })
      // A column such as `Estorno` may hold the amounts themselves.
      marks.assertAllowed(
        settledTitles(kind, {
          sheet: content.format.kind === 'xlsx' && sheet === undefined ? content.format.sheet : null,
          above: headerRow === null ? header.above : [],
          below: linesBelow,
          headerRow: header.record.row,
          otherSheets: content.remarks,
        }),
      )
      markSummary = marks.summary()
    },
    answeredElsewhere: () => ({ ...elsewhere, unknownRows }),
    hiddenSummary: () => hiddenSummary,
    markSummary: () => markSummary,
    totalLines: () => totalLines,
    linesBelow: () => linesBelow,
  }
}

/** Keeps the ids in a results file from being derived for its new rows. */
async function reserveIds({ records }: Table, { id }: ResultPlaces, register: RowRegister): Promise<void> {
  for await (const record of records()) {
    if ('cells' in record) register.reserve((record.cells[id] ?? '').trim())
  }
}

function unusedPlaces({ names, places, results }: BatchHeader, ignored: ReadonlySet<number>): number[] {
  const used = new Set([...places.values(), ...ignored, ...(results?.added ?? [])])
  return [...names.keys()].filter((place) => !used.has(place))
}

interface NamedRows {
  rows: number
  first: readonly string[]
}

/** A row with another name than that of who paid the payment that it returns. */
interface OtherName {
  line: number
  name: string
  payer: string
}

/** What was found in a whole file. It can be sent only if `faultCount` is 0. */
export interface FileJudgement {
  /** Rows without a fault. */
  count: number
  totalCents: number
  /** The first thousand faults, in the order of the lines; `faultCount` counts all. */
  faults: readonly CellFault[]
  faultCount: number
  /** The first row with a cell of several lines in which the separator occurs: a quote may swallow rows. */
  swallowedLine: number | null
  /** How many of these rows have a name, and the first of the names. */
  names: NamedRows
  /** How many rows return a payment whose payer is known, and the first of these names. */
  payers: NamedRows
  /** The rows with another name than that of the payer: how many, and the first of them. */
  otherNames: { count: number; first: readonly OtherName[] }
  /** 16 hex digits that identify exactly these payments, in any order. */
  fingerprint: string
}

export const FAULTS_MAX = 1000
const NAMES_MAX = 3
const OTHER_NAMES_MAX = 10

/** Reads a file from end to end, once, and gives each row without a fault to `take`, also those that are not sent; it keeps no row. */
export async function judgeBatchFile(
  file: BatchFile,
  take: (row: ValidRow, isHeld: boolean) => Promise<void> | void = () => undefined,
): Promise<FileJudgement> {
  const sum = new RunSum()
  const faults: CellFault[] = []
  let faultCount = 0
  let swallowedLine: number | null = null
  const [names, payers] = [new NameList(), new NameList()]
  const otherNames = { count: 0, first: [] as OtherName[] }
  const note = (fault: CellFault) => {
    faultCount += 1
    if (faults.length < FAULTS_MAX) faults.push(fault)
  }
  for await (const judged of file.rows()) {
    if (judged.row === null) {
      judged.faults.forEach(note)
      continue
    }
    const { row, isHeld = false } = judged
    if (isHeld) {
      await take(row, isHeld)
      continue
    }
    if (!Number.isSafeInteger(sum.totalCents + (row.amountCents ?? 0))) {
      const column = row.kind === 'transfer' ? 'value' : 'amount'
      note({
        row: row.row,
        line: row.line,
        column,
        message: t`The total becomes too large at this row: split the file`,
      })
      continue
    }
    sum.add(row.id, row)
    names.add(nameIn(row, file))
    if (row.kind === 'refund') {
      const { line, payer, otherName: name } = row
      payers.add(payer ?? '')
      if (payer !== null && name !== null && ++otherNames.count <= OTHER_NAMES_MAX) {
        otherNames.first.push({ line, name, payer })
      }
    }
    if (swallowedLine === null && file.format.kind === 'csv' && mayBeRows(row, file.format.delimiter))
      swallowedLine = row.line
    if (faultCount === 0) await take(row, isHeld)
  }
  const { rows: count, totalCents, fingerprint } = sum.sums
  return { count, totalCents, fingerprint, faults, faultCount, swallowedLine, names, payers, otherNames }
}

class NameList implements NamedRows {
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
    const unlisted = faultCount > faults.length ? [t`The first ${faults.length} are listed`] : []
    throw new UsageError(t`The file has faults: ${faultCount}`, {
      details: [t`Nothing was sent`, ...unlisted],
      faults,
      hint: t`Correct them in the file and send it again: valid rows keep their ids`,
    })
  }
  if (count !== 0) return
  throw new UsageError(t`The file has no rows`, { hint: t`Put the payments below its header, one on each line` })
}

/** The name in a row, else that of its payee; empty if it has none. */
function nameIn(row: ValidRow, { fields }: BatchFile): string {
  const typed = fields.name === undefined ? '' : (row.cells[fields.name] ?? '').trim()
  return typed === '' && row.kind === 'transfer' ? (row.payee ?? '') : typed
}

function mayBeRows({ cells }: ValidRow, delimiter: string): boolean {
  return cells.some((cell) => /[\r\n]/.test(cell) && cell.includes(delimiter))
}
