import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { emptyWorld } from '../world.ts'

it('leaves everything in one file, and no lock, after a command', async () => {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  expect((await world.run(['transfer', '--key', 'maria@example.com', '--amount', '10', '--yes'])).exit).toBe(0)
  const data = join(world.home, 'data')
  // On Node.js 20 an empty log and its index may stay.
  const log = join(data, 'ledger.db-wal')
  expect(statSync(log, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
  expect(readdirSync(join(data, 'locks'))).toEqual([])
})
