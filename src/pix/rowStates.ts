import { foldedText, withoutAccents } from '../text/foldedText.ts'
import { daysIn, MONTH_NAME } from './calendar.ts'

/** What says of a payment that it was made, in any gender and number. Of a refund it says only that its original was paid. */
const PAID = 'pag[oa]s?|quitad[oa]s?|liquidad[oa]s?|compensad[oa]s?|paid|settled'
/** What says of a payment that it is not to be made any more. Of a refund it is the reason. */
const ENDED = 'cancelad[oa]s?|cancell?ed|baixad[oa]s?|anulad[oa]s?|void(?:ed)?'
const RETURNED = '(?:estornad|devolvid|reembolsad|ressarcid|restituid)[oa]s?|refunded|reversed'
const DONE =
  '(?:concluid|finalizad|encerrad|efetuad|efetivad|realizad|conciliad|processad|feit)[oa]s?|completed|done|made|cleared'
/** What can have become of a row: a heading asks for it, and where it is denied the row is open. */
const HAPPENED = `${PAID}|${ENDED}|${RETURNED}|${DONE}|(?:transferid|depositad|suspens|bloquead|excluid)[oa]s?|pgo?|pagou|pagamos|baixas?|quitacao|liquidacao|compensacao|conciliacao|cancelamento|settlement|estornos?|devoluc(?:ao|oes)|efetiv[oa]|realiz|efet|canc|baix|quit`
const PAYING = 'payments?|pagamentos?|pagto|pgto|pagt|pgt|pag'
const SENDING = 'pix|ted|transferencia|transfer|deposito'

/** What a heading that asks may say besides. */
const BESIDE =
  'o|a|de|d[oa]s?|em|no|na|dia|data|dt|date|day|hora|horario|quando|on|of|at|ja|foi|esta|is|was|x|hoje|atual|estado|confirmad[oa]s?|confirmacao|conf|comprovante|comprov'
const SUBJECTS = `${SENDING}|titulo|conta|boleto|nota|nf|fatura|parcela|duplicata|despesa|fornecedor|financeir[oa]`
const STATE = /\b(?:status|situac(?:ao|oes)|sit)\b/
/** Whose state is not that of a payment. */
const OTHER_STATE =
  /\b(?:nfs?e?|notas?|fiscal|pedidos?|compras?|cadastr\w+|entregas?|contrat\w+|clientes?|fornecedor(?:es)?|colaborador|funcionario|empregado|alun[oa]|matricula|aprovacao|document\w+|e?mails?|cpf|cnpj|receita|chave|produto|estoque|servico|obra|projeto|orders?|supplier|vendor|employee|customer|delivery|approval)\b/

/** Headings of nothing but words of payments that were made, and of those that may be planned. */
const OF_THE_PAST = headingOf(
  `${HAPPENED}|ok|(?:pix|ted) enviad[oa]s?|nao pagar|(?<=.)liq`,
  `${PAYING}|${SUBJECTS}|(?<=\\b(?:${PAID}|${ENDED}) )(?:por|by)`,
)
const OF_PAYMENT = headingOf(`${PAYING}|(?<=\\b(?:data|dt|date)\\b.*)(?:${SENDING})`, SENDING)
const ONLY_PAYING = new RegExp(`^(?:${PAYING})$`)
const RETURNING = `${RETURNED}|estornos?|devoluc(?:ao|oes)|reembolsos?|ressarcimentos?|restituic(?:ao|oes)|refunds?|reversal|(?<=pag[oa] de )volta`
const OF_REFUND = headingOf(RETURNING, `${HAPPENED}|${PAYING}|${SUBJECTS}|ok`)
const SAYS_REFUND = new RegExp(`\\b(?:${RETURNING})\\b`)
const OF_DONE = headingOf(`${DONE}|ok`)
const SAYS_PAYMENT = new RegExp(`\\b(?:${HAPPENED}|${PAYING})\\b`)

