import { foldedText } from '../text/foldedText.ts'
import { daysIn, nearestDay } from './calendar.ts'
import { comparableTaxDocument, isTaxDocument } from './taxDocument.ts'

const PERSON =
  '(?:favorecido|beneficiario|destinatario|recebedor|fornecedor|prestador|colaborador|funcionario|empregado|cliente|pagador|titular)'
const OF_PAYEE = `(?:(?: d[oa])? (?!pagador)${PERSON})?`
const OR = '(?:/| ?[-|] ?| e | ou | )'
/** `nº`, `n.`, `nro.`, `número`, `#`. */
const NUMBER = '(?:n(?:o|r|ro|um|umeros?|umber)?[.º°]*|#)'
const NUMBER_OF = `(?:${NUMBER} ?(?:d[aeo]s? )?)?`

const DOCUMENT = 'doc(?:\\.|tos?\\.?|ument(?:o|s)?)?'
const ORDER = '(?:pedido|ordem|encomenda)(?: de (?:compra|venda|servico))?'
const BILL =
  '(?:nota|notas fiscais|nota fiscal)(?: de servicos?)?(?: eletronica)?|n\\.? ?f\\.? ?(?:s\\.?)?(?:[ -]?e\\.?)?|danfe|documento fiscal|faturas?|titulos?|duplicatas?|boletos?|nosso numero|recibos?|invoices?'

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
    guesses: [/^valor\b/, /\b(?:r\$|brl)/, /\bnet amount\b/, /\bamount\b/, /^(?:vlr|montante|quantia)\b/],
  },
  amountToPay: {
    words: [/^valor (?:a (?:pagar|transferir|enviar)|(?:d[oa] )?(?:pagamento|pagto\.?|pgto\.?|transferencia|pix))$/],
  },
  amountToReturn: { words: [/^valor (?:a (?:devolver|estornar|reembolsar)|d[oa] (?:devolucao|estorno|reembolso))$/] },
  debit: { words: [sumOf('debitos?|saidas?|debits?|pagamentos')] },
  credit: { words: [sumOf('creditos?|entradas?|credits?|recebimentos')] },
  currency: { words: [/^(?:currency(?: code)?|moeda)$/] },
  direction: {
    words: [
      /^(?:[dc][/ -]?[cd]|deb(?:ito)?s?[/ -]cred(?:ito)?s?|cred(?:ito)?s?[/ -]deb(?:ito)?s?|debit[/ -]credit|credit[/ -]debit)$/,
      /^(?:entradas?[/ -]saidas?|saidas?[/ -]entradas?|direction|direcao|sentido|fluxo)$/,
      /^(?:tipo|natureza|sinal|movimento|movimentacao|operacao|type|transaction type)$/,
      /^(?:tipo|natureza|sinal|indicador) (?:d[aeo] )?(?:lancamento|transacao|movimento|movimentacao|operacao|valor)$/,
    ],
  },
  balance: { words: [/^saldos?\b/, /\bbalance\b/] },
  key: { words: [new RegExp(`^(?:chave(?: (?:d[oe] )?pix)?|pix key)${OF_PAYEE}$`)] },
  keyType: { words: [/^(?:(?:pix )?key ?type|tipo(?: (?:d[ea] )?chave)?(?: (?:d[oe] )?pix)?)$/] },
  /** Who owns a key. */
  owner: { words: [numberOf('cpf|cnpj')] },
  cpf: { words: [numberOf('cpf')] },
  cnpj: { words: [numberOf('cnpj')] },
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
      new RegExp(`^(?:nome (?:do |da )?)?${PERSON}$`),
      /^nome(?: completo)?$/,
      /^nome fantasia$/,
    ],
  },
  /** The other side of a line of a statement; `Titular` and `Cliente` are the own one there. */
  party: { words: [/^name$/], guesses: [/^nome\b/, /^(?:contraparte|counterparty|razao social)\b/] },
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
      /^(?:data|dia|dt\.?) (?:d[eo] )?(?:pagamento|pagto\.?|pgto\.?)$/,
    ],
  },
  date: { words: [/^date$/, /^(?:data|dia)$/], guesses: [/^(?:data|dia|date|dt\.?)\b/, /\bdate$/] },
  description: {
    words: [/^hist(?:orico\b|\.?$)/, /^description$/, /^lancamentos?$/],
    guesses: [/^descricao\b/, /^(?:memo|titulo|title|narrative)$/],
  },
  details: {
    words: [/^(?:detalhes?|details)\b/],
    guesses: [/^descricao\b/, /^(?:complemento|informacoes|identificacao|observac(?:ao|oes)|mensagem)\b/],
  },
} as const satisfies Readonly<Record<string, Headings>>

