import type { Context } from '../context.ts'
import { styleFor } from '../terminal/terminal.ts'
import { displayWidth } from '../text/cellLayout.ts'
import { t } from '../text/translate.ts'

/** A code as it is drawn for a terminal. */
export interface TerminalDrawing {
  /** Null if it was not drawn. */
  lines: string[] | null
  /** Why it was not drawn; null if it was. */
  whyNot: string | null
}

/** The number of lines, of notes and the prompt of the shell, that follow what a command prints. */
const LINES_AFTER = 5

/** Draws a code, without colour for JSON. */
export async function drawForTerminal({ print, terminal, runtime }: Context, code: string): Promise<TerminalDrawing> {
  const { drawQr, qrArea, qrNotDrawnText } = await import('../terminal/qrDrawing.ts')
  const area = qrArea(terminal, runtime.env)
  const style = print.format === 'text' ? area.style : styleFor(false, { forbidden: true, env: runtime.env })
  const drawn = drawQr(code, { ...area, style })
  if (Array.isArray(drawn)) return { lines: drawn, whyNot: null }
  return { lines: null, whyNot: qrNotDrawnText(drawn.columnsNeeded, area.columns) }
}

/** Says why a code was not drawn, or how to see a drawing that is not on the screen as a whole, with these lines printed below it. */
export function noteDrawing(
  { terminal }: Pick<Context, 'terminal'>,
  { lines, whyNot }: TerminalDrawing,
  below: readonly string[],
): void {
  if (whyNot !== null) terminal.note(whyNot)
  const { columns, rows } = terminal
  const all = below.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / columns)), LINES_AFTER)
  if (lines === null || lines.length + all < rows) return
  if (lines.length < rows) {
    terminal.next(t`Scroll up to see the whole QR code`)
    return
  }
  terminal.next(
    t`Make the window higher or its font smaller: the QR code has ${lines.length} lines and the terminal ${rows}. Then run \`pixgate qr draw -\` and paste the code`,
  )
}
