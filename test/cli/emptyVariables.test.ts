import { expect, it } from 'vitest'
import { sandboxWorld } from '../world.ts'

const SIGN = ['webhook', 'sign', '--body', '-']

it('takes an empty variable for an unset one, and leaves it to the programs that it starts', async () => {
  const names = ['BASE_URL', 'CLIENT_ID', 'CLIENT_SECRET', 'PREVIOUS_CLIENT_SECRET', 'PROFILE', 'CALLBACK_URL', 'LANG']
  const empty = Object.fromEntries(names.map((name) => [`PIXGATE_${name}`, '']))
  const others = { HTTPS_PROXY: '', NO_PROXY: '', FORCE_COLOR: '', CI: '', XDG_STATE_HOME: '', NODE_EXTRA_CA_CERTS: '' }
  const world = await sandboxWorld()
  const { url } = world
  await world.prepare(['profile', 'add', 'shop', '--base-url', url, '--client-id', 'local', '--client-secret-stdin'], {
    stdin: 'local-secret',
    env: { PIXGATE_BASE_URL: undefined },
  })
  const env = { ...empty, ...others }
  const signed = await world.run(SIGN, {
    env: { ...env, PIXGATE_CLIENT_SECRET: undefined },
    stdin: '{}',
  })
  const alsoEmpty = await world.run(SIGN, { env, stdin: '{}' })
  expect([alsoEmpty.exit, alsoEmpty.stdout]).toEqual([0, signed.stdout])
  const { exit, stderr } = await world.run(['history'], { env })
  expect([exit, stderr]).toEqual([0, 'No payment is recorded yet\n'])

  const script = 'process.stdout.write(JSON.stringify([process.env.CI, process.env.PIXGATE_PROFILE ?? null]))'
  const inside = await world.run(['sandbox', 'exec', '--', 'node', '-e', script], { env })
  expect(inside.stdout).toContain('["",null]')
})
