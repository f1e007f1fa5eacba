import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { linesOf, listeningHere, recordedEvents, startListening } from '../listener/listening.ts'
import { openRaw } from '../listener/rawExchange.ts'
import { isRunning } from '../listener/tunnels.ts'
import { deliver, eventBody, signature } from '../listener/webhooks.ts'
import { localServer } from '../localServer.ts'
import { emptyWorld } from '../world.ts'
import { outcomeOf, runListener, send } from './listenerRun.ts'

const LISTEN = ['webhook', 'listen', '--port', '0']

it('ends with 0 after the requested number of events, duplicates and refused ones not counted', async () => {
  const listening = await listeningHere(emptyWorld(), ['--max-events', '3', '--for', '1h'])
  for (const id of ['a', 'a', 'b', 'b', 'a']) expect(await deliver(listening.port, eventBody(id))).toBe(200)
  expect(await send(listening.port, { lines: [] })).toBe(401)
  expect(await deliver(listening.port, eventBody('c'))).toBe(200)
  const { exit, events, summary } = await outcomeOf(listening)
  expect(exit).toBe(0)
  expect(events).toHaveLength(7)
  expect(summary).toMatchObject({ received: 7, valid: 6, unsigned: 1, duplicates: 3 })
})

it.each([['--for', '1ms'], ['--timeout=1ms']])(
  'ends with 8 at the end of %s where there were fewer',
  async (...words) => {
    const world = emptyWorld()
    const listening = await listeningHere(world, ['--max-events', '2', ...words])
    expect(await outcomeOf(listening)).toMatchObject({ exit: 8, stderr: '', summary: { received: 0, p50: 0, p99: 0 } })
    await world.prepare([...LISTEN, ...words])
  },
)

it.each(['30d', '365d'])('does not end before %s', async (duration) => {
  const { exit, stderr, events } = await runListener(emptyWorld(), ['--for', duration], ({ port }) => send(port))
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
  expect(events).toHaveLength(1)
})

it('ignores the time limit for one call', async () => {
  const world = emptyWorld({ PIXGATE_TIMEOUT: '1ms' })
  const { exit, events } = await runListener(world, [], ({ port }) => send(port))
  expect(exit).toBe(0)
  expect(events).toHaveLength(1)
})

it.each(['SIGINT', 'SIGTERM'] as const)(
  'lets a request that has begun end at %s, and says the summary',
  async (name) => {
    const world = emptyWorld()
    const listening = await startListening(world, ['--max-events', '5'])
    const body = eventBody('a')
    const slow = await openRaw(listening.port)
    const head = [
      'POST / HTTP/1.1',
      'Host: localhost',
      `X-Signature: ${signature(body)}`,
      `Content-Length: ${body.length}`,
    ]
    slow.socket.write(`${head.join('\r\n')}\r\nExpect: 100-continue\r\n\r\n`)
    // So the listener has read the head.
    await slow.answers(1)
    const idle = await openRaw(listening.port)
    listening.signal(name)
    await idle.closed
    slow.socket.write(body)
    expect(await slow.closed).toEqual([100, 200])
    const { exit, events, summary, stderr } = await outcomeOf(listening)
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    expect(events).toMatchObject([{ n: 1, valid: true }])
    expect(summary).toMatchObject({ received: 1, valid: 1 })
    expect(await recordedEvents(world)).toHaveLength(1)
  },
)

it('does not wait forever for an incomplete request', async () => {
  const listening = await listeningHere(emptyWorld())
  const slow = await openRaw(listening.port)
  slow.socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n')
  await slow.answers(1)
  listening.signal('SIGINT')
  expect(await outcomeOf(listening)).toMatchObject({ exit: 0, events: [], summary: { received: 0 } })
})

it('ends at once at a second Ctrl-C', async () => {
  const listening = await startListening(emptyWorld(), ['--forward-to', await serverThatHangs()])
  await deliver(listening.port, eventBody('a'))
  listening.signal('SIGINT')
  await expect.poll(() => answers('127.0.0.1', listening.port)).toBe(false)
  listening.signal('SIGINT')
  const { exit, forwards, summary } = await outcomeOf(listening)
  expect(exit).toBe(0)
  expect(forwards).toMatchObject([{ n: 1, status: null, errorCode: 'CANCELLED' }])
  expect(summary).toMatchObject({ received: 1 })
})

it('says that a port is in use', async () => {
  const url = new URL(await serverThatHangs())
  expect(await emptyWorld().run(['webhook', 'listen', '--port', url.port])).toEqual({
    exit: 2,
    stdout: '',
    stderr: [
      `error: Port \`${url.port}\` on \`127.0.0.1\` is already in use`,
      'hint: Stop the program that uses this port, which may be another listener, or choose another port: `--port 0` picks a free one\n',
    ].join('\n'),
  })
})

it.each([[[]], [['--public-url', 'https://a.example']]])(
  'ends if the tunnel command does not exist %j',
  async (words) => {
    const tunnel = 'no-such-tunnel --port {port}'
    const { exit, stderr } = await emptyWorld().run([...LISTEN, '--tunnel', tunnel, ...words])
    expect(exit).toBe(2)
    expect(stderr).toMatch(
      /error: `--tunnel`: the command `no-such-tunnel --port \{port\}` was not found\n {2}.*not found.*\nhint: /,
    )
  },
)

