import { describe, expect, it } from 'vitest'
import { readExpectations } from '../../../src/reconcile/expectationList.ts'
import { readStatementTable } from '../../../src/reconcile/statementFile.ts'
import { readPayeeFile } from '../../../src/steps/payeeFile.ts'
import { input } from '../../reconcile/input.ts'
import { faultsOf, rowsOf } from './csvFiles.ts'

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

it.each(['Valor pago', 'Total (R$)'])('the heading %s is a guess, good enough for statements only', async (heading) => {
  const statement = input(Buffer.from(`Data;${heading}\n28/11/2026;-10,50\n`))
  expect(await readStatementTable(statement, new Map())).toMatchObject({ lines: [{ amountCents: 1050 }] })
  await expect(rowsOf(`Chave PIX;${heading}\na@b.co;10,50\n`)).rejects.toThrow('The header has no column `value`')
  await expect(rowsOf(`ID da transação;Motivo;${heading}\n${ORIGINAL};x;10,50\n`, 'refund')).rejects.toThrow(
    `The column \`${heading}\` holds amounts, but it is not used`,
  )
})

it.each([
  'Líquido',
  'Valor líquido',
  'Vlr. Líquido',
  'VL LIQUIDO',
  'Salário Líquido',
  'Líquido a receber',
  'net_amount',
])('the heading %s is the amount of a payment if no other column holds amounts', async (heading) => {
  expect(await rowsOf(`Chave PIX;${heading}\na@b.co;10,50\n`)).toMatchObject([{ amountCents: 1050 }])
  await expect(rowsOf(`Chave PIX;${heading};Bruto\na@b.co;10,50;20,50\n`)).rejects.toThrow('`Bruto`')
  await expect(rowsOf(`Chave PIX;${heading};Valor\na@b.co;10,50;20,50\n`)).rejects.toThrow('Several columns')
})

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

const OWNER = '529.982.247-25'
const COMPANY = '11.222.333/0001-81'

