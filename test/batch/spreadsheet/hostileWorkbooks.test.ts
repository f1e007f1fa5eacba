import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readWorkbook } from '../../../src/spreadsheet/workbook.ts'
import { emptyWorld } from '../../world.ts'
import { rawWorkbook } from './rawWorkbook.ts'

const HEAD = '<row r="1"><c r="A1" t="inlineStr"><is><t>key</t></is></c></row>'
const cell = (reference: string) => `<c r="${reference}"><v>1</v></c>`

const sheet = (rows: string, before = '') =>
  rawWorkbook({ name: 'S', xml: `${before}<sheetData>${HEAD}${rows}</sheetData>` })

/** Rows and cells of a sheet that no spreadsheet writes, or that would take minutes or gigabytes. */
const SHEETS: readonly [string, string, RegExp][] = [
  ['a value in the last cell', `<row r="1048576">${cell('XFD1048576')}</row>`, /reach to row 1048576 and column 16384/],
  ['a value far to the right in many rows', `<row r="400000">${cell('CZ400000')}</row>`, /reach to row 400000/],
  ['a column that does not exist', `<row r="2">${cell('XFE2')}</row>`, /has a cell `XFE2`/],
  ['a column with seven letters', `<row r="2">${cell('ZZZZZZZ2')}</row>`, /has a cell `ZZZZZZZ2`/],
  ['a row that does not exist', `<row r="1048577">${cell('A1048577')}</row>`, /has a row 1048577/],
  ['a row with eleven digits', `<row r="99999999999">${cell('A99999999999')}</row>`, /has a row 99999999999/],
  ['row 0', `<row r="0">${cell('A0')}</row>`, /has a row 0/],
  ['row -1', `<row r="-1">${cell('A2')}</row>`, /has a row -1/],
  ['a row between two', `<row r="2.5">${cell('A2')}</row>`, /has a row 2.5/],
  ['a row that is no number', `<row r="x">${cell('A2')}</row>`, /has a row x/],
  ['a cell without a row', `<row r="2">${cell('A')}</row>`, /has a cell `A`/],
  ['a cell without a column', `<row r="2">${cell('2')}</row>`, /has a cell `2`/],
  ['a cell whose name is empty', `<row r="2">${cell('')}</row>`, /has a cell ``/],
  ['a cell that is a range', `<row r="2">${cell('A2:B3')}</row>`, /has a cell `A2:B3`/],
  ['a cell given twice', `<row r="2">${cell('A2')}${cell('A2')}</row>`, /`A2` is given twice/],
  ['a cell given twice in two cases', `<row r="2">${cell('A2')}${cell('a2')}</row>`, /`a2` is given twice/],
  ['cells in another order', `<row r="2">${cell('B2')}${cell('A2')}</row>`, /`A2` is given twice, or is not in order/],
  ['a cell of another row', `<row r="2">${cell('A3')}</row>`, /`A3` is in row 2/],
  ['a cell of an earlier row in a row without a number', `<row>${cell('A1')}</row>`, /`A1` is in row 2/],
  ['a row given twice', `<row r="2">${cell('A2')}</row><row r="2">${cell('A2')}</row>`, /row 2 comes after row 2/],
  ['rows in another order', `<row r="3"/><row r="2"/>`, /row 2 comes after row 3/],
  ['two million attributes', `<row r="2"><c ${'a '.repeat(2_000_000)}</row>`, /a tag of more than/],
  [
    'two million attributes in a closed tag',
    `<row r="2"><c ${'a="" '.repeat(2_000_000)}/></row>`,
    /a tag of more than/,
  ],
  [
    '30,000 cells that do not end',
    `<row r="2">${`<c ${'x'.repeat(1000)} `.repeat(30_000)}</row>`,
    /a tag of more|without an end/,
  ],
  ['a million beginnings', '<c '.repeat(1_000_000), /without an end|a tag of more/],
  ['a million brackets', '<'.repeat(1_000_000), /without an end|a tag of more/],
  ['a cell in a cell in a cell', '<x>'.repeat(200_000), /tags inside each other/],
  ['a comment without an end', `<!--${'-'.repeat(1_000_000)}`, /cut off/],
  ['quoted text', '<row r="2"><c r="A2" t="inlineStr"><is><t><![CDATA[x]]></t></is></c></row>', /CDATA/],
  ['a cell without a name', '<row r="2"><c><v>1</v></c></row>', /row 2 has a cell without a name/],
  ['an instruction without an end', `<?${'?'.repeat(1_000_000)}`, /cut off/],
  ['entities of its own', `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]>`, /declares entities/],
  ['a document type within', `<!ELEMENT x ANY>`, /declares entities/],
  ['a name of a million letters', `<${'c'.repeat(1_000_000)}/>`, /a tag of more than/],
]

