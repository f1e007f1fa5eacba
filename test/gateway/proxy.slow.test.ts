import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { here } from '../inProcess.ts'
import { emptyWorld, type World } from '../world.ts'
import { type Certificates, GATEWAY_HOST, makeCertificates } from './certificates.ts'
import { ACCEPTED, endingOf, NOT_SENT, POSTS, STATUS, UNKNOWN, UNUSABLE } from './commandLines.ts'
import { type FaultGateway, startFaultGateway } from './faultGateway.ts'
import { type FaultProxy, type ProxyManner, startFaultProxy } from './faultProxy.ts'
import { runHere, start } from './running.ts'

let certificates: Certificates
beforeAll(() => {
  certificates = makeCertificates()
})
afterAll(() => certificates.remove())

const TRANSFER = [...POSTS.transfer.filter((word) => word !== '--yes'), '--confirm', GATEWAY_HOST]

interface Way {
  gateway: FaultGateway
  proxy: FaultProxy
  world: World
}

/** A gateway under a name that only the proxy can find. */
async function wayThrough(manner?: ProxyManner): Promise<Way> {
  const gateway = await startFaultGateway({ tls: certificates.right })
  return behind(gateway, await startFaultProxy(gateway.port, manner))
}

function behind(gateway: FaultGateway, proxy: FaultProxy): Way {
  const world = emptyWorld({
    PIXGATE_BASE_URL: `https://${GATEWAY_HOST}`,
    PIXGATE_CLIENT_ID: 'shop',
    PIXGATE_CLIENT_SECRET: 'shop-secret',
    PIXGATE_CALLBACK_URL: 'https://shop.test/pix',
    PIXGATE_OUTPUT: 'json',
    HTTPS_PROXY: proxy.url,
    NODE_EXTRA_CA_CERTS: certificates.caPath,
  })
  return { gateway, proxy, world }
}

