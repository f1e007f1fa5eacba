import { strToU8 } from 'fflate'
import { expect, it } from 'vitest'
import { judgeBatchFile, readBatchFile } from '../../../src/batch/batchFile.ts'
import { bytesOf, readContent } from '../../../src/spreadsheet/fileContent.ts'
import { rowsIn } from './csvFiles.ts'
import { formattedWorkbook, type StyledCell } from './formattedWorkbook.ts'
import { SHOWN_ROWS, UNUSUAL_FORMS } from './unusualForms.ts'

async function judge(rows: readonly (readonly StyledCell[])[], sheetXml = '') {
  const bytes = formattedWorkbook([['key', 'value', 'documentValidation', 'Obs'], ...rows], sheetXml)
  const file = await readBatchFile(bytes, 'transfer', { reference: 'folha' })
  return { ...(await judgeBatchFile(file)), file }
}

const PHONE = '\\(00\\)\\ 00000\\-0000'
/** An accounting format as Brazilian spreadsheets write it. */
const ACCOUNTING = '_-"R$"* #,##0.00_-;-"R$"* #,##0.00_-;_-"R$"* "-"??_-;_-@_-'

/** What a person reads on the screen, as two programs showed it; null if that is what the cell holds. */
const SHOWN: readonly [held: string, format: string, shown: string | null][] = [
  ['90000', '"1,00"', '1,00'],
  ['90000', '0,', '90'],
  ['90000', '0.00,,', '0,09'],
  ['90000', ';;;', ''],
  ['90000', '[>100]"12,00"', '12,00'],
  ['90000', '-0.00', '-90000,00'],
  ['90000', '(0.00)', '(90000,00)'],
  ['90000', '0.00-', '90000,00-'],
  ['90000', '0%', '9000000%'],
  ['90000', '0.00E+00', '9,00E+04'],
  ['9000', '0\\,00', '90,00'],
  ['9000', '0","00', '90,00'],
  ['9000', '0\\.000', '9.000'],
  ['90', '0.0"0"', '90,00'],
  ['90', '0.00"9"', '90,009'],
  ['90', '0" mil"', '90 mil'],
  ['90', '[$US$-409]#,##0.00', 'US$90,00'],
  ['90', '[$€-2]\\ #,##0.00', '€ 90,00'],
  ['90', '"x"General', 'x90'],
  ['1234.56', '#,##0', '1.235'],
  ['10.5', '0', '11'],
  ['10.5', '# ?/?', '10 1/2'],
  ['10.125', '0.00', '10,13'],
  ['0.5', '[<1]"isento";0.00', 'isento'],
  ['90000', '[<100000]"12,00";0.00', '12,00'],
  ['90000', '[>=100000]0.0,"K";0.00', null],
  ['90000', '#,##0.00', null],
  ['10.5', ACCOUNTING, null],
  ['10.5', '[$R$-416]\\ #,##0.00;[Red]\\-[$R$-416]\\ #,##0.00', null],
  ['10.5', 'R$ #,##0.00', null],
  ['10.5', '0.00" reais"', null],
  ['10.5', '#,##0.00;#,##0.00', null],
  ['10.5', '0.00;;', null],
  ['10.5', '@', null],
  ['90', '00000', null],
  ['17.349999999999998', '0.00', null],
  ['17.349999999999998', 'General', null],
]

it('refuses an amount that its number format does not show, with cell, text and value', async () => {
  const held = (value: string) => value.replace('17.349999999999998', '17.35')
  const rows = SHOWN.map(([number, format], place): StyledCell[] => [`p${place}@example.com`, { number, format }])
  const { faults, totalCents, count } = await judge(rows)
  const expected = SHOWN.flatMap(([number, , shown], place) => {
    if (shown === null) return []
    const what = shown === '' ? 'shows nothing' : `shows \`${shown}\``
    const message = `The cell \`B${place + 2}\` ${what}, but holds \`${held(number).replace('.', ',')}\`. Change its number format, or type what is meant`
    return [{ row: place + 2, line: place + 2, column: 'value', message }]
  })
  expect(faults).toEqual(expected)
  const shownAsHeld = SHOWN.filter(([, , shown]) => shown === null)
  const sum = shownAsHeld.reduce((cents, [number]) => cents + Math.round(Number(held(number)) * 100), 0)
  expect([count, totalCents]).toEqual([shownAsHeld.length, sum])
})

