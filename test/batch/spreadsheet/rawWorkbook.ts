import { strToU8, zipSync } from 'fflate'

/** A sheet whose XML is written as given, for what no library writes. */
export interface RawSheet {
  name: string
  /** What the worksheet element holds: `cols` and `sheetData`. */
  xml: string
  /** The attribute `state`: `hidden` or `veryHidden`. */
  state?: string
}

export const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

/** What a workbook has beside its sheets. */
interface OtherParts {
  /** The XML of further relationships. */
  relationships: readonly string[]
  /** Further parts by their paths; they replace those of the same path. */
  parts: Readonly<Record<string, Uint8Array>>
}

/** A workbook of these sheets, in their order. */
export function rawWorkbook(...given: readonly (RawSheet | OtherParts)[]): Uint8Array {
  const sheets = given.filter((each) => 'xml' in each)
  const others = given.filter((each) => 'parts' in each)
  const entries = sheets.map(({ name, state }, index) => {
    const visibility = state === undefined ? '' : ` state="${state}"`
    return `<sheet name="${name}" sheetId="${index + 1}"${visibility} r:id="rId${index + 1}"/>`
  })
  const targets = sheets.map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${RELATIONSHIPS}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  )
  const parts = {
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><sheets>${entries.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets.join('')}${others.flatMap((each) => each.relationships).join('')}</Relationships>`,
    ...Object.fromEntries(
      sheets.map(({ xml }, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet xmlns="${MAIN}">${xml}</worksheet>`,
      ]),
    ),
  }
  const written = Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, strToU8(xml)]))
  return zipSync(Object.assign(written, ...others.map((each) => each.parts)))
}

/** The XML of a row with these cells from column A on: a number is a numeric cell with exactly this text, `''` no cell. */
export function rawRow(number: number, cells: readonly (string | { number: string })[], attributes = ''): string {
  const xml = cells.map((cell, place) => {
    const address = `${String.fromCharCode(65 + place)}${number}`
    if (cell === '') return ''
    return typeof cell === 'string'
      ? `<c r="${address}" t="inlineStr"><is><t>${cell}</t></is></c>`
      : `<c r="${address}"><v>${cell.number}</v></c>`
  })
  return `<row r="${number}" ${attributes}>${xml.join('')}</row>`
}
