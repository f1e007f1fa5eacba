import { t } from '../../text/words.ts'
import { namedBy, type Transaction } from '../../timeline/transactions.ts'
import { NotFound } from '../../wire/errors.ts'

/** The transactions that an id names, and the refunds of a payment with that id. Throws NotFound where there are none. */
export function findNamed(transactions: readonly Transaction[], id: string): Transaction[] {
  const named = new Set(namedBy(transactions, id))
  const found = transactions.filter(
    (each) => named.has(each) || (each.intent.kind === 'refund' && each.intent.originalTransactionId === id),
  )
  if (found.length > 0) return found
  throw new NotFound(t`Nothing with the id ${id} was asked for from this machine`, {
    outcome: 'not-sent',
    hint: t`\`pixgate history\` lists what was`,
  })
}
