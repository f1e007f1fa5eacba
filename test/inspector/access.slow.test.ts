import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { paymentBody, recordEvent } from '../cli/recordedEvents.ts'
import { webhookTarget } from '../cli/webhookTarget.ts'
import { exchange } from '../listener/rawExchange.ts'
import { localServer } from '../localServer.ts'
import { expectDocument } from '../schemas/validity.ts'
import { emptyWorld } from '../world.ts'
import { inChromium, OTHER_SITE, openTab, type RunningInspector, startInspector, useBrowser } from './chromium.ts'

interface Sent {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
}

/** Sends a request with headers that `fetch` does not allow; the status and headers of its answer. */
function send({ origin }: RunningInspector, { method = 'GET', path, headers = {}, body }: Sent) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    const sent = request(origin + path, { method, headers }, async (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await text(response) })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

describe('the address', () => {
  it('is printed first, and Ctrl-C ends the page with exit 0', async () => {
    const inspector = await startInspector(emptyWorld({ PIXGATE_PROFILE: 'nobody' }))
    expectDocument('inspect', inspector.ready)
    expect(inspector.ready.type).toBe('ready')
    expect(inspector.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}$/)
    expect(await inspector.interrupt()).toEqual({ exit: 0, stderr: '' })
  })

  it('needs a free port', async () => {
    const world = emptyWorld()
    const { port } = new URL((await startInspector(world)).url)
    for (const [words, option] of [
      [['inspect', '--port', port], '--port'],
      [['webhook', 'listen', '--port', '0', '--inspect', port], '--inspect'],
    ] as const) {
      const { exit, stdout, stderr } = await world.run(words, { env: { PIXGATE_CLIENT_SECRET: 'a-client-secret' } })
      expect([exit, stdout]).toEqual([2, ''])
      expect(stderr).toContain(`error: Port \`${port}\` on \`127.0.0.1\` is already in use\n`)
      expect(stderr).toContain(`\`${option} 0\` picks a free one`)
    }
  })
})

it('speaks Portuguese to its reader, whatever the output of the command', async () => {
  const inspector = await startInspector(emptyWorld({ PIXGATE_LANG: 'pt-BR' }))
  const page = await send(inspector, { path: `/${inspector.token}` })
  expect(page.body).toContain('<html lang="pt-BR">')
  expect(page.body).toContain('"Payments":"Pagamentos"')
  const headers = { 'X-Pixgate-Token': inspector.token }
  const answer = await send(inspector, { path: '/api/event?key=gone', headers })
  expect(JSON.parse(answer.body).error.message).toBe('O evento gone não existe mais')
})

it('answers the address of the page with the page, and nothing to anybody without the token', async () => {
  const inspector = await startInspector(emptyWorld())
  const { token, origin } = inspector
  const page = await send(inspector, { path: `/${token}` })
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  })
  const policy = String(page.headers['content-security-policy'])
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
  expect(policy.replaceAll(nonce, 'N')).toBe(
    "default-src 'none'; script-src 'nonce-N'; style-src 'nonce-N'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  )
  expect(page.body).not.toMatch(/https?:\/\//)
  const again = await send(inspector, { path: `/${token}` })
  expect(again.headers['content-security-policy']).not.toBe(policy)

  const own = { 'X-Pixgate-Token': token }
  const json = { ...own, Origin: origin, 'Content-Type': 'application/json' }
  const post = { method: 'POST', path: '/api/control', headers: json, body: '{}' }
  const host = new URL(origin).host
  const cases: [why: string, sent: Sent, status: number][] = [
    ['no token', { path: '/' }, 404],
    ['another token', { path: `/${token.toLowerCase()}x` }, 404],
    ['a token and more', { path: `/${token}/` }, 404],
    ['another method', { method: 'POST', path: `/${token}` }, 404],
    ['another name', { path: `/${token}`, headers: { Host: 'other.example' } }, 421],
    ['another port', { path: `/${token}`, headers: { Host: '127.0.0.1:1' } }, 421],
    ['its other name', { path: `/${token}`, headers: { Host: host.replace('127.0.0.1', 'localhost') } }, 200],
    ['data without a token', { path: '/api/events' }, 403],
    ['data with another token', { path: '/api/events', headers: { 'X-Pixgate-Token': 'x' } }, 403],
    ['the token in the query', { path: `/api/events?token=${token}` }, 403],
    ['the stream without a token', { path: '/api/stream' }, 403],
    ['another origin', { path: '/api/events', headers: { ...own, Origin: 'http://other.example' } }, 403],
    ['no origin that can be told', { path: '/api/events', headers: { ...own, Origin: 'null' } }, 403],
    ['data', { path: '/api/events', headers: own }, 200],
    ['a name of JavaScript', { path: '/api/constructor', headers: own }, 404],
    ['an action by GET', { path: '/api/control', headers: own }, 404],
    ['an action without an origin', { ...post, headers: { ...own, 'Content-Type': 'application/json' } }, 403],
    ['an action as a form', { ...post, headers: { ...json, 'Content-Type': 'text/plain' } }, 415],
    ['an action without an object', { ...post, body: '[]' }, 400],
    ['an action that does not exist', { ...post, body: '{"action":"explode"}' }, 400],
    ['a body that is too long', { ...post, body: ' '.repeat(3 * 1024 * 1024 + 1) }, 413],
    ['what other sites ask before', { method: 'OPTIONS', path: '/api/control', headers: own }, 404],
  ]
  const answered = []
  for (const [why, sent] of cases) answered.push([why, (await send(inspector, sent)).status])
  expect(answered).toEqual(cases.map(([why, , status]) => [why, status]))
})

