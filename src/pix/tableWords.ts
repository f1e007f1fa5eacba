import { foldedText } from '../text/foldedText.ts'

const PERSON =
  '(?:favorecido|beneficiario|recebedor|fornecedor|prestador|colaborador|funcionario|empregado|cliente|pagador|titular)'
const OF_PAYEE = `(?:(?: d[oa])? (?!pagador)${PERSON})?`
const OR = '(?:/| ?[-|] ?| e | ou | )'
const NUMBER_OF = '(?:(?:n[o.º°]*|num\\.?|numero) ?(?:d[oa] )?)?'

/** What people call the columns of a table: words for the thing itself, and what only is likely, the best of each first. */
interface Headings {
  words: readonly RegExp[]
  guesses?: readonly RegExp[]
}

/** The headings of tables by what they mean, as {@link headingForms} gives them. */
export const HEADINGS = {
  amount: {
    words: [/^amount$/, /^(?:value|valor)$/, /^(?:montante|quantia)$/],
    guesses: [/^valor\b/, /\b(?:r\$|brl)/],
  },
  amountToPay: { words: [/^valor (?:a (?:pagar|transferir)|d[oa] (?:pagamento|transferencia))$/] },
  amountToReturn: { words: [/^valor (?:a (?:devolver|estornar|reembolsar)|d[oa] (?:devolucao|estorno|reembolso))$/] },
  debit: { words: [sumOf('debitos?|saidas?|debits?|pagamentos')] },
  credit: { words: [sumOf('creditos?|entradas?|credits?|recebimentos')] },
  direction: {
    words: [
      /^(?:[dc]\/[cd]|deb(?:ito)?\/cred(?:ito)?|cred(?:ito)?\/deb(?:ito)?|tipo|natureza|sinal|tipo (?:de |do )?lancamento)$/,
    ],
  },
  balance: { words: [/^saldos?\b/, /^(?:running )?balance\b/] },
  key: { words: [new RegExp(`^(?:chave(?: (?:d[oe] )?pix)?|pix key)${OF_PAYEE}$`)] },
  keyType: { words: [/^(?:keytype|tipo(?: (?:d[ea] )?chave)?(?: (?:d[oe] )?pix)?)$/] },
  /** Who owns a key. */
  owner: { words: [new RegExp(`^${NUMBER_OF}(?:cpf(?:${OR}cnpj)?|cnpj(?:${OR}cpf)?)${OF_PAYEE}$`)] },
  /** An owner if its cells are documents, else the number of a paper. */
  document: { words: [new RegExp(`^${NUMBER_OF}doc(?:\\.|ument(?:o|s)?)?${OF_PAYEE}$`)] },
  /** The name under which somebody is in the payee book. */
  payee: { words: [/^(?:payee name|apelido|favorecido cadastrado)$/] },
  payeeInBook: { words: [/^(?:payee|favorecido)$/] },
  displayName: { words: [/^(?:display name|nome(?: completo)?|razao social)$/] },
  /** Names of people and companies that are paid; the best first, because events have the legal name. */
  name: {
    words: [
      /^(?:name|payee)$/,
      /^(?:nome (?:do |da )?)?(?:favorecido|beneficiario|recebedor)$/,
      /^(?:nome ?(?:\/|ou) ?)?razao social(?: d[oa] \w+)?(?: ?(?:\/|ou) ?nome)?$/,
      new RegExp(`^(?:nome (?:do |da )?)?${PERSON}$`),
      /^nome(?: completo)?$/,
      /^nome fantasia$/,
    ],
  },
  /** The other side of a line of a statement; `Titular` and `Cliente` are the own one there. */
  party: {
    words: [/^name$/],
    guesses: [
      /^nome\b/,
      /^(?:favorecido|beneficiario|destinatario|remetente|pagador|recebedor|contraparte|razao social)\b/,
    ],
  },
  originalPayment: { words: [/^(?:id (?:da )?transacao(?: original)?|transacao original)$/] },
  /** Of a charge: its request number. */
  orderNumber: {
    words: [
      new RegExp(
        `^(?:${NUMBER_OF}|(?:id|codigo) (?:d[oa] )?)(?:pedido|ordem|encomenda)(?: de (?:compra|venda))?$|^(?:order(?: (?:number|no\\.?|id))?|request ?number)$`,
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
  date: { words: [/^date$/, /^(?:data|dia)$/], guesses: [/^(?:data|dia|date)\b/] },
  description: { words: [/^historico\b/, /^description$/, /^lancamentos?$/], guesses: [/^descricao\b/, /^memo$/] },
  details: { words: [/^detalhes?\b/], guesses: [/^descricao\b/, /^(?:complemento|informacoes)\b/] },
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
const COUNTED =
  /\b(?:parcelas?|quantidades?|qtde?s?|dias?|horas?|ferias|pesos?|kg|unidades?|itens|notas?|pedidos?|titulos?|pontos?|agencia|matricula)\b/

/** True for a heading that says of any number below it that it is an amount: `Saldo`, `Valor da parcela`, but not `Parcelas` or `Total de dias`. */
export function isMoneyHeading(name: string): boolean {
  const text = foldedText(name)
  return MONEY.test(text) || (SUM.test(text) && !COUNTED.test(text))
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

/** True for the heading of a column that holds the names of people or companies. */
export function isNameHeading(name: string): boolean {
  return fitsAny(headingForms(name), headingsOf(['name', 'displayName', 'party'], true))
}

/** Headings of numbers by which an office finds a payment. They are carried, never sent. */
const OWN_REFERENCE = [
  new RegExp(`^${NUMBER_OF}(?:nota(?: fiscal)?|nfs?(?:-?e)?|fatura|titulo|duplicata|boleto|os|referencia)$`),
  ...HEADINGS.orderNumber.words,
  ...HEADINGS.document.words,
]

/** True for the heading of a number by which an office finds a payment, such as that of its invoice. */
export function isOwnReference(name: string): boolean {
  return fitsAny(headingForms(name), OWN_REFERENCE)
}
/** Of several such numbers in a row, that of what is to be paid tells more than that of what was ordered. */
const OF_A_BILL = /nota|nf|fatura|titulo|duplicata|boleto/
const PART = /^(?:(?:n[o.º°]*|num\.?|numero) ?(?:d[ae] )?)?parcelas?$/
/** What people write where there is no number. */
const NO_REFERENCE = /^(?:s\/?n|sem (?:nf|nota|numero|pedido|boleto)|n\/?a|nao (?:ha|tem)|isento)$/

/** The columns of a table with the numbers by which an office finds a payment. */
export interface ReferenceColumns {
  names: readonly string[]
  /** Their places, the one that tells most first. */
  places: readonly number[]
  /** The place of the column that says which instalment a row is; -1 if there is none. */
  part: number
}

/** The columns of references of a table; that of the owners, if there is one, is none. */
export function referenceColumns(names: readonly string[], owner?: number): ReferenceColumns {
  const places = [...names.keys()].filter((place) => place !== owner && isOwnReference(names[place] ?? ''))
  const ofBill = places.filter((place) => OF_A_BILL.test(foldedText(names[place] ?? '')))
  const part = names.findIndex((name) => fitsAny(headingForms(name), [PART]))
  return { names, places: [...new Set([...ofBill, ...places])], part }
}

/** The number by which an office finds a payment. */
export interface OwnReference {
  place: number
  /** As its cell has it. */
  cell: string
  /** With the heading of its column if it is a bare number: `NF 3`. */
  shown: string
  /** In one spelling, with the instalment. */
  comparable: string
}

/** The reference in the cells of a row; null if it has none. */
export function referenceIn(cells: readonly string[], { names, places, part }: ReferenceColumns): OwnReference | null {
  for (const place of places) {
    const cell = (cells[place] ?? '').trim()
    const comparable = comparableReference(cell)
    if (comparable === '') continue
    const instalment = comparableReference(cells[part] ?? '')
    return {
      place,
      cell,
      shown: /\p{L}/u.test(cell) ? cell : `${names[place] ?? ''} ${cell}`,
      comparable: instalment === '' ? comparable : `${comparable}/${instalment}`,
    }
  }
  return null
}

/** A reference in one spelling: `NF 0012`, `nf-12` and `12` are the same; empty for what is no reference. */
export function comparableReference(text: string): string {
  const folded = foldedText(text)
  if (NO_REFERENCE.test(folded)) return ''
  return folded
    .replace(
      /^(?:(?:nota(?: fiscal)?|nfs?(?:-?e)?|pedido|fatura|titulo|duplicata|boleto|os|ref(?:erencia)?|n[o.º°]*|num(?:ero)?)[\W]*)+(?=\d)/,
      '',
    )
    .replace(/(?<=\d)[^\p{L}\p{N}]+(?=\d)/gu, '-')
    .replace(/[^\p{L}\p{N}-]+/gu, '')
    .replace(/(?<!\d)0+(?=\d)/g, '')
}
