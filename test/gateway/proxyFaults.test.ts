import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { openConnectionPoolTo, postBytes } from '../../src/listener/webhookPost.ts'
import { here } from '../inProcess.ts'
import { emptyWorld, type ProcessResult } from '../world.ts'
import { type Certificates, GATEWAY_HOST, makeCertificates } from './certificates.ts'
import { endingOf, NOT_SENT, POSTS, STATUS } from './commandLines.ts'
import { type FaultGateway, secretOf, startFaultGateway } from './faultGateway.ts'
import { type FaultProxy, startFaultProxy } from './faultProxy.ts'
import { runHere } from './running.ts'

let certificates: Certificates
beforeAll(() => {
  certificates = makeCertificates()
})
afterAll(() => certificates.remove())

const TRANSFER = [...POSTS.transfer.filter((word) => word !== '--yes'), '--confirm', GATEWAY_HOST]
const LED = 'HTTP/1.1 200 Connection established\r\n\r\n'
/** What no proxy may see. */
const PRIVATE = /shop-secret|maria@|0b935d10|bearer|\/gateway\/|\nc[is]: /i

const environment = (proxyUrl: string) => ({
  PIXGATE_BASE_URL: `https://${GATEWAY_HOST}`,
  PIXGATE_CLIENT_ID: 'shop',
  PIXGATE_CLIENT_SECRET: 'shop-secret',
  PIXGATE_CALLBACK_URL: 'https://shop.test/pix',
  PIXGATE_OUTPUT: 'json',
  PIXGATE_TIMEOUT: '4s',
  HTTPS_PROXY: proxyUrl.replace('http://', 'http://me:proxy-word@'),
})

/** Answers to CONNECT, with `ELSEWHERE` for the address of another server. */
const ANSWERS: readonly [what: string, answer: string][] = [
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['no text at all', '\0\xff\xfe\x80'.repeat(200)],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a page', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'],
  ['a page in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'],
  ['plain HTTP behind it', `${LED}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}`],
  ['a TLS alert behind it', `${LED}\x15\x03\x03\x00\x02\x02\x28`],
  ['rubbish behind it', `${LED}${'\x16\x03\x03\xff\xff'.repeat(50)}`],
  ['a login page', 'HTTP/1.1 302 Found\r\nLocation: ELSEWHERE/login\r\nContent-Length: 0\r\n\r\n'],
  ['another proxy', 'HTTP/1.1 307 Moved\r\nLocation: ELSEWHERE\r\nContent-Length: 0\r\n\r\n'],
  [
    'a question for its password',
    'HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n',
  ],
  ['a question for the password of the gateway', 'HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm="x"\r\n\r\n'],
  ['another protocol by agreement', 'HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n'],
  ['that it will take long', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50)],
  ['a head without end', `HTTP/1.1 200 OK\r\n${`X-Filler: ${'x'.repeat(1000)}\r\n`.repeat(300)}`],
]

const ENDINGS = { status: NOT_SENT, transfer: NOT_SENT }

/** Runs a query and a payment through a proxy, and tells how they ended. */
async function runThrough(proxy: FaultProxy, run: (args: readonly string[]) => Promise<ProcessResult>) {
  const [status, transfer] = await Promise.all([STATUS, TRANSFER].map((args) => run(args)))
  if (status === undefined || transfer === undefined) throw new Error('two commands end twice')
  expect(proxy.heard().toString('latin1')).not.toMatch(PRIVATE)
  return { status: endingOf(status), transfer: endingOf(transfer) }
}

it('gives no byte of a request to a proxy that answers CONNECT with anything but a way to the gateway', async () => {
  const elsewhere = await startFaultGateway()
  const meet = async ([what, answer]: (typeof ANSWERS)[number]) => {
    const proxy = await startFaultProxy(1, { bytes: Buffer.from(answer.replace('ELSEWHERE', elsewhere.url), 'latin1') })
    const endings = await runThrough(proxy, (args) => runHere(args, environment(proxy.url)))
    return { what, ...endings, asked: proxy.asked.map(({ method }) => method) }
  }
  const met = await Promise.all(ANSWERS.map(meet))
  expect(met).toMatchObject(ANSWERS.map(([what]) => ({ what, ...ENDINGS, asked: expect.arrayContaining(['CONNECT']) })))
  expect(elsewhere.connections).toBe(0)
})

