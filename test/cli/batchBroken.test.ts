import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { loadSqlite } from '../../src/storage/sqlite.ts'
import { localServer } from '../localServer.ts'
import { emptyWorld, type World } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'

/** A gateway that locks this machine's ledger before it fails with 500. */
async function lockingWorld(): Promise<World> {
  const world = emptyWorld()
  const open = await loadSqlite()
  world.env.PIXGATE_BASE_URL = await localServer((request, response) => {
    request.resume().on('end', () => {
      const database = open(join(world.home, 'data', 'ledger.db'))
      onTestFinished(() => database.close())
      database.exec('BEGIN IMMEDIATE')
      response.writeHead(500).end()
    })
  })
  return world
}

it('says that the outcome of a row is unknown, though its answer cannot be recorded', async () => {
  const world = await lockingWorld()
  const path = csvIn(world, 'payroll.csv', 'key,value', ['maria@example.com,"10,50"'])
  const results = join(world.home, 'results.csv')
  const line = ['batch', 'transfer', path, '--yes', '-o', 'json', '--results', results, '--timeout', '500ms']
  const ran = await world.run(line)
  expect(ran.exit, ran.stderr).toBe(5)
  expect(linesOf(ran)).toMatchObject([
    { type: 'row', line: 2, outcome: 'unknown' },
    { unknown: 1, accepted: 0 },
  ])
  expect(existsSync(results)).toBe(true)
})