/** A heading that says one of the words, and nothing but them and what may be said besides. */
function headingOf(words: string, beside = words): RegExp {
  return new RegExp(`^(?=.*\\b(?:${words})\\b)(?:(?:${words}|${beside}|${BESIDE})(?: |$))+$`)
}

/** What says that a row is still to be paid. */
const OPEN =
  '(?:abert|atrasad|vencid|aprovad|autorizad|liberad|previst|nov|ativ|pront|devid)[oa]s?|pend|pendentes?|pendencia|pagar|quitar|transferir|depositar|enviar|efetuar|realizar|fazer|devolver|estornar|reembolsar|ressarcir|restituir|vencer|vence|vencendo|venc|atraso|previsao|aprovar|autorizar|liberar|aguard\\w*|normal|amanha|open|pending|unpaid|pay|payable|due|overdue|outstanding|planned|upcoming|approved|authori[sz]ed|awaiting|waiting|tomorrow|new|active|ready|falso|false'
/** What says it only until the day beside it. */
const SCHEDULED = '(?:agendad|programad)[oa]s?|agendar|programar|scheduled'
const METHODS =
  'pix|ted|doc|boletos?|dinheiro|especie|cheque|cartao|transferencia|deposito|debito|credito|automatico|guia|darf|vista|prazo|dias|imediato|combinar|cash|card|transfer|wire'
/** What may stand beside such a word. */
const REMARK =
  '\\d+[ºª]?|a|o|as|os|e|d[aeo]s?|em|n[ao]s?|ao|ha|p|para|pra|por|via|com|c|ate|ainda|so|somente|apos|desde|pode|deve|falta|to|the|for|of|on|in|by|be|until|since|past|yet|still|dias?|days?|data|date|semana|mes|que|vem|proxim[ao]s?|next|week|month|segunda|terca|quarta|quinta|sexta|feira|seg|ter|qua|qui|sex|urgente|pagamentos?|pagto|pgto|payments?|nfe?|notas?|fiscal|boletos?|faturas?|titulos?|invoices?|parcelas?|contas?|pedidos?|compras?|vendas?|aprovacao|approval|autorizacao|liberacao|assinatura|vencimento|prazo|financeiro|diretoria|diretora?|gerencia|gerente|gestora?|manager|fornecedor|supplier|cliente|customer|remessa|pix|ted|transferencia|verba|saldo|recursos?|documentos?|documentacao|dados|chave|contrato|medicao|entrega|estornos?|devolucao|reembolsos?|refunds?'
const REMARK_WORD = new RegExp(`^(?:${REMARK})$`)
const NO = 'nao|n|not|no|nunca|never|sem'
const BEEN = '(?: (?:foi|esta|estao|consta|como|ha|houve|been|yet|ainda))*'
/** What is open in several words: `não foi pago`, `pago: não`, `a ser pago`, `ok p/ pagamento`, or no more than a no. */
const OPEN_PHRASE = new RegExp(
  [
    `\\b(?:${NO})${BEEN} (?:${HAPPENED}|${PAYING}|enviad[oa]s?|data|previsao)(?= |$)`,
    `(?<!\\b(?:${OPEN}|${SCHEDULED})\\b.*)\\b(?:${NO})${BEEN}$`,
    `\\b(?:${HAPPENED}) (?:${NO})$`,
    `\\b(?:ser|sera|serao|to be|will be) (?:${HAPPENED})(?= |$)`,
    `\\b(?:ok )?(?:p|para|pra|for|to) (?:pagar|pay|${PAYING})(?= |$)`,
    '\\b(?:aguardando|pendente)(?: de| a)? baixa(?= |$)',
    '^(?:n ?[ad]|nada|nenhum|null|none)$',
  ].join('|'),
  'g',
)
/** Who approved something; no word such as `enviado`. */
const BY_SOMEBODY = /(?<=\b(?:aprovad|autorizad|liberad)[oa]s? )(?:por|pel[oa])(?: (?!\w*[ai]d[oa]s?\b|pag)[a-z]+){1,2}/
/** What people write where there is nothing to say. Any other sign may be a tick. */
const NOTHING = /^[\s\-\u2010-\u2015_.,:/|()[\]0]*$/

