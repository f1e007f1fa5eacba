import { parseAmount } from '../../pix/amount.ts'
import { endOfSaoPauloDayMs, parseInstant, saoPauloDay, startOfSaoPauloDayMs } from '../../pix/calendar.ts'
import { Malformed } from '../../pix/malformed.ts'
import type { Period } from '../../pix/period.ts'
import { type FieldNames, findFields, type Mapping, readHeader } from '../../spreadsheet/header.ts'
import { RowCells } from '../../spreadsheet/rowCells.ts'
import { detectDelimiter, isSeparatorLine, readRecords, type TableRecord } from '../../spreadsheet/table.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { columnFor, completeMapping, type Direction, splitSign, type TableField } from '../externalTable.ts'

/** One line of a statement. */
export interface StatementRow {
  line: number
  /** An idTransaction, external id or request number. */
  id: string
  /** Always positive; the direction tells whether it came or went. */
  amountCents: number
  /** Null if the statement has no signs at all. */
  direction: Direction | null
  /** As it came; null if there is none. */
  status: string | null
  /** In São Paulo; null if there is none. */
  day: string | null
}

/** What a statement says, and the days that it is about; an open end if it names none. */
export interface Statement extends Period {
  rows: StatementRow[]
  /** The columns that were recognised by their names, as `id=Código`. */
  recognised: string[]
}

/** The fields of a statement, by which `--map` names its columns. */
export const STATEMENT_FIELDS: FieldNames = {
  all: ['id', 'amount', 'status', 'date'],
  required: ['id', 'amount'],
  amount: 'amount',
}

const FIELDS: readonly TableField[] = ['id', 'amount', 'status', 'date']
const BEGINNING_CHARACTERS = 64 * 1024
const FAULTS_MAX = 100
const YEAR = /^[12]\d{3}-/

/** Reads a statement: a CSV with a header. Throws UsageError with all faults. */
export async function readStatement(text: string, typed: Mapping): Promise<Statement> {
  const delimiter = detectDelimiter(text.slice(0, BEGINNING_CHARACTERS), (name) => isKnown(name, typed))
  const faults: { line: number; column: string; message: string }[] = []
  const rows: StatementRow[] = []
  let header: ReturnType<typeof headerOf> | undefined
  for await (const record of readRecords(onePiece(text), delimiter)) {
    if ('message' in record) {
      faults.push({ line: record.line, column: `#${record.place + 1}`, message: record.message })
    } else if (header === undefined) {
      if (!isSeparatorLine(record, delimiter)) header = headerOf(record, typed)
    } else {
      const cells = new RowCells(record, header)
      const row = readRow(cells)
      if (cells.faults.length > 0) faults.push(...cells.faults)
      else rows.push(row)
    }
  }
  if (faults.length > 0) throw faultyFileFailure(faults)
  if (rows.length === 0) {
    throw new UsageError(t`The statement has no rows`, {
      hint: t`Give a CSV whose header names \`id\` and \`amount\`, or name these columns with \`--map\``,
    })
  }
  return { rows: withDirections(rows), recognised: header?.recognised ?? [], ...periodOf(rows) }
}

function isKnown(name: string, typed: Mapping): boolean {
  const lower = name.trim().toLowerCase()
  const isTyped = [...typed.values()].some((column) => column.toLowerCase() === lower)
  return isTyped || FIELDS.some((field) => columnFor(field, [name]) !== undefined)
}

function headerOf({ cells, line }: TableRecord, typed: Mapping) {
  const names = cells.map((cell) => cell.trim())
  // A missing column of `--map` is reported before others are guessed.
  findFields(names, STATEMENT_FIELDS, typed)
  const mapping = completeMapping(names, FIELDS, typed)
  const recognised = [...mapping].flatMap(([field, column]) =>
    typed.has(field) || field === column ? [] : [`${field}=${column}`],
  )
  return { ...readHeader(cells, line, STATEMENT_FIELDS, mapping), recognised }
}

function readRow(cells: RowCells): StatementRow {
  const id = cells.raw('id').trim()
  if (id === '') cells.fault('id', t`The id is empty`)
  const { direction, unsigned } = splitSign(cells.raw('amount').trim())
  const amountCents = cells.read('amount', () => parseAmount(unsigned, { zeroAllowed: true })) ?? 0
  const day = cells.readOptional('date', dayOf) ?? null
  return { line: cells.line, id, amountCents, direction, status: cells.raw('status').trim() || null, day }
}

/** In a statement with debits an amount without a sign is a credit; in one without signs it may be either. */
function withDirections(rows: readonly StatementRow[]): StatementRow[] {
  const hasDebits = rows.some(({ direction }) => direction === 'debit')
  return rows.map((row) => ({ ...row, direction: row.direction ?? (hasDebits ? 'credit' : null) }))
}

/** The day of `2026-11-21`, `21/11/2026`, either with a time behind it, or of a date-time with its zone. Throws Malformed. */
function dayOf(text: string): string {
  const instantMs = parseInstant(text)
  if (instantMs !== undefined && YEAR.test(text)) return saoPauloDay(instantMs)
  const [, day = '', month = '', year = ''] = /^(\d{2})\/(\d{2})\/(\d{4})(?:\D.*)?$/.exec(text) ?? []
  const iso = year === '' ? text.slice(0, 10) : `${year}-${month}-${day}`
  try {
    startOfSaoPauloDayMs(YEAR.test(iso) ? iso : '')
    return iso
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Malformed(t`\`${text}\` is not a day`, t`Write it like \`2026-11-21\` or \`21/11/2026\``)
  }
}

function periodOf(rows: readonly Pick<StatementRow, 'day'>[]): Period {
  const days = rows.flatMap(({ day }) => day ?? []).sort()
  const [first] = days
  const last = days.at(-1)
  if (first === undefined || last === undefined) return { sinceMs: null, beforeMs: null }
  return { sinceMs: startOfSaoPauloDayMs(first), beforeMs: endOfSaoPauloDayMs(last) + 1 }
}

function faultyFileFailure(faults: readonly { line: number; column: string; message: string }[]): UsageError {
  const message = faults.length === 1 ? t`The statement has a fault` : t`The statement has ${faults.length} faults`
  return new UsageError(message, {
    faults: faults.slice(0, FAULTS_MAX),
    hint: t`Correct the listed cells, then run the command again`,
  })
}

async function* onePiece(text: string): AsyncGenerator<string> {
  yield text
}
