import { deflateRawSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { RELATIONSHIPS, rawWorkbook } from './rawWorkbook.ts'

/** A workbook that is damaged or made to harm: what it has, how it is made, and what the refusal says. */
export type HostileForm = readonly [what: string, make: () => Uint8Array, reason: RegExp]

const HEAD = '<row r="1"><c r="A1" t="inlineStr"><is><t>key</t></is></c></row>'
const MIB = 1024 * 1024
const cell = (reference: string) => `<c r="${reference}"><v>1</v></c>`
const row = (cells: string, number = '2') => `<row r="${number}">${cells}</row>`

/** A workbook with one sheet, whose first row is the header `key`. */
export function sheet(rows: string, before = ''): Uint8Array {
  return rawWorkbook({ name: 'S', xml: `${before}<sheetData>${HEAD}${rows}</sheetData>` })
}

/** A workbook with parts of its own beside the sheet. */
function book(parts: Record<string, string>, rows = ''): Uint8Array {
  const kinds = { 'xl/sharedStrings.xml': 'sharedStrings', 'xl/styles.xml': 'styles' }
  const relationships = Object.entries(kinds).map(
    ([part, kind]) => `<Relationship Id="${kind}" Type="${RELATIONSHIPS}/${kind}" Target="/${part}"/>`,
  )
  const own = Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]))
  return rawWorkbook({ name: 'S', xml: `<sheetData>${HEAD}${rows}</sheetData>` }, { relationships, parts: own })
}

/** A workbook whose list of sheets is as given. */
const listed = (sheets: string) => book({ 'xl/workbook.xml': `<workbook><sheets>${sheets}</sheets></workbook>` })

