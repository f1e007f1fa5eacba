import { describe, expect, it } from 'vitest'
import { type BatchFileOptions, type BatchKind, judgeBatchFile, readBatchFile } from '../../../src/batch/batchFile.ts'
import { faultsOf, rowsOf } from './csvFiles.ts'

function read(text: string, options: BatchFileOptions = {}, kind: BatchKind = 'transfer') {
  return readBatchFile(Buffer.from(text), kind, { reference: 'folha', ...options })
}

async function totalsOf(text: string, options: BatchFileOptions = {}) {
  const file = await read(text, options)
  const { count, totalCents, totalLines } = await judgeBatchFile(file)
  return { count, totalCents, lines: totalLines.map(({ line }) => line) }
}

const TITLES = 'Pagamentos de novembro\nResponsável;Ana\n'

describe('the header of a file with titles', () => {
  it.each<[what: string, text: string, options: BatchFileOptions, line: number]>([
    ['the first line with the columns', `${TITLES}Chave;Valor\na@b.co;1,00`, {}, 3],
    ['the line that has the mapped columns', `${TITLES}Pix;Preço\na@b.co;1,00`, { map: ['key=Pix,value=Preço'] }, 3],
    ['the row that is named', `Chave;Valor\n\n\nChave;Valor\na@b.co;1,00`, { headerRow: 4 }, 4],
    ['beyond the lines that are searched', `${'Título\n'.repeat(60)}Chave;Valor\na@b.co;1,00`, { headerRow: 61 }, 61],
  ])('is %s', async (_, text, options, line) => {
    expect(await rowsOf(text, 'transfer', options)).toMatchObject([{ key: 'a@b.co', amountCents: 100 }])
    expect(await read(text, options)).toMatchObject({ headerLine: line })
  })

  it.each<[text: string, options: BatchFileOptions, message: string, hint: string]>([
    [
      `${TITLES}Pix;Preço\na@b.co;1,00`,
      {},
      'The header of the file has 2 faults',
      "Say which columns these are: `--map 'key=Pix,value=Preço'`",
    ],
    [
      'Título\nCPF/CNPJ;Valor\n52998224725;1,00',
      {},
      'The header has no column `key`: its columns are `CPF/CNPJ`, `Valor`',
      'Say which columns these are: `--map key=CPF/CNPJ`',
    ],
    [
      'Chave;Chave Pix;Valor\na@b.co;b@b.co;1,00',
      {},
      'Several columns could be `key`: `Chave`, `Chave Pix`',
      "Choose from `Chave`, `Chave Pix`: name it with `--map 'key=…'`, and each other one with `--ignore-column`",
    ],
    [
      'Chave;Valor\na@b.co;1,00',
      { headerRow: 9 },
      '`--header-row 9`: the file has nothing in this row',
      'Give the number that the spreadsheet shows beside the header, or omit `--header-row`',
    ],
    [
      'a@b.co;7,00\nChave;Valor\nb@b.co;1,00',
      {},
      'Line 1 is above the header, but it holds what a payment has',
      'Move line 1 below the header if it is a payment, or delete it, then save the file',
    ],
    [
      'a@b.co;7,00\nChave;Valor\nb@b.co;1,00',
      { headerRow: 2 },
      'Line 1 is above the header, but it holds what a payment has',
      'Move line 1 below the header if it is a payment, or delete it, then save the file',
    ],
    [
      'CNPJ;11.222.333/0001-81;Total;7,00\nValor;Chave;;\n1,00;b@b.co;;',
      {},
      'Line 1 is above the header, but it holds what a payment has',
      "Move line 1 below the header if it is a payment; if it is not, name the header's line with `--header-row`",
    ],
  ])('is refused in %j', async (text, options, message, hint) => {
    await expect(read(text, options)).rejects.toMatchObject({ message, hint })
  })

  it('may be named below a line that holds a key and an amount in other columns', async () => {
    const text = 'CNPJ;11.222.333/0001-81;Total;7,00\nValor;Chave;;\n1,00;b@b.co;;'
    expect(await rowsOf(text, 'transfer', { headerRow: 2 })).toMatchObject([{ key: 'b@b.co', amountCents: 100 }])
  })

  it('reads a column with a known heading for another field only if that is said', async () => {
    const text = 'Chave;CPF/CNPJ;Valor\na@b.co;52998224725;1,00'
    expect(await rowsOf(text)).toMatchObject([{ key: 'a@b.co', documentValidation: '52998224725' }])
    const map = ['key=CPF/CNPJ']
    expect(await rowsOf(text, 'transfer', { map })).toMatchObject([{ key: '52998224725', documentValidation: null }])
    const ignoreColumns = ['CPF/CNPJ']
    expect(await rowsOf(text, 'transfer', { ignoreColumns })).toMatchObject([{ documentValidation: null }])
  })

  it.each([
    ['Nome;Fornecedor', 3],
    ['Empregado;Nome', 3],
    ['Matrícula;Colaborador', 3],
    ['Fornecedor;Razão Social', 3],
    ['Nome do Banco;Nome', 3],
    ['Nome do Banco;Razão Social do Fornecedor', 3],
    ['Nome do Banco;Agência', undefined],
  ])('has the names of payees among %s in the column %s', async (headings, place) => {
    const file = await read(`key;value;${headings}\n`)
    expect(file.fields.name).toBe(place)
    const named = await read(`key;value;${headings}\n`, { map: [`name=${headings.split(';')[1]}`] })
    expect(named.fields.name).toBe(3)
  })
})

