import type { RecordType } from '../records.ts'
import { schemaDigest } from '../tables.ts'

/** Roles that `ledger init` makes; logins are granted one of them. */
export const MEMBER_ROLE = 'pixgate_member'
export const AUDITOR_ROLE = 'pixgate_auditor'

/** The key of the lock under which every record is added. It follows from the id of the ledger, because other programs may lock in the same database. */
export const LOCK_KEY = '(SELECT pg_catalog.hashtextextended(id::text, 0) FROM pixgate.ledger)'

/** The statement that gives the login of the session that holds this lock; no row if none does. */
export const LOCK_HOLDER_SQL = `SELECT usename::text AS login FROM pg_catalog.pg_locks JOIN pg_catalog.pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND pid <> pg_catalog.pg_backend_pid()
    AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())
    AND (classid::bigint << 32) | objid::bigint = ${LOCK_KEY} LIMIT 1`

/** How the server refuses a record, as its SQLSTATE. */
export const REFUSED_RECORD = 'PX001'
/** How the server refuses a session that could break the rules: another isolation, no lock, records that are changed. */
export const REFUSED_SESSION = 'PX002'

/** How `ledger init` refuses a database, as its SQLSTATE. */
export const UNSUITABLE_DATABASE = 'PX003'
/** How it refuses a ledger that another build of pixgate made. */
export const OTHER_SCHEMA = 'PX004'

/** The types of records that only the owner of the tables adds. */
export const OWNER_TYPES: readonly RecordType[] = ['ledger-resumed', 'set-aside', 'machine-gone']

/** A column of a record as JSON.stringify writes it: both escape the same characters, and neither any other. */
const json = (column: string) => `pg_catalog.to_json(${column})::text`

const TABLES = `
CREATE SCHEMA IF NOT EXISTS pixgate;
REVOKE ALL ON SCHEMA pixgate FROM PUBLIC;

-- One row: which ledger this is, and a digest of these tables and triggers.
CREATE TABLE IF NOT EXISTS pixgate.ledger (
  id uuid NOT NULL,
  schema_version integer NOT NULL,
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only)
);

-- The chain of records. Each digest covers the one before it, so that nothing can be changed, removed or put in between without a trace.
CREATE TABLE IF NOT EXISTS pixgate.record (
  seq bigint PRIMARY KEY,
  id text NOT NULL UNIQUE,
  at text NOT NULL,
  "user" text NOT NULL,
  machine text NOT NULL,
  type text NOT NULL,
  payment text,
  content text NOT NULL,
  digest text NOT NULL,
  stored_by text NOT NULL,
  stored_at timestamptz NOT NULL
);

-- A ledger that was restored or replaced is stopped until its owner ends that.
CREATE INDEX IF NOT EXISTS record_stop ON pixgate.record (seq) WHERE type IN ('ledger-stopped', 'ledger-resumed');

-- Who is sending, which run is claimed, which listener runs. It decides nothing.
CREATE TABLE IF NOT EXISTS pixgate.activity (
  process text NOT NULL,
  login text NOT NULL DEFAULT session_user,
  machine text NOT NULL,
  kind text NOT NULL,
  detail jsonb NOT NULL,
  since timestamptz NOT NULL DEFAULT clock_timestamp(),
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (login, process, kind)
);
ALTER TABLE pixgate.activity ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS everybody_reads ON pixgate.activity;
DROP POLICY IF EXISTS own_rows ON pixgate.activity;
CREATE POLICY everybody_reads ON pixgate.activity FOR SELECT USING (true);
CREATE POLICY own_rows ON pixgate.activity USING (login = session_user) WITH CHECK (login = session_user);
`

