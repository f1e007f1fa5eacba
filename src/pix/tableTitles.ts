import { foldedText } from '../text/foldedText.ts'
import { MONTH_NAME } from './calendar.ts'
import { CANCELLED, DONE, PAID, PAYING, RETURNED, SENDING, SENT } from './rowStates.ts'

const PAPERS =
  '(?:contas?|titulos?|boletos?|notas?(?: fisca(?:l|is))?|nfs?e?|faturas?|duplicatas?|parcelas?|guias?|cheques?|despesas?|gastos?|compras?|vendas?|mensalidades?|servicos?|taxas?|bills?|invoices?|payables?)'
const THINGS = `(?:${PAPERS}|${PAYING}|${SENDING}|teds|transferencias|transfers|depositos|remessas?|lotes?|fornecedores|salarios?|lancamentos?|itens|valores|linhas?|registros?)`
const LIST =
  '(?:(?:lista|listagem|relacao|relatorio|planilha|demonstrativo|controle|extrato|list|report)(?: (?:d[aeo]s?|of))? )?'
const STATE = '(?:status|situac(?:ao|oes)|estado|filtros?|filtrar|filter|state)(?: (?:por|by))?'
const MADE = `(?:${DONE}|${SENT}|confirmad[oa]s?|liquidad[oa]s?)`
const MONTHS = `(?: (?:d[aeo]s?|em|of|in|dia|mes|${MONTH_NAME}|\\d+))*`
const SETTLED = `${PAID}|${CANCELLED}|${RETURNED}|(?:baixad|suspens|bloquead|excluid|duplicad)[oa]s?|em duplicidade`
const NO_PAYING = '(?:nao|do not) (?:pagar|pay|enviar|send|transferir)'

/** Titles of tables of which every row is settled, and those that say so only if nothing else is said. */
const OF_TRANSFERS = [
  new RegExp(
    `(?<!\\b(?:mercado|frete|pre|pos|trafego|anuncio|valor|total|saldo|que|quem|sobre|sobre (?:o|as?|os)|sobre(?: \\w+)? ${PAPERS}|(?:reembols\\w+|ressarcim\\w+|restituic\\w+|comiss\\w+|repasses?|devoluc\\w+|bonus|cashback|refunds?|reimbursements?)\\b.* ${PAPERS}) )\\b(?:${PAID.replace('|compensad[oa]s?', '')})\\b`,
  ),
  new RegExp(
    `\\b(?:${PAYING}|pix|teds?|transferencias?|transfers?|depositos?|remessas?|lotes?|salarios?)${MONTHS} (?:ja )?${MADE}\\b`,
  ),
  new RegExp(`^${LIST}(?:${THINGS} )?(?!baixado .)(?:${SETTLED}|pgs?|pgo)(?!\\w| \\d)`),
  new RegExp(`\\b${STATE}(?: (?:d[aeo]s? )?${THINGS})? (?:${SETTLED}|${MADE}|pgo?)\\b`),
  new RegExp(`^(?:${MADE}|ok|${NO_PAYING})$`),
]
const REFUNDS = 'estornos?|devoluc(?:ao|oes)|reembolsos?|ressarcimentos?|refunds?'
const OF_REFUNDS = [
  new RegExp(`\\b(?:${REFUNDS})${MONTHS} (?:ja )?(?:${MADE}|${PAID})\\b`),
  new RegExp(
    `^${LIST}(?:(?:pagamentos|pix|valores|transac(?:ao|oes)|cobrancas|clientes|${REFUNDS}|payments) )?(?:ja )?(?:${RETURNED})\\b`,
  ),
  new RegExp(`\\b${STATE}(?: (?:d[aeo]s? )?(?:${REFUNDS}|pagamentos?))? (?:${RETURNED}|${MADE})\\b`),
  new RegExp(`^(?:${MADE}|ok|nao (?:devolver|estornar|reembolsar))$`),
]

/** What is denied, or yet to come: `não pagas`, `a serem pagos`. */
const NOT_SETTLED = new RegExp(
  `\\b(?:nao|n|nunca|not|never|sem|exceto|menos|without|except|ser|serem|sera|serao|to be|will be|apos|quando|se)(?: (?:foi|foram|estao|esta|ainda|been|yet))*(?: ${PAPERS})? (?:${SETTLED}|${MADE})\\b`,
  'g',
)
/** What says that rows are open, of which the title then says nothing. */
const OPEN =
  /\b(?:(?:a|para|p|pra) (?!\w*lar\b)[a-z]{2,}[aei]r|pend\w*|(?:em )?abert[oa]s?|agendad\w*|programad\w*|previst\w*|vencer|marcar|preencher|riscad\w*|tachad\w*|unpaid|open|due|pending|outstanding|scheduled)\b/
/** Of what a legend says it by colours, which say nothing to a program. */
const COLOURS =
  /\b(?:verdes?|amarel[oa]s?|vermelh[oa]s?|azu(?:l|is)|cinzas?|laranjas?|rox[oa]s?|negrito|cor|cores|colorid[oa]s?|destacad[oa]s?|grifad[oa]s?|pintad[oa]s?|green|yellow|red|blue|gr[ae]y|bold|highlighted)\b/

/**
 * True if a title says of the rows of its table that they are settled, be it the name of a sheet or a line beside the table: `CONTAS PAGAS`,
 * `Situação: Quitado`, `verde = pago`; but not `Pagamentos de novembro`, `Contas a pagar` or `Comissões sobre faturas pagas`.
 */
export function saysAllSettled(title: string, kind: 'transfer' | 'refund'): boolean {
  const words = foldedText(title.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 '))
    .replace(/\bp\//g, 'para ')
    .replace(/[^a-z\d]+|(?<=[a-z])(?=\d)/g, ' ')
    .trim()
  const text = words.replace(NOT_SETTLED, ' ').replace(/ +/g, ' ').trim()
  const isSettled = (kind === 'transfer' ? OF_TRANSFERS : OF_REFUNDS).some((each) => each.test(text))
  return isSettled && (COLOURS.test(text) || !OPEN.test(text))
}
