import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sandboxWorld } from '../world.ts'

const FOREIGN = { PIXGATE_PREVIOUS_CLIENT_SECRET: 'an-earlier-secret', PGPASSWORD: 'a-password' }

it('gives no secret of its own to a command that prints one', async () => {
  const world = await sandboxWorld()
  const file = join(world.home, 'environment')
  const command = `env > '${file}'; echo local-secret`
  const add = ['profile', 'add', 'shop', '--base-url', world.url, '--client-id', 'local', '--no-test']
  await world.prepare([...add, '--client-secret-command', command])
  expect(
    await world.run(['status', '0b935d10-3c90-4af3-8776-dd18622a7941', '-p', 'shop'], { env: FOREIGN }),
  ).toMatchObject({ exit: 3 })
  const seen = readFileSync(file, 'utf8')
  expect(seen).toContain('HOME=')
  expect(seen).not.toMatch(/earlier-secret|a-password/)
})

it('runs a command with nothing that leads to another account or ledger than those of its sandbox', async () => {
  const world = await sandboxWorld()
  const env = { ...FOREIGN, PIXGATE_PROFILE: 'shop' }
  const { exit, stdout } = await world.run(['sandbox', 'exec', '--', 'env'], { env })
  expect([exit, stdout]).toEqual([0, expect.stringMatching(/^PIXGATE_BASE_URL=http:\/\/127\.0\.0\.1:\d+$/m)])
  expect(stdout).not.toMatch(/earlier-secret|a-password|PIXGATE_PROFILE/)
})