it('answers no request that could be read in two ways', async () => {
  const { origin, token } = await startInspector(emptyWorld())
  const { host, port } = new URL(origin)
  const head = `GET /api/events HTTP/1.1\r\nX-Pixgate-Token: ${token}\r\nConnection: close\r\nHost: ${host}\r\n`
  expect(await exchange(Number(port), `${head}\r\n`)).toEqual([200])
  for (const more of [
    'Host: evil.example',
    `Host: ${host}`,
    'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: chunked\r\nContent-Length: 5',
    'Transfer-Encoding:\r\n chunked',
    'Content-Length: 1\r\nContent-Length: 2',
  ])
    expect([more, await exchange(Number(port), `${head}${more}\r\n\r\n0\r\n\r\n`)]).toEqual([more, [400]])
})

it('does not report a page that is closed while it sends as a failure', async () => {
  const inspector = await startInspector(emptyWorld())
  const { origin, token } = inspector
  const headers = { 'X-Pixgate-Token': token, Origin: origin, 'Content-Type': 'application/json' }
  const sent = request(`${origin}/api/control`, {
    method: 'POST',
    headers: { ...headers, 'Content-Length': '100', Expect: '100-continue' },
  })
  sent.on('error', () => undefined)
  sent.flushHeaders()
  await once(sent, 'continue')
  const closed = new Promise((resolve) => sent.on('close', resolve))
  sent.destroy()
  await closed
  expect(await inspector.ask('events')).toMatchObject({ events: [] })
  expect(await inspector.interrupt()).toEqual({ exit: 0, stderr: '' })
})

inChromium('another site in the same browser', () => {
  useBrowser()

  it('can neither read nor act, even if it knows the address', { timeout: 60_000 }, async () => {
    const world = emptyWorld()
    const target = await webhookTarget()
    await recordEvent(world, paymentBody('secret-id'), { forwards: [{ url: target.url, status: 200 }] })
    const inspector = await startInspector(world)
    const other = await localServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<p>hi'))
    const page = await openTab(other)
    const { url, origin, token } = inspector
    const outcome = (code: string) => page.evaluate(`(async () => { ${code} })().then(String, (error) => error.name)`)
    const headers = `{ 'X-Pixgate-Token': '${token}', 'Content-Type': 'application/json' }`
    const body = `JSON.stringify({ key: '1', to: '', edits: '', body: '', digest: '', typed: '' })`
    expect(await outcome(`return (await fetch('${url}')).text()`)).toBe('TypeError')
    expect(await outcome(`return (await fetch('${origin}/api/events', { headers: ${headers} })).text()`)).toBe(
      'TypeError',
    )
    const replay = `'${origin}/api/replay', { method: 'POST', headers: ${headers}, body: ${body}`
    expect(await outcome(`return (await fetch(${replay} })).text()`)).toBe('TypeError')
    // Without asking before, only the headers of a form can be sent; the answer stays unknown.
    const opaque = `mode: 'no-cors', method: 'POST', body: ${body}`
    expect(await outcome(`return (await fetch('${origin}/api/replay', { ${opaque} })).type`)).toBe('TypeError')
    expect(
      await outcome(`
      const frame = document.createElement('iframe')
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
      frame.src = '${url}'
      document.body.append(frame)
      await loaded
      return frame.contentDocument === null
    `),
    ).toBe('true')
    expect(page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/')
    expect(
      await outcome(`
      const script = document.createElement('script')
      const failed = new Promise((resolve) => script.addEventListener('error', () => resolve('error')))
      script.src = '${url}'
      document.body.append(script)
      return failed
    `),
    ).toBe('error')
    const answer = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.evaluate(`
      const form = document.createElement('form')
      form.method = 'POST'
      form.action = '${origin}/api/replay'
      form.enctype = 'text/plain'
      document.body.append(form)
      form.submit()
    `)
    expect((await answer).status()).toBe(403)
    expect(target.posted).toEqual([])
  })

  it('cannot take its name', async () => {
    const inspector = await startInspector(emptyWorld())
    const { port, pathname } = new URL(inspector.url)
    const page = await openTab(`http://${OTHER_SITE}:${port}${pathname}`)
    const shown = 'Open the address that pixgate printed: the page requires its token'
    expect(await page.locator('body').textContent()).toBe(shown)
  })
})
