import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { emptyWorld } from '../world.ts'

it('leaves one file and no lock after a command', async () => {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  expect((await world.run(['transfer', '--key', 'maria@example.com', '--amount', '10', '--yes'])).exit).toBe(0)
  const data = join(world.home, 'data')
  expect(readdirSync(data).filter((name) => name.startsWith('ledger'))).toEqual(['ledger.db'])
  expect(readdirSync(join(data, 'locks'))).toEqual([])
})
