import { describe, expect, it } from 'vitest'
import { type BatchFileOptions, type BatchKind, judgeBatchFile, readBatchFile } from '../../../src/batch/batchFile.ts'
import { MAIN, rawRow, rawWorkbook } from './rawWorkbook.ts'

const HEADER = rawRow(1, ['key', 'value', 'nome', 'callbackUrl'])
const ANA = rawRow(2, ['ana@b.co', { number: '10.5' }, 'Ana'])

/** A sheet with Ana in row 2, Bia (R$ 20,00) in row 3 as given, and Caio (R$ 900,00) in row 4. */
function sheet(bia: string, before = '') {
  const caio = rawRow(4, ['caio@b.co', { number: '900' }, 'Caio'])
  return rawWorkbook({ name: 'Folha', xml: `${before}<sheetData>${HEADER}${ANA}${bia}${caio}</sheetData>` })
}

function bia(attributes: string): string {
  return rawRow(3, ['bia@b.co', { number: '20' }, 'Bia'], attributes)
}

async function judge(bytes: Uint8Array, options: BatchFileOptions = {}, kind: BatchKind = 'transfer') {
  const file = await readBatchFile(bytes, kind, { reference: 'folha', ...options })
  const { count, totalCents, faults, hidden } = await judgeBatchFile(file)
  return { count, totalCents, faults, hidden }
}

describe('a hidden row', () => {
  it.each([
    ['is marked', bia('hidden="1"'), ''],
    ['is marked in words', bia('hidden="true"'), ''],
    ['is marked with a reference to a character', bia('hidden="&#49;"'), ''],
    ['is marked in single quotes, after another attribute with an angle bracket', bia(`x="a>b" hidden='1'`), ''],
    ['is filtered out', bia('hidden="1"'), '<sheetFormatPr defaultRowHeight="15"/>'],
    ['is in a collapsed group', bia('outlineLevel="1" hidden="1"'), ''],
    ['has no height', bia('ht="0" customHeight="1"'), ''],
    ['has a height that shows nothing', bia('ht="0.5"'), ''],
    ['follows a comment that looks like a row', `<!-- <row r="3"> -->${bia('hidden="1"')}`, ''],
    ['has no number of its own', bia('hidden="1"').replace(' r="3"', ''), ''],
    [
      'has a namespace prefix',
      bia('hidden="1"').replace('<row', `<x:row xmlns:x="${MAIN}"`).replace('</row', '</x:row'),
      '',
    ],
  ])('stops the file, or is sent or left out as requested, if it %s', async (_, row, before) => {
    const bytes = sheet(row, before)
    await expect(judge(bytes)).rejects.toMatchObject({
      message: 'The workbook has 1 hidden row, R$ 20,00',
      details: ['Row 3', 'Nothing was sent'],
    })
    expect(await judge(bytes, { hidden: 'include' })).toMatchObject({ count: 3, totalCents: 93_050 })
    expect(await judge(bytes, { hidden: 'skip' })).toMatchObject({
      count: 2,
      totalCents: 91_050,
      hidden: { rows: 1, cents: 2000, isLeftOut: true },
    })
  })

  it.each([
    ['only rows without cells are hidden', bia(''), '<sheetFormatPr defaultRowHeight="15" zeroHeight="1"/>'],
    ['the mark says no', bia('hidden="0"'), ''],
    ['it is the summary of a collapsed group', bia('collapsed="1"'), ''],
    ['it is in a comment', `${bia('')}<!-- <row r="3" hidden="1"/> -->`, ''],
    ['only a column without cells is hidden', bia(''), '<cols><col min="9" max="9" hidden="1"/></cols>'],
  ])('is none if %s', async (_, row, before) => {
    expect(await judge(sheet(row, before))).toMatchObject({ count: 3, hidden: { rows: 0, columns: [] } })
  })

  it('counts only if it holds a payment, with the sum of the amounts that can be read', async () => {
    const bytes = rawWorkbook({
      name: 'Folha',
      xml: `<sheetData>${HEADER}${ANA}${rawRow(3, ['bia@b.co', 'ten'], 'hidden="1"')}${rawRow(4, ['', 'R$ 7,00'], 'hidden="1"')}${rawRow(5, ['', '', ''], 'hidden="1"')}</sheetData>`,
    })
    await expect(judge(bytes)).rejects.toMatchObject({
      message: 'The workbook has 2 hidden rows, R$ 7,00 and 1 without an amount',
      details: ['Rows 3, 4', 'Nothing was sent'],
    })
    const note = rawWorkbook({
      name: 'Folha',
      xml: `<sheetData>${HEADER}${ANA}${rawRow(3, ['', '', 'feriado'], 'hidden="1"')}</sheetData>`,
    })
    const message = expect.stringMatching(/^In a hidden row: /)
    expect(await judge(note)).toMatchObject({
      count: 1,
      faults: [
        { row: 3, message },
        { row: 3, message },
      ],
    })
    expect(await judge(note, { hidden: 'skip' })).toMatchObject({ count: 1, faults: [], hidden: { rows: 0 } })
  })

  it('of a refund without an amount is named as one', async () => {
    const header = rawRow(1, ['originalTransactionId', 'amount', 'refundReason'])
    const row = rawRow(2, ['6afeda52-03a4-40c3-b415-514ca40d0a47', '', 'x'], 'hidden="1"')
    const bytes = rawWorkbook({ name: 'Folha', xml: `<sheetData>${header}${row}</sheetData>` })
    await expect(judge(bytes, { isFull: true }, 'refund')).rejects.toThrow(
      /^The workbook has 1 hidden row, without an amount$/,
    )
  })

  it('is named with the first others if there are many', async () => {
    const rows = Array.from({ length: 12 }, (_, index) =>
      rawRow(index + 2, [`p${index}@b.co`, { number: '1' }], 'hidden="1"'),
    )
    const bytes = rawWorkbook({ name: 'Folha', xml: `<sheetData>${HEADER}${rows.join('')}</sheetData>` })
    await expect(judge(bytes)).rejects.toMatchObject({
      message: 'The workbook has 12 hidden rows, R$ 12,00',
      details: ['Rows 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more', 'Nothing was sent'],
    })
  })
})

