import { describe, expect, it } from 'vitest'
import { type BatchFileOptions, judgeBatchFile, readBatchFile } from '../../../src/batch/batchFile.ts'
import { code, field, PIX } from '../../pix/brCodeParts.ts'
import { rawRow, rawWorkbook } from './rawWorkbook.ts'

/** The lines with faults, each with the column that is named. */
async function faults(text: string | Uint8Array, options: BatchFileOptions = {}): Promise<string[]> {
  const file = await readBatchFile(Buffer.from(text), 'transfer', { reference: 'contas', ...options })
  const { faults: found } = await judgeBatchFile(file)
  return found.map(({ line, column, message }) => `${line} ${column} ${/line (\d+)/.exec(message)?.[1]}`)
}

/** True if a file with these headings stops with a clash of its two rows. */
async function isStopped(headings: string, first: string, second: string): Promise<boolean> {
  const found = await faults(`key;value;${headings}\na@b.co;10;${first}\na@b.co;10;${second}\n`)
  return found.length > 0
}

const OPEN = { marks: { only: ['Situação=ABERTO'] } }
const charge = (host: string) => code({ '26': field('26', PIX + field('25', `${host}/qr/z`)) })

describe('what two rows of a file must not share', () => {
  it.each([
    ['the NF', (isPaid: boolean, name: string) => `${name}@b.co;10;;${isPaid ? 'NF 01' : '1'}`, 'NF'],
    [
      'the charge',
      (isPaid: boolean, name: string) => `${charge(`${name}.co${isPaid ? ':443' : ''}`)};${isPaid ? 8 : 9};;`,
      'key',
    ],
    ['the typed id', (isPaid: boolean, name: string) => `a@b.co;${isPaid ? 8 : 9};${name}-1;`, 'externalId'],
    ['its spelling', (isPaid: boolean, name: string) => `${name}@b.co;9;${name}${isPaid ? '-3' : ' 3'};`, 'externalId'],
  ])('stops it in either order of the lines if one is not selected: %s', async (_, row, column) => {
    const rows = [
      `${row(true, 'a')};PAGO`,
      `${row(false, 'a')};ABERTO`,
      `${row(false, 'c')};ABERTO`,
      `${row(true, 'c')};PAGO`,
    ]
    const found = await faults(`key;value;externalId;NF;Situação\n${rows.join('\n')}\n`, OPEN)
    expect(found).toEqual([`3 ${column} 2`, `5 ${column} 4`])
  })

  it('stops nothing if neither is selected, whatever else is wrong with them', async () => {
    const paid = ['a@b.co;10;x-1;7', 'a@b.co;10;x-1;7', 'not a key;10;x-1;7', `${charge('p.co')};1;;`]
    const rows = [...paid, ...paid].map((line) => `${line};PAGO`)
    expect(await faults(`key;value;externalId;NF;Situação\n${rows.join('\n')}\nb@b.co;1;;;ABERTO\n`, OPEN)).toEqual([])
  })

  it('stops it if one is in a hidden row that is left out', async () => {
    const cells = ['a@b.co', { number: '10' }, 'NF 1']
    const rows = [rawRow(1, ['key', 'value', 'NF']), rawRow(2, cells, 'hidden="1"'), rawRow(3, cells)]
    const bytes = rawWorkbook({ name: 'Contas', xml: `<sheetData>${rows.join('')}</sheetData>` })
    expect(await faults(bytes, { hidden: 'skip' })).toEqual(['3 NF 2'])
    expect(await faults(bytes, { hidden: 'skip', repeatsReferences: true })).toEqual([])
  })

  it('stops a results file if another machine sent the same invoice', async () => {
    const rows = ['2;a@b.co;10;NF 1;id-1;;accepted', '3;a@b.co;10;1;;;', '4;a@b.co;10;2;;;']
    const text = `line;key;value;NF;externalId;idTransaction;outcome\n${rows.join('\n')}\n`
    expect(await faults(text)).toEqual(['3 NF 2'])
  })
})

