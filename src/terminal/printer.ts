import type { ChalkInstance } from 'chalk'
import { centsFromJson } from '../pix/amount.ts'
import { formatPaymentDate, parseInstant } from '../pix/calendar.ts'
import { csvLine, decimalComma, EXCEL_START, excelRecord, plainCell, textCell } from '../text/csv.ts'
import { safeJson, safeText } from '../text/safeText.ts'
import { t, translated } from '../text/translate.ts'
import { writtenFor } from '../text/writtenFor.ts'
import { isObject } from '../wire/answers.ts'
import { UsageError } from '../wire/errors.ts'
import { exactJson } from '../wire/jsonTree.ts'
import { type TableColumn, type TableWriter, tableWriter } from './tableWriter.ts'
import { labelledLines, type Terminal } from './terminal.ts'

export const OUTPUT_FORMATS = ['text', 'json', 'csv'] as const
export type OutputFormat = (typeof OUTPUT_FORMATS)[number]

const PIECE_ITEMS = 1000

/** One column of a list: a path into the JSON of its items, and how people see it. */
export interface Column<Item> extends Omit<TableColumn, 'header'> {
  path: string
  /** Its name above the table, by which `--fields` takes it too; the last name of the path unless given. */
  header?: string
  /** The text for people, if it differs from the value. */
  text?: (item: Item) => string
  /** The id that its text is: a terminal on which the table does not fit otherwise shows the beginning of it that commands take. */
  id?: (item: Item) => string
  /** A shorter text, for a terminal on which the table does not fit otherwise; undefined for a cell that has none. */
  short?: (item: Item) => string | undefined
  /** True for a value that is one of a few words, such as a state. */
  isWord?: boolean
  colour?: (item: Item, style: ChalkInstance) => ChalkInstance | undefined
}

/** How a list is shown. */
export interface ListFields<Item> {
  columns: readonly Column<Item>[]
  /** Columns that are only shown if `--fields` names them. */
  more?: readonly Column<Item>[]
  /** Makes the JSON of an item that is more than its JSON, because cells for people are made from the item. */
  documentOf?: (item: Item) => object
  /** For a CSV that opens correctly in a Brazilian spreadsheet: what the values at a path are. */
  excelKind?: (path: string) => ExcelKind
}

/** Writes a command's output in the selected format. */
export interface Printer {
  readonly format: OutputFormat
  /** A single document: an object in JSON, these lines in text. */
  one<Document extends object>(document: Document, lines: () => string[]): void
  /** A single document that is printed as JSON in text mode, too. */
  json(document: object): void
  /** A list: an array in JSON, a table in text, records in CSV. A long one may come in pieces, so that it needs little memory. */
  list<Item extends object>(
    items: readonly Item[] | AsyncIterable<readonly Item[]>,
    fields: ListFields<Item>,
  ): Promise<void>
  /** A document in JSON whose last member, of this name, is a list that comes in pieces. */
  withList(document: object, name: string, pieces: AsyncIterable<readonly object[]>): Promise<void>
  /** One item of a stream: a line of JSON, these lines in text. */
  item<Document extends object>(document: Document, lines: () => string[]): void
  /** Several items of a stream in JSON, a line each, written at once. */
  items(documents: readonly object[]): void
}

/** Where the output of a command goes: documents and lists to the printer, notes and warnings to the terminal. */
export interface Output {
  readonly print: Printer
  readonly terminal: Terminal
}

/** The short forms of ids that are shown in one list. */
export type ShortIds = (ids: readonly string[]) => Promise<(id: string) => string>

/** A key or column that `--fields` selects: as it was typed, and its path in the JSON. */
export interface SelectedField {
  typed: string
  path: string
}