/** What a heading asks of its cells. */
interface Question {
  /** The words that are understood as open below it, and those of them that are so only until the day beside them. */
  open: RegExp
  openUntilDay: RegExp
  /** True if a day of today can be that on which it was done. */
  isDone: boolean
}

const OPEN_HERE = { open: only(`${OPEN}|${SCHEDULED}`), openUntilDay: only(`${SCHEDULED}|${METHODS}`) }
/** Below a heading that may ask how something is paid. */
const OR_METHOD = { ...OPEN_HERE, open: only(`${OPEN}|${SCHEDULED}|${METHODS}`) }
/** Of the original of a refund, which was paid and may be cancelled. */
const OF_ORIGINAL = { open: only(`${OPEN}|${SCHEDULED}|${PAID}|${ENDED}`), openUntilDay: only(SCHEDULED) }

function only(words: string): RegExp {
  return new RegExp(`^(?:${words})$`)
}

function questionOfTransfer(heading: string): Question | undefined {
  const says = SAYS_PAYMENT.test(heading)
  const isState = STATE.test(heading) && (says || !OTHER_STATE.test(heading))
  const isDone = OF_THE_PAST.test(heading)
  if (!isState && !isDone && !OF_PAYMENT.test(heading)) return undefined
  return { ...(ONLY_PAYING.test(heading) ? OR_METHOD : OPEN_HERE), isDone }
}

/** A refund is asked for what became of itself; a heading such as `Pago?` or `Data de pagamento` asks for its original. */
function questionOfRefund(heading: string): Question | undefined {
  const isState = STATE.test(heading)
  if (OF_REFUND.test(heading) || OF_DONE.test(heading) || (isState && SAYS_REFUND.test(heading)))
    return { ...OPEN_HERE, isDone: true }
  const isPlain = isState && !OTHER_STATE.test(heading) && !SAYS_PAYMENT.test(heading)
  return isPlain ? { ...OF_ORIGINAL, isDone: true } : undefined
}

/** What a cell says of its row; `unsure` is a mark only beside rows of the same column that are open. */
export type RowState = 'marked' | 'unsure' | 'open' | 'unknown'

/** Judges the cells of a column: what one says of the row it is in. */
export type MarkReader = (cell: string, today: string) => RowState

/**
 * What reads the marks in the column with a heading. Where it asks what became of a row, every cell is a mark that is not understood as open; in any
 * other column one is of which a part, in brackets or beside a dash, says nothing but settled.
 */
export function markReader(kind: 'transfer' | 'refund', heading: string): MarkReader {
  const words = headingWords(heading)
  const question = kind === 'transfer' ? questionOfTransfer(words) : questionOfRefund(words)
  if (question !== undefined) return (cell, today) => answerIn(cell, today, question)
  const settled = kind === 'refund' ? RETURNED_ALONE : PLACE.test(words) ? SETTLED_IN_PLACE : SETTLED_ALONE
  return (cell, today) => (saysSettled(cell, today, settled) ? 'marked' : 'unknown')
}

