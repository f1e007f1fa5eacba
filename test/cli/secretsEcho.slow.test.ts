import { expect, test } from 'vitest'
import { startFaultProxy } from '../gateway/faultProxy.ts'
import { CANARIES, PROXY_CANARY } from './canaries.ts'
import { echoInAllLines, echoInSomeLines } from './secretEcho.ts'
import { secretWorld } from './secretWorld.ts'

test('a gateway sends the secret back to all lines', () => echoInAllLines(CANARIES.awkward))

test.each(['hex', 'base64'] as const)('a gateway sends the secret back to some lines: %s', (alphabet) =>
  echoInSomeLines(CANARIES[alphabet]),
)

const HTTPS = { PIXGATE_BASE_URL: 'https://gateway.test', PIXGATE_CLIENT_ID: 'an-id' }

test('a proxy that is wrong, closed or says no does not bring its password onto the screen', async () => {
  const secret = CANARIES.awkward
  const world = secretWorld(secret)
  const transfer = ['transfer', '--key', 'maria@example.com', '--callback-url', 'https://shop.example/pix', '--amount']
  const consent = ['--confirm', 'gateway.test', '--timeout', '400ms', '-v']
  const refusing = await startFaultProxy(1, { status: 407 })
  const addresses = [
    [6, `http://someone:${PROXY_CANARY}@127.0.0.1:9`],
    [6, refusing.url.replace('//', `//someone:${PROXY_CANARY}@`)],
    [2, `socks://someone:${PROXY_CANARY}@127.0.0.1:9`],
    [2, `http://someone:${PROXY_CANARY}@127.0.0.1:no-port`],
  ] as const
  for (const [index, [exit, HTTPS_PROXY]] of addresses.entries()) {
    const env = { ...HTTPS, PIXGATE_CLIENT_SECRET: secret, HTTPS_PROXY }
    await world.line(exit, [...transfer, String(index + 1), ...consent], { env })
    await world.line(exit, ['status', 'a', '--timeout', '300ms', '--json'], { env })
    await world.line(exit, ['doctor', '--timeout', '300ms', '-v'], { env })
  }
  expect(refusing.asked[0]?.headers['proxy-authorization']).toBeDefined()
})