it.each(['otherHost', 'expired', 'selfSigned'] as const)(
  'gives no byte of a request to a server behind a proxy whose certificate is wrong (%s)',
  async (name) => {
    const gateway = await startFaultGateway({ tls: certificates[name] })
    const proxy = await startFaultProxy(gateway.port)
    const world = emptyWorld({
      ...environment(proxy.url),
      PIXGATE_TIMEOUT: '20s',
      NODE_EXTRA_CA_CERTS: certificates.caPath,
    })
    expect(await runThrough(proxy, world.run)).toMatchObject({
      status: { ...NOT_SENT, message: expect.stringContaining('certificate') },
      transfer: { ...NOT_SENT, message: expect.stringContaining('certificate') },
    })
    expect(gateway.connections).toBeGreaterThan(1)
    expect([gateway.arrivals, gateway.timeRequests]).toEqual([[], []])
  },
)

const ADDRESSES = ['', 'option', 'variable', 'option with a password', 'variable with a password'] as const
const VARIABLES = [[], ['PIXGATE_CLIENT_ID'], ['PIXGATE_CLIENT_SECRET'], ['PIXGATE_CLIENT_ID', 'PIXGATE_CLIENT_SECRET']]

it('sends to each of two servers the credentials that were given for it, whatever mixture is typed', async () => {
  const [own, other] = [await startFaultGateway(), await startFaultGateway()]
  const proxy = await startFaultProxy(own.port)
  const proxies = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'].map((name) => [name, proxy.url])
  const world = emptyWorld(Object.fromEntries(proxies))
  const callback = ['--callback-url', 'http://127.0.0.1:1/']
  const add = [
    'profile',
    'add',
    'own',
    '--base-url',
    own.url,
    '--client-id',
    'own',
    '--client-secret-stdin',
    ...callback,
  ]
  await world.prepare(add, { stdin: 'own-secret' })
  let sent = 0
  for (const profile of [[], ['-p', 'own']]) {
    for (const address of ADDRESSES) {
      for (const variables of VARIABLES) {
        const url = address.endsWith('password')
          ? other.url.replace('http://', 'http://typed:typed-secret@')
          : other.url
        const env: Record<string, string> = Object.fromEntries(variables.map((name) => [name, 'typed-secret']))
        if (address.startsWith('variable')) env.PIXGATE_BASE_URL = url
        const option = address.startsWith('option') ? ['--base-url', url] : []
        const id = ['--external-id', `mixture-${sent}`]
        const transfer = ['transfer', '--key', `m${sent}@example.com`, '--amount', '1', ...id, '--yes']
        const before = own.ledger.length + other.ledger.length
        const { exit, stderr } = await here(world)([...transfer, ...callback, ...profile, ...option, '-o', 'json'], {
          env,
        })
        sent += own.ledger.length + other.ledger.length - before
        const what = [profile, address, variables]
        expect([what, exit === 0 ? 1 : 0], stderr).toEqual([what, own.ledger.length + other.ledger.length - before])
        expect([0, 2, 4], stderr).toContain(exit)
        expect(stderr).not.toContain('typed-secret')
      }
    }
  }
  const secretsAt = ({ arrivals, timeRequests }: FaultGateway) =>
    new Set([...arrivals, ...timeRequests].map(secretOf).filter((secret) => secret !== ''))
  expect([secretsAt(own), secretsAt(other)]).toEqual([new Set(['own-secret']), new Set(['typed-secret'])])
  expect([own.ledger.length > 5, other.ledger.length, proxy.asked]).toEqual([true, expect.any(Number), []])
})

it.each([
  [407, [1, 1, 1, 2, 2]],
  [403, [1, 2, 2, 3, 4]],
])('is not asked again for an hour after %d, for whatever connection of a process', async (status, wanted) => {
  const proxy = await startFaultProxy(1, { status })
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const env = { HTTPS_PROXY: proxy.url }
  const asked: number[] = []
  const post = async (host: string) => {
    const url = new URL(`https://${host}/hook`)
    const limits = { timeoutMs: 5000, charactersMax: 100, signal: new AbortController().signal }
    const { error } = await postBytes(openConnectionPoolTo(url, env), url, Buffer.from('{}'), [], limits)
    expect(error?.code).toBe(`PROXY_${status}`)
    asked.push(proxy.asked.length)
  }
  await post('one.example.com')
  await post('other.example.com')
  vi.advanceTimersByTime(59 * 60_000)
  await post('one.example.com')
  vi.advanceTimersByTime(2 * 60_000)
  await post('one.example.com')
  await post('other.example.com')
  expect(asked).toEqual(wanted)
})