describe('a proxy', () => {
  it('is asked for the host, and sees neither path nor credentials', async () => {
    const { gateway, proxy, world } = await wayThrough()
    for (const ran of await Promise.all([STATUS, POSTS.qr, TRANSFER].map((args) => world.run(args)))) {
      expect(endingOf(ran)).toEqual(ACCEPTED)
    }
    expect(gateway.arrivals.map(({ headers }) => headers.host)).toEqual(Array(3).fill(GATEWAY_HOST))
    // The first payment of a ledger asks for the gateway's time, too.
    expect(proxy.asked.map(({ method, target }) => `${method} ${target}`)).toEqual(
      Array(4).fill(`CONNECT ${GATEWAY_HOST}:443`),
    )
    expect(JSON.stringify(proxy.asked)).not.toMatch(/shop|gateway\/|0b935d10/)
  })

  it('gets its own credentials, and its address may omit the scheme', async () => {
    const { proxy, world } = await wayThrough({ status: 403 })
    const address = proxy.url.replace('http://', '')
    await runHere(POSTS.qr, { ...world.env, HTTPS_PROXY: `http://user:pass@${address}` })
    const { HTTPS_PROXY: _, ...env } = world.env
    await runHere(POSTS.qr, { ...env, https_proxy: address })
    expect(proxy.asked.map(({ headers }) => headers['proxy-authorization'])).toEqual(['Basic dXNlcjpwYXNz', undefined])
  })

  const forms = [
    'socks5://127.0.0.1:1080',
    'http://',
    'ftp://x',
    'http:/x',
    'http://%zz:3128',
    'http://127.0.0.1:99999',
    'PROXY/path',
    'PROXY/?a',
    'PROXY#a',
    'http://user:pass-word/1@PROXY_HOST',
    'http://user:pass-word?@PROXY_HOST',
    'http://user:pass-word#@PROXY_HOST',
    'http://user:pass-word\\@PROXY_HOST',
    'http://user:pass-word%@PROXY_HOST',
    'http://us%er:pass-word@PROXY_HOST',
    'http://user:pass-word%ff@PROXY_HOST',
    'http://user:pass-word\n@PROXY_HOST',
    'user:pass-word%zz@PROXY_HOST',
  ]
  it.each([
    ...forms.map((form) => ({ form, where: 'in this process', runner: here, commands: 4 })),
    {
      form: 'http://user:pass-word/1@PROXY_HOST',
      where: 'by the binary',
      runner: ({ run }: World) => run,
      commands: 1,
    },
  ])('of the form $form is a usage error, and nothing is sent or recorded ($where)', async (row) => {
    const { form, runner, commands } = row
    const { proxy, gateway, world } = await wayThrough()
    world.env.HTTPS_PROXY = form.replace('PROXY_HOST', new URL(proxy.url).host).replace('PROXY', proxy.url)
    for (const args of [TRANSFER, STATUS, POSTS.qr, ['doctor']].slice(0, commands)) {
      const ran = await runner(world)(args)
      expect([ran.exit, ran.stderr + ran.stdout]).toEqual([2, expect.stringContaining('`HTTPS_PROXY`')])
      if (args[0] !== 'doctor') expect(endingOf(ran)).toMatchObject({ code: 'USAGE', outcome: 'not-sent' })
      expect(ran.stderr + ran.stdout).not.toMatch(/pass-word|defect/)
    }
    expect([gateway.connections, proxy.asked]).toEqual([0, []])
    delete world.env.HTTPS_PROXY
    const history = await here(world)(['history', 'list'])
    expect([history.exit, history.stdout]).toEqual([0, '[]\n'])
  })

  it.each([
    ['user:p%40%2Fss%25', 'user:p@/ss%'],
    ['user:p:ss', 'user:p:ss'],
    ['user:p ss', 'user:p ss'],
    ['domain%5Cuser:pass', 'domain\\user:pass'],
    ['us%C3%A9r:pass', 'usér:pass'],
  ])('gets user name and password %s decoded', async (typed, decoded) => {
    const { proxy, world } = await wayThrough({ status: 403 })
    const address = `http://${typed}@${new URL(proxy.url).host}/`
    await runHere(POSTS.qr, { ...world.env, HTTPS_PROXY: address })
    const [asked] = proxy.asked
    const [, encoded = ''] = String(asked?.headers['proxy-authorization']).split(' ')
    expect(Buffer.from(encoded, 'base64').toString('utf8')).toBe(decoded)
  })

  const rejections: ProxyManner[] = [{ status: 403 }, { status: 407 }, { status: 502 }, 'reset', 'close']
  it.each(rejections)('that answers CONNECT with %j leaves nothing sent', async (manner) => {
    const { gateway, proxy, world } = await wayThrough(manner)
    for (const ran of await Promise.all([STATUS, POSTS.qr, TRANSFER].map((args) => runHere(args, world.env)))) {
      expect(endingOf(ran)).toMatchObject({ ...NOT_SENT, message: expect.stringContaining('proxy') })
    }
    const isRefusal = typeof manner === 'object' && 'status' in manner && manner.status < 500
    expect(proxy.asked.length).toBe(isRefusal ? 3 : 4 + 1 + 2)
    expect(gateway.connections).toBe(0)
  })

  it.each([
    [
      407,
      'The proxy wants a user name and password (407)',
      '`%40` for `@`, `%23` for `#` and `%3A` for `:` in the password; for a proxy that takes only NTLM or Kerberos',
    ],
    [403, `The proxy forbids connections to ${GATEWAY_HOST} (403)`, '`NO_PROXY`'],
  ])('that answers %d is asked once by a whole command', async (status, message, hint) => {
    const { proxy, world } = await wayThrough({ status })
    const file = join(world.home, 'f.csv')
    writeFileSync(file, `key,value\n${Array.from({ length: 30 }, (_, row) => `p${row}@example.com,1\n`).join('')}`)
    const commands = [
      [...STATUS, '--wait=1m'],
      [...STATUS, '3c0a6b1e-8f52-4d7a-9c44-1b2e3f405162', '4c0a6b1e-8f52-4d7a-9c44-1b2e3f405162'],
      ['batch', 'transfer', file, '--concurrency', '8', '--confirm', GATEWAY_HOST],
      POSTS.qr,
    ]
    for (const [index, args] of commands.entries()) {
      const ran = await runHere(args, world.env)
      expect([args[0], ran.exit, proxy.asked.length]).toEqual([args[0], 6, index + 1])
      if (args[0] !== 'batch') expect(ran.stdout + ran.stderr).toContain(message)
      if (args === POSTS.qr) expect(ran.stderr).toContain(hint)
    }
  })

  it('is asked by one row of a batch until it has led through', async () => {
    const { gateway, proxy, world } = await wayThrough('swallow')
    const file = join(world.home, 'f.csv')
    writeFileSync(file, 'key,value\na@example.com,1\nb@example.com,1\nc@example.com,1\n')
    const batch = ['batch', 'transfer', file, '--concurrency', '3', '--confirm', GATEWAY_HOST, '--timeout', '2s']
    const ended = runHere(batch, world.env)
    // The first connection asks for the time.
    await proxy.arrived(2)
    expect((await ended).exit).toBe(6)
    expect([proxy.asked.length, gateway.connections]).toEqual([2, 0])
  })

  it('that swallows CONNECT is given up at the deadline, with nothing sent', async () => {
    const { gateway, world } = await wayThrough('swallow')
    const began = Date.now()
    const runs = [STATUS, POSTS.qr, TRANSFER].map((args) => runHere([...args, '--timeout', '700ms'], world.env))
    for (const ran of await Promise.all(runs)) expect(endingOf(ran)).toMatchObject(NOT_SENT)
    expect(Date.now() - began).toBeLessThan(6000)
    expect(gateway.connections).toBe(0)
  })

  it('that does not run leaves nothing sent', async () => {
    const { world } = await wayThrough()
    const ran = await runHere(TRANSFER, { ...world.env, HTTPS_PROXY: 'http://127.0.0.1:1' })
    expect(endingOf(ran)).toMatchObject({ ...NOT_SENT, message: 'The connection to the proxy failed' })
  })

  it('that dies before the request leaves nothing sent', async () => {
    const mute = await startFaultGateway({ tls: certificates.right, isMute: true })
    const { proxy, world } = behind(mute, await startFaultProxy(mute.port))
    const running = start(world, [...TRANSFER, '--timeout', '2s'])
    // The first connection asks for the time.
    await Promise.race([mute.connected(2), running.ended])
    proxy.die()
    expect(endingOf(await running.ended)).toMatchObject(NOT_SENT)
    expect(mute.connections).toBe(2)
  })

  it('that dies after the request leaves its outcome unknown', async () => {
    const { gateway, proxy, world } = await wayThrough()
    gateway.always(async ({ carryOut }) => {
      await carryOut()
      proxy.die()
    })
    expect(endingOf(await world.run(TRANSFER))).toMatchObject(UNKNOWN)
    expect(gateway.ledger.length).toBe(1)
    expect(gateway.arrivals.length).toBe(1)
    expect(endingOf(await world.run(STATUS))).toMatchObject(UNUSABLE)
  })
})

