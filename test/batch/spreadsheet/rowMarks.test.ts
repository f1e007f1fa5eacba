import { describe, expect, it } from 'vitest'
import { type BatchFileOptions, type BatchKind, judgeBatchFile, readBatchFile } from '../../../src/batch/batchFile.ts'
import { UsageError } from '../../../src/wire/errors.ts'
import { OPEN_LISTS, SETTLED_LISTS } from './officeLists.ts'
import { MAIN, RELATIONSHIPS, rawRow, rawWorkbook } from './rawWorkbook.ts'

const TODAY = '2026-11-28'
type Marks = NonNullable<BatchFileOptions['marks']>

/** What is read of a file of transfers, or of refunds, on 28/11/2026. */
async function judged(text: string | Uint8Array, marks: Partial<Marks> = {}, options: BatchFileOptions = {}) {
  const kind: BatchKind = String(text).startsWith('originalTransactionId') ? 'refund' : 'transfer'
  const rules = { reference: 'contas', refundReason: 'returned', marks: { today: TODAY, ...marks }, ...options }
  const file = await readBatchFile(Buffer.from(text), kind, rules)
  const lines: number[] = []
  const judgement = await judgeBatchFile(file, ({ line }, isHeld) => {
    if (!isHeld) lines.push(line)
  })
  return { lines, faults: judgement.faults, ...judgement.marks }
}

