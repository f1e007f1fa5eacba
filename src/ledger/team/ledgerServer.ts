import { performance } from 'node:perf_hooks'
import { only } from '../../pix/expectedError.ts'
import { integerOf, type Row, textOf, textOrNull } from '../../storage/sqlite.ts'
import { t } from '../../text/translate.ts'
import { Failure } from '../../wire/errors.ts'
import type { ChainedRecord } from '../chain.ts'
import { LedgerBusy } from '../ledgerFile.ts'
import { isSameServer, type ServerIdentity } from '../serverIdentity.ts'
import { type Connection, connectionClosed, type Encryption, openConnection, within } from './connection.ts'
import type { LedgerAddress } from './ledgerAddress.ts'
import {
  commitUnknown,
  DeadlinePassed,
  initFailure,
  isServerError,
  ledgerBusy,
  ledgerPlace,
  missingRoles,
  NoPassword,
  otherServerSchema,
  readOnlyServer,
  replacedServer,
  reported,
  rolesHint,
  serverFailure,
  unusable,
} from './serverErrors.ts'
import {
  INIT_SQL,
  LOCK_HOLDER_SQL,
  LOCK_KEY,
  MEMBER_ROLE,
  MISSING_ROLES_SQL,
  SERVER_SCHEMA_DIGEST,
} from './serverSql.ts'
import {
  insertRecordsSql,
  LAST_SEQ_SQL,
  readSharedRecord,
  recordsAfterSql,
  type SharedRecord,
  storedAtMs,
} from './sharedRecords.ts'

/** How to connect. Deadlines are times of `performance.now()`. */
interface ConnectOptions {
  password: string | undefined
  deadlineMs: number
  /** True for `ledger repair`: a login that could change records is not refused. */
  asOwner?: boolean
}

/**
 * Connects to the server of a shared ledger. Throws UsageError if the server or the login cannot be used, LedgerNotReached if there is no answer in
 * time.
 */
export async function connectServer(address: LedgerAddress, options: ConnectOptions): Promise<LedgerServer> {
  const { connection, state, identity } = await connectVerified(address, options)
  return new LedgerServer(address, options, connection, state, identity)
}

/**
 * Creates the tables, roles and triggers of a shared ledger, as the owner of its database, or the rights of one that has them. Throws UsageError if the
 * login may not, or if another build made the tables, LedgerNotReached if there is no answer in time.
 */
export async function initServer(address: LedgerAddress, options: ConnectOptions): Promise<ServerIdentity> {
  const connection = await reported(address, openConnection(address, options.password, options.deadlineMs))
  try {
    const [state] = (await connection.query(STATE_SQL, options.deadlineMs)).sets.at(-1) ?? []
    readServerState(address, state ?? {}, true)
    const [roles = {}] = (await connection.query(MISSING_ROLES_SQL, options.deadlineMs)).sets.at(-1) ?? []
    const missing = textOf(roles, 'names')
      .split(' ')
      .filter((name) => name !== '')
    if (missing.length > 0 && roles.may_create !== true) throw missingRoles(address, missing)
    await connection.query(INIT_SQL, options.deadlineMs)
    const [identity] = (await connection.query(IDENTITY_SQL, options.deadlineMs)).sets.at(-1) ?? []
    return readIdentity(address, identity ?? {})
  } catch (error) {
    throw initFailure(address, error)
  } finally {
    connection.close()
  }
}

/** True if the server asks this login for a password. Throws what connecting without one throws. */
export async function asksForPassword(address: LedgerAddress, deadlineMs: number): Promise<boolean> {
  try {
    const connection = await openConnection(address, undefined, deadlineMs)
    await connection.query('SELECT', deadlineMs).finally(() => connection.close())
    return false
  } catch (error) {
    if (error instanceof NoPassword) return true
    throw serverFailure(address, error)
  }
}

/** The server of a shared ledger, over one connection at a time. Calls wait for each other. */
export class LedgerServer {
  readonly #address: LedgerAddress
  readonly #options: ConnectOptions
  /** What it said when it was connected to. */
  readonly state: ServerState
  readonly identity: ServerIdentity
  #connection: Connection
  #isClosed = false
  /** The end of what was begun last. */
  #last: Promise<void> = Promise.resolve()

  constructor(
    address: LedgerAddress,
    options: ConnectOptions,
    connection: Connection,
    state: ServerState,
    identity: ServerIdentity,
  ) {
    this.#address = address
    this.#options = options
    this.#connection = connection
    this.state = state
    this.identity = identity
  }

