import type { ChalkInstance } from 'chalk'
import { qrModules } from '../pix/qrModules.ts'
import type { EnvironmentVariables } from '../programInfo.ts'
import { t } from '../text/translate.ts'
import type { Terminal } from './terminal.ts'

export interface QrArea {
  /** The available width; Infinity if there is no limit. */
  columns: number
  /** The available lines; Infinity if there is no limit. */
  rows: number
  /** Draws each module with two characters, because there are no half blocks. */
  isAscii?: boolean
  /** At level 0 the drawing contains no escape sequences. */
  style: ChalkInstance
  /** Whether text is dark on light, which decides the polarity of a drawing without colour. */
  lightBackground: boolean
}

/** Indexed by ink in the upper half (2) plus ink in the lower half (1) of a character. */
const GLYPHS = [' ', '▄', '▀', '█']

/** The canvas of stdout: as wide as the terminal, unlimited in a pipe or file. */
export function qrArea(
  terminal: Pick<Terminal, 'outIsTerminal' | 'columns' | 'rows' | 'out'> & Partial<Pick<Terminal, 'isAscii'>>,
  env: EnvironmentVariables,
): QrArea {
  return {
    columns: terminal.outIsTerminal ? terminal.columns : Number.POSITIVE_INFINITY,
    rows: terminal.rows,
    isAscii: terminal.outIsTerminal && terminal.isAscii === true,
    style: terminal.out,
    lightBackground: hasLightBackground(env.COLORFGBG),
  }
}

/**
 * Draws the QR code of a text with half blocks, including the quiet zone, with error correction M, or L if only that fits.
 * With colour it is black on white on any terminal. If it is too wide, returns the columns that it needs; Infinity if the
 * text is too long for a QR code. It may have more lines than the terminal shows at once.
 */
export function drawQr(text: string, canvas: QrArea): string[] | { columnsNeeded: number } {
  let columnsNeeded = Number.POSITIVE_INFINITY
  let best: string[] | undefined
  for (const level of ['M', 'L'] as const) {
    const modules = qrModules(text, level)
    if (modules === undefined) continue
    columnsNeeded = modules.length * (canvas.isAscii ? 2 : 1)
    if (columnsNeeded > canvas.columns) continue
    const lines = (canvas.isAscii ? drawInAscii : drawModules)(modules, canvas)
    if (lines.length < canvas.rows) return lines
    best ??= lines
  }
  return best ?? { columnsNeeded }
}

/** The message for a code that could not be drawn. */
export function qrNotDrawnText(columnsNeeded: number, columns: number): string {
  if (columnsNeeded === Number.POSITIVE_INFINITY) return t`The text is too long for a QR code`
  return t`The QR code was not drawn: it needs ${columnsNeeded} columns, but the terminal has ${columns}`
}

function drawModules(modules: readonly (readonly boolean[])[], { style, lightBackground }: QrArea): string[] {
  const lines: string[] = []
  for (let row = 0; row < modules.length; row += 2) {
    const cells = (modules[row] ?? []).map((upper, column) => ({ upper, lower: modules[row + 1]?.[column] ?? false }))
    lines.push(style.level > 0 ? paint(cells, style) : plain(cells, lightBackground))
  }
  return lines
}

function drawInAscii(modules: readonly (readonly boolean[])[], { style, lightBackground }: QrArea): string[] {
  const cell = (isDark: boolean) =>
    style.level > 0 ? (isDark ? style.bgBlack : style.bgWhiteBright)('  ') : isDark === lightBackground ? '##' : '  '
  return modules.map((row) => row.map(cell).join(''))
}

/** Two modules, one above the other; true for a dark one. */
interface Cell {
  upper: boolean
  lower: boolean
}

function plain(cells: readonly Cell[], inkIsDark: boolean): string {
  return cells.map(({ upper, lower }) => glyph(upper === inkIsDark, lower === inkIsDark)).join('')
}

/**
 * Whole cells are painted by their background, because in many fonts the full block leaves a seam between two lines. The
 * 256 and 16 million colours stay what they are, while a theme may change the first 16.
 */
function paint(cells: readonly Cell[], style: ChalkInstance): string {
  const isExact = style.level >= 2
  const onLight = isExact ? style.rgb(0, 0, 0).bgRgb(255, 255, 255) : style.black.bgWhiteBright
  const onDark = isExact ? style.rgb(255, 255, 255).bgRgb(0, 0, 0) : style.whiteBright.bgBlack
  let line = ''
  for (let start = 0; start < cells.length; ) {
    const isLight = isAllLight(cells[start])
    let end = start
    let run = ''
    for (let cell = cells[end]; cell !== undefined && isAllLight(cell) === isLight; cell = cells[++end]) {
      run += isLight ? ' ' : glyph(!cell.upper, !cell.lower)
    }
    line += isLight ? onLight(run) : onDark(run)
    start = end
  }
  return line
}

function isAllLight(cell: Cell | undefined): boolean {
  return cell !== undefined && !cell.upper && !cell.lower
}

function glyph(upperHasInk: boolean, lowerHasInk: boolean): string {
  return GLYPHS[(upperHasInk ? 2 : 0) + (lowerHasInk ? 1 : 0)] ?? ''
}

/** COLORFGBG is `foreground;background`, sometimes with a part between; 7 and 15 are the two whites. */
function hasLightBackground(colours: string | undefined): boolean {
  const background = colours?.split(';').at(-1)
  return background === '7' || background === '15'
}
