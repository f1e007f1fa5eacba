import { safeJson, safeText } from '../text/safeText.ts'
import { t } from '../text/words.ts'
import { csvRecord } from '../views/csv.ts'
import { cellText, pickFields, valueAt } from '../views/fields.ts'
import { UsageError } from '../wire/errors.ts'
import type { Terminal } from './terminal.ts'

export const OUTPUT_FORMATS = ['text', 'json', 'csv'] as const
export type OutputFormat = (typeof OUTPUT_FORMATS)[number]

const PIECE_ITEMS = 1000

/** A JSON object that a command answers with. */
export type Document = Readonly<Record<string, unknown>>

/** One column of a list: a path into the documents, and its text for people where that differs from the value. */
export interface Column {
  path: string
  text?: (document: Document) => string
}

/** Writes a command's answer in the format that was asked for. */
export interface Printer {
  readonly format: OutputFormat
  /** One thing: an object in JSON, these lines in text. */
  one(document: Document, lines: () => string[]): void
  /** One thing that is JSON in text too. */
  json(document: Document): void
  /** A list: an array in JSON, a table in text, records in CSV. */
  list(documents: readonly Document[], columns: readonly Column[]): Promise<void>
  /** One item of a stream: a line of JSON, these lines in text. */
  item(document: Document, lines: () => string[]): void
  /** Several items of a stream in JSON, a line each, written at once. */
  items(documents: readonly Document[]): void
}

/** A printer to this terminal. `fields` picks and orders keys or columns; undefined keeps all. */
export function openPrinter(terminal: Terminal, format: OutputFormat, fields: readonly string[] | undefined): Printer {
  const shaped = (document: Document) => (fields === undefined ? document : pickFields(document, fields))
  const writeJson = (value: unknown, indent: number) => terminal.data(safeJson(JSON.stringify(value, null, indent)))
  const indent = terminal.outIsTerminal ? 2 : 0

  function columnsOf(columns: readonly Column[]): readonly Column[] {
    if (fields === undefined) return columns
    return fields.map((path) => columns.find((column) => column.path === path) ?? { path })
  }

  function csv(documents: readonly Document[], columns: readonly Column[]): void {
    const paths = columnsOf(columns).map((column) => column.path)
    const shown = (record: readonly string[]) => {
      const line = csvRecord(record)
      return terminal.outIsTerminal ? safeText(line) : line
    }
    terminal.data(shown(paths))
    for (const piece of piecesOf(documents)) {
      const records = piece.map((document) => paths.map((path) => cellText(valueAt(document, path))))
      terminal.data(records.map(shown).join('\n'))
    }
  }

  function jsonList(documents: readonly Document[]): void {
    if (indent > 0 || documents.length === 0) {
      writeJson(documents.map(shaped), indent)
      return
    }
    let before = '['
    for (const piece of piecesOf(documents)) {
      const members = JSON.stringify(piece.map(shaped)).slice(1, -1)
      terminal.data(safeJson(before + members), '')
      before = ','
    }
    terminal.data(']')
  }

  async function textTable(documents: readonly Document[], columns: readonly Column[]): Promise<void> {
    const { table } = await import('./table.ts')
    const shown = columnsOf(columns)
    const rows = documents.map((document) =>
      shown.map((column) => column.text?.(document) ?? cellText(valueAt(document, column.path))),
    )
    const header = shown.map((column) => column.path.split('.').at(-1) ?? column.path)
    terminal.data(table(terminal, header, rows))
  }

  return {
    format,
    one(document, lines) {
      if (format === 'csv') throw noList()
      if (format === 'json') writeJson(shaped(document), indent)
      else terminal.data(lines().join('\n'))
    },
    json(document) {
      if (format === 'csv') throw noList()
      writeJson(shaped(document), indent)
    },
    item(document, lines) {
      if (format === 'csv') throw noList()
      if (format === 'json') writeJson(shaped(document), 0)
      else terminal.data(lines().join('\n'))
    },
    items(documents) {
      terminal.data(safeJson(documents.map((document) => JSON.stringify(shaped(document))).join('\n')))
    },
    async list(documents, columns) {
      if (format === 'json') jsonList(documents)
      else if (format === 'csv') csv(documents, columns)
      else await textTable(documents, columns)
    },
  }
}

/** A long list is written piece by piece, because as one text it would fill the memory. */
function* piecesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += PIECE_ITEMS) yield items.slice(at, at + PIECE_ITEMS)
}

/** The failure of asking for CSV where the answer is no list. */
export function noList(): UsageError {
  return new UsageError(t`This answer is not a list, so there is no CSV of it`, {
    hint: t`Use \`-o json\` or \`-o text\``,
  })
}
