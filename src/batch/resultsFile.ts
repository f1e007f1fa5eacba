import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import type { Ledger } from '../ledger/ledger.ts'
import type { Run } from '../ledger/runs.ts'
import { tryParseAmount } from '../pix/amount.ts'
import { writeFailure } from '../terminal/outputFile.ts'
import { csvLine } from '../views/csv.ts'
import { REFUND_FIELDS, TRANSFER_FIELDS } from './paymentRows.ts'
import { ROW_FIELDS, type RowField } from './rowFields.ts'
import { type RowResult, resultPages } from './rowResults.ts'

/** `lossless` is a CSV that gives every cell back as it was; `excel` is one that a Brazilian spreadsheet opens correctly. */
export type ResultsMode = 'lossless' | 'excel'

/** A spreadsheet takes no longer text inside a formula. */
const FORMULA_TEXT_MAX = 255
const FIRST_COLUMN = 'line'
/** What follows the columns of the file, in its order. */
const RESULT_FIELDS = ROW_FIELDS.flatMap((field: RowField) =>
  field.results === undefined ? [] : [{ ...field, ...field.results }],
).sort((one, other) => one.place - other.place)
/** What a spreadsheet would rewrite in a column that pixgate does not know: leading zeros, long numbers, exponents, and parts of dates. */
const WOULD_CHANGE = /^(?:0\d+|\d{12,}|\+\d+|\d[\d.]*e[\d.-]+|\d{1,2}[-/]\d{1,2})$/i

/**
 * The first line of a results file, with its line end. A column of the input that has the name of one of the results is called `input.…`, so
 * that no name occurs twice and the file can be read again.
 */
export function resultsHeader(columns: readonly string[], mode: ResultsMode): string {
  const taken = new Set([FIRST_COLUMN, ...RESULT_FIELDS.map(({ path }) => path)].map((name) => name.toLowerCase()))
  const names = columns.map((column) => {
    let name = column
    while (name !== '' && taken.has(name.toLowerCase())) name = `input.${name}`
    taken.add(name.toLowerCase())
    return name
  })
  const cells = [FIRST_COLUMN, ...names, ...RESULT_FIELDS.map(({ path }) => path)]
  return mode === 'excel' ? `\ufeff${excelRecord(cells.map(plainCell))}` : `${csvLine(cells)}\n`
}

/** The line of one row in a results file, with its line end. `fields` are the places of the request's fields among its cells. */
export function resultLine(result: RowResult, fields: Readonly<Record<string, number>>, mode: ResultsMode): string {
  if (mode === 'lossless') {
    const known = RESULT_FIELDS.map(({ json, value }) => String((value ?? json)?.(result) ?? ''))
    return `${csvLine([String(result.line), ...result.cells, ...known])}\n`
  }
  const known = RESULT_FIELDS.map(({ json, value, excel, isId }) => {
    const text = String((excel ?? value ?? json)?.(result) ?? '')
    return isId === true ? textCell(text) : plainCell(text)
  })
  return excelRecord([plainCell(String(result.line)), ...excelCells(result, fields), ...known])
}

function excelCells({ cells, facts }: RowResult, fields: Readonly<Record<string, number>>): string[] {
  const read = facts.kind === 'transfer' ? TRANSFER_FIELDS : REFUND_FIELDS
  const texts = placesOf(read.texts, fields)
  const amounts = placesOf([read.amount], fields)
  return cells.map((cell, place) => {
    if (texts.has(place)) return textCell(cell)
    if (amounts.has(place)) return cell.trim() === '' ? '' : decimalComma(facts.amountCents ?? 0)
    return otherCell(cell)
  })
}

function placesOf(names: readonly string[], fields: Readonly<Record<string, number>>): Set<number> {
  return new Set(names.flatMap((name) => fields[name] ?? []))
}

function excelRecord(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';')}\r\n`
}

/** A cell whose text a spreadsheet shows as it is, also if it consists of digits. */
function textCell(cell: string): string {
  const isDigits = /^\+?\d[\d.,:/e-]*$/i.test(cell) && cell.length <= FORMULA_TEXT_MAX
  return isDigits ? `="${cell}"` : plainCell(cell)
}

/** A cell of a column that pixgate does not know: an amount becomes a number, digits that would be lost stay text. */
function otherCell(cell: string): string {
  const text = cell.trim()
  if (/^(?:R\$\s?)?\d[\d.,]*[.,]\d{1,2}$/.test(text)) {
    const cents = tryParseAmount(text, { zeroAllowed: true })
    if (cents !== null) return decimalComma(cents)
  }
  return WOULD_CHANGE.test(text) ? textCell(text) : plainCell(cell)
}

function decimalComma(cents: number): string {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)},${digits.slice(-2)}`
}

/** No formula runs when the file is opened. */
function plainCell(cell: string): string {
  return /^[=+\-@\t\r\n]|^\d{12}/.test(cell) ? `'${cell}` : cell
}

/** A file of results that is being made; it appears under its name when it is whole. */
export interface ResultsFile {
  /** Writes the current result of every row of a run, as recorded in the ledger. */
  write(ledger: Ledger, run: Run): Promise<void>
  /** Removes the unfinished file if it was not written. */
  close(): Promise<void>
}

/** Opens a file for results before anything is sent. Throws UsageError if it cannot be written. */
export async function openResults(path: string, mode: ResultsMode): Promise<ResultsFile> {
  const part = `${path}.part`
  const file = await attempted(path, () => open(part, 'w', 0o600))
  let isOpen = true
  return {
    async write(ledger, run) {
      await attempted(path, async () => {
        await writeRows(file, ledger, run, mode)
        isOpen = false
        await file.close()
        await rename(part, path)
      })
    },
    async close() {
      if (!isOpen) return
      isOpen = false
      await file.close()
      await rm(part, { force: true })
    },
  }
}

async function writeRows(file: FileHandle, ledger: Ledger, run: Run, mode: ResultsMode): Promise<void> {
  await file.write(resultsHeader(run.columns, mode))
  for await (const page of resultPages(ledger, run)) {
    await file.write(page.map((result) => resultLine(result, run.fields, mode)).join(''))
  }
}

async function attempted<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw writeFailure('--results', path, error)
  }
}
