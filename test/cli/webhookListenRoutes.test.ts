import { hostname } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { freePort } from '../freePort.ts'
import { here } from '../inProcess.ts'
import { recordedEvents } from '../listener/listening.ts'
import { localServer } from '../localServer.ts'
import { emptyWorld } from '../world.ts'
import { runListener, send } from './listenerRun.ts'
import { inThisProcess } from './payments.ts'
import { expectRejected } from './rejectedCommandLines.ts'
import { webhookTarget } from './webhookTarget.ts'

const bodyOf = (event: string, id = event) => JSON.stringify({ event, data: { idTransaction: id, status: 'PAID' } })

it('sends each event to the targets of its routes, and the rest to `--forward-to`', async () => {
  const world = inThisProcess(emptyWorld())
  const [payments, both, alarm, rest] = [
    await webhookTarget(),
    await webhookTarget(),
    await webhookTarget(),
    await webhookTarget(),
  ]
  alarm.answer(500)
  const routes = [`pix.*=${payments.url}`, `pix.received=${both.url}`, `pix.received=${both.url}`]
  routes.push(`transfer.failed=${alarm.url}`, `transfer.failed=${both.url}`)
  const words = routes.flatMap((route) => ['--route', route])
  const bodies = ['pix.received', 'pix.changed', 'transfer.failed', 'refund.status'].map((event) => bodyOf(event))
  const listened = await runListener(
    world,
    [...words, '--forward-to', rest.url, '--fail-on-forward'],
    async ({ port }) => {
      for (const body of [...bodies, '{"a":1}']) expect(await send(port, { body })).toBe(200)
    },
  )
  const [paid = '', changed = '', failed = '', refund = ''] = bodies
  const got = [payments, both, alarm, rest].map(({ posted }) => posted.map(({ body }) => body).toSorted())
  expect(got).toEqual([[paid, changed].toSorted(), [paid, failed].toSorted(), [failed], [refund, '{"a":1}'].toSorted()])

  expect(listened).toMatchObject({ exit: 1, stderr: '' })
  const shown = routes
    .map((route) => /^([^=]+)=(.*)$/.exec(route))
    .map((parts) => ({ events: parts?.[1], url: parts?.[2] }))
  expect(listened.lines[0]).toMatchObject({ type: 'ready', routes: shown, forwardTo: rest.url })
  const sent = listened.forwards.map(({ n, url, status }) => `${n} ${status} ${url}`)
  expect(sent.toSorted()).toEqual(
    [
      `1 200 ${payments.url}`,
      `1 200 ${both.url}`,
      `2 200 ${payments.url}`,
      `3 500 ${alarm.url}`,
      `3 200 ${both.url}`,
      `4 200 ${rest.url}`,
      `5 200 ${rest.url}`,
    ].toSorted(),
  )
  expect(listened.summary).toMatchObject({ received: 5, forwarded: 6, notForwarded: 1 })
  expect(listened.summary?.targets).toContainEqual({ url: both.url, forwarded: 2, notForwarded: 0 })
  expect(listened.summary?.targets).toContainEqual({ url: alarm.url, forwarded: 0, notForwarded: 1 })

  // The event whose one target took it and whose other did not has failed, and goes to the latter again.
  expect(await recordedEvents(world)).toHaveLength(5)
  const again = await world.run(['webhook', 'replay', '--failed', '-o', 'json'])
  expect(JSON.parse(again.stdout)).toMatchObject([{ n: 3, url: alarm.url, status: 500 }])
})

it('says in its first lines what goes where', async () => {
  const world = inThisProcess(emptyWorld())
  const listen = ['webhook', 'listen', '--port', '0', '--for', '1ms']
  const some = ['--route', 'pix.*=localhost:3000/pix', '--route', 'payment=http://ana:s3cret@127.0.0.1:3001']
  const text = await world.prepare([...listen, ...some])
  expect(text).toContain('forwards       pix.* to http://localhost:3000/pix\n')
  expect(text).toContain('forwards       payment to http://••••@127.0.0.1:3001/\nforwards       nothing else\n')
  const all = await world.run([...listen, '--route', 'pix.recieved=localhost:3000', '--forward-to', 'localhost:4000'])
  expect(all.stdout).toContain('forwards       everything else to http://localhost:4000/\n')
  expect(all.stderr).toContain('`--route`: `pix.recieved` matches no known event; known events are pix.received, ')
})

const LIKE =
  'hint: Write it like `--route pix.received=http://127.0.0.1:3000/pix`; `pix.*` matches every event whose name begins with `pix.`'

