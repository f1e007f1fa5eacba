import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ResultsMode, type RowResult, resultLine, resultsHeader } from '../../../src/money/batch/resultsCsv.ts'
import { rowsOf } from './csvFiles.ts'

const RESULT: RowResult = {
  line: 2,
  cells: ['a@b.co', '1,50', ''],
  externalId: 'folha-0000000000000000',
  idTransaction: 'c2b7',
  outcome: 'refused',
  status: null,
  errorCode: 'NO_FUNDS',
  message: 'Saldo; "baixo"',
  sentAt: '2026-11-21T20:00:00.000Z',
}

function excel(cell: string): string | undefined {
  const line = resultLine({ ...RESULT, cells: [cell] }, 'excel')
  const records: string[][] = parse(line, { delimiter: ';' })
  return records[0]?.[1]
}

describe('lossless results', () => {
  it('are the line, the columns of the input, and what became of the row', () => {
    expect(resultsHeader(['key', 'value', 'nome'], 'lossless')).toBe(
      'line,key,value,nome,externalId,idTransaction,outcome,status,errorCode,message,sentAt\n',
    )
    expect(resultLine(RESULT, 'lossless')).toBe(
      '2,a@b.co,"1,50",,folha-0000000000000000,c2b7,refused,,NO_FUNDS,"Saldo; ""baixo""",2026-11-21T20:00:00.000Z\n',
    )
  })

  it('give every cell back', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', '=', ';') })), (cells) => {
        const records: string[][] = parse(resultLine({ ...RESULT, cells }, 'lossless'))
        expect(records.map((record) => record.slice(1, -7))).toEqual([cells])
      }),
    )
  })

  it('have no name twice and can be sent again', async () => {
    const columns = ['key', 'value', 'externalId', 'Status', 'input.line', 'line', '', '']
    const header = resultsHeader(columns, 'lossless')
    expect(header).toMatch(
      /^line,key,value,input\.externalId,input\.Status,input\.line,input\.input\.line,,,externalId,/,
    )
    const line = resultLine({ ...RESULT, cells: ['a@b.co', '1', '', '', '', '7', '', ''] }, 'lossless')
    expect(await rowsOf(header + line)).toMatchObject([{ key: 'a@b.co', id: 'folha-0000000000000000' }])
  })
})

describe('results for Excel', () => {
  it('have a mark, semicolons and Windows line ends', () => {
    expect(resultsHeader(['key'], 'excel')).toBe(
      '\ufeff"line";"key";"externalId";"idTransaction";"outcome";"status";"errorCode";"message";"sentAt"\r\n',
    )
    expect(resultLine(RESULT, 'excel')).toMatch(/^"2";"a@b\.co";"1,50";"";.*;"Saldo; ""baixo"""/)
  })

  it.each([
    ['=1+1', "'=1+1"],
    ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['+A1', "'+A1"],
    ['\t=1', "'\t=1"],
    ['\r=1', "'\r=1"],
    ['52998224725', '52998224725'],
    ['00123', '="00123"'],
    ['00000000000191', '="00000000000191"'],
    ['123456789012', '="123456789012"'],
    ['+5511987654321', '="+5511987654321"'],
    ['10-11', '="10-11"'],
    ['1E5', '="1E5"'],
    ['12e34567-89', '="12e34567-89"'],
    ['10.50', '="10.50"'],
    ['1.234,56', '="1.234,56"'],
    ['10,50', '10,50'],
    ['0', '0'],
    ['João "Z"; x', 'João "Z"; x'],
    ['1"&A1&"', '1"&A1&"'],
    ['9'.repeat(300), `'${'9'.repeat(300)}`],
  ])('write %j as %j', (cell, shown) => {
    expect(excel(cell)).toBe(shown)
  })

  it('never begin a cell with what Excel would run', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '"', '1', '0', 'A', ';', "'", '\n', ' ', 'E'),
        }),
        fc.constantFrom<ResultsMode>('excel'),
        (cell, mode) => {
          const records: string[][] = parse(resultLine({ ...RESULT, cells: [], message: cell }, mode), {
            delimiter: ';',
          })
          expect(records).toHaveLength(1)
          expect(records[0]?.[6]).toMatch(/^(?![=+\-@\t\r\n])|^="[\d+.,:/eE-]*"$/)
        },
      ),
    )
  })
})
