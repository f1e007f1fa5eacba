import { foldedText } from '../text/foldedText.ts'
import { dayInAnyYear, MONTH_NAME } from './calendar.ts'
import { comparableTaxDocument, isTaxDocument } from './taxDocument.ts'

/** Beside a column of names such a heading has numbers. */
const EMPLOYEE = '(?:colaborador|funcionario|empregado)'
const PERSON =
  '(?:favorecido|beneficiario|destinatario|recebedor|fornecedor|prestador|colaborador|funcionario|empregado|cliente|pagador|titular)'
const OF_PAYEE = `(?:(?: d[oa])? (?!pagador)${PERSON})?`
const OR = '(?:/| ?[-|] ?| e | ou | )'
/** `nº`, `n.`, `nro.`, `número`, `#`. */
const NUMBER = '(?:n(?:o|r|ro|um|umeros?|umber)?[.º°]*|#)'
const NUMBER_OF = `(?:${NUMBER} ?(?:d[aeo]s? )?)?`

const CPF = 'cpf|c\\.p\\.f\\.?'
const CNPJ = 'cnpj|c\\.n\\.p\\.j\\.?'
const DOCUMENT = 'doc(?:\\.|tos?\\.?|ument(?:o|s)?)?'
const ORDER = '(?:pedido|ordem|encomenda)(?: de (?:compra|venda|servico))?'
/** Numbers by which an office finds a payment, by what they are of: that of what is to be paid tells more than that of what was ordered. */
const NUMBERS = {
  note: '(?:nota|notas fiscais|nota fiscal)(?: de servicos?)?(?: eletronica)?|n\\.? ?f\\.? ?(?:s\\.?)?(?:[ -]?e\\.?)?|danfe|documento fiscal',
  invoice: 'faturas?|invoices?',
  title: 'titulos?|duplicatas?',
  bankNumber: 'nosso numero',
  slip: 'boletos?',
  receipt: 'recibos?',
  document: DOCUMENT,
  order: ORDER,
  workOrder: 'os|o\\.s\\.',
  purchaseOrder: 'oc',
  subject: 'ref(?:erencia)?\\.?',
}

/** A heading that is one of these things or several, with the word for a number before or behind, and whose it is. */
function numberOf(things: string): RegExp {
  return new RegExp(
    `^${NUMBER_OF}(?:${things})(?:${OR}${NUMBER_OF}(?:${things})){0,3}(?: ?\\((?:${things})\\))?${OF_PAYEE}(?:[ -]?${NUMBER})?$`,
  )
}

/** What people call the columns of a table: words for the thing itself, and what only is likely, the best of each first. */
interface Headings {
  words: readonly RegExp[]
  guesses?: readonly RegExp[]
}

