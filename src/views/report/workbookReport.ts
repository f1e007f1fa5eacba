import { strToU8, Zip, ZipDeflate } from 'fflate'
import type { Report } from './report.ts'
import { stylesXml } from './sheetStyles.ts'
import { type SheetLayout, sheetXml, xmlText } from './sheetXml.ts'

const START = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const MAIN = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const SHEET_NAME_CHARACTERS_MAX = 31

/** A report as an `.xlsx` workbook with a sheet for each table, in pieces. Throws TooManyRows. */
export async function* workbookReport({ title, lines, tables }: Report): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = []
  const archive = new Zip((error, piece) => {
    if (error) throw error
    pieces.push(piece)
  })
  const part = (path: string) => {
    const entry = new ZipDeflate(path, { level: 6 })
    archive.add(entry)
    return entry
  }
  const layouts: SheetLayout[] = []
  for (const [place, table] of tables.entries()) {
    const entry = part(`xl/worksheets/sheet${place + 1}.xml`)
    const sheet = sheetXml(table, { title, lines, isFirst: place === 0 })
    for (;;) {
      const { done, value } = await sheet.next()
      if (done === true) {
        layouts.push(value)
        break
      }
      entry.push(strToU8(value))
      yield* pieces.splice(0)
    }
    entry.push(new Uint8Array(), true)
  }
  const names = tables.map((table) => sheetName(table.title))
  for (const [path, content] of Object.entries(bookParts(names, layouts))) part(path).push(strToU8(content), true)
  archive.end()
  yield* pieces
}

/** A title as the name of a sheet: some characters are not allowed in it. */
function sheetName(title: string): string {
  return title.replace(/[\\/?*:[\]]/g, ' ').slice(0, SHEET_NAME_CHARACTERS_MAX)
}

/** The parts of a workbook beside its sheets, by their paths. */
function bookParts(names: readonly string[], layouts: readonly SheetLayout[]): Record<string, string> {
  const numbers = names.map((_, place) => place + 1)
  const sheets = names.map(
    (name, place) => `<sheet name="${xmlText(name)}" sheetId="${place + 1}" r:id="rId${place + 1}"/>`,
  )
  const types = numbers.map(
    (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${MAIN}.worksheet+xml"/>`,
  )
  const relations = numbers.map((n) => relation(n, 'worksheet', `worksheets/sheet${n}.xml`))
  return {
    '[Content_Types].xml':
      `${START}<Types xmlns="${PACKAGE}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${MAIN}.sheet.main+xml"/>${types.join('')}` +
      `<Override PartName="/xl/styles.xml" ContentType="${MAIN}.styles+xml"/></Types>`,
    '_rels/.rels': `${START}<Relationships xmlns="${PACKAGE}/relationships">${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml':
      `${START}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}">` +
      `<bookViews><workbookView/></bookViews><sheets>${sheets.join('')}</sheets>` +
      `<definedNames>${definedNames(names, layouts)}</definedNames></workbook>`,
    'xl/_rels/workbook.xml.rels': `${START}<Relationships xmlns="${PACKAGE}/relationships">${relations.join('')}${relation(names.length + 1, 'styles', 'styles.xml')}</Relationships>`,
    'xl/styles.xml': stylesXml(),
  }
}

function relation(number: number, type: string, target: string): string {
  return `<Relationship Id="rId${number}" Type="${OFFICE}/${type}" Target="${target}"/>`
}

/** What each sheet filters, and the row that is repeated on its printed pages. The format wants them in the order of their names. */
function definedNames(names: readonly string[], layouts: readonly SheetLayout[]): string {
  const sheets = layouts.map(({ headerRow, filter }, place) => ({
    place,
    name: xmlText(`'${(names[place] ?? '').replaceAll("'", "''")}'`),
    headerRow,
    filter,
  }))
  const filters = sheets.map(({ place, name, filter }) =>
    filter === null
      ? ''
      : `<definedName name="_xlnm._FilterDatabase" localSheetId="${place}" hidden="1">${name}!${absolute(filter.from)}:${absolute(filter.to)}</definedName>`,
  )
  const titles = sheets.map(
    ({ place, name, headerRow }) =>
      `<definedName name="_xlnm.Print_Titles" localSheetId="${place}">${name}!$${headerRow}:$${headerRow}</definedName>`,
  )
  return filters.join('') + titles.join('')
}

/** A cell `B7` as `$B$7`. */
function absolute(reference: string): string {
  return reference.replace(/^([A-Z]+)(\d+)$/, '$$$1$$$2')
}
