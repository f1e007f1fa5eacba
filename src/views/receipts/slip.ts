import { brokenProse, displayWidth } from '../../text/cellLayout.ts'
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
    const [first = '', ...others] = brokenProse(safeText(value), valueWidth)
    return [label.padEnd(labelWidth) + first, ...others.map((line) => ' '.repeat(labelWidth) + line)]
  })
  const lines = [...brokenProse(title, columns), '', ...body]
  const width = Math.max(...lines.map(displayWidth))
  return lines.map((line) => line + ' '.repeat(width - displayWidth(line)))
}

/** A slip in a frame, for a terminal. */
export function framedSlip(slip: Slip, columns: number): string[] {
  const lines = slipLines(slip, columns - FRAME_AND_MARGIN)
  const rule = '─'.repeat(displayWidth(lines[0] ?? '') + 2)
  return [`┌${rule}┐`, ...lines.map((line) => `│ ${line} │`), `└${rule}┘`]
}
