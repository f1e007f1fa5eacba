import type { BatchFileOptions, BatchKind } from '../../../src/batch/batchFile.ts'
import { encoded } from './csvFiles.ts'
import { type RawSheet, rawRow, rawWorkbook } from './rawWorkbook.ts'

type Cells = Parameters<typeof rawRow>[1]

/** A file as offices have it, and what must be read of it. */
export interface Layout {
  what: string
  kind: BatchKind
  bytes: Uint8Array
  /** The error without the options below; none if the file is read as it is. */
  error?: RegExp
  /** What the error says to type; null if the file itself must be corrected. */
  options?: BatchFileOptions | null
  rows: number
  names: readonly string[]
  totalCents: number
  /** The beginnings of the remarks and of the sentences about totals. */
  told: readonly RegExp[]
}

const ORIGINALS = [
  '0b935d10-3c90-4af3-8776-dd18622a7941',
  '21d59d0e-7c55-4a8b-9d5d-3c1a6b0f9a10',
  'c2599011-5a0e-4a53-b0a1-44d7be6f2e55',
]

/** A sheet whose rows are at their places, counted from 1; an empty list is an empty row. */
function sheet(name: string, rows: readonly Cells[], hidden: readonly number[] = []): RawSheet {
  const xml = rows.flatMap((cells, index) => {
    const number = index + 1
    return cells.length === 0 ? [] : [rawRow(number, cells, hidden.includes(number) ? 'hidden="1"' : '')]
  })
  return { name, xml: `<sheetData>${xml.join('')}</sheetData>` }
}

function n(number: string): { number: string } {
  return { number }
}

const COVER = sheet('Capa', [['Pagamentos de fornecedores'], [], ['Competência', '11/2026'], ['Total', n('4350.5')]])

const SUPPLIER_ROWS: readonly Cells[] = [
  ['NF', 'Fornecedor', 'CNPJ', 'Vencimento', 'Chave PIX', 'Valor (R$)'],
  ['1041', 'Padaria do Zé Ltda', '11.222.333/0001-81', '23/11/2026', 'padaria@exemplo.com.br', n('1250.5')],
  ['88', 'Gráfica Aurora', '11.444.777/0001-61', '23/11/2026', '+5511987654321', n('3100')],
]