export type Meaning = keyof typeof HEADINGS

/** The name of a column that holds the amounts of one direction. */
function sumOf(words: string): RegExp {
  return new RegExp(`^(valor(es)? )?((a|em|de|do) )?(${words})( ?\\(?(r\\$|brl)\\)?)?$`)
}

/** The headings that may mean one of these things, the best first; words only, unless a guess is allowed. */
export function headingsOf(meanings: readonly Meaning[], withGuesses: boolean): readonly RegExp[] {
  const all: readonly Headings[] = meanings.map((meaning) => HEADINGS[meaning])
  return [...all.flatMap(({ words }) => words), ...(withGuesses ? all.flatMap(({ guesses = [] }) => guesses) : [])]
}

const MONEY = /(?:^|[^a-z])(?:valor(?:es)?|r\$|brl)(?![a-z])/
const SUM = /\b(?:tota(?:l|is)|saldos?|liquid[oa]s?|brut[oa]s?|amount|balance)\b/
/** `Código do valor`. */
const CODED = /^(?:cod(?:igo)?|id|tipo|n(?:o|um|umero)?)\b/
const COUNTED =
  /\b(?:parcelas?|quantidades?|qtde?s?|dias?|horas?|ferias|pesos?|kg|unidades?|itens|notas?|pedidos?|titulos?|pontos?|agencia|matricula)\b/

/** True for a heading that says of any number below it that it is an amount: `Saldo`, `Valor da parcela`, but not `Parcelas` or `Total de dias`. */
export function isMoneyHeading(name: string): boolean {
  const text = foldedText(name)
  return !CODED.test(text) && (MONEY.test(text) || (SUM.test(text) && !COUNTED.test(text)))
}

/** Columns that could be an amount, those of net amounts first and those of gross amounts last: who pays the gross amount pays too much. */
export function netBeforeGross(columns: readonly string[]): string[] {
  const rank = (name: string) => {
    const text = foldedText(name)
    return /liquid|\bnet\b|\ba (?:pagar|transferir|devolver|estornar|reembolsar)\b/.test(text)
      ? 0
      : /brut|gross/.test(text)
        ? 2
        : 1
  }
  return columns.toSorted((one, other) => rank(one) - rank(other))
}

/** A heading as it is, and without what people add to it: a mark at its end, and the currency of an amount. */
export function headingForms(name: string): readonly string[] {
  const whole = foldedText(name)
  const plain = whole
    .replace(/[:*\s]+$/, '')
    .replace(/ ?(?:\(r\$\)|r\$)$/, '')
    .trim()
  return plain === whole ? [whole] : [whole, plain]
}

/** What the heading of a second column of documents means, beside one of CPFs or of CNPJs; undefined if it can have none. */
export function pairedDocument(forms: readonly string[]): Meaning | undefined {
  if (fitsAny(forms, HEADINGS.cpf.words)) return 'cnpj'
  return fitsAny(forms, HEADINGS.cnpj.words) ? 'cpf' : undefined
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
  for (const form of [0, -1]) {
    for (const pattern of patterns) {
      const place = headings.findIndex((forms, at) => !except.has(at) && pattern.test(forms.at(form) ?? ''))
      if (place !== -1) return place
    }
  }
  return -1
}

