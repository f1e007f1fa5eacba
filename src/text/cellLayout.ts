import type { ChalkInstance } from 'chalk'

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

/** The width of a text in terminal columns. */
export function displayWidth(text: string): number {
  if (NARROW.test(text)) return text.length
  let cells = 0
  for (const character of text) cells += cellsOfCharacter(character)
  return cells
}

/** Truncates text to `cellsMax` columns, with `…` at the end. */
export function truncateCells(text: string, cellsMax: number): string {
  if (displayWidth(text) <= cellsMax) return text
  return `${piecesOf(text, cellsMax - 1)[0] ?? ''}…`
}

/** Text of characters that all take one column. */
const NARROW = /^[\u0020-\u007e\u00a1-\u02ff…→✓✗—]*$/
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{1f000}-\u{3fffd}])/u

function cellsOfCharacter(character: string): number {
  if (/^\p{M}/u.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}

function brokenProse(text: string, columns: number): string[] {
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

/** Splits a word into pieces of at most `cellsMax` columns, but at least one character. */
function piecesOf(word: string, cellsMax: number): string[] {
  if (displayWidth(word) <= cellsMax) return [word]
  const pieces: string[] = []
  let piece = ''
  let cells = 0
  for (const character of word) {
    const own = cellsOfCharacter(character)
    if (piece !== '' && cells + own > cellsMax) {
      pieces.push(piece)
      piece = ''
      cells = 0
    }
    piece += character
    cells += own
  }
  return [...pieces, piece]
}