it('ends with 6 if the tunnel ends before it has printed a URL', async () => {
  const tunnel = 'echo "see https://a.example/help"; printf "\\033[31mno \\001account" >&2; exit 9'
  expect(await emptyWorld().run([...LISTEN, '--tunnel', tunnel])).toEqual({
    exit: 6,
    stdout: '',
    stderr: [
      'error: The tunnel command exited with code 9',
      '  see https://a.example/help',
      '  no \\u{1}account',
      'hint: Run the tunnel command by itself to see what it prints and whether it stays, then start the listener again\n',
    ].join('\n'),
  })
})

it('ends with 6 if the tunnel ends while it listens, once what is under way has ended', async () => {
  const world = emptyWorld()
  const end = join(world.home, 'end')
  const wait = `until test -e '${end}'; do sleep 0.02; done; exit 7`
  const target = await localServer((_, response) => {
    writeFileSync(end, '')
    setTimeout(() => response.end(), 300)
  })
  const args = ['--tunnel', `echo https://a.example/ >&2; ${wait}`, '--path', '/pix', '--forward-to', target]
  const listening = await startListening(world, args)
  expect(linesOf(listening)[0]).toMatchObject({ publicUrl: 'https://a.example/pix' })
  expect(await send(listening.port, { target: '/pix' })).toBe(200)
  const { exit, forwards, summary, stderr } = await outcomeOf(listening)
  expect(exit).toBe(6)
  expect(forwards).toMatchObject([{ status: 200 }])
  expect(summary).toMatchObject({ received: 1, forwarded: 1 })
  expect(JSON.parse(stderr).error).toMatchObject({
    exitCode: 6,
    message: 'The tunnel command exited with code 7',
    details: 'https://a.example/',
  })
})

it.each(['SIGINT', 'SIGTERM'] as const)('ends the tunnel and what it started at %s', async (name) => {
  const world = emptyWorld()
  const file = join(world.home, 'pids')
  const tunnel = `sleep 600 & echo $! > '${file}'; echo $$ >> '${file}'; echo https://a.example; wait`
  const listening = await startListening(world, ['--tunnel', tunnel])
  const pids = readFileSync(file, 'utf8').trim().split('\n').map(Number)
  expect(pids.map(isRunning)).toEqual([true, true])
  listening.signal(name)
  await listening.ended
  expect(pids.map(isRunning)).toEqual([false, false])
})

it('does not listen without a secret', async () => {
  const world = emptyWorld()
  const add = [
    'profile',
    'add',
    'shop',
    '--base-url',
    'http://127.0.0.1:1',
    '--client-id',
    'x',
    '--client-secret-stdin',
  ]
  await world.prepare(add, { stdin: 'the-secret-of-shop' })
  await world.prepare(['profile', 'add', 'other', ...add.slice(3)], { stdin: 'the-secret-of-other' })
  await world.prepare(['profile', 'remove', 'shop', '--yes'])
  expect(await world.run(LISTEN)).toEqual({
    exit: 4,
    stdout: '',
    stderr: [
      'error: No profile is active or selected',
      '  Stored profiles: other',
      'hint: Choose one with `pixgate profile use other`, or add `--profile` to the command',
      '  pixgate profile use other\n',
    ].join('\n'),
  })
  // A secret alone is enough.
  const { exit, events } = await runListener(world, [], ({ port }) => send(port))
  expect(exit).toBe(0)
  expect(events).toMatchObject([{ valid: true }])
})

it('is reachable only from this machine by default', async () => {
  const { stderr } = await runListener(emptyWorld(), [], async ({ port }) => {
    for (const address of otherAddresses()) expect(await answers(address, port)).toBe(false)
  })
  expect(stderr).toBe('')
})

it.each([
  ['--host=0.0.0.0', 'Other machines can reach it; what they send is accepted only with a signature'],
  [
    '--host=0.0.0.0 --allow-unsigned',
    'Other machines can reach it, and what they send is accepted without a signature',
  ],
])('warns if other machines can reach it: %s', async (words, warning) => {
  const ran = await emptyWorld().run([...LISTEN, '--for', '1ms', ...words.split(' ')])
  expect(ran.stderr).toContain(`warning: ${warning}\n`)
  expect(ran.stdout).toMatch(/^listens at {5}http:\/\/127\.0\.0\.1:\d+\/$/m)
})

it('refuses a name that is not its own, and takes the one of its public URL', async () => {
  const hosts = [
    '127.0.0.1',
    'localhost:1',
    '[::1]:1',
    '10.0.0.1',
    'shop.example',
    'SHOP.example:443',
    'evil.example',
    'a.shop.example',
  ]
  const statuses: unknown[] = []
  const args = ['--public-url', 'https://shop.example/pix', '--fields', 'url,publicUrl,reason']
  const { lines, exit } = await runListener(emptyWorld(), args, async ({ port }) => {
    for (const host of hosts) statuses.push(await send(port, { host }))
  })
  expect(exit).toBe(0)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 421, 421])
  expect(lines[0]?.publicUrl).toBe('https://shop.example/pix')
  expect(lines.filter(({ reason }) => reason === 'host')).toHaveLength(2)
})

/** The URL of a server that takes connections and never answers. */
function serverThatHangs(): Promise<string> {
  return localServer(() => undefined)
}

function otherAddresses(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const v4 = addresses.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address)
  return [...v4, '127.0.0.2', '::1']
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host })
    socket.on('connect', () => resolve(Boolean(socket.destroy())))
    socket.on('error', () => resolve(false))
  })
}
