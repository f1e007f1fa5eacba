import type { CellFault } from '../spreadsheet/table.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import type { BatchFile } from './batchFile.ts'
import type { CheckedRow } from './judgeRows.ts'
import { Fingerprint } from './rowIds.ts'

/** The result of checking a whole file. It can be sent only if `faultCount` is 0. */
export interface FileCheck {
  /** Rows without a fault. */
  count: number
  totalCents: number
  /** The first thousand faults, in the order of the lines; `faultCount` counts all. */
  faults: readonly CellFault[]
  faultCount: number
  /** The first row with a cell of several lines in which the separator occurs: a quote may swallow rows. */
  swallowedLine: number | null
  /** How many of these rows have a name, and the first of the names. */
  names: { rows: number; first: readonly string[] }
  /** 16 hex digits that identify exactly these payments, in any order. */
  fingerprint: string
}

export const FAULTS_MAX = 1000
const NAMES_MAX = 3

/** Reads a file from end to end, once, and gives each row without a fault to `take`; it keeps no row. */
export async function checkBatchFile(
  file: BatchFile,
  take: (row: CheckedRow) => Promise<void> | void = () => undefined,
): Promise<FileCheck> {
  const fingerprint = new Fingerprint()
  const faults: CellFault[] = []
  let [faultCount, count, totalCents] = [0, 0, 0]
  let swallowedLine: number | null = null
  const names = { rows: 0, first: [] as string[] }
  const note = (fault: CellFault) => {
    faultCount += 1
    if (faults.length < FAULTS_MAX) faults.push(fault)
  }
  for await (const judged of file.rows()) {
    if (judged.row === null) {
      judged.faults.forEach(note)
      continue
    }
    const { row } = judged
    const sumCents = totalCents + (row.amountCents ?? 0)
    if (!Number.isSafeInteger(sumCents)) {
      const column = row.kind === 'transfer' ? 'value' : 'amount'
      note({
        row: row.row,
        line: row.line,
        column,
        message: t`The total becomes too large at this row: split the file`,
      })
      continue
    }
    count += 1
    totalCents = sumCents
    fingerprint.add(row.id, row)
    const name = nameIn(row, file)
    if (name !== '') names.rows += 1
    if (name !== '' && names.first.length < NAMES_MAX) names.first.push(name)
    if (swallowedLine === null && file.format.kind === 'csv' && mayBeRows(row, file.format.delimiter))
      swallowedLine = row.line
    if (faultCount === 0) await take(row)
  }
  return { count, totalCents, faults, faultCount, swallowedLine, names, fingerprint: fingerprint.toString() }
}

/** Throws UsageError with the faults of a file if it has any, or if it has no rows. */
export function assertNoFaults({
  faults,
  faultCount,
  count,
}: Pick<FileCheck, 'faults' | 'faultCount'> & { count?: number }): void {
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
function nameIn(row: CheckedRow, { fields }: BatchFile): string {
  const typed = fields.name === undefined ? '' : (row.cells[fields.name] ?? '').trim()
  return typed === '' && row.kind === 'transfer' ? (row.payee ?? '') : typed
}

function mayBeRows({ cells }: CheckedRow, delimiter: string): boolean {
  return cells.some((cell) => /[\r\n]/.test(cell) && cell.includes(delimiter))
}