/** Creates a printer. `selected` selects and orders keys or columns; undefined keeps all. */
export function openPrinter(
  terminal: Terminal,
  format: OutputFormat,
  selected: readonly SelectedField[] | undefined,
  shortIds: ShortIds,
): Printer {
  const fields = selected?.map(({ path }) => path)
  const shaped = (document: object) => (fields === undefined ? document : pickFields(document, fields))
  const writeJson = (value: unknown, indent: number) => terminal.data(safeJson(exactJson(value, indent)))
  const indent = terminal.outIsTerminal ? 2 : 0

  /** The columns under the headers that people see. */
  function columnsOf<Item>({ columns, more = [] }: ListFields<Item>) {
    if (selected === undefined) return columns.map((column) => ({ ...column, header: shownHeader(column) }))
    return selected.map(({ typed, path }) => {
      const name = typed.split('.').at(-1) ?? typed
      const all: Column<Item>[] = [...columns, ...more].filter((each) => each.path === path)
      const named = all.find((each) => [nameOf(each), shownHeader(each)].includes(name))
      // A path means its value, where the column of the list may show another one in its place.
      return named === undefined ? { path, ...all.at(-1), header: name } : { ...named, header: shownHeader(named) }
    })
  }

  /** Turns pieces of items into pieces of text, the first with what is before all, and the end of the list. */
  function writerFor<Item extends object>(list: ListFields<Item>): ListWriter<Item> {
    const { documentOf = (item: Item) => item, excelKind } = list
    const columns = columnsOf(list)
    if (format === 'text') return textWriter(columns, documentOf)
    const paths = columns.map(({ path }) => path)
    const pick = (document: object) => (fields === undefined ? document : pickFields(document, paths))
    const writer = format === 'json' ? jsonWriter(pick) : csvWriter(columns, excelKind)
    // A CSV for programs is English in any language; only one for a spreadsheet is for people.
    const documentsOf = (items: readonly Item[]) =>
      excelKind === undefined ? writtenFor('programs', () => items.map(documentOf)) : items.map(documentOf)
    return { ...writer, piece: (items) => writer.piece(documentsOf(items)) }
  }

  /** A CSV for programs, with the values as JSON has them below the paths; with `kindOf` one that opens correctly in a Brazilian spreadsheet. */
  function csvWriter(
    columns: readonly { path: string; header: string }[],
    kindOf: ListFields<never>['excelKind'],
  ): ListWriter<object> {
    const { outIsTerminal } = terminal
    const programRecord = (cells: readonly string[]) => {
      const line = csvLine(cells)
      return `${outIsTerminal ? safeText(line) : line}\n`
    }
    const recordOf = (document: object) =>
      kindOf === undefined
        ? programRecord(columns.map(({ path }) => cellText(valueAt(document, path))))
        : excelRecord(columns.map(({ path }) => excelCell(valueAt(document, path), kindOf(path))))
    const head =
      kindOf === undefined
        ? programRecord(columns.map(({ path }) => path))
        : (outIsTerminal ? '' : EXCEL_START) + excelRecord(columns.map(({ header }) => plainCell(header)))
    terminal.data(head, '')
    return {
      async piece(documents) {
        terminal.data(documents.map(recordOf).join(''), '')
      },
      end: () => undefined,
    }
  }

  /** `margin` is the indentation of the line in which the list begins. */
  function jsonWriter(pick: (document: object) => object, margin = ''): ListWriter<object> {
    let before = '['
    return {
      async piece(documents) {
        if (documents.length === 0) return
        const members = exactJson(documents.map(pick), indent).slice(1, indent > 0 ? -2 : -1)
        terminal.data(safeJson(before + members.replaceAll('\n', `\n${margin}`)), '')
        before = ','
      },
      end(close = '') {
        const bracket = indent > 0 && before !== '[' ? `\n${margin}]` : ']'
        terminal.data(`${before === '[' ? '[' : ''}${bracket}${close}`)
      },
    }
  }

  function textWriter<Item>(
    columns: readonly (Column<Item> & { header: string })[],
    documentOf: (item: Item) => object,
  ): ListWriter<Item> {
    let table: TableWriter | undefined
    return {
      async piece(items) {
        table ??= await tableWriter(
          terminal,
          columns.map((column) => ({
            ...column,
            shortHeader: column.shortHeader && translated(column.shortHeader),
          })),
          { keepsEmpty: fields !== undefined },
        )
        const beginningOf = await beginningsOf(columns, items)
        const rows = items.map((item) =>
          columns.map(({ path, text, id, short, colour, isWord }) => ({
            text: text?.(item) ?? (isWord ? wordText : cellText)(valueAt(documentOf(item), path)),
            short: beginningOf === undefined ? undefined : id === undefined ? short?.(item) : beginningOf(id(item)),
            colour: colour?.(item, terminal.out),
          })),
        )
        terminal.data(table.lines(rows).join('\n'))
      },
      end() {
        const dropped = table?.dropped ?? []
        if (dropped.length === 0) return
        terminal.note(t`Too narrow for ${dropped.join(', ')}: \`--fields\` selects columns, \`-o csv\` has all`)
      },
    }
  }

  /** The short forms of all ids of these items; undefined where no short forms are shown. */
  async function beginningsOf<Item>(columns: readonly Column<Item>[], items: readonly Item[]) {
    if (!terminal.outIsTerminal) return undefined
    const ids = items.flatMap((item) => columns.flatMap(({ id }) => id?.(item) ?? []))
    return ids.length === 0 ? (id: string) => id : shortIds(ids)
  }

  /** Writes a list as fast as its reader takes it, until that has closed the pipe. */
  async function writeAll<Item>(
    writer: ListWriter<Item>,
    pieces: Iterable<readonly Item[]> | AsyncIterable<readonly Item[]>,
    close?: string,
  ): Promise<void> {
    let isEmpty = true
    for await (const piece of pieces) {
      isEmpty = false
      await writer.piece(piece)
      if (!(await terminal.flush())) return
    }
    if (isEmpty) await writer.piece([])
    writer.end(close)
  }

  function selectedLines(document: object, paths: readonly string[]): string[] {
    const rows = paths.map((path) => [path, cellText(valueAt(document, path))] as const)
    return labelledLines(rows, terminal.out, terminal.textColumns)
  }

  return {
    format,
    one(document, lines) {
      if (format === 'csv') throw csvNotSupported()
      if (format === 'json') writeJson(shaped(document), indent)
      else terminal.data((fields === undefined ? lines() : selectedLines(document, fields)).join('\n'))
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
      terminal.data(safeJson(documents.map((document) => exactJson(shaped(document))).join('\n')))
    },
    list: (items, list) => writeAll(writerFor(list), Symbol.asyncIterator in items ? items : piecesOf(items)),
    async withList(document, name, pieces) {
      const others = fields?.filter((field) => field !== name)
      const head = exactJson(others === undefined ? document : pickFields(document, others), indent)
      if (others !== undefined && others.length === fields?.length) {
        terminal.data(safeJson(head))
        return
      }
      const margin = ' '.repeat(indent)
      const [newline, space] = indent > 0 ? ['\n', ' '] : ['', '']
      const members = head.slice(0, -1).trimEnd()
      const comma = members === '{' ? '' : ','
      terminal.data(safeJson(`${members}${comma}${newline}${margin}"${name}":${space}`), '')
      await writeAll(
        jsonWriter((item) => item, margin),
        pieces,
        `${newline}}`,
      )
    },
  }
}

