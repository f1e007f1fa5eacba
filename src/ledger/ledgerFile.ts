import { existsSync, statSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { VERSION } from '../programInfo.ts'
import { networkFileSystemOf } from '../storage/networkFileSystem.ts'
import { createPrivateFile, securePrivateFile, securePrivateFolder } from '../storage/privateFolder.ts'
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
import { t } from '../text/translate.ts'
import { isSystemError, NotReached, systemCode, UsageError } from '../wire/errors.ts'
import { ACCEPTED_BEFORE_INDEX } from './acceptedBefore.ts'
import { ACCOUNT_RULE_TABLE, RULE_APPROVAL_TABLE } from './accountRules.ts'
import { DamagedRecord, DamagedRow } from './chain.ts'
import { buildDerivedTables, indexPayersAgain, judgeForwardsAgain, rebuildClocks } from './derivedTables.ts'
import type { LedgerEnvironment } from './environment.ts'
import { ledgerPath, migratedBy, noteMigration, setLedgerId } from './ledgerId.ts'
import { PAYEE_TABLE } from './payees.ts'
import { PLAN_TABLE } from './plans.ts'
import { PROFILE_CHANGE_TABLE } from './profileChanges.ts'
import { judgeRulesAgain } from './ruleHistory.ts'
import { schemaOf } from './schema.ts'
import { SCHEMA_VERSION, TABLES, UPGRADE_FROM_1, UPGRADE_FROM_2 } from './tables.ts'

/** The log of versions that were never published. */
const OLD_LOG = 'timeline.log'

/** SQLite blocks the event loop while it waits; longer waits are asynchronous, see `Ledger.write`. */
const BUSY_TIMEOUT_MS = 10

/** Another program holds the ledger; trying again later may succeed. */
export class LedgerBusy extends NotReached {}

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
 * Opens the ledger of a data folder that is prepared, and brings it to the newest version. Throws UsageError for a ledger of a newer
 * version, and errors for {@link ledgerFailure}; it may be called again while another program holds the ledger.
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
    migrate(database, path, newId())
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

/** An empty ledger in memory, for commands that only read while there is no ledger file. */
export async function openEmptyLedger(newId: () => string): Promise<Database> {
  const open = await loadSqlite()
  const database = open(':memory:')
  migrate(database, ':memory:', newId())
  return database
}

/** True if a data folder has a database file, or might have one in a place that may not be read; opening it tells why not. */
export function hasLedger(folder: string): boolean {
  try {
    return statSync(ledgerPath(folder), { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if (isSystemError(error)) return true
    throw error
  }
}

/** The log of an earlier version in a data folder, whose payments this version does not know; undefined if there is none. */
export function findOldLog(folder: string): string | undefined {
  const path = join(folder, OLD_LOG)
  return existsSync(path) ? path : undefined
}

/**
 * The failure that an error of SQLite or the system about the file of a ledger is for a person: LedgerBusy while another program holds it, UsageError
 * with code `LEDGER_DAMAGED` for a damaged one, plain UsageError for one that cannot be used. Other errors are returned as they are.
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
      details: [t`Nothing was sent, because payments are recorded there first`],
      hint: t`Run the command again, which is safe; \`--timeout 2m\` lets it wait longer for the other program`,
    })
  }
  const reason = isEnvironmentError(error) ? error.message : systemCode(error)
  if (reason === undefined) return error
  return new UsageError(t`\`${path}\` cannot be used: ${reason}`, {
    details: [t`Nothing was sent, because payments are recorded there first`],
    hint: t`Make the folder writable and free some disk space, or set \`PIXGATE_DATA_DIR\` to another folder`,
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

/** Brings a ledger to the newest version. `id` is the UUID of a new one. */
function migrate(database: Database, path: string, id: string): void {
  if (versionOf(database) === SCHEMA_VERSION) return
  database.exec('BEGIN IMMEDIATE')
  try {
    const version = versionOf(database)
    if (version > SCHEMA_VERSION) {
      const newer = migratedBy(database)
      throw new UsageError(t`\`${path}\` was written by a newer version of pixgate`, {
        details: [
          t`This is pixgate ${VERSION}`,
          ...(newer === undefined ? [] : [t`pixgate ${newer} changed the ledger`]),
          t`Nothing was sent`,
        ],
        hint: t`Install a newer pixgate on this machine; \`pixgate --version -v\` shows what runs here`,
      })
    }
    if (version === 0) {
      database.exec(TABLES)
      setLedgerId(database, id)
    } else if (version === 1) {
      database.exec(UPGRADE_FROM_1)
      buildDerivedTables(database)
    } else {
      if (version === 2) database.exec(UPGRADE_FROM_2)
      if (version < 6) database.exec(PROFILE_CHANGE_TABLE)
      if (version < 7) database.exec(ACCEPTED_BEFORE_INDEX)
      if (version < 4) rebuildClocks(database)
      if (version < 8) indexPayersAgain(database)
      if (version < 9) database.exec(ACCOUNT_RULE_TABLE)
      if (version < 10) judgeForwardsAgain(database)
      if (version < 11) database.exec(PLAN_TABLE)
      if (version < 12) database.exec(PAYEE_TABLE)
      // Another process may have brought it to this version meanwhile.
      if (version < 13) {
        database.exec(RULE_APPROVAL_TABLE)
        judgeRulesAgain(database)
      }
    }
    noteMigration(database, VERSION)
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
    database.exec('COMMIT')
  } catch (error) {
    rollBack(database)
    throw error
  }
}

function versionOf(database: Database): number {
  const row = database.get('PRAGMA user_version')
  return row === undefined ? 0 : integerOf(row, 'user_version')
}

function assertLocalFileSystem(folder: string): void {
  const name = networkFileSystemOf(folder)
  if (name === undefined) return
  throw new UsageError(t`\`${folder}\` is on a network file system (${name}), where a ledger can be damaged`, {
    details: [t`Nothing was sent, because payments are recorded there first`],
    hint: t`Set \`PIXGATE_DATA_DIR\` to a folder on a disk of this machine`,
  })
}
