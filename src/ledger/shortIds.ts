import { type Database, type Row, textOf } from '../storage/sqlite.ts'

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const CHARACTERS_MIN = 8

/** All columns in which a typed id, or the beginning of one, is looked for. Each has an index. */
const ID_COLUMNS = [
  ['payment', 'id'],
  ['payment', 'name'],
  ['payment', 'row_id'],
  ['attempt', 'id'],
  ['attempt', 'external_id'],
  ['attempt', 'id_transaction'],
  ['event', 'id_transaction'],
] as const

/** The ids next to one in the order of the alphabet, one before and one after it in each column. */
const NEIGHBOURS = [
  ...ID_COLUMNS.flatMap(([table, column]) => [
    `SELECT max(${column}) AS id FROM ${table} WHERE ${column} < $id`,
    `SELECT min(${column}) AS id FROM ${table} WHERE ${column} > $id`,
  ]),
  'SELECT (SELECT max(original.id) FROM original WHERE original.account = account.id AND original.id < $id) AS id FROM account',
  'SELECT (SELECT min(original.id) FROM original WHERE original.account = account.id AND original.id > $id) AS id FROM account',
].join(' UNION ALL ')

/**
 * The short forms of ids in a list, which commands take: the first 8 characters of a UUID, or as many as tell it from every other id in the ledger and in
 * the list. Any other id is shown whole, because only the beginning of a UUID is taken for it.
 */
export function shortIds(database: Database, ids: readonly string[]): (id: string) => string {
  const sorted = [...new Set(ids.filter((id) => UUID.test(id)).map((id) => id.toLowerCase()))].sort()
  const short = new Map<string, string>()
  for (const [place, id] of sorted.entries()) {
    const known = database.all(`SELECT id FROM (${NEIGHBOURS}) WHERE id IS NOT NULL`, { id })
    const others = [
      ...known.map(idIn),
      ...sorted.slice(Math.max(0, place - 1), place),
      ...sorted.slice(place + 1, place + 2),
    ]
    const common = others.map((other) => commonLength(id, other))
    short.set(id, id.slice(0, Math.max(CHARACTERS_MIN, ...common.map((length) => length + 1))))
  }
  return (id) => (UUID.test(id) ? id.slice(0, short.get(id.toLowerCase())?.length ?? id.length) : id)
}

function idIn(row: Row): string {
  return textOf(row, 'id').toLowerCase()
}

function commonLength(one: string, other: string): number {
  const length = [...one].findIndex((letter, place) => letter !== other[place])
  return length === -1 ? one.length : length
}
