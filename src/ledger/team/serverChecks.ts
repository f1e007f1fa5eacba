import { integerOf, type Row, textOf, textOrNull } from '../../storage/sqlite.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import type { LedgerAddress } from './address.ts'
import { grantSql, ledgerPlace, otherServerSchema, readOnlyServer, replacedServer } from './serverErrors.ts'
import { isSameServer, type ServerIdentity } from './serverIdentity.ts'
import { MEMBER_ROLE, SERVER_SCHEMA_DIGEST } from './serverSql.ts'

/** The oldest PostgreSQL that has all that the tables need. */
const SERVER_VERSION_MIN = 140_000

/** What a server says about itself and about the login, before anything is read. */
export interface ServerState {
  login: string
  /** Of PostgreSQL, such as `15.14`. */
  version: string
  mayWrite: boolean
  /** The server's time, in ms. */
  nowMs: number
  /** The role that owns the table of records, empty without one, and whether the login may act as it. */
  tableOwner: string
  isOwner: boolean
}

/** One row: the identity of the ledger and the digest of its tables. */
export const IDENTITY_SQL = `SELECT ledger.id::text AS ledger, ledger.schema_version,
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
export const STATE_SQL = `SELECT session_user::text AS login, pg_catalog.pg_is_in_recovery() AS is_standby,
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
export function readServerState(address: LedgerAddress, row: Row, asOwner: boolean): ServerState {
  const place = ledgerPlace(address)
  if (integerOf(row, 'version') < SERVER_VERSION_MIN) {
    throw new UsageError(
      t`The server of \`${place}\` is PostgreSQL ${textOf(row, 'version_name')}, but 14 or later is needed`,
      {
        details: nothingDone(),
        hint: t`Update the server, or use a database on a newer one`,
      },
    )
  }
  if (row.is_standby === true || row.is_read_only === true) throw readOnlyServer(address)
  const state = {
    login: textOf(row, 'login'),
    version: textOf(row, 'version_name'),
    mayWrite: row.may_write === true,
    nowMs: integerOf(row, 'now_ms'),
    tableOwner: textOf(row, 'table_owner'),
    isOwner: row.is_owner === true,
  }
  if (asOwner) return state
  if (row.has_ledger !== true) {
    throw new UsageError(t`The database \`${place}\` has no ledger of pixgate`, {
      code: 'LEDGER_NOT_FOUND',
      details: nothingDone(),
      hint: t`Ask the owner of the database to run \`${initCommand(address)}\` once`,
    })
  }
  if (row.may_change === true) {
    throw new UsageError(t`The login \`${state.login}\` could change or delete records of \`${place}\``, {
      code: 'LEDGER_LOGIN_REFUSED',
      details: [t`Payments are only recorded with a login that can do neither`, ...nothingDone()],
      hint: t`Create a login for each person with \`CREATE ROLE maria LOGIN PASSWORD '…' IN ROLE ${MEMBER_ROLE}\``,
    })
  }
  if (row.may_read !== true) {
    throw new UsageError(t`The login \`${state.login}\` is not a member of the ledger \`${place}\``, {
      code: 'LEDGER_LOGIN_REFUSED',
      details: nothingDone(),
      hint: t`Ask the administrator to run \`${grantSql(state.login)}\``,
    })
  }
  return state
}

/** Reads the row of {@link IDENTITY_SQL}. Throws UsageError for the tables of another build. */
export function readIdentity(address: LedgerAddress, row: Row): ServerIdentity {
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
export function assertSameServer(before: ServerIdentity, now: ServerIdentity): void {
  if (!isSameServer(before, now)) throw replacedServer(before, now)
}

function nothingDone(): string[] {
  return [t`Nothing was sent or recorded`]
}

/** The command that the owner types; his login is usually called `postgres`. */
function initCommand({ url }: LedgerAddress): string {
  return `pixgate ledger init ${url.replace(/\/\/[^@]*@/, '//postgres@')}`
}
