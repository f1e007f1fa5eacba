import { describe, expect, it } from 'vitest'
import { mayBeSameName, nameWords, statedName } from '../../src/reconcile/partyName.ts'
import { readStatementFile, STATEMENT } from '../../src/reconcile/statementFile.ts'
import { readMapping } from '../../src/spreadsheet/tableHeader.ts'
import { rawRow, rawWorkbook } from '../batch/spreadsheet/rawWorkbook.ts'
import { input } from './input.ts'

async function read(text: string, map: readonly string[] = []) {
  return readStatementFile(input(Buffer.from(text)), readMapping(map, STATEMENT))
}

/** The signed cents of each line, with its direction if it has one. */
async function amounts(text: string, map: readonly string[] = []) {
  const { lines, faults } = await read(text, map)
  const shown = lines.map(({ amountCents, direction }) => `${amountCents}${direction === null ? '' : ` ${direction}`}`)
  return faults.length > 0 ? faults.map(({ line, column, message }) => `${line} ${column}: ${message}`) : shown
}

it('reads the lines of a statement with their signs, days and statuses', async () => {
  const text = 'Data;Identificador;Valor (R$);Situação\n21/11/2026;a;-1.234,56;Pago\n2026-11-22T01:00:00Z;b;(0,10);\n'
  expect(await readStatementFile(input(Buffer.from(text, 'utf16le')), new Map())).toMatchObject({
    faults: [],
    recognised: ['id=Identificador', 'date=Data', 'amount=Valor (R$)', 'status=Situação'],
    lines: [
      { line: 2, id: 'a', amountCents: 123_456, direction: 'debit', status: 'Pago', day: '2026-11-21' },
      { line: 3, id: 'b', amountCents: 10, direction: 'debit', status: null, day: '2026-11-21' },
    ],
  })
})

it('takes the day of the payment above a line without one, but not for a sum', async () => {
  const { lines, faults } = await read(
    'Data;Histórico;Valor\n20/11/2026;SALDO ANTERIOR;9,00\n;PIX RITA;-1,00\n21/11/2026;PIX ANA;-2,00\n;TARIFA;-3,00\n;;-5,00\n',
  )
  expect(faults).toEqual([])
  expect(lines.map(({ day, amountCents }) => [day, amountCents])).toEqual([
    ['2026-11-20', 100],
    ['2026-11-21', 200],
    ['2026-11-21', 300],
    [null, 500],
  ])
})

it.each(['Valor (US$)', 'Valor em centavos', 'Amount USD', 'Valor €'])(
  'refuses amounts below `%s`',
  async (heading) => {
    await expect(read(`Data;${heading}\n21/11/2026;-10,00\n`)).rejects.toThrow(`column \`${heading}\` are not in reais`)
  },
)

it.each([
  ['vertical bars', 'Data|Histórico|Valor|Saldo\n21/11/2026|PIX ANA|-64,20|1.564,20\n'],
  ['signs in the headings', 'Data;Histórico;Débito (-);Crédito (+);Saldo (=)\n21/11/2026;PIX ANA;64,20;;1.564,20\n'],
  ['a title that is like a header', 'Extrato;Data: 30/11/2026;Valor em R$\nData;Valor\n21/11/2026;-64,20\n'],
])('reads a statement with %s', async (_, text) => {
  expect(await amounts(text)).toEqual(['6420 debit'])
})

it.each([
  ['new', 'date,title,amount\n2026-11-26,Padaria Aurora,64.20\n'],
  ['older', 'date,category,title,amount\n2026-11-26,restaurante,Padaria Aurora,64.20\n'],
  ['XP', 'Data;Estabelecimento;Portador;Valor;Parcela\n26/11/2026;PADARIA AURORA;ANA SOUZA;R$ 64,20;-\n'],
])('refuses the bill of a credit card (%s), whose purchases have no sign', async (_, text) => {
  await expect(read(text)).rejects.toThrow('The file holds the bill of a credit card')
})

it('takes no name that all lines share for that of the other side', async () => {
  const { lines } = await read('Data;Cliente;Valor\n21/11/2026;Oficina Modelo;-1,00\n22/11/2026;Oficina Modelo;-2,00\n')
  expect(lines.map(({ name }) => name)).toEqual([null, null])
})

it('names the number of a day that a spreadsheet left', async () => {
  expect(await amounts('Data;Valor\n46352;-1,00\n')).toEqual([
    '2 Data: `46352` is a day as a spreadsheet counts it. Format the column as dates in the spreadsheet, and save it again',
  ])
})

