import { strFromU8, strToU8, unzipSync, Zip, ZipDeflate, zipSync } from 'fflate'
import { OPENABLE } from './formattedWorkbook.ts'
import { MAIN, RELATIONSHIPS, rawWorkbook } from './rawWorkbook.ts'

/** What each of the workbooks shows, as LibreOffice opens them. */
export const SHOWN_ROWS = [
  ['key', 'value', 'nome'],
  ['ana@b.co', '10.5', 'José Ção – “A&B”'],
  ['rui@b.co', '20', 'Rui'],
]

const NAME = 'José Ção – “A&amp;B”'
const inline = (text: string, attributes = '') => `<c ${attributes} t="inlineStr"><is><t>${text}</t></is></c>`
const HEAD = `<row r="1">${inline('key', 'r="A1"')}${inline('value', 'r="B1"')}${inline('nome', 'r="C1"')}</row>`
const ANA = `<row r="2">${inline('ana@b.co', 'r="A2"')}<c r="B2"><v>10.5</v></c>${inline(NAME, 'r="C2"')}</row>`
const RUI = `<row r="3">${inline('rui@b.co', 'r="A3"')}<c r="B3"><v>20</v></c>${inline('Rui', 'r="C3"')}</row>`
const USUAL = HEAD + ANA + RUI
const SHEET = 'xl/worksheets/sheet1.xml'

function partsOf(rows: string, after = ''): Record<string, Uint8Array> {
  const workbook = rawWorkbook(
    { name: 'Folha', xml: `<sheetData>${rows}</sheetData>${after}` },
    { relationships: [], parts: OPENABLE },
  )
  return unzipSync(workbook)
}

/** The parts of a usual workbook, their texts changed. */
function changed(change: (text: string, name: string) => string): Record<string, Uint8Array> {
  return Object.fromEntries(
    Object.entries(partsOf(USUAL)).map(([name, bytes]) => [name, strToU8(change(strFromU8(bytes), name))]),
  )
}

/** A usual workbook whose sheet is written as these bytes. */
function encodedSheet(encode: (xml: string) => Uint8Array): Uint8Array {
  const parts = partsOf(USUAL)
  return zipSync({ ...parts, [SHEET]: encode(strFromU8(parts[SHEET] ?? new Uint8Array())) })
}

function windows1252(text: string): Uint8Array {
  const places: Readonly<Record<string, number>> = { '–': 0x96, '“': 0x93, '”': 0x94 }
  return Uint8Array.from(text, (character) => places[character] ?? character.charCodeAt(0))
}

/** An archive whose parts are written without knowing their lengths, which stand behind them. */
function streamed(parts: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const chunks: Uint8Array[] = []
  const zip = new Zip((_, chunk) => chunks.push(chunk))
  for (const [name, bytes] of Object.entries(parts)) {
    const file = new ZipDeflate(name)
    zip.add(file)
    file.push(bytes, true)
  }
  zip.end()
  return Buffer.concat(chunks)
}

function withComment(bytes: Uint8Array, comment: string): Uint8Array {
  const written = Buffer.concat([bytes, strToU8(comment)])
  written.writeUInt16LE(comment.length, bytes.length - 2)
  return written
}

/** The names of the tags of the spreadsheet's own namespace with a prefix. */
function prefixed(text: string, name: string): string {
  if (!name.startsWith('xl/w')) return text
  return text.replace(/<(\/?)(?=[a-zA-Z])/g, '<$1x:').replace('xmlns=', 'xmlns:x=')
}

/** Namespaces and relationships as files of the strict kind have them. */
function strict(text: string): string {
  return text
    .replaceAll(RELATIONSHIPS, 'http://purl.oclc.org/ooxml/officeDocument/relationships')
    .replaceAll(MAIN, 'http://purl.oclc.org/ooxml/spreadsheetml/main')
}

