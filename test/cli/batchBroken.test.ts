import { appendFileSync, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { emptyWorld, type World } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'

/** A gateway that damages this machine's timeline before it fails with 500. */
async function damagingWorld(): Promise<World> {
  const world = emptyWorld()
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      appendFileSync(join(world.home, 'data', 'timeline.log'), 'damaged\n')
      response.writeHead(500).end()
    })
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  world.env.PIXGATE_BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return world
}

it('says that a row is in doubt, though the timeline cannot be read any more', async () => {
  const world = await damagingWorld()
  const path = csvIn(world, 'payroll.csv', 'key,value', ['maria@example.com,"10,50"'])
  const results = join(world.home, 'results.csv')
  const ran = await world.run(['batch', 'transfer', path, '--yes', '-o', 'json', '--results', results])
  expect(ran.exit).toBe(5)
  expect(linesOf(ran)).toMatchObject([{ type: 'row', line: 2, outcome: 'unknown' }])
  expect(ran.stderr).toMatch(/What became of run-\w+ cannot be counted: .*damaged/)
  expect(ran.stderr).toContain('The results were not written: ')
  expect(existsSync(results)).toBe(false)
})