/** What says of a payment that it was made, in any gender and number. Of a refund it says only that its original was paid. */
const PAID = 'pag[oa]s?|quitad[oa]s?|liquidad[oa]s?|compensad[oa]s?|paid|settled'
/** What says of a payment that it is not to be made any more. Of a refund it is the reason. */
const ENDED = 'cancelad[oa]s?|cancell?ed|baixad[oa]s?|anulad[oa]s?|void(?:ed)?'
const RETURNED = 'estornad[oa]s?|devolvid[oa]s?|reembolsad[oa]s?|refunded|reversed'
/** Further words that say it only where it is asked, or with a day. */
const PAID_IF_ASKED = 'pg|pagou|pagamos|transferid[oa]s?|depositad[oa]s?'
/** Further words that say it only where it is asked. */
const ENDED_IF_ASKED = 'suspens[oa]s?|bloquead[oa]s?|nao pagar|do not pay'
const DONE =
  'concluid[oa]s?|finalizad[oa]s?|encerrad[oa]s?|efetuad[oa]s?|efetivad[oa]s?|realizad[oa]s?|conciliad[oa]s?|processad[oa]s?|feit[oa]s?|completed|done'
const PAYING = 'payments?|pagamentos?|pagto|pgto|pagt|pgt|pag'
const ENDING = 'baixas?|quitacao|liquidacao|compensacao|conciliacao|cancelamento'
const RETURNING = 'estornos?|devoluc(?:ao|oes)|reembolsos?|refunds?'
const ASKING = 'status|situacao|estado|sit'
/** What a heading that asks may say besides. */
const BESIDE =
  'o|a|de|d[oa]s?|em|no|na|dia|data|dt|date|day|hora|horario|quando|ja|foi|esta|on|of|at|x|hoje|atual|ultim[oa]|confirmad[oa]s?|confirmacao|conf|financeir[oa]|titulo|conta|boleto|nota|nf|fatura|parcela|duplicata|despesa|fornecedor|comprovante|comprov|pix|ted|transferencia|deposito'
/** Most cells hold none of these words, and comparing them in full takes longer than reading them. */
const MAY_BE_MARK =
  /pag|\bpg\b|quit|liquid|compens|paid|settl|cancel|baix|anul|estorn|devolv|reembols|refund|revers|void/i
const YES =
  /^\W*(?:(?:sim|yes|ok|true|verdadeiro|(?:com |dad[oa] |de[iu] )?baixa)\b|[sxy](?=\W*$| ?[-(\u2013])|[\u2705\u2611\u2713\u2714\u221a]\ufe0f?)/
/** What makes a day, or a `sim`, one of something that is still to come. */
const STILL_OPEN =
  /\b(?:(?:nao|not?|sem|pagar|para|pode|ate)\b|p\/|liberad|aprovad|autorizad|agend|program|prev|pend|aguard|venc|atras|abert|open|adiad|prorrog|remarc)/
/** By what it was paid, of which month, and what stands in brackets, says nothing against it. */
const REMARK =
  /(?:^| )(?:(?:via|por|no|em|com|c\/) ?)?(?:pix|ted|doc|dinheiro|boleto|cheque|cartao)\b|\([^)]*\)|(?:\bem [a-z]{3,9}|\b(?:[a-z]{3,9}|\d{1,2})(?:\/| de )(?:\d{4}|\d{2}))$/g
/** What takes it back: `não pago`, `a ser pago`, `not yet paid`. */
const UNLESS_NEGATED =
  '(?<!\\b(?:nao|not|nunca|sem|ser|sera|ainda por)(?: (?:foi|esta|estao|sera|be|been|yet|ainda))* )'

/** Which words say what became of a row. */
interface MarkWords {
  /** A text that is only such a word, and one that is it with a day. */
  alone: RegExp
  aloneWithDay: RegExp
  /** A text that holds such a word, under a heading that begins like that of a state, and under one that asks. */
  state: RegExp
  answer: RegExp
  /** The heading of a column that asks what became of a row, and one that asks so that no day below it is one to come. */
  asks: RegExp
  asksWhetherDone: RegExp
}

