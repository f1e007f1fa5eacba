import { type Database, integerOrNull, type SqlValue, textOf, textOrNull } from '../storage/sqlite.ts'
import { type AccountKey, accountId } from './accounts.ts'
import { eventScope } from './eventMeaning.ts'
import type { EventOwner } from './owner.ts'

/** A payment that was received and that this ledger did not create, as far as queries, events and refunds of it tell. */
export interface ExternalCharge {
  /** Its idTransaction as it was recorded. */
  id: string
  amountCents: number | null
  /** When it was paid or its event arrived. */
  paidAtMs: number | null
  payerName: string | null
}

/** Whose charges are looked for: events belong to an environment. */
export type ChargeOwner = AccountKey & Pick<EventOwner, 'environment'>

/** No more of the newest events than this are searched for payments that were received lately. */
const RECENT_EVENTS = 5000

/** The external charges of an account whose id fulfils a condition in SQL, which is made for the name of a column. */
export function externalChargesWith(
  database: Database,
  owner: ChargeOwner,
  condition: (column: string) => string,
  values: Readonly<Record<string, SqlValue>>,
  limit: number,
): ExternalCharge[] {
  const where = { original: condition('id'), event: condition('id_transaction'), refund: condition('name') }
  return select(database, owner, where, values, limit)
}

/** The external charges that were received last, newest first; not those that only a refund names. */
export function recentExternalCharges(database: Database, owner: ChargeOwner, limit: number): ExternalCharge[] {
  const event = `n > (SELECT max(n) FROM event) - ${RECENT_EVENTS} AND id_transaction IS NOT NULL`
  return select(database, owner, { original: '1 = 1', event, refund: '1 = 0' }, {}, limit)
}

function select(
  database: Database,
  owner: ChargeOwner,
  where: Readonly<Record<'original' | 'event' | 'refund', string>>,
  values: Readonly<Record<string, SqlValue>>,
  limit: number,
): ExternalCharge[] {
  const { environment, url, clientId } = owner
  const rows = database.all(
    `WITH found (id, cents, at_ms) AS (
       SELECT id, amount_cents, paid_at_ms FROM original WHERE account = $account AND ${where.original}
       UNION ALL SELECT id_transaction, amount_cents, received_ms FROM event
         WHERE scope = $scope AND subject = 'payment' AND payment IS NULL AND ${where.event}
       UNION ALL SELECT name, NULL, NULL FROM payment WHERE kind = 'refund' AND account = $account AND ${where.refund})
     SELECT min(id) AS id, max(cents) AS cents, max(at_ms) AS at_ms FROM found
     WHERE NOT EXISTS (SELECT 1 FROM attempt JOIN payment ON payment.id = attempt.payment
       WHERE attempt.id_transaction = found.id COLLATE NOCASE AND payment.kind = 'qr' AND payment.account = $account)
     GROUP BY found.id COLLATE NOCASE ORDER BY max(at_ms) DESC LIMIT ${limit}`,
    { account: accountId(database, owner), scope: eventScope({ environment, baseUrl: url, clientId }), ...values },
  )
  return rows.map((row) => {
    const id = textOf(row, 'id')
    return {
      id,
      amountCents: integerOrNull(row, 'cents'),
      paidAtMs: integerOrNull(row, 'at_ms'),
      payerName: payerName(database, id),
    }
  })
}

/** The newest name that events give the payer. */
function payerName(database: Database, id: string): string | null {
  const row = database.get(
    `SELECT json_extract(record.content, '$.name') AS name FROM event JOIN record ON record.seq = event.seq
     WHERE event.id_transaction = ? AND event.subject = 'payment' AND event.payment IS NULL AND name IS NOT NULL
     ORDER BY event.n DESC LIMIT 1`,
    id,
  )
  return row === undefined ? null : textOrNull(row, 'name')
}
