import { expect, it } from 'vitest'
import { expectationsOf, ID_LIST } from '../../src/reconcile/expectations.ts'
import { matchStatement, STATEMENT } from '../../src/reconcile/statement.ts'
import { readTableFile } from '../../src/reconcile/tableFile.ts'
import { rawRow, rawWorkbook } from '../batch/spreadsheet/rawWorkbook.ts'

it('reads the lines of a statement with their signs, days and statuses', async () => {
  const text = 'Data;Identificador;Valor (R$);Situação\n21/11/2026;a;-1.234,56;Pago\n2026-11-22T01:00:00Z;b;(0,10);\n'
  expect(await readTableFile(Buffer.from(text, 'utf16le'), STATEMENT, new Map())).toMatchObject({
    faults: [],
    recognised: ['id=Identificador', 'amount=Valor (R$)', 'status=Situação', 'date=Data'],
    lines: [
      { line: 2, id: 'a', amountCents: 123_456, direction: 'debit', status: 'Pago', day: '2026-11-21', batchRow: null },
      { line: 3, id: 'b', amountCents: 10, direction: 'debit', status: null, day: '2026-11-21', batchRow: null },
    ],
  })
})

it('reads the first sheet of a workbook', async () => {
  const rows = rawRow(1, ['Identificador', 'Valor']) + rawRow(2, ['a', { number: '-10.5' }])
  const workbook = rawWorkbook({ name: 'Extrato', xml: `<sheetData>${rows}</sheetData>` })
  expect(await readTableFile(workbook, STATEMENT, new Map())).toMatchObject({
    faults: [],
    lines: [{ line: 2, id: 'a', amountCents: 1050, direction: 'debit' }],
  })
})

it('leaves a line without an id unmatched', async () => {
  const line = { line: 2, id: null, amountCents: 1050, direction: null, status: null, day: null, batchRow: null }
  const named = () => Promise.reject(new Error('no id was asked for'))
  expect(await matchStatement([line], { named, async *all() {} })).toEqual([
    { payment: null, line, verdict: 'only-there', differences: [] },
  ])
})

it('expects only final statuses of the results of a batch, and names rows that have no id', async () => {
  const text = [
    'line,amount,externalId,idTransaction,outcome,status,sentAt',
    '2,10.00,x-1,id-1,accepted,PAID_OUT,',
    '3,10.00,x-2,,not-sent,PROCESSING,',
    '4,10.00,,,not-sent,,',
  ].join('\n')
  const file = await readTableFile(Buffer.from(text), ID_LIST, new Map())
  const row = { amountCents: 1000, direction: null, isJudged: true }
  expect([file.unused, expectationsOf(file, null)]).toEqual([
    [],
    {
      withoutId: [4],
      expectations: [
        { ...row, idTransaction: 'id-1', status: 'PAID_OUT', isLocal: false, outcome: 'accepted' },
        { ...row, idTransaction: 'x-2', status: null, isLocal: true, outcome: 'not-sent' },
      ],
    },
  ])
})