describe('a reference', () => {
  it.each([
    ...[
      'NF',
      'NF nº',
      'NF n.º',
      'Nº NF',
      'Nr NF',
      'Nro. Nota',
      'N.F.',
      'N. F.',
      'NF-e',
      'NFS-e nº',
      'NFe',
      'Num. NF',
      '# NF',
    ],
    ...[
      'Nota Fiscal nº',
      'Nota fiscal / recibo',
      'NF/Fatura',
      'NF - Boleto',
      'Número da Nota Fiscal',
      'Nota Fiscal (NF)',
    ],
    ...[
      'Fatura nº',
      'Boleto nº',
      'Nº do boleto',
      'Recibo',
      'Recibo no',
      'Título',
      'Duplicata nº',
      'Notas fiscais',
      'DANFE',
    ],
    ...[
      'Nº do documento',
      'Doc.',
      'Docto',
      'Documento fiscal',
      'NF do fornecedor',
      'Nota fiscal de serviço',
      'NOTA FISCAL:',
    ],
    ...['Pedido', 'Pedido nº', 'Nro pedido', 'Nº da OS', 'Ordem de compra', 'Código do pedido', 'Ref.', 'Pedido/NF'],
  ])('is in a column %s', async (heading) => {
    expect([await isStopped(heading, 'NF 17', '17'), await isStopped(heading, '17', '18')]).toEqual([true, false])
  })

  it.each(['Observação', 'Notas', 'Nº', 'Conta', 'Agência', 'Parcela', 'Centro de custo', 'NF emitida?', 'Lote'])(
    'is not in a column %s',
    async (heading) => {
      expect(await isStopped(heading, '17', '17')).toBe(false)
    },
  )

  it.each([
    ['NF 55', 'nf-055', 'NF 56'],
    ['Nota fiscal 55', 'NFS-e nº 55', 'Nota fiscal 54'],
    ['Boleto 123', 'Pagamento do boleto 123', 'Boleto 124'],
    ['Pedido 9', 'PEDIDO Nº 9', 'NF 9'],
    ['Ref. NF 55 parcela 1/2', 'NF 55 (parcela 1/2)', 'NF 55 parcela 2/2'],
    ['Fatura 10 nov/26', 'fatura 10 - nov/2026', 'Fatura 10 dez/26'],
    ['NF 5 e 6', 'NF 6, 5', 'NF 5'],
  ])('may name itself in any other column: %s', async (one, same, other) => {
    expect(await isStopped('Histórico', one, same)).toBe(true)
    expect(await isStopped('Histórico', one, other)).toBe(false)
  })

  it('that names itself is another bill with another due day or number beside it', async () => {
    expect(await isStopped('Histórico;Vencimento', 'NF 55;05/11/2026', 'NF 55;05/12/2026')).toBe(false)
    expect(await isStopped('Histórico;Pedido', 'NF 55;7', 'NF 55;8')).toBe(false)
    expect(await isStopped('Histórico;Pedido', 'NF 55;7', 'NF 55;')).toBe(true)
  })

  it.each([
    ...[
      'Salário nov',
      'Salário 11/2026',
      '13º salário',
      'NF',
      'Boleto',
      'Contrato 55',
      'Diária 2',
      'Nota',
      'Refeição 30',
    ],
    ...[
      'NF 55 limpeza da fachada',
      'Limpeza NF',
      'Aluguel sala 12',
      'Ref 11/2026',
      'Parcela 2',
      'Bolsa 2026',
      'Lote 7',
    ],
  ])('is none in any other column if its cell says more, or nothing: %s', async (cell) => {
    expect(await isStopped('Histórico', cell, cell)).toBe(false)
  })

  it.each(['', '-', 's/ nota', 's/n', 'S/N', 'a definir', 'sem NF', 'não há', 'isento', '—', 'n/a'])(
    'holds a digit, so that %j is none',
    async (cell) => {
      expect(await isStopped('NF', cell, cell)).toBe(false)
    },
  )

  it.each([
    ['NF 0012', 'nf-12'],
    ['12', 'N.F. 12'],
    ['NF-e nº 12', 'Nota Fiscal nº 12'],
    ['Recibo 12', '#12'],
    ['2026/0012', '2026-12'],
  ])('is the same as %s and as %s', async (one, other) => {
    expect(await isStopped('NF', one, other)).toBe(true)
  })

  it.each([
    ['12', '13'],
    ['A-12', 'B-12'],
    ['12-1', '12-2'],
    ['2026/1', '2025/1'],
    ['NF 1 e 2', 'NF 12'],
  ])('is another one as %s than as %s', async (one, other) => {
    expect(await isStopped('NF', one, other)).toBe(false)
  })

  it.each([
    ['Vencimento', '05/11/2026', '05/12/2026', '5/11/26'],
    ['Data de vencimento', '2026-11-05', '2026-12-05', '05/11/2026'],
    ['Parcela', '1/3', '2/3', '01/03'],
    ['Parc.', '1', '2', '1'],
    ['Nº da parcela', '1', '2', '01'],
    ['Série', 'A', 'B', 'a'],
    ['Série da NF', '1', '2', '1'],
  ])('is another payment with another %s', async (heading, first, second, same) => {
    expect(await isStopped(`NF;${heading}`, `7;${first}`, `7;${second}`)).toBe(false)
    expect(await isStopped(`NF;${heading}`, `7;${first}`, `7;${same}`)).toBe(true)
    // A row that does not say which it is may be the same.
    expect(await isStopped(`NF;${heading}`, `7;${first}`, '7;')).toBe(true)
  })

  const LINE = '34191.79001 01043.510047 91020.150008 5 84410026000'
  /** By the headings of the columns, two rows of one file with the same key and amount: true if a person would say that both are one bill. */
  const PAIRS: readonly (readonly [string, string, string, boolean])[] = [
    ['NF;Vencimento', '7;30/11/2026', '7;30/11', true],
    ['NF;Vencimento', '7;30/11', '7;30-nov', true],
    ['NF;Vencimento', '7;30/11/2026', '7;30-nov', true],
    ['NF;Vencimento', '7;30/11/26', '7;seg 30/11', true],
    ['NF;Vencimento', '7;2026-11-30', '7;até 30/11/2026', true],
    ['NF;Vencimento', '7;30.11', '7;30 de novembro', true],
    ['NF;Vencimento', '7;29/02', '7;29/02/2028', true],
    ['NF;Vencimento', '7;30/11/2026', '7;à vista', true],
    ['NF;Vencimento', '7;hoje', '7;30/11/2026', true],
    ['NF;Vencimento', '7;30/11/2026', '7;30/11/2027', false],
    ['NF;Vencimento', '7;30/11', '7;30/12', false],
    ['NF;Vencimento', '7;30/11/2026', '7;30/12', false],
    ['NF;Vencimento;Vencimento original', '7;30/11/2026;', '7;30/11/2026;30/10/2026', true],
    ['NF;Vencimento;Vencimento original', '7;;30/10/2026', '7;30/11/2026;', true],
    ['NF;Vencimento;Vencimento original', '7;30/11/2026;30/10/2026', '7;30/12/2026;30/10/2026', false],
    ['NF;Parcela', '7;2/3', '7;2', true],
    ['NF;Parcela', '7;1ª', '7;1', true],
    ['NF;Parcela', '7;1º', '7;01/03', true],
    ['NF;Parcela', '7;1/3', '7;1 de 3', true],
    ['NF;Parcela', '7;Parcela 2', '7;2ª parcela', true],
    ['NF;Parcela', '7;única', '7;1/1', true],
    ['NF;Parcela', '7;parc. 3', '7;3-3', true],
    ['NF;Parcela', '7;12', '7;1/2', false],
    ['NF;Parcela', '7;1ª', '7;2ª', false],
    ['NF;Parcela', '7;entrada', '7;1/2', false],
    ['NF;Parcela', '7;Sinal', '7;saldo', false],
    ['NF;Parcela', '7;A', '7;B', false],
    ['NF;Parcela', '7;nov/26', '7;dez/26', false],
    ['NF;Parcela', '7;-', '7;2', true],
    ['NF;Parcela;Vencimento', '7;1/2;30/11/2026', '7;1;30/12/2026', true],
    ['NF;Parcela;Vencimento', '7;1/2;30/11/2026', '7;2/2;30/11/2026', false],
    ['NF;Parcela;Vencimento', '7;1/2;30/11/2026', '7;;30/12/2026', false],
    ['NF;Parcela;Vencimento', '7;1/2;30/11/2026', '7;;30/11', true],
    ['NF;Série', '7;A', '7;', true],
    ['NF;Série', '7;Série 1', '7;1', true],
    ['NF;Série', '7;A', '7;B', false],
    ['NF;Pedido', ';55', '7;55', true],
    ['NF;Pedido', '7;', '7;55', true],
    ['NF;Pedido', '7;55', '8;55', false],
    ['NF;Pedido', '7;55', '7;56', false],
    ['NF;Pedido', '7;', ';55', false],
    ['NF;Pedido', '7;', ';7', true],
    ['Pedido;NF', '55;', '55;7', true],
    ['NF;Nosso número', ';109/00012-3', '7;109/00012-3', true],
    ['NF;Nosso número', '7;109/00012-3', '7;109/00013-1', false],
    ['Nosso número;Vencimento', '109/00012-3;30/11/2026', '109/12-3;05/12/2026', true],
    ['NF;Boleto', '7;1', '7;2', false],
    ['NF', '000.012.345', 'NF-e nº 12345', true],
    ['NF', '12.345', '12.346', false],
    ['Boleto', LINE, LINE.replace(/\D/g, ''), true],
    ['Boleto', LINE, LINE.replace('8 5', '9 5'), false],
    ['NF', 'NF 15 (2ª via)', '15', true],
    ['NF', '15 - segunda via', '15', true],
    ['NF', '15 (2a via)', '16 (2a via)', false],
    ['Fatura', 'Fat. 15', '15', true],
    ['Pedido', 'PED-15', '15', true],
    ['Pedido', 'PED-15', 'CT-15', false],
    ['Título', 'Dupl. 15', 'TIT 15', true],
    ['NF', 'NF 15 série 1', '15', true],
    ['NF', 'NF 15, série 1', 'NF 15 Série 01', true],
    ['NF', 'NF 15 série 1', 'NF 15 série 2', false],
    ['NF;Série', 'NF 15 série 1;', '15;1', true],
    ['NF;Série', 'NF 15 série 1;', '15;2', false],
    ['NF;Parcela', 'NF 15 parc. 1/2;', '15;1', true],
    ['NF;Parcela', 'NF 15 (parcela 1 de 2);', '15;2/2', false],
    ['NF', 'NF 15 - Novembro', '15', true],
    ['NF', 'NF15 11/2026', '15', true],
    ['NF', 'NF 15 (nov/26)', '15 ref. novembro de 2026', true],
    ['NF', 'NF 15 - Novembro', 'NF 15 - Dezembro', false],
    ['NF', 'NF 15 11/2026', 'NF 15 11/2027', false],
    ['NF', 'NF 15 11/2026', 'NF 15 - nov/26', true],
    ['NF', 'NF 15 nov. 26', 'NF 15 novembro', true],
    ['NF', 'NF 15 nov', 'NF 15 Novak', false],
    ['NFs', '15, 16', '16, 15', true],
    ['NFs', 'NF 15 e 16', 'NFs 16, 15', true],
    ['NFs', '15, 16', '15, 17', false],
    ['NF', '\uff11\uff15', '15', true],
    ['NF', '\uff2e\uff26 \uff11\uff15', '15', true],
  ]

  it.each(PAIRS)('is one of a bill (%s): %s and %s: %s', async (headings, first, second, isOneBill) => {
    expect(await isStopped(headings, first, second)).toBe(isOneBill)
    expect(await isStopped(headings, second, first)).toBe(isOneBill)
  })

  it('finds the one bill among many that share a number, and names what both rows have', async () => {
    const others = Array.from({ length: 3000 }, (_, n) => `a@b.co;10;${n + 1};55`)
    const found = await faults(`key;value;NF;Pedido\n${others.join('\n')}\na@b.co;10;NF 2900;55\n`)
    expect(found).toEqual(['3002 NF 2901'])
  })

  it.each(['11/2026', 'Nov/2026', 'novembro de 2026', 'nov/26', '2026-11'])(
    'is no month in a column Referência: %s',
    async (month) => {
      expect([await isStopped('Referência', month, month), await isStopped('Ref.', month, month)]).toEqual([
        false,
        false,
      ])
      expect(await isStopped('NF', month, month)).toBe(true)
    },
  )

  it('is not the key, whatever its column is called', async () => {
    const text = 'Boleto;value\n+5511987654321;10\n+5511987654321;10\n'
    expect(await faults(text, { map: ['key=Boleto'] })).toEqual([])
  })

  it('is no CPF or CNPJ in a column of documents', async () => {
    const [cpf, cnpj] = ['529.982.247-25', '11.222.333/0001-81']
    expect(await isStopped('CPF;Documento', `${cpf};${cpf}`, `${cpf};${cpf}`)).toBe(false)
    expect(await isStopped('CPF;Documento', `;${cnpj}`, `${cpf};52998224725`)).toBe(false)
    expect(await isStopped('CPF;Documento', `${cpf};NF 17`, `${cpf};17`)).toBe(true)
  })
})
