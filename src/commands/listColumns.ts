import type { ChalkInstance } from 'chalk'
import { centsFromJson } from '../pix/amount.ts'
import { parseInstant } from '../pix/calendar.ts'
import type { Column, Document } from '../terminal/printer.ts'
import { t } from '../text/translate.ts'
import { cellText, valueAt } from '../views/documentFields.ts'
import { amountText, instantText, statusColour } from '../views/valueText.ts'

/**
 * The columns of lists. `history`, `status`, `batch show` and `batch list` call the same thing by the same name, although their documents
 * have it at different paths; `docs/columns.md` explains the names.
 */
const COLUMNS = {
  date: (path: string): Column & Required<Pick<Column, 'text'>> => ({
    path,
    header: 'date',
    text: (document) => instantText(timeAt(document, path)),
  }),
  state: (path: string): Column => ({
    path,
    header: 'state',
    colour: (document, style) => stateColour(cellText(valueAt(document, path)), style),
  }),
  amount: (path: string): Column & Required<Pick<Column, 'text'>> => ({
    path,
    header: 'amount',
    align: 'right',
    text: (document) => amountText(centsAt(document, path)),
  }),
  reason: (path: string): Column => ({ path, header: 'reason', isProse: true, drop: 4 }),
  count: (path: string): Column => ({ path, align: 'right' }),
}

/** The columns of payments. */
export const PAYMENT_COLUMNS = {
  date: COLUMNS.date('pixgate.at'),
  kind: { path: 'pixgate.kind', header: 'kind', drop: 2 },
  state: COLUMNS.state('pixgate.state'),
  amount: COLUMNS.amount('amount'),
  payee: { path: 'pixgate.payee', header: 'payee', isProse: true, text: payeeText },
  name: { path: 'pixgate.name', header: 'name', drop: 4 },
  idTransaction: { path: 'idTransaction', header: 'idTransaction', drop: 8 },
  errorCode: { path: 'pixgate.errorCode', header: 'errorCode', drop: 5 },
  environment: { path: 'pixgate.environment', header: 'environment', drop: 1 },
  account: { path: 'pixgate.baseUrl', header: 'account', drop: 6 },
  attempt: { path: 'pixgate.attempt', header: 'attempt', align: 'right', drop: 3 },
  line: { path: 'pixgate.line', header: 'line', align: 'right' },
  status: { path: 'status', header: 'status', isProse: true, text: statusText, colour: colourOfStatus },
  paidAt: { ...COLUMNS.date('paidAt'), header: 'paidAt', drop: 2 },
  reason: COLUMNS.reason('pixgate.errorMessage'),
  key: { path: 'key', header: 'key' },
  reference: { path: 'pixgate.reference', header: 'reference' },
  run: { path: 'pixgate.run', header: 'run' },
  profile: { path: 'pixgate.profile', header: 'profile' },
  user: { path: 'pixgate.user', header: 'user' },
  attempts: { path: 'pixgate.attempts', header: 'attempts', align: 'right' },
} satisfies Record<string, Column>

/** The columns of the rows of a run. */
export const ROW_COLUMNS = {
  line: COLUMNS.count('line'),
  payee: { path: 'name', header: 'payee', isProse: true, text: rowPayeeText },
  key: { path: 'key', drop: 7 },
  originalTransactionId: { path: 'originalTransactionId', drop: 7 },
  amount: COLUMNS.amount('amount'),
  state: COLUMNS.state('state'),
  errorCode: { path: 'errorCode', drop: 2 },
  reason: COLUMNS.reason('message'),
  status: { path: 'status', drop: 5, colour: colourOfStatus },
  externalId: { path: 'externalId', drop: 8 },
  idTransaction: { path: 'idTransaction', drop: 9 },
  date: { ...COLUMNS.date('sentAt'), drop: 6 },
  nameInEvent: {
    path: 'nameInEvent',
    drop: 10,
    isProse: true,
    text: nameInEventText,
    colour: ({ namesDiffer }: Document, style: ChalkInstance) => (namesDiffer === true ? style.red.bold : undefined),
  },
  namesDiffer: { path: 'namesDiffer' },
  leftOut: { path: 'leftOut', drop: 3, text: ({ leftOut }: Document) => (leftOut === true ? t`left out` : '') },
} satisfies Record<string, Column>

