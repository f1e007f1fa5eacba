/**
 * Lists of what is to be paid, as offices keep them, all of 28/11/2026, and the lines of them that a person would call settled. They are written by
 * hand, and share no words with the code.
 */
export interface OfficeList {
  what: string
  rows: readonly string[]
  /** The lines, of which the header is the first, that are not to be paid any more. */
  settled: readonly number[]
}

const A = 'agua@example.com;112,30'
const B = 'luz@example.com;845,10'
const C = 'aluguel@example.com;2.300,00'

function list(what: string, headings: string, rows: readonly string[], settled: readonly number[] = []): OfficeList {
  return { what, rows: [headings, ...rows], settled }
}

export const SETTLED_LISTS: readonly OfficeList[] = [
  list(
    'an x beside what was paid',
    'Fornecedor;Chave Pix;Valor;PG',
    [`Águas do Vale;${A};x`, `Energia Sul;${B};`, `Imobiliária Lar;${C};X`],
    [2, 4],
  ),
  list(
    'a question of two letters',
    'Fornecedor;Chave Pix;Valor;Pg?',
    [`Águas do Vale;${A};S`, `Energia Sul;${B};N`, `Imobiliária Lar;${C};n`],
    [2],
  ),
  list(
    'days with the month in letters',
    'Nome;Chave Pix;Valor;Vencimento;Data Pag.',
    [`Águas;${A};05/nov;05/nov`, `Energia;${B};30/nov;`, `Lar;${C};5-nov-26;4-nov-26`],
    [2, 4],
  ),
  list(
    'a yes and who says so',
    'Favorecido;Chave;Valor;Está pago?',
    [`Águas;${A};Sim (Joana)`, `Energia;${B};Ainda não`, `Lar;${C};Sim - 05/11`],
    [2, 4],
  ),
  list(
    'a day of the week',
    'Beneficiário;Chave;Valor;Pagou?',
    [`Águas;${A};sexta 20/11`, `Energia;${B};não`, `Lar;${C};`],
    [2],
  ),
  list(
    'what was paid this morning',
    'Fornecedor;Chave Pix;Valor;Pago em',
    [`Águas;${A};28/11/2026`, `Energia;${B};`, `Lar;${C};28/11`],
    [2, 4],
  ),
  list('an export of figures', 'fornecedor;chave;valor;PagamentoEfetuado', [`Águas;${A};1`, `Energia;${B};0`], [2]),
  list('what a person ticked off', 'Razão Social;Chave Pix;Valor;Feito', [`Águas;${A};ok`, `Energia;${B};`], [2]),
  list(
    'an export of an ERP',
    'CONTRAPARTE;CHAVE;VALOR;DT_VENCTO;DT_BAIXA',
    [`AGUAS;${A};20261105;20261105`, `ENERGIA;${B};20261130;  /  /  `],
    [2],
  ),
  list(
    'what the bank says',
    'Nome;Chave;Valor;Conciliado?',
    [`Águas;${A};Conciliada`, `Energia;${B};pendente`, `Lar;${C};sim, conferido`],
    [2, 4],
  ),
  list(
    'two columns for one thing',
    'Nome;Chave;Valor;Pagto ok?;Data Pgto Realizado',
    [`Águas;${A};ok;05.11.2026`, `Energia;${B};;`, `Lar;${C};;27/11`],
    [2, 4],
  ),
  list(
    'what was done behind an answer',
    'Nome;Chave;Valor;Pagamento realizado (s/n)',
    [`Águas;${A};s - 05/11`, `Energia;${B};n`],
    [2],
  ),
  list(
    'an effective day',
    'Nome;Chave;Valor;Dt Pagamento Efetivo',
    [`Águas;${A};2026-11-03`, `Energia;${B};01/12/2026`],
    [2],
  ),
  list(
    'a day in brackets',
    'Nome;Chave;Valor;Data (pagamento)',
    [`Águas;${A};05/11/2026`, `Energia;${B};04/12/2026`],
    [2],
  ),
  list('a heading with a remark', 'Nome;Chave;Valor;Pago (data)', [`Águas;${A};5/11`, `Energia;${B};`], [2]),
  list('a state', 'Nome;Chave;Valor;Sit. Título', [`Águas;${A};Baixa`, `Energia;${B};Em aberto`], [2]),
  list(
    'notes without a heading of their own',
    'Nome;Chave;Valor;Obs',
    [
      `Águas;${A};PG 05/11`,
      `Energia;${B};pago via pix`,
      `Lar;${C};ligar antes`,
      `Gás;gas@example.com;10,00;Pago 05/nov`,
    ],
    [2, 3, 5],
  ),
  list('what is cancelled', 'Nome;Chave;Valor;Não pagar', [`Águas;${A};x`, `Energia;${B};`], [2]),
  list(
    'names with remarks',
    'Nome;Chave;Valor',
    [`Águas (pago sexta 20/11);${A}`, `Energia - CANCELADA;${B}`, `Posto Sim;${C}`],
    [2, 3],
  ),
  list('ticks', 'Nome;Chave;Valor;Concluído', [`Águas;${A};✔`, `Energia;${B};`, `Lar;${C};✅ Ana`], [2, 4]),
]

