import type { Context } from '../../context.ts'
import { formatReais } from '../../pix/amount.ts'
import { parseInstant } from '../../pix/calendar.ts'
import type { Column, Document } from '../../terminal/printer.ts'
import { t } from '../../text/words.ts'
import { INTENT_KINDS, TRANSACTION_STATES } from '../../timeline/ledgerFilter.ts'
import type { Transaction } from '../../timeline/transactions.ts'
import { valueAt } from '../../views/fields.ts'
import { amountText, instantText } from '../../views/payment.ts'
import { readPaymentState } from '../../wire/answers.ts'

const COLUMNS: readonly Column[] = [
  { path: 'pixgate.at', text: (document) => instantText(atMs(document)) },
  { path: 'pixgate.kind' },
  { path: 'pixgate.state' },
  { path: 'amount', text: (document) => amountText(readPaymentState(document).amountCents) },
  { path: 'pixgate.name' },
  { path: 'idTransaction' },
]
const CSV_COLUMNS: readonly Column[] = [
  ...COLUMNS,
  ...['status', 'key', 'pixgate.errorCode', 'pixgate.reference', 'pixgate.run', 'pixgate.line'].map(asColumn),
  ...['pixgate.profile', 'pixgate.environment', 'pixgate.user', 'pixgate.machine'].map(asColumn),
]

/** Of a terminal that shows the whole list without a break. */
const COLUMNS_NEEDED = 132

/** The columns of a list of transactions. */
export function listColumns({ terminal, print }: Context): readonly Column[] {
  if (print.format === 'csv') return CSV_COLUMNS
  // Two long ids do not fit side by side; the name is enough to go on with.
  const isNarrow = terminal.outIsTerminal && terminal.columns < COLUMNS_NEEDED
  return isNarrow ? COLUMNS.filter(({ path }) => path !== 'idTransaction') : COLUMNS
}

/** Says how many there are of each kind and state, and what they come to. */
export function noteSums({ terminal }: Context, transactions: readonly Transaction[]): void {
  const sums = new Map<string, { count: number; cents: number }>()
  for (const { intent, state, outcome, event } of transactions) {
    const sum = sums.get(`${intent.kind} ${state}`) ?? { count: 0, cents: 0 }
    sum.count += 1
    sum.cents += intent.amountCents ?? outcome?.amountCents ?? event?.amountCents ?? 0
    sums.set(`${intent.kind} ${state}`, sum)
  }
  for (const kind of INTENT_KINDS) {
    for (const state of TRANSACTION_STATES) {
      const sum = sums.get(`${kind} ${state}`)
      if (sum !== undefined) terminal.note(t`${kind} ${state}: ${sum.count}, ${formatReais(sum.cents)}`)
    }
  }
}

function asColumn(path: string): Column {
  return { path }
}

function atMs(document: Document): number | null {
  const at = valueAt(document, 'pixgate.at')
  return typeof at === 'string' ? (parseInstant(at) ?? null) : null
}