/** Rows and cells that no spreadsheet writes, or that would take minutes or gigabytes. */
const ROWS: readonly (readonly [string, () => string, RegExp])[] = [
  ['a value far to the right in many rows', () => rowsTo(1500, (r) => cell(`XFD${r}`)), /more than 8000000 cells/],
  ['a column that does not exist', () => row(cell('XFE2')), /has a cell `XFE2`/],
  ['a column with seven letters', () => row(cell('ZZZZZZZ2')), /has a cell `ZZZZZZZ2`/],
  ['a row that does not exist', () => row(cell('A1048577'), '1048577'), /has a row 1048577/],
  ['a row with eleven digits', () => row(cell('A99999999999'), '99999999999'), /has a row 99999999999/],
  ['row 0', () => row(cell('A0'), '0'), /has a row 0/],
  ['row -1', () => row(cell('A2'), '-1'), /has a row -1/],
  ['row 0x2', () => row(cell('A2'), '0x2'), /has a row 0x2/],
  ['a row between two', () => row(cell('A2'), '2.5'), /has a row 2.5/],
  ['a row that is no number', () => row(cell('A2'), 'x'), /has a row x/],
  ['a cell without a row', () => row(cell('A')), /has a cell `A`/],
  ['a cell without a column', () => row(cell('2')), /has a cell `2`/],
  ['a cell whose name is empty', () => row(cell('')), /has a cell ``/],
  ['a cell that is a range', () => row(cell('A2:B3')), /has a cell `A2:B3`/],
  ['a cell given twice', () => row(cell('A2') + cell('A2')), /`A2` is given twice/],
  ['a cell given twice in two cases', () => row(cell('A2') + cell('a2')), /`a2` is given twice/],
  ['cells in another order', () => row(cell('B2') + cell('A2')), /`A2` is given twice, or is not in order/],
  ['a cell of another row', () => row(cell('A3')), /`A3` is in row 2/],
  ['a cell of an earlier row in a row without a number', () => `<row>${cell('A1')}</row>`, /`A1` is in row 2/],
  ['a row given twice', () => row(cell('A2')) + row(cell('A2')), /row 2 comes after row 2/],
  ['rows in another order', () => '<row r="3"/><row r="2"/>', /row 2 comes after row 3/],
  ['a cell without a name behind the last', () => row(`${cell('XFD2')}<c><v>1</v></c>`), /has a cell ``/],
  ['a row in another place', () => `</sheetData><extLst>${row(cell('A2'))}</extLst><sheetData>`, /in another place/],
  ['an attribute given twice', () => row('<c r="A2" r="B2"><v>1</v></c>'), /the attribute r twice/],
  ['a prefix that means nothing', () => row('<y:c r="A2"><y:v>1</y:v></y:c>'), /without a namespace/],
  [
    'a cell that programs read in two ways',
    () => `<row r="2" xmlns:mc="urn:mc"><mc:AlternateContent>${cell('A2')}</mc:AlternateContent></row>`,
    /read in two ways/,
  ],
  ['merged cells that do not exist', () => `${row(cell('A2'))}<mergeCell ref="A2:x"/>`, /merged cells `A2:x`/],
  ['a cell with two values', () => row('<c r="A2"><v>1</v><v>2</v></c>'), /has two values/],
  ['a cell with two texts', () => row('<c r="A2" t="inlineStr"><is/><is/></c>'), /has two values/],
  ['a cell of an unknown type', () => row('<c r="A2" t="x"><v>1</v></c>'), /type x/],
  ['a cell that is half true', () => row('<c r="A2" t="b"><v>0.5</v></c>'), /neither true nor false/],
  ['a text that is missing', () => row('<c r="A2" t="s"><v>7</v></c>'), /has a text that is missing/],
  ['a text before the first', () => row('<c r="A2" t="s"><v>-1</v></c>'), /has a text that is missing/],
  ['a format that is missing', () => row('<c r="A2" s="7"><v>1</v></c>'), /has a format that is missing/],
  [
    'columns after its rows',
    () => '</sheetData><cols><col min="1" max="1" hidden="1"/></cols><sheetData>',
    /after its/,
  ],
  ['rows in two places', () => '</sheetData><sheetData>', /rows in two places/],
  ['two million attributes', () => `<row r="2"><c ${'a '.repeat(2_000_000)}</row>`, /a tag of more|without an end/],
  [
    'two million attributes in a closed tag',
    () => `<row r="2"><c ${'a="" '.repeat(2_000_000)}/></row>`,
    /a tag of more than/,
  ],
  [
    '30,000 cells that do not end',
    () => `<row r="2">${`<c ${'x'.repeat(1000)} `.repeat(30_000)}</row>`,
    /without an end/,
  ],
  ['a million beginnings', () => '<c '.repeat(1_000_000), /without an end/],
  ['a million brackets', () => '<'.repeat(1_000_000), /without an end/],
  ['a cell in a cell in a cell', () => '<x>'.repeat(200_000), /tags inside each other/],
  ['ends without beginnings', () => '</x>'.repeat(200_000), /without an end/],
  ['tags that cross', () => row('<c r="A2"><v>1</c></v>'), /without an end/],
  ['a comment without an end', () => `<!--${'-'.repeat(1_000_000)}`, /cut off/],
  ['quoted text without an end', () => row('<c r="A2" t="inlineStr"><is><t><![CDATA[x</t></is></c>'), /cut off/],
  ['an instruction without an end', () => `<?${'?'.repeat(1_000_000)}`, /cut off/],
  ['entities of its own', () => `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]>`, /declares entities/],
  ['a document type within', () => `<!ELEMENT x ANY>`, /declares entities/],
  ['a name of a million letters', () => `<${'c'.repeat(1_000_000)}/>`, /a tag of more than/],
  ['a quote without an end', () => `<row r="2" x="${'x'.repeat(1_000_000)}`, /a tag of more than/],
  ['a cell of 200 MB', () => row(text('x'.repeat(200 * MIB))), /more than 1000000 characters/],
  ['a value of 200 MB', () => row(`<c r="A2"><v>${'1'.repeat(200 * MIB)}</v></c>`), /more than 1000000 characters/],
  ['60 million tags', () => '<a/>'.repeat(60_000_000), /more than 20000000 tags/],
  ['4 million empty cells', () => rowsTo(500_000, (r) => filled(r, 8, '')), /more than 2000000 empty cells/],
  ['4 million empty cells in wide rows', () => rowsTo(245, (r) => filled(r, 16_384, '')), /2000000 empty cells/],
  ['2 million cells of a space', () => rowsTo(250_002, (r) => filled(r, 8, ' ')), /more than 2000000 empty cells/],
  [
    '2 million empty cells that are read twice',
    () => rowsTo(260_000, (r) => (r < 50 || r === 238_000 ? cell(`A${r}`) : filled(r, 8, ''))),
    /more than 2000000 empty cells/,
  ],
  ['20,000 columns', () => '', /more than 16384 columns/],
]

