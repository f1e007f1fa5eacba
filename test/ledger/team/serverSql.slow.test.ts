import { describe, expect } from 'vitest'
import type { ChainedRecord, StoredRecord } from '../../../src/ledger/chain.ts'
import { initServer } from '../../../src/ledger/team/ledgerServer.ts'
import { LOCK_KEY } from '../../../src/ledger/team/serverSql.ts'
import { ACTIVITY_SQL, insertRecordsSql, putActivitySql, readActivity } from '../../../src/ledger/team/sharedRecords.ts'
import {
  connected,
  itOnPostgres,
  OWNER,
  PASSWORD,
  type PsqlResult,
  soon,
  type TestPostgres,
  withPostgres,
} from '../../postgres.ts'
import { addRecord, newRecord } from './newRecords.ts'

const LOCK = `SELECT pg_advisory_xact_lock(${LOCK_KEY});`

let postgres: TestPostgres
let database: string
let maria: string

withPostgres(async (started) => {
  postgres = started
  database = await postgres.newLedger()
  maria = await postgres.newLogin('pixgate_member')
})

/** What a member types into psql. */
function typed(sql: string, env?: Record<string, string>): Promise<PsqlResult> {
  return postgres.psql(maria, database, sql, env)
}

/** Inserts a record by hand as a member who does all the rest right. */
function inserted(record: ChainedRecord, env?: Record<string, string>, before = ''): Promise<PsqlResult> {
  return typed(`${before} BEGIN; ${LOCK} ${insertRecordsSql([record])}; COMMIT;`, env)
}

async function nextRecord(differences: Partial<StoredRecord> = {}): Promise<ChainedRecord> {
  const last = await postgres.sql(database, 'SELECT seq, digest FROM pixgate.record ORDER BY seq DESC LIMIT 1')
  const [seq = '0', digest = ''] = last.split('|')
  return newRecord(maria, differences, { seq: Number(seq), digest })
}

async function count(): Promise<number> {
  return Number(await postgres.sql(database, 'SELECT count(*) FROM pixgate.record'))
}