/** The words of a heading in one spelling, without the answers that it offers: those of `DT_PGTO (S/N)` are `dt pgto`. */
function headingWords(heading: string): string {
  return foldedText(heading.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 '))
    .replace(/\bs(?:im)?\/n(?:ao)?\b|\/nao \w+/, '')
    .replace(/\bdt(?=pag|pgto|baixa|quit|liq)/, 'dt ')
    .replace(/[^a-z\d]+/g, ' ')
    .trim()
}

/** No answer is longer, and reading what is takes long. */
const ANSWER_MAX = 200

/** What a cell says where it is asked. A day to come, or of today, may be that on which it is to be paid. */
function answerIn(cell: string, today: string, { open, openUntilDay, isDone }: Question): RowState {
  if (cell.length > ANSWER_MAX) return 'marked'
  const { days, rest } = daysIn(cell, today)
  const isPast = days.some((day) => day < today)
  if (NOTHING.test(rest)) {
    if (days.length === 0) return /[1-9]/.test(cell) ? 'marked' : 'open'
    if (isPast) return 'marked'
    return isDone && days.includes(today) ? 'unsure' : 'unknown'
  }
  if (/[^\p{L}\p{N}\p{P}\s$]/u.test(rest)) return 'marked'
  const words = rest
    .replace(/\bs\/(?=[a-z]{2})/g, 'sem ')
    .replace(/\br\$|[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(OPEN_PHRASE, 'aberto')
    .replace(BY_SOMEBODY, 'a')
    .split(/ +/)
  const isOpen =
    words.some((word) => open.test(word)) && words.every((word) => open.test(word) || REMARK_WORD.test(word))
  return isOpen && !(isPast && words.some((word) => openUntilDay.test(word))) ? 'open' : 'marked'
}

/** Where `PG` is a town. */
const PLACE = /^(?:filial|loja|unidade|cidade|municipio|estado|uf|praca|regional|polo|obra|centro|setor)\b/
const WITH_DAY = 'pagou|pagamos|transferid[oa]s?|depositad[oa]s?'
const NO_PAYING = 'pagar|pague|pay'
const SETTLED_ALONE = settledWords(`${PAID}|${ENDED}|${RETURNED}|pgo?(?!\\.? ?#)`, WITH_DAY, NO_PAYING)
const SETTLED_IN_PLACE = settledWords(`${PAID}|${ENDED}|${RETURNED}`, WITH_DAY, NO_PAYING)
const RETURNED_ALONE = settledWords(RETURNED, RETURNED, 'devolver|estornar|reembolsar')

interface SettledWords {
  alone: RegExp
  withDay: RegExp
  denied: RegExp
  /** Most cells hold none of the words, and reading them in full takes longer than finding that. */
  maybe: RegExp
}

/**
 * Texts of nothing but these words, with amounts, how it was paid and by whom; or, with a day, these further ones; or that it is not to be done. Days
 * are taken out of the texts, and a number is `#`.
 */
function settledWords(words: string, withDay: string, infinitives: string): SettledWords {
  const first = `${words}|(?:nao|do not) (?:${infinitives})`
  const more = `${first}|${METHODS}|em ${MONTH_NAME}|#|dia|em|n[ao]|a|e|via|por|pel[oa]|com|c|de|r\\$|on|by|in`
  const text = (begin: string, before: string) =>
    new RegExp(
      `^[^\\w#]*(?:(?:ja|foi|esta) )*(?:${begin})(?:[\\s.]+(?:${more}))*(?:${before}(?: +[a-z]+){1,2})?[^\\w#]*$`,
    )
  return {
    alone: text(first, `(?<=\\b(?:${METHODS}|por|pel[oa]|by))`),
    withDay: text(`${first}|${withDay}`, ''),
    denied: new RegExp(`\\b(?:${words})\\W+(?:${NO})\\W*$`),
    maybe: new RegExp(`${words}|${withDay}|${infinitives}`),
  }
}

/** Parts of a text in brackets and beside dashes; `Mercado-Pago`, `pré-pago` and `n/pago` have none. */
const PARTS =
  /[()[\]{}|:;,*"!\u2013\u2014]+|\s-|-\s|(?<!\b(?:nao|n|s))\/|(?<=\p{L})(?<!\b(?:mercado|pre|pos|nao|n))-(?=\p{L})/u

function saysSettled(cell: string, today: string, { alone, withDay, denied, maybe }: SettledWords): boolean {
  if (!maybe.test(withoutAccents(cell))) return false
  return cell.split(/[\r\n]+/).some((line) => {
    const { days, rest } = daysIn(line, today)
    const text = rest.replace(/(?:\b[a-z]{3,9}\/)?\d[\d.,]*/g, '#')
    const words = days.length > 0 || /\bdia #/.test(text) ? withDay : alone
    return !denied.test(text) && text.split(PARTS).some((part) => words.test(part))
  })
}
