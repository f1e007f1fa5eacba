import type { ChalkInstance } from 'chalk'
import { displayWidth, truncateCells } from '../text/cellLayout.ts'
import { safeText } from '../text/safeText.ts'
import { LABEL_GAP, type LabelledRow, labelledLines, type Terminal } from './terminal.ts'

export interface TableColumn {
  header: string
  /** In place of it above the short forms of the cells. */
  shortHeader?: string | undefined
  align?: 'right' | undefined
  /** On a narrow terminal the column with the highest number is dropped first; one without a number never is. */
  drop?: number | undefined
  /** True for a column that is dropped only where prose of the least width leaves no room for it. */
  outlastsProse?: boolean | undefined
  /** True for text that may be shortened. Ids, dates and amounts never are. */
  isProse?: boolean | undefined
}

interface TableCell {
  text: string
  /** A shorter form, shown if the table is too wide. */
  short?: string | undefined
  colour?: ChalkInstance | undefined
}

/** What a table does beside the usual. */
interface TableShape {
  /** True where each row has to stay one line, however narrow the terminal is. */
  isOneLine?: boolean
  /** True where a person named the columns: one that is empty in all rows is drawn, too. */
  keepsEmpty?: boolean
}

/**
 * Writes rows under one header; rows that come later have the widths of the first ones. On a terminal that is too narrow for the least columns, each row is
 * a block of labelled lines instead.
 */
export interface TableWriter {
  /** Lines for these rows, with the header before the first ones. */
  lines(rows: readonly (readonly TableCell[])[]): string[]
  /** The headers of the columns that did not fit. */
  readonly dropped: readonly string[]
}

const GAP = '  '
const PROSE_MIN = 10
/** What a cell without a value holds. */
const EMPTY_CELLS = ['', '—']
const LINES =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid'
const NO_LINES = Object.fromEntries(LINES.split(' ').map((name) => [name, '']))
const STYLE = { 'padding-left': 0, 'padding-right': 0, head: [], border: [] }

