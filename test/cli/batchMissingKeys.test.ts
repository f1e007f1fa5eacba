import { expect, it } from 'vitest'
import { sandboxWorld, type World } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'
import { listenHere } from './listener.ts'
import { carriedOut, control, inThisProcess } from './payments.ts'

const OPTIONS = ['--yes', '--stop-after', '1000', '--concurrency', '1', '-o', 'json']

function payroll(world: World, rows: number, keyOf: (row: number) => string): string {
  return csvIn(
    world,
    'payroll.csv',
    'key,value',
    Array.from({ length: rows }, (_, row) => `${keyOf(row)},1`),
  )
}

it('stops a batch after 20 keys that were not found, whatever --stop-after says, and it can be resumed', async () => {
  const world = await sandboxWorld()
  // Every other row is accepted, and two of the others have one key.
  const path = payroll(world, 90, (row) => (row % 2 === 0 ? `p${row}@example.com` : `notfound${row >> 2}@example.com`))
  const ran = await world.run(['batch', 'transfer', path, ...OPTIONS])
  expect(ran.exit).toBe(1)
  expect(linesOf(ran).at(-1)).toMatchObject({ accepted: 39, refused: 39, notSent: 12 })
  const { run } = linesOf(ran).at(-1) ?? {}
  const resumed = await inThisProcess(world).run(['resume', String(run), '--yes'])
  expect(resumed.stdout).toMatch(/accepted +45, R\$ [\d.,]+\nrefused +45, R\$ [\d.,]+\n/)
})

it('counts keys that only an event says were not found', async () => {
  const world = await sandboxWorld()
  await listenHere(world)
  await control(world.url, 'fault', { kind: 'PIX_KEY_NOT_FOUND', async: true, times: 200 })
  const path = payroll(world, 200, (row) => `p${row}@example.com`)
  const words = ['batch', 'transfer', path, '--callback-url', 'listen', ...OPTIONS.slice(0, -2), '--rate', '20/s']
  const ran = await world.run(words)
  expect(ran.stderr).toContain('Stopped after 20 PIX keys that were not found\n')
  expect(ran.stderr).toContain('directory of keys blocks accounts that ask for many keys that do not exist\n')
  const { transfers } = await carriedOut(world.url)
  expect(transfers.length).toBeGreaterThanOrEqual(20)
  expect(transfers.length).toBeLessThan(200)
})

it('warns before it asks for more than 50 keys that were never paid', async () => {
  const world = inThisProcess(await sandboxWorld())
  const newKeys = async (keys: number) => {
    // Every key has two rows.
    const path = payroll(world, 2 * keys, (row) => `p${row >> 1}@example.com`)
    const { stdout, stderr } = await world.run(['batch', 'transfer', path, '--dry-run', '--reference', `for-${keys}`])
    return /PIX keys without a recorded payment: (\d+)/.exec((stdout + stderr).replaceAll(/\s+/g, ' '))?.[1]
  }
  expect(await newKeys(50)).toBeUndefined()
  expect(await newKeys(51)).toBe('51')
  await world.prepare(['transfer', '--key', 'p7@example.com', '--amount', '3', '--yes'])
  expect(await newKeys(51)).toBeUndefined()
  expect(await newKeys(52)).toBe('51')
})
