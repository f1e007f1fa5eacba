import { findByShortId, findPayments, type Payment, refundsOf } from '../../ledger/payments.ts'
import type { Database } from '../../storage/sqlite.ts'
import { commandArgument } from '../../text/shellWord.ts'
import { t } from '../../text/words.ts'
import { NotFound } from '../../wire/errors.ts'

/**
 * The payments that an id names, whole or as the unique beginning of a UUID; if it names a payment of which only refunds are known, these.
 * Throws NotFound if there is none, UsageError if the beginning is not unique.
 */
export function findNamed(database: Database, id: string): Payment[] {
  const named = findPayments(database, id)
  if (named.length > 0) return named
  const refunds = refundsOf(database, id)
  if (refunds.length > 0) return refunds
  const short = findByShortId(database, id)
  if (short !== undefined) return [short]
  throw new NotFound(t`No payment of this machine has the id ${id}`, {
    outcome: 'not-sent',
    hint: t`Run \`pixgate history --all\` to list the payments, or \`pixgate status ${commandArgument(id)}\` to ask the gateway`,
  })
}
