import { join } from 'node:path'
import type { Database } from '../storage/sqlite.ts'
import type { ChainPoint } from './chain.ts'
import { note, noted } from './ledgerNotes.ts'

/** What was seen last of a ledger. */
export interface SeenLedger extends ChainPoint {
  /** The UUID of the ledger. */
  ledger: string
}

/** What was seen of a ledger that ends at `end`. */
export function seenLedger(database: Database, end: ChainPoint): SeenLedger {
  return { ledger: ledgerId(database), ...end }
}

/** The database file in a data folder. */
export function ledgerPath(folder: string): string {
  return join(folder, 'ledger.db')
}

/** The UUID that tells a ledger from every other. */
export function ledgerId(database: Database): string {
  return noted(database, 'id') ?? ''
}

/** Gives a ledger its UUID, or another one. */
export function setLedgerId(database: Database, id: string): void {
  note(database, 'id', id)
}
