import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { listeningHere, recordedEvents, startListening } from '../listener/listening.ts'
import { deliver, eventBody, signature } from '../listener/webhooks.ts'
import { localServer } from '../localServer.ts'
import { emptyWorld } from '../world.ts'
import { outcomeOf, runListener, send } from './listenerRun.ts'
import { webhookTarget } from './webhookTarget.ts'

const MS = expect.any(Number)
const BROKEN = expect.stringMatching(/^(?:ECONNRESET|CLOSED)$/)

/** A developer's server that does something else with every event, by its id. */
async function serverThat(answer: (id: string, response: ServerResponse) => void): Promise<string> {
  const url = await localServer(async (request, response) => {
    const id = JSON.parse((await buffer(request)).toString()).data.idTransaction
    answer(id, response)
  })
  return `${url}/hook`
}

it('keeps every byte and every header, and adds the requested ones', async () => {
  const target = await webhookTarget()
  const body = '{ "event":"pix.received",\r\n "data":{"amount":10.50,"x":"\\u00e9é"} }\n'
  const value = signature(Buffer.from(body))
  const lines = ['X-trace: 1', `x-SIGNATURE: ${value}`, 'X-Trace: 2', 'Content-Type: text/x; a=b', 'User-Agent: gw/1']
  const added = ['User-Agent: mine', 'X-Env:  a: b ', 'x-env: c', 'X-E:'].flatMap((line) => ['--header', line])
  await runListener(emptyWorld(), ['--forward-to', `${target.url}?a=b`, ...added], async ({ port }) => {
    expect(await send(port, { target: '/elsewhere?c=d', lines: [...lines, 'Keep-Alive: 5', 'TE: gzip'], body })).toBe(
      200,
    )
  })
  expect(target.posted).toEqual([
    {
      target: '/hook?a=b',
      headers: [
        ['host', new URL(target.url).host],
        ['connection', 'keep-alive'],
        ['X-trace', '1'],
        ['x-SIGNATURE', value],
        ['X-Trace', '2'],
        ['Content-Type', 'text/x; a=b'],
        ['User-Agent', 'mine'],
        ['X-Env', 'a: b'],
        ['x-env', 'c'],
        ['X-E', ''],
        ['X-Pixgate-Listener', expect.any(String)],
        ['content-length', String(Buffer.byteLength(body))],
      ],
      body,
    },
  ])
})

it('passes the user name and password of its URL on, and shows neither', async () => {
  const target = await webhookTarget()
  const url = target.url.replace('//', '//ana:s3cr%40t@')
  const text = await emptyWorld().prepare(['webhook', 'listen', '--port', '0', '--for', '1ms', '--forward-to', url])
  expect(text).toContain(`forwards to    ${target.url.replace('//', '//••••@')}\n`)
  const listened = await runListener(emptyWorld(), ['--forward-to', url], ({ port }) => send(port))
  expect(target.posted[0]?.headers).toContainEqual([
    'Authorization',
    `Basic ${Buffer.from('ana:s3cr@t').toString('base64')}`,
  ])
  expect(JSON.stringify(listened)).not.toContain('s3cr')
})