function only(words: string): RegExp {
  return new RegExp(`^\\W*(?:ja |foi )*(?:${words})\\W*$`)
}

function holding(words: string): RegExp {
  return new RegExp(`${UNLESS_NEGATED}\\b(?:${words})\\b(?!: (?:nao|no)\\b)`)
}

/** A heading of nothing but these words and those that are said besides. */
function headingOf(words: string): string {
  return `(?:(?:${words}|${BESIDE})(?: |$))+$`
}

const SETTLED = `${PAID}|${ENDED}|${RETURNED}`
const SETTLED_IF_ASKED = `${SETTLED}|${PAID_IF_ASKED}|${ENDED_IF_ASKED}|${DONE}`
const HAPPENED = `${SETTLED_IF_ASKED}|${ENDING}|${RETURNING}|(?:pix|ted) enviad[oa]s?|efetiv[oa]|realiz|efet|canc|baix|quit|ok`
const OF_PAYMENT = `${PAID}|${PAID_IF_ASKED}|${PAYING}`

/** Of refunds it counts only what became of themselves. */
const MARKS = {
  transfer: {
    alone: only(SETTLED),
    aloneWithDay: only(`${SETTLED}|${PAID_IF_ASKED}`),
    state: holding(SETTLED_IF_ASKED),
    answer: holding(SETTLED_IF_ASKED),
    asks: new RegExp(`^(?=.*\\b(?:${HAPPENED}|${PAYING}|${ASKING})\\b)${headingOf(`${HAPPENED}|${PAYING}|${ASKING}`)}`),
    asksWhetherDone: new RegExp(`\\b(?:${HAPPENED})\\b`),
  },
  refund: {
    alone: only(RETURNED),
    aloneWithDay: only(RETURNED),
    state: holding(RETURNED),
    answer: holding(`${RETURNED}|${DONE}`),
    asks: new RegExp(
      `^(?:(?=.*\\b(?:${RETURNED}|${RETURNING})\\b)|(?=.*\\b(?:${DONE}|ok)\\b)(?!.*\\b(?:${OF_PAYMENT})\\b))${headingOf(`${RETURNED}|${RETURNING}|${DONE}|${OF_PAYMENT}|${ASKING}|ok`)}`,
    ),
    asksWhetherDone: /^/,
  },
} as const satisfies Readonly<Record<string, MarkWords>>

/** What a cell says of its row; `unsure` is what says settled only beside rows of the same column that are open. */
export type RowState = 'settled' | 'unsure' | 'open' | 'unknown'

/** Judges the cells of a column: what one says became of the row it is in. */
export type MarkReader = (cell: string, today: string) => RowState

/**
 * What reads the marks in the column with a heading. A word that says it counts in every column in which it is all of a cell; where the heading asks
 * what became of a row, so do `sim`, `x` and a day before today; in a column of names, so does a word in brackets or beside a dash.
 */
export function markReader(kind: keyof typeof MARKS, heading: string, isName: boolean): MarkReader {
  const words = MARKS[kind]
  const asked = headingWords(heading)
  if (words.asks.test(asked)) {
    const isDone = words.asksWhetherDone.test(asked)
    return (cell, today) => answerIn(cell, today, words, isDone)
  }
  const hasState = fitsAny(headingForms(heading), headingsOf(['status'], true))
  const hasNames = isName || isNameHeading(heading)
  return (cell, today) => {
    const isMark =
      (hasState && words.state.test(foldedText(cell))) ||
      (MAY_BE_MARK.test(cell) &&
        [cell, ...(hasNames ? namePieces(cell) : [])].some((text) => isAlone(text, today, words)))
    return isMark ? 'settled' : 'unknown'
  }
}

