import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadSqlite } from '../../src/storage/sqlite.ts'
import { freePort } from '../freePort.ts'
import { emptyWorld } from '../world.ts'
import { killSandboxes } from './killedSandboxes.ts'
import { endSandbox, runSandbox, stateOf } from './runningSandbox.ts'

const KILLS = Number(process.env.CAMPAIGN_RUNS ?? 20)

test('a new beginning has to be asked for, and `--memory` leaves alone what is kept', async () => {
  const world = emptyWorld()
  const port = await freePort()
  const words = ['sandbox', '--port', String(port)]
  const first = await runSandbox(world, ['--balance', '5,00'], port)
  const elsewhere = await world.run([...words, '--host', '127.0.0.2'])
  expect([elsewhere.exit, elsewhere.stderr]).toEqual([
    2,
    expect.stringMatching(/Another sandbox keeps what it holds in/),
  ])
  await endSandbox(first, 'SIGTERM')
  for (const option of ['--balance=7', '--seed=x', '--now=2027-01-01']) {
    const refused = await world.run([...words, option])
    expect([refused.exit, refused.stderr]).toEqual([2, expect.stringMatching(/Add `--fresh` to begin anew/)])
  }
  const inMemory = await runSandbox(world, ['--memory', '--balance', '6,00'], port)
  expect((await stateOf(inMemory)).balance).toBe(6)
  await endSandbox(inMemory, 'SIGTERM')
  const again = await runSandbox(world, [], port)
  expect((await stateOf(again)).balance).toBe(5)
  await endSandbox(again, 'SIGTERM')
  const fresh = await runSandbox(world, ['--fresh', '--balance', '7,00'], port)
  expect((await stateOf(fresh)).balance).toBe(7)
  expect(readdirSync(join(world.home, 'data')).filter((name) => name.endsWith('.db'))).toEqual([`sandbox-${port}.db`])
})

test('the file of another build, or a damaged one, is begun anew with a sentence', async () => {
  const world = emptyWorld()
  const port = await freePort()
  const path = join(world.home, 'data', `sandbox-${port}.db`)
  const open = await loadSqlite()
  const damages = [
    'PRAGMA user_version = 99',
    `INSERT INTO kept (kind, id, body) VALUES ('payment', 'x', '{"type":"payment"}')`,
    undefined,
  ]
  await endSandbox(await runSandbox(world, ['--balance', '5,00'], port), 'SIGTERM')
  for (const damage of damages) {
    if (damage === undefined) {
      rmSync(`${path}-wal`, { force: true })
      writeFileSync(path, 'this is no database, but it has the length of the header of one'.repeat(9))
    } else {
      const database = open(path)
      database.exec(damage)
      database.close()
    }
    const sandbox = await runSandbox(world, [], port)
    expect(sandbox.stderr()).toMatch(/was written by another build or is damaged, so the sandbox begins anew/)
    expect(await stateOf(sandbox)).toMatchObject({ balance: 10_000, payments: [] })
    await endSandbox(sandbox, 'SIGTERM')
  }
})

test(
  `a sandbox that is killed ${KILLS} times loses no money, and what it delivered is recorded`,
  async () => {
    const seen = await killSandboxes(KILLS)
    console.log(JSON.stringify(seen))
    expect(Math.min(seen.answered, seen.delivered)).toBeGreaterThanOrEqual(KILLS)
  },
  KILLS * 10_000,
)
