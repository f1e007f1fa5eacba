import { parse } from 'csv-parse/sync'
import type { PaymentState } from '../../ledger/paymentState.ts'
import { parseAmount } from '../../pix/amount.ts'
import { Malformed } from '../../pix/malformed.ts'
import { type Mapping, quotedList, readMapping } from '../../spreadsheet/header.ts'
import { hasControlCharacter } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { type AnswerFields, readPaymentStatus } from '../../wire/answers.ts'
import { UsageError } from '../../wire/errors.ts'
import {
  columnFor,
  completeMapping,
  type Direction,
  directionOf,
  findingFromStatusText,
  isOpenStatus,
  isServiceStatus,
  splitSign,
  type TableField,
} from '../externalTable.ts'
import type { Difference } from '../listColumns.ts'

/** An id to look up and what its payment should be; null for what is not expected. */
export interface Expectation {
  idTransaction: string
  amountCents: number | null
  /** Of the amount; null if it has no sign. */
  direction: Direction | null
  status: string | null
  /** True for a row of a CSV with expectations: then a payment that is not found is `missing`. */
  isJudged: boolean
  /** True for an external id in the results of a batch, for which the gateway has no query. */
  isLocal: boolean
  /** What the results of a batch say of the row, as `not-sent`; null in other files. */
  outcome: string | null
}

export type ExpectationVerdict = 'match' | 'differs' | 'missing'

/** A verdict, and what differs if anything does. */
export interface ExpectationResult {
  verdict: ExpectationVerdict
  differences: readonly Difference[]
}

/** States of payments that were not made, came back, or may not have been made: they match only if exactly that is expected. */
const NOT_MADE: readonly (string | null)[] = ['not-sent', 'refused', 'unknown', 'not-paid', 'returned']

/** Whether a payment is what was expected; null if nothing was. `state` is what is known of it, null if it is not finished. */
export function compareExpectation(
  expected: Expectation,
  fields: AnswerFields,
  kind: string,
  state: PaymentState | null,
): ExpectationResult | null {
  const { amountCents, direction, status } = expected
  if (amountCents === null && status === null && !expected.isJudged) return null
  const actual = readPaymentStatus(fields)
  const differences: Difference[] = []
  if (amountCents !== null && amountCents !== actual.amountCents) differences.push('amount')
  if (direction !== null && direction !== directionOf(kind)) differences.push('sign')
  if (status === null ? NOT_MADE.includes(state) : statusDiffers(status, actual.status, state))
    differences.push('status')
  return { verdict: differences.length > 0 ? 'differs' : 'match', differences }
}

/** Statuses in the service's own words and states are compared as they are, others by what they mean. */
function statusDiffers(expected: string, actual: string | null, state: PaymentState | null): boolean {
  if (expected.toLowerCase() === state) return false
  // Whether it was paid is open, whatever was expected.
  if (state === 'unknown') return true
  const known = actual?.toUpperCase() ?? ''
  if (expected.toUpperCase() === known) return false
  if (isServiceStatus(expected)) return true
  const meaning = findingFromStatusText(expected)
  return meaning === null ? !(isOpenStatus(expected) && isOpenStatus(known)) : meaning !== findingFromStatusText(known)
}

/** The ids in a file, with what is expected of each. */
export interface ExpectationFile {
  expectations: Expectation[]
  /** Columns that are neither ids nor compared. */
  unusedColumns: string[]
  /** The columns that were recognised by their names, as `id=Código`. */
  recognised: string[]
  /** Lines without an id, which cannot be looked up. */
  withoutId: number[]
}

const FIELDS: readonly TableField[] = ['id', 'amount', 'status']
const FIELD_NAMES = { all: FIELDS, required: ['id'] }

/** The index of each field's column; -1 if the file does not have it. */
interface Places {
  id: number
  /** Of the results of a batch: the id that a row without idTransaction is looked up by. */
  externalId: number
  amount: number
  status: number
  /** Of the results of a batch. */
  outcome: number
  isResults: boolean
}

/** Reads `--map id=Código,amount=Valor`. Throws UsageError. */
export function readIdMapping(typed: readonly string[]): Mapping {
  return readMapping(typed, FIELD_NAMES)
}

/**
 * Reads ids, one a line, or a CSV (comma, semicolon or tab) with a header: a column of ids and perhaps what amount and status are expected,
 * in English, Portuguese or as `--map` says; also the results of a batch. `defaultStatus` is expected if a row names none. Throws
 * UsageError with all faults.
 */