  /** How the connection is encrypted; null without TLS, to a server on this machine. */
  get encryption(): Encryption | null {
    return this.#connection.encryption
  }

  /** Reads up to `limit` records after a number, without the lock. Throws LedgerNotReached. */
  async recordsAfter(seq: number, limit: number, deadlineMs: number): Promise<SharedRecord[]> {
    return this.select(recordsAfterSql(seq, limit), deadlineMs)
  }

  /** Runs a statement that reads records, without the lock. Throws LedgerNotReached. */
  async select(sql: string, deadlineMs: number): Promise<SharedRecord[]> {
    return (await this.rows(sql, deadlineMs)).map(readSharedRecord)
  }

  /** The number of the last record; 0 if there is none. Throws LedgerNotReached. */
  async lastSeq(deadlineMs: number): Promise<number> {
    const [row = {}] = await this.rows(LAST_SEQ_SQL, deadlineMs)
    return integerOf(row, 'last')
  }

  /**
   * Does work in one transaction under the lock of the ledger, and commits what it inserted. `after` is the number of the last record that this machine
   * knows. Throws what the work throws, LedgerBusy if the lock was not had in time, LedgerNotReached if nothing was recorded for another reason, and
   * CommitUnknown if it is not known whether it was.
   */
  async locked<Result>(
    deadlineMs: number,
    after: number,
    work: (ledger: LockedLedger) => Promise<Result> | Result,
  ): Promise<Result> {
    const ledger = { address: this.#address, identity: this.identity }
    try {
      return await this.#exclusively(deadlineMs, (connection) => runLocked(connection, ledger, deadlineMs, after, work))
    } catch (error) {
      if (!(error instanceof LedgerBusy)) throw error
      const login = await this.#lockHolder()
      throw login === undefined ? error : ledgerBusy(this.#address, login)
    }
  }

  /** The login that holds the lock of the ledger; undefined if none does any more, or the server does not say it at once. */
  async #lockHolder(): Promise<string | undefined> {
    const [row] = await this.rows(LOCK_HOLDER_SQL, performance.now() + LOCK_HOLDER_MS).catch(only(Failure, () => []))
    return row === undefined ? undefined : textOf(row, 'login')
  }

  /** Ends the connection at once; a transaction that is not committed ends with it. */
  close(): void {
    this.#isClosed = true
    this.#connection.close()
  }

  /** Runs one statement in a transaction of its own, and returns its rows. Throws LedgerNotReached. */
  rows(sql: string, deadlineMs: number): Promise<readonly Row[]> {
    return this.#exclusively(deadlineMs, async (connection) => {
      const asked = connection.query(`${beginSql(deadlineMs)}; ${sql}; COMMIT`, deadlineMs)
      const { sets } = await reported(this.#address, asked)
      return sets.at(-1) ?? []
    })
  }

