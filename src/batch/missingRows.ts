import { type PaymentRow, paymentRow } from '../ledger/payments.ts'
import type { Account } from '../profiles/account.ts'
import { type Database, integerOf } from '../storage/sqlite.ts'

/** Payments under a reference that moved money, or may have, and that the file no longer holds. */
export interface MissingRows {
  count: number
  /** The first of them. */
  payments: readonly PaymentRow[]
}

const LISTED_MAX = 1000

const CONDITION = `FROM payment JOIN account ON account.id = payment.account
  WHERE payment.reference = $reference AND kind = $kind AND base_url = $url AND client_id = $clientId AND may_have_moved = 1
    AND NOT EXISTS (SELECT 1 FROM run_row WHERE run_row.row_id = payment.row_id AND run_row.run = $run)`

/** Finds the payments of earlier files of the same reference that a planned run no longer holds. */
export function missingRows(
  database: Database,
  { url, clientId }: Pick<Account, 'url' | 'clientId'>,
  { run, kind, reference }: { run: string; kind: 'transfer' | 'refund'; reference: string },
): MissingRows {
  const values = { run, kind, reference, url, clientId }
  const counted = database.get(`SELECT count(*) AS payments ${CONDITION}`, values)
  const rows = database.all(`SELECT payment.* ${CONDITION} ORDER BY payment.seq LIMIT ${LISTED_MAX}`, values)
  return { count: counted === undefined ? 0 : integerOf(counted, 'payments'), payments: rows.map(paymentRow) }
}
