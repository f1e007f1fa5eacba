import { describe, expect, it } from 'vitest'
import { type BatchFileOptions, type BatchKind, judgeBatchFile, readBatchFile } from '../../../src/batch/batchFile.ts'
import { saysAllSettled } from '../../../src/pix/tableTitles.ts'
import { rawRow, rawWorkbook } from './rawWorkbook.ts'

describe('a title', () => {
  it.each([
    ...['Pagos', 'Pagas', 'PAGO', 'Contas pagas', 'Quitados', 'CONTAS PAGAS', 'BOLETOS PAGOS EM NOVEMBRO', 'Paid'],
    ...['ContasPagas', 'Contas_pagas', 'Relação de contas pagas', 'Pagamentos efetuados', 'Pagas nov', 'Pagos 2026-11'],
    ...['PAGAMENTOS DE NOV/2026 REALIZADOS', 'Pagamento realizado em 28/11', 'Títulos liquidados', 'Títulos baixados'],
    ...['Baixados', 'Baixado', 'Notas canceladas', 'Cancelados', 'Estornados', 'JÁ PAGO', 'PG', 'Paid invoices'],
    ...['Situação: Pago', 'Filtro: Situação = Quitado', 'Status: Liquidado', 'Status: concluído', 'Pix enviados'],
    ...['Feitos', 'Enviados', 'Concluídos', 'CONTAS PAGAS - 01/11/2026 a 30/11/2026', 'Valores pagos em novembro'],
    ...['Comissões pagas', 'COMISSÕES NOV PAGAS', 'Fornecedores pagos', 'NÃO PAGAR', 'Salários pagos nov', 'Suspensos'],
    ...['Lote enviado ao banco', 'Contas pagas e vencidas', 'Boletos pagos (nov)', 'Pagamentos já efetuados'],
    ...['Transferências realizadas', 'Folha paga', 'Pago por Ana em 05/11', 'Cheques compensados', 'Duplicados'],
    ...['Legenda: verde = pago, amarelo = pendente', 'Linhas em verde já foram pagas'],
  ])('says of all its rows that they are settled: %s', (title) => {
    expect(saysAllSettled(title, 'transfer')).toBe(true)
  })

  it.each([
    ...['PAGAMENTOS', 'Pagamentos de novembro', 'Contas a pagar', 'A pagar', 'Contas não pagas', 'Não pagos', 'Pagar'],
    ...[
      'Boletos a serem pagos',
      'A serem pagos em dezembro',
      'Contas pagas e a pagar',
      'unpaid',
      'Invoices to be paid',
    ],
    ...['Mercado Pago', 'Mercado Pago Instituição de Pagamento', 'Frete pago', 'Pré-pago', 'Empresa que paga: X'],
    ...['Serviços realizados', 'PAGAMENTOS DE SERVIÇOS REALIZADOS EM NOVEMBRO', 'Comissões sobre vendas pagas'],
    ...['REEMBOLSO DE DESPESAS PAGAS PELO FUNCIONÁRIO', 'Pagamento de comissões sobre faturas pagas'],
    ...['Repasses de mensalidades pagas', 'Reembolso de pedidos cancelados', 'Arquivo baixado em 28/11/2026'],
    ...[
      'Baixado em 28/11/2026 10:22',
      'Processado em 28/11/2026',
      'Emitido em 28/11/2026',
      'Plan1',
      'Folha',
      'Novembro',
    ],
    ...[
      'PIX',
      'Lote 12',
      'Remessa',
      'Total a pagar',
      'Total pago: R$ 100,00',
      'SUL COMPENSADOS LTDA',
      'Pg 1',
      'Página 1',
    ],
    ...['Situação: Em aberto', 'Situação: Todos', 'Status: Aprovado', 'Status: Pendente', 'Marcar PAGO após pagar'],
    ...['Se pago, escrever a data', 'Linhas riscadas = pagas', 'Em vermelho: vencidos', 'Em vermelho: não pagos'],
    ...['Folha de pagamento 11/2026', 'Fechamento nov', 'Fechado em 30/11', 'Pagamentos aprovados', 'Posto Sim'],
    ...['Estornos', 'Devoluções', 'Contas sem pagamento', 'Pagar até 05/12', 'Contas a pagar - pagamento em 30/11'],
  ])('says nothing of the kind: %s', (title) => {
    expect(saysAllSettled(title, 'transfer')).toBe(false)
  })

  it('of refunds says that they were made, not that their originals were paid', () => {
    const settled = [
      ...['Estornados', 'Devolvidos', 'Estornos efetuados', 'Devoluções pagas', 'Reembolsados', 'Status: Devolvido'],
      ...['REEMBOLSOS REALIZADOS EM NOV', 'Refunded', 'Pagamentos devolvidos', 'Não devolver'],
    ]
    const open = [
      ...['Estornos', 'Devoluções de novembro', 'Pagos', 'Pedidos devolvidos', 'Pedidos cancelados', 'Cancelados'],
      ...[
        'Contas pagas',
        'Devolver',
        'Vendas canceladas',
        'Estornos a realizar',
        'Pedidos pagos a devolver',
        'Refunds',
      ],
    ]
    expect([...settled, ...open].filter((title) => saysAllSettled(title, 'refund'))).toEqual(settled)
  })
})