describe('the owner of a key', () => {
  it.each([
    'CPF',
    'cpf',
    'CNPJ',
    'CPF/CNPJ',
    'CNPJ / CPF',
    'CPF-CNPJ',
    'CPF ou CNPJ',
    'CPF do favorecido',
    'CNPJ Fornecedor',
    'CPF do Titular:',
    'Nº CPF',
    'Número do CNPJ',
    'cpf_cnpj_beneficiário',
    'C.P.F.',
    'C.P.F./C.N.P.J',
    'Tax ID',
    'Documento',
    'Documento do favorecido',
    'Doc.',
  ])('is in the column %s beside a key or a payee, and in the payee book', async (heading) => {
    const rows = await rowsOf(`Nome;${heading};Chave PIX;Valor\nAna;${OWNER};a@b.co;1\nEva;;b@b.co;2\n`)
    expect(rows).toMatchObject([{ documentValidation: '52998224725' }, { documentValidation: null }])
    const { rows: payees } = await readPayeeFile(
      input(Buffer.from(`Apelido;Chave;${heading}\nana;a@b.co;${COMPANY}\n`)),
    )
    expect(payees).toMatchObject([{ documentValidation: '11222333000181' }])
  })

  it.each([
    ['CPF do pagador', OWNER],
    ['CPF inválido', OWNER],
    ['Documento fiscal', OWNER],
    ['Documento', 'NF 17'],
    ['Documento', '17'],
    ['Documento', '529.982.247-26'],
    ['Documento', ''],
  ])('is not in the column %s with %j in its second row', async (heading, cell) => {
    const first = cell === '' ? '' : OWNER
    const rows = await rowsOf(`${heading};Chave PIX;Valor\n${first};a@b.co;1\n${cell};b@b.co;2\n`)
    expect(rows).toMatchObject([{ documentValidation: null }, { documentValidation: null }])
  })

  it('is what a column Documento holds in the rows, whatever is above, between and below them', async () => {
    const text = `Lista;;\nDocumento;Chave PIX;Valor\n${OWNER};a@b.co;1\nTOTAL;;1\n\nVisto: Ana;;\n`
    expect(await rowsOf(text)).toMatchObject([{ documentValidation: '52998224725' }])
  })

  it('is in the better of two columns, and unclear in two equal ones', async () => {
    const better = `Documento;CPF;Chave PIX;Valor\n52998224725;${OWNER};a@b.co;1\n`
    expect(await rowsOf(better)).toMatchObject([{ documentValidation: '52998224725' }])
    const numbers = `Nº documento;Documento do fornecedor;Chave PIX;Valor\n17;${COMPANY};a@b.co;1\n`
    expect(await rowsOf(numbers)).toMatchObject([{ documentValidation: '11222333000181' }])
    await expect(rowsOf(`CPF;CPF do titular;Chave PIX;Valor\n;${OWNER};a@b.co;1\n`)).rejects.toThrow(
      'Several columns could be `documentValidation`: `CPF`, `CPF do titular`',
    )
    expect(await rowsOf(better, 'transfer', { ignoreColumns: ['CPF', 'Documento'] })).toMatchObject([
      { documentValidation: null },
    ])
  })

  it('is in a column of CPFs or in one of CNPJs beside it, in whichever is filled', async () => {
    const both = '61923969307'
    const owners = [
      `;${COMPANY};a@b.co`,
      `${OWNER};;a@b.co`,
      `${both};-;${both}`,
      `não informado;${COMPANY};a@b.co`,
      ';;a@b.co',
    ]
    for (const headings of ['CPF;CNPJ', 'CPF do favorecido;CNPJ do favorecido', 'Nº CPF;CNPJ nº']) {
      const rows = await rowsOf(`${headings};Chave PIX;Valor\n${owners.map((row) => `${row};1\n`).join('')}`)
      expect(rows.map((row) => row.kind === 'transfer' && row.documentValidation)).toEqual([
        ...['11222333000181', '52998224725', both, '11222333000181', null],
      ])
    }
    const swapped = await rowsOf(`CNPJ;CPF;Chave;Valor\n;${both};${both};1\n`)
    expect(swapped).toMatchObject([{ keyType: 'document', documentValidation: both }])
    expect(await faultsOf(`CPF;CNPJ;Chave;Valor\n${OWNER};${COMPANY};a@b.co;1\n${OWNER};${OWNER};a@b.co;1\n`)).toEqual([
      expect.stringContaining('2 CNPJ: It is not the owner that the column `CPF` names'),
    ])
    const rows = `${OWNER};${COMPANY};a@b.co;1\n${OWNER};${OWNER};a@b.co;1\n;${COMPANY};a@b.co;1\n`
    expect(await faultsOf(`CPF/CNPJ;Documento;Chave;Valor\n${rows}`)).toEqual([
      expect.stringContaining('2 Documento: It is not the owner that the column `CPF/CNPJ` names'),
    ])
    // One with anything else in it is the number of a paper.
    expect(await faultsOf(`CPF/CNPJ;Documento;Chave;Valor\n${rows}${OWNER};NF 3;a@b.co;1\n`)).toEqual([])
    const { rows: payees, faults } = await readPayeeFile(
      input(Buffer.from(`Apelido;Chave;CPF;CNPJ\nana;a@b.co;;${COMPANY}\neva;e@b.co;${OWNER};-\n`)),
    )
    expect([payees.map((each) => each.documentValidation), faults]).toEqual([['11222333000181', '52998224725'], []])
  })

  it.each(['-', '—', '--', 'não informado', 'NÃO INFORMADA', 'não possui', 'sem CPF', 's/ CPF', 'isento'])(
    'is none where the file says %s',
    async (none) => {
      for (const heading of ['CPF/CNPJ', 'Documento']) {
        const rows = await rowsOf(`${heading};Chave;Valor\n${none};a@b.co;1\n${OWNER};a@b.co;1\n`)
        expect(rows).toMatchObject([{ documentValidation: null }, { documentValidation: '52998224725' }])
      }
    },
  )

  it('is not made of the only column that could be the key', async () => {
    await expect(rowsOf(`Nome;CPF;CNPJ;Valor\nAna;${OWNER};;1\n`)).rejects.toMatchObject({
      hint: 'Say which columns these are: `--map key=CPF`',
    })
    expect(await rowsOf(`CPF;Valor\n${OWNER};1\n`, 'transfer', { map: ['key=CPF'] })).toMatchObject([
      { key: '52998224725', documentValidation: null },
    ])
  })

  // A valid CPF and a mobile number of Brasília.
  const both = '61923969307'
  it.each([
    ['CPF', '619.239.693-07', 'document'],
    ['CPF', both, 'document'],
    ['CPF;Tipo', `${both};CPF`, 'document'],
    ['CPF;Tipo', `${OWNER};Celular`, 'phoneNumber'],
  ])('in %s %s decides what a key is that could be a mobile number as well', async (headings, cells, keyType) => {
    const rows = await rowsOf(`${headings};Chave PIX;Valor\n${cells};${both};1\n`)
    expect(rows).toMatchObject([{ key: both, keyType }])
  })

  it('contradicts a row that calls its CPF a mobile number', async () => {
    const says = `2 Chave: \`${both}\` is the CPF in the column \`CPF\`, but `
    const rows = [`619.239.693-07;${both};Celular;1`, `${both};+55${both};Celular;1`]
    expect(await faultsOf(`CPF;Chave;Tipo;Valor\n${rows.join('\n')}\n`)).toEqual([
      expect.stringContaining(`${says}the column \`Tipo\` says \`Celular\``),
    ])
    expect(await faultsOf(`CPF;Celular;Valor\n${both};${both};1\n`, 'transfer', { map: ['key=Celular'] })).toEqual([
      expect.stringContaining('but the key column is `Celular`'),
    ])
  })

  it('decides nothing about the key of somebody else', async () => {
    expect(await faultsOf(`CPF;Chave PIX;Valor\n${OWNER};${both};1\n;${both};1\n`)).toEqual([
      expect.stringContaining(`2 Chave PIX: \`${both}\` is both a CPF and a mobile number`),
      expect.stringContaining(`3 Chave PIX: \`${both}\` is both a CPF and a mobile number`),
    ])
  })
})
