/** A list of payments by PIX as a bank's template, a payroll program or a marketplace has it, with invented data. */
export interface PaymentTemplate {
  from: { en: string; pt: string }
  lines: readonly [header: string, ...rows: string[]]
  /** The field of each heading that is read, and the cents of the rows; or what the refusal says, and the columns that its hint names. */
  read: Readonly<Record<string, string>> | null
  cents?: readonly number[]
  refused?: { message: RegExp; hint: RegExp; of?: 'rows' }
}

const same = (name: string) => ({ en: name, pt: name })

export const PAYMENT_TEMPLATES: readonly PaymentTemplate[] = [
  {
    from: same('Itaú'),
    lines: [
      'Nome/Razão Social do Favorecido;CPF/CNPJ;Tipo de Chave;Chave Pix;Valor;Data de Pagamento;Identificação',
      'Rita Moraes;111.444.777-35;CPF;111.444.777-35;31,00;05/12/2026;NF 12',
    ],
    read: {
      'Nome/Razão Social do Favorecido': 'name',
      'CPF/CNPJ': 'documentValidation',
      'Tipo de Chave': 'typeKey',
      'Chave Pix': 'key',
      Valor: 'value',
    },
    cents: [3100],
  },
  {
    from: same('Bradesco'),
    lines: [
      'NOME DO FAVORECIDO;CPF/CNPJ DO FAVORECIDO;TIPO DE CHAVE PIX;CHAVE PIX;VALOR DO PAGAMENTO;DATA DO PAGAMENTO',
      'Rita Moraes;11144477735;E-mail;rita@example.com;1.031,00;05/12/2026',
    ],
    read: {
      'NOME DO FAVORECIDO': 'name',
      'CPF/CNPJ DO FAVORECIDO': 'documentValidation',
      'TIPO DE CHAVE PIX': 'typeKey',
      'CHAVE PIX': 'key',
      'VALOR DO PAGAMENTO': 'value',
    },
    cents: [103_100],
  },
  {
    from: same('Banco do Brasil'),
    lines: ['Tipo Chave;Chave;Valor;Data Pagamento;Descrição', 'Telefone;(11) 98765-4321;31,00;05/12/2026;NF 12'],
    read: { 'Tipo Chave': 'typeKey', Chave: 'key', Valor: 'value' },
    cents: [3100],
  },
  {
    from: same('Caixa'),
    lines: [
      'NOME_FAVORECIDO;CPF_CNPJ;TIPO_CHAVE;CHAVE_PIX;VALOR',
      'Rita Moraes;11144477735;EMAIL;rita@example.com;31,00',
    ],
    read: {
      NOME_FAVORECIDO: 'name',
      CPF_CNPJ: 'documentValidation',
      TIPO_CHAVE: 'typeKey',
      CHAVE_PIX: 'key',
      VALOR: 'value',
    },
    cents: [3100],
  },
  {
    from: same('Santander'),
    lines: [
      'Nome Favorecido;CPF/CNPJ Favorecido;Tipo Chave PIX;Chave PIX Favorecido;Valor Pagamento;Data Pagamento',
      'Rita Moraes;11144477735;EMAIL;rita@example.com;31,00;05/12/2026',
    ],
    read: {
      'Nome Favorecido': 'name',
      'CPF/CNPJ Favorecido': 'documentValidation',
      'Tipo Chave PIX': 'typeKey',
      'Chave PIX Favorecido': 'key',
      'Valor Pagamento': 'value',
    },
    cents: [3100],
  },
  {
    from: same('Nubank, Inter'),
    lines: ['Chave Pix;Valor;Descrição', 'rita@example.com;31,00;NF 12'],
    read: { 'Chave Pix': 'key', Valor: 'value' },
    cents: [3100],
  },
  {
    from: same('C6 Bank'),
    lines: [
      'Tipo da chave;Chave Pix;Nome do destinatário;CPF/CNPJ do destinatário;Valor (R$);Data;Descrição',
      'E-mail;rita@example.com;Rita Moraes;11144477735;31,00;05/12/2026;NF 12',
    ],
    read: {
      'Tipo da chave': 'typeKey',
      'Chave Pix': 'key',
      'Nome do destinatário': 'name',
      'CPF/CNPJ do destinatário': 'documentValidation',
      'Valor (R$)': 'value',
    },
    cents: [3100],
  },
  {
    from: same('Sicoob, Sicredi'),
    lines: [
      'Nome do Beneficiário;Tipo da Chave PIX;Chave PIX;Valor do Pagamento (R$);Data do Pagamento',
      'Rita Moraes;Chave Aleatória;7f1d2c3b-4a59-4687-9b01-0c2d3e4f5a6b;31,00;05/12/2026',
      'Otavio Lins;EVP;8f1d2c3b-4a59-4687-9b01-0c2d3e4f5a6b;12,00;05/12/2026',
    ],
    read: {
      'Nome do Beneficiário': 'name',
      'Tipo da Chave PIX': 'typeKey',
      'Chave PIX': 'key',
      'Valor do Pagamento (R$)': 'value',
    },
    cents: [3100, 1200],
  },
  {
    from: same('Mercado Pago'),
    lines: ['Chave Pix do destinatário;Valor a enviar;Motivo', 'rita@example.com;31,00;NF 12'],
    read: { 'Chave Pix do destinatário': 'key', 'Valor a enviar': 'value' },
    cents: [3100],
  },
  {
    from: same('PagBank'),
    lines: ['Nome;Documento;Chave;Tipo;Valor', 'Rita Moraes;11144477735;rita@example.com;E-mail;31,00'],
    read: { Nome: 'name', Documento: 'documentValidation', Chave: 'key', Tipo: 'typeKey', Valor: 'value' },
    cents: [3100],
  },
  {
    from: same('Cora'),
    lines: [
      'Nome,CPF/CNPJ,Chave Pix,Valor,Data de agendamento',
      'Rita Moraes,11144477735,rita@example.com,31.00,2026-12-05',
    ],
    read: { Nome: 'name', 'CPF/CNPJ': 'documentValidation', 'Chave Pix': 'key', Valor: 'value' },
    cents: [3100],
  },
  {
    from: same('Asaas, Efí'),
    lines: [
      'Tipo de chave Pix;Chave Pix;Valor;Descrição;Data de agendamento',
      'EMAIL;rita@example.com;31,00;NF 12;05/12/2026',
    ],
    read: { 'Tipo de chave Pix': 'typeKey', 'Chave Pix': 'key', Valor: 'value' },
    cents: [3100],
  },
  {
    from: same('Stone'),
    lines: [
      'Nome do beneficiário,Documento do beneficiário,Tipo de chave,Chave Pix,Valor,Descrição',
      'Rita Moraes,11144477735,EMAIL,rita@example.com,31.00,NF 12',
    ],
    read: {
      'Nome do beneficiário': 'name',
      'Documento do beneficiário': 'documentValidation',
      'Tipo de chave': 'typeKey',
      'Chave Pix': 'key',
      Valor: 'value',
    },
    cents: [3100],
  },
  {
    from: { en: 'payouts of a marketplace', pt: 'repasses de um marketplace' },
    lines: [
      'payout_id,recipient_name,pix_key_type,pix_key,amount,currency',
      'P1,Rita Moraes,EMAIL,rita@example.com,95.00,BRL',
    ],
    read: {
      recipient_name: 'name',
      pix_key_type: 'typeKey',
      pix_key: 'key',
      amount: 'value',
      currency: 'currency',
    },
    cents: [9500],
  },
  {
    from: { en: 'payouts in gross and net amounts', pt: 'repasses com valores brutos e líquidos' },
    lines: [
      'Seller ID,Seller Name,PIX Key,Gross Amount,Fee,Net Amount,Currency',
      'S1,Rita Moraes,rita@example.com,100.00,5.00,95.00,BRL',
    ],
    read: null,
    refused: {
      message: /`Gross Amount`, `Fee` hold amounts, but they are not used/,
      hint: /`Net Amount`, `Fee`, `Gross Amount`/,
    },
  },
  {
    from: { en: 'payouts to authors', pt: 'repasses a autores' },
    lines: [
      'person,name,bank_name,bank_number,bank_pix_type,bank_pix_code,amount',
      'pf,Rita Moraes,Banco Um,341,random_key,7f1d2c3b-4a59-4687-9b01-0c2d3e4f5a6b,31.00',
    ],
    read: null,
    refused: { message: /no column `key`: its columns are `person`.*`amount`/, hint: /--map key=bank_pix_code`/ },
  },
  {
    from: { en: 'payments with bank accounts and e-mail addresses', pt: 'pagamentos com contas bancárias e e-mails' },
    lines: [
      'Invoice;FullName;TaxID;Email;MobileNumber;Amount;Description;BankCode;BankBranch;Account;AccountDigit',
      'INV1;Rita Moraes;11144477735;rita@example.com;11987654321;31,00;NF 12;341;1000;20000;1',
    ],
    read: null,
    refused: { message: /no column `key`: its columns are `Invoice`.*`AccountDigit`/, hint: /--map 'key=…'/ },
  },
  {
    from: { en: 'payroll with gross and net pay', pt: 'folha com salário bruto e líquido' },
    lines: [
      'Matrícula;Funcionário;CPF;Cargo;Salário Bruto;Descontos;Valor Líquido;Chave PIX',
      '12;Rita Moraes;11144477735;Caixa;3.000,00;500,00;2.500,00;rita@example.com',
    ],
    read: null,
    refused: {
      message: /`Salário Bruto`, `Descontos` hold amounts, but they are not used/,
      hint: /`Valor Líquido`, `Descontos`, `Salário Bruto`/,
    },
  },
  {
    from: { en: 'payroll with net pay', pt: 'folha com o líquido a receber' },
    lines: ['Empregado;CPF;Líquido a receber;Pix', 'Rita Moraes;111.444.777-35;2.500,00;rita@example.com'],
    read: null,
    refused: { message: /no column `key`: its columns are `Empregado`.*`Pix`/, hint: /--map key=Pix`/ },
  },
  {
    from: {
      en: 'payments with a column for each type of key',
      pt: 'pagamentos com uma coluna para cada tipo de chave',
    },
    lines: ['Nome;CPF;Celular;E-mail;Aleatória;Valor', 'Rita Moraes;;;rita@example.com;;31,00'],
    read: null,
    refused: {
      message: /no column `key`: its columns are `Nome`.*`Valor`/,
      hint: /^Put the key of each row into one column `Chave Pix`.*columns `CPF`, `Celular`, `E-mail`, `Aleatória`.*`--map 'key=…'`/,
    },
  },
  {
    from: { en: 'answers of a form', pt: 'respostas de um formulário' },
    lines: [
      'Carimbo de data/hora,Endereço de e-mail,Nome completo,CPF,Qual é a sua chave Pix?,Tipo da chave,Valor do reembolso (R$)',
      '26/11/2026 08:00:10,rita@example.com,Rita Moraes,111.444.777-35,(11) 98765-4321,Celular,"R$ 31,00"',
    ],
    read: null,
    refused: {
      message: /^The header of the file has 2 faults$/,
      hint: /--map 'key=Qual é a sua chave Pix\?,value=Valor do reembolso \(R\$\)'/,
    },
  },
  {
    from: { en: 'answers of a form with the type of the key', pt: 'respostas de um formulário com o tipo da chave' },
    lines: [
      'Carimbo de data/hora,Nome completo,Qual é o tipo da sua chave Pix?,Chave Pix,Valor',
      // The key is a sound CPF, too.
      '26/11/2026 08:00:10,Rita Moraes,Celular,11987654374,"R$ 31,00"',
    ],
    read: {
      'Nome completo': 'name',
      'Qual é o tipo da sua chave Pix?': 'typeKey',
      'Chave Pix': 'key',
      Valor: 'value',
    },
    cents: [3100],
  },
  {
    from: { en: 'payouts in cents', pt: 'repasses em centavos' },
    lines: [
      'recipient_id,recipient_name,pix_key,pix_key_type,amount_cents',
      'r1,Rita Moraes,rita@example.com,email,3100',
    ],
    read: null,
    refused: {
      message: /no column `value`: its columns are `recipient_id`.*`amount_cents`/,
      hint: /^Write the amounts of the column `amount_cents` in reais/,
    },
  },
  {
    from: { en: 'payments to bank accounts', pt: 'pagamentos a contas bancárias' },
    lines: ['Nome;Banco;Agência;Conta;Valor', 'Rita Moraes;341;1000;20000-1;31,00'],
    read: null,
    refused: {
      message: /no column `key`: its columns are `Nome`, `Banco`, `Agência`, `Conta`, `Valor`/,
      hint: /--map 'key=…'/,
    },
  },
  {
    from: {
      en: 'payroll with the net pay of each and their number',
      pt: 'folha com o líquido de cada um e o número deles',
    },
    lines: [
      'Código;Nome do Empregado;CPF;Tp. Chave;Chave PIX;Vlr. Líquido',
      '1;Rita Moraes;111.444.777-35;CPF;111.444.777-35;31,00',
      '2;Rui Paz;529.982.247-25;Telefone;11987654321;10,50',
      ';Total Geral: 2 empregados;;;;41,50',
    ],
    read: {
      'Nome do Empregado': 'name',
      CPF: 'documentValidation',
      'Tp. Chave': 'typeKey',
      'Chave PIX': 'key',
      'Vlr. Líquido': 'value',
    },
    cents: [3100, 1050],
  },
  {
    from: {
      en: 'mass payments of PagBank, one to a wallet',
      pt: 'pagamentos em massa do PagBank, um para uma carteira',
    },
    lines: [
      'country;currency;amount;paymentMethod;paymentKey;payeeName;payeeDocumentType;payeeDocumentValue',
      'BR;BRL;1.031,00;PIX;rita@example.com;Rita Moraes;CPF;11144477735',
      'BR;BRL;45,00;PAGBANK;rui@example.com;Rui Paz;CPF;52998224725',
    ],
    read: null,
    refused: { message: /1 row is .*not by PIX.*R\$ 45,00/, hint: /--only paymentMethod=PIX/, of: 'rows' },
  },
  {
    from: { en: 'open bills of an ERP, one paid by a bank slip', pt: 'contas em aberto de um ERP, uma por boleto' },
    lines: [
      'Fornecedor;CPF/CNPJ;Data Vencimento;Valor;Forma de pagamento;Chave PIX',
      'Gráfica;11.222.333/0001-81;29/11/2026;31,00;Pix;11.222.333/0001-81',
      'Limpeza;40.402.004/0001-12;29/11/2026;45,00;Boleto bancário;limpeza@example.com',
    ],
    read: null,
    refused: { message: /1 row is .*not by PIX.*R\$ 45,00/, hint: /--only 'Forma de pagamento=Pix'/, of: 'rows' },
  },
  {
    from: { en: 'a template that says how to fill it in', pt: 'um modelo que diz como preencher' },
    lines: [
      'Nome do favorecido (obrigatório);CPF/CNPJ (somente números);Tipo de chave (CPF, CNPJ, E-mail, Celular ou Aleatória);Chave Pix (obrigatório);Valor (R$) *;Data do pagamento (DD/MM/AAAA)',
      'Rita Moraes;11144477735;CPF;11144477735;1.031,00;29/11/2026',
    ],
    read: {
      'Nome do favorecido (obrigatório)': 'name',
      'CPF/CNPJ (somente números)': 'documentValidation',
      'Tipo de chave (CPF, CNPJ, E-mail, Celular ou Aleatória)': 'typeKey',
      'Chave Pix (obrigatório)': 'key',
      'Valor (R$) *': 'value',
    },
    cents: [103_100],
  },
  {
    from: { en: 'gross amounts only', pt: 'só valores brutos' },
    lines: ['Favorecido;Chave Pix;Valor (bruto)', 'Rita Moraes;rita@example.com;31,00'],
    read: null,
    refused: { message: /no column `value`/, hint: /--map 'value=Valor \(bruto\)'/ },
  },
]
