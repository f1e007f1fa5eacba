import { describe, expect, it } from 'vitest'
import { type BatchFileOptions, type BatchKind, judgeBatchFile, readBatchFile } from '../../../src/batch/batchFile.ts'
import { UsageError } from '../../../src/wire/errors.ts'
import { faultsOf, rowsOf } from './csvFiles.ts'

const MAPPED_ID: BatchFileOptions = { map: ['originalTransactionId=ID'], refundReason: 'x' }

async function failure(text: string, kind: BatchKind, options: BatchFileOptions = {}) {
  const error = await readBatchFile(Buffer.from(text), kind, { reference: 'r', ...options })
    .then(judgeBatchFile)
    .then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
  if (!(error instanceof UsageError)) throw new Error('no UsageError')
  return { message: error.message, hint: error.hint }
}

describe('a file of refunds', () => {
  const returns = 'ID;Estorno\na;10,00\nb;5,00\n'

  it('is not read as whole refunds if its amounts are in a column by another name', async () => {
    for (const isFull of [false, true]) {
      expect(await failure(returns, 'refund', { ...MAPPED_ID, isFull })).toEqual({
        message: 'The column `Estorno` holds amounts, but it is not used',
        hint: 'Add `--map amount=Estorno` if it holds the amounts to return, or `--ignore-column Estorno` if it does not',
      })
    }
    const rows = await rowsOf(returns, 'refund', {
      ...MAPPED_ID,
      map: ['originalTransactionId=ID', 'amount=estorno'],
    })
    expect(rows.map(({ amountCents }) => amountCents)).toEqual([1000, 500])
  })

  it('has its column of amounts in the hint for a missing id', async () => {
    expect((await failure(returns, 'refund')).hint).toBe(
      'Say which columns these are: `--map originalTransactionId=ID,amount=Estorno`',
    )
    expect((await failure('ID;Estorno;Taxa\na;10,00;1,50', 'refund')).hint).toBe(
      "Choose the amount from `Estorno`, `Taxa`, and write it in place of `…`: `--map 'originalTransactionId=ID,amount=…'`",
    )
    expect((await failure('ID;Motivo\na;x', 'refund')).hint).toBe(
      'Say which columns these are: `--map originalTransactionId=ID`',
    )
  })

  it('without amounts requires --full', async () => {
    const ids = 'ID\na\nb'
    expect(await failure(ids, 'refund', MAPPED_ID)).toEqual({
      message: 'The file has no column `amount`',
      hint: 'Add a column `amount`, or add `--full` to refund all that is left of each payment',
    })
    const rows = await rowsOf(ids, 'refund', { ...MAPPED_ID, isFull: true })
    expect(rows.map(({ amountCents }) => amountCents)).toEqual([null, null])
    expect(await failure('ID;Estorno\na;10\nb;5', 'refund', MAPPED_ID)).toEqual({
      message: 'The file has no column `amount`',
      hint: 'Add `--map amount=Estorno` if it holds the amounts; add `--full` only to refund all that is left of each payment',
    })
  })

  it('must not have a column whose name looks like the amount beside it', async () => {
    const text = 'ID;Valor pago\na;10\nb;dez'
    for (const isFull of [false, true]) {
      expect(await failure(text, 'refund', { ...MAPPED_ID, isFull })).toEqual({
        message: 'The header has no column `amount`, but `Valor pago` looks like one',
        hint: "Add `--map 'amount=Valor pago'` if it holds the amounts to return, or `--ignore-column 'Valor pago'` if it does not",
      })
    }
    expect((await failure('ID;Valor bruto;Valor pago\na;x;y', 'refund', MAPPED_ID)).hint).toBe(
      "Choose the amount from `Valor pago`, `Valor bruto`: name it with `--map 'amount=…'`, and each other one with `--ignore-column`",
    )
    const rows = await rowsOf(text, 'refund', { ...MAPPED_ID, isFull: true, ignoreColumns: ['valor pago'] })
    expect(rows.map(({ amountCents }) => amountCents)).toEqual([null, null])
  })
})