/** Ten layouts after public templates: payroll, suppliers, refunds, and lists of payees that banks export. */
export const LAYOUTS: readonly Layout[] = [
  {
    what: 'a payroll with titles, an empty row and a total',
    kind: 'transfer',
    bytes: rawWorkbook(
      sheet('Folha', [
        ['Comércio Silva Ltda - CNPJ 11.222.333/0001-81'],
        ['FOLHA DE PAGAMENTO', '', '', 'Competência: 11/2026'],
        [],
        ['Matrícula', 'Nome do Colaborador', 'CPF', 'Tipo de Chave', 'Chave Pix', 'Valor a Pagar'],
        ['001', 'Ana Souza', '529.982.247-25', 'CPF', '529.982.247-25', n('2500')],
        ['002', 'Rui Lima', '111.444.777-35', 'E-mail', 'rui@exemplo.com.br', n('1980.35')],
        ['003', 'Bia Costa', '', 'Celular', '11987654321', n('3120.10')],
        [],
        ['', 'TOTAL GERAL', '', '', '', n('7600.45')],
      ]),
    ),
    rows: 3,
    names: ['Ana Souza', 'Rui Lima', 'Bia Costa'],
    totalCents: 760_045,
    told: [
      /^The lines above the header are not read: line 1 `Comércio Silva.*line 2 `FOLHA/,
      /^Line 9 is not sent: `TOTAL/,
    ],
  },
  {
    what: 'a payroll in Windows-1252 with semicolons',
    kind: 'transfer',
    bytes: encoded(
      'Relação de salários - setembro, matriz\r\n' +
        'Funcionário;Chave Pix;Valor\r\n' +
        'João Araújo;joao@exemplo.com.br;1.500,00\r\n' +
        'Conceição Reis;52998224725;2.000,00\r\n' +
        'Total da folha;;R$ 3.500,00\r\n',
      'windows-1252',
    ),
    rows: 2,
    names: ['João Araújo', 'Conceição Reis'],
    totalCents: 350_000,
    told: [
      /^The lines above the header are not read: line 1 `Relação de salários - setembro, matriz`$/,
      /^Line 5 is not sent/,
    ],
  },
  {
    what: 'suppliers behind a cover sheet, in front of an archive',
    kind: 'transfer',
    bytes: rawWorkbook(COVER, sheet('Pagamentos', SUPPLIER_ROWS), sheet('Outubro', SUPPLIER_ROWS.slice(0, 2))),
    rows: 2,
    names: ['Padaria do Zé Ltda', 'Gráfica Aurora'],
    totalCents: 435_050,
    told: [
      /^Only the sheet Pagamentos is read; the workbook also has Capa, Outubro$/,
      /^Sheets that have the same columns .*: Outubro\./,
    ],
  },
  {
    what: 'suppliers by department with subtotals and a total',
    kind: 'transfer',
    bytes: encoded(
      'Razão Social;Chave;Valor a pagar;Departamento\n' +
        'Alfa Ltda;alfa@exemplo.com.br;100,00;Obras\n' +
        'Beta ME;beta@exemplo.com.br;50,50;Obras\n' +
        'SUBTOTAL;;150,50;\n' +
        'Gama S/A;gama@exemplo.com.br;20,00;TI\n' +
        'Subtotal:;;20,00;\n' +
        'TOTAL;;170,50;\n',
      'utf-8-bom',
    ),
    rows: 3,
    names: ['Alfa Ltda', 'Beta ME', 'Gama S/A'],
    totalCents: 17_050,
    told: [
      /^Line 4 is not sent/,
      /^Line 6 is not sent: `Subtotal:`, R\$ 20,00, is the sum of the rows below the subtotal before it$/,
      /^Line 7 is not sent: `TOTAL`, R\$ 170,50/,
    ],
  },
  {
    what: 'net pay with a total that counts the people',
    kind: 'transfer',
    bytes: encoded(
      'Cód.;Empregado;CPF;Chave Pix;Valor\n' +
        '12;Rita Moraes;111.444.777-35;rita@exemplo.com.br;2.150,33\n' +
        '15;Otavio Lins;529.982.247-25;otavio@exemplo.com.br;1.984,10\n' +
        'Total de empregados: 2;;;;4.134,43\n',
      'utf-8',
    ),
    rows: 2,
    names: ['Rita Moraes', 'Otavio Lins'],
    totalCents: 413_443,
    told: [/^Line 4 is not sent: `Total de empregados: 2`, R\$ 4\.134,43, is the sum of the rows above it$/],
  },
  {
    what: 'suppliers of which a filter hides one',
    kind: 'transfer',
    bytes: rawWorkbook(sheet('Pagamentos', [...SUPPLIER_ROWS, ['', '', '', '', 'Soma', n('1250.5')]], [3])),
    error: /^The workbook has 1 hidden row, R\$ 3\.100,00$/,
    options: { hidden: 'skip' },
    rows: 1,
    names: ['Padaria do Zé Ltda'],
    totalCents: 125_050,
    told: [/^Line 4 is not sent: `Soma`, R\$ 1\.250,50, is the sum of the rows above it that are not hidden$/],
  },
  {
    what: 'suppliers whose total differs from the sum',
    kind: 'transfer',
    bytes: rawWorkbook(sheet('Pagamentos', [...SUPPLIER_ROWS, ['', 'TOTAL', '', '', '', n('4350')]])),
    error: /^The total on line 4 differs from the sum of the rows above it$/,
    options: null,
    rows: 0,
    names: [],
    totalCents: 0,
    told: [],
  },
  {
    what: 'suppliers with two columns of amounts to pay',
    kind: 'transfer',
    bytes: Buffer.from('Favorecido;Chave Pix;Valor;Valor a pagar\nAlfa;alfa@exemplo.com.br;100,00;98,00\n'),
    error: /^Several columns could be `value`: `Valor`, `Valor a pagar`$/,
    options: { map: ['value=Valor a pagar'], ignoreColumns: ['Valor'] },
    rows: 1,
    names: ['Alfa'],
    totalCents: 9800,
    told: [],
  },
  {
    what: 'refunds of orders with the total in the same cell as its label',
    kind: 'refund',
    bytes: encoded(
      'Pedido;Cliente;ID da Transação;Valor a devolver;Motivo\n' +
        `1001;Maria da Silva;${ORIGINALS[0]};25,00;produto com defeito\n` +
        `1002;Mariana Souza;${ORIGINALS[1]};R$ 50,00;desistência\n` +
        ';;;Total: R$ 75,00;\n',
      'windows-1252',
    ),
    rows: 2,
    names: ['Maria da Silva', 'Mariana Souza'],
    totalCents: 7500,
    told: [/^Line 4 is not sent: `Total: R\$ 75,00`, R\$ 75,00/],
  },
  {
    what: 'refunds in a workbook with a title',
    kind: 'refund',
    bytes: rawWorkbook(
      sheet('Instruções', [['Preencha a aba Devoluções'], ['Valor', 'em reais']]),
      sheet('Devoluções', [
        ['Devoluções do evento cancelado'],
        ['Nome', 'ID Transação', 'Valor', 'Motivo da devolução'],
        ['Ana', ORIGINALS[0] ?? '', n('120'), 'evento cancelado'],
        ['Rui', ORIGINALS[1] ?? '', n('80'), 'evento cancelado'],
        ['Bia', ORIGINALS[2] ?? '', n('80.5'), 'evento cancelado'],
        ['Valor total', '', n('280.5')],
      ]),
    ),
    rows: 3,
    names: ['Ana', 'Rui', 'Bia'],
    totalCents: 28_050,
    told: [
      /^Only the sheet Devoluções is read/,
      /^The lines above the header are not read: line 1/,
      /^Line 6 is not sent: `Valor total`/,
    ],
  },
  {
    what: 'a list of payees that a bank exported',
    kind: 'transfer',
    bytes: encoded(
      'Agência: 1234;Conta: 56789-0;;;\r\n' +
        'Período: 01/11/2026 a 30/11/2026;;;;\r\n' +
        ';;;;\r\n' +
        'Favorecido;CPF/CNPJ;Tipo;Chave Pix;Valor\r\n' +
        'Ana Souza;529.982.247-25;CPF;529.982.247-25;10,00\r\n' +
        'Alfa Ltda;11.222.333/0001-81;Aleatória;123e4567-e89b-42d3-a456-426614174000;1.234,56\r\n' +
        'Totais;;;;1.244,56\r\n',
      'utf-16le',
    ),
    rows: 2,
    names: ['Ana Souza', 'Alfa Ltda'],
    totalCents: 124_456,
    told: [
      /^The lines above the header are not read: line 1 `Agência: 1234 \| Conta: 56789-0`, line 2/,
      /^Line 7 is not sent/,
    ],
  },
]
