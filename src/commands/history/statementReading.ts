import { type FieldNames, type Mapping, readHeader } from '../../batch/spreadsheet/header.ts'
import { RowCells } from '../../batch/spreadsheet/rowCells.ts'
import { detectDelimiter, isSeparatorLine, readRecords } from '../../batch/spreadsheet/table.ts'
import { parseAmount } from '../../pix/amount.ts'
import { endOfSaoPauloDayMs, parseInstant, saoPauloDay, startOfSaoPauloDayMs } from '../../pix/calendar.ts'
import { Malformed } from '../../pix/malformed.ts'
import { t } from '../../text/words.ts'
import { UsageError } from '../../wire/errors.ts'
import type { Period } from './filterOptions.ts'

/** One line of a statement. */
export interface StatementRow {
  line: number
  /** An idTransaction, external id or request number. */
  id: string
  /** Without its sign: what left an account stands there below zero. */
  amountCents: number
  /** As it stands there; null where there is none. */
  status: string | null
  /** In São Paulo; null where there is none. */
  day: string | null
}

/** What a statement says, and the days that it is about; an open end where it names none. */
export interface Statement extends Period {
  rows: StatementRow[]
}

/** The names under which columns of a statement are read, or to which `--map` leads. */
export const STATEMENT_FIELDS: FieldNames = { all: ['id', 'amount', 'status', 'date'], required: ['id', 'amount'] }

const BEGINNING_CHARACTERS = 64 * 1024
const FAULTS_MAX = 100
const YEAR = /^[12]\d{3}-/

/** Reads a statement: a CSV with a header. Throws UsageError with all faults. */
export async function readStatement(text: string, mapping: Mapping): Promise<Statement> {
  const names = [...STATEMENT_FIELDS.all, ...mapping.values()].map((name) => name.toLowerCase())
  const delimiter = detectDelimiter(text.slice(0, BEGINNING_CHARACTERS), (name) =>
    names.includes(name.trim().toLowerCase()),
  )
  const faults: { line: number; column: string; message: string }[] = []
  const rows: StatementRow[] = []
  let header: ReturnType<typeof readHeader> | undefined
  for await (const record of readRecords(onePiece(text), delimiter)) {
    if ('message' in record) {
      faults.push({ line: record.line, column: `#${record.place + 1}`, message: record.message })
    } else if (header === undefined) {
      if (!isSeparatorLine(record, delimiter)) {
        header = readHeader(record.cells, record.line, STATEMENT_FIELDS, mapping)
      }
    } else {
      const cells = new RowCells(record, header)
      const row = readRow(cells)
      if (cells.faults.length > 0) faults.push(...cells.faults)
      else rows.push(row)
    }
  }
  if (faults.length > 0) throw faulty(faults)
  if (rows.length === 0) {
    throw new UsageError(t`The statement holds no row`, {
      hint: t`Give a CSV whose header names \`id\` and \`amount\`, or say which columns these are with \`--map\``,
    })
  }
  return { rows, ...periodOf(rows) }
}

function readRow(cells: RowCells): StatementRow {
  const id = cells.raw('id').trim()
  if (id === '') cells.fault('id', t`The id is empty`)
  const amountCents = cells.read('amount', (text) => parseAmount(unsigned(text), { zeroAllowed: true })) ?? 0
  const day = cells.readOptional('date', dayOf) ?? null
  return { line: cells.line, id, amountCents, status: cells.raw('status').trim() || null, day }
}

function unsigned(text: string): string {
  return text.replace(/^(R\$\s*)?[-\u2212+]\s*/, '$1')
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
    throw new Malformed(t`\`${text}\` is no day`, t`Write it like \`2026-11-21\` or \`21/11/2026\``)
  }
}

function periodOf(rows: readonly StatementRow[]): Period {
  const days = rows.flatMap(({ day }) => day ?? []).sort()
  const [first] = days
  const last = days.at(-1)
  if (first === undefined || last === undefined) return { sinceMs: null, beforeMs: null }
  return { sinceMs: startOfSaoPauloDayMs(first), beforeMs: endOfSaoPauloDayMs(last) + 1 }
}

function faulty(faults: readonly { line: number; column: string; message: string }[]): UsageError {
  const message = faults.length === 1 ? t`The statement has a fault` : t`The statement has ${faults.length} faults`
  return new UsageError(message, {
    faults: faults.slice(0, FAULTS_MAX),
    hint: t`Mend what is named here, and run the command again`,
  })
}

async function* onePiece(text: string): AsyncGenerator<string> {
  yield text
}