it('takes no line for a payment that a decimal comma has split', async () => {
  await expect(read('21/11/2026 PIX ANA   430,57-\n22/11/2026 PIX RITA   64,20+\n')).rejects.toThrow('The header')
})

it('takes a text below any heading for what a line is about, if no heading says it', async () => {
  const { lines } = await read('Data;Evento;Envolvido;Valor\n21/11/2026;Pix enviado;Otavio Lins;-1,00\n')
  expect(lines.map(({ description }) => description)).toEqual(['Pix enviado - Otavio Lins'])
})

it('knows both sides of a line that does not say its direction', async () => {
  const { lines } = await read('Data;Pagador;Recebedor;Valor\n28/11/2026;Oficina Modelo;Otavio Lins;430,00\n')
  const stated = statedName(lines[0]?.description ?? '', lines[0]?.name ?? null)
  const isOf = (name: string) => stated !== null && mayBeSameName(stated, nameWords(name))
  expect(['Otavio Lins', 'Oficina Modelo', 'Rita Moraes'].map(isOf)).toEqual([true, true, false])
})

it('reads the first sheet of a workbook', async () => {
  const rows = rawRow(1, ['Identificador', 'Valor']) + rawRow(2, ['a', { number: '-10.5' }])
  const workbook = rawWorkbook({ name: 'Extrato', xml: `<sheetData>${rows}</sheetData>` })
  expect(await readStatementFile(input(workbook), new Map())).toMatchObject({
    faults: [],
    lines: [{ line: 2, id: 'a', amountCents: 1050, direction: 'debit' }],
  })
})

describe('amounts', () => {
  const column = (cells: readonly string[]) => `data;valor\n${cells.map((cell) => `21/11/2026;"${cell}"`).join('\n')}\n`

  it('have a sign in any of the ways that banks write it', async () => {
    const debits = [
      '-1.234,56',
      '1.234,56-',
      '(1.234,56)',
      '1.234,56 D',
      '1.234,56 (-)',
      'R$ -1.234,56',
      '-R$ 1.234,56',
      '1234.56DB',
      '−1234,56',
      '–1234,56',
      ' R$ (1.234,56)',
      '(R$ 1.234,56)',
      '-1 234,56',
      '- R$ 1\u00a0234,56',
      '1\u202f234,56 D',
    ]
    expect(await amounts(column(debits))).toEqual(debits.map(() => '123456 debit'))
    const credits = ['+1.234,56', '1.234,56 C', '1.234,56 (+)', '1.234,56 cr', 'R$ +1.234,56']
    expect(await amounts(column(credits))).toEqual(credits.map(() => '123456 credit'))
    expect(await amounts(column(['R$ 1.234,56', '10', '1,234.56', '1,234,567.80']))).toEqual([
      '123456',
      '1000',
      '123456',
      '123456780',
    ])
    const zero = await read(column(['0,00', 'R$ -', '1,00', '-']))
    expect([zero.faults, zero.lines.length, zero.otherLines]).toEqual([[], 1, [2, 3, 5]])
  })

  it('that are none are faults', async () => {
    const faults = await amounts(column(['1.234', '1,234', 'dez', '', '-dez', '12 34,56', '1 234']))
    expect(faults.map((fault) => fault.replace(/\..*/, ''))).toEqual([
      '2 valor: The amount `1',
      '3 valor: The amount `1,234` is ambiguous: the `,` could separate thousands or decimals',
      '4 valor: `dez` is not an amount',
      '5 valor: The amount is empty',
      '6 valor: `dez` is not an amount',
      '7 valor: `12 34,56` is not an amount',
      '8 valor: `1 234` is not an amount',
    ])
  })

  it('are in two columns, or have their direction in another one', async () => {
    const sides = 'Data;Débito (R$);Crédito (R$);Saldo\n'
    expect(await amounts(`${sides}21/11/2026;10,00;;5\n21/11/2026;-10,00;0,00;5\n21/11/2026;;20,00;5\n`)).toEqual([
      '1000 debit',
      '1000 debit',
      '2000 credit',
    ])
    const both = '2 Crédito (R$): The line has a debit and a credit, but a payment is only one of them'
    const none = '3 Débito (R$): The line has neither a debit nor a credit'
    const wrong = '4 Crédito (R$): `-3,00` contradicts its column'
    const rows = '21/11/2026;1,00;2,00;x\n21/11/2026;;;\n21/11/2026;;-3,00;x\n'
    expect(await amounts(sides + rows)).toEqual([both, none, wrong])
    expect(await amounts('Data;Valor;D/C\n21/11/2026;10,00;D\n21/11/2026;10,00;Crédito\n')).toEqual([
      '1000 debit',
      '1000 credit',
    ])
    const contradiction = '2 Tipo: `Entrada` contradicts the sign of `-10,00`'
    expect(await amounts('Data;Valor;Tipo\n21/11/2026;-10,00;Entrada\n')).toEqual([contradiction])
    const spoken = 'Data;Tipo;Valor\n21/11/2026;Pix enviado;10,00\n21/11/2026;Transferência recebida;20,00\n'
    expect(await amounts(spoken)).toEqual(['1000 debit', '2000 credit'])
    const named = 'dia;out;in\n21/11/2026;10,00;\n'
    expect(await amounts(named, ['debit=out,credit=in'])).toEqual(['1000 debit'])
    expect(await amounts(`Data;Valor;Débito;Crédito\n21/11/2026;7,00;10,00;\n`, ['amount=valor'])).toEqual(['700'])
  })
})