describe('a member who writes SQL by hand', () => {
  itOnPostgres('can add a record that is right, stored under the login and the time of the server', async () => {
    const before = Date.now()
    const record = await nextRecord()
    const sql = insertRecordsSql([record])
      .replace('digest)', 'digest, stored_by, stored_at)')
      .replace(`'${record.digest}'`, `'${record.digest}', 'joana', '2001-01-01'`)
    expect(await typed(`BEGIN; ${LOCK} ${sql}; COMMIT`)).toMatchObject({ exit: 0 })
    const [stored] = await (await connected(postgres.address(maria, database))).recordsAfter(record.seq - 1, 1, soon())
    expect(stored).toEqual({ ...record, storedBy: maria, storedAtMs: expect.any(Number), isNewest: true })
    expect(stored?.storedAtMs).toBeGreaterThanOrEqual(before)
  })

  itOnPostgres.each<[string, Partial<ChainedRecord>, string]>([
    ['the name of another', { user: 'joana' }, 'PX001: the record names joana as its user'],
    ['a number that skips one', { seq: 1_000_000 }, 'PX001: the record has the number 1000000'],
    ['the number of another record', { seq: 0 }, 'PX001: the record has the number 0'],
    [
      'what ends a stop',
      { type: 'ledger-resumed' },
      'PX001: only the owner of the ledger adds a record of the type ledger-resumed',
    ],
  ])('cannot give a record %s', async (_, differences, message) => {
    const before = await count()
    const result = await inserted(await nextRecord(differences))
    expect(result).toMatchObject({ exit: 1, stderr: expect.stringContaining(message) })
    expect(await count()).toBe(before)
  })

  itOnPostgres.each<[string, (record: ChainedRecord) => ChainedRecord]>([
    ['a wrong digest', (record) => ({ ...record, digest: '0'.repeat(64) })],
    ['a digest of something else', (record) => ({ ...record, content: '{"type":"other"}' })],
    ['a digest that does not cover the record before', (record) => newRecord(maria, { seq: record.seq })],
  ])('cannot give a record %s', async (_, changed) => {
    await addRecord(await connected(postgres.address(maria, database)))
    const result = await inserted(changed(await nextRecord()))
    expect(result).toMatchObject({ exit: 1, stderr: expect.stringContaining('PX001: the digest of record') })
  })

  itOnPostgres.each([
    ['repeatable read', 'default_transaction_isolation=repeatable\\ read', 'isolation level'],
    ['serializable', 'default_transaction_isolation=serializable', 'isolation level'],
    ['synchronous_commit = off', 'synchronous_commit=off', 'synchronous_commit'],
  ])('cannot add one with %s', async (_, setting, message) => {
    const result = await inserted(await nextRecord(), { PGOPTIONS: `-c ${setting}` })
    expect(result).toMatchObject({ exit: 1, stderr: expect.stringMatching(`PX002: records are.*${message}`) })
  })

  itOnPostgres('cannot add one without the lock, or with another one', async () => {
    const sql = insertRecordsSql([await nextRecord()])
    for (const lock of ['', 'SELECT pg_advisory_xact_lock(1);', LOCK.replace('xact_lock', 'xact_lock_shared')]) {
      const result = await typed(`BEGIN; ${lock} ${sql}; COMMIT`)
      expect(result, lock).toMatchObject({
        exit: 1,
        stderr: expect.stringContaining('PX002: records are only added by'),
      })
    }
  })

  itOnPostgres('cannot hide the records behind a temporary table, a schema or a search path', async () => {
    const forged = await nextRecord({ seq: 500 })
    const tables = 'CREATE TEMPORARY TABLE record (LIKE pixgate.record);'
    expect(await inserted(forged, {}, tables)).toMatchObject({ exit: 1, stderr: expect.stringContaining('42501') })
    expect(await typed('CREATE TABLE public.record (seq bigint)')).toMatchObject({ exit: 1 })
    expect(await typed('CREATE SCHEMA pixgate2')).toMatchObject({ exit: 1 })
    // An administrator may give these rights later.
    await postgres.sql(database, `GRANT TEMPORARY ON DATABASE ${database} TO ${maria}`)
    const result = await inserted(forged, {}, `${tables} SET search_path = pg_temp, pixgate;`)
    expect(result).toMatchObject({ exit: 1, stderr: expect.stringContaining('PX001: the record has the number 500') })
    await postgres.sql(database, `REVOKE TEMPORARY ON DATABASE ${database} FROM ${maria}`)
  })

  itOnPostgres.each([
    "UPDATE pixgate.record SET content = '{}'",
    'DELETE FROM pixgate.record',
    'TRUNCATE pixgate.record',
    'ALTER TABLE pixgate.record DISABLE TRIGGER ALL',
    'DROP TABLE pixgate.record',
    'DROP TRIGGER check_record ON pixgate.record',
    'CREATE TRIGGER mine BEFORE INSERT ON pixgate.record EXECUTE FUNCTION pixgate.refuse_change()',
    'UPDATE pixgate.ledger SET schema_version = 2',
    'SET session_replication_role = replica',
    'SET ROLE owner',
    'CREATE RULE mine AS ON INSERT TO pixgate.record DO INSTEAD NOTHING',
    'COPY pixgate.record TO PROGRAM $$cat$$',
  ])('cannot do this: %s', async (sql) => {
    expect(await typed(sql)).toMatchObject({ exit: 1, stderr: expect.stringContaining('ERROR:  42501') })
  })

  itOnPostgres('changes only the activity of its own login', async () => {
    const joana = await connected(postgres.address(await postgres.newLogin('pixgate_member'), database))
    const activity = { process: 'p1', machine: 'desk-2', kind: 'sending', detail: { payment: 'x' } }
    await joana.rows(putActivitySql(activity), soon())
    expect(await typed("UPDATE pixgate.activity SET machine = 'x'; DELETE FROM pixgate.activity")).toMatchObject({
      exit: 0,
    })
    const forged = `INSERT INTO pixgate.activity (process, login, machine, kind, detail) VALUES ('p', '${joana.state.login}', 'x', 'run', '{}')`
    expect(await typed(forged)).toMatchObject({ exit: 1, stderr: expect.stringContaining('42501') })
    const later =
      "INSERT INTO pixgate.activity (process, machine, kind, detail, since, seen_at) VALUES ('p', 'x', 'run', '{}', '2999-01-01', '2999-01-01')"
    expect(await typed(`${later}; UPDATE pixgate.activity SET seen_at = '2999-01-01'`)).toMatchObject({ exit: 0 })
    const claimed = (await joana.rows(ACTIVITY_SQL, soon())).map(readActivity).find(({ login }) => login === maria)
    expect(Math.max(claimed?.seenMs ?? Infinity, claimed?.sinceMs ?? Infinity)).toBeLessThan(Date.now() + 60_000)
    await typed('DELETE FROM pixgate.activity')
    expect((await joana.rows(ACTIVITY_SQL, soon())).map(readActivity)).toEqual([
      expect.objectContaining({ login: joana.state.login, ...activity }),
    ])
  })
})