/** The headings of tables by what they mean, as {@link headingForms} gives them. */
export const HEADINGS = {
  amount: {
    words: [/^amount$/, /^(?:value|valor)$/, /^(?:montante|quantia)$/],
    guesses: [/^valor\b/, /\b(?:r\$|brl)/, /\bamount\b/, /^(?:vlr|montante|quantia)\b/],
  },
  /** What arrived or left, where fees were taken off. */
  netAmount: {
    words: [/^(?:(?:valor|salario|total)\b.*)?\bliquido\b|^valor liq\b|\bnet (?:\w+ )?(?:amount|pay)\b|^net$/],
    guesses: [/^valor (?:total )?(?:recebido|creditado|liberado|a receber|d[oe] repasse)\b/],
  },
  amountToPay: {
    words: [
      /^valor (?:a (?:pagar|transferir|enviar|repassar)|(?:d[oa] )?(?:pagamento|pagto\.?|pgto\.?|transferencia|pix|repasse))$/,
      /^(?:payment|payout|transfer|pix) amount$|^amount to pay$/,
    ],
  },
  amountToReturn: { words: [/^valor (?:a (?:devolver|estornar|reembolsar)|d[oa] (?:devolucao|estorno|reembolso))$/] },
  debit: {
    words: [
      sumOf('debitos?|saidas?|debits?|pagamentos|despesas|retiradas|withdrawals|expenses|(?:money|paid) out|outflow'),
    ],
  },
  credit: {
    words: [
      sumOf('creditos?|entradas?|credits?|recebimentos|receitas|depositos|deposits|income|(?:money|paid) in|inflow'),
    ],
  },
  currency: { words: [/^(?:currency(?: code)?|moeda)$/] },
  direction: {
    words: [
      /^(?:[dc][/ -]?[cd]|deb(?:ito)?s?\.?[/ -]cred(?:ito)?s?\.?|cred(?:ito)?s?\.?[/ -]deb(?:ito)?s?\.?|debit[/ -]credit|credit[/ -]debit)$/,
      /^(?:entradas?[/ -]saidas?|saidas?[/ -]entradas?|direction|direcao|sentido|fluxo)$/,
      /^(?:tipo|natureza|sinal|movimento|movimentacao|operacao|type|transaction type)$/,
      /^(?:tipo|natureza|sinal|indicador) (?:d[aeo] )?(?:lancamento|transacao|movimento|movimentacao|operacao|valor)$/,
    ],
  },
  balance: { words: [/^saldos?\b/, /\bbalance\b/] },
  key: {
    words: [
      new RegExp(`^chave(?: (?:d[oe] |para )?(?:pix|pagamento|transferencia|destino))?${OF_PAYEE}$`),
      /^(?:pix|payment|payout|payee|recipient|receiver|beneficiary|destination) key$/,
    ],
  },
  keyType: {
    words: [
      /^(?:(?:pix )?key ?type|tipo(?: (?:d[ea] )?chave)?(?: (?:d[oe] )?pix)?)$/,
      /^qual (?:e )?(?:o )?tipo (?:d[ea] )?(?:sua )?chave(?: (?:d[oe] )?pix)? ?\??$/,
    ],
  },
  /** Who owns a key. */
  owner: { words: [numberOf(`${CPF}|${CNPJ}|tax id`)] },
  cpf: { words: [numberOf(CPF)] },
  cnpj: { words: [numberOf(CNPJ)] },
  /** An owner if its cells are documents, else the number of a paper. */
  document: { words: [numberOf(DOCUMENT)] },
  /** The name under which somebody is in the payee book. */
  payee: { words: [/^(?:payee name|apelido|favorecido cadastrado)$/] },
  payeeInBook: { words: [/^(?:payee|favorecido)$/] },
  displayName: { words: [/^(?:display name|nome(?: completo)?|razao social)$/] },
  /** Names of people and companies that are paid; the best first, because events have the legal name. */
  name: {
    words: [
      /^(?:name|payee)$|^(?:recipient|beneficiary|payee|receiver)(?: name)?$/,
      /^(?:nome (?:do |da )?)?(?:favorecido|beneficiario|recebedor)$/,
      /^(?:nome ?(?:\/|ou) ?)?razao social(?: d[oa] \w+)?(?: ?(?:\/|ou) ?nome)?$/,
      new RegExp(`^nome (?:do |da )?${PERSON}$|^(?!${EMPLOYEE}$)${PERSON}$`),
      /^nome(?: completo)?$/,
      new RegExp(`^${EMPLOYEE}$`),
      /^nome fantasia$/,
    ],
  },
  /** In a statement the own name, or, if it varies, that of the other side. */
  ownOrParty: { words: [/^(?:nome (?:do |da )?)?(?:titular|cliente)$/] },
  /** The other side of a line of a statement. */
  party: {
    words: [/^name$/],
    guesses: [
      /^nome\b/,
      /^(?:contraparte|counterparty|razao social|outra parte|pessoa|contato|(?:para |de |com )?quem)\b/,
      /^cliente nome$|^(?:para ?[/|] ?de|de ?[/|] ?para)$/,
      /^(?:(?:other|third) party|partner|merchant|contact)(?: name)?$/,
      new RegExp(
        `^(?:${PERSON}|pessoa|remetente|sacado|cedente)(?: ?[/|] ?| e | ou )(?:${PERSON}|pessoa|remetente|sacado|cedente)(?: \\(.+\\))?$`,
      ),
    ],
  },
  /** Of both sides of such a line, whom the money went to, and whom it came from. */
  receiver: {
    words: [/^(?:destino|to)$/],
    guesses: [
      /^(?:nome (?:do )?)?(?:favorecido|beneficiario|destinatario|recebedor|destino|payee|beneficiary|receiver)\b/,
    ],
  },
  sender: {
    words: [/^(?:origem|from)$/],
    guesses: [/^(?:nome (?:do )?)?(?:remetente|pagador|origem|payer|sender)\b/],
  },
  /** What beside a line of a statement is about the own side, or how it was paid or sorted. */
  circumstances: {
    words: [
      /^(?:(?:sub)?categorias?|centro de custos?|plano|grupo|tags?|etiquetas?|conta|banco|agencia|instituicao|empresa|filial|loja|unidade|carteira|canal)\b/,
      /^(?:formas?|meios?|metodo|modalidade|natureza|moeda|finalidade)\b|\b(?:usuario|operador|responsavel|autor|aprovador)\b|^(?:criad|lancad|pag|aprovad|incluid)[oa] por\b/,
      /^(?:categor(?:y|ies)|account|bank|branch|company|payment (?:method|type)|channel|currency|user|created by|approved by|tags|labels?)\b/,
    ],
  },
  originalPayment: { words: [/^(?:id (?:da )?transacao(?: original)?|transacao original)$/] },
  /** Of a charge: its request number. */
  orderNumber: {
    words: [
      numberOf(ORDER),
      new RegExp(
        `^(?:id|codigo|cod\\.?) (?:d[oa] )?(?:${ORDER})$|^(?:order(?: (?:number|no\\.?|id))?|request ?number)$`,
      ),
    ],
  },
  reason: { words: [/^motivo(?: d[oa] (?:devolucao|estorno|reembolso))?$/] },
  id: {
    words: [
      /^id ?transaction$/,
      /^id$|^e2e|^endtoend/,
      /^(?:id|codigo|numero|identificador) (?:da |do |de )?(?:transacao|pagamento|operacao|pix)$|^identificador$|^txid$/,
      /^externalid$|^id externo$|^external id$|^requestnumber$/,
    ],
    guesses: [/^codigo$|^transacao$/, /^(?:n[.\u00ba\u00b0o]* ?|num\w*\.? |numero )?(?:do |de )?doc(?:to|umento)?\.?$/],
  },
  status: { words: [/^status$/, /^(?:situacao|estado)$/], guesses: [/^(?:status|situacao)\b/] },
  /** The day until which something is to be paid. */
  due: {
    words: [
      /^(?:(?:data|dia|dt\.?) (?:d[eo] )?)?(?:vencimento|vencto\.?|vcto\.?|venc\.?)\b/,
      /^vence(?: em)?$/,
      /^due(?: date| on)?$/,
    ],
    guesses: [
      /^(?:data |dia )?(?:prevista|previsao)\b/,
      /^(?:data|dia|dt\.?) (?:d[aeo] |para (?:o )?)?(?:pagamento|pagto\.?|pgto\.?|pix|transferencia|repasse|credito|debito|agendamento|programacao|liberacao|execucao|efetivacao)$/,
      /^(?:(?:data|dia|dt\.?) )?(?:agendad|programad)[oa](?: (?:para|em))?$|^(?:agendar|programar|pagar|transferir|enviar|liberar) (?:para|em|dia|no dia)$/,
      /^(?:payment|payout|transfer|scheduled?|settlement|release|execution|due) (?:date|day|on|for)$|^(?:pay|send) on$/,
    ],
  },
  /** The day on which money moved rather than one on which it was asked for or due. */
  date: {
    words: [/^date$/, /^(?:data|dia)$/],
    guesses: [
      /^(?:data|dia|dt\.?) (?:(?:d[aeo]|em) )?(?:lancamento|movim\w*|mov\.?|pagamento|pagto\.?|pgto\.?|transferencia|transacao|operacao|efetivacao|efetiva|liquidacao|conclusao|baixa)\b/,
      /^(?:(?:transaction|payment|transfer|posting|movement|settlement|release) date|paid(?: at| on)?)$/,
      /^(?:data|dia|date|dt\.?)\b/,
      /\bdate$/,
      /^created\b/,
    ],
  },
  description: {
    words: [/^hist(?:orico\b|\.?$)/, /^description$/, /^lancamentos?$/],
    guesses: [/^descricao\b/, /^(?:memo|titulo|title|narrative)$/],
  },
  details: {
    words: [/^(?:detalh(?:es?|amento)|details)\b/],
    guesses: [/^descricao\b/, /^(?:complemento|informacoes|identificacao|observac(?:ao|oes)|mensagem|record type)\b/],
  },
} as const satisfies Readonly<Record<string, Headings>>