it('leaves out balances, totals, notes and the header again, and says where they are', async () => {
  const text = [
    'Banco de Exemplo;',
    'Conta: 1000-1;Período: 01/11/2026',
    'Data;Histórico;Docto.;Valor;Saldo;',
    '31/10/2026;SALDO ANTERIOR;;100,00;100,00;',
    '00/00/0000;S A L D O;;90,00;;',
    '01/11/2026;SALDO DEVEDOR QUITADO;1;-10,00;90,00;',
    ';continua aqui;;;;',
    '01/11/2026;;;;90,00;',
    'Data;Histórico;Docto.;Valor;Saldo;',
    'Total;;;-10,00;;',
    '01/11/2026;Total do dia;;-10,00;;',
    '02/11/2026;TOTAL ENERGIA LTDA;2;-5,00;;',
    'Sujeito a alterações até o fim do dia',
  ].join('\n')
  const { lines, faults, balanceLines, otherLines } = await read(text)
  expect(faults).toEqual([])
  expect(lines).toMatchObject([
    { line: 6, id: '1', amountCents: 1000, description: 'SALDO DEVEDOR QUITADO - continua aqui' },
    { line: 12, amountCents: 500, description: 'TOTAL ENERGIA LTDA' },
  ])
  expect([balanceLines, otherLines]).toEqual([
    [4, 5, 8],
    [1, 2, 9, 10, 11, 13],
  ])
})

it('says which column is missing, by the row that is most like a header', async () => {
  const error = { message: expect.stringMatching(/no column `amount`: its columns are `Data`, `Histórico`, `Total`/) }
  await expect(read('Banco;\nData;Histórico;Total\n21/11/2026;x;1\n')).rejects.toMatchObject(error)
  await expect(read('Valor\n1,00\n')).rejects.toMatchObject({ message: expect.stringMatching(/no column `date`/) })
})

