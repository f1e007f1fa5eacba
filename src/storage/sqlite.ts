import { isBuiltin } from 'node:module'
import { t } from '../text/translate.ts'
import { isPartMissing, isSystemError, UsageError } from '../wire/errors.ts'

/** What SQLite takes as a parameter and gives back in a row. */
export type SqlValue = string | number | bigint | null | Uint8Array

/** Values by name: `{ id }` for `$id` in the statement. Numbered parameters (`?1`) fail on Node.js 22.16. */
type NamedValues = Readonly<Record<string, SqlValue>>

/** The values of a statement, in the order of their `?`, or by name. */
export type SqlValues = SqlValue[] | [NamedValues]

/** A row as SQLite gives it, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>

/** The statement of `node:sqlite` as far as pixgate uses it. */
interface SqlStatement {
  run(...values: SqlValues): { changes: number | bigint }
  get(...values: SqlValues): unknown
  all(...values: SqlValues): unknown[]
  iterate(...values: SqlValues): Iterable<unknown>
}

/** The connection of `node:sqlite` as far as pixgate uses it. */
interface Connection {
  exec(sql: string): void
  prepare(sql: string): SqlStatement
  close(): void
}

interface Engine {
  DatabaseSync: new (path: string, options?: { readOnly?: boolean }) => Connection
}

const SQLITE_ERROR = 1

/** SQLite's result codes that callers tell apart. */
export const SQLITE_BUSY = 5
const SQLITE_IOERR_SHMMAP = 5386
export const SQLITE_CORRUPT = 11
export const SQLITE_NOTADB = 26

/** The texts of errors that `@photostructure/sqlite` 1.2.1 throws without a code, from `all` and `iterate`. */
const CODES_BY_TEXT: ReadonlyMap<string, number> = new Map([
  ['database is locked', SQLITE_BUSY],
  ['disk I/O error', 10],
  ['database disk image is malformed', SQLITE_CORRUPT],
  ['file is not a database', SQLITE_NOTADB],
])

/** The result codes that the environment causes: permissions, locks, a full or broken disk. Others are defects of pixgate. */
const ENVIRONMENT_CODES: readonly number[] = [3, SQLITE_BUSY, 6, 8, 10, 13, 14, 15, 23]

/** An open database. Statements are compiled once and kept. */
export class Database {
  readonly #connection: Connection
  readonly #statements = new Map<string, SqlStatement>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  exec(sql: string): void {
    this.#connection.exec(sql)
  }

  /** Runs one statement and gives the number of rows that it changed. */
  run(sql: string, ...values: SqlValues): number {
    return Number(this.#statement(sql).run(...values).changes)
  }

  get(sql: string, ...values: SqlValues): Row | undefined {
    const row = this.#statement(sql).get(...values)
    return isRow(row) ? row : undefined
  }

  all(sql: string, ...values: SqlValues): Row[] {
    return this.#statement(sql)
      .all(...values)
      .filter(isRow)
  }

  /** True if a query finds a row. */
  has(sql: string, ...values: SqlValues): boolean {
    return this.get(sql, ...values) !== undefined
  }

  /** The integer in the first column of the first row; null for NULL, and without a row. */
  integer(sql: string, ...values: SqlValues): number | null {
    const row = this.get(sql, ...values)
    return row === undefined ? null : integerOrNull(row, firstColumn(row))
  }

  /** The text in the first column of the first row; null for NULL, and without a row. */
  text(sql: string, ...values: SqlValues): string | null {
    const row = this.get(sql, ...values)
    return row === undefined ? null : textOrNull(row, firstColumn(row))
  }

  /** The texts in the first column of all rows. */
  texts(sql: string, ...values: SqlValues): string[] {
    return this.all(sql, ...values).map((row) => textOf(row, firstColumn(row)))
  }

  /** The rows of a query one by one. It must be read to its end, or given up, before anything else is awaited. */
  *each(sql: string, ...values: SqlValues): Generator<Row> {
    // A statement of its own: a kept one could be started again while it is read.
    for (const row of this.#connection.prepare(sql).iterate(...values)) if (isRow(row)) yield row
  }

  /**
   * Closes the database. On Node.js 20 the package keeps the file open until the statements are garbage collected, at the latest
   * until the process exits, because it cannot finalize them.
   */
  close(): void {
    this.#statements.clear()
    this.#connection.close()
  }

  #statement(sql: string): SqlStatement {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#connection.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

/** Opens a database file, which is created if it is missing; `:memory:` for none. Throws SQLite's error. */
export type OpenDatabase = (path: string, options?: { readOnly?: boolean }) => Database

let opener: Promise<OpenDatabase> | undefined

/**
 * Loads SQLite, once. Node.js 22.16 and later has it built in; on Node.js 20 the optional package `@photostructure/sqlite` provides the
 * same interface. Throws UsageError if it cannot be loaded.
 */
export function loadSqlite(): Promise<OpenDatabase> {
  opener ??= loadEngine().then(
    ({ DatabaseSync }) =>
      (path, options = {}) =>
        new Database(new DatabaseSync(path, options)),
  )
  return opener
}

/** The version of SQLite, as `3.53.0`. Throws UsageError if it cannot be loaded. */
export async function sqliteVersion(): Promise<string> {
  const openDatabase = await loadSqlite()
  const database = openDatabase(':memory:')
  try {
    return textOf(database.get('SELECT sqlite_version() AS version') ?? {}, 'version')
  } finally {
    database.close()
  }
}

/** Ends a transaction without its changes. SQLite has done so by itself after some errors, such as a full disk; a second ROLLBACK then fails. */
export function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK')
  } catch (error) {
    if (sqliteCode(error) === null) throw error
  }
}

