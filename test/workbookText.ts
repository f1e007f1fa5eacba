import { readFileSync } from 'node:fs'
import { strFromU8, unzipSync } from 'fflate'

/** All texts of a workbook's sheets, a cell on each line, as they are in its XML. */
export function workbookText(path: string): string {
  const parts = Object.entries(unzipSync(readFileSync(path)))
  const sheets = parts.filter(([name]) => name.startsWith('xl/worksheets/')).map(([, bytes]) => strFromU8(bytes))
  return sheets
    .join('\n')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll(/\n+/g, '\n')
}