/** The list of sheets and the sheets in folders of their own. */
function moved(): Record<string, Uint8Array> {
  const parts = changed((text) =>
    text
      .replace('Target="xl/workbook.xml"', 'Target="/livro/lista.xml"')
      .replace('worksheets/sheet1.xml"', '../dados/um.xml"')
      .replaceAll('/xl/workbook.xml', '/livro/lista.xml')
      .replaceAll('/xl/worksheets/sheet1.xml', '/dados/um.xml'),
  )
  const places: Readonly<Record<string, string>> = {
    'xl/workbook.xml': 'livro/lista.xml',
    'xl/_rels/workbook.xml.rels': 'livro/_rels/lista.xml.rels',
    [SHEET]: 'dados/um.xml',
  }
  return Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [places[name] ?? name, bytes]))
}

const DECLARED = (name: string) => `<?xml version="1.0" encoding="${name}" standalone="yes"?>\n`
const OTHER = 'xmlns:y="urn:example:other"'

/** Workbooks of forms that few programs write, all of them with the same rows. */
export const UNUSUAL_FORMS: readonly (readonly [what: string, bytes: Uint8Array])[] = [
  ['cells without names', zipSync(partsOf(USUAL.replaceAll(/<c r="[A-Z]\d"/g, '<c')))],
  ['rows without numbers', zipSync(partsOf(USUAL.replaceAll(/<row r="\d"/g, '<row')))],
  ['neither of them', zipSync(partsOf(USUAL.replaceAll(/<(c|row) r="[A-Z]?\d"/g, '<$1')))],
  ['some cells without names', zipSync(partsOf(USUAL.replaceAll(/<c r="[BC]\d"/g, '<c')))],
  ['prefixes', zipSync(changed(prefixed))],
  ['strict namespaces', zipSync(changed(strict))],
  ['prefixes and strict namespaces', zipSync(changed((text, name) => strict(prefixed(text, name))))],
  ['parts in other folders', zipSync(moved())],
  [
    'quoted text',
    zipSync(
      partsOf(
        USUAL.replace(NAME, '<![CDATA[José Ção – ]]>“A<![CDATA[&]]>B”').replace('ana@b.co', '<![CDATA[ana@b.co]]>'),
      ),
    ),
  ],
  ['a quoted number', zipSync(partsOf(USUAL.replace('>10.5<', '><![CDATA[10.5]]><')))],
  ['lengths behind its parts', streamed(partsOf(USUAL))],
  ['parts that are not packed', zipSync(partsOf(USUAL), { level: 0 })],
  ['a comment of the archive', withComment(zipSync(partsOf(USUAL)), 'Folha de novembro')],
  ['text in UTF-16', encodedSheet((xml) => Buffer.from(`\ufeff${DECLARED('UTF-16')}${xml}`, 'utf16le'))],
  [
    'text in UTF-16, the large end first',
    encodedSheet((xml) => Buffer.from(`\ufeff${DECLARED('utf-16')}${xml}`, 'utf16le').swap16()),
  ],
  ['text in Windows-1252', encodedSheet((xml) => windows1252(DECLARED('windows-1252') + xml))],
  [
    'text in ISO-8859-1',
    encodedSheet((xml) =>
      Buffer.from(
        DECLARED('ISO-8859-1') + xml.replace('–', '&#8211;').replace('“', '&#x201c;').replace('”', '&#x201d;'),
        'latin1',
      ),
    ),
  ],
  ['text in UTF-8 with a mark', encodedSheet((xml) => strToU8(`\ufeff${DECLARED('utf-8')}${xml}`))],
  [
    'elements of other namespaces',
    zipSync(
      partsOf(
        USUAL.replace('<row r="2">', `<row r="2" ${OTHER}><y:c r="A2"><y:v>1</y:v></y:c>`).replace(
          '<row r="3">',
          `<y:row r="3" ${OTHER}/><row r="3">`,
        ),
      ),
    ),
  ],
  [
    'attributes of other namespaces',
    zipSync(
      partsOf(
        USUAL.replace('<row r="2"', `<row ${OTHER} y:r="7" r="2" y:hidden="1"`).replace(
          '<c r="B2">',
          '<c r="B2" y:t="s" y:r="C9">',
        ),
      ),
    ),
  ],
  ['names in lower case', zipSync(partsOf(USUAL.replace('r="B2"', 'r="b2"')))],
  ['comments and instructions', zipSync(partsOf(USUAL.replace('>10.5<', '><!-- 9 -->10<?x 9?>.5<!----><')))],
]
