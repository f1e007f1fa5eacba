import { findingFromStatus, UNFINISHED } from '../ledger/eventMeaning.ts'
import type { Finding } from '../ledger/records.ts'
import { withoutAccents } from '../text/withoutAccents.ts'

/** Statuses as banks and spreadsheets in Portuguese write them, without accents. */
const PORTUGUESE: readonly (readonly [RegExp, Finding | null])[] = [
  [/^nao (pag|efetiv|realizad|concluid|liquidad)/, 'not-paid'],
  [/^(devolvid|estornad|reembolsad|retornad)/, 'returned'],
  [/^(pag[oa]?$|pago\b|paga\b|liquidad|concluid|efetivad|efetuad|realizad|aprovad|confirmad|recebid|sucesso)/, 'paid'],
  [/^(cancelad|expirad|recusad|rejeitad|negad|falh|erro|vencid)/, 'not-paid'],
]

/** Statuses of the service that are not final, in English and in Portuguese. */
const OPEN = /^(pending|processing|unpaid|pendente|aguardando|em processamento|processando|agendad|em aberto|aberto)/
const SERVICE_OPEN: readonly string[] = [...UNFINISHED, 'UNPAID']

/** True for a status in the service's own words. */
export function isServiceStatus(status: string): boolean {
  return findingFromStatus(status) !== null || SERVICE_OPEN.includes(status.toUpperCase())
}

/** True for a status in any words that says that a payment is not finished. */
export function isOpenStatus(status: string): boolean {
  return OPEN.test(withoutAccents(status.trim()))
}

/** The result that a status means for a payment, in the service's words or in Portuguese; null if it is not final. */
export function findingFromStatusText(status: string): Finding | null {
  const plain = withoutAccents(status.trim())
  return findingFromStatus(status.trim()) ?? PORTUGUESE.find(([pattern]) => pattern.test(plain))?.[1] ?? null
}