/** A table of plain cells. Its columns are aligned on a terminal, and separated by tabs in a pipe. */
export async function table(
  terminal: Terminal,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<string> {
  const columns = header.map((name) => ({ header: name }))
  const cells = rows.map((row) => row.map((text) => ({ text })))
  return (await tableWriter(terminal, columns)).lines(cells).join('\n')
}

/** A function that draws rows of cells in columns as wide as their widest cell, which it never cuts. */
export async function columnDrawing(): Promise<
  (rows: readonly (readonly string[])[], colAligns: ('left' | 'right')[]) => string[]
> {
  const { default: Table } = await import('cli-table3')
  return (rows, colAligns) => {
    const drawn = new Table({ chars: { ...NO_LINES, middle: GAP }, style: STYLE, colAligns })
    for (const row of rows) drawn.push([...row])
    return drawn
      .toString()
      .split('\n')
      .map((line) => line.trimEnd())
  }
}

/** A table whose rows come in pieces. Cells are made harmless here. */
export async function tableWriter(
  terminal: Pick<Terminal, 'outIsTerminal' | 'columns' | 'out'>,
  columns: readonly TableColumn[],
  { isOneLine = false, keepsEmpty = false }: TableShape = {},
): Promise<TableWriter> {
  const draw = terminal.outIsTerminal ? await columnDrawing() : undefined
  let shown: LaidColumn[] | undefined
  let hasBlocks = false
  const dropped: string[] = []

  function layOut(rows: readonly (readonly TableCell[])[]) {
    const laid = columns.map((column, place) => {
      const widest = (header: string, texts: (string | undefined)[]) =>
        Math.max(...[header, ...texts].map((text) => displayWidth(safeText(text ?? ''))))
      const texts = rows.map((row) => row[place]?.text)
      const shortTexts = rows.map((row) => row[place]?.short ?? row[place]?.text)
      const shortWidth = widest(column.shortHeader ?? column.header, shortTexts)
      return { column, place, width: widest(column.header, texts), shortWidth, isShort: false }
    })
    const filled = keepsEmpty || rows.length === 0 ? laid : laid.filter(({ place }) => hasText(rows, place))
    const fitted = filled.map((each) => ({ ...each }))
    const left = fitWidths(fitted, terminal.columns)
    hasBlocks = !isOneLine && rows.length > 0 && lineWidth(fitted.map(({ width }) => width)) > terminal.columns
    if (hasBlocks) return filled
    dropped.push(...left)
    return fitted
  }

  function hasText(rows: readonly (readonly TableCell[])[], place: number): boolean {
    return rows.some((row) => !EMPTY_CELLS.includes(row[place]?.text ?? ''))
  }

  /** A row as labelled lines; what it has no value for is not there. */
  function block(row: readonly TableCell[]): string[] {
    const isFilled = (place: number) => !EMPTY_CELLS.includes(row[place]?.text ?? '')
    const labels = columns.filter((_, place) => isFilled(place) || shown?.some((each) => each.place === place))
    const labelWidth = Math.max(...labels.map(({ header }) => displayWidth(header)))
    const room = terminal.columns - labelWidth - LABEL_GAP.length
    const labelled = columns.flatMap(({ header }, place): LabelledRow[] => {
      const { text = '', short = text, colour } = row[place] ?? {}
      if (!isFilled(place)) return []
      const fits = displayWidth(safeText(text)) <= room
      return [[header.padEnd(labelWidth), fits ? text : short, colour]]
    })
    return labelledLines(labelled, terminal.out, terminal.columns)
  }

  /** A column that was empty in the first rows is not drawn; if a later row has something in it, that is said. */
  function noteUndrawn(rows: readonly (readonly TableCell[])[], laid: readonly LaidColumn[]): void {
    for (const [place, { header }] of columns.entries()) {
      const isDrawn = laid.some((each) => each.place === place)
      if (!isDrawn && !dropped.includes(header) && hasText(rows, place)) dropped.push(header)
    }
  }

  function fitting(row: readonly TableCell[], { column, place, width, isShort }: LaidColumn): string {
    const { text = '', short = text, colour } = row[place] ?? {}
    const safe = safeText(isShort ? short : text)
    const fits = column.isProse === true ? truncateCells(safe, width) : safe
    return colour === undefined ? fits : colour(fits)
  }

  return {
    dropped,
    lines(rows) {
      const isFirst = shown === undefined
      const laid = shown ?? (draw === undefined ? [] : layOut(rows))
      shown = laid
      if (hasBlocks) return rows.flatMap((row, place) => [...(isFirst && place === 0 ? [] : ['']), ...block(row)])
      if (draw !== undefined && !isFirst) noteUndrawn(rows, laid)
      const head = columns.map(({ header, shortHeader }) => ({
        text: header,
        short: shortHeader,
        colour: terminal.out.dim,
      }))
      if (draw === undefined) {
        const plain = isFirst ? [columns.map(({ header }) => ({ text: header })), ...rows] : rows
        return plain.map((row) => row.map(({ text }) => safeText(text)).join('\t'))
      }
      const cells = [...(isFirst ? [head] : []), ...rows].map((row) => laid.map((each) => fitting(row, each)))
      // The first row is not shown: given as `colWidths`, the widths would cut what is wider in later rows.
      const widths = laid.map(({ width }) => ' '.repeat(width))
      return draw(
        [widths, ...cells],
        laid.map(({ column }) => column.align ?? 'left'),
      ).slice(1)
    },
  }
}

interface LaidColumn {
  column: TableColumn
  place: number
  width: number
  /** With the short forms of its cells. */
  shortWidth: number
  isShort: boolean
}

/**
 * Drops columns in their order until the rest fits with short forms and with prose of a width that can still be read. What is left is shown as whole as
 * it fits: short forms are taken column by column from the left, then prose is shortened. Returns the headers of what was dropped.
 */
function fitWidths(laid: LaidColumn[], columns: number): string[] {
  const dropped: string[] = []
  for (const [prose, dropsAll] of [
    [PROSE_MIN * 2, false],
    [PROSE_MIN, true],
  ] as const) {
    const readable = (each: LaidColumn) => (each.column.isProse === true ? proseWidth(each, prose) : each.shortWidth)
    while (lineWidth(laid.map(readable)) > columns) {
      const [least] = laid
        .filter(({ column }) => column.drop !== undefined && (dropsAll || column.outlastsProse !== true))
        .sort((one, other) => dropOf(other) - dropOf(one))
      if (least === undefined) break
      laid.splice(laid.indexOf(least), 1)
      dropped.push(least.column.header)
    }
  }
  const excess = () => lineWidth(laid.map(({ width }) => width)) - columns
  for (const each of laid) {
    if (excess() <= 0 || each.shortWidth >= each.width) continue
    each.width = each.shortWidth
    each.isShort = true
  }
  for (const least of [PROSE_MIN * 2, PROSE_MIN]) {
    for (const each of laid.filter(({ column }) => column.isProse === true)) {
      each.width -= Math.min(each.width - proseWidth(each, least), Math.max(0, excess()))
    }
  }
  return dropped
}

/** The width of a column of prose that is shortened to this number of cells; its header is never cut. */
function proseWidth({ column, width, shortWidth }: LaidColumn, least: number): number {
  return Math.min(width, shortWidth, Math.max(least, displayWidth(column.header)))
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1)
}

function dropOf({ column }: { column: TableColumn }): number {
  return column.drop ?? 0
}
