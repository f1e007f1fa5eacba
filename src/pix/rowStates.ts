import { foldedText, withoutAccents } from '../text/foldedText.ts'
import { daysIn, MONTH_NAME } from './calendar.ts'
import { isNameHeading } from './tableWords.ts'

/** What says of a payment that it was made, in any gender and number. Of a refund it says only that its original was paid. */
export const PAID = 'pag[oa]s?|quitad[oa]s?|liquidad[oa]s?|compensad[oa]s?|paid|settled'
/** What says of a payment that it is not to be made any more. Of a refund it is the reason. */
export const CANCELLED = 'cancelad[oa]s?|canc|cancell?ed|anulad[oa]s?|void(?:ed)?'
const ENDED = `${CANCELLED}|baixad[oa]s?`
export const RETURNED = '(?:estornad|devolvid|reembolsad|ressarcid|restituid)[oa]s?|refunded|reversed'
export const DONE =
  '(?:concluid|finalizad|encerrad|efetuad|efetivad|realizad|conciliad|contabilizad|processad|feit)[oa]s?|completed|done|made|cleared|processed'
export const SENT =
  '(?:enviad|remetid|transferid|depositad|executad|debitad|fechad)[oa]s?|sent|transferred|executed|wired|closed'
/** What can have become of a row: a heading asks for it, and where it is denied the row is open. */
const HAPPENED = `${PAID}|${ENDED}|${RETURNED}|${DONE}|(?:transferid|depositad|suspens|bloquead|excluid)[oa]s?|pgo?|pagou|pagamos|paguei|quitei|realiz|efet|baix|quit|compens`
/** The same as things: what is without one may have none to come. */
const EVENT =
  'baixas?|quitacao|liquidacao|compensacao|conciliacao|efetivacao|cancelamento|settlement|estornos?|devoluc(?:ao|oes)|bloqueios?|suspensao'
const KEPT_BACK = '(?:bloquead|suspens)[oa]s?|bloqueios?|hold|excluir|retirar|segurar|suspender|bloquear'
export const PAYING = 'payments?|pagamentos?|pagto|pgto|pagt|pgt|pag'
export const SENDING = 'pix|ted|transferencia|transfer|transf|deposito'

/** What a heading that asks may say besides. */
const BESIDE = `\\d{1,4}[oa]?|${MONTH_NAME}|o|a|de|d[oa]s?|em|no|na|dia|data|dt|date|day|hora|horario|quando|on|of|at|ja|foi|esta|is|was|x|hoje|atual|estado|confirmad[oa]s?|confirmacao|conf|comprovante|comprov|quem(?= pagou)|efetiv[oa]|real`
const SUBJECTS = `${SENDING}|titulo|conta|boleto|nota|nf|fatura|parcela|duplicata|despesa|fornecedor|financeir[oa]`
/** `ST` alone is a tax. */
const STATE = new RegExp(`\\b(?:status|situac(?:ao|oes)?|sit|st(?= (?:d[aeo] )?(?:${PAYING}|${SENDING}|titulo)\\b))\\b`)
/** Whose state is not that of a payment. */
const OTHER_STATE =
  /\b(?:nfs?e?|notas?|fiscal|pedidos?|compras?|cadastr\w+|entregas?|contrat\w+|clientes?|fornecedor(?:es)?|colaborador|funcionario|empregado|alun[oa]|matricula|aprovacao|document\w+|e?mails?|cpf|cnpj|receita|chave|produto|estoque|os|funcional|servico|obra|projeto|orders?|supplier|vendor|employee|customer|delivery|approval)\b/

