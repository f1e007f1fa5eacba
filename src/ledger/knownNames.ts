import { type Database, integerOrNull, textOf, textOrNull } from '../storage/sqlite.ts'
import { type AccountKey, accountId } from './accounts.ts'

/** The names and gateway ids of the newest payments, newest first, at most `limit`, each with what it is the name of. */
export function recentIds(
  database: Database,
  limit: number,
): { id: string; kind: string; amountCents: number | null }[] {
  const query = 'SELECT name, kind, id, id_transaction, known_cents FROM payment ORDER BY seq DESC LIMIT ?'
  const found = database.all(query, limit).flatMap((row) => {
    const kind = textOf(row, 'kind')
    // A refund has no name of its own.
    const ids = [textOrNull(row, kind === 'refund' ? 'id' : 'name'), textOrNull(row, 'id_transaction')]
    return ids.map((id) => ({ id: id ?? '', kind, amountCents: integerOrNull(row, 'known_cents') }))
  })
  return found
    .filter(({ id }, index) => id !== '' && found.findIndex((other) => other.id === id) === index)
    .slice(0, limit)
}

/** The names of the payees of an account, or of all, with their keys. They are for people who type one, and not compared with checksums. */
export function payeeKeys(database: Database, account?: AccountKey): { name: string; key: string; keyType: string }[] {
  const of = account === undefined ? null : accountId(database, account)
  const newest =
    "SELECT max(seq) FROM payee WHERE change <> 'past' AND account = coalesce(?, account) GROUP BY account, name"
  const [name, key, keyType] = ['name', 'key', 'keyType'].map((each) => `json_extract(content, '$.payee.${each}')`)
  const query = `SELECT ${name} AS name, ${key} AS key, ${keyType} AS type FROM record WHERE seq IN (${newest})
    AND ${name} IS NOT NULL GROUP BY 1 ORDER BY 1`
  return database
    .all(query, of)
    .map((row) => ({ name: textOf(row, 'name'), key: textOf(row, 'key'), keyType: textOf(row, 'type') }))
}