/** SQLite's primary result code of an error; null for an error of another kind. */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error)) return null
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff
  if ('sqliteCode' in error && typeof error.sqliteCode === 'number') return error.sqliteCode & 0xff
  if ('code' in error && error.code === 'ERR_SQLITE_ERROR') return CODES_BY_TEXT.get(error.message) ?? null
  return null
}

/** True if the files of a database could not be mapped into memory. */
export function isMappingError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const numbers = ['errcode' in error ? error.errcode : 0, 'sqliteExtendedCode' in error ? error.sqliteExtendedCode : 0]
  return numbers.includes(SQLITE_IOERR_SHMMAP)
}

/** True for an error of SQLite about a statement itself, such as a table without a column: a defect of pixgate, or a damaged schema. */
export function isStatementError(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_ERROR
}

/** True for an error of SQLite that the environment causes, such as a full disk or a missing permission. */
export function isEnvironmentError(error: unknown): error is Error {
  return ENVIRONMENT_CODES.includes(sqliteCode(error) ?? 0)
}

async function loadEngine(): Promise<Engine> {
  if (isBuiltin('node:sqlite')) return withoutSqliteWarning(() => import('node:sqlite'))
  try {
    return await import('@photostructure/sqlite')
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    const isMissing = isPartMissing(error)
    throw new UsageError(
      isMissing
        ? t`The package \`@photostructure/sqlite\`, which provides SQLite on Node.js 20, is not installed`
        : t`SQLite cannot be loaded on Node.js ${process.versions.node}`,
      {
        details: [...(isMissing ? [] : [reason]), t`Nothing was sent`],
        hint:
          isSystemError(error) && error.code === 'ERR_DLOPEN_DISABLED'
            ? t`Run it without \`node --no-addons\`, and without this option in \`NODE_OPTIONS\``
            : t`Install pixgate again with its optional dependencies, or use Node.js 24, which has SQLite built in`,
      },
    )
  }
}

/** Node.js 22 warns that its SQLite is experimental; only that warning is dropped. */
async function withoutSqliteWarning<Result>(load: () => Promise<Result>): Promise<Result> {
  const { emitWarning } = process
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).includes('SQLite')) Reflect.apply(emitWarning, process, [warning, ...rest])
  }
  try {
    return await load()
  } finally {
    process.emitWarning = emitWarning
  }
}

/** A stored value that pixgate cannot have written. */
export class DamagedValue extends Error {}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null
}

function firstColumn(row: Row): string {
  return Object.keys(row)[0] ?? ''
}

/** A column that holds text. Throws DamagedValue for another value, which a STRICT table never takes. */
export function textOf(row: Row, column: string): string {
  const value = row[column]
  if (typeof value === 'string') return value
  throw new DamagedValue(`column ${column} holds no text`)
}

/** A column that holds text or NULL. */
export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null || row[column] === undefined ? null : textOf(row, column)
}

/** A column that holds an integer. Throws DamagedValue for another value. */
export function integerOf(row: Row, column: string): number {
  const value = row[column]
  if (typeof value === 'number') return value
  if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) return Number(value)
  throw new DamagedValue(`column ${column} holds no integer`)
}

/** A column that holds an integer or NULL. */
export function integerOrNull(row: Row, column: string): number | null {
  return row[column] === null || row[column] === undefined ? null : integerOf(row, column)
}