/** Archives that say of their parts what is not so. */
const ARCHIVES: readonly HostileForm[] = [
  ['a size that is too small', () => archive(() => ({ packed: SPACES(), size: 1000 })), /has another size/],
  ['a size that is too large', () => archive(() => ({ size: 100 })), /has another size/],
  ['a size of 3 GB', () => archive(() => ({ size: 3e9 })), /larger than the limit of 256 MiB/],
  ['a size of 4 GiB', () => archive(() => ({ size: 0xffffffff })), /4 GiB or more/],
  ['no deflated data', () => archive(() => ({ packed: Buffer.from('hello') })), /cannot be unpacked/],
  [
    'deflated data that ends too early',
    () => archive(({ packed }) => ({ packed: packed.subarray(0, -3) })),
    /cannot be unpacked|another size/,
  ],
  ['a part whose checksum is another', () => archive(() => ({})), /part xl\/workbook\.xml is damaged/],
  [
    'text of Windows-1252 that does not say so',
    () => zipSync({ 'xl/workbook.xml': Buffer.from('<workbook a="José"/>', 'latin1') }),
    /not UTF-8/,
  ],
  ['another method', () => archive(() => ({ method: 14 })), /packed in a way that workbooks do not use/],
  ['a password', () => archive(() => ({ flags: 1 })), /encrypted/],
  ['another name in front of a part', () => renamedInFront(), /another name in front of its content/],
  ['two directories', () => twoDirectories(), /two directories/],
  ['two parts of one name', () => archive(() => ({}), true), /two parts are called/],
  ['only a beginning', () => archive(() => ({})).subarray(0, 40), /cut off/],
  [
    'no directory',
    () => Buffer.concat([archive(() => ({})).subarray(0, 30), archive(() => ({})).subarray(-22)]),
    /damaged/,
  ],
  ['a comment that hides the end', () => Buffer.concat([archive(() => ({})), Buffer.alloc(70_000)]), /cut off/],
  ['nothing but the magic number', () => Buffer.from('PK\x03\x04'), /cut off/],
  ['no workbook in it', () => zipSync({ 'mimetype.xml': strToU8('x') }), /not an \.xlsx workbook/],
  ['257 MiB in one part', () => zipSync({ 'xl/workbook.xml': new Uint8Array(257 * MIB) }), /limit of 256 MiB/],
]

/** XML whose encoding is not read, or not the one that it names. */
const ENCODED: readonly HostileForm[] = (
  [
    [
      'text in an encoding that is not read',
      Buffer.from('<?xml version="1.0" encoding="koi8-r"?><workbook/>'),
      /its text is in koi8-r, which is not read/,
    ],
    [
      'text that is not in UTF-16, as it says',
      Buffer.from('<?xml version="1.0" encoding="UTF-16"?><workbook/>'),
      /says that it is in UTF-16, but it is not/,
    ],
    [
      'text in UTF-16 that says UTF-8',
      Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-8"?><workbook/>', 'utf16le'),
      /says that it is in UTF-8, but it is not/,
    ],
    [
      'half a character of UTF-16',
      Buffer.from('\ufeff<workbook a="\ud800"/>', 'utf16le'),
      /not in the encoding that it names/,
    ],
  ] as const
).map(([what, bytes, reason]) => [what, () => zipSync({ 'xl/workbook.xml': bytes }), reason])

