import { bytesOf } from '../text/byteText.ts'
import { safeJson, safeText } from '../text/safeText.ts'
import { t } from '../text/words.ts'
import { csvRecord } from '../views/csv.ts'
import { cellText, pickFields, valueAt } from '../views/fields.ts'
import { UsageError } from '../wire/errors.ts'
import type { Terminal } from './terminal.ts'

export const OUTPUT_FORMATS = ['text', 'json', 'csv'] as const
export type OutputFormat = (typeof OUTPUT_FORMATS)[number]

const PIECE_ITEMS = 1000

/** A JSON object in a command's output. */
export type Document = Readonly<Record<string, unknown>>

/** One column of a list: a path into the documents, and its text in tables if that differs from the value. */
export interface Column {
  path: string
  text?: (document: Document) => string
}

/** A document of a stream. `json` is its full JSON in UTF-8, each byte as one character (see `bytesOf`). */
export interface StreamItem {
  json: () => string
  document: () => Document
}

/** Writes a command's output in the selected format. */
export interface Printer {
  readonly format: OutputFormat
  /** A single document: an object in JSON, these lines in text. */
  one(document: Document, lines: () => string[]): void
  /** A single document that is printed as JSON in text mode, too. */
  json(document: Document): void
  /** A list: an array in JSON, a table in text, records in CSV. */
  list(documents: readonly Document[], columns: readonly Column[]): Promise<void>
  /** One item of a stream: a line of JSON, these lines in text. */
  item(document: Document, lines: () => string[]): void
  /** Several items of a JSON stream, one per line, in one write. */
  items(documents: readonly StreamItem[]): void
}

/** Creates a printer. `fields` selects and orders keys or columns; undefined keeps all. */
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
      if (format === 'csv') throw csvNotSupported()
      if (format === 'json') writeJson(shaped(document), indent)
      else terminal.data(lines().join('\n'))
    },
    json(document) {
      if (format === 'csv') throw csvNotSupported()
      writeJson(shaped(document), indent)
    },
    item(document, lines) {
      if (format === 'csv') throw csvNotSupported()
      if (format === 'json') writeJson(shaped(document), 0)
      else terminal.data(lines().join('\n'))
    },
    items(documents) {
      const lines = documents.map(({ json, document }) =>
        fields === undefined ? json() : bytesOf(safeJson(JSON.stringify(shaped(document())))),
      )
      terminal.dataBytes(lines.join('\n'))
    },
    async list(documents, columns) {
      if (format === 'json') jsonList(documents)
      else if (format === 'csv') csv(documents, columns)
      else await textTable(documents, columns)
    },
  }
}

/** Splits a long list, because writing it as one text would use too much memory. */
function* piecesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += PIECE_ITEMS) yield items.slice(at, at + PIECE_ITEMS)
}

/** The error for `-o csv` with output that is not a list. */
export function csvNotSupported(): UsageError {
  return new UsageError(t`CSV output is only available for lists`, {
    hint: t`Use \`-o json\` or \`-o text\``,
  })
}
