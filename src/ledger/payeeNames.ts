import { isSameName } from '../pix/payeeName.ts'
import type { Database } from '../storage/sqlite.ts'
import type { PaymentKind } from './facts.ts'
import { loadPayment, type Payment } from './payments.ts'
import { readRunRow } from './runRows.ts'
import { findRun, type Run } from './runs.ts'

/** The names of who is paid, side by side; null for what is not known. */
export interface PayeeNames {
  /** In the row of the file that the payment comes from. */
  inFile: string | null
  /** In an event of the gateway; a refund goes to who paid the charge. */
  inEvent: string | null
  /** Null unless both are known. */
  differ: boolean | null
}

/** Names of columns that hold the name of the person who is paid. */
const NAME_COLUMN = /^(?:nome|name|favorecido|benefici[aá]rio)\b/i

/** The place of the column that seems to hold names; undefined if there is none. */
export function nameColumn({ columns, fields }: Pick<Run, 'columns' | 'fields'>): number | undefined {
  const used = new Set(Object.values(fields))
  const place = columns.findIndex((column, index) => !used.has(index) && NAME_COLUMN.test(column))
  return place === -1 ? undefined : place
}

/** The names of a row of a run, from its cells and from the events of its payment, if it has one. Throws DamagedRecord. */
export function rowNames(
  database: Database,
  namePlace: number | undefined,
  cells: readonly string[],
  payment: { id: string; kind: PaymentKind } | null,
): PayeeNames {
  const inEvent = payment === null ? null : eventName(database, payment.id, payment.kind)
  return comparedNames(namePlace === undefined ? null : (cells[namePlace] ?? ''), inEvent)
}

/** The names of a payment. Throws DamagedRecord, and DamagedRow for a row that was changed. */
export function paymentNames(database: Database, { first, personName }: Payment): PayeeNames {
  const { place } = first
  const run = place === null ? undefined : findRun(database, place.run)
  const namePlace = run === undefined ? undefined : nameColumn(run)
  if (place === null || namePlace === undefined) return comparedNames(null, personName)
  const row = database.get('SELECT * FROM run_row WHERE run = ? AND line = ?', place.run, place.line)
  const { cells } = row === undefined ? { cells: [] } : readRunRow(row)
  return comparedNames(cells[namePlace] ?? null, personName)
}

function comparedNames(cell: string | null, inEvent: string | null): PayeeNames {
  // A dash in a cell is no name.
  const inFile = cell !== null && /[\p{L}\p{N}]/u.test(cell) ? cell.trim() : null
  const differ = inFile === null || inEvent === null ? null : !isSameName(inFile, inEvent)
  return { inFile, inEvent, differ }
}

/** Most payments of a run that was just sent have no event yet, and loading one costs more than asking for that. */
function eventName(database: Database, payment: string, kind: PaymentKind): string | null {
  const hasEvent = database.get('SELECT 1 FROM event WHERE payment = ? LIMIT 1', payment) !== undefined
  return hasEvent || kind === 'refund' ? loadPayment(database, payment).personName : null
}