  /** Does what needs the connection alone, after all that was begun before. The connection is opened again if it broke. */
  async #exclusively<Result>(deadlineMs: number, work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const before = this.#last
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    this.#last = before.then(() => ended)
    try {
      await within(before, deadlineMs, () => undefined).catch(() => {
        throw ledgerBusy(this.#address)
      })
      if (this.#isClosed) throw new Error('the connection to the shared ledger is closed')
      if (this.#connection.isBroken) await this.#reconnect(deadlineMs)
      const connection = this.#connection
      try {
        return await work(connection)
      } catch (error) {
        await rollBack(connection)
        throw error
      }
    } finally {
      end()
    }
  }

  async #reconnect(deadlineMs: number): Promise<void> {
    const { connection, identity } = await connectVerified(this.#address, { ...this.#options, deadlineMs })
    try {
      assertSameServer(this.identity, identity)
    } catch (error) {
      connection.close()
      throw error
    }
    this.#connection = connection
    if (this.#isClosed) connection.close()
  }
}

async function connectVerified(address: LedgerAddress, { password, deadlineMs, asOwner = false }: ConnectOptions) {
  let connection: Connection | undefined
  try {
    connection = await openConnection(address, password, deadlineMs)
    const statements = `${beginSql(deadlineMs)}; ${STATE_SQL}; ${IDENTITY_SQL}; COMMIT`
    const { sets } = await connection
      .query(statements, deadlineMs)
      .catch(withStateOnly(address, connection, deadlineMs))
    const state = readServerState(address, sets.at(-2)?.[0] ?? {}, asOwner)
    return { connection, state, identity: readIdentity(address, sets.at(-1)?.[0] ?? {}) }
  } catch (error) {
    connection?.close()
    throw serverFailure(address, error)
  }
}

/** If the ledger itself cannot be read, the state of server and login says why. Throws that, or the error. */
function withStateOnly(address: LedgerAddress, connection: Connection, deadlineMs: number) {
  return async (error: unknown): Promise<never> => {
    if (isServerError(error) && !connection.isBroken && /^(?:42|3F)/.test(error.code)) {
      await rollBack(connection)
      const { sets } = await connection.query(STATE_SQL, deadlineMs)
      readServerState(address, sets.at(-1)?.[0] ?? {}, false)
    }
    throw error
  }
}

/** What may be done while no other machine can add records. */
export interface LockedLedger {
  /** The first records after the number that was given with the work, read with the lock: up to {@link FIRST_RECORDS_MAX}. */
  readonly records: readonly SharedRecord[]
  /** The server's time just after the lock was had, in ms. */
  readonly nowMs: number
  recordsAfter(seq: number, limit: number): Promise<SharedRecord[]>
  /** Runs a statement that reads records. */
  select(sql: string): Promise<SharedRecord[]>
  /**
   * Adds records, and gives when the server stored each, in ms. They count only when the commit is confirmed. Work that ends without waiting for this
   * saves a round trip, because the commit is sent at once; the promise settles before the commit does.
   */
  insert(records: readonly ChainedRecord[]): Promise<number[]>
}

/** How many records come with the lock; more are read with `recordsAfter`. */
const FIRST_RECORDS_MAX = 1000
/** How long a transaction that failed may take to end; then its connection is closed, which ends it too. */
const ROLLBACK_MS = 1000
const LOCK_HOLDER_MS = 1000

/**
 * Written out and local: a login may have other defaults, and a pooler hands sessions on. `tcp_user_timeout` ends what no other limit does: a server that
 * cannot send its answer, because the machine that asked sleeps.
 */
function beginSql(deadlineMs: number): string {
  const leftMs = Math.max(1, Math.floor(deadlineMs - performance.now()))
  // Shorter than the deadline, so that the server can still say that it was the lock.
  const lockMs = Math.max(1, Math.floor(leftMs * 0.9))
  return `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit = on; SET LOCAL lock_timeout = ${lockMs};
    SET LOCAL statement_timeout = ${leftMs}; SET LOCAL idle_in_transaction_session_timeout = ${leftMs};
    SET LOCAL tcp_user_timeout = ${leftMs}; SET LOCAL extra_float_digits = 1`
}

/** Ends a transaction without its records. A connection that does not confirm that is closed. */
async function rollBack(connection: Connection): Promise<void> {
  if (connection.isBroken) return
  try {
    await connection.query('ROLLBACK', performance.now() + ROLLBACK_MS)
  } catch {
    connection.close()
  }
}

/**
 * Does work in one transaction under the lock of the ledger, and commits what it inserted. `after` is the number of the last record that this machine
 * knows. Throws what the work throws, the {@link serverFailure} of an error before the commit, and CommitUnknown. A transaction that failed is left to
 * be rolled back.
 */
async function runLocked<Result>(
  connection: Connection,
  { address, identity }: { address: LedgerAddress; identity: ServerIdentity },
  deadlineMs: number,
  after: number,
  work: (ledger: LockedLedger) => Promise<Result> | Result,
): Promise<Result> {
  // The lock is a statement of its own: only the snapshots of later ones show what others committed before it was had.
  const begun = `${beginSql(deadlineMs)}; SELECT pg_catalog.pg_advisory_xact_lock(${LOCK_KEY}); ${IDENTITY_SQL};
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::double precision AS now_ms;
    ${recordsAfterSql(after, FIRST_RECORDS_MAX)}`
  const { sets } = await reported(address, connection.query(begun, deadlineMs))
  const [found, now, records] = [sets.at(-3)?.[0] ?? {}, sets.at(-2)?.[0] ?? {}, sets.at(-1) ?? []]
  assertSameServer(identity, readIdentity(address, found))
  let isOver = false
  const inserts: Promise<unknown>[] = []
  const rows = async (sql: string) => {
    if (isOver) throw new Error('the transaction is over')
    return (await connection.query(sql, deadlineMs)).sets.at(-1) ?? []
  }
  const ledger: LockedLedger = {
    records: records.map(readSharedRecord),
    nowMs: integerOf(now, 'now_ms'),
    recordsAfter: (seq, limit) => ledger.select(recordsAfterSql(seq, limit)),
    select: async (sql) => (await reported(address, rows(sql))).map(readSharedRecord),
    insert(added) {
      if (added.length === 0) return Promise.resolve([])
      const inserting = rows(insertRecordsSql(added)).then((stored) => stored.map(storedAtMs))
      inserts.push(inserting)
      const result = reported(address, inserting)
      // Handled here, because work may not wait for it.
      result.catch(() => undefined)
      return result
    },
  }
  const working = (async () => work(ledger))()
  // What the work itself throws is not about the server, and stays as it is.
  const result = await within(working, deadlineMs, () => undefined)
    .catch((error: unknown) => {
      throw error instanceof DeadlinePassed ? serverFailure(address, error) : error
    })
    .finally(() => {
      isOver = true
    })
  if (inserts.length > 0) await reported(address, commit(connection, address, deadlineMs, inserts))
  else await rollBack(connection)
  return result
}

/** Commits `inserts`, whose answers may arrive together with that of the commit. */
async function commit(
  connection: Connection,
  address: LedgerAddress,
  deadlineMs: number,
  inserts: readonly Promise<unknown>[],
): Promise<void> {
  if (performance.now() >= deadlineMs) throw new DeadlinePassed('no time left to commit')
  if (connection.isBroken) throw connectionClosed()
  const committing = connection.query('COMMIT', deadlineMs)
  const ends = await Promise.allSettled([...inserts, committing])
  const errors = ends.flatMap((end): unknown[] => (end.status === 'rejected' ? [end.reason] : []))
  // After an ERROR nothing was committed; any other end says nothing about it.
  const refusal = errors.find((error) => isServerError(error) && error.severity === 'ERROR')
  if (refusal !== undefined) throw refusal
  if (errors.length > 0) {
    connection.close()
    throw commitUnknown(address)
  }
  const { command } = await committing
  if (command !== 'COMMIT') throw new Error(`the server answered COMMIT with ${command}`)
}

/** The oldest PostgreSQL that has all that the tables need. */
const SERVER_VERSION_MIN = 140_000

/** What a server says about itself and about the login, before anything is read. */
type ServerState = ReturnType<typeof readServerState>

const IDENTITY_SQL = `SELECT ledger.id::text AS ledger, ledger.schema_version,
  (SELECT system_identifier::text FROM pg_catalog.pg_control_system()) AS system,
  CASE WHEN NOT pg_catalog.pg_is_in_recovery()
    THEN pg_catalog.substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8) ELSE '0' END AS timeline,
  (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database())::bigint::double precision AS database,
  'pixgate.record'::pg_catalog.regclass::oid::bigint::double precision AS "table"
  FROM pixgate.ledger`

/** The roles through which a login could change or delete records: its own, and those that it may take. */
const POWERFUL_ROLES = `SELECT FROM pg_catalog.pg_roles AS role
  WHERE pg_catalog.pg_has_role(session_user, role.oid, 'MEMBER') AND (
    role.rolsuper OR role.rolcreaterole OR role.rolname IN ('pg_execute_server_program', 'pg_write_server_files')
    OR role.oid IN (database.datdba, namespace.nspowner, record.relowner, ledger.relowner)
    OR pg_catalog.has_table_privilege(role.oid, record.oid, 'UPDATE, DELETE, TRUNCATE, TRIGGER')
    OR pg_catalog.has_any_column_privilege(role.oid, record.oid, 'UPDATE')
    OR pg_catalog.has_table_privilege(role.oid, ledger.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER')
    OR pg_catalog.has_any_column_privilege(role.oid, ledger.oid, 'INSERT, UPDATE'))`

/** One row about the server and the login. It needs no rights, and no ledger in the database. */
const STATE_SQL = `SELECT session_user::text AS login, pg_catalog.pg_is_in_recovery() AS is_standby,
  pg_catalog.current_setting('default_transaction_read_only') = 'on' AS is_read_only,
  floor(extract(epoch FROM clock_timestamp()) * 1000)::double precision AS now_ms,
  pg_catalog.current_setting('server_version_num')::integer AS version, pg_catalog.current_setting('server_version') AS version_name,
  record.oid IS NOT NULL AND ledger.oid IS NOT NULL AS has_ledger,
  coalesce(pg_catalog.has_schema_privilege(namespace.oid, 'USAGE') AND pg_catalog.has_table_privilege(record.oid, 'SELECT'), false) AS may_read,
  coalesce(pg_catalog.has_table_privilege(record.oid, 'INSERT'), false) AS may_write,
  coalesce(pg_catalog.pg_get_userbyid(record.relowner), '') AS table_owner,
  coalesce(pg_catalog.pg_has_role(session_user, record.relowner, 'MEMBER'), false) AS is_owner,
  EXISTS (${POWERFUL_ROLES}) AS may_change
  FROM pg_catalog.pg_database AS database
  LEFT JOIN pg_catalog.pg_namespace AS namespace ON namespace.nspname = 'pixgate'
  LEFT JOIN pg_catalog.pg_class AS record ON record.relnamespace = namespace.oid AND record.relname = 'record'
  LEFT JOIN pg_catalog.pg_class AS ledger ON ledger.relnamespace = namespace.oid AND ledger.relname = 'ledger'
  WHERE database.datname = pg_catalog.current_database()`

/** Checks the row of {@link STATE_SQL}. `asOwner` lets a login do anything. Throws UsageError. */
function readServerState(address: LedgerAddress, row: Row, asOwner: boolean) {
  const place = ledgerPlace(address)
  if (integerOf(row, 'version') < SERVER_VERSION_MIN) {
    throw unusable(
      t`The server of \`${place}\` is PostgreSQL ${textOf(row, 'version_name')}, but 14 or later is needed`,
      {
        hint: t`Update the server, or use a database on a newer one`,
      },
    )
  }
  if (row.is_standby === true || row.is_read_only === true) throw readOnlyServer(address)
  const state = {
    /** Under which records are stored. */
    login: textOf(row, 'login'),
    /** Of PostgreSQL, such as `15.14`. */
    version: textOf(row, 'version_name'),
    /** False for an auditor. */
    mayWrite: row.may_write === true,
    /** The server's time, in ms. */
    nowMs: integerOf(row, 'now_ms'),
    /** The role that owns the table of records, empty without one, and whether the login may act as it, and so end a stop. */
    tableOwner: textOf(row, 'table_owner'),
    isOwner: row.is_owner === true,
  }
  if (asOwner) return state
  if (row.has_ledger !== true) {
    throw unusable(t`The database \`${place}\` has no ledger of pixgate`, {
      code: 'LEDGER_NOT_FOUND',
      hint: t`Ask the owner of the database to run \`${initCommand(address)}\` once`,
    })
  }
  if (row.may_change === true) {
    throw unusable(t`The login \`${state.login}\` could change or delete records of \`${place}\``, {
      code: 'LEDGER_LOGIN_REFUSED',
      details: [t`Payments are only recorded with a login that can do neither`],
      hint: t`Create a login for each person with \`CREATE ROLE maria LOGIN PASSWORD '…' IN ROLE ${MEMBER_ROLE}\``,
    })
  }
  if (row.may_read !== true) {
    throw unusable(t`The login \`${state.login}\` is not a member of the ledger \`${place}\``, {
      code: 'LEDGER_LOGIN_REFUSED',
      hint: rolesHint(state.login),
    })
  }
  return state
}

/** Reads the row of {@link IDENTITY_SQL}. Throws UsageError for the tables of another build. */
function readIdentity(address: LedgerAddress, row: Row): ServerIdentity {
  if (integerOf(row, 'schema_version') !== SERVER_SCHEMA_DIGEST) throw otherServerSchema(address)
  return {
    system: textOf(row, 'system'),
    timeline: Number.parseInt(textOrNull(row, 'timeline') ?? '0', 16),
    database: integerOf(row, 'database'),
    table: integerOf(row, 'table'),
    ledger: textOf(row, 'ledger'),
  }
}

/** Throws LedgerOlder if a server is not the one that this process has used before. */
function assertSameServer(before: ServerIdentity, now: ServerIdentity): void {
  if (!isSameServer(before, now)) throw replacedServer(before, now)
}

/** The command that the owner types; his login is usually called `postgres`. */
function initCommand({ url }: LedgerAddress): string {
  return `pixgate ledger init ${url.replace(/\/\/[^@]*@/, '//postgres@')}`
}
