import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import writeExcelFile, { type Cell } from 'write-excel-file/node'
import { type BatchFileOptions, type BatchKind, judgeBatchFile, readBatchFile } from '../../../src/batch/batchFile.ts'
import { rowsIn } from './csvFiles.ts'
import { rawRow, rawWorkbook } from './rawWorkbook.ts'

const HEADER = ['key', 'value', 'externalId', 'nome']

function workbook(...sheets: Cell[][][]): Promise<Buffer> {
  return writeExcelFile(sheets.map((data, index) => ({ sheet: `Folha ${index + 1} & <mês>`, data }))).toBuffer()
}

/** A workbook whose first sheet is changed as text. */
function edited(bytes: Uint8Array, edit: (xml: string) => string): Uint8Array {
  const parts = unzipSync(bytes)
  const sheet = 'xl/worksheets/sheet1.xml'
  const xml = strFromU8(parts[sheet] ?? new Uint8Array())
  const changed = edit(xml)
  expect(changed).not.toBe(xml)
  return zipSync({ ...parts, [sheet]: strToU8(changed) })
}

function read(bytes: Uint8Array, options: BatchFileOptions = {}, kind: BatchKind = 'transfer') {
  return readBatchFile(bytes, kind, { reference: 'folha', ...options })
}

async function faultsOf(cells: Cell[]) {
  const { faults } = await judgeBatchFile(await read(await workbook([HEADER, cells])))
  return faults.map(({ row, column, message }) => [row, column, message])
}

describe('a workbook', () => {
  it('asks for the same payments as the CSV with the same content', async () => {
    const bytes = await workbook([
      [...HEADER],
      ['ana@b.co', 1234.5, null, 'João'],
      [],
      ['+5511987654321', '10,00', 'pay-1', 'Ana "Bia"; Rui'],
      [
        { value: 52998224725, type: Number },
        0.1 + 0.2,
        'pay-2',
        { value: new Date('2026-11-22'), format: 'dd/mm/yyyy' },
      ],
    ])
    const csv =
      'key;value;externalId;nome\nana@b.co;1.234,50;;João\n\n+5511987654321;10,00;pay-1;"Ana ""Bia""; Rui"\n52998224725;0,30;pay-2;2026-11-22\n'
    const [file, same] = [await read(bytes), await read(Buffer.from(csv))]
    expect(file.format).toEqual({ kind: 'xlsx', sheet: 'Folha 1 & <mês>' })
    const rows = await rowsIn(file)
    expect(rows.map(({ row, amountCents, cells }) => [row, amountCents, cells[3]])).toEqual([
      [2, 123_450, 'João'],
      [4, 1000, 'Ana "Bia"; Rui'],
      [5, 30, '2026-11-22'],
    ])
    const { fingerprint, totalCents } = await judgeBatchFile(file)
    expect(await judgeBatchFile(same)).toMatchObject({ fingerprint, totalCents, count: 3, faultCount: 0 })
  })

  it('reads the sheet that is named, and says which others there are', async () => {
    const bytes = await workbook([HEADER, ['ana@b.co', 1]], [HEADER, ['rui@b.co', 2]])
    expect((await read(bytes)).remarks).toEqual([
      'Only the first sheet Folha 1 & <mês> is read; the workbook also has Folha 2 & <mês>',
      "Sheets that have the same columns but are not read: Folha 2 & <mês>. Add `--sheet 'Folha 2 & <mês>'` to read that one instead",
    ])
    const second = await read(bytes, { sheet: 'folha 2 & <MÊS> ' })
    expect(second.remarks).toEqual([])
    expect((await rowsIn(second))[0]).toMatchObject({ key: 'rui@b.co', amountCents: 200 })
    await expect(read(bytes, { sheet: 'Folha 3' })).rejects.toMatchObject({
      message: 'The workbook has no sheet `Folha 3`',
      details: ['It has the sheet `Folha 1 & <mês>`', 'It has the sheet `Folha 2 & <mês>`'],
    })
    await expect(read(Buffer.from('key;value\nana@b.co;1'), { sheet: 'Folha' })).rejects.toThrow('is a CSV')
  })

  it.each<[what: string, cells: Cell[], column: string, message: RegExp]>([
    ['an id of more digits than a number keeps', ['ana@b.co', 1, 1_234_567_890_123_400_000], 'externalId', /shortened/],
    ['a CPF without its leading zero', [3_457_884_000, 1], 'key', /./],
    ['a date as an amount', ['ana@b.co', { value: new Date('2026-11-22'), format: 'dd/mm/yyyy' }], 'value', /./],
    ['an amount with three decimals', ['ana@b.co', 10.125], 'value', /./],
    ['white space around an id', ['ana@b.co', 1, ' a'], 'externalId', /white space/],
    ['a truth value as an amount', ['ana@b.co', true], 'value', /./],
    ['a cell beside the header', ['ana@b.co', 1, 'a', 'b', 'c'], '#5', /./],
  ])('has a fault in the row: %s', async (_, cells, column, message) => {
    expect(await faultsOf(cells)).toContainEqual([2, column, expect.stringMatching(message)])
  })

  it('is refused if a result or a part is missing, or if it is not a workbook', async () => {
    const refund = ['originalTransactionId', 'amount', 'refundReason']
    const bytes = await workbook([refund, ['6afeda52-03a4-40c3-b415-514ca40d0a47', 12.5, 'x']])
    const full = { isFull: true }
    for (const value of ['', '<v></v>', '<v/>']) {
      const broken = edited(bytes, (xml) => xml.replace('<v>12.5</v>', `<f>10+2.5</f>${value}`))
      await expect(read(broken, full, 'refund')).rejects.toThrow('formulas whose results were not saved')
    }
    const calculated = edited(bytes, (xml) => xml.replace('<v>12.5</v>', '<f>10+2.5</f><v>12.5</v>'))
    const [row] = await rowsIn(await read(calculated, full, 'refund'))
    expect(row?.amountCents).toBe(1250)
    await expect(read(zipSync({ 'mimetype.xml': strToU8('x') }))).rejects.toThrow('not an .xlsx workbook')
    await expect(read(bytes.subarray(0, 500))).rejects.toThrow('The workbook `-` cannot be read')
    const error = edited(bytes, (xml) => xml.replace('><v>12.5</v>', ' t="e"><v>#N/A</v>'))
    const { faults } = await judgeBatchFile(await read(error, full, 'refund'))
    expect(faults).toMatchObject([{ row: 2, column: 'amount', message: expect.stringContaining('#N/A') }])
  })

  it('is refused with the limit in the message if it is too large, packed or unpacked', async () => {
    const packed = Buffer.alloc(33 * 1024 * 1024)
    packed.write('PK\x03\x04', 'latin1')
    await expect(read(packed)).rejects.toThrow('larger than the limit of 32 MiB')
    // None is unpacked to more than the directory of the archive says.
    const bomb = Buffer.from(zipSync({ 'xl/workbook.xml': new Uint8Array(1024) }))
    const sizeAt = bomb.indexOf('PK\x01\x02', 0, 'latin1') + 24
    bomb.writeUInt32LE(256 * 1024 * 1024, sizeAt)
    await expect(read(bomb)).rejects.toThrow('another size than the archive says')
    bomb.writeUInt32LE(256 * 1024 * 1024 + 1, sizeAt)
    await expect(read(bomb)).rejects.toThrow('larger than the limit of 256 MiB')
  })
})