/** The words of a heading in one spelling, without the answers that it offers: those of `DT_PGTO (S/N)` are `dt pgto`. */
function headingWords(heading: string): string {
  return foldedText(heading.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 '))
    .replace(/\bs(?:im)?\/n(?:ao)?\b|\/nao \w+/, '')
    .replace(/\bdt(?=pag|pgto|baixa|quit|liq)/, 'dt ')
    .replace(/[^a-z\d]+/g, ' ')
    .trim()
}

function isAlone(text: string, today: string, { alone, aloneWithDay }: MarkWords): boolean {
  const { days, rest } = daysIn(text, today)
  const word = days.length > 0 ? aloneWithDay : alone
  return word.test(rest) || word.test(rest.replace(REMARK, ''))
}

/** What a cell says where it is asked. A day to come, or of today, may be that on which it is to be paid. */
function answerIn(cell: string, today: string, { answer }: MarkWords, isDone: boolean): RowState {
  if (answer.test(foldedText(cell))) return 'settled'
  const { days, rest } = daysIn(cell, today)
  const remark = rest.replace(YES, '').replace(REMARK, '')
  const isPlain = isDone ? !STILL_OPEN.test(rest) : !/[\p{L}\p{N}]/u.test(remark)
  const isPast = days.length > 0 && days.every((day) => day < today)
  if (isPlain && (isPast || YES.test(rest))) return 'settled'
  const isToday = days.length > 0 && days.every((day) => day <= today)
  if (isPlain && isDone && (isToday || rest === '1')) return 'unsure'
  return /[1-9]/.test(cell) ? 'unknown' : 'open'
}

/** True for the heading of a column that holds the names of people or companies. */
export function isNameHeading(name: string): boolean {
  return fitsAny(headingForms(name), headingsOf(['name', 'displayName', 'party'], true))
}

/** The parts of a name in brackets, and those before, between and behind dashes. */
function namePieces(name: string): string[] {
  const inBrackets = [...name.matchAll(/[([{]([^)\]}]*)[)\]}]/g)].map(([, piece = '']) => piece)
  const parts = name.split(/\s+[-\u2013\u2014|:]\s*|\s*[-\u2013\u2014|:]\s+|\s*[\u2013\u2014]\s*/)
  return parts.length > 1 ? [...inBrackets, ...parts] : inBrackets
}

/** Headings of numbers by which an office finds a payment. They are carried, never sent. */
const OWN_REFERENCE = [
  numberOf(`${BILL}|${ORDER}|${DOCUMENT}|os|o\\.s\\.|oc|ref(?:erencia)?\\.?`),
  ...HEADINGS.orderNumber.words,
]

/** True for the heading of a number by which an office finds a payment, such as that of its invoice. */
export function isOwnReference(name: string): boolean {
  return fitsAny(headingForms(name), OWN_REFERENCE)
}
/** Of several such numbers in a row, that of what is to be paid tells more than that of what was ordered. */
const OF_A_BILL = [numberOf(`${BILL}|${DOCUMENT}`)]
/** What tells payments of one bill from each other. */
const PART = [numberOf('parcelas?|parc\\.?|prestac(?:ao|oes)|series?(?: d[ae] (?:nota(?: fiscal)?|nf))?')]

/** The columns of a table with the numbers by which an office finds a payment. */
export interface ReferenceColumns {
  names: readonly string[]
  /** Their places, the one that tells most first. */
  places: readonly number[]
  /** Those of them in which a CPF or CNPJ is none. */
  documents: ReadonlySet<number>
  /** The places of the columns that say which instalment a row is, and when it is due. */
  parts: readonly number[]
  dues: readonly number[]
}

/** The columns of references of a table; those at the places `except`, such as that of the keys, are none. */
export function referenceColumns(
  names: readonly string[],
  except: readonly (number | undefined)[] = [],
): ReferenceColumns {
  const placesOf = (patterns: readonly RegExp[]) =>
    [...names.keys()].filter((place) => !except.includes(place) && fitsAny(headingForms(names[place] ?? ''), patterns))
  return {
    names,
    places: [...new Set([...placesOf(OF_A_BILL), ...placesOf(OWN_REFERENCE)])],
    documents: new Set(placesOf(HEADINGS.document.words)),
    parts: placesOf(PART),
    dues: placesOf(HEADINGS.due.words),
  }
}