it('refuses a number with more than two decimals as one', async () => {
  const { faults } = await judge([
    ['a@b.co', { number: '10.005' }],
    ['c@b.co', { number: '0.1234', format: '0.0000' }],
  ])
  expect(faults.map(({ message }) => message)).toEqual([
    'The cell `B2` holds `10,005`, which has more than two decimals. Round it in the spreadsheet',
    'The cell `B3` holds `0,1234`, which has more than two decimals. Round it in the spreadsheet',
  ])
})

it('refuses a key, an owner and a text that their formats do not show', async () => {
  const { faults } = await judge([
    [{ text: 'a@b.co', format: ';;;' }, '1,00'],
    [{ text: 'a@b.co', format: '"c@d.co"@' }, '1,00'],
    [{ text: 'a@b.co', format: '0;0;0;"c@d.co"' }, '1,00'],
    [{ number: '52998224725', format: '"11144477735"' }, '1,00'],
    ['a@b.co', '1,00', { number: '52998224725', format: ';;;' }],
    ['a@b.co', { text: '1,00', format: '0;0;0;"2,00"' }],
  ])
  const shown = (text: string) => expect.stringMatching(new RegExp(`^The cell ${text}\\. Change its number format`))
  expect(faults.map(({ column, message }) => [column, message])).toEqual([
    ['key', shown('`A2` shows nothing, but holds `a@b.co`')],
    ['key', shown('`A3` shows `c@d.coa@b.co`, but holds `a@b.co`')],
    ['key', shown('`A4` shows `c@d.co`, but holds `a@b.co`')],
    ['key', shown('`A5` shows `11144477735`, but holds `52998224725`')],
    ['documentValidation', shown('`C6` shows nothing, but holds `52998224725`')],
    ['value', shown('`B7` shows `2,00`, but holds `1,00`')],
  ])
})

it('reads documents and telephone numbers with the punctuation and the zeros that their formats show', async () => {
  const { faults, count, file } = await judge([
    [{ number: '1234567890', format: '000\\.000\\.000\\-00' }, { number: '1' }],
    [{ number: '11987654321', format: PHONE }, { number: '2' }],
    ['a@b.co', { number: '3' }, { number: '11222333000181', format: '00\\.000\\.000\\/0000\\-00' }],
  ])
  expect([count, faults]).toEqual([3, []])
  expect(await rowsIn(file)).toMatchObject([
    { key: '01234567890' },
    { key: '11987654321' },
    { documentValidation: '11222333000181' },
  ])
})

it('carries what a column shows that is not sent', async () => {
  const { file, count } = await judge([
    ['a@b.co', { number: '1' }, '', { number: '45000', format: '"a conferir"' }],
    ['c@b.co', { number: '1' }, '', { number: '0', format: '[=0]"aberto";0' }],
    ['d@b.co', { number: '1' }, '', { number: '0.123', format: '0%' }],
  ])
  expect(count).toBe(3)
  expect((await rowsIn(file)).map(({ cells }) => cells[3])).toEqual(['a conferir', 'aberto', '12%'])
})

it('does not let a format of a style beneath lie either', async () => {
  const styles = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts><numFmt numFmtId="2" formatCode="&quot;1,00&quot;"/></numFmts><cellStyleXfs><xf numFmtId="2"/></cellStyleXfs><cellXfs><xf xfId="0"/></cellXfs></styleSheet>`
  const bytes = formattedWorkbook(
    [
      ['key', 'value'],
      ['a@b.co', { number: '90000', style: 0 }],
    ],
    '',
    {
      'xl/styles.xml': strToU8(styles),
    },
  )
  const { faults } = await judgeBatchFile(await readBatchFile(bytes, 'transfer', { reference: 'folha' }))
  expect(faults).toMatchObject([{ message: expect.stringContaining('shows `1,00`, but holds `90000`') }])
})

it.each(UNUSUAL_FORMS)('a workbook with %s is read as it is shown', async (_, bytes) => {
  const interrupt = new AbortController().signal
  const content = await readContent(bytesOf(bytes), { name: 'w.xlsx', interrupt, isKnown: () => true })
  const rows = []
  for await (const record of content.records()) if ('cells' in record) rows.push(record.cells)
  expect(rows).toEqual(SHOWN_ROWS)
})
