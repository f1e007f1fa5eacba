import { rawRow, rawWorkbook } from '../batch/spreadsheet/rawWorkbook.ts'

/** A statement as a bank or a wallet exports it, with invented data in its layout. */
export interface BankFile {
  bank: string
  format: 'CSV' | 'TXT' | 'OFX' | 'Excel'
  /** For the page: what is peculiar to it. */
  note: { en: string; pt: string }
  content: string | readonly (readonly string[])[]
  encoding?: 'latin1'
  /** Whether it names the other side of a payment. */
  hasNames: boolean
  /** What is said of parts that are not read. */
  remark?: RegExp
}

/**
 * What each of the files says, in cents with the sign of the direction: on 26 November Rita Moraes paid R$ 64,20, on the 27th the bank took a fee of R$ 1,45, and
 * on the 28th R$ 430,00 went to Otavio Lins.
 */
export const RIGHT = [
  { day: '2026-11-26', cents: 6420, name: 'Rita Moraes' },
  { day: '2026-11-27', cents: -145, name: null },
  { day: '2026-11-28', cents: -43_000, name: 'Otavio Lins' },
] as const

const PLAIN = { en: '', pt: '' }

interface OfxQuirks {
  /** Written behind each tag; empty in files without closing tags. */
  isClosed?: boolean
  amount?: (text: string) => string
  day?: (text: string) => string
  texts: readonly [received: string, fee: string, sent: string]
  tag?: 'NAME' | 'MEMO'
  head?: string
  more?: string
}

function ofx({
  isClosed = true,
  amount = String,
  day = String,
  texts,
  tag = 'MEMO',
  head,
  more = '',
}: OfxQuirks): string {
  const field = (name: string, text: string) => `<${name}>${text}${isClosed ? `</${name}>` : ''}\r\n`
  const entry = ([type, on, sum, text]: readonly string[], place: number) =>
    `<STMTTRN>\r\n${field('TRNTYPE', type ?? '')}${field('DTPOSTED', day(on ?? ''))}${field('TRNAMT', amount(sum ?? ''))}${field('FITID', `N1000${place}`)}${field(tag, text ?? '')}</STMTTRN>\r\n`
  const entries = [
    ['CREDIT', '20261126', '64.20', texts[0]],
    ['DEBIT', '20261127', '-1.45', texts[1]],
    ['DEBIT', '20261128', '-430.00', texts[2]],
  ].map(entry)
  return [
    head ?? 'OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nENCODING:USASCII\r\nCHARSET:1252\r\n\r\n',
    `<OFX>\r\n<BANKMSGSRSV1><STMTTRNRS><STMTRS>\r\n${field('CURDEF', 'BRL')}<BANKTRANLIST>\r\n${field('DTSTART', '20261101')}${field('DTEND', '20261130')}`,
    ...entries,
    `${more}</BANKTRANLIST>\r\n<LEDGERBAL>${field('BALAMT', '470.00')}</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\r\n`,
  ].join('')
}

const csv = (...lines: readonly string[]) => `${lines.join('\r\n')}\r\n`