describe('a column that is not used', () => {
  it.each([
    ['10,00', '5'],
    ['R$ 10', ''],
    ['', '1.234,50'],
    ['0,00', '0,01'],
    [' 10.5 ', '3'],
    ['10,00', '-'],
    ['n/a', '10,00'],
    ['R$ -', 'R$ 10'],
  ])('with the cells %j and %j stops the run until it is ignored', async (first, second) => {
    const text = `key;value;Multa\na@b.co;1;"${first}"\nb@b.co;2;"${second}"\n`
    expect(await failure(text, 'transfer')).toEqual({
      message: 'The column `Multa` holds amounts, but it is not used',
      hint: 'Check that `value` holds the right amounts, then add `--ignore-column Multa`',
    })
    expect(await rowsOf(text, 'transfer', { ignoreColumns: ['multa'] })).toHaveLength(2)
  })

  it.each([
    ['Valor', '20', '10'],
    ['Valores', '20', ''],
    ['Valor da parcela', '20', '10'],
    ['Vl. R$', '20', '10'],
    ['Total', '20', '10'],
    ['Saldo', '0', '10'],
    ['Saldo', '-10', '(10)'],
    ['LÍQUIDO', '1.000', '2.000'],
    ['Bruto', 'R$ 1.000', '-'],
    ['Bruto', 'R$ -', '1.000,00-'],
    ['Total amount', '20', '10'],
    ['A pagar', '20', '10'],
    ['Vlr. pago', '20', 'N/A'],
    ['Vlr', '20', '—'],
    ['Net', '20', '10'],
    ['Gross', '20', '10'],
    ['Valor das horas', '20', '10'],
  ])('called %s stops the run with the whole numbers %j and %j, too', async (name, first, second) => {
    const text = `key;value;${name}\na@b.co;1;${first}\nb@b.co;2;${second}\n`
    const failed = await failure(text, 'transfer')
    expect(failed.message).toBe(`The column \`${name}\` holds amounts, but it is not used`)
    expect(failed.hint).toMatch(/^Choose the amount from /)
    expect(await rowsOf(text, 'transfer', { ignoreColumns: [name] })).toHaveLength(2)
  })

  it.each([
    'Agência',
    'Parcelas',
    'Total de parcelas',
    'Matrícula',
    'Conta',
    'Saldo de férias',
    'Peso bruto',
    'Peso líquido (kg)',
    'Total de dias',
    'Qtde total',
    'Nº do pedido',
    'Código do valor',
    'Cód. valor',
    'Tipo de valor',
    'Avaliador',
    'Saldos anteriores: nome',
  ])('called %s with whole numbers is carried along', async (name) => {
    const cell = name.endsWith('nome') ? 'Ana' : '1234'
    const text = `key;value;${name}\na@b.co;1;3\nb@b.co;2;${cell}`
    expect(await rowsOf(text, 'transfer')).toMatchObject([{ amountCents: 100 }, { amountCents: 200 }])
  })

  it.each([
    'Horas',
    'Horas extras',
    'Km',
    'Comissão %',
    'Peso (kg)',
    'Percentual',
    'Nota média',
    'Hours',
    'Dias a pagar',
  ])('called %s with decimals is carried along, but not with R$', async (name) => {
    const text = (cell: string) => `key;value;${name}\na@b.co;1;7,5\nb@b.co;2;${cell}`
    expect(await rowsOf(text('8,25'), 'transfer')).toHaveLength(2)
    expect((await failure(text('R$ 8,25'), 'transfer')).message).toContain(`\`${name}\` holds amounts`)
  })

  it.each([
    ['Saldo', '0', '0,00'],
    ['Desconto', 'R$ 0,00', ''],
    ['Valor líquido', '-', '0'],
  ])('called %s stops nobody with nothing but zeros, such as %j and %j', async (name, first, second) => {
    expect(await rowsOf(`key;value;${name}\na@b.co;1;${first}\nb@b.co;2;${second}`)).toHaveLength(2)
  })

  it('is one of all that could be the amount, net before gross, none of which can be pasted', async () => {
    const row = 'a@b.co;100,00;10,00;90,00\n'
    expect(await failure(`Chave Pix;Valor Bruto;Desconto;Valor Líquido\n${row}`, 'transfer')).toEqual({
      message: 'The columns `Valor Bruto`, `Desconto` hold amounts, but they are not used',
      hint: "Choose the amount from `Valor Líquido`, `Desconto`, `Valor Bruto`: name it with `--map 'value=…'`, and each other one with `--ignore-column`",
    })
    const several = (columns: string) =>
      `Choose the amount from ${columns}: name it with \`--map 'value=…'\`, and each other one with \`--ignore-column\``
    expect((await failure(`Chave Pix;Valor;Desconto;Líquido\n${row}`, 'transfer')).hint).toBe(
      several('`Líquido`, `Valor`'),
    )
    expect((await failure(`Chave Pix;Valor;Desconto;Valor a pagar\n${row}`, 'transfer')).hint).toBe(
      several('`Valor a pagar`, `Valor`'),
    )
    expect(await failure('Nome;Chave Pix;Valor pago;Valor a pagar;Saldo\nAna;a@b.co;10;20;10\n', 'transfer')).toEqual({
      message: 'The columns `Valor pago`, `Saldo` hold amounts, but they are not used',
      hint: several('`Valor a pagar`, `Valor pago`, `Saldo`'),
    })
    // Who has named the amount is told what to type.
    const map = ['value=Valor Líquido']
    expect((await failure(`Chave Pix;Valor Bruto;Desconto;Valor Líquido\n${row}`, 'transfer', { map })).hint).toBe(
      "Check that `Valor Líquido` holds the right amounts, then add `--ignore-column 'Valor Bruto' --ignore-column Desconto`",
    )
  })

  it.each([
    ['whole numbers', '10', '5'],
    ['one cell that is not an amount', '10,00', 'ten'],
    ['no cells', '', ' '],
    ['an ambiguous number', '10,00', '1.234'],
    ['documents', '52998224725', '11222333000181'],
    ['dates', '01/11/2026', '02/11/2026'],
  ])('with %s is carried along', async (_what, first, second) => {
    const text = `key;value;other\na@b.co;1;${first}\nb@b.co;2;${second}\n`
    expect(await rowsOf(text, 'transfer')).toMatchObject([{ amountCents: 100 }, { amountCents: 200 }])
  })

  it('is named with the others, by its number if it has no name', async () => {
    const text = 'Valor;INSS;;key\n1;2,00;3,00;a@b.co'
    const map = ['value=Valor']
    expect(await failure(text, 'transfer', { map })).toEqual({
      message: 'The columns `INSS`, `#3` hold amounts, but they are not used',
      hint: "Check that `Valor` holds the right amounts, then add `--ignore-column INSS --ignore-column '#3'`",
    })
    expect(await rowsOf(text, 'transfer', { map, ignoreColumns: ['INSS', '#3'] })).toHaveLength(1)
  })

  it('can be mapped by its number if it has no name', async () => {
    const text = 'ID;\na;10,00'
    expect((await failure(text, 'refund', MAPPED_ID)).hint).toContain("`--map 'amount=#2'`")
    const options = { ...MAPPED_ID, map: ['originalTransactionId=ID', 'amount=#2'] }
    expect(await rowsOf(text, 'refund', options)).toMatchObject([{ amountCents: 1000 }])
    expect(await faultsOf('ID;\na;x', 'refund', options)).toEqual([expect.stringMatching(/^2 #2: /)])
  })

  it('is found beyond rows that have faults', async () => {
    const text = 'key;value;INSS\nx;y;1,00\na@b.co;1\na@b.co;1;2,00'
    expect((await failure(text, 'transfer')).message).toBe('The column `INSS` holds amounts, but it is not used')
  })

  it('is proposed for the amount that a file of transfers lacks', async () => {
    expect((await failure('key;Comissão\na@b.co;10,00', 'transfer')).hint).toBe(
      "Say which columns these are: `--map 'value=Comissão'`",
    )
  })
})

describe('--ignore-column', () => {
  it.each([
    ['Valro', '`--ignore-column Valro`: the file has no column `Valro`', 'Did you mean `Valor`?'],
    [
      'Telefone',
      '`--ignore-column Telefone`: the file has no column `Telefone`',
      'Choose from its columns `key`, `value`, `Valor`',
    ],
    ['', '`--ignore-column `: the file has no column ``', 'Choose from its columns `key`, `value`, `Valor`'],
    [
      'Value',
      '`--ignore-column Value`: this column is used as `value`',
      'Omit `--ignore-column Value`, or rename the column in the file',
    ],
  ])('%j is refused', async (column, message, hint) => {
    const text = 'key;value;Valor\na@b.co;1;1,00'
    expect(await failure(text, 'transfer', { ignoreColumns: ['Valor', column] })).toEqual({ message, hint })
  })
})

it('are not read in another unit than reais, and such a column is not proposed', async () => {
  const text = 'Chave Pix;Valor (centavos)\nana@example.com;1000\n'
  expect((await failure(text, 'transfer')).hint).toContain(
    'Write the amounts of the column `Valor (centavos)` in reais',
  )
  expect((await failure(text, 'transfer', { map: ['value=Valor (centavos)'] })).message).toBe(
    'The amounts of the column `Valor (centavos)` are not in reais',
  )
})