/** Shows the result of each forward, and the beginning of an error body. */
async function eachAnswer(): Promise<void> {
  const world = emptyWorld()
  const long = 'ã'.repeat(10_000)
  const answers: Record<string, (response: ServerResponse) => void> = {
    fine: (response) => response.writeHead(200).end(long),
    empty: (response) => response.writeHead(204).end(),
    failing: (response) => response.writeHead(500).end(long),
    redirecting: (response) => response.writeHead(307, { Location: '/hook?redirected' }).end(),
    forbidding: (response) => response.writeHead(403).end('no\n\u001b[31m'),
    crashing: (response) => response.destroy(),
    breaking: (response) => response.writeHead(200, { 'Content-Length': '9' }).write('half', () => response.destroy()),
    hanging: () => undefined,
  }
  const seen: string[] = []
  const url = await serverThat((id, response) => {
    seen.push(id)
    answers[id]?.(response)
  })
  const listening = await listeningHere(world, ['--forward-to', url, '--max-events', '9'])
  for (const id of Object.keys(answers)) expect(await deliver(listening.port, eventBody(id))).toBe(200)
  // The answer to the gateway did not wait for the one that hangs; the end does.
  await expect.poll(() => listening.printed.length, { timeout: 20_000 }).toBe(1 + 2 * Object.keys(answers).length)
  expect(await deliver(listening.port, eventBody('fine'))).toBe(200)
  listening.signal('SIGINT')
  const { exit, forwards, summary } = await outcomeOf(listening)
  expect(exit).toBe(0)
  const { origin } = new URL(url)
  const byNumber = forwards.slice(0, -1).sort((one, other) => Number(one.n) - Number(other.n))
  expect(byNumber).toEqual([
    { type: 'forward', n: 1, url, status: 200, ms: MS, body: long.slice(0, 500) },
    { type: 'forward', n: 2, url, status: 204, ms: MS, body: '' },
    { type: 'forward', n: 3, url, status: 500, ms: MS, body: long.slice(0, 500) },
    { type: 'forward', n: 4, url, status: 307, ms: MS, body: '' },
    { type: 'forward', n: 5, url, status: 403, ms: MS, body: 'no\n\u001b[31m' },
    {
      type: 'forward',
      n: 6,
      url,
      status: null,
      ms: MS,
      error: `${origin} closed the connection without an answer; did your server crash?`,
      errorCode: 'ECONNRESET',
    },
    {
      type: 'forward',
      n: 7,
      url,
      status: 200,
      ms: MS,
      error: `${origin} answered 200, but its answer broke off`,
      errorCode: BROKEN,
    },
    {
      type: 'forward',
      n: 8,
      url,
      status: null,
      ms: MS,
      error: `${origin} did not answer within 10 s`,
      errorCode: 'TIMEOUT',
    },
  ])
  expect(seen.sort()).toEqual([...Object.keys(answers), 'fine'].sort())
  expect(summary).toMatchObject({ received: 9, valid: 9, forwarded: 2, notForwarded: 7 })
  const recorded = await recordedEvents(world)
  expect(recorded.map(({ forwards }) => forwards)).toMatchObject([
    [{ url, status: 200 }, { status: 200 }],
    [{ status: 204, error: null }],
    [{ status: 500, error: null }],
    [{ status: 307 }],
    [{ status: 403 }],
    [{ status: null, error: 'ECONNRESET' }],
    [{ status: 200, error: BROKEN }],
    [{ status: null, error: 'TIMEOUT' }],
  ])
}

it('says that nothing listens, and goes on', async () => {
  const { forwards, exit } = await runListener(
    emptyWorld(),
    ['--forward-to', 'http://127.0.0.1:1/'],
    async ({ port }) => {
      expect(await send(port)).toBe(200)
      expect(await send(port)).toBe(200)
    },
  )
  expect(exit).toBe(0)
  expect(forwards).toHaveLength(2)
  expect(forwards[0]).toMatchObject({
    status: null,
    error: 'Nothing listens at http://127.0.0.1:1; is your server running?',
    errorCode: 'ECONNREFUSED',
  })
})

it('lets forwards in progress finish', async () => {
  const hanging: ServerResponse[] = []
  const url = await serverThat((_id, response) => void hanging.push(response))
  const listening = await startListening(emptyWorld(), ['--forward-to', url])
  await deliver(listening.port, eventBody('a'))
  await expect.poll(() => hanging.length).toBe(1)
  listening.signal('SIGINT')
  await expect.poll(() => isRefused(listening.port)).toBe(true)
  hanging[0]?.end('late')
  const { exit, forwards, summary } = await outcomeOf(listening)
  expect(exit).toBe(0)
  expect(forwards).toMatchObject([{ n: 1, status: 200, body: 'late' }])
  expect(summary).toMatchObject({ forwarded: 1, notForwarded: 0 })
})

/** Tells of everything that the signal gave up, which can be sent later. */
async function givenUp(name: 'SIGINT' | 'SIGTERM'): Promise<void> {
  const world = emptyWorld()
  const ids = new Set<string>()
  const url = await serverThat((id) => void ids.add(id))
  const listening = await startListening(world, ['--forward-to', url])
  for (let index = 0; index < 20; index++) await deliver(listening.port, eventBody(`event-${index}`))
  await expect.poll(() => ids.size).toBe(16)
  listening.signal(name)
  const { exit, forwards, summary } = await outcomeOf(listening)
  expect(exit).toBe(0)
  const numbers = (code: string) => forwards.filter(({ errorCode }) => errorCode === code).map(({ n }) => n)
  // After Ctrl-C they had their 5 s, so they were slow; a termination does not wait for so long.
  expect(numbers(name === 'SIGINT' ? 'TIMEOUT' : 'CANCELLED')).toHaveLength(16)
  expect(summary).toMatchObject({ received: 20, forwarded: 0, notForwarded: 20 })
  const target = await webhookTarget()
  await world.prepare(['webhook', 'replay', '--failed', '--to', target.url])
  expect(target.posted).toHaveLength(20)
}

