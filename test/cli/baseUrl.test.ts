import { expect, it } from 'vitest'
import { emptyWorld, sandboxWorld } from '../world.ts'
import { inThisProcess } from './payments.ts'

it('adds the scheme to a base URL that has none, http on this machine, and says so', async () => {
  const world = inThisProcess(await sandboxWorld())
  const host = world.url.replace('http://', '')
  const create = ['qr', 'create', '--amount', '5', '--callback-url', 'http://127.0.0.1:9/', '--no-qr']
  const byOption = await world.run([...create, '--base-url', host])
  expect([byOption.exit, byOption.stderr]).toEqual([
    0,
    expect.stringContaining(`\`--base-url\` is read as http://${host}\n`),
  ])
  const byVariable = await world.run(create, { env: { PIXGATE_BASE_URL: `localhost:${host.split(':')[1]}` } })
  expect([byVariable.exit, byVariable.stderr]).toEqual([
    0,
    expect.stringContaining(`\`PIXGATE_BASE_URL\` is read as ${world.url.replace('127.0.0.1', 'localhost')}\n`),
  ])
  expect((await world.run([...create, '--base-url', world.url])).stderr).not.toContain('is read as')
})

it('never adds http to an address beyond this machine', async () => {
  const world = inThisProcess(emptyWorld())
  const add = ['profile', 'add', 'shop', '--client-id', 'a', '--client-secret-env', 'SECRET']
  expect(await world.json([...add, '--base-url', 'gateway.example.com:8443/v1/'])).toMatchObject({
    baseUrl: 'https://gateway.example.com:8443/v1',
    environment: 'production',
  })
  expect(await world.json(['profile', 'edit', 'shop', '--base-url', '127.0.0.1.example.com'])).toMatchObject({
    baseUrl: 'https://127.0.0.1.example.com',
  })
})