export type Meaning = keyof typeof HEADINGS

/** The name of a column that holds the amounts of one direction. */
function sumOf(words: string): RegExp {
  return new RegExp(`^(valor(es)? |net )?((a|em|de|do) )?(${words})( amount| liquid[oa]s?)?( ?\\(?(r\\$|brl)\\)?)?$`)
}

/** The headings that may mean one of these things, the best first; words only, unless a guess is allowed. */
export function headingsOf(meanings: readonly Meaning[], withGuesses: boolean): readonly RegExp[] {
  const all: readonly Headings[] = meanings.map((meaning) => HEADINGS[meaning])
  return [...all.flatMap(({ words }) => words), ...(withGuesses ? all.flatMap(({ guesses = [] }) => guesses) : [])]
}

const MONEY = /(?:^|[^a-z])(?:valor(?:es)?|vlr?s?|r\$|brl)(?![a-z])/
const NET = /\bliquid[oa]s?\b|\bnet\b|\ba (?:pagar|transferir|devolver|estornar|reembolsar)\b/
const GROSS = /\bbrut[oa]s?\b|\bgross\b/
const SUM = /\b(?:tota(?:l|is)|saldos?|amount|balance)\b/
/** `Código do valor`. */
const CODED = /^(?:cod(?:igo)?|id|tipo|n(?:o|um|umero)?)\b/
const MEASURED =
  /\b(?:quantidades?|qtde?s?|dias?|days?|horas?|hours?|ferias|pesos?|kg|km|unidades?|pontos?|percentua(?:l|is)|percent|medias?)\b|%/