/** Headings of nothing but words of payments that were made, and of those that may be planned. */
const OF_THE_PAST = headingOf(
  `${HAPPENED}|${EVENT}|${KEPT_BACK}|cancelar|ok|nao pagar|liq|(?<=\\b(?:data|dt)\\b.*)efetiva`,
  `${PAYING}|${SUBJECTS}|motivo|reason|(?<=\\b(?:${PAID}|${ENDED}) )(?:por|by)`,
)
const OF_SENT = headingOf(
  `${SENT}|execucao|(?<=\\b(?:data|dt)\\b.*)(?:debito|envio)`,
  `${PAYING}|${SENDING}|remessas?|lote|banco|bank|ao|to`,
)
const OF_PAYMENT = headingOf(
  `${PAYING}|(?<=\\b(?:data|dt|date)\\b.*)(?:${SENDING})|(?:${SENDING})(?= (?:em|on|date)\\b)`,
  SENDING,
)
const ONLY_PAYING = new RegExp(`^(?:(?:${PAYING}|\\d{1,4}[oa]?|${MONTH_NAME})(?: |$))+$`)
const RETURNING = `${RETURNED}|estornos?|devoluc(?:ao|oes)|reembolsos?|ressarcimentos?|restituic(?:ao|oes)|refunds?|reversal|returned|(?<=pag[oa] de )volta`
const OF_REFUND = headingOf(RETURNING, `${SENT}|${HAPPENED}|${EVENT}|${PAYING}|${SUBJECTS}|ok`)
const SAYS_REFUND = new RegExp(`\\b(?:${RETURNING})\\b`)
/** Of which a yes or a no may say what is to be done. */
const ONLY_REFUND = /^(?:estorno|devolucao|reembolso|refund)$/
const OF_DONE = headingOf(`${DONE}|${KEPT_BACK}|ok`)
/** What was done where the rows are of work: the work, not its payment. */
const OF_WORK_DONE =
  /^(?:(?:data|dt|dia|date)(?: d[aeo])? )?(?:(?:realizad|executad|concluid|finalizad|prestad)[oa]|realizacao|execucao|conclusao|completed|done)(?: (?:em|no dia|on))?$/
const WORK =
  /^(?:(?:tipo|descricao) d[aeo] )?(?:servicos?|obras?|cursos?|aulas?|eventos?|consultas?|exames?|procedimentos?|atividades?|tarefas?|visitas?|viage(?:m|ns)|treinamentos?|services?|jobs?|tasks?)(?: (?:prestad|realizad|executad)[oa]s?)?$/
const SAYS_PAYMENT = new RegExp(`\\b(?:${HAPPENED}|${EVENT}|${PAYING})\\b`)
/** What a row is to be to be sent. */
const WANTED =
  '(?:abert|aprovad|autorizad|liberad)[oa]s?|pendentes?|pendencias?|pagar|pay|incluir|include|enviar|send|transferir|fazer|devendo|approved|authori[sz]ed|released|open|outstanding|pending'
const OF_WANTED = headingOf(`${WANTED}|devolver|estornar|reembolsar`, `${PAYING}|${SENDING}|remessas?|lote|falta|to`)

/** A heading that says one of the words, and nothing but them and what may be said besides. */
function headingOf(words: string, beside = words): RegExp {
  return new RegExp(`^(?=.*\\b(?:${words})\\b)(?:(?:${words}|${beside}|${BESIDE})(?: |$))+$`)
}

/** What says that a row is still to be paid. */
const OPEN =
  '(?:abert|atrasad|vencid|aprovad|autorizad|liberad|previst|nov|ativ|devid)[oa]s?|pend|pendentes?|pendencia|devendo|pagar|quitar|transferir|depositar|enviar|efetuar|realizar|fazer|vencer|vence|vencendo|venc|atraso|previsao|aguard|aguardando|normal|urgente|amanha|open|pending|unpaid|pay|payable|due|overdue|outstanding|planned|upcoming|approved|authori[sz]ed|awaiting|waiting|tomorrow|new|active|falso|false'
/** What says it only until the day beside it. */
const SCHEDULED = '(?:agendad|programad)[oa]s?|agendar|programar|scheduled'
const TERMS = 'vista|prazo|dias|imediato|combinar'
/** Ways to pay that are not PIX, and those that may be. */
const OTHER_WAYS =
  '(?:teds?|doc|boletos?|dda|dinheiro|especie|cheques?|cartao|cartoes|deposito|debito|credito|automatico|guias?|gare|gps|darf|cash|cards?|wire|slip)'