/** The number by which an office finds a payment. */
export interface OwnReference {
  /** The place of its column; -1 if it is the typed id of the row. */
  place: number
  /** As its cell has it. */
  cell: string
  /** With the heading of its column if it is a bare number: `NF 3`. */
  shown: string
  /** In one spelling. */
  comparable: string
  /** Which instalment or series it is, and when it is due; empty if the file does not say. */
  part: string
  due: string
}

/**
 * The reference of a row: the first in its cells, else the id that was typed for it; null if it has none. A reference holds a digit; a CPF or CNPJ in a column
 * of documents is none, nor is a month in one called `Referência`.
 */
export function referenceIn(
  cells: readonly string[],
  { names, places, documents, parts, dues }: ReferenceColumns,
  typedId: string | null,
): OwnReference | null {
  const textAt = (place: number) => (cells[place] ?? '').trim()
  const isOwner = (place: number) => documents.has(place) && isTaxDocument(comparableTaxDocument(textAt(place)))
  const isMonth = (place: number) => /^ref/i.test(names[place] ?? '') && MONTH.test(foldedText(textAt(place)))
  const place = places.find((each) => /\d/.test(textAt(each)) && !isOwner(each) && !isMonth(each)) ?? -1
  const cell = place === -1 ? (typedId ?? '') : textAt(place)
  if (!/\d/.test(cell)) return null
  return {
    place,
    cell,
    shown: place === -1 || /\p{L}/u.test(cell) ? cell : `${names[place] ?? ''} ${cell}`,
    comparable: comparableReference(cell),
    part: parts
      .map((each) => comparableReference(textAt(each)))
      .join(' ')
      .trim(),
    due: dues.map((each) => nearestDay(textAt(each), SOME_DAY) ?? comparableReference(textAt(each))).join(' '),
  }
}

/** `11/2026`, `nov/26`, `2026-11`: a month to which something refers. */
const MONTH =
  /^(?:(?:0?[1-9]|1[0-2])\/|(?:jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez)[a-z]*\.?(?:[/-]| de | ))(?:20)?\d\d$|^20\d\d-(?:0[1-9]|1[0-2])$/
/** Days without a year are compared with each other only. */
const SOME_DAY = '2026-01-01'

/** True if two references name the same bill, and no other instalment of it, as far as both say which. */
export function isSameReference(
  one: Pick<OwnReference, 'comparable' | 'part'>,
  other: Pick<OwnReference, 'comparable' | 'part'>,
): boolean {
  return one.comparable === other.comparable && isSamePart(one.part, other.part)
}

/** True if two texts that tell payments of one bill from each other agree, or one of them says nothing. */
export function isSamePart(one: string, other: string): boolean {
  return one === other || one === '' || other === ''
}

/** The words before the number of a reference, in any order. */
const REFERENCE_WORD =
  /^(?:nota|notas|fiscal|fiscais|servicos?|eletronica|nfs?e?|[nfseo]|danfe|faturas?|titulos?|duplicatas?|boletos?|recibos?|invoice|doc|docto|documento|pedido|ordem|encomenda|compra|venda|os|oc|ref|referencia|no|nr|nro|num|numero|d[aeo]s?)$/

/** A reference in one spelling: `NF 0012`, `nf-12` and `12` are the same. */
function comparableReference(text: string): string {
  const folded = foldedText(text)
  const [before = ''] = /^\D*/.exec(folded) ?? []
  const isNamed =
    before.length < folded.length &&
    before.split(/[^\p{L}]+|[\u00ba\u00aa]/u).every((word) => word === '' || REFERENCE_WORD.test(word))
  return (isNamed ? folded.slice(before.length) : folded)
    .replace(/(?<=\d)[^\p{L}\p{N}]+(?=\d)/gu, '-')
    .replace(/(?<!\d)-|-(?!\d)|[^\p{L}\p{N}-]+/gu, '')
    .replace(/(?<!\d)0+(?=\d)/g, '')
}
