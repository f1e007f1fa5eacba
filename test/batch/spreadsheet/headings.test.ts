import { expect, it } from 'vitest'
import { readExpectations } from '../../../src/reconcile/expectationList.ts'
import { readStatementTable } from '../../../src/reconcile/statementFile.ts'
import { readPayeeFile } from '../../../src/steps/payeeBook.ts'
import { input } from '../../reconcile/input.ts'
import { rowsOf } from './csvFiles.ts'

const ORIGINAL = '3c0a6b1e-8f52-4d7a-9c44-1b2e3f405162'

it.each(['Amount', 'AMOUNT (R$)', 'Value', 'Valor:', 'Montante', 'montante (R$)', 'Quantia'])(
  'the heading %s is a word for the amount in files of transfers and refunds, and in statements, but not in a list of expectations',
  async (word) => {
    expect(await rowsOf(`Chave PIX;${word}\na@b.co;10,50\n`)).toMatchObject([{ amountCents: 1050 }])
    expect(await rowsOf(`ID da transação;Motivo;${word}\n${ORIGINAL};x;10,50\n`, 'refund')).toMatchObject([
      { amountCents: 1050 },
    ])
    const statement = input(Buffer.from(`Data;${word}\n28/11/2026;-10,50\n`))
    expect(await readStatementTable(statement, new Map())).toMatchObject({ faults: [], lines: [{ amountCents: 1050 }] })
    const list = await readExpectations(input(Buffer.from(`idTransaction;${word}\na;10,50\n`)), null)
    // Its own names are known in any case.
    const isName = word === 'Amount'
    expect([list.unused, list.expectations[0]?.amountCents]).toEqual(isName ? [[], 1050] : [[word], null])
  },
)

it.each(['Valor pago', 'Valor líquido', 'Total (R$)'])(
  'the heading %s is a guess, good enough for statements only',
  async (heading) => {
    const statement = input(Buffer.from(`Data;${heading}\n28/11/2026;-10,50\n`))
    expect(await readStatementTable(statement, new Map())).toMatchObject({ lines: [{ amountCents: 1050 }] })
    await expect(rowsOf(`Chave PIX;${heading}\na@b.co;10,50\n`)).rejects.toThrow('The header has no column `value`')
    await expect(rowsOf(`ID da transação;Motivo;${heading}\n${ORIGINAL};x;10,50\n`, 'refund')).rejects.toThrow(
      `The column \`${heading}\` holds amounts, but it is not used`,
    )
  },
)

it.each([
  ['Apelido', 'Chave', 'keyType'],
  ['Payee name', 'Pix Key', 'Tipo de chave'],
  ['Favorecido cadastrado', 'Chave do Pix', 'Tipo'],
])(
  'the headings %s, %s and %s are words for a payee, a key and its type wherever these are read',
  async (payee, key, type) => {
    const { rows, faults } = await readPayeeFile(input(Buffer.from(`${payee};${key};${type}\nana;52998224725;CPF\n`)))
    expect([rows.map(({ name, key: read }) => [name, read]), faults]).toEqual([[['ana', '52998224725']], []])
    expect(await rowsOf(`${payee};${key};${type};Valor\n;52998224725;CPF;1,00\n`)).toMatchObject([
      { key: '52998224725', payee: null },
    ])
  },
)

it('two words for one thing are unclear where money is sent', async () => {
  await expect(rowsOf('Chave PIX;Valor;Quantia\na@b.co;10,50;3\n')).rejects.toThrow(
    'Several columns could be `value`: `Valor`, `Quantia`',
  )
  const statement = input(Buffer.from('Data;Quantia;Valor\n28/11/2026;3;-10,50\n'))
  expect(await readStatementTable(statement, new Map())).toMatchObject({ lines: [{ amountCents: 1050 }] })
})