/** The failure by which a file is stopped; undefined if it is sent. */
async function stopped(...args: Parameters<typeof judged>): Promise<UsageError | undefined> {
  try {
    await judged(...args)
    return undefined
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
}

/** Under which of these headings a cell stops a file. */
async function stopping(
  headings: readonly string[],
  cell: string,
  fields = 'key;value',
  row = 'a@b.co;10',
): Promise<string[]> {
  const cells = headings.map(() => `"${cell}"`)
  const failure = await stopped(`${[fields, ...headings].join(';')}\n${[row, ...cells].join(';')}\n`)
  if (failure !== undefined) expect(failure).toMatchObject({ code: 'FILE_MARKS', exitCode: 2 })
  return headings.filter((heading) => failure?.details.some((detail) => detail.startsWith(`\`${heading}\`: `)))
}

describe('a cell that says what became of its row', () => {
  const words = [
    ...['PAGO', 'paga', 'pagos', 'Pagas', 'quitado', 'QUITADA', 'cancelado', 'canceladas', 'baixado', 'estornado'],
    ...['liquidado', 'Liquidada', 'paid', 'Cancelled', 'canceled', 'refunded', 'devolvido', 'reembolsado', 'anulada'],
    ...[
      'pago 05/11',
      'Pago em 05/11/2026',
      'PAGO - 5/11',
      'pago (05/11/26)',
      'paid on 2026-11-05',
      'já pago',
      '(PAGO)',
    ],
    ...['Título pago', 'Pago com atraso', 'Pagamento efetuado', 'boleto pago', 'já paguei', 'pagamos', 'quitei ontem'],
    ...[
      'pago em dinheiro',
      'pago na hora',
      'pago no caixa',
      'não pagar mais',
      'fiz o pix',
      'transferi',
      'desconsiderar',
    ],
    ...['foi pago', '*** CANCELADO ***', 'Pago.', 'estornado dia 3/11', 'pago 30/11'],
  ]
  it.each(words)('counts in any column: %s', async (word) => {
    const headings = ['Observação', 'Situação', 'Coluna 7', 'NF']
    expect(await stopping(headings, word)).toEqual(headings)
  })

  it.each([
    ...['sim', 's', 'x', 'X', 'yes', 'Sim', '(x)', 'TRUE', 'verdadeiro', '✓', '✔️'],
    ...['05/nov', '5-nov-26', 'sexta 20/11', 'em 5 de novembro', 'ontem', '20261105', 'Sim - 05/11', 'Sim (Joana)'],
    ...['x 05/11', 's (Ana)', 'OK', 'ok 05/11', 'Baixa', 'com baixa', 'Pago parcial', 'Feito', 'transferida'],
    ...['27/11/2026', '05/11', '2026-11-27', '5/11/26', '27.11.2026', '2026-11-27 10:15:00'],
    ...['parcialmente pago', 'PAID_OUT', 'Concluído', 'Bloqueado'],
  ])('counts only where the heading asks: %s', async (cell) => {
    const headings = ['Situação', 'Status', 'Pago?', 'Pago em', 'Data de pagamento', 'Baixa', 'Cancelado', 'Dt. Pgto']
    expect(await stopping(headings, cell)).toEqual(headings)
    expect(
      await stopping(['Observação', 'Urgente', 'Retorno', 'Data', 'Emissão', 'Vencimento', 'Conta', 'Banco'], cell),
    ).toEqual([])
  })

  it.each([
    ...['ABERTO', 'Em aberto', 'a pagar', 'pendente', 'VENCIDO', 'não', 'n', 'N', 'no', '-', 'não pago', 'NÃO PAGA'],
    ...[
      'ainda não foi pago',
      'a ser pago',
      'aguardando pagamento',
      'unpaid',
      'not paid',
      '28/11/2026',
      '28/11',
      '30/11',
    ],
    ...['05/12/2026', 'vencido', 'open', 'false', 'autorizado', 'sem baixa', 'pagar'],
  ])('is open, and stops nobody: %s', async (cell) => {
    expect(
      await stopping(['Situação', 'Status do título', 'Pago?', 'Pago em', 'Data do pagamento', 'Observação'], cell),
    ).toEqual([])
  })

  it.each([
    ...['PAGO', 'Cancelado', 'CANCELADO - João Lima', 'João Lima - CANCELADO', 'João Lima (pago)', 'João [PAGO 05/11]'],
    ...['João – pago em 05/11', 'João -PAGO', 'PAGO: João', 'João - CANCELADO - SP'],
    ...[
      'João PAGO',
      'JOÃO LIMA PAGO',
      'João Lima pago',
      'João já pago',
      'João Lima PAGO 05/11',
      'PAGO João',
      'João pg',
    ],
    ...['Mercado Pago PAGO', 'MERCADO PAGO PAGO', 'Ana CANCELADA', 'maria cancelado', 'João PAGO PIX 05/11 Ana'],
    ...['Ana (CANC)', 'Ana - CANC', 'Ana (pago nov)', 'Ana - PAGO NOV', 'Ana (pago outubro)', 'Ana (pago parcial)'],
    ...['Ana (pgto ok)', 'Ana (ok pago)', 'Ana_PAGO', 'Ana Souza Pago 05/11', 'Ana - bloqueado', 'Ana (suspenso)'],
    ...['Ana (excluir)', 'Ana (duplicado)', 'Ana ✅', '✔ Ana', 'Ana - boleto pago'],
  ])('counts in a column of names: %s', async (name) => {
    const headings = ['Fornecedor', 'Nome', 'Razão Social']
    expect(await stopping(headings, name)).toEqual(headings)
  })

  it.each([
    ...[
      'Mercado Pago',
      'Mercado Pago (filial)',
      'Posto Sim',
      'Posto Sim - Centro',
      'X',
      'Sim',
      'Pague Menos',
      'Pago Pago Ltda',
    ],
    ...[
      'MERCADO PAGO',
      'mercado pago',
      'MERCADO PAGO LTDA',
      'PagSeguro',
      'João Pago',
      'Ana Paga',
      'Pago Fácil',
      'PAGO FÁCIL',
      'Posto PG',
      'POSTO SIM',
      'Casa dos Compensados',
      'SUL COMPENSADOS',
      'João não pago',
      'Quitado & Filhos',
      'Mercado-Pago',
      'Loja (Mercado Pago)',
      'Cancelado da Silva',
      'Paid Media Ltda',
      'Baixada Santista - SP',
      'Ana_não_PAGO',
      'Mercado Pago 05/11',
      'João Pago Nov',
    ],
  ])('is a name: %s', async (name) => {
    expect(await stopping(['Fornecedor', 'Nome', 'Favorecido'], name)).toEqual([])
  })

  it('is not looked for in the type of a key, the owner and a reason', async () => {
    const refund = 'originalTransactionId;amount;Motivo\n3c0a6b1e-8f52-4d7a-9c44-1b2e3f405162;10;Cancelado\n'
    expect(await stopped(refund)).toBeUndefined()
  })
})

describe('a column without a heading', () => {
  it.each(['x', 'ok', 'OK', 'sim', 'feito', '✔', '✅ Ana', 'PAGO', 'paguei'])(
    'says what became of its row: %s',
    async (tick) => {
      const failure = await stopped(`key;value;\na@b.co;10;${tick}\nc@d.co;20;\n`)
      expect([failure?.code, failure?.details[0]]).toEqual(['FILE_MARKS', expect.stringContaining('`#3`: ')])
    },
  )

  it.each(['urgente', '2', 'ligar antes', '05/11', '-', 'SP'])('may say anything else: %s', async (cell) => {
    expect(await stopped(`key;value;\na@b.co;10;${cell}\nc@d.co;20;\n`)).toBeUndefined()
  })
})

it('asks of the work what became of it where the rows are of work', async () => {
  for (const [headings, cells] of [
    ['Serviço;Realizado em', 'Poda;10/11/2026'],
    ['Data da realização;Curso', '10/11;Excel'],
    ['Executado em;Obra', '10/11;Muro'],
    ['Tipo de serviço;Concluído', 'Pintura;sim'],
  ])
    expect(await stopped(`key;value;${headings}\na@b.co;10;${cells}\n`)).toBeUndefined()
  for (const [headings, cells] of [
    ['Serviço;Pagamento realizado em', 'Poda;10/11/2026'],
    ['Serviço;Pago em', 'Poda;10/11/2026'],
    ['Serviço;Efetuado', 'Poda;sim'],
    ['Banco;Realizado em', 'Itaú;10/11/2026'],
    ['Serviço;Realizado', 'Poda;pago'],
  ])
    expect(await stopped(`key;value;${headings}\na@b.co;10;${cells}\n`)).toMatchObject({ code: 'FILE_MARKS' })
})

/** What the columns of an open list hold in an office, written by hand. */
const OPEN_CELLS: ReadonlyArray<readonly [heading: string, ...cells: string[]]> = [
  [
    'Situação',
    ...['Aberto', 'EM ABERTO', 'Aberta', 'Título em aberto', 'A Vencer', 'A vencer em 05/12', 'Vencido', 'vencida'],
    ...['VENCIDO HÁ 12 DIAS', 'Vencido desde 05/11', 'Vence hoje', 'Vence dia 30', 'Atrasado', 'Em atraso', 'Pendente'],
    ...['PENDENTE DE PAGAMENTO', 'Pendente aprovação', 'Pend.', 'A pagar', 'À PAGAR', 'A pagar dia 10', 'pagar sexta'],
    ...['Pagar até 30/11', 'Pagar na próxima semana', 'Agendado', 'Agendado p/ 30/11', 'Programado 05/12', 'Previsto'],
    ...['Previsto 28/11', 'Aprovado', 'APROVADO', 'Aprovado 20/11', 'Aprovado por Ana Lima', 'Aprovado pela diretoria'],
    ...[
      'Autorizado',
      'Autorizado pelo gestor 25/11',
      'Liberado',
      'Liberada p/ pagto',
      'Ok p/ pagamento',
      'OK para pagar',
    ],
    ...['Aguardando', 'Aguardando NF', 'aguardando boleto', 'Aguard. aprovação', 'Aguardando aprovação da diretoria'],
    ...[
      'Aguardando liberação de verba',
      'Novo',
      'Nova',
      'Ativo',
      'Normal',
      'Pronto p/ pagar',
      'Não pago',
      'Ñ pago',
      '',
    ],
    ...['N pago', 'N/pago', 'Não-pago', 'Não consta pago', 'Pago não', 'Pago: não', 'Ainda não pago', 'não foi pago'],
    ...['não paga ainda', 'não quitado', 'Não liquidada', 'Não baixado', 'S/ baixa', 'Sem baixa', 'Sem pagamento', '-'],
    ...['Pagamento não efetuado', 'Não compensado', 'A ser pago', 'Deve ser pago', 'Falta pagar', 'Urgente - pagar'],
    ...['Pagamento pendente', 'pgto. em aberto', 'Pode pagar', 'No prazo, a pagar', 'N/A', 'Em aberto (30 dias)'],
  ],
  [
    'Status',
    ...['Open', 'OPEN', 'Pending', 'Pending approval', 'pending payment', 'Unpaid', 'Not paid', 'Not yet paid', 'Due'],
    ...[
      'To be paid',
      'To pay',
      'Payable',
      'Overdue',
      'Past due',
      'Due 30/11',
      'due on 2026-12-05',
      'Outstanding',
      'New',
    ],
    ...['Scheduled', 'Scheduled for 2026-12-01', 'Approved', 'Authorised', 'Awaiting approval', 'Awaiting invoice'],
    ...[
      'Ready to pay',
      'Active',
      'Normal',
      'Planned',
      'not settled',
      'Ok to pay',
      'approved 2026-11-20',
      'Not cancelled',
    ],
  ],
  [
    'Pago?',
    'Não',
    'NÃO',
    'n',
    'N',
    'Ñ',
    'não ainda',
    'Ainda não',
    'No',
    'FALSE',
    'Falso',
    '0',
    '[ ]',
    '( )',
    '--',
    'Pendente',
  ],
  [
    'Pago em',
    '',
    '-',
    '  /  /  ',
    '00/00/0000',
    '0000-00-00',
    '05/12/2026',
    'sem data',
    'não pago',
    'a pagar',
    'Não há',
  ],
  [
    'Data de pagamento',
    '30/11/2026',
    '28/11',
    'hoje',
    '5-dez',
    'seg 30/11',
    'a pagar',
    'Sem previsão',
    'Previsto 05/12',
  ],
  ['Data liq.', '', '/  /', '30/12/2026', 'Em aberto'],
  ['Baixa', 'não', 'sem baixa', 'Pendente', ''],
  ['Cancelado', 'Não', 'N', 'false', '-', '0', 'Ativo'],
  ['Pagamento', 'PIX', 'Pix', 'transferência', 'À vista', '30 dias', '28/11', 'Pendente'],
  ['Payment status', 'Open', 'Pending', 'Unpaid', 'Scheduled'],
  ['Paid?', 'No', 'n', 'not yet', 'unpaid', ''],
  ['Paid on', '', 'n/a', '2026-12-05'],
  ['Pgto ok?', 'não', 'Pendente', ''],
  ['Conciliado', 'não', 'Não conciliado', 'N'],
  ['Situação do título', 'Em aberto', 'Vencido', 'A vencer'],
  ['Pagamento', 'Salário', 'Férias', 'Comissão', 'Adiantamento', 'Novembro', 'Salário novembro', '1 of 3'],
  [
    'Status',
    ...[
      'Aprovado (Carlos)',
      'APROVADO (CARLOS)',
      'Aprovado - Carlos Lima',
      'Aprovado (C. Souza)',
      'Liberado (Ana 20/11)',
    ],
    ...['aprovado p/ Carlos', 'Approved (John Smith)', 'Autorizado (diretoria)'],
  ],
  ['Data de pagamento', 'dia 05', 'Dia 5', 'até dia 10', 'todo dia 5', 'dia 28'],
  ['Pagamento', 'dia 05'],
  ['Data de pagamento', 'a combinar', 'à vista', '30 dias', '5º dia útil'],
  ['Situação', 'Ag. pagamento', 'Pendente (NF recebida)', 'A pagar em novembro', 'Devendo', 'Urgente'],
  ['Pago?', 'Não - falta NF', '☐', 'Não (agendado 05/12)', 'Não, pendente'],
  ['Status', 'Approved by Ana', 'Pay now', 'Will be paid'],
  ['Pagar?', 'Sim', 'x', '30/11', ''],
  ['Aprovado', 'Sim', '20/11/2026', 'N/A'],
  ['Em aberto', '10,00', 'Nº 12'],
  ['Hold', 'no', ''],
]

/** Headings about other things, with what stands below them in an open list. */
const OTHER_COLUMNS: ReadonlyArray<readonly [heading: string, ...cells: string[]]> = [
  ['Forma de pagamento', 'PIX', 'Pix ou TED', 'Transferência', 'à vista', '30/60 dias', '45', '', '-'],
  ['Payment method', 'pix', 'Bank transfer'],
  ['Tipo de pagamento', 'Salário', 'Fornecedor', 's', 'x'],
  ['paymentMethod', 'PAGBANK', 'Wallet'],
  ['Forma pagto', 'Pix', 'à vista'],
  ['Tipo', 'Fixo', 'Serviço', 'OK', 'sim', 'x'],
  [
    'Observação',
    'Pagamento do boleto 12',
    'boleto 12',
    'pagar por PIX',
    'pagamento com desconto',
    'Pagamento de frete',
    'conta paga por Ana',
    'ok',
    'pagar via pix',
    'NF 12 entregue',
    'Ñ pago',
    'N/pago',
  ],
  [
    'Observação',
    'Não-pago',
    'Pago não',
    'Pago: não',
    'to be paid',
    'não consta pago',
    'celular pré-pago',
    'Mercado-Pago',
  ],
  [
    'Descrição',
    'Frete pago na origem?',
    'Devolução de caução',
    'Cancelamento de contrato',
    'Pagamento 2/3',
    'Pré-pago TIM',
  ],
  ['Último pagamento', '05/11/2026', '05/11', 'R$ 10'],
  ['Data do último pagamento', '05/11/2026', '2026-10-05'],
  ['Última baixa', '05/11/2026'],
  ['Status NF', 'OK', 'Emitida', 'Recebida', 'Autorizada'],
  ['Status da nota', 'ok', 'Lançada'],
  ['Situação cadastral', 'Ativa', 'Inapta', 'OK'],
  ['Status do fornecedor', 'Homologado', 'Ativo'],
  ['Status do pedido', 'Entregue', 'Faturado', 'Concluído'],
  ['Estado', 'SP', 'PR', 'PA'],
  ['Filial', 'PG', 'SP'],
  ['Estado civil', 'Casado'],
  ['Delivery status', 'Delivered', 'ok'],
  ['Order status', 'Shipped', 'Completed'],
  ['Condição de pagamento', '30/60', 'à vista'],
  ['Documento', 'PG-1234', 'PG 1234'],
  ['Reembolso', 'Táxi', 'Hotel', 'sim'],
  ['Feito por', 'Ana'],
  ['Líq.', '10', '1500', ''],
  ['ST', '10'],
  ['ICMS ST', '10'],
  ['Data envio NF', '05/11/2026'],
  ['Pagamento 1', 'PIX', '30/11', ''],
  ['Pago nov/26', 'não', '', 'pendente'],
  ['Dt. Envio', '', '30/11'],
  ['Comprovante', 'recibo.pdf'],
  ['Nome do funcionário', 'Pago Fácil Ltda', 'Mercado Pago', 'Posto Sim', 'Paga Leve ME', 'Devolvido da Silva'],
  ['Status da OS', 'Concluída'],
  ['Status OS', 'Finalizada'],
  ['Efetivo', 'Sim'],
  ['Situação funcional', 'Afastado'],
  ['Bairro', 'Baixada'],
  ['Região', 'Baixada'],
  ['Departamento', 'PG'],
  ['Canal', 'Pago'],
  ['Plano', 'Pago'],
  [
    'Observação',
    'Frete: pago',
    'nf anterior cancelada',
    'Frete PAGO',
    'ainda não PAGO',
    'a ser PAGO dia 30',
    'Não paguei',
  ],
  ['Observação', 'ainda não paguei', 'valor PAGO a menor em outubro', 'a Ana pagou a diferença'],
  [
    'Observação',
    ...[
      `${'boleto pago cancelar pix '.repeat(400)}zzz`,
      'Cliente já pagou',
      'não excluir',
      'excluir NF 12 do relatório',
      'NF 12 em aberto',
      'pagar sem NF',
    ],
    ...['falta nota', 'Ainda não pago, falta NF', 'Ref. NF 12', 'Paid out of budget', 'Dr. Pago'],
    ...['cancelar o pedido anterior', 'Aluguel nov/26. A pagar.', 'ok pagar', '2x'],
    ...['segurar a NF', 'Pix ok para o João', 'suspender o contrato em maio', 'João não sabe se já pagou'],
  ],
  ['Conta de débito', '1234-5'],
  ['Boleto enviado', 'sim'],
]

it.each([...OPEN_CELLS, ...OTHER_COLUMNS])('stops nobody: the column %s of an open list', async (heading, ...cells) => {
  const rows = cells.map((cell) => `a@b.co;10;"${cell}"`)
  const failure = await stopped(`key;value;${heading}\n${rows.join('\n')}\n`)
  expect([failure?.message, failure?.details]).toEqual([undefined, undefined])
})

/** What is not understood as open, or says that it is not. */
const MARKED_CELLS: ReadonlyArray<readonly [heading: string, ...cells: string[]]> = [
  [
    'Situação',
    ...[
      'PIX ENVIADO',
      'PAGTO OK',
      'Pagamento confirmado',
      'PIX OK',
      'Baixa total',
      'Estorno',
      'Pgo',
      'Baixa ok',
      'Liq.',
    ],
    ...[
      'Baixa automática',
      'Quit.',
      'Canc',
      'Excluído',
      'Resolvido',
      'Caiu na conta',
      'Já foi',
      'Finalizada',
      'Entregue',
    ],
    ...[
      'não foi '.repeat(4000),
      'PARCIAL',
      'Suspenso',
      'Bloqueado',
      'Em disputa',
      'Reprovado',
      'Não aprovado',
      'Não autorizado',
      'NÃO PAGAR',
    ],
    ...[
      'Não será pago',
      'Não deve ser pago',
      'Aprovado e pago',
      'Aprovado por Ana, pago',
      'Aberto - pago 05/11',
      'Pix',
    ],
    ...['Pendente OK', 'Aberto ✓', '✔', '👍', '*', 'A', 'P', '2', 'dia 12', 'Pagamento dia 5', '05/11', 'Não enviar'],
    ...[
      'Agendado 20/11',
      'Programado p/ 05/11',
      'Liberado, enviado',
      'Vencido / transferido',
      'Aguardando compensação',
    ],
    ...[
      'Aprovado pelo Ivo enviado',
      'Lançado',
      'Remetido ao banco',
      'Não pendente',
      'Sem pendência',
      'nada a pagar',
      '"',
    ],
  ],
  [
    'Status',
    'Sent',
    'Done',
    'Remitted',
    'Do not pay',
    'Will not be paid',
    'On hold',
    'Closed',
    'No longer due',
    'Executed',
  ],
  ['Pago em', 'dia 12', '12112026', 'nov/26', 'novembro', '05/11', 'Itaú', 'R$ 10,00', '31/02/2026', 'ontem', 'sexta'],
  ['Data liq.', '12/11', '12/11/2026', '2026-11-12', 'liquidado'],
  ['Pago?', 'sim', 'S', 'ok', '1', 'Pago', 'x', '?', 'true', 'Ana', 'claro', 'pix', '☑'],
  ['Pagamento', 'PIX 05/11', 'PIX OK', 'Pix enviado', 'feito', 'sim', 'TED', 'Boleto', 'Cartão de crédito'],
  [
    'Forma de pagamento',
    'TED',
    'Boleto',
    'BOLETO BANCÁRIO',
    'Cartão',
    'Dinheiro',
    'Crédito em conta',
    'Débito automático',
  ],
  ['Forma Pgto', 'boleto', 'Cheque'],
  ['Modalidade de pagamento', 'DOC', 'DARF'],
  ['payment_method', 'Boleto', 'wire', 'cash'],
  ['Pagar via', 'TED'],
  [
    'Observação',
    'pagar por boleto',
    'pagar em dinheiro',
    'Débito automático',
    'Pgto via TED',
    'pagamento em dinheiro - Ana',
    'em débito automático',
  ],
  ['Nome', 'EXEMPLO', 'Fulano de Tal (exemplo)', 'Sample'],
  ['Observação', 'linha de exemplo', 'Exemplo de preenchimento', 'example row', 'Não pagar - exemplo'],
  ['Pago por', 'Ana'],
  ['Data do Pix', '05/11/2026'],
  ['Payment status', 'Sent', 'Completed', 'Settled', 'ok'],
  ['Status interno', 'ok', 'Transferido'],
  [
    'Observação',
    ...['PAGO DIA 10', 'Pago e quitado', 'pg', 'PG', 'NÃO PAGAR', 'Cancelada - NF errada', 'PAGO PIX 10/11 ANA', 'Pgo'],
    ...[
      'Pago 10,00 em 10/11',
      'Pago (Ana)',
      'pago por Ana',
      'PG DIA 10',
      'não pagar!',
      'Pago c/ cartão',
      'NF 12 / PAGO',
    ],
    ...[
      'Aluguel novembro - PAGO',
      'Aluguel novembro PAGO',
      'PAGO Aluguel',
      'pago ted 10/11',
      'Pago, conferido',
      'pago nov/26',
      'Pago em novembro',
      'Transferido 05/11 Ana',
      'Do not pay',
      'pago à vista',
    ],
  ],
  [
    'Nome',
    ...[
      'Ana-PAGO',
      'Ana (PG)',
      'Ana - NAO PAGAR',
      'Ana *PAGO*',
      'Ana / PAGO',
      'ANA/PAGO',
      'Ana [pago 05/11]',
      'PAGO - Ana',
    ],
    ...[
      'Ana (pago pix 10/11)',
      'Ana: cancelada',
      'Ana - pago dia 10',
      'Mercado Pago (PAGO)',
      'Ana (não pagar)',
      'Ana | quitado',
    ],
  ],
  [
    'Situação',
    'A ser cancelado',
    'Será cancelado',
    'Não pago, será cancelado',
    'a ser devolvido',
    'a ser baixado',
    'a ser encerrado',
    'A estornar',
  ],
  [
    'Situação',
    'Sem pagamento pendente',
    'Não há pagamento em aberto',
    'Sem pagamentos a fazer',
    'Não consta pagamento em aberto',
    'Sem baixa pendente',
  ],
  [
    'Situação',
    'Aguardando baixa',
    'Aguardando estorno',
    'Aguardando devolução',
    'Pendente de devolução',
    'No aguardo de estorno',
  ],
  [
    'Situação',
    'Aguardar',
    'Aguardar aprovação',
    'Falta aprovar',
    'Pronto, urgente',
    'Aprovado por engano',
    'Pronto',
    'nada',
    'Nenhum',
    '0',
    'Agendado outubro',
  ],
  [
    'Status',
    'To be cancelled',
    'To be voided',
    'To be refunded',
    'No payment due',
    'No payments outstanding',
    'not due',
    'Approved by mistake',
    'Ready',
  ],
  [
    'Status',
    ...[
      'Aprovado (pago)',
      'Aprovado (Enviado)',
      'Aprovado - paguei',
      'Aprovado (Pix feito)',
      'Aprovado (ok)',
      'Aprovado - x',
    ],
    ...[
      'Aprovado (Carlos, pago)',
      'Aprovado (quitou)',
      'Aprovado (ressalvas)',
      'Aprovado (baixa)',
      'Aprovado (Carlos) 👍',
    ],
  ],
  ['Data de pagamento', 'dia 20', 'dia 27', '5'],
  ['Pago?', 'Não, pago 20/11', 'Não. Pago 20/11', 'Não (pago)', 'Não - cancelado', 'nada'],
  ['Pagamento enviado', 'sim', 'x'],
  ['Enviado', 'sim', 'x', '20/11'],
  ['Enviado em', '20/11/2026'],
  ['Enviado ao banco', 'sim'],
  ['Remessa enviada', 'x'],
  ['Payment sent', 'yes'],
  ['Sent', 'yes', 'x'],
  ['Pix sent on', '2026-11-20'],
  ['Executado', 'sim'],
  ['Execução', '20/11'],
  ['Data de execução', '20/11/2026'],
  ['Debitado em', '20/11'],
  ['Data débito', '20/11'],
  ['PIX em', '20/11'],
  ['Pix', 'feito', 'Enviado'],
  ['Transf. em', '20/11'],
  ['Fechado', 'Sim'],
  ['Closed', 'yes'],
  ['Processed', 'yes'],
  ['Transfer date', '2026-11-20'],
  ['Wired on', '2026-11-20'],
  ['State', 'closed'],
  ['Progress', 'done'],
  ['Motivo cancelamento', 'NF errada'],
  ['Bloqueio', 'Sim'],
  ['Quem pagou', 'Maria'],
  ['Pagar?', 'Não', 'N', 'no', '0', 'Não - em disputa'],
  ['Em aberto?', 'Não'],
  ['Pendente', 'Não'],
  ['Aprovado', 'Não', 'não aprovado', 'False', 'Reprovado', 'Recusada - NF errada'],
  ['Liberado?', 'não'],
  ['Autorizado', 'n'],
  ['Incluir?', 'Não'],
  ['Enviar?', 'não'],
  ['Pay?', 'no'],
  ['Approved?', 'No'],
  ['Open?', 'no'],
  ['Outstanding', 'No'],
  ['Pendência', 'Nenhuma', 'Sem pendência'],
  ['Hold', 'yes', 'x'],
  ['Excluir', 'x', 'sim'],
  [
    'Observação',
    'pagamento efetuado 20/11',
    'paguei 20/11',
    'Pix enviado 20/11',
    'pago ok',
    'pago adiantado',
    'pago integral',
    'NF cancelada',
    ...['ok pago', 'NF 12 cancelada', 'NF 12 paga', 'Ref. NF 12 pago', 'SEGURAR PAGAMENTO', 'segurar pgto'],
    ...['cancelar pagamento', 'favor desconsiderar', 'Carlos já pagou', 'Pago conforme comprovante', 'pago sem NF'],
    ...['pago falta nota', 'pago mas falta NF', 'pago aguardando recibo', 'Aluguel nov/26. Pago.', 'pago 2x'],
    ...['Pgto OK', 'pix ok', 'excluir', 'suspender', 'não efetuar', 'duplicado', 'Pagamento em duplicidade'],
  ],
  ['Nome', 'Gráfica Sul... PAGO', 'Gráfica Sul… PAGO'],
]

it.each(MARKED_CELLS)('stops a file: what is no open cell of the column %s', async (heading, ...cells) => {
  const quoted = cells.map((cell) => `a@b.co;10;"${cell.replaceAll('"', '""')}"`)
  const rows = heading === 'Nome' ? quoted : [...quoted, 'a@b.co;10;']
  const failure = await stopped(`key;value;${heading}\n${rows.join('\n')}\n`)
  const [column = ''] = failure?.details ?? []
  expect(failure?.message).toContain(`${cells.length} row`)
  expect(column).toContain(`\`${heading}\`: `)
})

it('reads no column that is mapped as a mark', async () => {
  const text = 'Chave;Pagamento;Situação\na@b.co;10,50;aberto\n'
  const mapped = await judged(text, {}, { map: ['value=Pagamento'] })
  expect([mapped.faults, mapped.lines]).toEqual([[], [2]])
})

it('names the rows that are sent in its hint, and the way where it understands none', async () => {
  const hint = async (...cells: string[]) =>
    (await stopped(`key;value;Pago?\n${cells.map((cell) => `a@b.co;10;${cell}`).join('\n')}\n`))?.hint
  expect(await hint('sim', 'Ñ pago')).toMatch(/^Add `--only 'Pago\?=Ñ pago'`/)
  // What a yes or a no asks for is not certain.
  expect(await hint('sim', 'não')).toMatch(/^Add `--only 'Pago\?=…'`/)
  expect((await stopped(refundFile('Refund?', ['yes', 'no'])))?.hint).toMatch(/^Add `--only 'Refund\?=…'`/)
  expect(await hint('lançado', 'quitou')).toMatch(/^Add `--only 'Pago\?=…'`.*`--ignore-column 'Pago\?'`/)
  expect(await hint('sim', 'sim')).toMatch(/^Remove these rows, or add `--ignore-column 'Pago\?'`/)
})

/** The lines that a failure names as settled. */
function markedLines(failure: UsageError | undefined): number[] {
  const lists = failure?.details.flatMap((detail) => [...detail.matchAll(/\(lines? ([\d, ]+)\)/g)]) ?? []
  const lines = lists.flatMap(([, numbers = '']) => numbers.split(', ').map(Number))
  return [...new Set(lines)].toSorted((one, other) => one - other)
}

describe('a list of an office', () => {
  it.each(SETTLED_LISTS.map((each) => [each.what, each] as const))('names what is settled: %s', async (_, list) => {
    const failure = await stopped(list.rows.join('\n'))
    expect([failure?.code, markedLines(failure)]).toEqual(['FILE_MARKS', list.settled])
    expect(failure?.message).toMatch(list.settled.length === 1 ? /1 row is/ : RegExp(`${list.settled.length} rows are`))
  })

  it.each(OPEN_LISTS.map((each) => [each.what, each] as const))('is sent as it is: %s', async (_, { rows }) => {
    expect((await judged(rows.join('\n'))).lines).toEqual(rows.slice(1).map((_row, place) => place + 2))
  })
})

it.each([
  ...['PG', 'Pg?', 'Data Pag.', 'Está pago?', 'Pagou?', 'Pagamento feito?', 'Pagamento realizado', 'Pagto ok?'],
  ...[
    'Data Pgto Realizado',
    'Dt Pagamento Efetivo',
    'Data (pagamento)',
    'Pago (data)',
    'Efetuado',
    'Concluído',
    'Feito',
  ],
  ...['Conciliado?', 'DT_PAGTO', 'DTBAIXA', 'dataPagamento', 'Pago [x]', 'PAGO (S/N)', 'Pago/Não pago', 'Conta paga?'],
  ...[
    'Status pgto',
    'Situação do título',
    'Pix enviado?',
    'Pag. Realiz.',
    'Transferido',
    'Pagamento confirmado',
    'Não pagar',
  ],
  ...[
    'St. Pgto',
    'Situac.',
    'Quitado/Aberto',
    'Pago/Em aberto?',
    'Pendente/Pago',
    'Liq?',
    'LIQ.',
    'PAGUEI',
    'Pago nov',
    'Pago Nov/26',
  ],
  ...['PAGO NOVEMBRO', 'Pgto 1', 'PGTO1', '1º pgto', '2o pagamento', 'Pagamento 1', 'Data pgto 1', 'Pgto real'],
  ...['Data real pgto', 'Data Efetiva', 'Data Efetivação', 'Dt transf.', 'Data Transf', 'Data envio PIX', 'Dt. Envio'],
  ...['Data Compens.', 'Comprovante?', 'Contabilizado'],
])('is an answer to the heading %s', async (heading) => {
  for (const cell of ['sim', 'x', 'ok', '05/nov']) expect(await stopping([heading], cell)).toEqual([heading])
})

it.each([
  ...[
    'Forma de pagamento',
    'Tipo de pagamento',
    'Banco',
    'Banco pagador',
    'Nº pagamento',
    'Data para pagamento',
    'Pagar em',
  ],
  ...[
    'Pagar?',
    'A pagar',
    'Não pago',
    'Condição de pagamento',
    'Previsão de pagamento',
    'Pagamento previsto',
    'Conta',
    'Pix',
  ],
  ...['Status do pedido', 'Aprovado', 'Recebido', 'Conferido', 'Confirmado', 'Nota', 'Data', 'Mercado Pago'],
])('is no answer to the heading %s', async (heading) => {
  for (const cell of ['sim', 'x', '05/nov', '27/11/2026', 'OK']) expect(await stopping([heading], cell)).toEqual([])
})

describe('refunds', () => {
  const refund = (heading: string, cell: string) =>
    stopping([heading], cell, 'originalTransactionId;amount', '3c0a6b1e-8f52-4d7a-9c44-1b2e3f405162;10').then(
      ({ length }) => length === 1,
    )

  it('are stopped by what says that they were made, not by what says that the original was paid', async () => {
    for (const paid of ['PAGO', 'paid', 'quitado', 'Liquidado']) {
      for (const heading of ['Situação', 'Status', 'Observação'])
        expect([paid, await refund(heading, paid)]).toEqual([paid, false])
    }
    for (const [heading, cell] of [
      ['Pago?', 'sim'],
      ['Pago em', '05/11/2026'],
      ['Data de pagamento', '05/11/2026'],
      ['Pagamento efetuado', 'ok'],
      ...['Cancelado', 'baixada', 'ANULADO', 'void', 'cancelado 05/11'].flatMap((cell) =>
        ['Situação', 'Status', 'Observação', 'Cancelado'].map((each) => [each, cell] as const),
      ),
    ] as const) {
      expect([heading, await refund(heading, cell)]).toEqual([heading, false])
    }
    for (const back of ['estornado', 'Devolvido', 'reembolsada', 'refunded']) {
      for (const heading of ['Situação', 'Observação'])
        expect([back, await refund(heading, back)]).toEqual([back, true])
    }
    for (const heading of [
      'Estornado?',
      'Devolvido',
      'Reembolso',
      'Estorno efetuado?',
      'Devolução paga?',
      'Status do estorno',
    ])
      expect([heading, await refund(heading, 'sim')]).toEqual([heading, true])
  })
})

/** What says below a heading of a file of refunds that the refund was made, or may have been. */
const MADE_REFUNDS: ReadonlyArray<readonly [heading: string, ...cells: string[]]> = [
  [
    'Situação',
    'Estorno realizado',
    'Devolução concluída',
    'Reembolso efetuado',
    'Concluído',
    'Já devolvemos',
    'PIX OK',
  ],
  [
    'Status',
    'Estorno realizado',
    'Concluído',
    'Refunded',
    'Completed',
    'Done',
    'Estorno',
    'Pago e estornado',
    'sim',
    '05/11',
  ],
  ['Pago de volta', 'sim', 'x', '05/11/2026'],
  ['Status estorno', 'pago', 'Quitado', 'Concluído', 'ok', 'cancelado'],
  ['Devolução', 'pago', 'Quitado', 'feita', '05/11', 'sim'],
  ['Data da devolução', '05/11/2026', 'dia 12'],
  ['Ressarcido?', 'sim', 'S', 'Ana'],
  ['Restituído', 'sim', 'ok'],
  ['Refund status', 'Paid', 'Sent', 'Done'],
  ['Reembolsado em', '05/11'],
  ['Concluído', 'sim', 'ok'],
  [
    'Observação',
    'estornado',
    'Devolvido 05/11 Ana',
    'NÃO ESTORNAR',
    'NF errada - estornado',
    'ressarcida',
    'Restituído',
  ],
  ['Situação', 'a ser cancelado', 'Será cancelado', 'Sem devolução pendente', 'nada'],
  ['Status', 'no refund due', 'To be voided'],
  ['Devolver?', 'Não'],
  ['Estornar?', 'Não', 'N'],
  ['Refund?', 'no', 'done', '2026-11-20'],
  ['Estorno', 'sim', 'não', 'feito'],
  ['Refund sent', 'yes'],
  ['Hold', 'yes'],
  ['Cliente', 'Maria - devolvido'],
  ['Observação', 'Estorno feito 20/11', 'estorno efetuado'],
]

/** What says nothing of the refund, or that it is still to be made. */
const OPEN_REFUNDS: ReadonlyArray<readonly [heading: string, ...cells: string[]]> = [
  [
    'Situação',
    ...[
      'Pago',
      'PAGO 05/11',
      'Pago via Pix 05/11',
      'quitado',
      'Liquidado',
      'Cancelado',
      'Pedido cancelado',
      'baixado',
      '',
    ],
    ...[
      'A devolver',
      'Estornar',
      'Não estornado',
      'Pendente',
      'Aguardando devolução',
      'Aprovado',
      'Devolução aprovada',
    ],
  ],
  ['Status', 'paid', 'Settled', 'cancelled', 'Paid 2026-11-05', 'Pending', 'Not refunded', 'approved'],
  ['Pago?', 'sim', 'x', 'ok'],
  ['Data de pagamento', '05/11/2026'],
  ['Status pgto', 'pago', 'ok', 'Confirmado'],
  ['Cancelado em', '05/11/2026', 'sim'],
  ['Status estorno', 'Pendente', 'a fazer', '', 'não', 'Não pago'],
  ['Estornado?', 'não', 'N', '-', 'ainda não'],
  ['Devolução', '', 'pendente', '30/11'],
  ['Status do pedido', 'Entregue', 'Cancelado', 'ok'],
  ['Motivo', 'Estorno realizado', 'Devolvido', 'Cancelado'],
  ['Observação', 'PAGO', 'cancelado', 'devolver hoje', 'não estornado', 'cliente pediu estorno'],
  ['Devolução', 'total', 'parcial'],
  ['Reembolso', 'integral'],
  ['Status', 'Estorno solicitado', 'Solicitado', 'Refund requested', 'To be refunded'],
  ['Situação', 'A ser estornado', 'A devolver', 'Aguardando devolução'],
  ['Status do pedido', 'Devolvido'],
  ['Devolver?', 'Sim'],
  ['Estornar?', 'Sim'],
  ['Refund?', 'yes'],
]

function refundFile(heading: string, cells: readonly string[]): string {
  const rows = cells.map((cell, place) => `3c0a6b1e-8f52-4d7a-9c44-1b2e3f4051${62 + place};10;${cell}`)
  return `originalTransactionId;amount;${heading}\n${rows.join('\n')}\n`
}

it.each(MADE_REFUNDS)('stops a file of refunds: the column %s', async (heading, ...cells) => {
  const failure = await stopped(refundFile(heading, cells))
  expect(failure?.message).toContain(`${cells.length} row`)
})

it.each(OPEN_REFUNDS)('stops no file of refunds: the column %s', async (heading, ...cells) => {
  expect((await stopped(refundFile(heading, cells)))?.details).toBeUndefined()
})

const BILLS = [
  'Fornecedor;Chave Pix;Valor;Vencimento;Situação',
  'Água;agua@cia.com.br;10,50;05/11/2026;PAGO',
  'Luz;;30,30;28/11/2026;Cancelado',
  'Gás;gas@cia.com.br;40,40;30/11/2026;Aberto',
  'Aluguel;rua@casa.com.br;1.000,00;05/12/2026;VENCIDO',
  'Internet;net@cia.com.br;60,00;;aberto',
].join('\n')

it('names each value with its count and sum, and all columns of the file', async () => {
  const failure = await stopped(BILLS)
  expect(failure).toMatchObject({ code: 'FILE_MARKS', exitCode: 2, outcome: 'not-sent' })
  expect(failure?.message).toBe(
    'By the file itself 2 rows are paid, cancelled, struck through, not by PIX or not clearly open, R$ 40,80',
  )
  expect(failure?.details).toEqual([
    '`Situação`: `PAGO` 1, R$ 10,50 (line 2); `Cancelado` 1, R$ 30,30 (line 3); `Aberto` 1, R$ 40,40; `VENCIDO` 1, R$ 1.000,00; `aberto` 1, R$ 60,00',
    'Columns of the file: `Fornecedor`, `Chave Pix`, `Valor`, `Vencimento`, `Situação`',
    'Nothing was sent',
  ])
  expect(failure?.hint).toMatch(/--only 'Situação=…'.*--ignore-column 'Situação'/)
})

describe('--only', () => {
  it.each([
    [['Situação=ABERTO|VENCIDO'], [4, 5, 6]],
    [['situacao = aberto'], [4, 6]],
    [['SITUAÇÃO!=pago|cancelado'], [4, 5, 6]],
    [['Situação=aberto', 'Valor<=50'], [4]],
    [['Situação!=pago|cancelado', 'Vencimento<=30/11/2026'], [4]],
    [['Situação!=pago|cancelado', 'Vencimento>2026-11-30'], [5]],
    [['Situação!=pago|cancelado', 'vencimento='], [6]],
    [['Situação=aberto|vencido', 'Valor=1000'], [5]],
    [
      ['Situação=aberto|vencido', 'Valor>=60,00'],
      [5, 6],
    ],
    [['Situação=aberto|vencido', 'Valor<R$ 60,00'], [4]],
    [['Situação=pago'], [2]],
  ])('%j sends the lines %j', async (only, lines) => {
    const read = await judged(BILLS, { only })
    expect(read.lines).toEqual(lines)
    expect(read.notSelected?.rows).toBe(5 - lines.length)
  })

  it('counts the sum of what it does not select, and does not judge it', async () => {
    expect(await judged(BILLS, { only: ['Situação!=pago|cancelado'] })).toMatchObject({
      faults: [],
      notSelected: { rows: 2, cents: 4080 },
    })
  })

  it.each([
    ['Situação!=PAGO', [2, 3, 4]],
    ['Situação!=PAGO|pago 05/11', [3, 4]],
    ['value<=30', [2, 3, 4, 5]],
    ['Situação=ABERTO|PAGA', []],
  ])('leaves what it does not name as good to be judged: %s', async (only, marked) => {
    const rows = ['Pago 05/11', 'pago parcial', 'PAGA', 'PAGO', 'aberto'].map((cell) => `a@b.co;10;${cell}`)
    const failure = await stopped(`key;value;Situação\n${rows.join('\n')}\n`, { only: [only] })
    expect([failure?.code, markedLines(failure)]).toEqual([marked.length > 0 ? 'FILE_MARKS' : undefined, marked])
  })

  it('reads days as people write them', async () => {
    const days = ['30/nov', '1-dez-26', 'sexta 27/11', '30 de novembro', '01/12', 'seg 30/11/2026']
    const rows = days.map((day) => `a@b.co;10;${day}`)
    const read = await judged(`key;value;Vencimento\n${rows.join('\n')}\n`, { only: ['Vencimento<=30/11/2026'] })
    expect([read.faults, read.lines]).toEqual([[], [2, 4, 5, 7]])
  })

  it.each([
    ['Sit=aberto', '`--only Sit=aberto`: the file has no column `Sit`'],
    ['Situação=foo', 'No row of the file is selected by `--only Situação=foo`'],
    ['Vencimento<=abc', '`--only Vencimento<=abc`: `abc` is neither a day nor an amount'],
    ['Valor<10|20', '`--only Valor<10|20`: `10|20` is neither a day nor an amount'],
    ['Situação', '`--only Situação` is not a column and what its cells are to be'],
  ])('is refused: %s', async (only, message) => {
    expect(await stopped(BILLS, { only: [only] })).toMatchObject({ exitCode: 2, message })
  })

  it('is a fault of a cell that it cannot compare', async () => {
    const { faults } = await judged('key;value;Vencimento\na@b.co;10;01/12/2026\nc@d.co;20;logo\n', {
      only: ['Vencimento>=01/12/2026'],
    })
    expect(faults).toMatchObject([
      { line: 3, column: 'Vencimento', message: expect.stringContaining('cannot be compared') },
    ])
  })

  it('finds a column whose name holds an operator', async () => {
    const text = 'key;value;A=B?\na@b.co;10;1\nc@d.co;20;2\n'
    expect((await judged(text, { only: ['A=B?=2'] })).lines).toEqual([3])
  })
})

it('judges neither what --ignore-column names nor the columns of a results file', async () => {
  const options = { ignoreColumns: ['Situação'] }
  expect((await judged(BILLS.replace(';;30', ';luz@cia.com.br;30'), {}, options)).lines).toEqual([2, 3, 4, 5, 6])
  expect(await stopped('key;value;Nome\na@b.co;10;CANCELADO\n', {}, { ignoreColumns: ['Nome'] })).toBeUndefined()
  const results =
    'line,key,value,externalId,idTransaction,outcome,status,errorCode,message,sentAt\n2,a@b.co,10,x-1,,not-sent,PAID,,,\n'
  expect(await stopped(results)).toBeUndefined()
})

/** A workbook of three payments; the cells of the second have the style that is struck through where `struck` has a letter of their column. */
function struckWorkbook(struck: string, inRow = ''): Uint8Array {
  const style = (column: string) => (struck.includes(column) ? ' s="1"' : '')
  const cell = (column: string, row: number, inner: string) =>
    `<c r="${column}${row}"${row === 3 ? style(column) : ''} t="inlineStr"><is>${inner}</is></c>`
  const rows = [
    rawRow(1, ['Fornecedor', 'Chave Pix', 'Valor', 'Obs']),
    rawRow(2, ['Maria', 'maria@example.com', { number: '10.5' }, 'a']),
    `<row r="3">${cell('A', 3, inRow || '<t>Ana</t>')}${cell('B', 3, '<t>ana@example.com</t>')}<c r="C3"${style('C')}><v>20</v></c>${cell('D', 3, '<t>b</t>')}</row>`,
    rawRow(4, ['Rui', 'rui@example.com', { number: '5' }, 'c']),
  ]
  const styles = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="3"><font><sz val="11"/></font><font><strike/></font><font><strike val="0"/></font></fonts><cellXfs count="3"><xf numFmtId="0" fontId="0"/><xf numFmtId="0" fontId="1"/><xf numFmtId="0" fontId="2"/></cellXfs><dxfs><dxf><font><strike/></font></dxf></dxfs></styleSheet>`
  return rawWorkbook(
    { name: 'Folha', xml: `<sheetData>${rows.join('')}</sheetData>` },
    {
      relationships: [`<Relationship Id="s" Type="${RELATIONSHIPS}/styles" Target="styles.xml"/>`],
      parts: { 'xl/styles.xml': Buffer.from(styles) },
    },
  )
}

describe('a row that is struck through', () => {
  it.each(['A', 'B', 'C', 'ABCD'])('stops the run if the cell of its name, key or amount is: %s', async (columns) => {
    const failure = await stopped(struckWorkbook(columns))
    expect(failure).toMatchObject({
      code: 'FILE_MARKS',
      message: 'By the file itself 1 row is paid, cancelled, struck through, not by PIX or not clearly open, R$ 20,00',
    })
    expect(failure?.details[0]).toBe('Struck through: 1, R$ 20,00 (line 3)')
    expect(failure?.hint).toMatch(/--skip-struck.*--include-struck/)
  })

  it('is sent or left out as an option says', async () => {
    expect(await judged(struckWorkbook('ABCD'), { struck: 'include' })).toMatchObject({
      lines: [2, 3, 4],
      struck: { rows: 1 },
    })
    expect(await judged(struckWorkbook('ABCD'), { struck: 'skip' })).toMatchObject({
      lines: [2, 4],
      struck: { rows: 1, cents: 2000 },
      isStruckLeftOut: true,
    })
  })

  it.each([
    [
      'all parts of a text',
      '<r><rPr><strike/></rPr><t>A</t></r><r><t> </t></r><r><rPr><strike val="1"/></rPr><t>na</t></r>',
      'FILE_MARKS',
    ],
    ['a part of a text', '<r><rPr><strike/></rPr><t>An</t></r><r><t>a</t></r>', undefined],
    ['nothing', '<r><rPr><strike val="false"/></rPr><t>Ana</t></r>', undefined],
  ])('may have it in the format of its text: %s', async (_, inRow, code) => {
    expect((await stopped(struckWorkbook('', inRow)))?.code).toBe(code)
  })

  it('is not one of which only a note is', async () => {
    expect((await judged(struckWorkbook('D'))).lines).toEqual([2, 3, 4])
  })
})

const STYLES = `<styleSheet xmlns="${MAIN}"><dxfs><dxf><fill/></dxf><dxf><font><strike/></font></dxf><dxf><font><strike val="0"/></font></dxf><dxf><numFmt numFmtId="170" formatCode="&quot;1,00&quot;"/></dxf><dxf><numFmt numFmtId="171" formatCode="#,##0.00"/></dxf><dxf><numFmt numFmtId="172" formatCode="dd/mm/yyyy"/></dxf></dxfs></styleSheet>`

/** A workbook of two payments with XML behind its rows and comments. */
function annotatedWorkbook({ after = '', comments = '' }: { after?: string; comments?: string }): Uint8Array {
  const rows = [
    ['Fornecedor', 'Chave Pix', 'Valor', 'Obs'],
    ['Maria', 'maria@example.com', { number: '10.5' }, 'a'],
    ['Ana', 'ana@example.com', { number: '20' }, 'b'],
  ].map((cells, at) => rawRow(at + 1, cells))
  return rawWorkbook(
    { name: 'Folha', xml: `<sheetData>${rows.join('')}</sheetData>${after}` },
    {
      relationships: [`<Relationship Id="s" Type="${RELATIONSHIPS}/styles" Target="styles.xml"/>`],
      parts: {
        'xl/styles.xml': Buffer.from(STYLES),
        'xl/worksheets/_rels/sheet1.xml.rels': Buffer.from(
          `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="c" Type="${RELATIONSHIPS}/comments" Target="../comments1.xml"/></Relationships>`,
        ),
        'xl/comments1.xml': Buffer.from(`<comments xmlns="${MAIN}"><commentList>${comments}</commentList></comments>`),
      },
    },
  )
}

function rule(places: string, format: number): string {
  return `<conditionalFormatting sqref="${places}"><cfRule type="expression" dxfId="${format}" priority="1"><formula>$D2="ok"</formula></cfRule></conditionalFormatting>`
}

const NEWER_RULE = `<extLst><ext xmlns:n="urn:newer" xmlns:m="urn:main"><n:conditionalFormattings><n:conditionalFormatting><n:cfRule type="expression"><m:f>Outra!A1</m:f><n:dxf><font><strike/></font></n:dxf></n:cfRule><m:sqref>A3:C3</m:sqref></n:conditionalFormatting></n:conditionalFormattings></ext></extLst>`

describe('a conditional format', () => {
  it.each([
    ['strikes all rows through', rule('A2:D3', 1), ['2, R$ 30,50 (lines 2, 3)']],
    ['strikes some of several places through', rule('F1 C3:C9', 1), ['1, R$ 20,00 (line 3)']],
    ['is one of whole columns', rule('A:C', 1), ['2, R$ 30,50 (lines 2, 3)']],
    ['has its format in itself', NEWER_RULE, ['1, R$ 20,00 (line 3)']],
    ['strikes only a note through', rule('D2:D3', 1), []],
    ['only colours', rule('A2:D3', 0), []],
    ['strikes nothing through', rule('A2:D3', 2), []],
  ])('stops the run if it may strike a payment through: %s', async (_, after, counts) => {
    const details = (await stopped(annotatedWorkbook({ after })))?.details ?? []
    const expected = counts.map((count) => `Perhaps struck through, by a conditional format: ${count}`)
    expect(details.filter((detail) => detail.startsWith('Perhaps'))).toEqual(expected)
    expect((await judged(annotatedWorkbook({ after }), { struck: 'include' })).lines).toEqual([2, 3])
  })

  it('is not answered by leaving out what is struck through', async () => {
    const workbook = annotatedWorkbook({ after: rule('A3', 1) })
    expect((await stopped(workbook, { struck: 'skip' }))?.code).toBe('FILE_MARKS')
    expect((await judged(workbook, { only: ['Obs=a'] })).lines).toEqual([2])
  })

  it.each([
    [3, ['shows `1,00`, but holds `20`']],
    [4, []],
    [5, ['shows `1900-01-19`, but holds `20`']],
  ])('is a fault of an amount of which it may show another one: %i', async (format, said) => {
    const { lines, faults } = await judged(annotatedWorkbook({ after: rule('C3', format) }))
    expect(faults.map(({ line, message }) => [line, message])).toEqual(
      said.map((words) => [3, expect.stringContaining(words)]),
    )
    expect(lines).toEqual([2, 3].slice(0, 2 - said.length))
  })
})

describe('a comment', () => {
  it.each([
    ['Pago', true],
    ['Ana:\nPago dia 12/11', true],
    ['cancelado', true],
    ['não pagar', true],
    ['conferir com a Ana', false],
    ['pagar até sexta', false],
    ['não pago', false],
  ])('stops the run if it says of its row that it is settled: %j', async (text, isSettled) => {
    const comments = `<comment ref="D3" authorId="0"><text><r><t xml:space="preserve">${text}</t></r></text></comment>`
    const failure = await stopped(annotatedWorkbook({ comments }))
    expect(failure?.details[0]).toBe(
      isSettled ? `\`Comments\`: \`${text.replace('\n', ' | ')}\` 1, R$ 20,00 (line 3)` : undefined,
    )
    expect((await judged(annotatedWorkbook({ comments }), { only: ['Obs=a'] })).lines).toEqual([2])
  })
})
