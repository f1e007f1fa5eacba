import type { Context } from '../context.ts'
import { findingFromStatus } from '../ledger/eventMeaning.ts'
import type { Finding } from '../ledger/records.ts'
import { decodeText, detectEncoding } from '../spreadsheet/encoding.ts'
import { bytesOf } from '../spreadsheet/fileContent.ts'
import type { Mapping } from '../spreadsheet/header.ts'
import type { InputKind } from '../terminal/inputFile.ts'

/** The fields of a table of payments that another program wrote. */
export type TableField = 'id' | 'amount' | 'status' | 'date'

/** What the columns are called in English and in Portuguese, the best name first. */
const NAMES: Readonly<Record<TableField, readonly RegExp[]>> = {
  id: [
    /^idtransaction$|^id_transaction$/,
    /^id$|^e2e|^endtoend/,
    /^(id|codigo|numero|identificador) (da |do |de )?(transacao|pagamento|operacao|pix)$|^identificador$|^txid$/,
    /^externalid$|^id externo$|^external id$|^requestnumber$/,
    /^codigo$|^transacao$|^documento$/,
  ],
  amount: [/^amount$/, /^value$|^valor$/, /^valor\b|^montante$|^quantia$/, /\b(r\$|brl)/],
  status: [/^status$/, /^situacao$|^estado$/, /^status\b|^situacao\b/],
  date: [/^date$/, /^data$|^dia$/, /^data\b|^dia\b|^date\b/],
}

/** Statuses as banks and spreadsheets in Portuguese write them, without accents. */
const PORTUGUESE: readonly (readonly [RegExp, Finding | null])[] = [
  [/^nao (pag|efetiv|realizad|concluid|liquidad)/, 'not-paid'],
  [/^(devolvid|estornad|reembolsad|retornad)/, 'returned'],
  [/^(pag[oa]?$|pago\b|paga\b|liquidad|concluid|efetivad|efetuad|realizad|aprovad|confirmad|recebid|sucesso)/, 'paid'],
  [/^(cancelad|expirad|recusad|rejeitad|negad|falh|erro|vencid)/, 'not-paid'],
]

/** Statuses of the service that are not final, in English and in Portuguese. */
const OPEN = /^(pending|processing|unpaid|pendente|aguardando|em processamento|processando|agendad|em aberto|aberto)/
const SERVICE_OPEN: readonly string[] = ['PENDING', 'PROCESSING', 'UNPAID']

/** True for a status in the service's own words. */
export function isServiceStatus(status: string): boolean {
  return findingFromStatus(status) !== null || SERVICE_OPEN.includes(status.toUpperCase())
}

/** True for a status in any words that says that a payment is not finished. */
export function isOpenStatus(status: string): boolean {
  return OPEN.test(withoutAccents(status))
}

/** The result that a status means for a payment, in the service's words or in Portuguese; null if it is not final. */
export function findingFromStatusText(status: string): Finding | null {
  const plain = withoutAccents(status)
  return findingFromStatus(status.trim()) ?? PORTUGUESE.find(([pattern]) => pattern.test(plain))?.[1] ?? null
}

/** The mapping for a header: the typed pairs, and for every other field the column with a matching name. */
export function completeMapping(names: readonly string[], fields: readonly TableField[], typed: Mapping): Mapping {
  const mapping = new Map(typed)
  for (const field of fields) {
    if (mapping.has(field)) continue
    const column = columnFor(field, names)
    if (column !== undefined && ![...mapping.values()].includes(column)) mapping.set(field, column)
  }
  return mapping
}

/** The column that a field is read from if nothing was typed; undefined if none is called like it. */
export function columnFor(field: TableField, names: readonly string[]): string | undefined {
  for (const pattern of NAMES[field]) {
    const found = names.find((name) => pattern.test(withoutAccents(name)))
    if (found !== undefined) return found.trim()
  }
  return undefined
}

function withoutAccents(text: string): string {
  return text.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
}

/** Whether money came in or left. */
export type Direction = 'credit' | 'debit'

const MINUS = '\\-\u2212'
const SIGNED = new RegExp(`^((?:R\\$\\s*)?)([${MINUS}+]?)\\s*((?:R\\$\\s*)?[\\d.,]+)\\s*([${MINUS}+]|[CD])?$`, 'i')

/** An amount without its sign, and what the sign says: `-10,00`, `R$ -10,00`, `10,00-`, `(10,00)` and `10,00 D` are debits. */
export function splitSign(text: string): { direction: Direction | null; unsigned: string } {
  const [, currency = '', before = '', number = '', after = ''] = SIGNED.exec(text.replace(/^\((.*)\)$/, '-$1')) ?? []
  if (number === '') return { direction: null, unsigned: text }
  const mark = before || after.toUpperCase()
  if (mark === '') return { direction: null, unsigned: currency + number }
  return { direction: mark === '+' || mark === 'C' ? 'credit' : 'debit', unsigned: currency + number }
}

/** Reads text in any encoding that spreadsheets write, from a file or, for `-`, stdin. Throws UsageError if it is not text. */
export async function readTextInput(context: Context, path: string, kind: InputKind): Promise<string> {
  const bytes = bytesOf(await context.readInputBytes(path, kind))
  const encoding = await detectEncoding(bytes)
  let text = ''
  for await (const piece of decodeText(bytes, encoding)) text += piece
  return text
}

/** Only charges bring money in. */
export function directionOf(kind: string): Direction {
  return kind === 'qr' ? 'credit' : 'debit'
}

/** Cents with the sign of their direction; without a direction they are as they come. */
export function signedCents(cents: number, direction: Direction | null): number {
  return direction === 'debit' ? -cents : cents
}
