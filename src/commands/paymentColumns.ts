import type { ChalkInstance } from 'chalk'
import type { Context } from '../context.ts'
import { parseInstant } from '../pix/calendar.ts'
import { maskTaxDocument } from '../pix/taxDocument.ts'
import type { Column, Document } from '../terminal/printer.ts'
import { cellText, valueAt, withPixgate } from '../views/fields.ts'
import { amountText, instantText } from '../views/payment.ts'
import { maskKey, maskName, maskText } from '../views/personalData.ts'
import { isObject, readPaymentStatus } from '../wire/answers.ts'

/** The columns of payments in every list; the same names everywhere. */
export const PAYMENT_COLUMNS = {
  date: {
    path: 'pixgate.at',
    header: 'date',
    text: (document: Document) => instantText(createdMs(document)),
  },
  kind: { path: 'pixgate.kind', header: 'kind', drop: 2 },
  state: { path: 'pixgate.state', header: 'state', colour: stateColour },
  status: { path: 'status', header: 'status' },
  amount: {
    path: 'amount',
    header: 'amount',
    align: 'right',
    text: (document: Document) => amountText(readPaymentStatus(document).amountCents),
  },
  payee: { path: 'pixgate.payee', header: 'payee', isProse: true, text: payeeText },
  name: { path: 'pixgate.name', header: 'name', drop: 4 },
  idTransaction: { path: 'idTransaction', header: 'idTransaction', drop: 8 },
  errorCode: { path: 'pixgate.errorCode', header: 'errorCode', drop: 5 },
  environment: { path: 'pixgate.environment', header: 'environment', drop: 1 },
  account: { path: 'pixgate.baseUrl', header: 'account', drop: 6 },
  attempt: { path: 'pixgate.attempt', header: 'attempt', align: 'right', drop: 3 },
  line: { path: 'pixgate.line', header: 'line', align: 'right' },
} satisfies Record<string, Column>

/** Further columns of a CSV. */
export const CSV_PATHS = [
  'status',
  'key',
  'pixgate.errorCode',
  'pixgate.errorMessage',
  'pixgate.reference',
  'pixgate.run',
  'pixgate.line',
  'pixgate.profile',
  'pixgate.environment',
  'pixgate.baseUrl',
  'pixgate.user',
  'pixgate.machine',
  'pixgate.attempts',
  'pixgate.id',
] as const

/** The paths of a payment's document that `--fields` takes, besides the names of columns. */
export const PAYMENT_PATHS: readonly string[] = [
  'idTransaction',
  'externalId',
  'requestNumber',
  'originalTransactionId',
  'status',
  'amount',
  'key',
  'typeKey',
  'pixgate',
  ...CSV_PATHS,
  ...['kind', 'name', 'payee', 'outcome', 'state', 'knownBy', 'at', 'owner', 'reason', 'attempt', 'attemptId'].map(
    inner,
  ),
  ...['finding', 'finding.as', 'finding.because', 'finding.at', 'finding.user', 'finding.machine', 'warnings'].map(
    inner,
  ),
  ...['event', 'event.n', 'event.event', 'event.status', 'event.amount', 'event.at', 'verdict'].map(inner),
]

/** The colour of a state: money that may be lost or sent twice must not be overlooked. */
export function stateColour(document: Document, style: ChalkInstance): ChalkInstance | undefined {
  switch (cellText(valueAt(document, 'pixgate.state'))) {
    case 'paid':
      return style.green
    case 'unknown':
      return style.red.bold
    case 'refused':
    case 'not-paid':
    case 'returned':
      return style.red
    case 'accepted':
      return style.yellow
    default:
      return undefined
  }
}

/** The colour of a verdict: what differs or is missing stands out. */
export function verdictColour(document: Document, style: ChalkInstance): ChalkInstance | undefined {
  const verdict = cellText(valueAt(document, 'pixgate.verdict'))
  if (verdict === 'match' || verdict === 'agrees') return style.green
  if (verdict === '' || verdict === 'open') return undefined
  return verdict === 'late' ? style.yellow : style.red.bold
}

function createdMs(document: Document): number | null {
  const at = valueAt(document, 'pixgate.at')
  return typeof at === 'string' ? (parseInstant(at) ?? null) : null
}

/** The id of a refunded payment is in the column `name` already. */
function payeeText(document: Document): string {
  const payee = cellText(valueAt(document, 'pixgate.payee'))
  return payee === '' || payee === document.originalTransactionId ? '—' : payee
}

function inner(name: string): string {
  return `pixgate.${name}`
}

/** A payment's document as it is shown: keys, names and tax documents of people masked, except in JSON and with `unmask`. */
export function shownDocument({ print }: Context, document: Document, unmask: boolean | undefined): Document {
  return unmask === true || print.format === 'json' ? document : maskedDocument(document)
}

/** A payment's document with keys, names and tax documents of people masked. */
export function maskedDocument(document: Document): Document {
  const { key, typeKey } = document
  const { owner, payee, errorMessage, reason, finding } = isObject(document.pixgate) ? document.pixgate : {}
  const shown = withPixgate(document, {
    ...(typeof owner === 'string' ? { owner: maskTaxDocument(owner) } : {}),
    ...(typeof payee === 'string' ? { payee: maskedPayee(payee, document) } : {}),
    ...(typeof errorMessage === 'string' ? { errorMessage: maskText(errorMessage) } : {}),
    ...(typeof reason === 'string' ? { reason: maskText(reason) } : {}),
    ...(isObject(finding) ? { finding: { ...finding, because: maskText(String(finding.because)) } } : {}),
  })
  return typeof key === 'string' ? { ...shown, key: maskKey(key, String(typeKey)) } : shown
}

/** A payee is a name, or the key or id that is also in the document. */
function maskedPayee(payee: string, { key, typeKey, originalTransactionId }: Document): string {
  if (payee === key) return maskKey(payee, String(typeKey))
  return payee === originalTransactionId ? payee : maskName(payee)
}
