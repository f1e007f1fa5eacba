import { object, type ReadBy, readJson, string, wholeNumber } from '../schemas/jsonReader.ts'
import type { Database } from '../storage/sqlite.ts'
import { note, noted } from './ledgerNotes.ts'

const number = wholeNumber(0, Number.MAX_SAFE_INTEGER)

/** What tells a ledger on its server from every other, also from its own backup, as records have it. */
export const SERVER = object({
  /** PostgreSQL's system identifier, made by initdb. */
  system: string,
  /** It becomes another one when a standby is promoted or a backup is restored to a point in time. */
  timeline: number,
  /** The oids of the database and of the table of records; a dump gets others when it is restored. */
  database: number,
  table: number,
  /** The UUID of the ledger. */
  ledger: string,
})

export type ServerIdentity = ReadBy<typeof SERVER>

/** True if both are of the same ledger on the same server, which was not restored or promoted in between. */
export function isSameServer(one: ServerIdentity, other: ServerIdentity): boolean {
  return identityText(one) === identityText(other)
}

/** The server that a copy was made from; null if it has none yet. */
export function serverOfCopy(database: Database): ServerIdentity | null {
  const text = noted(database, 'server')
  return text === undefined ? null : (readJson(SERVER, JSON.parse(text)).value ?? null)
}

/** Notes the server that a copy is made from. */
export function setServerOfCopy(database: Database, identity: ServerIdentity): void {
  note(database, 'server', identityText(identity))
}

/** An identity as it is noted, without anything else. */
function identityText(identity: ServerIdentity): string {
  return JSON.stringify(identity, Object.keys(SERVER.members))
}