const COUNTED = /\b(?:parcelas?|itens|notas?|pedidos?|titulos?|agencia|matricula)\b/

/** True for a heading that says of any number below it that it is an amount: `Saldo`, `Valor da parcela`, but not `Parcelas` or `Total de dias`. */
export function isMoneyHeading(name: string): boolean {
  const text = foldedText(name)
  if (CODED.test(text)) return false
  return (
    MONEY.test(text) || ([NET, GROSS, SUM].some((each) => each.test(text)) && !COUNTED.test(text) && !isMeasure(name))
  )
}

/** True for a heading that says of numbers with decimals that they are no amounts: `Horas extras`, `Comissão %`, but not `Valor das horas`. */
export function isMeasure(name: string): boolean {
  const text = foldedText(name)
  return MEASURED.test(text) && !MONEY.test(text)
}

const OTHER_UNIT = /\b(?:centavos?|cents?|usd|eur|dolar(?:es)?|euros?)\b|us ?\$|\u20ac/

/** True for the heading of amounts that are not in reais: `Valor (centavos)`, `Valor US$`. */
export function isOtherUnit(name: string): boolean {
  return OTHER_UNIT.test(foldedText(name))
}

/** Columns that could be an amount, those of net amounts first and those of gross amounts last: who pays the gross amount pays too much. */
export function netBeforeGross(columns: readonly string[]): string[] {
  const rank = (name: string) => {
    const text = foldedText(name)
    return NET.test(text) ? 0 : GROSS.test(text) ? 2 : 1
  }
  return columns.toSorted((one, other) => rank(one) - rank(other))
}

/** What templates write behind a heading about how to fill in its column, and nothing else: `Valor (opcional)`, `CPF (somente números)`. */
const FILLING_IN =
  / ?\((?:(?:obrigatori[oa]|opcional|required|optional|preench\w+|informe|informar|usar?|somente|apenas|so|sem|com|em|de|ate|max\w*|numer(?:os?|ic[oa])|digitos?|texto|pontos?|pontuacao|acentos?|virgula|formato|caracteres|letras|casas|decimais|reais|brl|r\$|\d+|d{1,2}[/-]?m{1,2}[/-]?[ay]{2,4}|cpf|cnpj|e-?mail|celular|telefone|aleatoria|evp|chave|pix|ou|e|or)\b\W*)+\)$/