const METHODS = `pix|transferencia|${OTHER_WAYS}|${TERMS}|transfer`
const PURPOSES = `salarios?|ferias|comiss(?:ao|oes)|adiantamentos?|bonus|salary|commission|${MONTH_NAME}|instalment`
/** What may stand beside such a word. */
const REMARK = `,|\\d+[ºª]?|a|o|as|os|e|d[aeo]s?|em|na|nas|nos|ao|ha|p|para|pra|por|via|com|c|ate|ainda|so|somente|apos|desde|pode|deve|falta|now|to|the|for|of|on|in|by|until|since|past|yet|still|dias?|days?|data|date|semana|mes|que|vem|proxim[ao]s?|next|week|month|segunda|terca|quarta|quinta|sexta|feira|seg|ter|qua|qui|sex|${MONTH_NAME}|pagamentos?|pagto|pgto|payments?|nfe?|notas?|fiscal|boletos?|faturas?|titulos?|invoices?|parcelas?|contas?|pedidos?|compras?|vendas?|aprovacao|approval|autorizacao|liberacao|assinatura|vencimento|prazo|financeiro|diretoria|diretora?|gerencia|gerente|gestora?|manager|fornecedor|supplier|cliente|customer|remessa|pix|ted|transferencia|verba|saldo|recursos?|documentos?|documentacao|dados|chave|contrato|medicao|entrega`
const NO = 'nao|n|not|no|nunca|never|sem'
const BEEN = '(?: (?:foi|esta|estao|consta|como|ha|houve|been|yet|ainda))*'
/** What is open in several words: `não foi pago`, `pago: não`, `a ser pago`, `ok p/ pagamento`, or no more than a no; what is yet to be done is one of `done`. */
function openPhrase(done: string): RegExp {
  return new RegExp(
    [
      `\\b(?:${NO})${BEEN} (?:${HAPPENED}|${SENT})(?= |$)`,
      `\\b(?:${NO})${BEEN} (?:${EVENT}|${PAYING}|data|previsao)$`,
      `^(?:(?:ainda|${PAYING}) )?(?:${NO})${BEEN}(?= ,|$)`,
      `\\b(?:${HAPPENED}) (?:${NO})$`,
      `\\b(?:ser|sera|serao|to be|will be) (?!fechad|encerrad|closed)(?:${done})(?= |$)`,
      `\\b(?:(?:ok|pront[oa]s?|ready) )?(?:p|para|pra|for|to) (?:pagar|pay|${PAYING})(?= |$)`,
      `\\bag (?:${PAYING})(?= |$)`,
      '^(?:n ?[ad]|null|none)$',
    ].join('|'),
    'g',
  )
}
/** Who approved something, also in brackets or behind a dash; no word such as `enviado`, and no `engano`. */
const BY_SOMEBODY = new RegExp(
  `(?<=\\b(?:(?:aprovad|autorizad|liberad)[oa]s?|approved|authori[sz]ed) )(?:(?:, )?(?:por|pel[oa]|p|by)|,)(?:(?: ,)? (?!\\w*(?:[ai]d[oa]s?|[ae]i|ou|mos)\\b|(?:${HAPPENED}|${SENT}|${EVENT}|${KEPT_BACK}|${METHODS}|${NO}|ok|ja|com|x|s|sim|yes|parcial|parte|caiu)\\b|pag|engano|err|equivoco|falha|ressalva|mistake|accident|cancel|estorn|devol|dupl)[a-z]+){1,3}`,
)
/** What people write where there is nothing to say. Any other sign may be a tick. */
const NOTHING = /^[\s\-\u2010-\u2015_.,:/|()[\]\u2610\u25a10]*$/
/** A no below a heading that asks whether a row is to be sent. */
const PLAIN_NO = new RegExp(
  `^[^a-z\\d]*(?:${NO}|nenhum[ao]?s?|nada|none|nothing|false|falso|(?:reprovad|recusad|rejeitad|negad)[oa]s?|rejected|declined|denied|0+(?:[.,]0+)?)(?: (?:ainda|yet|${WANTED}))?[.!)]*(?: *$| ?[-,;:(])`,
)

