import { accessSync, constants, copyFileSync, existsSync, rmSync, statSync } from 'node:fs'
import { platform } from 'node:os'
import { dirname } from 'node:path'
import { networkFileSystemOf } from '../storage/networkFileSystem.ts'
import { createPrivateFile, foundAt, securePrivateFile, securePrivateFolder } from '../storage/privateFolder.ts'
import {
  DamagedValue,
  type Database,
  integerOf,
  isEnvironmentError,
  isStatementError,
  loadSqlite,
  rollBack,
  SQLITE_BUSY,
  SQLITE_CORRUPT,
  SQLITE_NOTADB,
  sqliteCode,
} from '../storage/sqlite.ts'
import { systemTrouble } from '../storage/systemTrouble.ts'
import { t } from '../text/translate.ts'
import { isSystemError, NotReached, systemCode, UsageError } from '../wire/errors.ts'
import { DamagedRecord, DamagedRow } from './chain.ts'
import { ledgerPath, setLedgerId } from './ledgerId.ts'
import type { LedgerEnvironment } from './paymentState.ts'
import { SCHEMA_DIGEST, schemaOf, TABLES } from './tables.ts'

/** SQLite blocks the event loop while it waits; longer waits are asynchronous, see `Ledger.write`. */
const BUSY_TIMEOUT_MS = 10

/** Another program holds the ledger; trying again later may succeed. */
export class LedgerBusy extends NotReached {}

/** The system does not let the ledger be used, such as on a full disk. What it holds may still be read. */
export class LedgerUnusable extends UsageError {}

/** The files of the ledger in a data folder, whether they exist or not. */
export function ledgerFiles(folder: string): string[] {
  const path = ledgerPath(folder)
  return [path, `${path}-wal`, `${path}-shm`]
}

/**
 * Prepares a data folder for its ledger: folder and file are created if they are missing, and `notice` gets a sentence for each file mode
 * that was corrected. Throws UsageError if the folder or its file system forbids it, and errors for {@link ledgerFailure}.
 */
export function prepareLedgerFile({ folder, notice }: Pick<LedgerEnvironment, 'folder' | 'notice'>): void {
  for (const line of securePrivateFolder(folder)) notice(line)
  assertLocalFileSystem(folder)
  for (const file of ledgerFiles(folder)) for (const line of securePrivateFile(file)) notice(line)
  // The files that SQLite creates beside it get its mode.
  createPrivateFile(ledgerPath(folder))
}

/**
 * Opens the ledger of a data folder that is prepared; a new one gets its tables. Throws UsageError for a ledger with other tables, and errors for
 * {@link ledgerFailure}; it may be called again while another program holds the ledger.
 */