/** A heading as it is, and as people would write it: words apart that `ValorLiquido` joins, without a mark at its end and the currency of an amount. */
export function headingForms(name: string): readonly string[] {
  const whole = foldedText(name)
  const plain = foldedText(name.replace(/(?<=\p{Ll})(?=\p{Lu}\p{Ll})/gu, ' '))
    .replace(/(?: ?\([-+=]\)|[:*\s])+$/, '')
    .replace(/ ?(?:\(r\$\)|r\$)$/, '')
    .replace(FILLING_IN, '')
    .replace(/(?: ?\([-+=]\)|[:*\s])+$/, '')
    .replace(/^(?:vlr?|vr)\.? ?(?=[a-z])/, 'valor ')
    .replace(/^tp\.? /, 'tipo ')
    .trim()
  return plain === whole ? [whole] : [whole, plain]
}

/** What the heading of a second column of documents means, beside one of CPFs or of CNPJs; none if it can have none. */
export function pairedDocument(forms: readonly string[]): Meaning[] {
  if (fitsAny(forms, HEADINGS.cpf.words)) return ['cnpj']
  return fitsAny(forms, HEADINGS.cnpj.words) ? ['cpf'] : []
}

const NO_OWNER =
  /^[^a-z\d]*$|^(?:nao (?:informad[oa]|consta|possui|tem|ha|cadastrad[oa])|sem (?:cpf|cnpj|cpf\/cnpj|documento|informacao)|s\/(?:cpf|cnpj|doc)|isento)\.?$/

/** True for what people write in a column of owners where none is known: a dash, `não informado`. */
export function isNoOwner(cell: string): boolean {
  return NO_OWNER.test(foldedText(cell))
}

/** True for a heading that one of the patterns fits. */
export function fitsAny(forms: readonly string[], patterns: readonly RegExp[]): boolean {
  return patterns.some((pattern) => forms.some((form) => pattern.test(form)))
}

/** The place of the heading that fits best, as it is rather than without additions, and not at the places `except`; -1 if none fits. */
export function bestColumn(
  headings: readonly (readonly string[])[],
  patterns: readonly RegExp[],
  except: ReadonlySet<number>,
): number {
  for (const pattern of patterns) {
    for (const form of [0, -1]) {
      const place = headings.findIndex((forms, at) => !except.has(at) && pattern.test(forms.at(form) ?? ''))
      if (place !== -1) return place
    }
  }
  return -1
}

/** True for the heading of a column that holds the names of people or companies. */
export function isNameHeading(name: string): boolean {
  return fitsAny(headingForms(name), headingsOf(['name', 'displayName', 'party'], true))
}

/** Headings of such numbers. They are carried, never sent. */
const OWN_REFERENCE = [numberOf(Object.values(NUMBERS).join('|')), ...HEADINGS.orderNumber.words]

/** True for the heading of a number by which an office finds a payment, such as that of its invoice. */
export function isOwnReference(name: string): boolean {
  return fitsAny(headingForms(name), OWN_REFERENCE)
}

/** The columns that say which bill a row pays: those of references, the one that tells most first, and what tells the payments of one bill from each other. */
const BILL_COLUMNS: readonly { kind: string; fits: (forms: readonly string[]) => boolean }[] = [
  ...Object.entries(NUMBERS).map(([kind, words]) => {
    const named = [new RegExp(`(?<![a-z])(?:${words})(?![a-z])`)]
    return { kind, fits: (forms: readonly string[]) => fitsAny(forms, OWN_REFERENCE) && fitsAny(forms, named) }
  }),
  { kind: 'order', fits: (forms) => fitsAny(forms, OWN_REFERENCE) },
  { kind: 'instalment', fits: (forms) => fitsAny(forms, [numberOf('parcelas?|parc\\.?|prestac(?:ao|oes)')]) },
  { kind: 'series', fits: (forms) => fitsAny(forms, [numberOf('series?(?: d[ae] (?:nota(?: fiscal)?|nf))?')]) },
  { kind: 'due', fits: (forms) => fitsAny(forms, HEADINGS.due.words) },
]

/** The columns of a table that say which bill a row pays. */
export interface ReferenceColumns {
  names: readonly string[]
  /** Their places, with what each is of; a second one of a kind is apart from the first. */
  columns: readonly { place: number; kind: string; nth: number }[]
  /** The places of all other columns that are read as nothing else: a cell in them that is only such a number, like `NF 55`, is one. */
  others: readonly number[]
}

