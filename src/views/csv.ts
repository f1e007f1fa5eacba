/** One CSV record without its line end, quoted where RFC 4180 asks for it. */
export function csvRecord(cells: readonly string[]): string {
  return cells.map((cell) => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')
}