/** What a heading asks of its cells. */
interface Question {
  /** The words that are understood as open below it, those of them that are so only until the day beside them, and what may stand beside them. */
  open: RegExp
  openUntilDay: RegExp
  remark: RegExp
  phrase: RegExp
  /** True if a day of today can be that on which it was done. */
  isDone: boolean
  /** True if a day may be that on which it is to be paid: `dia 5` is the nearest. */
  isPlan: boolean
  /** True if a no may mean that a row is not to be sent. */
  isNoUnclear: boolean
}

const OF_TRANSFER = { remark: only(REMARK), phrase: openPhrase(`${PAID}|${DONE}|${SENT}`), isNoUnclear: false }
const OPEN_HERE = { open: only(`${OPEN}|${SCHEDULED}`), openUntilDay: only(`${SCHEDULED}|${METHODS}`) }
/** Below a heading that may ask when something is paid. */
const OR_TERMS = { ...OPEN_HERE, open: only(`${OPEN}|${SCHEDULED}|${TERMS}|util`) }
/** Below a heading that may ask how something is paid, or what for. A row that is paid in another way than by PIX is not open. */
const OR_METHOD = {
  open: only(`${OPEN}|${SCHEDULED}|pix|transferencia|transfer|${TERMS}|${PURPOSES}`),
  openUntilDay: only(`${SCHEDULED}|${METHODS}|${PURPOSES}`),
}
const REFUNDING = `${OPEN}|${SCHEDULED}|devolver|estornar|reembolsar|ressarcir|restituir|solicitad[oa]s?|requested`
const OF_REFUNDS = {
  remark: only(`${REMARK}|estornos?|devolucao|reembolsos?|refunds?`),
  phrase: openPhrase(`${PAID}|${DONE}|${SENT}|${RETURNED}`),
  open: only(REFUNDING),
  openUntilDay: only(SCHEDULED),
  isDone: true,
  isPlan: false,
  isNoUnclear: false,
}
/** Below a heading that may ask how much is returned, or whether. */
const OR_PART = only(`${REFUNDING}|total|parcial|integral|partial|full`)
const OR_YES = only(`${REFUNDING}|total|parcial|integral|partial|full|yes|y|sim|s`)
/** Of the original of a refund, which was paid and may be cancelled. */
const OF_ORIGINAL = only(`${REFUNDING}|${PAID}|${ENDED}`)

function only(words: string): RegExp {
  return new RegExp(`^(?:${words})$`)
}

function questionOfTransfer(heading: string): Question | undefined {
  const says = SAYS_PAYMENT.test(heading)
  const isState = STATE.test(heading) && (says || !OTHER_STATE.test(heading))
  const isDone = OF_THE_PAST.test(heading) || OF_SENT.test(heading)
  if (!isState && !isDone && !OF_PAYMENT.test(heading)) return undefined
  const words = ONLY_PAYING.test(heading) ? OR_METHOD : isState || isDone ? OPEN_HERE : OR_TERMS
  return { ...OF_TRANSFER, ...words, isDone, isPlan: !isState && !isDone }
}

/** A refund is asked for what became of itself; a heading such as `Pago?` or `Data de pagamento` asks for its original. */
function questionOfRefund(heading: string, isQuestion: boolean): Question | undefined {
  const isState = STATE.test(heading)
  if (ONLY_REFUND.test(heading)) {
    return { ...OF_REFUNDS, open: isQuestion && heading === 'refund' ? OR_YES : OR_PART, isNoUnclear: true }
  }
  if (OF_REFUND.test(heading) || OF_DONE.test(heading) || (isState && SAYS_REFUND.test(heading))) return OF_REFUNDS
  const isPlain = isState && !OTHER_STATE.test(heading) && !SAYS_PAYMENT.test(heading)
  return isPlain ? { ...OF_REFUNDS, open: OF_ORIGINAL } : undefined
}

/** What a cell says of its row; `unsure` is a mark only beside rows of the same column that are open. */
export type RowState = 'marked' | 'unsure' | 'open' | 'unknown'