export const OPEN_LISTS: readonly OfficeList[] = [
  list('days to come', 'Fornecedor;Chave Pix;Valor;Data de pagamento', [
    `Águas;${A};28/11/2026`,
    `Energia;${B};30/nov`,
    `Lar;${C};05/12`,
  ]),
  list('for which day', 'Fornecedor;Chave Pix;Valor;Data para pagamento', [
    `Águas;${A};28/11/2026`,
    `Energia;${B};27/11/2026`,
  ]),
  list('when to pay', 'Fornecedor;Chave Pix;Valor;Pagar em', [`Águas;${A};sexta 27/11`, `Energia;${B};hoje`]),
  list('the next run', 'Fornecedor;Chave Pix;Valor;Dia de pagamento', [
    `Águas;${A};`,
    `Energia;${B};28/11`,
    `Lar;${C};seg 30/11`,
  ]),
  list('a plan for a column of days', 'Fornecedor;Chave Pix;Valor;Pagamento', [
    `Águas;${A};28/11`,
    `Energia;${B};`,
    `Lar;${C};30/11`,
  ]),
  list('how and from where', 'Fornecedor;Chave Pix;Valor;Forma de pagamento;Tipo de pagamento;Banco', [
    `Águas;${A};Pix;s;Mercado Pago`,
    `Energia;${B};Pix;x;Itaú`,
  ]),
  list('names that sound like it', 'Nome;Chave;Valor', [
    `Mercado Pago;${A}`,
    `Posto Sim;${B}`,
    `Auto Posto OK Ltda;${C}`,
    'Baixa Verde Agro;verde@example.com;5,00',
    'Pague Menos - Centro;menos@example.com;6,00',
    'Feito à Mão ME;mao@example.com;7,00',
  ]),
  list('ticks about other things', 'Nome;Chave;Valor;Nota recebida;Urgente;Aprovado;Retém ISS?', [
    `Águas;${A};sim;x;ok;s`,
    `Energia;${B};x;;ok;n`,
  ]),
  list('all of it open', 'Nome;Chave;Valor;Pago?;Pago em;Situação', [
    `Águas;${A};não;;A vencer`,
    `Energia;${B};Não;-;Vencido`,
    `Lar;${C};n;;Liberado p/ pagamento`,
  ]),
  list('an approval', 'Nome;Chave;Valor;Status', [
    `Águas;${A};Aprovado 20/11`,
    `Energia;${B};Ok para pagar`,
    `Lar;${C};aguardando pagamento`,
  ]),
  list('a payroll', 'Colaborador;CPF;Chave Pix;Valor;Centro de custo;Admissão', [
    'Ana Lima;529.982.247-25;ana@example.com;2.100,00;Obras;05/11/2019',
    'Rui Paz;111.444.777-35;rui@example.com;1.980,40;TI;01/02/2024',
  ]),
  list('bills', 'Nº NF;Fornecedor;Emissão;Vencimento;Parcela;Chave Pix;Valor;Prioridade', [
    `101;Águas;05/11/2026;30/11/2026;1/3;${A};Baixa`,
    `77;Energia;20/nov;5-dez-26;2/2;${B};Alta`,
  ]),
  list('terms', 'Nome;Chave;Valor;Condição de pagamento;Prazo de pagamento;Pagamento previsto', [
    `Águas;${A};30 dias;05/11/2026;05/11/2026`,
    `Energia;${B};à vista;hoje;20/11`,
  ]),
  list('everything is for today', 'Nome;Chave;Valor;Pago em', [`Águas;${A};28/11/2026`, `Energia;${B};28/11/2026`]),
  list('codes of a system', 'Nome;Chave;Valor;Nº pagamento;Lote;Status do cadastro', [
    `Águas;${A};1;0;OK`,
    `Energia;${B};2;1;ok`,
  ]),
  list('a branch', 'Nome;Chave;Valor;Filial;Estado', [`Águas;${A};PG;PR`, `Energia;${B};SP;SP`]),
]
