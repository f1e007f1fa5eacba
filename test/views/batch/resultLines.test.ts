import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RowResult } from '../../../src/batch/rowResults.ts'
import { type ResultsMode, resultLines, resultsHeader } from '../../../src/views/batch/rowFields.ts'
import { rowsOf } from '../../batch/spreadsheet/csvFiles.ts'

const RESULT: RowResult = {
  line: 2,
  cells: ['a@b.co', '1,50', ''],
  typedName: null,
  names: { inFile: null, inEvent: null, differ: null },
  facts: {
    kind: 'transfer',
    key: 'a@b.co',
    keyType: 'email',
    amountCents: 150,
    documentValidation: null,
    callbackUrl: 'http://127.0.0.1:1/',
    payee: null,
    payeeDisplayName: null,
  },
  amountCents: 150,
  state: 'refused',
  shownState: 'refused',
  isLeftOut: false,
  isFromElsewhere: false,
  plannedBy: null,
  externalId: 'folha-0000000000000000',
  idTransaction: 'c2b7',
  outcome: 'refused',
  status: null,
  errorCode: 'NO_FUNDS',
  message: () => 'Saldo; "baixo"',
  sentMs: Date.parse('2026-11-21T20:00:00.000Z'),
  writer: { user: 'maria', machine: 'desk-1' },
}

const FIELDS = { key: 0, value: 1 }

function excel(cell: string): string | undefined {
  const line = resultLines([{ ...RESULT, cells: [cell] }], {}, 'excel')
  const records: string[][] = parse(line, { delimiter: ';' })
  return records[0]?.[1]
}

describe('lossless results', () => {
  it('are the line, the columns of the input, and the result of the row', () => {
    expect(resultsHeader(['key', 'value', 'nome'], 'lossless')).toBe(
      'line,key,value,nome,externalId,idTransaction,outcome,status,errorCode,message,sentAt\n',
    )
    expect(resultLines([RESULT], FIELDS, 'lossless')).toBe(
      '2,a@b.co,"1,50",,folha-0000000000000000,c2b7,refused,,NO_FUNDS,"Saldo; ""baixo""",2026-11-21T20:00:00.000Z\n',
    )
  })

  it('give every cell back', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', '=', ';') })), (cells) => {
        const records: string[][] = parse(resultLines([{ ...RESULT, cells }], FIELDS, 'lossless'))
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
    const line = resultLines([{ ...RESULT, cells: ['a@b.co', '1', '', '', '', '7', '', ''] }], FIELDS, 'lossless')
    expect(await rowsOf(header + line)).toMatchObject([{ key: 'a@b.co', rowId: 'folha-0000000000000000' }])
  })
})

describe('results for Excel', () => {
  it('have a mark, semicolons and Windows line ends', () => {
    expect(resultsHeader(['key'], 'excel')).toBe(
      '\ufeff"line";"key";"externalId";"idTransaction";"outcome";"status";"errorCode";"message";"sentAt"\r\n',
    )
    expect(resultLines([RESULT], FIELDS, 'excel')).toBe(
      '"2";"a@b.co";"1,50";"";"folha-0000000000000000";"c2b7";"refused";"";"NO_FUNDS";"Saldo; ""baixo""";"21/11/2026 17:00:00"\r\n',
    )
  })

  it.each([
    ['=1+1', "'=1+1"],
    ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['+A1', "'+A1"],
    ['\t=1', "'\t'=1"],
    ['\r=1', "'\r'=1"],
    ['52998224725', '52998224725'],
    ['00123', '="00123"'],
    ['00000000000191', '="00000000000191"'],
    ['123456789012', '="123456789012"'],
    ['+5511987654321', '="+5511987654321"'],
    ['10-11', '="10-11"'],
    ['1E5', '="1E5"'],
    ['12e34567-89', '="12e34567-89"'],
    ['10.50', '10,50'],
    ['R$ 1.234,56', '1234,56'],
    ['1.234,56', '1234,56'],
    ['21/11/2026', '21/11/2026'],
    ['10,50', '10,50'],
    ['0', '0'],
    ['João "Z"; x', 'João "Z"; x'],
    ['1"&A1&"', '1"&A1&"'],
    ['9'.repeat(300), `'${'9'.repeat(300)}`],
  ])('write %j as %j', (cell, shown) => {
    expect(excel(cell)).toBe(shown)
  })

  it('have the amounts as numbers with a decimal comma, and only ids and keys as text', () => {
    const cells = ['52998224725', 'R$ 1.234,5', '2026-11-21', '7,00']
    const facts = { ...RESULT.facts, kind: 'transfer', amountCents: 123_450 } as RowResult['facts']
    const result = { ...RESULT, cells, facts, externalId: '0042', outcome: 'accepted', message: () => null } as const
    const line = resultLines([result], FIELDS, 'excel')
    const [record]: string[][] = parse(line, { delimiter: ';' })
    expect(record?.slice(0, 6)).toEqual(['2', '="52998224725"', '1234,50', '2026-11-21', '7,00', '="0042"'])
  })

  it('never begin a cell with a formula', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '"', '1', '0', 'A', ';', "'", '\n', ' ', 'E'),
        }),
        fc.constantFrom<ResultsMode>('excel'),
        (cell, mode) => {
          const records: string[][] = parse(
            resultLines([{ ...RESULT, cells: [], message: () => cell }], FIELDS, mode),
            {
              delimiter: ';',
            },
          )
          expect(records).toHaveLength(1)
          expect(records[0]?.[6]).toMatch(/^(?![=+\-@\t\r\n])|^-$|^="[\d+.,:/eE-]*"$/)
        },
      ),
    )
  })
})