it('rejects routes that make no sense', () =>
  expectRejected(
    ['webhook', 'listen', '--port', '0'],
    [
      ...[
        'http://127.0.0.1:3000',
        '=http://127.0.0.1:3000',
        'pix.received=',
        'p*x=localhost:1',
        'pix*=localhost:1',
      ].map(
        (typed) =>
          [
            ['--route', typed],
            [`error: \`--route\` takes \`event=url\`, not \`${typed}\``, LIKE],
          ] as const,
      ),
      [
        ['--route', 'pix.received=ftp://shop'],
        [
          'error: `ftp://shop` is not a valid URL',
          'hint: Write a complete URL, for example `https://shop.example.com/pix`',
        ],
      ],
    ],
  ))

it('refuses to forward to itself', async () => {
  const { exit, stderr } = await here(emptyWorld())([
    'webhook',
    'listen',
    '--port',
    '4299',
    '--route',
    '*=localhost:4299',
  ])
  expect(exit).toBe(2)
  expect(stderr).toContain('error: `--route *=…` points to this listener, so events would be forwarded forever\n')
})

it.each([
  ['its own address', (port: number) => ['--forward-to', `http://127.0.0.1:${port}/x`]],
  ['its own address by another name', (port: number) => ['--forward-to', `http://localhost:${port}/x`]],
  ['any address', (port: number) => ['--forward-to', `http://0.0.0.0:${port}/x`]],
  ['a mapped address', (port: number) => ['--forward-to', `http://[::ffff:127.0.0.1]:${port}/x`]],
  ['its name', (port: number) => ['--host', '0.0.0.0', '--forward-to', `http://${hostname()}:${port}/x`]],
  ['its public address', () => ['--forward-to', 'https://me.example/a', '--public-url', 'https://me.example/b']],
])('does not forward to %s', async (what, words) => {
  const port = await freePort()
  const world = emptyWorld()
  const run = what === 'its own address' ? world.run : here(world)
  const ran = await run(['webhook', 'listen', '--port', String(port), '--for', '1ms', ...words(port)])
  expect(ran).toEqual({
    exit: 2,
    stdout: '',
    stderr:
      'error: `--forward-to` points to this listener, so every event would be forwarded forever\n' +
      'hint: Name the address of your own server, for example `--forward-to http://127.0.0.1:3000/webhooks`\n',
  })
})

it('forwards through two listeners, and names both', async () => {
  const target = await webhookTarget()
  const chain = inThisProcess(emptyWorld())
  const behind = await runListener(chain, ['--forward-to', target.url], (second) =>
    runListener(chain, ['--forward-to', `http://127.0.0.1:${second.port}`], async (first) => {
      expect(await send(first.port, { body: bodyOf('pix.received') })).toBe(200)
      await expect.poll(() => target.posted).toHaveLength(1)
    }),
  )
  expect(behind.forwards).toMatchObject([{ status: 200 }])
  const passed = target.posted[0]?.headers.filter(([name]) => name === 'X-Pixgate-Listener') ?? []
  expect(passed.map(([, ids]) => ids.split(', ').length)).toEqual([2])
})

it('stops what comes back, and records it once', async () => {
  let own = 0
  const answers: (number | undefined)[] = []
  const relay = await localServer(async (request, response) => {
    const body = await buffer(request)
    const lines = ['X-Signature', 'X-Pixgate-Listener'].map((name) => `${name}: ${request.headers[name.toLowerCase()]}`)
    const status = await send(own, { lines, body })
    answers.push(status)
    response.writeHead(status ?? 500).end()
  })
  const world = inThisProcess(emptyWorld())
  const { events, forwards } = await runListener(world, ['--forward-to', relay], async ({ port }) => {
    own = port
    expect(await send(port, { body: bodyOf('pix.received') })).toBe(200)
    await expect.poll(() => answers).toEqual([508])
  })
  expect(events.map(({ n, valid, reason }) => [n, valid, reason])).toEqual([
    [1, true, null],
    [null, false, 'loop'],
  ])
  expect(forwards).toMatchObject([{ n: 1, status: 508 }])
})

it('is not checked: made-up events do not get into the ledger', async () => {
  const world = inThisProcess(emptyWorld())
  await runListener(world, [], async ({ port }) => {
    const { exit, stdout, stderr } = await here(world)(['webhook', 'check', `http://127.0.0.1:${port}/`])
    expect([exit, stdout]).toEqual([2, ''])
    expect(stderr).toContain('is a listener of pixgate')
  })
  expect(await recordedEvents(world)).toHaveLength(0)
})