export async function openLedgerFile({
  folder,
  newId,
  sharedAt,
}: Pick<LedgerEnvironment, 'folder' | 'newId' | 'sharedAt'>): Promise<Database> {
  const open = await loadSqlite()
  const path = ledgerPath(folder)
  const database = open(path)
  try {
    configure(database)
    // The server has what a copy loses when the power fails.
    if (sharedAt !== undefined) database.exec('PRAGMA synchronous = NORMAL')
    makeTables(database, path, newId())
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Writes the log of a ledger into its file before it is closed, unless another process uses it. Closing does so too, but on Node.js 20 only when the
 * statements are garbage collected, which a process that ends does not wait for.
 */
export function emptyLog(database: Database): void {
  try {
    database.exec('PRAGMA busy_timeout = 0')
    database.get('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch (error) {
    // Nothing is lost: the next process reads the log.
    if (sqliteCode(error) === null) throw error
  }
}

/** True if the ledger of a data folder cannot be written, and lies beside a log that SQLite can only read with the right to write. */
export function isUnwritableWithLog(folder: string): boolean {
  if (!existsSync(`${ledgerPath(folder)}-wal`)) return false
  try {
    accessSync(folder, constants.W_OK)
    return false
  } catch (error) {
    if (isSystemError(error)) return true
    throw error
  }
}

/** A copy of a ledger that cannot be written, with what its log holds, for commands that only read. Its files are gone when it is open. */
export async function openCopyOfLedger({
  folder,
  newId,
}: Pick<LedgerEnvironment, 'folder' | 'newId'>): Promise<Database> {
  const open = await loadSqlite()
  const { makeTemporaryFolder } = await import('../storage/temporaryFolder.ts')
  const own = await makeTemporaryFolder('pixgate-read-')
  try {
    for (const end of ['', '-wal']) {
      const file = `${ledgerPath(folder)}${end}`
      if (end === '' || existsSync(file)) copyFileSync(file, `${ledgerPath(own)}${end}`)
    }
    const database = open(ledgerPath(own))
    configure(database)
    // On a full disk not even the tables of a new ledger could be made.
    makeTables(database, ledgerPath(folder), newId())
    return database
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

/** An empty ledger in memory, for commands that only read while there is no ledger file. */
export async function openEmptyLedger(newId: () => string): Promise<Database> {
  const open = await loadSqlite()
  const database = open(':memory:')
  makeTables(database, ':memory:', newId())
  return database
}

/** True if a data folder has a database file, or might have one in a place that may not be read; opening it tells why not. */
export function hasLedger(folder: string): boolean {
  try {
    return foundAt(ledgerPath(folder)) !== undefined
  } catch (error) {
    if (isSystemError(error)) return true
    throw error
  }
}

/** What tells the file at a path from any other; undefined if there is none. Throws the system's error. */
export function fileNumber(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}

/** Throws LedgerUnusable if the ledger is no longer the file that was opened: SQLite would go on writing into one that no other command finds. */
export function assertSameFile(path: string, opened: number | undefined): void {
  if (fileNumber(path) === opened) return
  throw new LedgerUnusable(t`\`${path}\` was removed or replaced while this command used it`, {
    isWhatSendingNeeds: true,
    hint: t`Put the file back before anything is sent: it tells what was paid`,
  })
}

/**
 * The failure that an error of SQLite or the system about the file of a ledger is for a person: LedgerBusy while another program holds it, UsageError
 * with code `LEDGER_DAMAGED` for a damaged one, LedgerUnusable for one that cannot be used. Other errors are returned as they are.
 */
export function ledgerFailure(path: string, error: unknown): unknown {
  if (error instanceof DamagedRow) {
    return damagedLedgerFailure(t`Line ${error.line} of ${error.run} in \`${path}\` does not match its checksum`)
  }
  if (error instanceof DamagedRecord) {
    return damagedLedgerFailure(t`Record ${error.seq} in \`${path}\` does not match its checksum`)
  }
  if (error instanceof DamagedValue) return damagedLedgerFailure(t`\`${path}\` is damaged: ${error.message}`)
  const code = sqliteCode(error)
  if (code === SQLITE_CORRUPT || code === SQLITE_NOTADB) {
    return damagedLedgerFailure(t`\`${path}\` is damaged: ${error instanceof Error ? error.message : ''}`)
  }
  if (code === SQLITE_BUSY) {
    return new LedgerBusy(t`\`${path}\` is locked by another program`, {
      code: 'LEDGER_BUSY',
      isWhatSendingNeeds: true,
      hint: t`Run the command again, which is safe; \`--timeout 2m\` lets it wait longer for the other program`,
    })
  }
  if (systemCode(error) === undefined && !isEnvironmentError(error)) return error
  const { reason, hint } = systemTrouble(error, dirname(path), 'PIXGATE_DATA_DIR')
  // The system names what it means, which may lie beside the ledger.
  const named = isSystemError(error) && 'path' in error ? String(error.path) : path
  return new LedgerUnusable(t`\`${named}\` cannot be used: ${reason}`, {
    isWhatSendingNeeds: true,
    hint,
  })
}

/**
 * What an error of SQLite about a statement means: DamagedValue if the schema of the ledger is not the one that pixgate writes. Other errors are
 * returned as they are.
 */
export async function withSchemaDamage(
  database: Database,
  { newId }: Pick<LedgerEnvironment, 'newId'>,
  error: unknown,
): Promise<unknown> {
  if (!isStatementError(error)) return error
  const intact = await openEmptyLedger(newId)
  try {
    return schemaOf(database) === schemaOf(intact)
      ? error
      : new DamagedValue(t`its schema is not the one that pixgate writes`)
  } catch (schemaError) {
    return schemaError
  } finally {
    intact.close()
  }
}

function damagedLedgerFailure(message: string): UsageError {
  return new UsageError(message, {
    code: 'LEDGER_DAMAGED',
    details: [t`Without it pixgate cannot know what was sent, so nothing that moves money is sent`],
    hint: t`Run \`pixgate history check\` to see what is damaged, then restore your newest backup of the ledger`,
  })
}

function configure(database: Database): void {
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  database.exec('PRAGMA journal_mode = WAL')
  // Durable after each commit; the package for Node.js 20 has NORMAL as its default in WAL mode.
  database.exec('PRAGMA synchronous = FULL')
  database.exec('PRAGMA foreign_keys = ON')
  // Finds some damaged pages when they are read, not when they are changed.
  database.exec('PRAGMA cell_size_check = ON')
  // 16 MiB instead of 4: a batch changes many pages, and each checkpoint waits for the disk twice.
  database.exec('PRAGMA wal_autocheckpoint = 4000')
  if (platform() === 'darwin') database.exec('PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON')
}

/** Makes the tables of a new ledger, with its UUID. Throws UsageError for a ledger with other tables. */
function makeTables(database: Database, path: string, id: string): void {
  if (schemaIn(database) === SCHEMA_DIGEST) return
  database.exec('BEGIN IMMEDIATE')
  try {
    const schema = schemaIn(database)
    if (schema === 0) throw damagedLedgerFailure(t`\`${path}\` has tables, but not the number of their version`)
    if (schema !== undefined && schema !== SCHEMA_DIGEST) {
      const hint = t`Use the build that made it; a new ledger, in another folder that \`PIXGATE_DATA_DIR\` names, does not know what was paid with this one`
      throw otherSchema(path, hint)
    }
    // Another process may have made them meanwhile.
    if (schema === undefined) {
      database.exec(TABLES)
      setLedgerId(database, id)
      database.exec(`PRAGMA user_version = ${SCHEMA_DIGEST}`)
    }
    database.exec('COMMIT')
  } catch (error) {
    rollBack(database)
    throw error
  }
}

/** The digest of the schema that a database says it has; undefined if it has no tables yet. */
function schemaIn(database: Database): number | undefined {
  const row = database.get(
    'SELECT user_version, EXISTS (SELECT * FROM sqlite_schema) AS has_tables FROM pragma_user_version',
  )
  if (row === undefined) return undefined
  const digest = integerOf(row, 'user_version')
  return digest === 0 && integerOf(row, 'has_tables') === 0 ? undefined : digest
}

/** The failure for a ledger, in a file or on a server, whose tables are not those of this build: upgrades begin with the first release. */
export function otherSchema(place: string, hint: string): UsageError {
  return new UsageError(t`\`${place}\` was made by another build of pixgate, with other tables`, {
    code: 'LEDGER_OTHER_SCHEMA',
    details: [
      t`Upgrades begin with the first release; until then, pixgate reads only ledgers with its own tables`,
      t`Nothing was sent or recorded`,
    ],
    hint,
  })
}

function assertLocalFileSystem(folder: string): void {
  const name = networkFileSystemOf(folder)
  if (name === undefined) return
  throw new UsageError(t`\`${folder}\` is on a network file system (${name}), where a ledger can be damaged`, {
    isWhatSendingNeeds: true,
    hint: t`Set \`PIXGATE_DATA_DIR\` to a folder on a disk of this machine`,
  })
}
