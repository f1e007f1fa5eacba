import type { ChalkInstance } from 'chalk'

/** A piece of a line. Its text is harmless and holds no colours. */
export interface Cell {
  text: string
  paint?: ChalkInstance | undefined
  /** The column, from 0, at which it begins if what is before it leaves the room. */
  at?: number
  /** The column before which it ends, in place of `at`. */
  endsAt?: number
  /** Spaces before it; 2 where not told. */
  gap?: number
  /** Begins a new line. */
  isFirst?: boolean
  /** Left out where it does not fit into the line. */
  isSpare?: boolean
  /** May be broken at its spaces, and inside a word that is too long; else it stays whole, however long it is. */
  isProse?: boolean
}

/**
 * Lays cells out from left to right, each at its column; what does not fit into these columns goes on in the next line, behind
 * the indent. A cell that is too wide for every line has one of its own.
 */
export function flowLines(cells: readonly Cell[], columns: number, indent: number): string[] {
  const lines: string[] = []
  let line = ''
  let width = 0

  function append(text: string, paint: ChalkInstance | undefined, start: number): void {
    line += ' '.repeat(start - width) + (paint === undefined ? text : paint(text))
    width = start + cellsOf(text)
  }

  function endLine(): void {
    if (line !== '') lines.push(line)
    line = ''
    width = 0
  }

  for (const cell of cells) {
    const own = cellsOf(cell.text)
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
      append(part, cell.paint, Math.max(0, Math.min(indent, columns - cellsOf(part))))
    }
  }
  endLine()
  return lines
}

/** How many columns of a terminal this text takes. */
export function cellsOf(text: string): number {
  if (NARROW.test(text)) return text.length
  let cells = 0
  for (const character of text) cells += cellsOfCharacter(character)
  return cells
}

/** Text with the rest after so many columns left out, which `…` says. */
export function shortened(text: string, cellsMax: number): string {
  if (cellsOf(text) <= cellsMax) return text
  return `${piecesOf(text, cellsMax - 1)[0] ?? ''}…`
}

/** All of these take one column. */
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
    if (cellsOf(longer) <= columns) line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line].filter((each) => each.trim() !== '')
}

/** A word in pieces of at most so many columns, one character at least. */
function piecesOf(word: string, cellsMax: number): string[] {
  if (cellsOf(word) <= cellsMax) return [word]
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
