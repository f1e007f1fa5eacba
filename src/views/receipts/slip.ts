import { safeText } from '../../text/safeText.ts'

/** A row of a slip. An empty label continues the value above; if both are empty, the row is blank. */
export type SlipRow = readonly [label: string, value: string]

/** What a slip says, whatever it is drawn on. */
export interface Slip {
  title: string
  rows: readonly SlipRow[]
}

const FRAME_AND_MARGIN = 4

/** The lines of a slip without its frame, of equal width of at most `columns`. Long values are wrapped. */
export function slipLines({ title, rows }: Slip, columns: number): string[] {
  const labelWidth = Math.max(...rows.map(([label]) => label.length)) + 2
  const valueWidth = Math.max(8, columns - labelWidth)
  const body = rows.flatMap(([label, value]) => {
    const [first = '', ...others] = breakLines(safeText(value), valueWidth)
    return [label.padEnd(labelWidth) + first, ...others.map((line) => ' '.repeat(labelWidth) + line)]
  })
  const lines = [...breakLines(title, columns), '', ...body]
  const width = Math.max(...lines.map(widthOf))
  return lines.map((line) => line + ' '.repeat(width - widthOf(line)))
}

/** A slip in a frame, for a terminal. */
export function framedSlip(slip: Slip, columns: number): string[] {
  const lines = slipLines(slip, columns - FRAME_AND_MARGIN)
  const rule = '─'.repeat(widthOf(lines[0] ?? '') + 2)
  return [`┌${rule}┐`, ...lines.map((line) => `│ ${line} │`), `└${rule}┘`]
}

/** Wraps text to this width at spaces, and inside longer words. */
function breakLines(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const letters = Array.from(word)
    const joined = line === '' ? word : `${line} ${word}`
    if (widthOf(joined) <= width) {
      line = joined
      continue
    }
    if (line !== '') lines.push(line)
    for (; letters.length > width; ) lines.push(letters.splice(0, width).join(''))
    line = letters.join('')
  }
  return [...lines, line]
}

function widthOf(text: string): number {
  return Array.from(text).length
}
