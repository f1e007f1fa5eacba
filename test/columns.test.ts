import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PAYMENT_COLUMNS, ROW_COLUMNS, RUN_COLUMNS } from '../src/commands/listColumns.ts'
import type { Column } from '../src/terminal/printer.ts'

const PAGE = readFileSync(join(import.meta.dirname, '..', 'docs', 'columns.md'), 'utf8')

/** The cells of the page's tables: name, meaning, and paths; a line may name several columns. */
function documented(): { names: string[]; paths: string[] }[] {
  const cells = PAGE.split('\n').map((line) => line.split('|').slice(1, -1))
  const inside = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')
  return cells.map(([name, meaning, ...paths]) => ({
    names: inside(name),
    paths: [...paths.flatMap(inside), ...inside(meaning)],
  }))
}

function nameOf({ header, path }: Column): string {
  return header ?? path
}

it.each([
  ['payments', Object.values<Column>(PAYMENT_COLUMNS)],
  ['rows of a run', Object.values<Column>(ROW_COLUMNS)],
  ['runs', RUN_COLUMNS],
])('explains every column of %s, and where its value is', (_list, columns) => {
  const lines = documented()
  const missing = columns.filter(
    (column) =>
      !lines.some(({ names, paths }) => names.includes(nameOf(column)) && [...names, ...paths].includes(column.path)),
  )
  expect(missing.map(nameOf)).toEqual([])
})
