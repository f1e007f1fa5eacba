import type { ChalkInstance } from 'chalk'
import stringWidth from 'fast-string-width'

/** A piece of a line. Its text must be safe and without colour codes. */
export interface Cell {
  text: string
  paint?: ChalkInstance | undefined
  /** The column, from 0, at which it begins unless earlier cells take that space. */
  at?: number
  /** The column before which it ends, instead of `at`. */
  endsAt?: number
  /** Spaces before it; 2 by default. */
  gap?: number
  /** Begins a new line. */
  isFirst?: boolean
  /** Omitted if it does not fit into the line. */
  isSpare?: boolean
  /** May be wrapped at spaces and inside long words; other cells are never broken. */
  isProse?: boolean
}

/**
 * Lays out cells from left to right, each at its column. A cell that does not fit goes to the next line, after the indent. A
 * cell that is wider than a line gets its own.
 */
export function layOutCells(cells: readonly Cell[], columns: number, indent: number): string[] {
  const lines: string[] = []
  let line = ''
  let width = 0

  function append(text: string, paint: ChalkInstance | undefined, start: number): void {
    line += ' '.repeat(start - width) + (paint === undefined ? text : paint(text))
    width = start + displayWidth(text)
  }

  function endLine(): void {
    if (line !== '') lines.push(line)
    line = ''
    width = 0
  }

  for (const cell of cells) {
    const own = displayWidth(cell.text)
    if (own === 0) continue
    const wanted = cell.endsAt === undefined ? (cell.at ?? 0) : cell.endsAt - own
    const start = Math.max(wanted, width === 0 ? 0 : width + (cell.gap ?? 2))
    if (cell.isFirst !== true && start + own <= columns) {
      append(cell.text, cell.paint, start)
      continue
    }
    if (cell.isSpare === true) continue
    endLine()
    const parts = cell.isProse === true ? brokenProse(cell.text, Math.max(1, columns - indent)) : [cell.text]
    for (const part of parts) {
      endLine()
      append(part, cell.paint, Math.max(0, Math.min(indent, columns - displayWidth(part))))
    }
  }
  endLine()
  return lines
}

/** The width of a text in terminal columns; colour codes have none. */
export function displayWidth(text: string): number {
  return stringWidth(text)
}

/** Truncates text to `cellsMax` columns, with `…` at the end. */
export function truncateCells(text: string, cellsMax: number): string {
  if (displayWidth(text) <= cellsMax) return text
  return `${piecesOf(text, cellsMax - 1)[0] ?? ''}…`
}

/** Breaks text at spaces, and inside longer words, into lines of at most this number of columns. */
export function brokenProse(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').flatMap((each) => piecesOf(each, columns))) {
    const longer = line === '' ? word : `${line} ${word}`
    if (displayWidth(longer) <= columns) line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line].filter((each) => each.trim() !== '')
}

/** Splits a word into pieces of at most `cellsMax` columns, but at least one character with its marks. */
function piecesOf(word: string, cellsMax: number): string[] {
  if (displayWidth(word) <= cellsMax) return [word]
  const pieces: string[] = []
  let piece = ''
  let cells = 0
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    const own = displayWidth(segment)
    if (piece !== '' && cells + own > cellsMax) {
      pieces.push(piece)
      piece = ''
      cells = 0
    }
    piece += segment
    cells += own
  }
  return [...pieces, piece]
}

/** Wraps text at spaces to this number of columns of a terminal; a longer word gets its own line. */
export function wrapWords(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, columns))
    .join('\n')
}

function wrapLine(line: string, columns: number): string {
  if (displayWidth(line) <= columns) return line
  const indent = /^ {0,8}/.exec(line)?.[0] ?? ''
  const lines: string[] = []
  let current = indent
  for (const word of line.trimStart().split(' ')) {
    const isFirst = current.trim() === ''
    if (!isFirst && displayWidth(current) + 1 + displayWidth(word) > columns) {
      lines.push(current)
      current = indent + word
    } else current = isFirst ? current + word : `${current} ${word}`
  }
  return [...lines, current].join('\n')
}