export function readExpectations(text: string, defaultStatus: string | null, typed: Mapping): ExpectationFile {
  const records = readRecords(text)
  const names = records[0]?.cells.map((cell) => cell.trim()) ?? []
  const places = findPlaces(names, typed)
  if (places.id === -1 && names.length > 1) throw noIdColumn(names)
  const hasHeader = places.id !== -1
  const isJudged = places.amount !== -1 || places.status !== -1
  const faults: { line: number; column: string; message: string }[] = []
  const withoutId: number[] = []
  const expectations: Expectation[] = []
  for (const { cells, line } of hasHeader ? records.slice(1) : records) {
    const fault = (column: number, message: string) => faults.push({ line, column: names[column] ?? 'id', message })
    if (cells.length > names.length) {
      fault(places.id, t`The line has more cells than the header: quote values that contain the separator`)
    }
    const transactionId = cells[Math.max(places.id, 0)]?.trim() ?? ''
    const id = transactionId || (cells[places.externalId]?.trim() ?? '')
    if (id === '' && places.isResults) {
      withoutId.push(line)
      continue
    }
    if (id === '') fault(places.id, t`The id is empty`)
    if (hasControlCharacter(id)) fault(places.id, t`The id has a control character in it`)
    const amount = readAmount(cells[places.amount], (message) => fault(places.amount, message))
    const status = expectedStatus(cells[places.status], places.isResults)
    expectations.push({
      idTransaction: id,
      ...amount,
      status: status ?? defaultStatus,
      isJudged,
      isLocal: transactionId === '',
      outcome: cells[places.outcome]?.trim().toLowerCase() ?? null,
    })
  }
  if (faults.length > 0) throw faultyFileFailure(faults)
  const used = [places.id, places.externalId, places.amount, places.status]
  return {
    expectations,
    unusedColumns: hasHeader && !places.isResults ? names.filter((_, column) => !used.includes(column)) : [],
    recognised: places.isResults ? [] : recognisedColumns(names, places, typed),
    withoutId,
  }
}

function findPlaces(names: readonly string[], typed: Mapping): Places {
  for (const [field, column] of typed) {
    if (names.some((name) => isSameName(name, column))) continue
    throw new UsageError(t`\`--map ${field}=${column}\`: the file has no column \`${column}\``, {
      hint: t`Choose from its columns ${quotedList(names)}`,
    })
  }
  const mapping = completeMapping(names, FIELDS, typed)
  const place = (column: string | undefined) =>
    column === undefined ? -1 : names.findIndex((name) => isSameName(name, column))
  const isResults = ['outcome', 'externalId', 'sentAt'].every((name) => place(name) !== -1)
  return {
    id: place(mapping.get('id')),
    externalId: isResults ? place('externalId') : -1,
    amount: place(mapping.get('amount')),
    status: place(mapping.get('status')),
    outcome: isResults ? place('outcome') : -1,
    isResults,
  }
}

function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}

function recognisedColumns(names: readonly string[], { id, amount, status }: Places, typed: Mapping): string[] {
  const places: [TableField, number][] = [
    ['id', id],
    ['amount', amount],
    ['status', status],
  ]
  return places.flatMap(([field, place]) => {
    const name = names[place]
    const isPlain = name === undefined || isSameName(name, field) || isSameName(name, 'idTransaction')
    return isPlain || typed.has(field) ? [] : [`${field}=${name}`]
  })
}

/** A status in batch results is expected only if final: a payment still processing then has finished since. */
function expectedStatus(cell: string | undefined, isResults: boolean): string | null {
  const status = cell?.trim() ?? ''
  if (status === '' || (isResults && findingFromStatusText(status) === null)) return null
  return isServiceStatus(status) ? status.toUpperCase() : status
}

function readAmount(
  cell: string | undefined,
  onFault: (message: string) => void,
): Pick<Expectation, 'amountCents' | 'direction'> {
  const text = cell?.trim() ?? ''
  if (text === '') return { amountCents: null, direction: null }
  const { direction, unsigned } = splitSign(text)
  try {
    return { amountCents: parseAmount(unsigned), direction }
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    onFault(error.message)
    return { amountCents: null, direction }
  }
}

/** The separator of a file is the one in its first line; a decimal comma is used with `;` in Brazilian spreadsheets. */
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
    throw new UsageError(t`The file cannot be read as CSV: ${reason}`, {
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

function noIdColumn(names: readonly string[]): UsageError {
  const [likely = ''] = names
  const amount = columnFor('amount', names)
  const pairs = [`id=${likely}`, ...(amount === undefined ? [] : [`amount=${amount}`])].join(',')
  return new UsageError(t`The header has no column \`idTransaction\`: its columns are ${names.join(', ')}`, {
    hint: t`Name the column with the ids \`idTransaction\`, or say which it is, like \`--map "${pairs}"\``,
  })
}

function faultyFileFailure(faults: readonly { line: number; column: string; message: string }[]): UsageError {
  const message =
    faults.length === 1
      ? t`The file has a fault, so no query was sent`
      : t`The file has ${faults.length} faults, so no query was sent`
  return new UsageError(message, { faults, hint: t`Correct the listed cells, then run the command again` })
}