describe('a hidden column', () => {
  it.each([
    ['is marked', '<cols><col min="2" max="2" hidden="1"/></cols>'],
    [
      'is in a range that is marked',
      '<cols><col min="1" max="1" width="9"/><col min="2" max="3" hidden="true"/></cols>',
    ],
    ['has no width', '<cols><col min="2" max="2" width="0" customWidth="1"/></cols>'],
    ['has no width of its own', '<sheetFormatPr defaultColWidth="0"/><cols><col min="1" max="1" width="9"/></cols>'],
  ])('stops the file until it is included, if it is sent and %s', async (_, before) => {
    const bytes = sheet(bia(''), before)
    const stopped = { message: 'The column `value` is hidden, but its cells would be sent' }
    await expect(judge(bytes)).rejects.toMatchObject(stopped)
    await expect(judge(bytes, { hidden: 'skip' })).rejects.toMatchObject(stopped)
    expect(await judge(bytes, { hidden: 'include' })).toMatchObject({ count: 3, hidden: { columns: ['value'] } })
  })

  it('may be there if it is not sent, or empty in what is sent', async () => {
    const columns = '<cols><col min="3" max="4" hidden="1"/></cols>'
    expect(await judge(sheet(bia(''), columns))).toMatchObject({ count: 3, hidden: { columns: [] } })
    const called = rawRow(3, ['bia@b.co', { number: '20' }, '', 'https://shop.example.com/pix'])
    const bytes = sheet(called, columns)
    await expect(judge(bytes)).rejects.toThrow('`callbackUrl` is hidden')
    const both = sheet(called.replace('<row ', '<row hidden="1" '), columns)
    await expect(judge(both)).rejects.toThrow('1 hidden row, R$ 20,00')
    expect(await judge(both, { hidden: 'skip' })).toMatchObject({ count: 2, hidden: { columns: [] } })
  })
})