/** The columns of references of a table; those that are read as the key and its owner, by their places, are none. */
export function referenceColumns(
  names: readonly string[],
  fields: Readonly<Record<string, number | undefined>> = {},
): ReferenceColumns {
  const { key, documentValidation } = fields
  const kinds = names.map((name, place) =>
    place === key || place === documentValidation ? -1 : BILL_COLUMNS.findIndex(({ fits }) => fits(headingForms(name))),
  )
  const columns = BILL_COLUMNS.flatMap(({ kind }, rank) =>
    [...kinds.keys()].filter((place) => kinds[place] === rank).map((place, nth) => ({ place, kind, nth })),
  )
  const used = new Set([...Object.values(fields), ...columns.map(({ place }) => place)])
  return { names, columns, others: [...names.keys()].filter((place) => !used.has(place)) }
}

/** Numbers that a cell of any column may hold with their name and nothing else: `NF 55`, `Pagamento da nota fiscal 55`, `Boleto nº 123`. */
const NAMED_NUMBERS = (['note', 'invoice', 'title', 'bankNumber', 'slip', 'receipt', 'order'] as const).map((kind) => ({
  kind,
  pattern: new RegExp(
    `^(?:(?:pagamento|pagto|pgto|pag|pg|ref(?:erente|erencia)?)[.:]? (?:ao? |d[aeo] )?)?((?:${NUMBERS[kind]})[ .:-]{0,3}(?:${NUMBER}[ .:-]{0,3})?\\d[\\w./-]*(?:(?: ?[,;&+] ?| e )\\d[\\w./-]*)*)$`,
  ),
}))
const MAY_BE_NAMED = /^\W?(?:pag|pg|ref|n|fat|inv|tit|dup|bol|rec|ped|ord|enc|danfe|doc).*\d/i
const NAMED_CHARACTERS_MAX = 100

/** The kind of number that a cell is, its name beside it, and the number; undefined for any other text. */
function namedNumber(cell: string): { kind: string; number: string; beside: SaidOfBill } | undefined {
  if (cell.length > NAMED_CHARACTERS_MAX || !MAY_BE_NAMED.test(cell)) return undefined
  const { number: text, beside } = besideNumber(cell)
  for (const { kind, pattern } of NAMED_NUMBERS) {
    const number = pattern.exec(text)?.[1]
    if (number !== undefined) return { kind, number: comparableReference(number), beside }
  }
  return undefined
}

/** A number by which an office finds a payment. */
export interface OwnNumber {
  /** The place of its column; -1 if it is the typed id of the row. */
  place: number
  /** As its cell has it. */
  cell: string
  /** With the heading of its column if it is a bare number: `NF 3`. */
  shown: string
  /** In one spelling. */
  comparable: string
}

/** What a row says of the bill that it pays, by column, in one spelling; nothing of a column that says nothing. */
export type SaidOfBill = Readonly<Record<string, string>>

/** The numbers by which an office finds a payment; it is shown by the first. */
export interface OwnReference extends OwnNumber {
  numbers: readonly OwnNumber[]
  said: SaidOfBill
}

/**
 * The reference of a row: the numbers in the cells of these columns, and those that name themselves in others, else the id that was typed for it; null if it has none. A number holds a digit; a CPF or CNPJ in a column
 * of documents is none, nor is a month in one called `Referência`.
 */
export function referenceIn(
  cells: readonly string[],
  { names, columns, others }: ReferenceColumns,
  typedId: string | null,
): OwnReference | null {
  const numbers: OwnNumber[] = []
  const said: Record<string, string> = {}
  for (const { place, kind, nth } of columns) {
    const cell = ofUsualWidth(cells[place] ?? '').trim()
    const column = nth === 0 ? kind : `${kind}${nth + 1}`
    const { number, beside } = kind in NUMBERS ? besideNumber(cell) : { number: cell, beside: {} }
    const [main, year] = saidIn(number, kind)
    if (main === undefined) continue
    Object.assign(said, beside)
    said[column] = main
    if (year !== undefined) said[`${column}Year`] = year
    if (kind in NUMBERS) {
      const shown = /\p{L}/u.test(cell) ? cell : `${names[place] ?? ''} ${cell}`
      numbers.push({ place, cell, shown, comparable: main })
    }
  }
  for (const place of others) {
    const cell = ofUsualWidth(cells[place] ?? '').trim()
    const named = namedNumber(cell)
    if (named === undefined || said[named.kind] !== undefined) continue
    const { kind, number, beside } = named
    Object.assign(said, { named: kind, ...beside, ...said, [kind]: number })
    numbers.push({ place, cell, shown: cell, comparable: number })
  }
  if (numbers.length === 0 && typedId !== null && /\d/.test(typedId)) {
    numbers.push({ place: -1, cell: typedId, shown: typedId, comparable: comparableReference(typedId) })
  }
  const [first] = numbers
  return first === undefined ? null : { ...first, numbers, said }
}