const ROWS = ['Fornecedor;Chave Pix;Valor', 'Água;agua@example.com;10,00', 'Luz;luz@example.com;20,00']

/** How many rows of a file would be sent; its failure, if it is stopped. */
async function sent(bytes: string | Uint8Array, options: BatchFileOptions = {}, kind: BatchKind = 'transfer') {
  const file = await readBatchFile(Buffer.from(bytes), kind, { reference: 'contas', refundReason: 'x', ...options })
  const { count, faults } = await judgeBatchFile(file)
  expect(faults).toEqual([])
  return count
}

function workbook(...names: string[]): Uint8Array {
  const cells = ROWS.map((row, at) => rawRow(at + 1, row.split(';')))
  return rawWorkbook(...names.map((name) => ({ name, xml: `<sheetData>${cells.join('')}</sheetData>` })))
}

describe('a file whose rows are settled by its titles', () => {
  it('is stopped with all its rows, and sent if the header is typed', async () => {
    const text = ['CONTAS PAGAS;;', ';;', ...ROWS].join('\n')
    await expect(sent(text)).rejects.toMatchObject({
      code: 'FILE_MARKS',
      exitCode: 2,
      message:
        'By the file itself 2 rows are paid, cancelled, struck through, not by PIX or not clearly open, R$ 30,00',
      details: [
        'Line 1: `CONTAS PAGAS`',
        'Columns of the file: `Fornecedor`, `Chave Pix`, `Valor`',
        'Nothing was sent',
      ],
      hint: expect.stringContaining('--header-row 3'),
    })
    expect(await sent(text, { headerRow: 3 })).toBe(2)
    expect(await sent(text.replace('PAGAS', 'A PAGAR'))).toBe(2)
  })

  it('is stopped by the filter of a report, in two cells', async () => {
    await expect(sent(['Empresa:;Bar;', 'Situação:;Quitado;', ...ROWS].join('\n'))).rejects.toThrow(
      /^By the file itself/,
    )
    expect(await sent(['Empresa:;Bar;', 'Situação:;Em aberto;', ...ROWS].join('\n'))).toBe(2)
  })

  it('is stopped by what stands below the rows', async () => {
    await expect(sent([...ROWS, ';;', 'Tudo pago em 05/11 por Ana;;'].join('\n'))).rejects.toMatchObject({
      code: 'FILE_MARKS',
      details: expect.arrayContaining(['Line 5: `Tudo pago em 05/11 por Ana`']),
    })
    expect(await sent([...ROWS, ';;', 'Conferido por Ana;;'].join('\n'))).toBe(2)
  })

  it('is stopped by the name of its sheet, with the other sheets, and sent if the sheet is typed', async () => {
    await expect(sent(workbook('Pagos', 'A pagar'))).rejects.toMatchObject({
      code: 'FILE_MARKS',
      details: expect.arrayContaining(['The sheet is called `Pagos`', expect.stringContaining("--sheet 'A pagar'")]),
      hint: expect.stringContaining('--sheet Pagos'),
    })
    expect(await sent(workbook('Pagos', 'A pagar'), { sheet: 'A pagar' })).toBe(2)
    expect(await sent(workbook('Pagos'), { sheet: 'pagos' })).toBe(2)
    expect(await sent(workbook('A pagar', 'Pagos'))).toBe(2)
    expect(await sent(workbook('Pagamentos'))).toBe(2)
  })
})