/** Headings that ask in which way a row is paid. */
const OF_METHOD = new RegExp(
  `^(?:forma|meio|metodo|modo|modalidade|tipo) (?:d[aeo]s? )?(?:${PAYING}|transferencia|repasse)$|^(?:forma|metodo|modalidade)$|^(?:payment|payout|transfer) (?:method|type|mode)$|^method$|^(?:pagar|pagto|pgto) (?:via|com|por)$`,
)
const SAYS_PIX = /\bpix\b/
const SAYS_OTHER_WAY = new RegExp(`\\b${OTHER_WAYS}\\b`)
const SAYS_NO_WAY = only(`[\\W\\d]*|.*\\b(?:${TERMS}|transferencias?|transfers?)\\b.*`)

/** Whether a row is paid by PIX as far as its cell says: another way stops it, and any other word if another row of the column says PIX. */
function wayIn(cell: string): RowState {
  const text = foldedText(cell)
  if (SAYS_PIX.test(text)) return 'open'
  if (SAYS_OTHER_WAY.test(text)) return 'marked'
  return SAYS_NO_WAY.test(text) ? 'unknown' : 'unsure'
}

/** Judges the cells of a column: what one says of the row it is in. */
export type MarkReader = (cell: string, today: string) => RowState

/**
 * What reads the marks in a column of a table. Where its heading asks what became of a row, every cell is a mark that is not understood as open; in any
 * other column one is of which a part, in brackets, beside a dash or behind a name, says nothing but settled; a tick is one where no heading says of what.
 */
export function markReader(kind: 'transfer' | 'refund', names: readonly string[], place: number): MarkReader {
  const heading = names[place] ?? ''
  const words = headingWords(heading)
  const isRefund = kind === 'refund'
  if (kind === 'transfer' && OF_METHOD.test(words)) return wayIn
  const isOfWork = OF_WORK_DONE.test(words) && names.some((name) => WORK.test(headingWords(name)))
  const asked = isRefund ? questionOfRefund(words, heading.includes('?')) : questionOfTransfer(words)
  const question = isOfWork ? undefined : asked
  const isCode = STATE.test(words)
  const isName = isNameHeading(heading)
  if (question !== undefined) {
    return (cell, today) => {
      if (isCode && /^\s*0+\s*$/.test(cell)) return 'marked'
      // `Líq.` may as well be the net amount.
      return words === 'liq' && /^\s*\d+\s*$/.test(cell) ? 'unknown' : answerIn(cell, today, question)
    }
  }
  const returned = isCode && OTHER_STATE.test(words) ? RETURNED_MONEY : RETURNED_ALONE
  const settled = isRefund ? returned : isName ? SETTLED_NAME : settledBelow(words)
  const isWanted = OF_WANTED.test(words)
  return (cell, today) =>
    saysSettled(cell, today, settled, isName) ||
    (isWanted && PLAIN_NO.test(foldedText(cell))) ||
    (heading === '' && TICK.test(foldedText(cell))) ||
    ((heading === '' || isName) && TICK_SIGN.test(cell))
      ? 'marked'
      : 'unknown'
}