const TRIGGERS = `
-- Before a statement that adds records. Under another isolation, a snapshot may be older than the lock, and payments would be made twice.
CREATE OR REPLACE FUNCTION pixgate.check_session() RETURNS trigger
LANGUAGE plpgsql SECURITY INVOKER SET search_path = pg_catalog, pg_temp AS $function$
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'records are only added with the isolation level read committed' USING ERRCODE = '${REFUSED_SESSION}';
  END IF;
  IF current_setting('synchronous_commit') = 'off' THEN
    RAISE EXCEPTION 'records are not added with synchronous_commit = off' USING ERRCODE = '${REFUSED_SESSION}';
  END IF;
  IF NOT EXISTS (
    SELECT FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND mode = 'ExclusiveLock' AND pid = pg_backend_pid() AND objsubid = 1
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND (classid::bigint << 32) | objid::bigint = ${LOCK_KEY}
  ) THEN
    RAISE EXCEPTION 'records are only added by a transaction that holds the lock of the ledger' USING ERRCODE = '${REFUSED_SESSION}';
  END IF;
  RETURN NULL;
END
$function$;

-- Before each record: whose it is, and whether it continues the chain. Tables are named in full, because a temporary table may have the same name.
CREATE OR REPLACE FUNCTION pixgate.check_record() RETURNS trigger
LANGUAGE plpgsql SECURITY INVOKER SET search_path = pg_catalog, pg_temp AS $function$
DECLARE
  last_seq bigint;
  last_digest text;
BEGIN
  SELECT seq, digest INTO last_seq, last_digest FROM pixgate.record ORDER BY seq DESC LIMIT 1;
  IF NOT FOUND THEN
    last_seq := 0;
    last_digest := '';
  END IF;
  IF NEW."user" IS DISTINCT FROM session_user::text THEN
    RAISE EXCEPTION 'the record names % as its user, but the login is %', NEW."user", session_user USING ERRCODE = '${REFUSED_RECORD}';
  END IF;
  IF NEW.seq IS DISTINCT FROM last_seq + 1 THEN
    RAISE EXCEPTION 'the record has the number %, but the next one is %', NEW.seq, last_seq + 1 USING ERRCODE = '${REFUSED_RECORD}';
  END IF;
  IF NEW.digest IS DISTINCT FROM encode(sha256(convert_to(
    '[' || ${json('last_digest')} || ',' || NEW.seq::text || ',' || ${json('NEW.id')} || ',' || ${json('NEW.at')}
    || ',' || ${json('NEW."user"')} || ',' || ${json('NEW.machine')} || ',' || ${json('NEW.type')}
    || ',' || coalesce(${json('NEW.payment')}, 'null') || ',' || ${json('NEW.content')} || ']', 'UTF8')), 'hex') THEN
    RAISE EXCEPTION 'the digest of record % is wrong', NEW.seq USING ERRCODE = '${REFUSED_RECORD}';
  END IF;
  IF NEW.type IN (${OWNER_TYPES.map((type) => `'${type}'`).join(', ')})
    AND NOT pg_has_role(session_user, (SELECT relowner FROM pg_class WHERE oid = 'pixgate.record'::regclass), 'MEMBER') THEN
    RAISE EXCEPTION 'only the owner of the ledger adds a record of the type %', NEW.type USING ERRCODE = '${REFUSED_RECORD}';
  END IF;
  NEW.stored_by := session_user;
  -- Not now(), the start of the transaction: a transaction that begins early and waits would back-date records.
  NEW.stored_at := clock_timestamp();
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION pixgate.refuse_change() RETURNS trigger
LANGUAGE plpgsql SECURITY INVOKER SET search_path = pg_catalog, pg_temp AS $function$
BEGIN
  RAISE EXCEPTION 'records are never changed or deleted' USING ERRCODE = '${REFUSED_SESSION}';
END
$function$;

-- Before each activity: when it is, which its writer does not say.
CREATE OR REPLACE FUNCTION pixgate.check_activity() RETURNS trigger
LANGUAGE plpgsql SECURITY INVOKER SET search_path = pg_catalog, pg_temp AS $function$
BEGIN
  NEW.seen_at := clock_timestamp();
  NEW.since := CASE WHEN TG_OP = 'UPDATE' THEN OLD.since ELSE NEW.seen_at END;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE TRIGGER check_activity BEFORE INSERT OR UPDATE ON pixgate.activity
  FOR EACH ROW EXECUTE FUNCTION pixgate.check_activity();
CREATE OR REPLACE TRIGGER check_session BEFORE INSERT ON pixgate.record
  FOR EACH STATEMENT EXECUTE FUNCTION pixgate.check_session();
CREATE OR REPLACE TRIGGER check_record BEFORE INSERT ON pixgate.record
  FOR EACH ROW EXECUTE FUNCTION pixgate.check_record();
CREATE OR REPLACE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON pixgate.record
  FOR EACH STATEMENT EXECUTE FUNCTION pixgate.refuse_change();
-- Also in a session that switches ordinary triggers off.
ALTER TABLE pixgate.record ENABLE ALWAYS TRIGGER check_session;
ALTER TABLE pixgate.record ENABLE ALWAYS TRIGGER check_record;
ALTER TABLE pixgate.record ENABLE ALWAYS TRIGGER refuse_change;
`

