import { strToU8 } from 'fflate'
import { MAIN, RELATIONSHIPS, rawWorkbook } from './rawWorkbook.ts'

/** A cell with a number format; a plain string is a text without one. `style` is the place of a format of the styles that are given. */
export type StyledCell =
  | string
  | { number: string; format?: string; style?: number; struck?: boolean }
  | { text: string; format?: string; struck?: boolean }

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const DOCUMENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** What a program needs beside the sheets to open a workbook. */
export const OPENABLE: Readonly<Record<string, Uint8Array>> = {
  '_rels/.rels': strToU8(
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="a" Type="${RELATIONSHIPS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ),
  '[Content_Types].xml': strToU8(
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${DOCUMENT}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${DOCUMENT}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${DOCUMENT}.styles+xml"/></Types>`,
  ),
}

/** A workbook with one sheet of these cells, which LibreOffice opens, too. `after` is the XML behind its rows. */
export function formattedWorkbook(
  rows: readonly (readonly StyledCell[])[],
  after = '',
  parts: Readonly<Record<string, Uint8Array>> = {},
  { before = '', hiddenRows = [] }: { before?: string; hiddenRows?: readonly number[] } = {},
): Uint8Array {
  const formats = ['General']
  const styleOf = (format: string): number => {
    if (!formats.includes(format)) formats.push(format)
    return formats.indexOf(format)
  }
  const xml = rows.map((cells, index) => {
    const cellXml = cells.map((cell, place) => {
      const address = `r="${String.fromCharCode(65 + place)}${index + 1}"`
      if (cell === '') return ''
      if (typeof cell === 'string') return `<c ${address} t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`
      const ofFormat = styleOf(cell.format ?? 'General') * 2 + (cell.struck === true ? 1 : 0)
      const style = 'style' in cell && cell.style !== undefined ? cell.style : ofFormat
      return 'number' in cell
        ? `<c ${address} s="${style}"><v>${cell.number}</v></c>`
        : `<c ${address} s="${style}" t="inlineStr"><is><t>${escaped(cell.text)}</t></is></c>`
    })
    const hidden = hiddenRows.includes(index + 1) ? ' hidden="1"' : ''
    return `<row r="${index + 1}"${hidden}>${cellXml.join('')}</row>`
  })
  const codes = formats.map((code, place) => `<numFmt numFmtId="${200 + place}" formatCode="${escaped(code)}"/>`)
  const xfs = formats.flatMap((_, place) =>
    [0, 1].map(
      (font) => `<xf numFmtId="${200 + place}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyFont="1"/>`,
    ),
  )
  const styles = `<styleSheet xmlns="${MAIN}"><numFmts>${codes.join('')}</numFmts><fonts count="2"><font><sz val="11"/></font><font><strike/><sz val="11"/></font></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0"/></cellStyleXfs><cellXfs>${xfs.join('')}</cellXfs></styleSheet>`
  return rawWorkbook(
    { name: 'Folha', xml: `${before}<sheetData>${xml.join('')}</sheetData>${after}` },
    {
      relationships: [`<Relationship Id="styles" Type="${RELATIONSHIPS}/styles" Target="styles.xml"/>`],
      parts: { ...OPENABLE, 'xl/styles.xml': strToU8(styles), ...parts },
    },
  )
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