/** The words of a heading in one spelling, without the answers that it offers: those of `DT_PGTO (S/N)` are `dt pgto`. */
function headingWords(heading: string): string {
  return foldedText(heading.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 '))
    .replace(/\bs(?:im)?\/n(?:ao)?\b|\/(?:nao \w+|(?:em )?aberto|pendente)\b|^(?:(?:em )?aberto|pendente)\//, '')
    .replace(/^comprov(?:ante)?\.? ?\?/, 'comprovante pgto')
    .replace(/\bdt(?=pag|pgto|baixa|quit|liq)/, 'dt ')
    .replace(/[^a-z\d]+|(?<=[a-z])(?=\d)/g, ' ')
    .trim()
}

const A_MONTH = only(MONTH_NAME)
const A_PLAN = only(SCHEDULED)
/** No answer is longer, and reading what is takes long. */
const ANSWER_MAX = 200

const TICK = /^[^a-z\d]*(?:x|v|s|sim|y|yes|ok|visto|feit[oa]|done)[^a-z\d]*$/
const TICK_SIGN = /[\u2611\u2612\u2705\u2713-\u2718\u{1f44d}]/u

/** True for a day without a month, such as `dia 5`, of which the nearest is today or to come. */
function isDateAhead(text: string, today: string): boolean {
  const date = /^(?:ate )?(?:o |todo )?dia (\d{1,2})$/.exec(text)?.[1]
  return date !== undefined && (Number(date) - Number(today.slice(-2)) + 31) % 31 <= 15
}

/** What a cell says where it is asked. A day to come, or of today, may be that on which it is to be paid. */
function answerIn(cell: string, today: string, question: Question): RowState {
  const { open, openUntilDay, remark, phrase, isDone, isPlan, isNoUnclear } = question
  if (cell.length > ANSWER_MAX || (isNoUnclear && PLAIN_NO.test(foldedText(cell)))) return 'marked'
  const { days, rest } = daysIn(cell, today)
  const isPast = days.some((day) => day < today)
  if (NOTHING.test(rest)) {
    if (days.length === 0) return /[1-9]/.test(cell) ? 'marked' : 'open'
    if (isPast) return 'marked'
    return isDone && days.includes(today) ? 'unsure' : 'unknown'
  }
  if (isPlan && isDateAhead(rest, today)) return 'unknown'
  if (/[^\p{L}\p{N}\p{P}\s$\u2610\u25a1]/u.test(rest)) return 'marked'
  const words = rest
    .replace(/\bs\/(?=[a-z]{2})/g, 'sem ')
    .replace(/\bag\./, 'ag')
    .replace(/\b(nfs?e?|nota) (?:recebida|ok)\b/, '$1')
    // Of two clauses, none denies the other.
    .replace(/\s[-\u2013\u2014]|[-\u2013\u2014]\s|[,;()[\]!|]|\.(?=[\s.]|$)/g, ' , ')
    .replace(/\br\$|[^\p{L}\p{N},]+/gu, ' ')
    .replace(/^[ ,]+|[ ,]+$|(?<= ,)(?: ,)+/g, '')
    .replace(/\bno (?=prazo|proxim|mes\b|dia\b|vencimento|financeiro|pix)/g, 'em ')
    .replace(phrase, 'aberto')
    .replace(BY_SOMEBODY, 'a')
    .replace(/^\d+ (?:of|de) \d+$/, 'instalment')
    .split(/ +/)
  const isOpen = words.some((word) => open.test(word)) && words.every((word) => open.test(word) || remark.test(word))
  const isOver =
    (isPast && words.some((word) => openUntilDay.test(word))) ||
    (words.some((word) => A_MONTH.test(word)) && words.some((word) => A_PLAN.test(word)))
  return isOpen && !isOver ? 'open' : 'marked'
}

/** Where `PG` is a town and `Baixada` is a part of the country. */
const PLACE =
  /^(?:filial|loja|unidade|cidade|municipio|estado|uf|praca|regional|polo|obra|centro|setor|bairro|regiao|rota|zona|departamento|depto)\b/
/** Where `Pago` is the opposite of free. */
const KIND = /^(?:canal|plano|campanha|midia|channel|plan|campaign)\b/
/** Where one word may say what became of a row, and others say other things. */
const COURSE = /^(?:pix|ted|transferencia|transfer|deposito|state|estado|progress|progresso|andamento|etapa|fase)$/
const MADE = `(?:${PAYING}|${SENDING}) (?:(?:efetuad|feit|realizad|concluid|confirmad|enviad)[oa]|ok)`
const WITH_DAY = '(?:transferid|depositad)[oa]s?'
const PAID_IT = `(?:paguei|pagamos|quitei|quitamos|(?:transferi|depositei|enviei|mandei|fiz|fizemos)(?: (?:o|um))? (?:${PAYING}|${SENDING}))`
/** What the row of a template says that shows how to fill it in. */
const SAMPLE =
  '(?:(?:linha|registro|dados|pagamento) (?:de |para |com )?)?exemplo(?: de preenchimento)?|(?:example|sample)(?: (?:row|line|data))?'
/** What says anywhere in which other way a row is paid; `Pagamento do boleto 12` says what it pays. */
const OTHERWISE = `(?:pagar|pague|${PAYING}|pg) (?:por|via|com|c|em|no|na) ${OTHER_WAYS}|(?:em )?debito automatico`
const NO_PAYING = `(?:(?:por )?favor )?(?:(?:nao|do not) (?:pagar|pague|pay|enviar|transferir|send|efetuar|depositar)|desconsiderar|ignorar|segurar|cancelar|excluir|suspender|bloquear)(?: (?:o |este |esse )?(?:${PAYING}|${SENDING}))?|${SAMPLE}|${OTHERWISE}|(?:(?:${PAYING}|${SENDING}) )?(?:duplicad[oa]|em duplicidade)`
const OF_PAPER =
  '(?:ref[. ]+)?(?:nfs?e?|nota|nota fiscal|boleto|titulo|fatura|duplicata|pedido|compra)(?: (?:n[.o\u00ba]* ?)?#)?'
/** What is behind such a word, or is still missing. */
const PROOF =
  '(?:mas )?(?:sem|falta(?:ndo)?|aguardando|conforme|conf\\.?) (?:[ao] )?(?:nfs?e?|nota(?: fiscal)?|recibo|comprovante|extrato|anexo)'
/** Some of the words can be read in two ways, so the time for a text would double with each. */
const WORDS_MAX = 16
const SETTLED = `${PAID}|${ENDED}|${RETURNED}`
const PAID_ALONE = `(?:(?!cliente|comprador|tomador|nao)[a-z]{1,20} ){0,2}ja pagou|pagou|transferi|depositei|${MADE}`
const OF_ROW = `${SETTLED}|${OF_PAPER} (?:${CANCELLED}|${PAID})|pgo?(?!\\.? ?#)|${PAID_ALONE}`
const SETTLED_ALONE = paidWords(OF_ROW)
/** Beside a name, which says nothing else of the row. */
const SETTLED_NAME = paidWords(
  `${OF_ROW}|(?:bloquead|suspens|excluid|parcial(?:mente)? pag)[oa]s?|(?:${PAID}) (?:parcial(?:mente)?|em parte)|retirar`,
)
const SETTLED_COURSE = paidWords(`${SETTLED}|${DONE}|${SENT}|${PAID_ALONE}`)
const SETTLED_IN_PLACE = paidWords(`${PAID}|${CANCELLED}|${RETURNED}|${PAID_ALONE}`)
const SETTLED_KIND = paidWords(`${ENDED}|${RETURNED}|${PAID_ALONE}`)
const NO_REFUNDING = '(?:nao|do not) (?:devolver|estornar|reembolsar)|desconsiderar|ignorar|segurar'
const REFUND_MADE = '(?:estorno|devolucao|reembolso) (?:efetuad|feit|realizad|concluid)[oa]|refund (?:made|done|sent)'
const REFUNDED_IT = '(?:devolvi|devolvemos|estornei|estornamos|reembolsei|reembolsamos)'
const RETURNED_ALONE = settledWords(`${RETURNED}|${REFUND_MADE}`, RETURNED, NO_REFUNDING, REFUNDED_IT)
/** Beside the state of an order, of which the goods may be returned. */
const RETURNED_MONEY = settledWords(
  `(?:estornad|reembolsad|ressarcid|restituid)[oa]s?|refunded|reversed|${REFUND_MADE}`,
  RETURNED.replace('devolvid|', ''),
  NO_REFUNDING,
  REFUNDED_IT,
)

function settledBelow(heading: string): SettledWords {
  if (COURSE.test(heading)) return SETTLED_COURSE
  if (PLACE.test(heading)) return SETTLED_IN_PLACE
  return KIND.test(heading) ? SETTLED_KIND : SETTLED_ALONE
}

interface SettledWords {
  alone: RegExp
  withDay: RegExp
  denied: RegExp
  /** Most cells hold none of the words, and reading them in full takes longer than finding that. */
  maybe: RegExp
}

/** The words of a file of payments; see {@link settledWords}. */
function paidWords(words: string): SettledWords {
  return settledWords(words, WITH_DAY, NO_PAYING, PAID_IT)
}

/**
 * Texts of nothing but these words, with amounts, how and where it was paid and by whom; or, with a day, these further ones; or that somebody did it, or
 * that it is not to be done. Days are taken out of the texts, and a number is `#`.
 */
function settledWords(words: string, withDay: string, forbidden: string, did: string): SettledWords {
  const first = `${words}|${forbidden}`
  const more = `${first}|${METHODS}|(?:em )?(?<!paid )${MONTH_NAME}|#x?|${PROOF}|ok|mais|ainda|adiantad[oa]|antecipad[oa]|integral|total|dia|n?[ao]|e|de|r\\$|(?:semana|mes) passad[oa]`
  const by = 'em|n[ao]|via|por|pel[oa]|com|c|on|by|in'
  const text = (begin: string, before: string) =>
    new RegExp(
      `^[^\\w#]*(?:(?:ja|foi|esta|eu|nos|i|we|already|ok)[ .]+)*(?:${did}\\b.*|(?:${begin})(?:[\\s.]+(?:${more}|${by})){0,${WORDS_MAX}}(?:${before}(?: +[a-z]+){1,2})?[^\\w#]*)$`,
    )
  return {
    alone: text(first, `(?<=\\b(?:${METHODS}|${by}))`),
    withDay: text(`${first}|${withDay}`, ''),
    denied: new RegExp(`\\b(?:${words})\\W+(?:${NO})\\W*$`),
    maybe: new RegExp(`${words}|${withDay}|${forbidden}|${did}`),
  }
}

/** Parts of a text in brackets and beside dashes; `Mercado-Pago`, `pré-pago` and `n/pago` have none. */
const PARTS =
  /[()[\]{}|:;,*"!\u2013\u2014\u2026]+|\.{2,}|(?<=\p{L}{4}|\d|#)\.\s|\s-|-\s|(?<!\b(?:nao|n|s))\/|(?<=\p{L})(?<!\b(?:mercado|pre|pos|nao|n))-(?=\p{L})/u

/** Before which `pago` says of what kind something is, or that it is not yet paid. */
const OTHER_PAID =
  /(?<![\p{L}\d])(?:(?:mercado|frete|tr[a\u00e1]fego|an[u\u00fa]ncio|pr[e\u00e9]|p[o\u00f3]s|valor)\s*|(?:n[a\u00e3]o|\u00f1|n|nunca|sem|ser|ser[a\u00e1]|se|quando|not|be)\s[^,;]*)$/iu
const DAY_BEHIND = /^ (?:em |dia )?\d{1,2}[/.-]\d/i
/** `SUL COMPENSADOS` sells plywood. */
const SETTLED_WORD = new RegExp(`(?<![^\\s])(?!compensad)(?:${PAID}|${CANCELLED}|${RETURNED}|pg)(?![^\\s.])`, 'gi')

/**
 * Puts a bar before or behind a word that says settled, if its case differs from that of the words beside it, so that it is not part of a name: `João PAGO`,
 * `PAGO João`, and in a column of names `JOÃO PAGO` and `João pago`, but not `João Pago`.
 */
function withSettledApart(line: string, isName: boolean): string {
  return line.replace(SETTLED_WORD, (word: string, at: number) => {
    const [before, after] = [line.slice(0, at), line.slice(at + word.length)]
    const isUpper = word === word.toUpperCase()
    const isSurname = !DAY_BEHIND.test(after) && word !== word.toLowerCase() && (!isUpper || /^pg$/i.test(word))
    const isApart =
      before === ''
        ? isUpper && /\p{Ll}/u.test(after)
        : isName
          ? !isSurname
          : isUpper && !isSurname && /\p{Ll}/u.test(before)
    if (!isApart || OTHER_PAID.test(before)) return word
    return before === '' ? `${word} |` : `| ${word}`
  })
}

function saysSettled(
  cell: string,
  today: string,
  { alone, withDay, denied, maybe }: SettledWords,
  isName: boolean,
): boolean {
  if (!maybe.test(withoutAccents(cell))) return false
  return cell.split(/[\r\n]+/).some((line) => {
    const { days, rest } = daysIn(withSettledApart(line.replaceAll('_', ' '), isName), today)
    const text = rest
      .replace(/(?:\b[a-z]{3,9}\/)?\d(?:[\d.,]*\d)?/g, '#')
      // The freight is not what the row pays.
      .replace(/\bfrete: ?pago/, 'frete')
    const words = days.length > 0 || /\bdia #/.test(text) ? withDay : alone
    return !denied.test(text) && text.split(PARTS).some((part) => words.test(part))
  })
}