/** Characters as wide as a Chinese one, which some programs write, as the ordinary ones. */
function ofUsualWidth(text: string): string {
  return text.replace(/[\uff01-\uff5e]/g, (character) => character.normalize('NFKC'))
}

const BEFORE = '(?:\\s+[-\u2013,/(]?\\s*|[,(])'
/** What people write behind a number in its cell, and which columns say the same; a copy says nothing. */
const BESIDE_NUMBER: readonly { pattern: RegExp; said: (text: string, year?: string) => SaidOfBill }[] = [
  {
    pattern: new RegExp(`${BEFORE}(?:(?:\\d{1,2} ?[\u00aaa]|primeira|segunda|terceira) via|copia|reenvi\\w+)\\b\\)?`),
    said: () => ({}),
  },
  {
    pattern: new RegExp(`${BEFORE}serie:? ?(\\w{1,3})\\b\\)?`),
    said: (text) => ({ series: comparableReference(text) }),
  },
  {
    pattern: new RegExp(`${BEFORE}parc(?:ela|\\.)? ?(\\d{1,3})(?: ?(?:/|de) ?\\d{1,3})?\\b\\)?`),
    said: (text) => ({ instalment: String(Number(text)) }),
  },
  {
    pattern: new RegExp(
      `${BEFORE}(?:(?:ref|mes|competencia|comp)[a-z]*\\.?:? ?(?:de |a )?)?(${MONTH_NAME}|(?:0?[1-9]|1[0-2])(?=/20))(?:(?:[/-]| de | )((?:20)?\\d\\d))?\\)?$`,
    ),
    said(text, year) {
      const day = dayInAnyYear(`1/${text}${year === undefined ? '' : `/${year}`}`) ?? ''
      return { month: day.slice(-5, -3), ...(year === undefined ? {} : { monthYear: day.slice(0, 4) }) }
    },
  },
]

/** The number in a cell of numbers, and what the cell says beside it. */
function besideNumber(cell: string): { number: string; beside: SaidOfBill } {
  let number = foldedText(cell)
  let beside: SaidOfBill = {}
  for (const { pattern, said } of BESIDE_NUMBER) {
    const [whole = '', text = '', year] = pattern.exec(number) ?? []
    const rest = number.replace(whole, '')
    if (whole === '' || !/\d/.test(rest)) continue
    number = rest
    beside = { ...beside, ...said(text, year) }
  }
  return { number, beside }
}

/** What a cell says, and the year of a day that has one; nothing if it says nothing. */
function saidIn(cell: string, kind: string): string[] {
  switch (kind) {
    case 'due': {
      const day = dayInAnyYear(cell)
      return day === undefined ? [] : [day.slice(-5), ...(day.length > 5 ? [day.slice(0, 4)] : [])]
    }
    case 'instalment':
      return instalmentIn(foldedText(cell))
    case 'series':
      return [comparableReference(cell)].filter((text) => text !== '')
    default: {
      const isNone =
        !/\d/.test(cell) ||
        (kind === 'document' && isTaxDocument(comparableTaxDocument(cell))) ||
        (kind === 'subject' && MONTH.test(foldedText(cell)))
      return isNone ? [] : [comparableReference(cell)]
    }
  }
}

/** `11/2026`, `nov/26`, `2026-11`: a month to which something refers. */
const MONTH =
  /^(?:(?:0?[1-9]|1[0-2])\/|(?:jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez)[a-z]*\.?(?:[/-]| de | ))(?:20)?\d\d$|^20\d\d-(?:0[1-9]|1[0-2])$/
/** `2`, `02/03`, `2ª`, `parc. 2 de 3`. */
const INSTALMENT =
  /^(?:(?:parcelas?|parc|prestacao|p|n[o\u00ba]?)[. ]*)?0*(\d{1,3})(?: ?[\u00aa\u00bao])?(?: ?(?:\/|-|de) ?\d{1,3})?(?: ?(?:parcelas?|prestacao))?$/
