import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Keeper, type KeptIn, UnknownContent } from '../../sandbox/keeper.ts'
import { isDescribedBy } from '../../schemas/jsonSchema.ts'
import { createPrivateFile, securePrivateFile, securePrivateFolder } from '../../storage/privateFolder.ts'
import {
  type Database,
  integerOf,
  isEnvironmentError,
  loadSqlite,
  type OpenDatabase,
  rollBack,
  SQLITE_BUSY,
  SQLITE_CORRUPT,
  SQLITE_NOTADB,
  sqliteCode,
  textOf,
} from '../../storage/sqlite.ts'
import { systemTrouble } from '../../storage/systemTrouble.ts'
import { t } from '../../text/translate.ts'
import { isSystemError, UsageError } from '../../wire/errors.ts'

/** Increase it when a schema of what is kept changes: a file of another version is begun anew. */
const VERSION = 1

const SCHEMA = `
BEGIN;
CREATE TABLE kept (n INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, UNIQUE (kind, id)) STRICT;
PRAGMA user_version = ${VERSION};
COMMIT;
`

const PUT =
  'INSERT INTO kept (kind, id, body) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET body = excluded.body'

/** The file that a sandbox is kept in. */
interface SandboxFile {
  path: string
  /** Forget what it holds. */
  isFresh: boolean
  /** Called once if it can no longer be written, and told why. */
  onFailure: (error: Error) => void
  /** Called if what it holds is of no use to this build, and was removed. */
  onReplaced: () => void
}

/**
 * Gives what keeps a sandbox in the file, which this process has for itself until it ends. What another build or a faulty disk wrote is begun anew. Throws
 * UsageError, and so does what it gives, for a file that cannot be used.
 */
export async function keptInFile(file: SandboxFile): Promise<KeptIn> {
  const open = await loadSqlite()
  return (start) => {
    try {
      return startKept(open, file, start)
    } catch (error) {
      throw error instanceof Error && (isEnvironmentError(error) || isSystemError(error))
        ? unusableFile(file.path, error)
        : error
    }
  }
}

/** The UsageError for the file of a sandbox that cannot be written. */
export function unusableFile(path: string, error: Error): UsageError {
  if (sqliteCode(error) === SQLITE_BUSY) {
    return new UsageError(t`Another sandbox keeps what it holds in ${path}`, {
      hint: t`Stop it, or choose another \`--port\`; \`--memory\` keeps nothing`,
    })
  }
  const { reason, hint } = systemTrouble(error, dirname(path), 'PIXGATE_DATA_DIR')
  return new UsageError(t`The sandbox cannot be kept in ${path}: ${reason}`, {
    hint: t`${hint}; \`--memory\` keeps nothing`,
  })
}

function startKept<Result>(open: OpenDatabase, file: SandboxFile, start: (keeper: Keeper) => Result): Result {
  securePrivateFolder(dirname(file.path))
  securePrivateFile(file.path)
  const attempt = () => {
    const { keeper, discard } = keeperIn(openKept(open, file.path), file.onFailure)
    try {
      if (file.isFresh) keeper.clear()
      return start(keeper)
    } catch (error) {
      discard()
      throw error
    }
  }
  try {
    return attempt()
  } catch (error) {
    const code = sqliteCode(error)
    if (!(error instanceof UnknownContent) && code !== SQLITE_CORRUPT && code !== SQLITE_NOTADB) throw error
    for (const end of ['', '-wal', '-shm']) rmSync(file.path + end, { force: true })
    if (!file.isFresh) file.onReplaced()
    return attempt()
  }
}

function openKept(open: OpenDatabase, path: string): Database {
  createPrivateFile(path)
  const database = open(path)
  try {
    // Exclusive: of two sandboxes with one port, at two addresses, the second is refused.
    database.exec('PRAGMA busy_timeout = 1000; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL')
    // What was committed outlives the process in any case; a file that a power failure damages is begun anew.
    database.exec('PRAGMA synchronous = OFF; BEGIN IMMEDIATE; COMMIT')
    const version = integerOf(database.get('PRAGMA user_version') ?? {}, 'user_version')
    if (version === 0) database.exec(SCHEMA)
    else if (version !== VERSION) throw new UnknownContent(`the schema has the version ${version}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** All that is put in one turn of the event loop, by whatever steps, is one transaction. */
function keeperIn(database: Database, onFailure: (error: Error) => void): { keeper: Keeper; discard: () => void } {
  let isUsable = true
  let writing: Promise<boolean> | undefined
  function write(work: () => void): void {
    if (!isUsable) return
    try {
      work()
    } catch (error) {
      if (!(error instanceof Error) || sqliteCode(error) === null) throw error
      isUsable = false
      rollBack(database)
      onFailure(error)
    }
  }
  function begin(): void {
    if (writing !== undefined) return
    database.run('BEGIN')
    writing = new Promise((resolve) => setImmediate(() => resolve(commit())))
  }
  function commit(): boolean {
    if (writing !== undefined) write(() => database.run('COMMIT'))
    writing = undefined
    return isUsable
  }
  function discard(): void {
    isUsable = false
    database.close()
  }
  const keeper: Keeper = {
    all(kind, schema) {
      return database.all('SELECT body FROM kept WHERE kind = ? ORDER BY n', kind).map((row) => {
        const value = jsonOf(textOf(row, 'body'))
        if (isDescribedBy(schema, value)) return value
        throw new UnknownContent(`a ${kind} has another form`)
      })
    },
    put: (kind, id, value) =>
      write(() => {
        begin()
        database.run(PUT, kind, id, JSON.stringify(value))
      }),
    clear: () =>
      write(() => {
        begin()
        database.run('DELETE FROM kept')
      }),
    written: async () => writing ?? isUsable,
    close() {
      commit()
      discard()
    },
  }
  return { keeper, discard }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UnknownContent('a body is not JSON')
  }
}
