import type { ChalkInstance } from 'chalk'
import { safeText } from '../text/safeText.ts'
import { displayWidth, truncateCells } from '../views/cellLayout.ts'
import type { Terminal } from './terminal.ts'

export interface TableColumn {
  header: string
  align?: 'right' | undefined
  /** On a narrow terminal the column with the highest number is dropped first; one without a number never is. */
  drop?: number | undefined
  /** True for text that may be shortened. Ids, dates and amounts never are. */
  isProse?: boolean | undefined
}

interface TableCell {
  text: string
  colour?: ChalkInstance | undefined
}

/** Writes rows under one header; rows that come later have the widths of the first ones. */
export interface TableWriter {
  /** Lines for these rows, with the header before the first ones. */
  lines(rows: readonly (readonly TableCell[])[]): string[]
  /** The headers of the columns that did not fit. */
  readonly dropped: readonly string[]
}

const GAP = '  '
const PROSE_MIN = 10

/** A table of plain cells. Its columns are aligned on a terminal, and separated by tabs in a pipe. */
export function table(terminal: Terminal, header: readonly string[], rows: readonly (readonly string[])[]): string {
  const columns = header.map((name) => ({ header: name }))
  const cells = rows.map((row) => row.map((text) => ({ text })))
  return tableWriter(terminal, columns).lines(cells).join('\n')
}

/** A table whose rows come in pieces. Cells are made harmless here. */
export function tableWriter(terminal: Terminal, columns: readonly TableColumn[]): TableWriter {
  let shown: { column: TableColumn; place: number; width: number }[] | undefined
  const dropped: string[] = []

  function layOut(rows: readonly (readonly TableCell[])[]) {
    const laid = columns.map((column, place) => {
      const cells = rows.map((row) => displayWidth(safeText(row[place]?.text ?? '')))
      return { column, place, width: Math.max(displayWidth(column.header), ...cells) }
    })
    fitWidths(laid, terminal.columns, dropped)
    return laid
  }

  function aligned(row: readonly TableCell[]): string {
    const cells = (shown ?? []).map(({ column, place, width }) => {
      const { text = '', colour } = row[place] ?? {}
      const safe = safeText(text)
      const fitting = column.isProse === true ? truncateCells(safe, width) : safe
      const space = ' '.repeat(Math.max(0, width - displayWidth(fitting)))
      const painted = colour === undefined ? fitting : colour(fitting)
      return column.align === 'right' ? space + painted : painted + space
    })
    return cells.join(GAP).trimEnd()
  }

  return {
    dropped,
    lines(rows) {
      const isFirst = shown === undefined
      const head = columns.map(({ header }) => ({ text: header, colour: terminal.out.dim }))
      if (!terminal.outIsTerminal) {
        shown ??= []
        const plain = isFirst ? [columns.map(({ header }) => ({ text: header })), ...rows] : rows
        return plain.map((row) => row.map(({ text }) => safeText(text)).join('\t'))
      }
      shown ??= layOut(rows)
      return [...(isFirst ? [head] : []), ...rows].map(aligned)
    },
  }
}

/** Shortens prose to a width that can still be read, then drops columns, then shortens prose further, until a line fits. */
function fitWidths(
  laid: { column: TableColumn; place: number; width: number }[],
  columns: number,
  dropped: string[],
): void {
  const excess = () => laid.reduce((sum, { width }) => sum + width, 0) + GAP.length * (laid.length - 1) - columns
  const shrink = (least: number) => {
    for (const each of laid) {
      const room = each.width - Math.max(least, displayWidth(each.column.header))
      if (each.column.isProse === true && room > 0) each.width -= Math.min(room, Math.max(0, excess()))
    }
  }
  shrink(PROSE_MIN * 2)
  while (excess() > 0) {
    const [least] = laid
      .filter(({ column }) => column.drop !== undefined)
      .sort((one, other) => dropOf(other) - dropOf(one))
    if (least === undefined) break
    laid.splice(laid.indexOf(least), 1)
    dropped.push(least.column.header)
  }
  shrink(PROSE_MIN)
}

function dropOf({ column }: { column: TableColumn }): number {
  return column.drop ?? 0
}
