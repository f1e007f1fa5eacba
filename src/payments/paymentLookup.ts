import { accountId } from '../ledger/accounts.ts'
import type { MoneyPayment } from '../ledger/facts.ts'
import { loadPayment, type Payment } from '../ledger/payments.ts'
import { amountValues, HAS_SAME_AMOUNT, isPaymentOfRow, isSameRequest, targetDigest } from '../ledger/samePayment.ts'
import type { Account } from '../profiles/account.ts'
import { DamagedValue, type Database, integerOf, textOf } from '../storage/sqlite.ts'

/** True if no money moved for a payment and none still can, so that a new attempt cannot pay it twice. */
export function mayBeRetried({ summary }: Payment): boolean {
  return !summary.mayHaveMoved && summary.state !== 'not-sent'
}

/** The newest payment of this account that a row's id names and that asks for what the row asks for; undefined if there is none. */
export function paymentOfRow(
  database: Database,
  account: Account,
  facts: MoneyPayment,
  rowId: string,
): Payment | undefined {
  const isOfRow = ({ facts: known, summary: { state } }: Payment) => isPaymentOfRow({ facts: known, state }, facts)
  const rows = database.all(
    'SELECT id FROM payment WHERE row_id = ? AND account = ? AND kind = ? ORDER BY seq DESC',
    rowId,
    accountId(database, account),
    facts.kind,
  )
  const found = rows.map((row) => loadPayment(database, textOf(row, 'id'))).find(isOfRow)
  // A damaged index must not make a row of a batch look new: rows of one file are no repeats of each other.
  const again = database
    .all('SELECT payment FROM sent_target WHERE row_id = ? AND target = ?', rowId, targetDigest(account, facts))
    .map((row) => textOf(row, 'payment'))
  if (again.includes(found?.id ?? '') || !again.some((id) => isOfRow(loadPayment(database, id)))) return found
  throw new DamagedValue(`the payment of the row ${rowId} is missing from an index`)
}

/** So many payments that never left are considered: they differ only in what is validated. */
const UNSENT_MAX = 20

/** A single payment that asks for the same, was recorded and never left: this is its next attempt. */
export function unsentPayment(database: Database, account: Account, facts: MoneyPayment): Payment | undefined {
  const rows = database.all(
    `SELECT id FROM payment INDEXED BY payment_unsent
     WHERE ${HAS_SAME_AMOUNT} AND state = 'not-sent' AND run IS NULL ORDER BY seq DESC LIMIT ${UNSENT_MAX}`,
    amountValues(database, account, facts),
  )
  return rows
    .map((row) => loadPayment(database, textOf(row, 'id')))
    .find(({ facts: other }) => isSameRequest(other, facts))
}

/** An id for a further attempt that no payment of the account and no row of its runs uses or has used: `<id>-2` or the next number. */
export function freeExternalId(database: Database, account: Account, id: string, from: number): string {
  for (let number = Math.max(2, from); ; number++) {
    const candidate = `${id}-${number}`
    const used = database.get(
      `SELECT (SELECT count(*) FROM attempt WHERE external_id = $candidate AND account = $account)
            + (SELECT count(*) FROM run_row JOIN run ON run.name = run_row.run
                WHERE row_id = $candidate AND run.account = $account) AS uses`,
      { candidate, account: accountId(database, account) },
    )
    if (used !== undefined && integerOf(used, 'uses') === 0) return candidate
  }
}