describe('a table', () => {
  it('never reads a debit as a credit because of a word that it does not know', async () => {
    const rows = (heading: string, words: readonly string[]) =>
      `Data;Valor;${heading}\n${words.map((word) => `21/11/2026;10,00;${word}`).join('\n')}\n`
    for (const heading of [
      'D/C',
      'Deb_Cred',
      'Natureza',
      'Entrada/Saída',
      'Tipo',
      'Tipo de lançamento',
      'Credit/Debit',
      'Coluna',
    ]) {
      expect([heading, await amounts(rows(heading, ['D', 'c']))]).toEqual([heading, ['1000 debit', '1000 credit']])
      expect([heading, await amounts(rows(heading, ['SAÍDA', 'Entrada']))]).toEqual([
        heading,
        ['1000 debit', '1000 credit'],
      ])
    }
    for (const word of ['X', '', 'Tarifa']) {
      const said = await amounts(rows('D/C', ['D', word]))
      expect(said).toEqual(['3 D/C: It does not say whether the line is a debit or a credit'])
    }
    expect(
      await amounts('Data;Valor;Tipo\n21/11/2026;-10,00;Pix\n21/11/2026;10,00;Crédito\n21/11/2026;5,00;TED\n'),
    ).toEqual(['1000 debit', '1000', '500'])
  })

  it('without a header never loses its first payment', async () => {
    expect(await amounts('28/11/2026;PIX RITA;-430,00\n27/11/2026;PIX OTAVIO;-12,00\n')).toEqual([
      '43000 debit',
      '1200 debit',
    ])
    expect(await amounts('28/11/2026,"PIX RITA",430.00,D\n27/11/2026,"PIX ANA",12.00,C\n')).toEqual([
      '43000 debit',
      '1200 credit',
    ])
    expect(await amounts('28/11/2026;PIX RITA;281101;-430,00\n')).toEqual(['43000 debit'])
    expect(await amounts('28/11/2026;PIX RITA;-430,00;470,00\n')).toEqual([
      expect.stringMatching(/^1 #3: .* 2 amounts, of which one may be a balance/),
    ])
    for (const map of ['date=28/11/2026,amount=-430,00', 'date=a,amount=b']) {
      await expect(read('28/11/2026;PIX RITA;-430,00\n27/11/2026;PIX ANA;-12,00\n', [map])).rejects.toMatchObject({
        message: 'Line 1 is a payment, not a header, so `--map` cannot name its cells as columns',
      })
    }
    await expect(
      read('28/11/2026;PIX RITA;-430,00\nData;Histórico;Valor\n27/11/2026;PIX ANA;-12,00\n'),
    ).rejects.toMatchObject({
      message: 'Line 1 is above the header on line 2, but it has a day and an amount',
    })
    await expect(read('Quando;O que;Quanto\n28/11/2026;PIX RITA;-430,00\n')).rejects.toMatchObject({ exitCode: 2 })
  })

  it('has its days in any form that has one meaning', async () => {
    const days = [
      '28.11.2026',
      '28-11-2026',
      '20261128',
      '28 nov 2026',
      '28/nov/2026',
      '28 de novembro de 2026',
      '28/11/26',
      '2026-11-28',
      '28/11/2026 10:00',
      'sáb, 28/11/2026',
    ]
    const { lines, faults } = await read(`Data;Valor\n${days.map((day) => `"${day}";-1,00`).join('\n')}\n`)
    expect([faults, lines.map(({ day }) => day)]).toEqual([[], days.map(() => '2026-11-28')])
    for (const day of ['28.11.26', '28-11-26', '13/28/2026', '28 nov 26', '28112026']) {
      expect([day, await amounts(`Data;Valor\n"${day}";-1,00\n`)]).toEqual([
        day,
        [expect.stringMatching(/is not a day/)],
      ])
    }
  })

  it.each(['11/28/2026', '1/28/26', '11/28/2026 10:00'])('names a month before the day: %s', async (day) => {
    expect(await amounts(`Data;Valor\n"${day}";-1,00\n`)).toEqual([
      expect.stringMatching(/has the month before the day. Write every day of the file like/),
    ])
  })

  it.each<[above: string, day: string, right: string | RegExp]>([
    ['Período: 01/11/2026 a 30/11/2026', '28/11', '2026-11-28'],
    ['Período;de 01/12/2025 até 15/01/2026', '30/12', '2025-12-30'],
    ['Período;de 01/12/2025 até 15/01/2026', '02/01', '2026-01-02'],
    ['Mês: 11/2026', '28/11', '2026-11-28'],
    ['Extrato - Novembro/2026', '28/11', '2026-11-28'],
    ['novembro de 2026', '28/11', '2026-11-28'],
    ['Período: 01/11/2026 a 30/11/2026', '28/12', /no year, and no line above the table names a period/],
    ['Período: 01/11/2025 a 30/11/2026', '28/11', /no year/],
    ['Período: 01/01/2024 a 31/12/2026', '28/11', /no year/],
    ['Emitido em 30/11/2026', '28/11', /no year/],
    ['Conta: 12/2026-1', '28/12', /no year/],
  ])('takes a year from the period above it: %s, %s', async (above, day, right) => {
    const { lines, faults } = await read(`${above}\nData;Valor\n${day};-1,00\n`)
    const said = faults[0]?.message ?? lines[0]?.day
    expect(said).toEqual(typeof right === 'string' ? right : expect.stringMatching(right))
  })

  it('is not read if blanks alone part its columns', async () => {
    const text = 'EXTRATO  DE  CONTA\n26/11/2026  Pix - Recebido  64,20 C\n28/11/2026  Pix - Enviado  1.430,00 D\n'
    await expect(read(text)).rejects.toThrow('The columns of the text are parted by blanks only')
  })

  it('has balances of any name beside an empty amount', async () => {
    const { lines, balanceLines } = await read(
      'date;description;amount;balance\n25/11/2026;BALANCE BROUGHT FORWARD;;1,00\n28/11/2026;PIX;-1,00;\n',
    )
    expect([lines.length, balanceLines]).toEqual([1, [2]])
  })
})
