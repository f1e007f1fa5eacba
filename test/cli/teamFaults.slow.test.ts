import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { loadSqlite } from '../../src/storage/sqlite.ts'
import { here } from '../inProcess.ts'
import { newRecord } from '../ledger/team/newRecords.ts'
import { connected, itOnPostgres, soon, type TestPostgres, withPostgres } from '../postgres.ts'
import { startTeam, transferTo } from './teamDesks.ts'

let postgres: TestPostgres
withPostgres((started) => {
  postgres = started
})

itOnPostgres.each([
  ['that is not JSON', 'attempt', 'attempt'],
  ['of another type than it says', 'attempt', '{"type":"run"}'],
  ['without what an attempt has', 'attempt', '{"type":"attempt"}'],
  ['that answers nothing', 'answer', '{"type":"answer","payment":"x","attempt":"x","outcome":"refused"}'],
])('names who has written a record by hand %s, and shows what it knows', async (_, type, content) => {
  const team = await startTeam(postgres)
  const [desk, joana] = [await team.joinedDesk(), await team.joinedDesk()]
  await desk.prepare(transferTo('ana@example.com', 'invoice-1'))
  const server = await connected(postgres.address(joana.login, team.database))
  await server.locked(soon(), 0, async ({ records, insert }) => {
    const payment = type === 'answer' ? 'x' : null
    await insert([newRecord(joana.login, { type, content, payment }, records.at(-1))])
  })
  const { exit, stdout, stderr } = await here(desk)(transferTo('bia@example.com', 'invoice-2', '-o', 'json'))
  expect([exit, stdout]).toEqual([2, ''])
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'RECORD_REFUSED',
    message: expect.stringMatching(new RegExp(`of the shared ledger, written by ${joana.login} on .*, cannot be read`)),
  })
  expect(await here(desk)(['history'])).toMatchObject({ exit: 0, stdout: expect.stringContaining('invoice-1') })
  expect(await team.booked()).toEqual(['ana@example.com 5'])
})

itOnPostgres('records the time of the server also if a login has it written with fewer digits', async () => {
  const team = await startTeam(postgres)
  const desk = await team.joinedDesk()
  await postgres.sql(team.database, `ALTER ROLE ${desk.login} SET extra_float_digits = -15`)
  await desk.prepare(transferTo('ana@example.com', 'invoice-1'))
  const late = 'SELECT count(*) FROM pixgate.record WHERE abs(extract(epoch FROM stored_at - at::timestamptz)) > 60'
  expect(await postgres.sql(team.database, late)).toBe('0')
})

itOnPostgres(
  'shows an answer that cannot be kept, because a process of this machine sleeps over the file',
  async () => {
    const team = await startTeam(postgres)
    const desk = await team.joinedDesk()
    await desk.prepare(transferTo('ana@example.com', 'invoice-1'))
    const open = await loadSqlite()
    const teams = join(desk.env.PIXGATE_DATA_DIR ?? '', 'teams')
    const sleeping = open(join(teams, readdirSync(teams)[0] ?? '', 'pending.db'))
    sleeping.exec('BEGIN IMMEDIATE')
    const { exit, stderr } = await desk.run(transferTo('bia@example.com', 'invoice-2'))
    sleeping.close()
    expect([exit, stderr]).toEqual([5, expect.stringContaining('could not be recorded')])
    expect(await team.booked()).toEqual(['ana@example.com 5', 'bia@example.com 5'])
  },
)
