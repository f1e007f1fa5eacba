import { expect, it } from 'vitest'
import { startWorld } from '../sandbox/sandboxWorld.ts'
import { emptyWorld } from '../world.ts'
import { inThisProcess } from './payments.ts'

const TOLD = 'CPF 529.982.247-25 says that nothing came'

it('masks what a person wrote in a CSV', async () => {
  const { url } = await startWorld()
  const world = inThisProcess(emptyWorld({ PIXGATE_BASE_URL: url, PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/' }))
  await world.run(['transfer', '--key', 'maria@example.com', '--amount', '1', '--external-id', 'inv-1', '--yes'])
  await world.run(['history', 'settle', 'inv-1', '--as', 'not-paid', '--because', TOLD, '--yes'])
  for (const field of ['pixgate.finding', 'findings', 'timeline']) {
    const line = ['status', 'inv-1', '-o', 'csv', '--fields', field]
    const masked = await world.run(line)
    expect([field, masked]).toMatchObject([
      field,
      { exit: 0, stdout: expect.stringContaining('CPF ***.982.247-** says') },
    ])
    expect(masked.stdout).not.toContain('529.982')
    expect([field, (await world.run([...line, '--unmask'])).stdout]).toEqual([field, expect.stringContaining(TOLD)])
  }
})