const RAW_HEADER = rawRow(1, ['key', 'value'])

it.each([
  ['0x10', null],
  ['0b11', null],
  ['0o17', null],
  ['Infinity', null],
  ['NaN', null],
  ['1E400', null],
  ['1.5E3', 150_000],
  ['1.0E-2', 1],
  ['1e1', 1000],
  ['.5', 50],
  ['10.', 1000],
  ['20.300000000000001', 2030],
])('a numeric cell that holds %s is an amount of %s cents', async (number, cents) => {
  const bytes = rawWorkbook({
    name: 'Folha',
    xml: `<sheetData>${RAW_HEADER}${rawRow(2, ['ana@b.co', { number }])}</sheetData>`,
  })
  const { count, totalCents, faults } = await judgeBatchFile(await read(bytes))
  expect([count === 1 ? totalCents : null, faults.map(({ column }) => column)]).toEqual(
    cents === null ? [null, ['value']] : [cents, []],
  )
})

it.each(['0x10', '1e3', '1E3', '0b11', '0o17', 'Infinity'])('a text cell that holds %s is no amount', async (text) => {
  const bytes = rawWorkbook({
    name: 'Folha',
    xml: `<sheetData>${RAW_HEADER}${rawRow(2, ['ana@b.co', text])}</sheetData>`,
  })
  expect(await judgeBatchFile(await read(bytes))).toMatchObject({ count: 0, faults: [{ column: 'value' }] })
  expect(await judgeBatchFile(await read(Buffer.from(`key;value\nana@b.co;${text}\n`)))).toMatchObject({ count: 0 })
})
