import { type Database, textOf } from '../storage/sqlite.ts'
import { t } from '../text/words.ts'
import { UsageError } from '../wire/errors.ts'
import { loadPayment, type Payment } from './payments.ts'

const CANDIDATES_MAX = 20
/** The beginning of a UUID. Other ids are never completed: `order-1` must not be taken for `order-17`. */
const SHORT_ID = /^[0-9a-f][0-9a-f-]{5,34}$/i

/**
 * The one payment of which a UUID begins like this: its own, that of an attempt, its externalId or the gateway's idTransaction. Undefined
 * if there is none. Throws UsageError that lists the candidates if there are several.
 */
export function findByShortId(database: Database, typed: string): Payment | undefined {
  if (!SHORT_ID.test(typed)) return undefined
  const from = typed.toLowerCase()
  // All characters of a UUID come before `g`.
  const to = `${from}g`
  const rows = database.all(
    `SELECT id, seq FROM payment WHERE id > $from AND id < $to
     UNION SELECT id, seq FROM payment WHERE name > $from AND name < $to AND name LIKE '________-____-____-____-____________' AND kind = 'qr'
     UNION SELECT payment.id, payment.seq FROM attempt JOIN payment ON payment.id = attempt.payment
       WHERE attempt.id > $from AND attempt.id < $to
     UNION SELECT payment.id, payment.seq FROM attempt JOIN payment ON payment.id = attempt.payment
       WHERE attempt.external_id > $from AND attempt.external_id < $to AND attempt.external_id LIKE '________-____-____-____-____________'
     UNION SELECT payment.id, payment.seq FROM attempt JOIN payment ON payment.id = attempt.payment
       WHERE attempt.id_transaction > $from AND attempt.id_transaction < $to AND attempt.id_transaction LIKE '________-____-____-____-____________'
     ORDER BY 2 LIMIT ${CANDIDATES_MAX}`,
    { from, to },
  )
  const found = rows.map((row) => loadPayment(database, textOf(row, 'id')))
  if (found.length <= 1) return found[0]
  throw new UsageError(t`\`${typed}\` is the beginning of the ids of several payments`, {
    details: found.map(({ id, facts, name, summary }) => t`${id}  ${facts.kind}  ${name}  ${summary.state}`),
    hint: t`Type more of the id`,
  })
}