/** What people write instead of a number, the first for none: a down payment. */
const INSTALMENT_WORDS = [/\b(?:entrada|sinal|adiantamento)\b/, /\b(?:unica|primeira)\b/, /\bsegunda\b/, /\bterceira\b/]
const LAST_INSTALMENT = /\b(?:saldo|restante|ultima|final)\b/

/** Which instalment a cell names, folded; a month or a letter is one, too. */
function instalmentIn(text: string): string[] {
  const number = INSTALMENT.exec(text)?.[1]
  if (number !== undefined) return [number]
  const word = INSTALMENT_WORDS.findIndex((each) => each.test(text))
  if (word !== -1) return [String(word)]
  if (LAST_INSTALMENT.test(text)) return ['last']
  return MONTH.test(text) || /^[a-z]$/.test(text) ? [text] : []
}

/** What names one payment of a bill by itself, whatever day it is due. */
const NAMES_ONE_PAYMENT = ['instalment', 'bankNumber']

/**
 * True if two rows that share a number pay different bills, or different instalments of one: something differs that both say. A day that only one of them
 * gives a year is the same in any year, and two due days of one instalment are one that was moved.
 */
export function isOtherBill(one: SaidOfBill, other: SaidOfBill): boolean {
  const isOnePayment = NAMES_ONE_PAYMENT.some((column) => one[column] !== undefined && one[column] === other[column])
  return Object.entries(one).some(
    ([column, text]) => other[column] !== undefined && other[column] !== text && !(isOnePayment && isDueColumn(column)),
  )
}

/** The columns by which an entry with a number can be looked up: what {@link isOtherBill} judges by itself alone. */
export function decidingColumns(said: SaidOfBill): string[] {
  const mayBeMoved = NAMES_ONE_PAYMENT.some((column) => said[column] !== undefined)
  return Object.keys(said).filter((column) => !(mayBeMoved && isDueColumn(column)))
}

function isDueColumn(column: string): boolean {
  return column.startsWith('due')
}

/** True if two references share a number and name the same bill. */
export function isSameReference(one: OwnReference, other: OwnReference): boolean {
  const shared = new Set(one.numbers.map(({ comparable }) => comparable))
  return other.numbers.some(({ comparable }) => shared.has(comparable)) && !isOtherBill(one.said, other.said)
}

/** The words before the number of a reference, in any order. */
const REFERENCE_WORD =
  /^(?:nota|notas|fiscal|fiscais|servicos?|eletronica|nfs?e?|[nfseo]|danfe|fat|faturas?|tit|titulos?|dup|dupl|duplicatas?|bol|boletos?|rec|recibos?|inv|invoice|series?|doc|docto|documento|ped|pedidos?|ord|ordem|encomenda|compra|venda|os|oc|po|ref|referencia|no|nr|nro|num|numero|d[aeo]s?)$/

/** As many digits as the bar code of a bill or the key of an invoice has, which are written in groups or in one. */
const LONG_DIGITS = /^(?:\d[ .-]*){40,}$/

/** A reference in one spelling: `NF 0012`, `nf-12`, `000.012` and `12` are the same, and so are `15, 16` and `16 e 15`. */
function comparableReference(text: string): string {
  const folded = foldedText(ofUsualWidth(text))
  if (LONG_DIGITS.test(folded)) return folded.replace(/\D/g, '')
  const parts = folded.split(/[,;&+]| e /).filter((part) => /[\p{L}\p{N}]/u.test(part))
  return parts.map(comparablePart).toSorted().join('+')
}

/** One of the numbers in a reference. */
function comparablePart(folded: string): string {
  const [before = ''] = /^\D*/.exec(folded) ?? []
  const isNamed =
    before.length < folded.length &&
    before.split(/[^\p{L}]+|[\u00ba\u00aa]/u).every((word) => word === '' || REFERENCE_WORD.test(word))
  return (isNamed ? folded.slice(before.length) : folded)
    .replace(/^\d{1,3}(?:\.\d{3})+$/, (digits) => digits.replaceAll('.', ''))
    .replace(/(?<=\d)[^\p{L}\p{N}]+(?=\d)/gu, '-')
    .replace(/(?<!\d)-|-(?!\d)|[^\p{L}\p{N}-]+/gu, '')
    .replace(/(?<!\d)0+(?=\d)/g, '')
}