/** Waits 5 s at the end for a forward that is under way. */
async function waitAtTheEnd(): Promise<void> {
  const hanging: ServerResponse[] = []
  const url = await serverThat((_id, response) => void hanging.push(response))
  const listening = await listeningHere(emptyWorld(), ['--forward-to', url])
  await deliver(listening.port, eventBody('a'))
  await expect.poll(() => hanging.length).toBe(1)
  listening.signal('SIGINT')
  setTimeout(() => hanging[0]?.end('late'), 4_000)
  const { exit, forwards, summary } = await outcomeOf(listening)
  expect(exit).toBe(0)
  expect(forwards).toMatchObject([{ n: 1, status: 200, body: 'late' }])
  expect(summary).toMatchObject({ forwarded: 1, notForwarded: 0 })
}

/** Marks a forward that the service would have counted as failed. */
async function slowAnswer(): Promise<void> {
  const url = await serverThat((id, response) => setTimeout(() => response.end(), id === 'slow' ? 5_200 : 0))
  const listening = await listeningHere(emptyWorld(), ['--forward-to', url])
  await deliver(listening.port, eventBody('slow'))
  await deliver(listening.port, eventBody('fast'))
  await expect.poll(() => listening.printed.length, { timeout: 20_000 }).toBe(5)
  listening.signal('SIGINT')
  const { forwards } = await outcomeOf(listening)
  expect(forwards).toEqual([
    { type: 'forward', n: 2, url, status: 200, ms: MS, body: '' },
    { type: 'forward', n: 1, url, status: 200, ms: MS, body: '', tooSlow: true },
  ])
}

// All of these wait for seconds, which is no work.
it('shows the result of each forward, marks slow ones, waits 5 s for the last, and tells of everything that SIGINT gave up', {
  timeout: 60_000,
}, async () => {
  await Promise.all([eachAnswer(), slowAnswer(), waitAtTheEnd(), givenUp('SIGINT')])
})

it('tells of everything that SIGTERM gave up, which can be sent later', () => givenUp('SIGTERM'))

it.each([
  ['the path and query of the request if it has none', '', '/pix/a?b=c', '/pix/a?b=c'],
  ['the same where its path is a slash', '/', '/pix/a?b=c', '/pix/a?b=c'],
  ['its host, whatever the request names', '/', '//evil.example/x', '//evil.example/x'],
  ['its own path if it has one', '/hook', '/pix/a?b=c', '/hook'],
  ['its own query', '/?a=b', '/pix/a?b=c', '/?a=b'],
])('forwards to %s', async (_what, typed, target, expected) => {
  const server = await webhookTarget()
  const { host } = new URL(server.url)
  const world = emptyWorld()
  // Without a scheme it is http.
  const { events } = await runListener(world, ['--forward-to', host + typed], ({ port }) => send(port, { target }))
  expect(server.posted.map((posted) => posted.target)).toEqual([expected])
  expect(events).toMatchObject([{ path: target }])
  const [recorded] = await recordedEvents(world)
  expect(recorded).toMatchObject({ path: target, forwards: [{ url: `http://${host}${expected}`, status: 200 }] })
})

it('ends with 1 after a refused forward, if that is requested', async () => {
  const target = await webhookTarget()
  const args = ['--forward-to', target.url, '--fail-on-forward']
  target.answer(200, 401)
  const first = await runListener(emptyWorld(), args, ({ port }) => send(port))
  const second = await runListener(emptyWorld(), args, ({ port }) => send(port))
  const third = await runListener(emptyWorld(), args.slice(0, 2), ({ port }) => send(port))
  expect([first.exit, second.exit, third.exit]).toEqual([0, 1, 0])
})

/** True if nothing listens any more. */
function isRefused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('connect', () => resolve(!socket.destroy()))
    socket.on('error', () => resolve(true))
  })
}