describe('the rights that `ledger init` gives', () => {
  itOnPostgres('refuses changes by the owner too, also with triggers switched off', async () => {
    await addRecord(await connected(postgres.address(maria, database)))
    for (const sql of ['DELETE FROM pixgate.record', "UPDATE pixgate.record SET at = ''", 'TRUNCATE pixgate.record']) {
      const result = await postgres.psql(OWNER, database, `SET session_replication_role = replica; ${sql}`)
      expect(result, sql).toMatchObject({
        exit: 1,
        stderr: expect.stringContaining('PX002: records are never changed'),
      })
    }
  })

  itOnPostgres('lets an auditor read and not write, and a stranger not even connect', async () => {
    const auditor = await postgres.newLogin('pixgate_auditor')
    expect(await postgres.psql(auditor, database, 'SELECT count(*) >= 0 FROM pixgate.record')).toMatchObject({
      stdout: 't\n',
    })
    const sql = `BEGIN; ${LOCK} ${insertRecordsSql([newRecord(auditor)])}`
    expect(await postgres.psql(auditor, database, sql)).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('42501'),
    })
    const stranger = await postgres.newLogin()
    expect(await postgres.psql(stranger, database, 'SELECT 1')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('CONNECT'),
    })
  })

  itOnPostgres('stays as it is when it runs again', async () => {
    const before = await postgres.sql(database, 'SELECT id FROM pixgate.ledger; SELECT max(seq) FROM pixgate.record')
    const { ledger } = await initServer(postgres.address(OWNER, database), { password: PASSWORD, deadlineMs: soon() })
    expect(await postgres.sql(database, 'SELECT id FROM pixgate.ledger; SELECT max(seq) FROM pixgate.record')).toBe(
      before,
    )
    expect(before).toContain(ledger)
  })
})

itOnPostgres('makes the same digest as JSON.stringify of all that a text can hold', async () => {
  const controls = String.fromCharCode(...Array.from({ length: 31 }, (_, code) => code + 1))
  const special = `${controls}"'\\/\u007f\u0080\u2028\u2029\u{1F600}é\ufeff\uffff<>&`
  const server = await connected(postgres.address(maria, database))
  const added = await server.locked(soon(), 0, async ({ records, insert }) => {
    const first = newRecord(maria, { machine: special, type: special, at: special, payment: special }, records.at(-1))
    const second = newRecord(maria, { content: JSON.stringify({ special, nul: '\0', half: '\ud83d' }) }, first)
    await insert([first, second])
    return [first, second]
  })
  const stored = await server.recordsAfter((added[0]?.seq ?? 0) - 1, 10, soon())
  expect(stored).toMatchObject(added.map((record) => ({ ...record, storedBy: maria, storedAtMs: expect.any(Number) })))
})