describe('a sheet that is made to harm is refused with the reason', () => {
  it.each(SHEETS)('%s', async (_, rows, reason) => {
    await expect(readWorkbook(sheet(rows), undefined, undefined)).rejects.toThrow(/^The workbook cannot be read: /)
    await expect(readWorkbook(sheet(rows), undefined, undefined)).rejects.toThrow(reason)
  })
})

/** Sheets that look odd and are read in a short time. */
const HARMLESS: readonly [string, string, string[]][] = [
  [
    'a formula before a million spaces',
    `<row r="2"><c r="A2"><f>1</f><v>2</v>${' '.repeat(1_000_000)}</c></row>`,
    ['2'],
  ],
  ['an error after a million spaces', `<row r="2"><c ${' '.repeat(10_000)}r="A2"><v>2</v></c></row>`, ['2']],
  ['a row without a number', '<row><c r="A2"><v>2</v></c></row>', ['2']],
]

it.each(HARMLESS)('%s is read', async (_, rows, cells) => {
  const { rows: found } = await readWorkbook(sheet(rows), undefined, undefined)
  expect(found.at(-1)?.cells).toEqual(cells)
})

/** A workbook with one part replaced by bytes that the archive describes in its own way. */
function archive(
  change: (entry: { packed: Buffer; size: number; method: number; flags: number }) => object,
  twice = false,
): Buffer {
  const name = 'xl/workbook.xml'
  const text = Buffer.from('<workbook/>')
  const entry = { packed: deflateRawSync(text), size: text.length, method: 8, flags: 0 }
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

const SPACES = deflateRawSync(Buffer.alloc(200 * 1024 * 1024, ' '))

const ARCHIVES: readonly [string, Buffer, RegExp][] = [
  ['a size that is too small', archive(() => ({ packed: SPACES, size: 1000 })), /cannot be unpacked to the size/],
  ['a size that is too large', archive(() => ({ size: 100 })), /has another size/],
  ['a size of 3 GB', archive(() => ({ size: 3e9 })), /larger than the limit of 256 MiB/],
  ['a size of 4 GiB', archive(() => ({ size: 0xffffffff })), /4 GiB or more/],
  ['no deflated data', archive(() => ({ packed: Buffer.from('hello') })), /cannot be unpacked/],
  [
    'deflated data that ends too early',
    archive(({ packed }) => ({ packed: packed.subarray(0, -3) })),
    /cannot be unpacked|another size/,
  ],
  ['another method', archive(() => ({ method: 14 })), /packed in a way that workbooks do not use/],
  ['a password', archive(() => ({ flags: 1 })), /encrypted/],
  ['two parts of one name', archive(() => ({}), true), /two parts are called/],
  ['only a beginning', archive(() => ({})).subarray(0, 40), /cut off/],
  ['no directory', Buffer.concat([archive(() => ({})).subarray(0, 30), archive(() => ({})).subarray(-22)]), /damaged/],
  ['a comment that hides the end', Buffer.concat([archive(() => ({})), Buffer.alloc(70_000)]), /cut off/],
  ['nothing but the magic number', Buffer.from('PK\x03\x04'), /cut off/],
]

it.each(ARCHIVES)('an archive with %s is refused', async (_, bytes, reason) => {
  await expect(readWorkbook(bytes, undefined, undefined)).rejects.toThrow(reason)
})

it.each<[string, Uint8Array, RegExp]>([
  [
    'a value in the last cell',
    sheet(`<row r="1048576">${cell('XFD1048576')}</row>`),
    /^error: The workbook .* column 16384/,
  ],
  [
    'two million attributes',
    sheet(`<row r="2"><c ${'a '.repeat(2_000_000)}</row>`),
    /^error: The workbook .* a tag of more than/,
  ],
])('the command ends with exit 2 and the reason: %s', async (_, bytes, reason) => {
  const world = emptyWorld({
    PIXGATE_BASE_URL: 'http://127.0.0.1:1',
    PIXGATE_CLIENT_ID: 'a',
    PIXGATE_CLIENT_SECRET: 'b',
  })
  const path = join(world.home, 'payments.xlsx')
  writeFileSync(path, bytes)
  const ran = await world.run(['batch', 'transfer', path, '--dry-run', '--callback-url', 'http://127.0.0.1:2/'])
  expect(ran).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringMatching(reason) })
})