describe('a hidden sheet', () => {
  const data = `<sheetData>${HEADER}${ANA}</sheetData>`

  it.each(['hidden', 'veryHidden'])('is read only if it is named: %s', async (state) => {
    const bytes = rawWorkbook({ name: 'Notas', xml: '<sheetData/>', state }, { name: 'Folha', xml: data })
    const file = await readBatchFile(bytes, 'transfer', { reference: 'folha' })
    expect(file.format).toEqual({ kind: 'xlsx', sheet: 'Folha' })
    expect(file.remarks).toEqual(['Only the sheet Folha is read; the workbook also has Notas (hidden)'])
    const hidden = rawWorkbook({ name: 'Folha', xml: '<sheetData/>' }, { name: 'A &amp; B', xml: data, state })
    expect(await judge(hidden, { sheet: 'A & B' })).toMatchObject({ count: 1, totalCents: 1050 })
    await expect(judge(rawWorkbook({ name: 'Folha', xml: data, state }))).rejects.toMatchObject({
      message: 'All sheets of the workbook are hidden',
      details: ['It has the hidden sheet `Folha`'],
    })
  })
})

describe('a cell below merged ones', () => {
  const merged = (...ranges: string[]) =>
    rawWorkbook({
      name: 'Folha',
      xml: `<sheetData>${HEADER}${ANA}${bia('')}</sheetData><mergeCells>${ranges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`,
    })

  it('is as hidden as a hidden row if nothing else is in its row', async () => {
    const bytes = merged('A2:A3', 'B2:B3', 'C2:C3')
    await expect(judge(bytes)).rejects.toMatchObject({
      message: 'The workbook has 1 hidden row, R$ 20,00',
      details: [
        'Row 3',
        '`A3` is not shown, because it is below the merged cells `A2:A3`; it holds `bia@b.co`',
        '`B3` is not shown, because it is below the merged cells `B2:B3`; it holds `20`',
        'Nothing was sent',
      ],
    })
    expect(await judge(bytes, { hidden: 'include' })).toMatchObject({ count: 2, totalCents: 3050 })
    expect(await judge(bytes, { hidden: 'skip' })).toMatchObject({ count: 1, totalCents: 1050, hidden: { rows: 1 } })
  })

  it.each([
    ['of an amount', ['B2:B3'], 'One cell is below merged cells and is not shown, but would be sent'],
    [
      'of a key and an amount',
      ['B3:B2', 'A2:A3'],
      '2 cells are below merged cells and are not shown, but would be sent',
    ],
    ['of several columns', ['A2:B3', 'A9:C9'], '3 cells are below merged cells and are not shown, but would be sent'],
    ['beside the first', ['A3:B3'], 'One cell is below merged cells and is not shown, but would be sent'],
  ])('%s stops the file until it is included', async (_, ranges, message) => {
    const bytes = merged(...ranges)
    for (const hidden of ['stop', 'skip'] as const) {
      await expect(judge(bytes, { hidden })).rejects.toMatchObject({
        message,
        hint: expect.stringContaining('--include-hidden'),
      })
    }
    expect(await judge(bytes, { hidden: 'include' })).toMatchObject({ count: 2, totalCents: 3050 })
  })

  it.each([
    ['only names are merged', ['C2:C3']],
    ['only cells without values are merged', ['A7:C9', 'D2:D3', 'A1:A1']],
  ])('is none if %s', async (_, ranges) => {
    expect(await judge(merged(...ranges))).toMatchObject({ count: 2, hidden: { rows: 0 } })
  })

  it.each([
    ['a state', 'Pago?', 'sim', ['Pago?=']],
    ['a state, whatever else is left out', 'Situação', 'PAGO', ['Situação!=PAGO']],
    ['a day', 'Data de pagamento', '05/11/2026', ['Data de pagamento=']],
  ])('shows %s of merged cells in each of their rows', async (_, heading, mark, only) => {
    const rows = ['ana@b.co', 'bia@b.co', 'caio@b.co'].map((key, index) =>
      rawRow(index + 2, [key, { number: '10' }, '', 'https://a.b/c', index === 0 ? mark : '']),
    )
    const header = rawRow(1, ['key', 'value', 'nome', 'callbackUrl', heading])
    const xml = `<sheetData>${header}${rows.join('')}</sheetData><mergeCells><mergeCell ref="E2:E3"/></mergeCells>`
    const bytes = rawWorkbook({ name: 'Folha', xml })
    await expect(judge(bytes)).rejects.toMatchObject({
      code: 'FILE_MARKS',
      message: expect.stringMatching(/ 2 rows .*R\$ 20,00/),
    })
    expect(await judge(bytes, { marks: { only } })).toMatchObject({ count: 1, totalCents: 1000 })
  })
})
