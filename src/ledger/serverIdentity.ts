import { isRead, object, string, wholeNumber } from '../schemas/jsonReader.ts'
import { type Database, textOf } from '../storage/sqlite.ts'

/** What tells a ledger on its server from every other, also from its own backup. */
export interface ServerIdentity {
  /** PostgreSQL's system identifier, made by initdb. */
  system: string
  /** It becomes another one when a standby is promoted or a backup is restored to a point in time. */
  timeline: number
  /** The oids of the database and of the table of records; a dump gets others when it is restored. */
  database: number
  table: number
  /** The UUID of the ledger. */
  ledger: string
}

const number = wholeNumber(0, Number.MAX_SAFE_INTEGER)

/** How an identity is written in a record. */
export const SERVER = object({ system: string, timeline: number, database: number, table: number, ledger: string })

const META_NAME = 'server'

/** True if both are of the same ledger on the same server, which nobody restored or promoted in between. */
export function isSameServer(one: ServerIdentity, other: ServerIdentity): boolean {
  return identityText(one) === identityText(other)
}

/** The server that a copy was made from; null if it has none yet. */
export function serverOfCopy(database: Database): ServerIdentity | null {
  const row = database.get('SELECT value FROM meta WHERE name = ?', META_NAME)
  if (row === undefined) return null
  const value: unknown = JSON.parse(textOf(row, 'value'))
  return isServerIdentity(value) ? value : null
}

/** Notes the server that a copy is made from. */
export function setServerOfCopy(database: Database, identity: ServerIdentity): void {
  const note = 'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value'
  database.run(note, META_NAME, identityText(identity))
}

/** An identity as it is noted, without anything else. */
function identityText(identity: ServerIdentity): string {
  return JSON.stringify(identity, Object.keys(SERVER.members))
}

/** False for what somebody who writes SQL by hand may have recorded. */
export function isServerIdentity(value: unknown): value is ServerIdentity {
  return isRead(SERVER, value)
}