describe('an address that goes without the proxy', () => {
  it.each([
    GATEWAY_HOST,
    '.test',
    '*',
    `other.test, ${GATEWAY_HOST}:443`,
    'other.test,*',
    ' * ',
    `${GATEWAY_HOST}.`,
    `other.test ${GATEWAY_HOST.toUpperCase()}`,
  ])('because of NO_PROXY %s', async (noProxy) => {
    const { proxy, world } = await wayThrough()
    // Without the proxy the name cannot be resolved.
    expect(endingOf(await runHere(POSTS.qr, { ...world.env, NO_PROXY: noProxy }))).toMatchObject(NOT_SENT)
    expect(proxy.asked).toEqual([])
  })

  it.each([
    ['[fd00::99]', 'fd00::99', true],
    ['[fd00::99]', '[fd00:0::99]:443', true],
    ['[fd00::99]', 'fd00::/8', true],
    ['[fd00::99]', '10.0.0.0/8', false],
    ['10.255.1.2', '10.0.0.0/8', true],
    ['11.0.0.1', '10.0.0.0/8', false],
    ['10.255.1.2', '10.255.1.2:444', false],
    ['10.255.1.2', '2', false],
    ['10.255.1.2', '10.0.0.0/x', false],
  ])('%s because of NO_PROXY %s: %s', async (host, noProxy, isDirect) => {
    const { proxy, world } = await wayThrough({ status: 403 })
    const env = { ...world.env, NO_PROXY: noProxy, PIXGATE_BASE_URL: `https://${host}` }
    expect((await runHere([...STATUS, '--timeout', '500ms'], env)).exit).toBe(6)
    expect(proxy.asked.length).toBe(isDirect ? 0 : 1)
  })

  it('is every address of this machine', async () => {
    const secure = await startFaultGateway({ tls: certificates.right })
    const plain = await startFaultGateway()
    const proxy = await startFaultProxy(secure.port)
    const variables = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'https_proxy', 'http_proxy', 'all_proxy']
    const env = Object.fromEntries(variables.map((name) => [name, proxy.url]))
    const world = emptyWorld({ ...env, NODE_EXTRA_CA_CERTS: certificates.caPath, NODE_USE_ENV_PROXY: '1' })
    const localhost = plain.url.replace('127.0.0.1', 'localhost')
    for (const [run, args, url] of [
      [world.run, STATUS, plain.url],
      [here(world), STATUS, localhost],
      [world.run, POSTS.transfer, secure.url],
    ] as const) {
      const ran = await run([...args, '--base-url', url, '-o', 'json'])
      expect([url, endingOf(ran)]).toEqual([url, ACCEPTED])
    }
    expect(proxy.asked).toEqual([])
  })
})