/** Parts beside the sheets. */
const PARTS: readonly HostileForm[] = [
  ['two sheets of the same cells', () => listed('<sheet name="A" r:id="rId1"/>'.repeat(2)), /have the same cells/],
  ['100,000 sheets', () => listed('<sheet name="A" r:id="x"/>'.repeat(100_000)), /more than 1000 sheets/],
  ['a sheet that is missing', () => listed('<sheet name="A" r:id="x"/>'), /the sheet A has no cells/],
  [
    '10 million texts',
    () => book({ 'xl/sharedStrings.xml': `<sst>${'<si/>'.repeat(10_000_000)}</sst>` }),
    /has too many texts/,
  ],
  [
    'texts of 200 MB',
    () => book({ 'xl/sharedStrings.xml': `<sst>${`<si><t>${'x'.repeat(30_000)}</t></si>`.repeat(7000)}</sst>` }),
    /has too many texts/,
  ],
  [
    '10 million formats',
    () => book({ 'xl/styles.xml': `<styleSheet><cellXfs>${'<xf/>'.repeat(10_000_000)}</cellXfs></styleSheet>` }),
    /more than 65490 formats/,
  ],
  [
    'texts whose lengths multiply',
    () =>
      book(
        { 'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(900_000)}</t></si></sst>` },
        row('<c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>0</v></c>'),
      ),
    /more than 1000000 characters/,
  ],
  [
    'formulas without results',
    () => sheet(rowsTo(1000, (r) => `<c r="A${r}"><f>1+1</f></c>`)),
    /formulas whose results were not saved/,
  ],
]

/** All forms. Making one may take a second, and memory. */
export const HOSTILE_FORMS: readonly HostileForm[] = [
  ...ROWS.map(([what, rows, reason]): HostileForm => {
    const before = what === '20,000 columns' ? `<cols>${'<col min="1" max="1"/>'.repeat(20_000)}</cols>` : ''
    return [what, () => sheet(rows(), before), reason]
  }),
  ...ARCHIVES,
  ...ENCODED,
  ...PARTS,
]

/** Forms that take a second or more to make or to read. */
export const LARGE_FORMS = [
  'a cell of 200 MB',
  'a value of 200 MB',
  '60 million tags',
  '10 million texts',
  'texts of 200 MB',
  '10 million formats',
  '257 MiB in one part',
  'a size that is too small',
  'a value far to the right in many rows',
  '4 million empty cells',
  '4 million empty cells in wide rows',
  '2 million cells of a space',
  '2 million empty cells that are read twice',
]

/** The cells of a row from A on, each of the same text. */
function filled(row: number, count: number, content: string): string {
  return Array.from(
    { length: count },
    (_, place) => `<c r="${columnName(place + 1)}${row}" t="str"><v>${content}</v></c>`,
  ).join('')
}

function columnName(column: number): string {
  const before = Math.floor((column - 1) / 26)
  return (before === 0 ? '' : columnName(before)) + String.fromCharCode(65 + ((column - 1) % 26))
}

function rowsTo(last: number, cells: (row: number) => string): string {
  return Array.from({ length: last - 1 }, (_, place) => row(cells(place + 2), String(place + 2))).join('')
}

function text(content: string): string {
  return `<c r="A2" t="inlineStr"><is><t>${content}</t></is></c>`
}

/** An archive whose comment is the end of a directory, too. */
function twoDirectories(): Uint8Array {
  const bytes = archive(() => ({}))
  bytes.writeUInt16LE(22, bytes.length - 2)
  return Buffer.concat([bytes, archive(() => ({})).subarray(-22)])
}

function renamedInFront(): Uint8Array {
  const bytes = zipSync({ 'xl/workbook.xml': strToU8('<workbook/>') })
  bytes.set(strToU8('X'), 30)
  return bytes
}

const SPACES = () => deflateRawSync(Buffer.alloc(200 * MIB, ' '))

/** A workbook with one part replaced by bytes that the archive describes in its own way. */
function archive(
  change: (entry: { packed: Buffer; size: number; method: number; flags: number }) => object,
  twice = false,
): Buffer {
  const name = 'xl/workbook.xml'
  const content = Buffer.from('<workbook/>')
  const entry = { packed: deflateRawSync(content), size: content.length, method: 8, flags: 0 }
  const { packed, size, method, flags } = Object.assign(entry, change({ ...entry }))
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(name.length, 26)
  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014b50, 0)
  central.writeUInt16LE(flags, 8)
  central.writeUInt16LE(method, 10)
  central.writeUInt32LE(packed.length, 20)
  central.writeUInt32LE(size, 24)
  central.writeUInt16LE(name.length, 28)
  const body = Buffer.concat([local, Buffer.from(name), packed])
  const directory = Buffer.concat(Array(twice ? 2 : 1).fill(Buffer.concat([central, Buffer.from(name)])))
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(twice ? 2 : 1, 10)
  end.writeUInt32LE(body.length, 16)
  return Buffer.concat([body, directory, end])
}
