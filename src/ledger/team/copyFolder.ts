import { hash } from 'node:crypto'
import { join } from 'node:path'
import type { LedgerAddress } from './address.ts'

const FOLDER = 'teams'

/** The folder of the copy of a shared ledger, below the data folder. */
export function copyFolder(dataFolder: string, { host, port, database }: LedgerAddress): string {
  const mark = hash('sha256', JSON.stringify([host, port, database])).slice(0, 16)
  return join(dataFolder, FOLDER, mark)
}