describe('a line of a total', () => {
  const ROWS = 'nome;key;value\nAna;a@b.co;10,00\nRui;b@b.co;20,50\n'

  it.each([
    ['TOTAL;;30,50', 4],
    ['Total geral:;;R$ 30,50', 4],
    [';TOTAL;30,50', 4],
    ['Soma;30,50;', 4],
    ['VALOR TOTAL A PAGAR;;30,50', 4],
    ['Total R$ 30,50', 4],
    [';;Total: 30,50', 4],
    ['TOTAL;30,50', 4],
    ['Total do setor de obras;;30,50', 4],
    ['Total Geral: 2 empregados;;30,50', 4],
  ])('is left out: %s', async (line, number) => {
    expect(await totalsOf(`${ROWS}${line}\n`)).toEqual({ count: 2, totalCents: 3050, lines: [number] })
  })

  it('of a part counts from the one before', async () => {
    const text = `${ROWS}Total - Obras;;30,50\nEva;c@b.co;5,00\nTotal - Vendas;;5,00\nTotal geral: 3 pessoas;;35,50\n`
    expect(await totalsOf(text)).toEqual({ count: 3, totalCents: 3550, lines: [4, 6, 7] })
  })

  it.each([
    ['TOTAL;c@b.co;30,50', { count: 3, totalCents: 6100, lines: [] }],
    ['Total Serviços Ltda;c@b.co;1,00', { count: 3, totalCents: 3150, lines: [] }],
  ])('has no key: %s', async (line, expected) => {
    expect(await totalsOf(`${ROWS}${line}\n`)).toEqual(expected)
  })

  it('is compared with the sum, and the difference is told', async () => {
    await expect(totalsOf(`${ROWS}TOTAL;;30,00\n`)).rejects.toMatchObject({
      message: 'The total on line 4 differs from the sum of the rows above it',
      details: [
        'Line 4, TOTAL: R$ 30,00',
        'Sum of the rows above it: R$ 30,50',
        'The total is R$ 0,50 less than the sum',
        'Nothing was sent',
      ],
    })
    await expect(totalsOf(`${ROWS}TOTAL;;31,00\nEva;c@b.co;0,50`)).rejects.toThrow('line 4')
  })

  it('counts all rows above it; a subtotal may begin behind the one before', async () => {
    const rest = 'Eva;c@b.co;5,00\n'
    expect(await totalsOf(`${ROWS}TOTAL;;30,50\n${rest}TOTAL;;35,50\n`)).toMatchObject({ lines: [4, 6] })
    expect(await totalsOf(`${ROWS}Subtotal;;30,50\n${rest}Subtotal;;5,00\nTOTAL;;35,50`)).toMatchObject({
      lines: [4, 6, 7],
    })
    await expect(totalsOf(`${ROWS}TOTAL;;30,50\n${rest}TOTAL;;5,00\n`)).rejects.toThrow('The total on line 6 differs')
  })

  it.each([
    ['TOTAL;;', 'Line 4 is labelled `TOTAL`, but it is not clear which amount is the total'],
    ['TOTAL;30,50;x;2,00', 'Line 4 is labelled `TOTAL`, but it is not clear which amount is the total'],
  ])('needs one amount: %s', async (line, message) => {
    await expect(totalsOf(`${ROWS}${line}\n`)).rejects.toMatchObject({
      message,
      hint: 'Write the total in the column of the amounts, or delete line 4',
    })
  })

  it.each([
    [';;30,50', /write `TOTAL` in an empty cell of the line$/],
    ['Total do setor de obras;;9,00', /write `TOTAL` in an empty cell of the line$/],
    ['Total Clean;;30,50', /write `TOTAL` in an empty cell/],
    ['Eva;;9,00', /^4 key: The key is empty(?!.*total)/],
  ])('without its label is a fault: %s', async (line, fault) => {
    expect(await faultsOf(`${ROWS}${line}\n`)).toEqual([expect.stringMatching(fault)])
  })

  it('is not compared if a row above it that is not sent has no amount', async () => {
    const rows = 'Nome;Chave;Valor;Status\nAna;a@b.co;10,00;\nBia;c@d.co;;cancelado\nTotal;;25,00;'
    expect(await totalsOf(rows, { marks: { only: ['Status='] } })).toEqual({ count: 1, totalCents: 1000, lines: [4] })
  })

  it('is compared with all rows above it, also with faulty ones that are not sent', async () => {
    const marks = { only: ['nome=Ana'] }
    const rows = `${ROWS}Eva;;5,00\n`
    expect(await totalsOf(`${rows}TOTAL;;35,50\n`, { marks })).toEqual({ count: 1, totalCents: 1000, lines: [5] })
    await expect(totalsOf(`${rows}TOTAL;;10,00\n`, { marks })).rejects.toThrow('The total on line 5 differs')
  })

  it('is compared below one that is not, because rows since the subtotal all have amounts', async () => {
    const rows =
      'Nome;Chave;Valor;Status\nAna;a@b.co;10,00;\nBia;c@d.co;;cancelado\nSubtotal;;25,00;\nEva;e@f.co;5,00;x\n'
    const marks = { only: ['Status='] }
    expect(await totalsOf(`${rows}Subtotal;;5,00;\n`, { marks })).toMatchObject({ count: 1, lines: [4, 6] })
    await expect(totalsOf(`${rows}Subtotal;;7,00;\n`, { marks })).rejects.toThrow('The total on line 6 differs')
  })

  it('is not judged before the faults of the rows', async () => {
    expect(await faultsOf(`${ROWS}Eva;c@b.co;x\nTOTAL;;99,00`)).toEqual([expect.stringMatching(/^4 value: /)])
  })
})
