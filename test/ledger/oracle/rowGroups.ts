import type { Row } from '../../../src/storage/sqlite.ts'
import type { ExpectedRow } from './paymentRows.ts'

/** The columns in which a row differs from what is expected. */
export function differentColumns(row: Row, expected: ExpectedRow): string[] {
  const different: string[] = []
  for (const column in row) if (row[column] !== expected[column]) different.push(column)
  for (const column in expected) if (!(column in row)) different.push(column)
  return different
}

/** Rows by what a key says of them, in their order. */
export function groupedBy(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group === undefined) groups.set(keyOf(row), [row])
    else group.push(row)
  }
  return groups
}
