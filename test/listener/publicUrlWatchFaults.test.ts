import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LISTENER_HEADER } from '../../src/listener/publicUrlWatch.ts'
import { type Certificates, makeCertificates } from '../gateway/certificates.ts'
import { NEVER_MS } from './tunnels.ts'
import { closed, listen, listener, watch } from './watchedUrl.ts'

let certificates: Certificates
beforeAll(() => {
  certificates = makeCertificates()
})
afterAll(() => certificates.remove())

/** What somebody else answers, and how that is said. */
const ANSWERS: [string, RequestListener, string][] = [
  [
    'another status',
    (_, response) => response.writeHead(502).end(),
    'another server answers there, with 502 and an empty body',
  ],
  [
    'a page',
    (_, response) => response.writeHead(200).end(`<h1>\n  Not\u001b[2J ${'x'.repeat(5000)}`),
    `another server answers there, with 200: <h1> Not\\u{1b}[2J ${'x'.repeat(100 - 13)}`,
  ],
  [
    '204 without a name',
    (_, response) => response.writeHead(204).end(),
    'another server answers there, with 204 and an empty body',
  ],
  [
    'another listener',
    (_, response) => response.writeHead(405, { [LISTENER_HEADER]: 'listener-2' }).end(),
    'another pixgate listener answers there',
  ],
  [
    'a redirect',
    (_, response) => response.writeHead(302, { Location: 'https://login.example/?next=x' }).end(),
    'it redirects to https://login.example/?next=x (302), and webhooks do not follow redirects',
  ],
  ['a broken answer', (request) => request.socket.destroy(), 'closed the connection without an answer'],
  ['no HTTP', (request) => request.socket.end('SSH-2.0-OpenSSH\r\n'), 'does not answer in HTTP'],
  [
    'a body that breaks off',
    (_, response) => {
      response.writeHead(500, { 'Content-Length': 100 }).write('half', () => response.destroy())
    },
    'with 500: half',
  ],
  ['a body that never ends', (_, response) => void response.writeHead(503).write('busy'), 'with 503: busy'],
]

describe('what is found at the URL instead', () => {
  it.each(ANSWERS)('%s', async (_, answer, words) => {
    const host = await listen(createServer(answer))
    expect(await watch(`http://${host}`).next()).toContain(words)
  })

  it('silence', async () => {
    const server = createServer(() => undefined)
    const called = new Promise<Socket>((resolve) => server.on('request', (request) => resolve(request.socket)))
    const host = await listen(server)
    const options = { timeoutMs: 50, intervalMs: NEVER_MS }
    expect(await watch(`http://${host}`, options).next()).toContain('no answer within 50 ms')
    await closed(await called)
  })

  it('a flood', async () => {
    let bytes = 0
    const host = await listen(
      createServer((_, response) => {
        response.writeHead(500)
        const pour = () => {
          while (response.write('flood '.repeat(10_000))) bytes += 60_000
          bytes += 60_000
        }
        response.on('drain', pour)
        pour()
      }),
    )
    expect(await watch(`http://${host}`, { intervalMs: NEVER_MS }).next()).toContain('with 500: flood flood')
    expect(bytes).toBeLessThan(20_000_000)
  })

  it('an upgrade', async () => {
    const server = createServer()
    const upgraded = new Promise<Socket>((resolve) =>
      server.on('request', ({ socket }) => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')
        resolve(socket)
      }),
    )
    const host = await listen(server)
    expect(await watch(`http://${host}`, { intervalMs: NEVER_MS }).next()).toContain('with 101 and an empty body')
    await closed(await upgraded)
  })

  it('headers that drip', async () => {
    const server = createTcpServer((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 204 No Content\r\n')
        const drip = setInterval(() => socket.write('X-A: 1\r\n'), 5)
        socket.on('close', () => clearInterval(drip))
      })
    })
    const host = await listen(server)
    expect(await watch(`http://${host}`, { timeoutMs: 100 }).next()).toContain('no answer within 100 ms')
  })

  it('a connection that is never established', async () => {
    // A listener that never takes what waits; TLS is not answered either.
    const host = await listen(createTcpServer(() => undefined))
    expect(await watch(`https://${host}`, { timeoutMs: 50 }).next()).toContain('no answer within 50 ms')
  })

  it('a proxy that cannot be used', async () => {
    const env = { HTTPS_PROXY: 'socks5://127.0.0.1:1' }
    expect(await watch('https://no-such-host.invalid/pix', { env }).next()).toContain(
      'https://no-such-host.invalid/pix does not reach this listener: `HTTPS_PROXY` cannot be used as a proxy',
    )
  })

  it('an unknown name', async () => {
    expect(await watch('https://no-such-host.invalid').next()).toContain(
      'the name no-such-host.invalid cannot be found',
    )
  })

  it.each(['right', 'otherHost'] as const)('a certificate that is not trusted (%s)', async (name) => {
    const host = await listen(createTlsServer(certificates[name], listener))
    const words = `this machine does not trust the certificate of ${host}`
    expect(await watch(`https://${host}`).next()).toContain(words)
  })

  it('plain HTTP if TLS is requested', async () => {
    const host = await listen(createServer(listener))
    expect(await watch(`https://${host}`).next()).toContain(`${host} does not speak TLS`)
  })

  it('TLS if plain HTTP is requested', async () => {
    const host = await listen(createTlsServer(certificates.right, listener))
    expect(await watch(`http://${host}`).next()).toMatch(/does not answer in HTTP|closed the connection/)
  })
})
