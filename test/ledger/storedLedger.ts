import { dirname, join } from 'node:path'
import { parseRecord, storedRecord } from '../../src/ledger/chain.ts'
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts'
import type { LedgerRecord } from '../../src/ledger/records.ts'
import type { Writer } from '../../src/ledger/writer.ts'
import { type Database, loadSqlite, textOf } from '../../src/storage/sqlite.ts'
import type { World } from '../world.ts'
import { ledgerProblems } from './oracle/ledgerProblems.ts'

/** The path of the ledger of a world's machine. */
export function ledgerFile(world: Pick<World, 'env'>): string {
  return join(world.env.PIXGATE_DATA_DIR ?? '', 'ledger.db')
}

/** Does work with the ledger of a world's machine, as another program. */
export async function inLedger<Result>(
  world: Pick<World, 'env'>,
  work: (database: Database) => Result | Promise<Result>,
): Promise<Result> {
  const open = await loadSqlite()
  const database = open(ledgerFile(world))
  try {
    database.exec('PRAGMA busy_timeout = 5000')
    return await work(database)
  } finally {
    database.close()
  }
}

/** Who works with a ledger, and at what time: now unless it is given. */
interface LedgerUser {
  user?: string
  now?: () => number
}

/** Works with the ledger of a world's machine, as another process of the program. */
export async function withLedger<Result>(
  world: Pick<World, 'env'>,
  work: (ledger: Ledger) => Promise<Result>,
  { user = 'maria', now = Date.now }: LedgerUser = {},
): Promise<Result> {
  const ledger = openLedger({
    folder: dirname(ledgerFile(world)),
    user,
    machine: 'desk',
    pid: process.pid,
    now,
    newId: () => crypto.randomUUID(),
    notice: (line) => {
      throw new Error(line)
    },
    timeoutMs: 10_000,
  })
  try {
    return await work(ledger)
  } finally {
    await ledger.close()
  }
}

/** Writes records to the ledger of a world's machine, in one transaction, as another process of the program. */
export function writeTo<Result>(
  world: Pick<World, 'env'>,
  work: (writer: Writer) => Result,
  by: LedgerUser = {},
): Promise<Result> {
  return withLedger(world, (ledger) => ledger.write(work), by)
}

/** What a check of the whole ledger finds. */
export async function problemsOf(world: Pick<World, 'env'>): Promise<string[]> {
  const open = await loadSqlite()
  return inLedger(world, (database) => ledgerProblems(database, open))
}

/** The names of the payments and their states, oldest first. */
export function paymentsOf(world: Pick<World, 'env'>): Promise<{ name: string; state: string }[]> {
  return inLedger(world, (database) =>
    database
      .all('SELECT name, state FROM payment ORDER BY seq')
      .map((row) => ({ name: textOf(row, 'name'), state: textOf(row, 'state') })),
  )
}

/** All records, oldest first. */
export function recordsOf(world: Pick<World, 'env'>): Promise<LedgerRecord[]> {
  return inLedger(world, (database) =>
    database.all('SELECT * FROM record ORDER BY seq').map((row) => parseRecord(storedRecord(row))),
  )
}