/** The columns of runs in text output. */
export const RUN_COLUMNS: readonly Column[] = [
  { path: 'run' },
  { ...COLUMNS.date('startedAt'), drop: 5 },
  { path: 'environment', drop: 1 },
  { path: 'kind', drop: 4 },
  { path: 'reference', isProse: true },
  { path: 'file', isProse: true, drop: 7 },
  { ...COLUMNS.count('rows'), drop: 3 },
  COLUMNS.count('accepted'),
  COLUMNS.count('refused'),
  COLUMNS.count('unknown'),
  COLUMNS.count('notSent'),
  { path: 'finished', drop: 6 },
]

/** Of runs in a CSV. Programs may read columns by their place, so new ones are appended. */
export const RUN_CSV_COLUMNS: readonly Column[] = [
  'run',
  'kind',
  'file',
  'reference',
  'rows',
  'accepted',
  'refused',
  'unknown',
  'notSent',
  'startedAt',
  'finished',
  'environment',
].flatMap((path) => RUN_COLUMNS.filter((column) => column.path === path))

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
  ...[
    'nameInFile',
    'nameInEvent',
    'namesDiffer',
    'finding',
    'finding.as',
    'finding.because',
    'finding.at',
    'finding.user',
    'finding.machine',
    'warnings',
  ].map(inner),
  ...['event', 'event.n', 'event.event', 'event.status', 'event.amount', 'event.at', 'verdict', 'differences'].map(
    inner,
  ),
]

/** The colour of a state: money that may be lost or sent twice must not be overlooked. */
export function stateColour(state: string, style: ChalkInstance): ChalkInstance | undefined {
  switch (state) {
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

/** How a payment compares with what was expected. */
export const VERDICT_COLUMN: Column = { path: 'pixgate.verdict', header: 'verdict', colour: verdictColour }
/** The column that lists these differences in text output. */
export const DIFFERENCES_COLUMN: Column = {
  path: 'pixgate.differences',
  header: 'in',
  drop: 1,
  text: (document) => {
    const differences = valueAt(document, 'pixgate.differences')
    return Array.isArray(differences) ? differences.join(', ') : ''
  },
}

/** The colour of a verdict: what differs or is missing is red and bold. */
function verdictColour(document: Document, style: ChalkInstance): ChalkInstance | undefined {
  const verdict = cellText(valueAt(document, 'pixgate.verdict'))
  if (verdict === 'match' || verdict === 'agrees') return style.green
  if (verdict === '' || verdict === 'open') return undefined
  return verdict === 'late' ? style.yellow : style.red.bold
}

/** The time at a path of a document in ms; null if there is none. */
function timeAt(document: Document, path: string): number | null {
  const at = valueAt(document, path)
  return typeof at === 'string' ? (parseInstant(at) ?? null) : null
}

/** The amount in reais at a path of a document in cents; null if there is none. */
function centsAt(document: Document, path: string): number | null {
  return centsFromJson(valueAt(document, path)) ?? null
}

/** The status of a payment, else its state; of an id that could not be looked up the code of its error. */
function statusText(document: Document): string {
  const { status, error } = document
  return cellText(status ?? valueAt(error, 'code') ?? valueAt(document, 'pixgate.state')) || '—'
}

function colourOfStatus(document: Document, style: ChalkInstance): ChalkInstance {
  return 'error' in document ? style.red : statusColour(cellText(document.status), style)
}

/** The payee of a row; in a file without names the key, or the id of the refunded payment. */
function rowPayeeText({ name, key, originalTransactionId }: Document): string {
  return cellText(name) || cellText(key) || cellText(originalTransactionId)
}

/** The mark comes first, because a long name may be shortened. */
function nameInEventText({ nameInEvent, namesDiffer }: Document): string {
  const name = cellText(nameInEvent)
  if (name === '') return '—'
  return namesDiffer === true ? t`differs: ${name}` : name
}

/** The id of a refunded payment is in the column `name` already. */
function payeeText(document: Document): string {
  const payee = cellText(valueAt(document, 'pixgate.payee'))
  return payee === '' || payee === document.originalTransactionId ? '—' : payee
}

function inner(name: string): string {
  return `pixgate.${name}`
}