/** What a ledger with these tables and triggers says of itself. A pixgate with others refuses it. */
export const SERVER_SCHEMA_DIGEST = schemaDigest(TABLES + TRIGGERS)

const IDENTITY = `
INSERT INTO pixgate.ledger (id, schema_version) VALUES (gen_random_uuid(), ${SERVER_SCHEMA_DIGEST}) ON CONFLICT DO NOTHING;
`

const ROLES = [MEMBER_ROLE, AUDITOR_ROLE].map(
  (role) => `
DO $block$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role} NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object THEN NULL;
END $block$;
`,
)

const GRANTS = `
REVOKE ALL ON ALL TABLES IN SCHEMA pixgate FROM PUBLIC, ${MEMBER_ROLE}, ${AUDITOR_ROLE};
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA pixgate FROM PUBLIC;
GRANT USAGE ON SCHEMA pixgate TO ${MEMBER_ROLE}, ${AUDITOR_ROLE};
GRANT SELECT ON pixgate.record, pixgate.ledger, pixgate.activity TO ${MEMBER_ROLE}, ${AUDITOR_ROLE};
GRANT INSERT ON pixgate.record TO ${MEMBER_ROLE};
GRANT INSERT, UPDATE, DELETE ON pixgate.activity TO ${MEMBER_ROLE};
DO $block$ BEGIN
  IF EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = 'public') THEN REVOKE CREATE ON SCHEMA public FROM PUBLIC; END IF;
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO ${MEMBER_ROLE}, ${AUDITOR_ROLE}', current_database());
END $block$;
`

/** The login that runs the statements: the owner of the database owns the ledger, and so ends a stop. */
const OWNERSHIP = `
DO $block$
DECLARE
  database_owner name := (SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = current_database());
  item text;
BEGIN
  IF pg_has_role(session_user, database_owner, 'MEMBER') THEN
    EXECUTE format('ALTER SCHEMA pixgate OWNER TO %I', database_owner);
    FOREACH item IN ARRAY ARRAY['ledger', 'record', 'activity'] LOOP
      EXECUTE format('ALTER TABLE pixgate.%I OWNER TO %I', item, database_owner);
    END LOOP;
    FOREACH item IN ARRAY ARRAY['check_session', 'check_record', 'check_activity', 'refuse_change'] LOOP
      EXECUTE format('ALTER FUNCTION pixgate.%I() OWNER TO %I', item, database_owner);
    END LOOP;
  END IF;
END $block$;
`

const ASSERTIONS = `
DO $block$
BEGIN
  IF getdatabaseencoding() <> 'UTF8' THEN
    RAISE EXCEPTION 'the encoding of the database is %, but must be UTF8', getdatabaseencoding() USING ERRCODE = '${UNSUITABLE_DATABASE}';
  END IF;
  IF EXISTS (
    SELECT FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = 'pixgate' AND relname = 'ledger'
  ) THEN
    IF EXISTS (SELECT FROM pixgate.ledger WHERE schema_version <> ${SERVER_SCHEMA_DIGEST}) THEN
      RAISE EXCEPTION 'the tables of the ledger are those of another build of pixgate' USING ERRCODE = '${OTHER_SCHEMA}';
    END IF;
  END IF;
END $block$;
`

/** The roles that are missing, and whether this login may make them. */
export const MISSING_ROLES_SQL = `SELECT coalesce(string_agg(name, ' ' ORDER BY name DESC), '') AS names,
  (SELECT rolsuper OR rolcreaterole FROM pg_catalog.pg_roles WHERE rolname = session_user) AS may_create
  FROM unnest(ARRAY['${MEMBER_ROLE}', '${AUDITOR_ROLE}']) AS name
  WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = name)`

/**
 * What `ledger init` runs as the owner of a database, in one transaction, or an administrator by `psql`: schema, tables, triggers, roles and their
 * rights. It may run again, and changes no record.
 */
export const INIT_SQL = `BEGIN;
SET LOCAL search_path = pg_catalog, pg_temp;
SET LOCAL client_min_messages = warning;
SET LOCAL statement_timeout = 0;
SET LOCAL lock_timeout = '10s';
${ASSERTIONS}${TABLES}${TRIGGERS}${IDENTITY}${OWNERSHIP}${ROLES.join('')}${GRANTS}
COMMIT;
`
