import { parse } from 'csv-parse/sync'
import { parseAmount } from '../../pix/amount.ts'
import { Malformed } from '../../pix/malformed.ts'
import { hasControlCharacter } from '../../text/safeText.ts'
import { t } from '../../text/words.ts'
import { UsageError } from '../../wire/errors.ts'
import type { Expectation } from './expectations.ts'

const ID_COLUMNS: readonly string[] = ['idtransaction', 'id', 'id_transaction']

/**
 * Reads ids, one a line, or a CSV (comma, semicolon or tab) with a header that names `idTransaction` and perhaps `amount`
 * and `status`. `defaultStatus` is expected where a row names none. Throws UsageError with all faults.
 */
export function readExpectations(
  text: string,
  defaultStatus: string | null,
): { expectations: Expectation[]; unusedColumns: string[] } {
  const records = readRecords(text)
  const header = records[0]?.cells.map((cell) => cell.trim().toLowerCase()) ?? []
  const idColumn = header.findIndex((name) => ID_COLUMNS.includes(name))
  if (idColumn === -1 && header.length > 1) throw noIdColumn(header)
  const amountColumn = idColumn === -1 ? -1 : header.indexOf('amount')
  const statusColumn = idColumn === -1 ? -1 : header.indexOf('status')
  const isJudged = amountColumn !== -1 || statusColumn !== -1
  const faults: { line: number; column: string; message: string }[] = []
  const expectations: Expectation[] = []
  for (const { cells, line } of idColumn === -1 ? records : records.slice(1)) {
    if (cells.length > header.length) {
      faults.push({
        line,
        column: 'idTransaction',
        message: t`The line has more cells than the header: quote a value that holds the separator`,
      })
    }
    const idTransaction = cells[Math.max(idColumn, 0)]?.trim() ?? ''
    if (idTransaction === '') faults.push({ line, column: 'idTransaction', message: t`The id is empty` })
    if (hasControlCharacter(idTransaction)) {
      faults.push({ line, column: 'idTransaction', message: t`The id has a control character in it` })
    }
    expectations.push({
      idTransaction,
      amountCents: readAmount(cells[amountColumn], (message) => faults.push({ line, column: 'amount', message })),
      status: cells[statusColumn]?.trim().toUpperCase() || defaultStatus,
      isJudged,
    })
  }
  const used = [idColumn, amountColumn, statusColumn]
  const unusedColumns = idColumn === -1 ? [] : (records[0]?.cells ?? []).filter((_, column) => !used.includes(column))
  if (faults.length === 0) return { expectations, unusedColumns }
  const message =
    faults.length === 1
      ? t`The file has a fault, so nothing was asked`
      : t`The file has ${faults.length} faults, so nothing was asked`
  throw new UsageError(message, { faults, hint: t`Mend what is named here, and run the command again` })
}

function readAmount(cell: string | undefined, onFault: (message: string) => void): number | null {
  const text = cell?.trim() ?? ''
  if (text === '') return null
  try {
    return parseAmount(text)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    onFault(error.message)
    return null
  }
}

/** The separator of a file is the one in its first line; a decimal comma stands beside `;` in Brazilian spreadsheets. */
function delimiterOf(text: string): string {
  const [first = ''] = text.split(/\r?\n/)
  return [';', '\t'].find((delimiter) => first.includes(delimiter)) ?? ','
}

interface FileRecord {
  line: number
  cells: string[]
}

function readRecords(text: string): FileRecord[] {
  try {
    const parsed: unknown[] = parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      skip_empty_lines: true,
      relax_column_count: true,
      info: true,
    })
    return parsed.map(asFileRecord)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(t`The file is not a CSV that can be read: ${reason}`, {
      hint: t`Give one id a line, or a CSV with a header that names \`idTransaction\``,
    })
  }
}

function asFileRecord(entry: unknown): FileRecord {
  if (typeof entry !== 'object' || entry === null || !('record' in entry) || !('info' in entry))
    return { line: 0, cells: [] }
  const { record, info } = entry
  const line = typeof info === 'object' && info !== null && 'lines' in info ? Number(info.lines) : 0
  return { line, cells: Array.isArray(record) ? record.map(String) : [] }
}

function noIdColumn(header: readonly string[]): UsageError {
  return new UsageError(t`The file's first line names no column \`idTransaction\`: it has ${header.join(', ')}`, {
    hint: t`Name the column with the ids \`idTransaction\``,
  })
}
