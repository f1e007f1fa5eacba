/** One line of a CSV without its line end, quoted as RFC 4180 requires. */
export function csvLine(cells: readonly string[]): string {
  return cells.map((cell) => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')
}

/** A spreadsheet takes no longer text inside a formula. */
const FORMULA_TEXT_MAX = 255

/** Begins a CSV file that a Brazilian spreadsheet opens correctly: without it the file is not taken for UTF-8. */
export const EXCEL_START = '\ufeff'

/**
 * Where a formula may begin: at the start of a cell, and behind what may separate cells in a program that is told another separator. Spreadsheets skip
 * the spaces and quotes before it.
 */
const START = '(?<=^|[,;\\t\\r\\n])(?<!\\r(?=\\n))'
const FORMULA = `(?=(?:[^\\S\\t\\r\\n]|["'])*[-=+@\\t\\r\uff0d\uff1d\uff0b\uff20\ufe63\ufe66\ufe62\ufe6b])`
/** More digits than a spreadsheet keeps of a number, and a line break, with which some programs begin a formula. */
const CHANGED = "(?='*(?:\\n|\\d{12}))"
const UNGUARDED_CELL = new RegExp(`${START}${FORMULA}|^${CHANGED}`, 'g')
const GUARDED_CELL = new RegExp(`${START}'${FORMULA}|^'${CHANGED}`, 'g')

/** A record of such a file, with its line end. */
export function excelRecord(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';')}\r\n`
}

/** A cell whose text a spreadsheet shows as it is, also if it consists of digits. */
export function textCell(cell: string): string {
  const isDigits = /^\+?\d[\d.,:/e-]*$/i.test(cell) && cell.length <= FORMULA_TEXT_MAX
  return isDigits ? `="${cell}"` : plainCell(cell)
}

/** A cell in which no formula runs when the file is opened, and whose digits are kept. */
export function plainCell(cell: string): string {
  return cell === '-' ? cell : cell.replace(UNGUARDED_CELL, "'")
}

/** A cell as it was before {@link textCell} or {@link plainCell} guarded it; any other as it is. */
export function unguardedCell(cell: string): string {
  if (cell.startsWith('=')) return /^="([^"]*)"$/.exec(cell)?.[1] ?? cell
  return cell.includes("'") ? cell.replace(GUARDED_CELL, '') : cell
}

/** An amount in cents as a number: `1234,56`. */
export function decimalComma(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)},${digits.slice(-2)}`
}
