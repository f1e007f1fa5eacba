import { comparableTarget } from '../ledger/derivedTables.ts'
import { OF_ACCOUNT } from '../ledger/paymentList.ts'
import { loadPayment, type Payment } from '../ledger/payments.ts'
import type { MoneyPayment } from '../ledger/records.ts'
import type { Account } from '../profiles/account.ts'
import { type Database, integerOf, textOf } from '../storage/sqlite.ts'

/** True if no money moved for a payment and none still can, so that a new attempt cannot pay it twice. */
export function mayBeRetried({ summary }: Payment): boolean {
  return !summary.mayHaveMoved && summary.state !== 'not-sent'
}

/** The payment of this account that a row's id names; undefined if there is none for the same target, amount and owner. */
export function paymentOfRow(
  database: Database,
  { url, clientId }: Pick<Account, 'url' | 'clientId'>,
  facts: MoneyPayment,
  rowId: string,
): Payment | undefined {
  const rows = database.all(
    `SELECT payment.id FROM payment JOIN account ON account.id = payment.account
     WHERE row_id = ? AND base_url = ? AND client_id = ? AND kind = ? ORDER BY seq DESC`,
    rowId,
    url,
    clientId,
    facts.kind,
  )
  return rows
    .map((row) => loadPayment(database, textOf(row, 'id')))
    .find((payment) => isSameTarget(payment.facts, facts) || isSameRefundRow(payment, facts))
}

/** The id of a refund was derived from its amount, if the row has one; a refund of all that is left may have had another amount before. */
function isSameRefundRow({ facts: other, summary }: Payment, facts: MoneyPayment): boolean {
  return facts.kind === 'refund' && summary.state !== 'not-sent' && comparableTarget(other) === comparableTarget(facts)
}

/** A single payment for the same target and amount that was recorded and never left: this is its next attempt. */
export function unsentPayment(
  database: Database,
  { url, clientId }: Pick<Account, 'url' | 'clientId'>,
  facts: MoneyPayment,
): Payment | undefined {
  const rows = database.all(
    `SELECT id FROM payment WHERE comparable_key = ? AND ${OF_ACCOUNT} AND kind = ? AND +state = 'not-sent' AND +run IS NULL
     ORDER BY +seq DESC`,
    comparableTarget(facts),
    url,
    clientId,
    facts.kind,
  )
  return rows
    .map((row) => loadPayment(database, textOf(row, 'id')))
    .find(({ facts: other }) => isSameTarget(other, facts))
}

function isSameTarget(one: Payment['facts'], other: MoneyPayment): boolean {
  if (one.kind === 'qr' || comparableTarget(one) !== comparableTarget(other) || one.amountCents !== other.amountCents)
    return false
  if (one.kind === 'transfer' && other.kind === 'transfer') return one.documentValidation === other.documentValidation
  return one.kind === 'refund' && other.kind === 'refund' && one.isWhole === other.isWhole
}

/** An id for a further attempt that no payment of the account and no row of its runs uses or has used: `<id>-2` or the next number. */
export function freeExternalId(
  database: Database,
  { url, clientId }: Pick<Account, 'url' | 'clientId'>,
  id: string,
  from: number,
): string {
  for (let number = Math.max(2, from); ; number++) {
    const candidate = `${id}-${number}`
    const used = database.get(
      `SELECT (SELECT count(*) FROM attempt JOIN account ON account.id = attempt.account
                WHERE external_id = $candidate AND base_url = $url AND client_id = $clientId)
            + (SELECT count(*) FROM run_row JOIN run ON run.name = run_row.run JOIN account ON account.id = run.account
                WHERE row_id = $candidate AND base_url = $url AND client_id = $clientId) AS uses`,
      { candidate, url, clientId },
    )
    if (used !== undefined && integerOf(used, 'uses') === 0) return candidate
  }
}