interface ListWriter<Item> {
  piece(items: readonly Item[]): Promise<void>
  /** `close` is written after the end of a list in JSON. */
  end(close?: string): void
}

/** A long list is written piece by piece, because as one text it would fill the memory. */
function* piecesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += PIECE_ITEMS) yield items.slice(at, at + PIECE_ITEMS)
}

/** The error for `-o csv` with output that is not a list. */
export function csvNotSupported(): UsageError {
  return new UsageError(t`CSV output is only available for lists`, {
    hint: t`Use \`-o json\` or \`-o text\``,
  })
}

function nameOf({ header, path }: Pick<Column<never>, 'header' | 'path'>): string {
  return header ?? path.split('.').at(-1) ?? path
}

function shownHeader(column: Pick<Column<never>, 'header' | 'path'>): string {
  return translated(nameOf(column))
}

/** The value at a path of names (`pixgate.knownBy`); undefined if there is none. */
export function valueAt(document: unknown, path: string): unknown {
  if (isObject(document) && Object.hasOwn(document, path)) return document[path]
  let value = document
  for (const name of path.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  return value
}

/** A document with only these paths, in this order, keeping its nesting; null for missing values. */
function pickFields(document: unknown, paths: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const path of paths) {
    const names = path.split('.')
    const last = names.pop() ?? path
    let place = picked
    for (const name of names) {
      const inner = place[name]
      const next = isObject(inner) ? inner : {}
      place[name] = next
      place = next
    }
    place[last] = valueAt(document, path) ?? null
  }
  return picked
}

/** A value as a cell of a table or CSV: strings unchanged, '' for null, objects as JSON. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  return JSON.stringify(value)
}

/** The same of a value that is one of a few words, such as a state, in the language of people. */
function wordText(value: unknown): string {
  return translated(cellText(value))
}

/** A document with further fields under `pixgate`. */
export function withPixgate<Shown extends { pixgate?: object }, Fields extends object>(
  document: Shown,
  fields: Fields,
): Shown & { pixgate: Fields } {
  return { ...document, pixgate: { ...document.pixgate, ...fields } }
}

/** What a value is for a spreadsheet: reais, a time in RFC 3339, one of a few words, or text. */
export type ExcelKind = 'amount' | 'time' | 'word' | 'text'

/** A value as a spreadsheet takes it for what it is: a number, a time in São Paulo, or text. */
function excelCell(value: unknown, kind: ExcelKind): string {
  const cents = kind === 'amount' ? centsFromJson(value) : undefined
  if (cents !== undefined) return decimalComma(cents)
  const text = kind === 'word' ? wordText(value) : cellText(value)
  const atMs = kind === 'time' ? parseInstant(text) : undefined
  return atMs === undefined ? textCell(safeText(text)) : formatPaymentDate(atMs)
}