export const BANK_FILES: readonly BankFile[] = [
  {
    bank: 'Itaú',
    format: 'TXT',
    note: { en: 'no header: day, text, amount', pt: 'sem cabeçalho: dia, texto, valor' },
    content: csv(
      '26/11/2026;PIX TRANSF RITA MO26/11;64,20',
      '27/11/2026;TAR PIX PGTO;-1,45',
      '28/11/2026;PIX TRANSF OTAVIO 28/11;-430,00',
    ),
    hasNames: true,
  },
  {
    bank: 'Itaú',
    format: 'Excel',
    note: {
      en: 'what is below “lançamentos futuros” is not read',
      pt: 'o que está abaixo de “lançamentos futuros” não é lido',
    },
    content: [
      ['Atualização:', '30/11/2026 às 10:00:00'],
      ['Lançamentos'],
      ['data', 'lançamento', 'ag./origem', 'valor (R$)', 'saldos (R$)'],
      ['25/11/2026', 'SALDO ANTERIOR', '', '', '837.25'],
      ['26/11/2026', 'PIX TRANSF RITA MO26/11', '', '64.20'],
      ['27/11/2026', 'TAR PIX PGTO', '', '-1.45'],
      ['28/11/2026', 'PIX TRANSF OTAVIO 28/11', '', '-430.00'],
      ['28/11/2026', 'SALDO TOTAL DISPONÍVEL DIA', '', '', '470.00'],
      ['Lançamentos futuros'],
      ['30/12/2026', 'PIX AGENDADO ANA SOUZA', '', '-99.00'],
    ],
    hasNames: true,
    remark: /has not happened yet: what is below `Lançamentos futuros`/,
  },
  {
    bank: 'Bradesco',
    format: 'CSV',
    note: {
      en: 'names on lines of their own; “Últimos Lançamentos” is read, other tables are named',
      pt: 'nomes em linhas próprias; “Últimos Lançamentos” é lido, outras tabelas são apontadas',
    },
    encoding: 'latin1',
    content: csv(
      'Extrato de: Ag: 1000 | Conta: 20000-1 | Entre 01/11/2026 e 27/11/2026',
      'Data;Histórico;Docto.;Crédito (R$);Débito (R$);Saldo (R$);',
      '25/11/26; SALDO ANTERIOR;;;;"837,25";',
      '26/11/26; Transfe Pix;1357500;"64,20";;"901,45";',
      ';Rem: Rita Moraes 26/11;;;;;',
      '27/11/26; Tarifa Bancaria;1357501;;"-1,45";"900,00";',
      ';;Total;"64,20";"-1,45";"900,00";',
      'Os dados acima têm como base 27/11/2026 às 10h00 e estão sujeitos a alterações.',
      'Últimos Lançamentos',
      'Data;Histórico;Docto.;Crédito (R$);Débito (R$);Saldo (R$);',
      '28/11/26; Transfe Pix;1357502;;"-430,00";"470,00";',
      ';Des: Otavio Lins 28/11;;;;;',
      'Saldos Invest Fácil',
      'Data;Histórico;Valor (R$);',
      '28/11/26;RESGATE INVEST FACIL;"1.000,00";',
    ),
    hasNames: true,
    remark: /the other table from line 14, with the columns `Data`, `Histórico`, `Valor \(R\$\)`/,
  },
  {
    bank: 'Banco do Brasil',
    format: 'CSV',
    note: { en: '“Entrada” and “Saída” in a column', pt: '“Entrada” e “Saída” em uma coluna' },
    encoding: 'latin1',
    content: csv(
      '"Data","Lançamento","Detalhes","N° documento","Valor","Tipo Lançamento"',
      '"25/11/2026","Saldo Anterior","","","837,25",""',
      '"26/11/2026","Pix - Recebido","26/11 08:12 00011144477735 RITA MORAES","90101","64,20","Entrada"',
      '"27/11/2026","Tarifa Pix Enviado","","90104","1,45","Saída"',
      '"28/11/2026","Pix - Enviado","28/11 10:00 Otavio Lins","90100","430,00","Saída"',
      '"30/11/2026","S A L D O","","","470,00",""',
    ),
    hasNames: true,
  },
  {
    bank: 'Banco do Brasil',
    format: 'CSV',
    note: { en: 'older form', pt: 'forma antiga' },
    encoding: 'latin1',
    content: csv(
      '"Data","Dependencia Origem","Histórico","Data do Balancete","Número do documento","Valor",',
      '"26/11/2026","0000-0","Pix - Recebido - 26/11 08:12 RITA MORAES","","90101","64.20",',
      '"27/11/2026","0000-0","Tarifa Pix Enviado","","90104","-1.45",',
      '"28/11/2026","0000-0","Pix - Enviado - 28/11 10:00 Otavio Lins","","90100","-430.00",',
    ),
    hasNames: true,
  },
  {
    bank: 'Banco do Brasil',
    format: 'Excel',
    note: {
      en: '“Inf.” tells the direction, the name is in “Detalhamento Hist.”',
      pt: '“Inf.” diz a direção, o nome está em “Detalhamento Hist.”',
    },
    content: [
      [
        'Data',
        'observacao',
        'Data balancete',
        'Numero Documento',
        'Historico',
        'Valor R$ ',
        'Inf.',
        'Detalhamento Hist.',
      ],
      ['31/10/2026', '', '', '0', 'Saldo Anterior', '837.25', 'C', ''],
      ['26/11/2026', '', '', '90101', 'Pix - Recebido', '64.20', 'C', '26/11 08:12 RITA MORAES'],
      ['27/11/2026', '', '', '90104', 'Tarifa Pix Enviado', '1.45', 'D', ''],
      ['28/11/2026', '', '', '90100', 'Pix - Enviado', '430.00', 'D', '28/11 10:00 Otavio Lins'],
      ['28/11/2026', '', '', '0', 'S A L D O', '470.00', 'C', ''],
    ],
    hasNames: true,
  },
  {
    bank: 'Banco do Brasil',
    format: 'Excel',
    note: {
      en: 'for companies: `C` and `D` in columns without headings, names on lines of their own',
      pt: 'para empresas: `C` e `D` em colunas sem título, nomes em linhas próprias',
    },
    content: [
      ['Extrato conta corrente'],
      ['Lançamentos'],
      ['Dt. balancete', 'Dt. movimento', 'Ag. origem', 'Lote', 'Histórico', 'Documento', 'Valor R$', '', 'Saldo'],
      ['31/10/2026', '', '0000', '00000', '000 Saldo Anterior', '0', '837,25', 'C', '837,25', 'C'],
      ['26/11/2026', '26/11/2026', '0000', '14397', '821 Pix - Recebido', '90101', '64,20', 'C', '', ''],
      ['', '', '', '', '26/11 08:12 RITA MORAES', '', '', '', '', ''],
      ['27/11/2026', '27/11/2026', '0000', '13105', '435 Tarifa Pix Enviado', '90104', '1,45', 'D', '', ''],
      ['28/11/2026', '28/11/2026', '0000', '13105', '144 Pix - Enviado', '90100', '430,00', 'D', '470,00', 'C'],
      ['', '', '', '', '28/11 10:00 Otavio Lins', '', '', '', '', ''],
      ['28/11/2026', '', '0000', '00000', '999 S A L D O', '', '470,00', 'C', '', ''],
    ],
    hasNames: true,
  },
  {
    bank: 'Caixa',
    format: 'TXT',
    note: { en: '“Deb_Cred”, days as `20261128`; without names', pt: '“Deb_Cred”, dias como `20261128`; sem nomes' },
    content: csv(
      '"Conta";"Data_Mov";"Nr_Doc";"Historico";"Valor";"Deb_Cred"',
      '"0009000000000017";"20261126";"261101";"CRED PIX";"64.20";"C"',
      '"0009000000000017";"20261127";"271101";"TAR PIX";"1.45";"D"',
      '"0009000000000017";"20261128";"281101";"ENVIO PIX";"430.00";"D"',
    ),
    hasNames: false,
  },
  {
    bank: 'Santander',
    format: 'CSV',
    note: {
      en: 'what is below “Lançamentos provisionados” is not read',
      pt: 'o que está abaixo de “Lançamentos provisionados” não é lido',
    },
    content: csv(
      'EXTRATO DE CONTA CORRENTE',
      'Agência;1000;Conta;13000001',
      'Data;Histórico;Documento;Valor (R$);Saldo (R$)',
      '25/11/2026;SALDO ANTERIOR;;;837,25',
      '26/11/2026;PIX RECEBIDO RITA MORAES;000000;64,20;',
      '27/11/2026;TARIFA PIX;000000;-1,45;',
      '28/11/2026;PIX ENVIADO OTAVIO LINS;000000;-430,00;470,00',
      'Lançamentos provisionados',
      'Data;Histórico;Documento;Valor (R$);Saldo (R$)',
      '05/12/2026;PIX AGENDADO ANA SOUZA;000000;-99,00;',
    ),
    hasNames: true,
    remark: /what is below `Lançamentos provisionados`, from line 9/,
  },
  {
    bank: 'Santander',
    format: 'Excel',
    note: { en: 'credits and debits in two columns', pt: 'créditos e débitos em duas colunas' },
    content: [
      ['AGENCIA', '1000'],
      ['Data', '', 'Descrição', 'Docto', 'Situação', 'Crédito (R$)', 'Débito (R$)', 'Saldo (R$)'],
      ['26/11/2026', '', 'PIX RECEBIDO RITA MORAES', '0', '', '64.20', '', ''],
      ['27/11/2026', '', 'TARIFA PIX', '0', '', '', '-1.45', ''],
      ['28/11/2026', '', 'PIX ENVIADO OTAVIO LINS', '0', '', '', '-430.00', '470.00'],
      ['TOTAL', '', '', '', '', '64.20', '-431.45', ''],
    ],
    hasNames: true,
  },
  {
    bank: 'Santander',
    format: 'Excel',
    note: {
      en: 'for companies: sums and provisions below the table',
      pt: 'para empresas: somas e provisões abaixo da tabela',
    },
    content: [
      ['AGENCIA', '1000', 'CONTA', '13000001'],
      ['Data', '', 'Histórico', 'Documento', 'Valor (R$)', 'Saldo (R$)'],
      ['26/11/2026', '', 'PIX RECEBIDO             RITA MORAES', '0', '64,20', ''],
      ['27/11/2026', '', 'TARIFA PIX', '0', '-1,45', ''],
      ['28/11/2026', '', 'PIX ENVIADO              OTAVIO LINS', '0', '-430,00', '470,00'],
      ['', '', 'TOTAL', '', '-367,25', ''],
      ['Saldo de Conta Corrente em 28/11/2026', '', '', '', '470,00', ''],
      ['Provisão de Encargos', '', '', '', '0,50', ''],
      ['p = Lançamento Provisionado'],
    ],
    hasNames: true,
  },
  {
    bank: 'Nubank',
    format: 'CSV',
    note: PLAIN,
    content: csv(
      'Data,Valor,Identificador,Descrição',
      '26/11/2026,64.20,6a1f0c2e-0001-4000-8000-000000000000,Transferência recebida pelo Pix - Rita Moraes - •••.444.777-•• - ITAÚ UNIBANCO S.A. (0341) Agência: 1 Conta: 200-2',
      '27/11/2026,-1.45,6a1f0c2e-0004-4000-8000-000000000000,Tarifa de serviço',
      '28/11/2026,-430.00,6a1f0c2e-0000-4000-8000-000000000000,Transferência enviada pelo Pix - OTAVIO LINS - •••.222.333-•• - BCO BRADESCO S.A. (0237) Agência: 1 Conta: 100-1',
    ),
    hasNames: true,
  },
  {
    bank: 'Inter',
    format: 'CSV',
    note: PLAIN,
    content: csv(
      '\ufeff Extrato Conta Corrente ',
      'Conta ;100000001',
      'Período ;01/11/2026 a 30/11/2026',
      'Saldo ;470,00',
      '',
      'Data Lançamento;Histórico;Descrição;Valor;Saldo',
      '26/11/2026;Pix recebido;Rita Moraes;64,20;901,45',
      '27/11/2026;Tarifa;;-1,45;900,00',
      '28/11/2026;Pix enviado ;Otavio Lins;-430,00;470,00',
    ),
    hasNames: true,
  },
  {
    bank: 'Inter',
    format: 'CSV',
    note: { en: 'quotes inside cells', pt: 'aspas dentro das células' },
    content: csv(
      ' Extrato Conta Corrente ',
      'Conta ;100000001',
      'Período ;01/11/2026 a 30/11/2026',
      'Saldo: ;470,00',
      '',
      'Data Lançamento;Descrição;Valor;Saldo',
      '28/11/2026;Pix enviado: "Cp :90000001-Otavio Lins";-430,00;470,00',
      '27/11/2026;Tarifa;-1,45;900,00',
      '26/11/2026;Pix recebido: "Cp :90000002-Rita Moraes";64,20;901,45',
    ),
    hasNames: true,
  },
  {
    bank: 'C6 Bank',
    format: 'CSV',
    note: { en: 'the name is in “Título”', pt: 'o nome está em “Título”' },
    content: csv(
      'EXTRATO DE CONTA CORRENTE C6 BANK',
      '',
      'Data Lançamento,Data Contábil,Título,Descrição,Entrada(R$),Saída(R$),Saldo do Dia(R$)',
      '26/11/2026,26/11/2026,Pix recebido de Rita Moraes,TRANSF RECEBIDA PIX,64.20,0.00,901.45',
      '27/11/2026,27/11/2026,Tarifa Pix,TARIFA,0.00,1.45,900.00',
      '28/11/2026,30/11/2026,Pix enviado para Otavio Lins,TRANSF ENVIADA PIX,0.00,430.00,470.00',
    ),
    hasNames: true,
  },
  {
    bank: 'Sicoob',
    format: 'Excel',
    note: {
      en: '`D` and `C` behind the amounts, names on lines of their own',
      pt: '`D` e `C` depois dos valores, nomes em linhas próprias',
    },
    content: [
      ['SICOOB', 'EXTRATO CONTA CORRENTE'],
      ['DATA', 'DOCUMENTO', 'HISTÓRICO', 'VALOR'],
      ['25/11/2026', '', 'SALDO ANTERIOR', '837,25C'],
      ['25/11/2026', '', 'SALDO BLOQ.ANTERIOR', '0,00*'],
      ['26/11/2026', 'Pix', 'PIX RECEB.OUTRA IF', '64,20C'],
      ['', '', 'REM.: RITA MORAES', ''],
      ['27/11/2026', 'TAR', 'TARIFA PIX', '1,45D'],
      ['28/11/2026', 'Pix', 'PIX EMIT.OUTRA IF', '430,00D'],
      ['', '', 'FAV.: OTAVIO LINS', ''],
      ['28/11/2026', '', 'SALDO DO DIA', '470,00C'],
      ['RESUMO'],
      ['SALDO EM CONTA-CORRENTE(+):', '', '', '470,00C'],
      ['LIMITE CHEQUE ESPECIAL(+):', '', '', '500,00'],
    ],
    hasNames: true,
  },
  {
    bank: 'Sicredi',
    format: 'CSV',
    note: {
      en: 'what is below “Lançamentos Futuros” is not read',
      pt: 'o que está abaixo de “Lançamentos Futuros” não é lido',
    },
    content: csv(
      'Associado:;OFICINA MODELO LTDA',
      'Conta:;10000-1',
      '',
      'Data;Descrição;Documento;Valor (R$);Saldo (R$)',
      ';SALDO ANTERIOR;;;837,25',
      '26/11/2026;RECEBIMENTO PIX 11144477735 RITA MORAES;PIX_CRED;64,20;901,45',
      '27/11/2026;TARIFA PIX;TAR;-1,45;900,00',
      '28/11/2026;PAGAMENTO PIX 22233344405 OTAVIO LINS;PIX_DEB;-430,00;470,00',
      'Lançamentos Futuros',
      '05/12/2026;PAGAMENTO PIX ANA SOUZA;PIX_DEB;-99,00;',
    ),
    hasNames: true,
    remark: /what is below `Lançamentos Futuros`/,
  },
  {
    bank: 'Mercado Pago',
    format: 'CSV',
    note: {
      en: 'activities: the net amount is read, each heading ends in a code',
      pt: 'atividades: é lido o valor líquido, há um código depois de cada título',
    },
    content: csv(
      'Número da operação (operation_id);Data da compra (date_created);Status da operação (status);Valor do produto (transaction_amount);Tarifa (mercadopago_fee);Valor total recebido (net_received_amount);Contraparte (counterpart_name)',
      '70000000001;26/11/2026 08:12:31;approved;65,00;-0,80;64,20;Rita Moraes',
      '70000000002;27/11/2026 11:02:03;approved;-1,45;0,00;-1,45;',
      '70000000003;28/11/2026 10:00:00;approved;-430,00;0,00;-430,00;Otavio Lins',
    ),
    hasNames: true,
  },
  {
    bank: 'Mercado Pago',
    format: 'CSV',
    note: { en: 'totals above, days as `28-11-2026`', pt: 'totais no início, dias como `28-11-2026`' },
    content: csv(
      'INITIAL_BALANCE;CREDITS;DEBITS;FINAL_BALANCE',
      '837,25;64,20;-431,45;470,00',
      '',
      'RELEASE_DATE;TRANSACTION_TYPE;REFERENCE_ID;TRANSACTION_NET_AMOUNT;PARTIAL_BALANCE',
      '26-11-2026;Transferência Pix recebida Rita Moraes;70000000001;64,20;901,45',
      '27-11-2026;Tarifa;70000000002;-1,45;900,00',
      '28-11-2026;Transferência Pix enviada Otavio Lins;70000000003;-430,00;470,00',
    ),
    hasNames: true,
  },
  {
    bank: 'Mercado Pago',
    format: 'CSV',
    note: {
      en: 'releases: net credits and net debits, the opening balance and the total on lines of the table',
      pt: 'liberações: créditos e débitos líquidos, saldo inicial e total em linhas da tabela',
    },
    content: csv(
      'DATE;SOURCE_ID;EXTERNAL_REFERENCE;RECORD_TYPE;DESCRIPTION;NET_CREDIT_AMOUNT;NET_DEBIT_AMOUNT;GROSS_AMOUNT;MP_FEE_AMOUNT;PAYER_NAME',
      '2026-11-25T00:00:00.000-03:00;;;initial_available_balance;;837.25;0.00;837.25;0.00;',
      '2026-11-26T09:11:02.000-03:00;70000000001;;release;payment;64.20;0.00;64.85;-0.65;Rita Moraes',
      '2026-11-27T09:11:02.000-03:00;70000000002;;release;fee;0.00;1.45;-1.45;0.00;',
      '2026-11-28T10:12:33.000-03:00;70000000003;;release;payout;0.00;430.00;-430.00;0.00;Otavio Lins',
      '2026-11-30T00:00:00.000-03:00;;;total;;901.45;431.45;470.00;-0.65;',
    ),
    hasNames: true,
  },
  {
    bank: 'PagBank',
    format: 'CSV',
    note: {
      en: 'balances on lines of their own, named in “TIPO”',
      pt: 'saldos em linhas próprias, com o nome em “TIPO”',
    },
    content: csv(
      'CODIGO DA TRANSACAO;DATA;TIPO;DESCRICAO;VALOR',
      'A1B2C3D4-0001;26/11/2026;Pix recebido;Rita Moraes;64,20',
      ';26/11/2026;Saldo do dia;;901,45',
      'A1B2C3D4-0002;27/11/2026;Tarifa;;-1,45',
      'A1B2C3D4-0003;28/11/2026;Pix enviado;Otavio Lins;-430,00',
    ),
    hasNames: true,
  },
  {
    bank: 'PagBank',
    format: 'CSV',
    note: {
      en: 'transactions: the net amount is read, the name is in “Cliente_Nome”',
      pt: 'transações: o valor líquido é lido, o nome está em “Cliente_Nome”',
    },
    encoding: 'latin1',
    content: csv(
      'Transacao_ID;Cliente_Nome;Cliente_Email;Debito_Credito;Tipo_Transacao;Status;Tipo_Pagamento;Valor_Bruto;Valor_Desconto;Valor_Taxa;Valor_Liquido;Data_Transacao;Data_Compensacao',
      '"A1B2C3D4-0001";"Rita Moraes";"";"Crédito";"Pagamento";"Disponível";"Pix";"64,85";"0,00";"0,65";"64,20";"26/11/2026 09:11:02";"26/11/2026 09:11:05"',
      '"A1B2C3D4-0002";"";"";"Débito";"Tarifa";"Completa";"";"1,45";"0,00";"0,00";"1,45";"27/11/2026 09:11:02";"27/11/2026 09:11:05"',
      '"A1B2C3D4-0003";"Otavio Lins";"";"Débito";"Transferência";"Completa";"Pix";"430,00";"0,00";"0,00";"430,00";"28/11/2026 10:12:33";"28/11/2026 10:12:40"',
    ),
    hasNames: true,
  },
  {
    bank: 'Cora',
    format: 'CSV',
    note: { en: 'the name is in “Identificação”', pt: 'o nome está em “Identificação”' },
    content: csv(
      'Data,Transação,Tipo Transação,Identificação,Valor',
      '26/11/2026,Transf Pix recebida,CRÉDITO,Rita Moraes,64.20',
      '27/11/2026,Tarifa Pix,DÉBITO,,-1.45',
      '28/11/2026,Transf Pix enviada,DÉBITO,Otavio Lins,-430.00',
    ),
    hasNames: true,
  },
  {
    bank: 'Efí',
    format: 'CSV',
    note: { en: 'the name is in “Tipo”', pt: 'o nome está em “Tipo”' },
    content: csv(
      '"Tipo";"Protocolo";"Data";"Valor"',
      '"Pix recebido • Rita Moraes";"300000015";"26/11/2026";"64,20"',
      '"Tarifa";"300000016";"27/11/2026";"-1,45"',
      '"Pix enviado • Otavio Lins";"300000017";"28/11/2026";"-430,00"',
    ),
    hasNames: true,
  },
  {
    bank: 'Asaas',
    format: 'CSV',
    note: {
      en: 'amounts without signs, “Tipo do lançamento” tells the direction',
      pt: 'valores sem sinal, “Tipo do lançamento” diz a direção',
    },
    content: csv(
      'Extrato de movimentações da conta;01/11/2026 a 30/11/2026',
      'Data;Transação;Tipo de transação;Descrição;Valor;Saldo;Tipo do lançamento',
      '26/11/2026;500000001;Cobrança recebida;Cobrança recebida - Rita Moraes;64,20;901,45;Crédito',
      '27/11/2026;500000002;Taxa de Pix;Tarifa Pix;1,45;900,00;Débito',
      '28/11/2026;500000003;Transferência Pix;Transferência via Pix para Otavio Lins;430,00;470,00;Débito',
    ),
    hasNames: true,
  },
  {
    bank: 'Stone',
    format: 'CSV',
    note: { en: 'the other side is in “Destino” or “Origem”', pt: 'a outra parte está em “Destino” ou “Origem”' },
    content: csv(
      'Movimentação,Tipo,Valor,Saldo antes,Saldo depois,Tarifa,Data,Situação,Destino,Destino Documento,Destino Instituição,Origem,Origem Documento,Origem Instituição,Descrição',
      'Débito,Pix,"430,00","900,00","470,00","0,00",28/11/2026 10:00,Concluído,Otavio Lins,***.333.444-**,Banco Um,Oficina Modelo Ltda,12.345.678/0001-95,Stone,',
      'Débito,Tarifa,"1,45","901,45","900,00","0,00",27/11/2026 09:00,Concluído,Stone,16.501.555/0001-57,Stone,Oficina Modelo Ltda,12.345.678/0001-95,Stone,',
      'Crédito,Pix,"64,20","837,25","901,45","0,00",26/11/2026 08:00,Concluído,Oficina Modelo Ltda,12.345.678/0001-95,Stone,Rita Moraes,***.444.777-**,Banco Dois,',
    ),
    hasNames: true,
  },
  {
    bank: 'Itaú',
    format: 'CSV',
    note: { en: 'in English', pt: 'em inglês' },
    content: csv(
      'Name;OFICINA MODELO LTDA',
      'date;description;branch/origin;amount (R$);balance (R$)',
      '25/11/2026;PREVIOUS BALANCE;;;837,25',
      '26/11/2026;PIX TRANSF RITA MO26/11;;64,20;',
      '27/11/2026;TAR PIX PGTO;;-1,45;',
      '28/11/2026;PIX TRANSF OTAVIO 28/11;;-430,00;',
      '28/11/2026;TOTAL AVAILABLE BALANCE;;;470,00',
    ),
    hasNames: true,
  },
  {
    bank: 'BTG Pactual',
    format: 'Excel',
    note: { en: 'begins in the second column', pt: 'começa na segunda coluna' },
    content: [
      ['', 'Extrato de conta corrente'],
      ['', 'Período', '01/11/2026 a 30/11/2026'],
      ['', 'Data e hora', 'Categoria', 'Transação', 'Descrição', '', 'Valor'],
      ['', '26/11/2026 08:12', 'Transferência', 'Pix recebido', 'Rita Moraes', '', '64.20'],
      ['', '26/11/2026', '', '', 'Saldo Diário', '', '901.45'],
      ['', '27/11/2026 00:00', 'Tarifa', 'Tarifa', '', '', '-1.45'],
      ['', '28/11/2026 10:00', 'Transferência', 'Pix enviado', 'Otavio Lins', '', '-430.00'],
      ['', '28/11/2026', '', '', 'Saldo Diário', '', '470.00'],
    ],
    hasNames: true,
  },
  {
    bank: 'PicPay',
    format: 'CSV',
    note: { en: 'the time below the day in its cell', pt: 'a hora abaixo do dia, na mesma célula' },
    content: csv(
      'Período: 01/11/2026 a 30/11/2026',
      'Data/Hora;Descrição das Movimentações;Valor;Saldo;Saldo Sacável',
      '"28/11/2026\n10:12:33";Pix enviado OTAVIO LINS;- R$ 430,00;R$ 470,00;R$ 470,00',
      '"27/11/2026\n09:00:00";Tarifa;- R$ 1,45;R$ 900,00;R$ 900,00',
      '"26/11/2026\n08:11:02";Pix recebido RITA MORAES;R$ 64,20;R$ 901,45;R$ 901,45',
    ),
    hasNames: true,
  },
  {
    bank: 'PicPay',
    format: 'CSV',
    note: { en: 'the name is in “Origem / Destino”', pt: 'o nome está em “Origem / Destino”' },
    content: csv(
      '"Data","Hora","Tipo","Origem / Destino","Forma de pagamento","Valor"',
      '"26/11/2026","08:11","Pix recebido","Rita Moraes","Com saldo","+R$ 64,20"',
      '"27/11/2026","09:00","Tarifa","","Com saldo","-R$ 1,45"',
      '"28/11/2026","10:12","Pix enviado","Otavio Lins","Com saldo","-R$ 430,00"',
    ),
    hasNames: true,
  },
  {
    bank: 'InfinitePay',
    format: 'CSV',
    note: { en: 'the name is in “Nome”', pt: 'o nome está em “Nome”' },
    content: csv(
      'Data,Hora,Tipo de transação,Nome,Detalhe,Valor (R$)',
      '2026-11-26,08:11:02,Pix,Pix RITA MORAES,Recebido,"+R$ 64,20"',
      '2026-11-27,09:00:00,Tarifa,,Cobrada,"-R$ 1,45"',
      '2026-11-28,10:12:33,Pix,Pix OTAVIO LINS,Enviado,"-R$ 430,00"',
    ),
    hasNames: true,
  },
  {
    bank: 'QuickBooks',
    format: 'CSV',
    note: {
      en: 'begins in the second column, commas for thousands, debits in brackets',
      pt: 'começa na segunda coluna, vírgulas nos milhares, débitos entre parênteses',
    },
    content: csv(
      'Transaction Report',
      ',Date,Transaction Type,Num,Name,Memo/Description,Account,Amount,Balance',
      'Banco Inter',
      ',26/11/2026,Deposit,,Rita Moraes,Pix,Banco Inter,64.20,"1,901.45"',
      ',27/11/2026,Expense,,,Fee,Banco Inter,(1.45),"1,900.00"',
      ',28/11/2026,Expense,,Otavio Lins,Pix,Banco Inter,(430.00),"1,470.00"',
      'Total for Banco Inter,,,,,,,"$1,470.00",',
    ),
    hasNames: true,
  },
  {
    bank: 'Safra',
    format: 'CSV',
    note: { en: 'days without a year, which the period above tells', pt: 'dias sem ano, que o período acima diz' },
    content: csv(
      'Extrato de conta corrente',
      'Período:;01/11/2026 a 30/11/2026',
      'Data;Lançamento;Complemento;Nº Documento;Valor;Saldo',
      '26/11;PIX RECEBIDO;Rita Moraes;000001;64,20;901,45',
      '27/11;TARIFA PIX;;000002;-1,45;900,00',
      '28/11;PIX ENVIADO;Otavio Lins;000003;-430,00;470,00',
    ),
    hasNames: true,
  },
  {
    bank: 'XP',
    format: 'CSV',
    note: { en: 'days as `28/11/26 às 10:12:33`', pt: 'dias como `28/11/26 às 10:12:33`' },
    content: csv(
      'Data;Descrição;Valor;Saldo',
      '28/11/26 às 10:12:33;Pix enviado para Otavio Lins;-R$ 430,00;R$ 470,00',
      '27/11/26 às 09:00:00;Tarifa;-R$ 1,45;R$ 900,00',
      '26/11/26 às 08:11:02;Pix recebido de Rita Moraes;R$ 64,20;R$ 901,45',
    ),
    hasNames: true,
  },
  {
    bank: 'Omie',
    format: 'CSV',
    note: {
      en: 'the name is in “Cliente ou Fornecedor (Nome Fantasia)”',
      pt: 'o nome está em “Cliente ou Fornecedor (Nome Fantasia)”',
    },
    content: csv(
      'Extrato de Conta Corrente;;;;;;;;',
      'Situação;Data;Cliente ou Fornecedor (Nome Fantasia);Categoria;Tipo de Documento;Documento;Valor (R$);Saldo (R$);Observações',
      ';25/11/2026;SALDO ANTERIOR;;;;;837,25;',
      'Conciliado;26/11/2026;Rita Moraes ME;Clientes;PIX;000123;64,20;901,45;NFS-e 123',
      'Conciliado;27/11/2026;;Tarifas;Outros;;-1,45;900,00;',
      'Pendente;28/11/2026;Otavio Lins;Serviços;PIX;88;-430,00;470,00;pago por Ana Souza',
    ),
    hasNames: true,
  },
  {
    bank: 'Conta Azul',
    format: 'CSV',
    note: {
      en: 'the amounts of categories and cost centres beside “Valor (R$)” are not read',
      pt: 'os valores por categoria e centro de custo, ao lado de “Valor (R$)”, não são lidos',
    },
    content: csv(
      'Data movimento;Tipo;Descrição;Nome do fornecedor/cliente;Valor (R$);Categoria 1;Valor na Categoria 1;Centro de Custo 1;Valor no Centro de Custo 1',
      '26/11/2026;Recebimento;Venda 1021;Rita Moraes;64,20;Vendas;60,00;Loja;60,00',
      '27/11/2026;Pagamento;Tarifa;;-1,45;Tarifas;-1,45;;',
      '28/11/2026;Pagamento;Parcela 1 de 1;Otavio Lins;-430,00;Manutenção;-230,00;Loja;-230,00',
    ),
    hasNames: true,
  },
  {
    bank: 'Wise',
    format: 'CSV',
    note: { en: 'the name is in “Payer Name” or “Payee Name”', pt: 'o nome está em “Payer Name” ou “Payee Name”' },
    content: csv(
      '"TransferWise ID",Date,"Date Time",Amount,Currency,Description,"Payment Reference","Running Balance","Exchange From","Payer Name","Payee Name",Merchant,Note,"Total fees","Transaction Type"',
      'TRANSFER-1200000003,28-11-2026,"28-11-2026 10:12:13.101",-430.00,BRL,"Sent money to Otavio Lins","nf 88",470.00,,,"Otavio Lins",,,1.45,DEBIT',
      'FEE-TRANSFER-1200000003,27-11-2026,"27-11-2026 10:12:13.101",-1.45,BRL,"Wise Charges",,900.00,,,,,,0,DEBIT',
      'TRANSFER-1200000001,26-11-2026,"26-11-2026 23:50:01.000",64.20,BRL,"Received money from Rita Moraes","",901.45,,"Rita Moraes",,,,0.00,CREDIT',
    ),
    hasNames: true,
  },
  {
    bank: 'Pagar.me',
    format: 'CSV',
    note: {
      en: '“Entrada líquida” and “Saída líquida” are read; without names',
      pt: '“Entrada líquida” e “Saída líquida” são lidas; sem nomes',
    },
    content: csv(
      'Id da operação,Data de criação,Status,Tipo,Entrada bruta,Entrada taxa,Entrada líquida,Saída bruta,Saída taxa,Saída líquida',
      '900001,26/11/2026 10:00,available,payable,"R$ 65,00","R$ 0,80","R$ 64,20","R$ 0,00","R$ 0,00","R$ 0,00"',
      '900002,27/11/2026 10:00,available,fee_collection,"R$ 0,00","R$ 0,00","R$ 0,00","R$ 1,45","R$ 0,00","R$ 1,45"',
      '900003,28/11/2026 10:00,transferred,transfer,"R$ 0,00","R$ 0,00","R$ 0,00","R$ 428,00","R$ 2,00","R$ 430,00"',
    ),
    hasNames: false,
  },
  {
    bank: 'Banrisul',
    format: 'CSV',
    note: {
      en: 'days without month and year, which the period above tells',
      pt: 'dias sem mês e ano, que o período acima informa',
    },
    encoding: 'latin1',
    content: csv(
      'EXTRATO DE CONTA CORRENTE;;;',
      'MOVIMENTOS NOV/2026;;;',
      'DIA;HISTÓRICO;DOCUMENTO;VALOR',
      ';SALDO ANT EM 31/10/2026;;837,25',
      '26;PIX RECEBIDO RITA MORAES;000101;64,20',
      '27;TARIFA PIX;000102;1,45-',
      '28;PIX ENVIADO OTAVIO LINS;000103;430,00-',
      ';SALDO NA DATA;;470,00',
    ),
    hasNames: true,
  },
  {
    bank: 'iugu',
    format: 'CSV',
    note: { en: 'the name is in “Cliente”, which varies', pt: 'o nome está em “Cliente”, que varia' },
    content: csv(
      'Data;Descrição;Tipo de Transação;Referência;Cliente;Valor;Saldo',
      '26/11/2026;Crédito de fatura paga;credit;A1B2C3;Rita Moraes;R$ 64,20;R$ 901,45',
      '27/11/2026;Taxa Pix;debit;A1B2C3;;R$ 1,45;R$ 900,00',
      '28/11/2026;Transferência Pix;debit;D4E5F6;Otavio Lins;R$ 430,00;R$ 470,00',
    ),
    hasNames: true,
  },
  {
    bank: 'PayPal',
    format: 'CSV',
    note: { en: 'the net amount is read', pt: 'o valor líquido é lido' },
    content: csv(
      '"Data","Hora","Fuso horário","Descrição","Moeda","Bruto ","Tarifa ","Líquido","Saldo","Número da transação","Nome"',
      '"26/11/2026","08:11:02","BRT","Pagamento Express Checkout","BRL","64,85","-0,65","64,20","901,45","1AB23456CD789012E","Rita Moraes"',
      '"27/11/2026","09:00:00","BRT","Tarifa","BRL","-1,45","0,00","-1,45","900,00","2AB23456CD789012E",""',
      '"28/11/2026","10:12:33","BRT","Transferência","BRL","-430,00","0,00","-430,00","470,00","3AB23456CD789012E","Otavio Lins"',
    ),
    hasNames: true,
  },
  {
    bank: 'Stripe',
    format: 'CSV',
    note: { en: '“Net” is read, not “Amount”', pt: '“Net” é lido, não “Amount”' },
    content: csv(
      'id,Type,Source,Amount,Fee,Net,Currency,Created (UTC),Description',
      'txn_1,charge,ch_1,64.85,0.65,64.20,brl,2026-11-26 11:11,Rita Moraes',
      'txn_2,stripe_fee,,-1.45,0.00,-1.45,brl,2026-11-27 11:11,Fee',
      'txn_3,payout,po_1,-430.00,0.00,-430.00,brl,2026-11-28 13:12,Otavio Lins',
    ),
    hasNames: true,
  },
  {
    bank: 'Accounting programs',
    format: 'CSV',
    note: {
      en: 'the name is below a heading that is not known, beside a kind of payment and a category',
      pt: 'o nome está abaixo de um título desconhecido, ao lado de um tipo de pagamento e uma categoria',
    },
    content: csv(
      'Data;Histórico;Contrapartida;Categoria;Valor',
      '26/11/2026;PIX RECEBIDO;Rita Moraes;Vendas da loja;64,20',
      '27/11/2026;TARIFA;Tarifa de Pix;Despesas bancárias;-1,45',
      '28/11/2026;PIX ENVIADO;Otavio Lins;Serviços de terceiros;-430,00',
    ),
    hasNames: true,
  },
  {
    bank: 'Accounting programs',
    format: 'CSV',
    note: {
      en: 'the day of the payment counts, not that on which it was due',
      pt: 'conta o dia do pagamento, não o do vencimento',
    },
    content: csv(
      'Data de vencimento;Data de pagamento;Histórico;Cliente/Fornecedor;Valor',
      '20/11/2026;26/11/2026;Venda 771;Rita Moraes;64,20',
      '30/11/2026;27/11/2026;Tarifa;;-1,45',
      '30/11/2026;28/11/2026;Conserto;Otavio Lins;-430,00',
    ),
    hasNames: true,
  },
  {
    bank: 'Accounting programs',
    format: 'CSV',
    note: { en: 'the name is in “Cliente/Fornecedor”', pt: 'o nome está em “Cliente/Fornecedor”' },
    content: csv(
      'Data;Histórico;Cliente/Fornecedor;Documento;Entrada;Saída;Saldo',
      '26/11/2026;Recebimento pix;Rita Moraes;1;64,20;;901,45',
      '27/11/2026;Tarifa;;2;;1,45;900,00',
      '28/11/2026;Pagamento pix;Otavio Lins;3;;430,00;470,00',
    ),
    hasNames: true,
  },
  {
    bank: 'English headings',
    format: 'CSV',
    note: PLAIN,
    content: csv(
      'Transaction Date,Amount,Currency,Narrative,Payee Name,Running Balance',
      '2026-11-26,64.20,BRL,Received money from Rita Moraes,,901.45',
      '2026-11-27,-1.45,BRL,Fee,,900.00',
      '2026-11-28,-430.00,BRL,Sent money,Otavio Lins,470.00',
    ),
    hasNames: true,
  },
  {
    bank: 'English headings',
    format: 'CSV',
    note: { en: 'written without blanks', pt: 'escritos sem espaços' },
    content: csv(
      'id,movementDate,movementType,amount,counterpartyName,description',
      '9001,2026-11-26T09:11:02,CREDIT,64.20,Rita Moraes,PIXPAYMENTIN',
      '9002,2026-11-27T09:11:02,DEBIT,1.45,,FEE',
      '9003,2026-11-28T10:12:33,DEBIT,430.00,Otavio Lins,PIXPAYMENTOUT',
    ),
    hasNames: true,
  },
  {
    bank: 'English headings',
    format: 'CSV',
    note: { en: '“Money in”, “Money out”, “Partner Name”', pt: '“Money in”, “Money out”, “Partner Name”' },
    content: csv(
      'Date;Reference;Transaction type;Partner Name;Money out;Money in;Balance',
      '2026-11-26;1;Incoming transfer;Rita Moraes;;64.20;901.45',
      '2026-11-27;2;Fee;;1.45;;900.00',
      '2026-11-28;3;Outgoing transfer;Otavio Lins;430.00;;470.00',
    ),
    hasNames: true,
  },
  {
    bank: 'Accounting programs',
    format: 'CSV',
    note: { en: '“Receita” and “Despesa” in a column', pt: '“Receita” e “Despesa” em uma coluna' },
    content: csv(
      'Tipo,Data,Descrição,Categoria,Valor,Conta',
      'Receita,26/11/2026,Pix Rita Moraes,Vendas,"64,20",Itaú',
      'Despesa,27/11/2026,Tarifa,Tarifas,"1,45",Itaú',
      'Despesa,28/11/2026,Pix Otavio Lins,Serviços,"430,00",Itaú',
    ),
    hasNames: true,
  },
  {
    bank: 'Headings on two lines',
    format: 'CSV',
    note: { en: 'the first line names groups of columns', pt: 'a primeira linha dá nome a grupos de colunas' },
    content: csv(
      'Data;Histórico;Movimentação;;Saldo',
      ';;Créditos;Débitos;',
      '26/11/2026;PIX RECEBIDO RITA MORAES;64,20;;901,45',
      '27/11/2026;TARIFA;;1,45;900,00',
      '28/11/2026;PIX ENVIADO OTAVIO LINS;;430,00;470,00',
    ),
    hasNames: true,
  },
  {
    bank: 'Accounting programs',
    format: 'CSV',
    note: { en: '“Déb.” and “Créd.” in a column', pt: '“Déb.” e “Créd.” em uma coluna' },
    content: csv(
      'Dt. lançamento;Hist.;Vlr. (R$);Déb./Créd.;Favorecido/Remetente',
      '26/11/2026;Pix;64,20;Créd.;Rita Moraes',
      '27/11/2026;Tarifa;1,45;Déb.;',
      '28/11/2026;Pix;430,00;Déb.;Otavio Lins',
    ),
    hasNames: true,
  },
  {
    bank: 'Accounting programs',
    format: 'CSV',
    note: {
      en: '“Saiu” and “Entrou” in a column, the name is in “Para/De”',
      pt: '“Saiu” e “Entrou” em uma coluna, o nome está em “Para/De”',
    },
    content: csv(
      'Data,Descrição,Para/De,Valor,Tipo',
      '26/11/2026,Pix,Rita Moraes,"R$ 64,20",Entrou',
      '27/11/2026,Tarifa,,"R$ 1,45",Saiu',
      '28/11/2026,Pix,Otavio Lins,"R$ 430,00",Saiu',
    ),
    hasNames: true,
  },
  {
    bank: 'Days and times in two columns',
    format: 'CSV',
    note: {
      en: '“Agendado” in the column of the direction is named',
      pt: '“Agendado” na coluna do sentido é informado',
    },
    content: csv(
      'Data;Hora;Histórico;Tipo;Valor',
      '26/11/2026;08:00;Pix de Rita Moraes;Entrada;64,20',
      '27/11/2026;09:10;Tarifa;Saída;1,45',
      '28/11/2026;10:12;Pix para Otavio Lins;Saída;430,00',
      '30/12/2026;10:15;Pix para Ana Souza;Agendado;99,00',
    ),
    hasNames: true,
    remark: /has not happened yet: what has the status `Agendado`, from line 5/,
  },
  {
    bank: 'Days on lines of their own',
    format: 'CSV',
    note: { en: 'above the payments of each', pt: 'acima dos pagamentos de cada um' },
    content: csv(
      'Data;Descrição;Situação;Valor',
      '26/11/2026;;;',
      ';Pix recebido Rita Moraes;Efetivado;64,20',
      '27/11/2026;;;',
      ';Tarifa;Efetivado;-1,45',
      '28/11/2026;;;',
      ';Pix enviado Otavio Lins;Efetivado;-430,00',
      '30/12/2026;;;',
      ';Pix enviado Ana Souza;Agendado;-99,00',
    ),
    hasNames: true,
    remark: /has not happened yet: what has the status `Agendado`, from line 9/,
  },
  {
    bank: 'Safra',
    format: 'CSV',
    note: { en: '“SALDO CONTA CORRENTE” after each day', pt: '“SALDO CONTA CORRENTE” depois de cada dia' },
    content: csv(
      'Data;Lançamento;Complemento;Nº Documento;Valor',
      '25/11/2026;SALDO CONTA CORRENTE;;;837,25',
      '26/11/2026;PIX RECEBIDO;RITA MORAES;4411;64,20',
      '26/11/2026;SALDO CONTA CORRENTE;;;901,45',
      '27/11/2026;TARIFA PIX;;4412;-1,45',
      '28/11/2026;PIX ENVIADO;OTAVIO LINS;4413;-430,00',
      '28/11/2026;SALDO DA CONTA CORRENTE;;;470,00',
    ),
    hasNames: true,
  },
  {
    bank: 'iugu',
    format: 'CSV',
    note: { en: '`BRL` behind the amounts', pt: '`BRL` depois dos valores' },
    content: csv(
      'entry_date,type,description,amount,balance',
      '2026-11-26,credit,Pix recebido - Rita Moraes,64.20 BRL,901.45 BRL',
      '2026-11-27,debit,Tarifa,1.45 BRL,900.00 BRL',
      '2026-11-28,debit,Transferência para Otavio Lins,430.00 BRL,470.00 BRL',
    ),
    hasNames: true,
  },
  {
    bank: 'Coded headings',
    format: 'CSV',
    note: { en: '`D` and `C` in “NATUREZA”', pt: '`D` e `C` em “NATUREZA”' },
    content: csv(
      'DT_MOV;HIST;VLR;NATUREZA;SLD',
      '26 nov 2026;PIX RECEBIDO RITA MORAES;64,20;C;901,45',
      '27 nov 2026;TARIFA;1,45;D;900,00',
      '28 nov 2026;PIX ENVIADO OTAVIO LINS;430,00;D;470,00',
    ),
    hasNames: true,
  },
  {
    bank: 'Itaú',
    format: 'OFX',
    note: { en: 'without closing tags', pt: 'sem tags de fechamento' },
    content: ofx({
      isClosed: false,
      day: (text) => `${text}100000[-03:EST]`,
      texts: ['PIX TRANSF RITA MO26/11', 'TAR PIX PGTO', 'PIX TRANSF OTAVIO 28/11'],
    }),
    hasNames: true,
  },
  {
    bank: 'Bradesco',
    format: 'OFX',
    note: { en: 'decimal commas', pt: 'vírgula decimal' },
    content: ofx({
      amount: (text) => text.replace('.', ','),
      texts: ['TRANSFE PIX REM: RITA MORAES 26/11', 'TARIFA BANCARIA', 'TRANSFE PIX DES: OTAVIO LINS 28/11'],
    }),
    hasNames: true,
  },
  {
    bank: 'Banco do Brasil',
    format: 'OFX',
    note: PLAIN,
    encoding: 'latin1',
    content: ofx({
      day: (text) => `${text}120000[-3:BRT]`,
      texts: [
        'Pix - Recebido - 26/11 08:12 RITA MORAES',
        'Tarifa Pix Enviado',
        'Pix - Enviado - 28/11 10:00 Otavio Lins',
      ],
    }),
    hasNames: true,
  },
  {
    bank: 'Caixa',
    format: 'OFX',
    note: { en: 'amounts filled up with blanks; without names', pt: 'valores preenchidos com espaços; sem nomes' },
    content: ofx({
      amount: (text) => text.padStart(16),
      texts: ['CRED PIX', 'TAR PIX', 'ENVIO PIX'],
      more: '<STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20261128</DTPOSTED><TRNAMT>            .  </TRNAMT><FITID>0</FITID><MEMO>SALDO DIA</MEMO></STMTTRN>\r\n',
    }),
    hasNames: false,
  },
  {
    bank: 'Santander',
    format: 'OFX',
    note: { en: 'the currency is `BRC`', pt: 'a moeda é `BRC`' },
    content: ofx({
      isClosed: false,
      amount: (text) => `            ${text.replace('.', ',')}`,
      day: (text) => `${text}000000[-3:GMT]`,
      texts: ['PIX RECEBIDO RITA MORAES', 'TARIFA PIX', 'PIX ENVIADO OTAVIO LINS'],
    }).replace('<CURDEF>BRL', '<CURDEF>BRC'),
    hasNames: true,
  },
  {
    bank: 'Nubank',
    format: 'OFX',
    note: PLAIN,
    content: ofx({
      texts: [
        'Transferência recebida pelo Pix - Rita Moraes - •••.444.777-•• - ITAÚ UNIBANCO S.A. (0341)',
        'Tarifa de serviço',
        'Transferência enviada pelo Pix - OTAVIO LINS - •••.222.333-•• - BCO BRADESCO S.A. (0237)',
      ],
    }),
    hasNames: true,
  },
  {
    bank: 'Inter',
    format: 'OFX',
    note: { en: 'version 2 (XML)', pt: 'versão 2 (XML)' },
    content: ofx({
      head: '<?xml version="1.0" encoding="UTF-8"?>\r\n<?OFX OFXHEADER="200" VERSION="211"?>\r\n',
      texts: ['Pix recebido: "Rita Moraes"', 'Tarifa', 'Pix enviado: "Otavio Lins"'],
    }),
    hasNames: true,
  },
  {
    bank: 'C6 Bank',
    format: 'OFX',
    note: PLAIN,
    content: ofx({ texts: ['Pix recebido de Rita Moraes', 'Tarifa Pix', 'Pix enviado para Otavio Lins'] }),
    hasNames: true,
  },
  {
    bank: 'Sicoob',
    format: 'OFX',
    note: PLAIN,
    content: ofx({
      isClosed: false,
      tag: 'NAME',
      texts: ['PIX RECEB.OUTRA IF - REM.: RITA MORAES', 'TARIFA PIX', 'PIX EMIT.OUTRA IF - FAV.: OTAVIO LINS'],
    }),
    hasNames: true,
  },
  {
    bank: 'Sicredi',
    format: 'OFX',
    note: PLAIN,
    content: ofx({
      texts: [
        'RECEBIMENTO PIX-PIX_CRED 11144477735 RITA MORAES',
        'TARIFA PIX',
        'PAGAMENTO PIX-PIX_DEB 22233344405 OTAVIO LINS',
      ],
    }),
    hasNames: true,
  },
]

/** The bytes of a file. */
export function bytesOfBank({ content, encoding = undefined }: Pick<BankFile, 'content' | 'encoding'>): Uint8Array {
  if (typeof content === 'string') return Buffer.from(content, encoding ?? 'utf8')
  const cell = (text: string) => (/^-?\d+\.\d\d$/.test(text) ? { number: text } : text)
  const rows = content.map((cells, place) => rawRow(place + 1, cells.map(cell)))
  return rawWorkbook({ name: 'Extrato', xml: `<sheetData>${rows.join('')}</sheetData>` })
}
