import { expect } from 'vitest'
import { LOCK_KEY } from '../../src/ledger/team/serverSql.ts'
import { ACTIVITY_SQL, insertRecordsSql, putActivitySql, readActivity } from '../../src/ledger/team/sharedRecords.ts'
import { newRecord } from '../ledger/team/newRecords.ts'
import { connected, itOnPostgres, soon, type TestPostgres, withPostgres } from '../postgres.ts'
import { csvIn } from './batchFiles.ts'
import { inThisProcess } from './payments.ts'
import { startTeam } from './teamDesks.ts'

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

const HOSTILE = '=1+1\u001b]0;t\u0007\u202e\u200b'
const SHOWN = '=1+1\\u{1b}]0;t\\u{7}\\u{202e}\\u{200b}'
/** A payee with a control character in its name cannot be read. */
const NAME = '=1+1\u202e\u200b'
const SHOWN_NAME = '=1+1\\u{202e}\\u{200b}'
const ACTIVITIES = 3000

itOnPostgres(
  'shows what a member wrote with psql as text, and reads no more of their activity than is needed',
  async () => {
    const team = await startTeam(postgres)
    const [one, two] = [await team.joinedDesk(), inThisProcess(await team.joinedDesk())]
    const last = await postgres.sql(team.database, 'SELECT seq, digest FROM pixgate.record ORDER BY seq DESC LIMIT 1')
    const [seq = '0', digest = ''] = last.split('|')
    const owner = { profile: HOSTILE, environment: 'sandbox', baseUrl: team.url, clientId: 'local' }
    const target = { key: 'loja@example.com', keyType: 'email', documentValidation: null }
    const payee = { name: NAME, displayName: NAME, ...target }
    const content = JSON.stringify({ type: 'payee', owner, name: NAME, payee })
    const record = newRecord(one.login, { type: 'payee', machine: HOSTILE, content }, { seq: Number(seq), digest })
    const lock = `SELECT pg_advisory_xact_lock(${LOCK_KEY})`
    const activity = `INSERT INTO pixgate.activity (process, machine, kind, detail)
    SELECT 'p' || n, E'a\\x1b]0;t\\x07', 'run', '{"claim": "x"}' FROM generate_series(1, ${ACTIVITIES}) n`
    const typed = `BEGIN; ${lock}; ${insertRecordsSql([record])}; COMMIT; ${activity}`
    expect(await postgres.psql(one.login, team.database, typed)).toMatchObject({ exit: 0 })
    expect((await two.run(['payee', 'list'])).stdout).toContain(`${SHOWN_NAME}\t${SHOWN_NAME}\tl***@example.com`)
    expect((await two.run(['ledger', 'show'])).stdout).toContain(`${one.login} on ${SHOWN}: 1 record`)
    const batch = csvIn(two, 'batch.csv', 'key,value', ['loja@example.com,"5,00"'])
    const sent = await two.run(['batch', 'transfer', batch, '--yes'])
    expect([sent.exit, sent.stderr]).toEqual([0, expect.stringContaining(SHOWN_NAME)])
    const server = await connected(postgres.address(two.login, team.database))
    await server.rows(putActivitySql({ process: 'own', machine: 'desk', kind: 'run', detail: {} }), soon())
    const activities = (await server.rows(ACTIVITY_SQL, soon())).map(readActivity)
    expect(activities.filter(({ login }) => login === one.login)).toHaveLength(100)
    expect(activities).toContainEqual(expect.objectContaining({ login: two.login, process: 'own' }))
  },
)
