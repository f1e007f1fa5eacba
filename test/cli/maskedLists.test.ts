import { expect, it } from 'vitest'
import { startWorld } from '../sandbox/world.ts'
import { emptyWorld } from '../world.ts'

const TOLD = 'CPF 529.982.247-25 says that nothing came'

it.each(['pixgate.finding', 'findings', 'timeline'])('masks what a person wrote in %s of a CSV', async (field) => {
  const { url } = await startWorld()
  const world = emptyWorld({ PIXGATE_BASE_URL: url, PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/' })
  await world.run(['transfer', '--key', 'maria@example.com', '--amount', '1', '--external-id', 'inv-1', '--yes'])
  await world.run(['history', 'settle', 'inv-1', '--as', 'not-paid', '--because', TOLD, '--yes'])
  const line = ['status', 'inv-1', '-o', 'csv', '--fields', field]
  const masked = await world.run(line)
  expect(masked).toMatchObject({ exit: 0, stdout: expect.stringContaining('CPF ***.982.247-** says') })
  expect(masked.stdout).not.toContain('529.982')
  expect((await world.run([...line, '--unmask'])).stdout).toContain(TOLD)
})
