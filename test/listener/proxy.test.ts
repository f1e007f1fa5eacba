import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Certificates, GATEWAY_HOST, makeCertificates } from '../gateway/certificates.ts'
import { type FaultProxy, type ProxyManner, startFaultProxy } from '../gateway/faultProxy.ts'
import { emptyWorld, type World } from '../world.ts'
import { interrupt, linesOf, startListening } from './listening.ts'
import { deliver, eventBody } from './webhooks.ts'

let certificates: Certificates
beforeAll(() => {
  certificates = makeCertificates()
})
afterAll(() => certificates.remove())

/** A server that only the proxy can find, by its name, and what it was asked. */
async function behindProxy(manner?: ProxyManner): Promise<{ proxy: FaultProxy; world: World; asked: string[] }> {
  const asked: string[] = []
  const server = createServer(certificates.right, (request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim())
    request.resume()
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const proxy = await startFaultProxy((server.address() as AddressInfo).port, manner)
  const world = emptyWorld({ HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: certificates.caPath })
  return { proxy, world, asked }
}

const TARGET = `https://${GATEWAY_HOST}/hook?a=b`

it('sends webhooks through the proxy', async () => {
  const { proxy, world, asked } = await behindProxy()
  const ran = await world.run(['webhook', 'send', 'pix.received', '--to', TARGET, '-o', 'json'])
  expect(ran.exit).toBe(0)
  expect(asked).toEqual(['POST /hook?a=b'])
  expect(proxy.asked.map(({ method, target }) => `${method} ${target}`)).toEqual([`CONNECT ${GATEWAY_HOST}:443`])
})

it('does not use the proxy for a host in NO_PROXY', async () => {
  const { proxy, world } = await behindProxy()
  const env = { NO_PROXY: GATEWAY_HOST }
  const ran = await world.run(['webhook', 'send', 'pix.received', '--to', TARGET, '-o', 'json'], { env })
  expect(ran.exit).toBe(6)
  expect(proxy.asked).toEqual([])
})

it('reports a proxy that refuses, and one that cannot be used', async () => {
  const { world } = await behindProxy({ status: 407 })
  const send = ['webhook', 'send', 'pix.received', '--to', TARGET, '-o', 'json']
  const refused = await world.run(send)
  expect(refused.exit).toBe(6)
  expect(JSON.parse(refused.stdout).error).toBe(`The proxy of \`HTTPS_PROXY\` did not connect to ${GATEWAY_HOST} (407)`)
  const unusable = await world.run(send, { env: { HTTPS_PROXY: 'socks5://127.0.0.1:1' } })
  expect(unusable).toMatchObject({ exit: 2, stdout: '' })
  expect(unusable.stderr).toContain('`HTTPS_PROXY` cannot be used as a proxy')
})

it('forwards events through the proxy', async () => {
  const { proxy, world, asked } = await behindProxy()
  const listening = await startListening(world, ['--forward-to', `https://${GATEWAY_HOST}`])
  expect(await deliver(listening.port, eventBody('a'))).toBe(200)
  await expect.poll(() => asked).toEqual(['POST /'])
  await interrupt(listening)
  await listening.allRead
  expect(linesOf(listening)).toMatchObject([{}, { type: 'event' }, { type: 'forward', status: 200 }, { forwarded: 1 }])
  expect(proxy.asked).toHaveLength(1)
})
