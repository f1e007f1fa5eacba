import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { changeProfiles } from '../../src/profiles/changeProfiles.ts'
import { here } from '../inProcess.ts'
import { startListening } from '../listener/listening.ts'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'
import { emptyWorld, type World } from '../world.ts'
import { inThisProcess } from './payments.ts'
import { headersOf, LOCAL, paymentBody, recordEvent } from './recordedEvents.ts'
import { hmac, signaturesOf, webhookTarget } from './webhookTarget.ts'

/** Replays in the process of the tests, where many cases are alike. */
async function replay(world: World, ...args: string[]) {
  const ran = await here(world)(['webhook', 'replay', ...args, '-o', 'json'])
  return { ...ran, document: ran.stdout === '' ? undefined : JSON.parse(ran.stdout) }
}

/** The numbers of the events that a list answers with. */
function numbers(document: unknown): unknown[] {
  return Array.isArray(document) ? document.map(({ n }) => n) : ['no list']
}

describe('an event that is not edited', () => {
  it('is sent byte for byte, with its headers and signature', async () => {
    const world = emptyWorld()
    const target = await webhookTarget()
    await recordEvent(world, paymentBody('a'))
    const ran = await world.run(['webhook', 'replay', '1', '--to', target.url])
    expect(ran).toMatchObject({ exit: 0, stderr: '' })
    expect(ran.stdout).toMatch(/^✓ 200 +[\d.]+ m?s {2}#1 {2}pix\.received {2}a\n$/)
    const [, ...headers] = headersOf(paymentBody('a')).filter(([name]) => name !== 'Connection')
    const length = String(paymentBody('a').length)
    expect(target.posted).toEqual([
      {
        target: '/hook',
        headers: [
          ['host', new URL(target.url).host],
          ['connection', 'keep-alive'],
          ...headers,
          ['content-length', length],
        ],
        body: paymentBody('a'),
      },
    ])
  })

  it('needs no secret and no consent', async () => {
    const world = inThisProcess(emptyWorld({ PIXGATE_PROFILE: 'nobody' }))
    const target = await webhookTarget()
    await recordEvent(world, paymentBody('a'), { owner: { ...LOCAL, environment: 'production', baseUrl: 'https://g' } })
    expect((await replay(world, '1', '--to', target.url)).exit).toBe(0)
  })
})

it('is shown by --dry-run as it leaves', async () => {
  const world = inThisProcess(emptyWorld())
  const target = await webhookTarget()
  const headers: [string, string][] = [
    ['Host', '127.0.0.1:4242'],
    ['Connection', 'close'],
    ['X-Pixgate-Listener', 'a, b'],
    ['X-Env', 'a'],
  ]
  await recordEvent(world, paymentBody('a'), { headers })
  const words = ['webhook', 'replay', '1', '--to', target.url]
  const { stdout } = await world.run([...words, '--dry-run', '-o', 'json'])
  await world.run(words)
  const arrived = (target.posted[0]?.headers ?? []).map(([name, value]) => [name.toLowerCase(), value])
  const shown = Object.entries<string>(JSON.parse(stdout).headers).map(([name, value]) => [name.toLowerCase(), value])
  expect(arrived.map(([name]) => name)).not.toContain('x-pixgate-listener')
  expect(shown.toSorted()).toEqual(arrived.toSorted())
})

it('says that an imported body is JSON if nothing else does', async () => {
  const world = inThisProcess(emptyWorld())
  const target = await webhookTarget()
  await recordEvent(world, paymentBody('a'), { headers: [['X-Signature', 'abc']], via: 'import' })
  await recordEvent(world, paymentBody('b'), { headers: [['X-Signature', 'abc']] })
  await replay(world, '1', '2', '--to', target.url)
  const named = target.posted.map(({ headers }) => headers.filter(([name]) => name === 'Content-Type'))
  expect(named).toEqual([[['Content-Type', 'application/json']], []])
})

describe('the target', () => {
  it('is where the event was last forwarded', async () => {
    const world = emptyWorld()
    const [first, second] = [await webhookTarget(), await webhookTarget()]
    const forwards = [first, second].map(({ url }) => ({ url, status: 500 }))
    await recordEvent(world, paymentBody('a'), { forwards })
    const { exit, stderr } = await world.run(['webhook', 'replay', '1'])
    expect([exit, stderr]).toEqual([0, `To ${second.url}: its last forward target\n`])
    expect([first.posted.length, second.posted.length]).toEqual([0, 1])
  })

  it('stays where it was if another one is typed once', async () => {
    const world = inThisProcess(emptyWorld())
    const target = await webhookTarget()
    await recordEvent(world, paymentBody('a'), { forwards: [{ url: target.url, status: 500 }] })
    expect((await world.run(['webhook', 'replay', '1', '--to', 'http://127.0.0.1:1/'])).exit).toBe(6)
    const again = await world.run(['webhook', 'replay', '1'])
    expect([again.exit, again.stderr]).toEqual([0, `To ${target.url}: its last forward target\n`])
  })

  it('is the listener of its account, else the callback URL', async () => {
    const world = emptyWorld({ PIXGATE_CLIENT_SECRET: 'listener-test-secret' })
    const listening = await startListening(world)
    const lone = { profile: null, environment: 'sandbox', baseUrl: null, clientId: null } as const
    await recordEvent(world, paymentBody('a'), { owner: lone })
    const { stderr } = await world.run(['webhook', 'replay', '1'])
    expect(stderr).toBe(`To http://127.0.0.1:${listening.port}/: the listener that runs on this machine\n`)
    const target = await webhookTarget()
    await recordEvent(world, paymentBody('b'))
    const env = { PIXGATE_CALLBACK_URL: target.url, PIXGATE_CLIENT_SECRET: undefined }
    const called = await world.run(['webhook', 'replay', '2'], { env })
    expect([called.exit, called.stderr]).toEqual([0, `To ${target.url}: the callback URL of PIXGATE_CALLBACK_URL\n`])
  })

  it('is required if there is no default', async () => {
    const world = inThisProcess(emptyWorld())
    await recordEvent(world, paymentBody('a'), { owner: { ...LOCAL, clientId: 'other' } })
    const { exit, stdout, stderr } = await world.run(['webhook', 'replay', '1'])
    expect([exit, stdout]).toEqual([2, ''])
    expect(stderr).toContain(
      'error: There is no target: no listener runs here for this account, and it has no callback URL\n',
    )
  })
})

describe('which events are meant', () => {
  async function several(): Promise<{ world: World; to: string[] }> {
    const world = emptyWorld()
    const { url } = await webhookTarget()
    const hourAgoMs = Date.now() - 3_600_000
    const failed = {
      forwards: [
        { url, status: 200 },
        { url, status: 500 },
      ],
    }
    const repaired = {
      forwards: [
        { url, status: null, error: 'silence' },
        { url, status: 200 },
      ],
    }
    const silent = { forwards: [{ url, status: null, error: 'silence' }] }
    const broken = { forwards: [{ url, status: 200, error: 'broke off' }] }
    await recordEvent(world, paymentBody('a'), { ...failed, receivedAtMs: hourAgoMs - 60_000 })
    await recordEvent(world, paymentBody('b', '1'), { receivedAtMs: hourAgoMs - 60_000 })
    await recordEvent(world, paymentBody('b', '2'), { ...repaired, receivedAtMs: hourAgoMs + 1_800_000 })
    await recordEvent(world, paymentBody('c'), silent)
    await recordEvent(world, paymentBody('d'), broken)
    await recordEvent(world, paymentBody('3'))
    return { world, to: ['--to', url] }
  }

  it('is selected by number, record id, idTransaction and options', async () => {
    const { world, to } = await several()
    const page = await world.prepare(['webhook', 'events', 'show', '2'])
    const recordId = /^record +(\S+)$/m.exec(page)?.[1] ?? ''
    const picked: [string[], unknown][] = []
    for (const words of [
      ['4', '2'],
      ['b'],
      ['b', '2', '3'],
      ['a'],
      ['--since', '1h'],
      ['b', '--since', '1h'],
      ['1', '4', '--failed'],
      ['3', '6'],
    ]) {
      const { document } = await replay(world, ...words, ...to)
      picked.push([words, numbers(document)])
    }
    expect(picked.map(([, found]) => found)).toEqual([[4, 2], [2, 3], [2, 3], [1], [3, 4, 5, 6], [3], [], [3, 6]])
    for (const [words, n] of [
      [['1'], 1],
      [['#1'], 1],
      [[recordId], 2],
      [['--last'], 6],
      [['b', '--last'], 3],
    ] as const) {
      expect((await replay(world, ...words, ...to)).document).toMatchObject({ n, status: 200 })
    }
  })

  it('is what failed, until it succeeds', async () => {
    const { world, to } = await several()
    const first = await replay(world, '--failed', ...to)
    expect([first.exit, numbers(first.document)]).toEqual([0, [1, 4, 5]])
    const second = await replay(world, '--failed', ...to)
    expect([second.exit, second.stdout]).toEqual([0, '[]\n'])
    const { stdout, stderr, exit } = await world.run(['webhook', 'replay', '--failed'])
    expect([exit, stdout, stderr]).toEqual([0, '', 'No recorded event matches; nothing was sent\n'])
  })

  it('is what failed again, too', async () => {
    const world = inThisProcess(emptyWorld())
    const target = await webhookTarget()
    await recordEvent(world, paymentBody('a'))
    target.answer(503, 200)
    expect((await replay(world, '1', '--to', target.url)).exit).toBe(1)
    expect((await replay(world, '--failed')).document).toMatchObject([{ n: 1, url: target.url, status: 200 }])
    expect((await replay(world, '--failed')).document).toEqual([])
    expect((await replay(world, '1', '--to', 'http://127.0.0.1:1/')).exit).toBe(6)
    expect(numbers((await replay(world, '--failed')).document)).toEqual([1])
  })

  it('is that of the account that the command line names', async () => {
    const world = inThisProcess(emptyWorld())
    const { url } = await webhookTarget()
    await recordEvent(world, paymentBody('a'))
    await recordEvent(world, paymentBody('b'), { owner: { ...LOCAL, clientId: 'other' } })
    expect(numbers((await replay(world, '--since', '1h', '--to', url, '-p', 'local')).document)).toEqual([1])
    expect((await replay(world, 'b', '--to', url, '-p', 'local')).exit).toBe(3)
    expect((await replay(world, '2', '--to', url, '-p', 'local')).exit).toBe(3)
  })
})

describe('an edited event', () => {
  it('is signed anew, in the encoding and place of the old signature', async () => {
    const world = inThisProcess(emptyWorld())
    const target = await webhookTarget()
    const body = paymentBody('a')
    await recordEvent(world, body, { headers: headersOf(body, 'base64'), forwards: [{ url: target.url, status: 500 }] })
    const edited = body.replace('10.50', '0.010')
    expect((await replay(world, '1', '--set', 'data.amount=0.010')).exit).toBe(0)
    expect(target.posted.map((posted) => posted.body)).toEqual([edited])
    expect(target.posted[0]?.headers.slice(2, 4)).toEqual([
      ['x-signature', hmac(edited, 'local-secret', 'base64')],
      ['Content-Type', 'application/json; charset=utf-8'],
    ])
    expect(numbers((await replay(world, '--failed')).document)).toEqual([1])
  })

  it('has another body, edited too', async () => {
    const world = inThisProcess(emptyWorld())
    const target = await webhookTarget()
    await recordEvent(world, paymentBody('a'), { headers: [['X-Trace', '1']] })
    writeFileSync(join(world.home, 'body.json'), '{"a":1}')
    const { exit } = await replay(
      world,
      '1',
      '--body',
      join(world.home, 'body.json'),
      '--set',
      'b=2',
      '--to',
      target.url,
    )
    expect([exit, target.posted[0]?.body]).toEqual([0, '{"a":1,"b":2}'])
    expect(target.posted.map(signaturesOf)).toEqual([[hmac('{"a":1,"b":2}')]])
  })

  it('is refused by a read-only profile and asks for consent in production', async () => {
    const world = inThisProcess(emptyWorld())
    const target = await webhookTarget()
    const own = { profile: null, baseUrl: target.url, clientId: 'local' }
    await recordEvent(world, paymentBody('a'), { owner: { ...own, environment: 'production' } })
    await recordEvent(world, paymentBody('b'), { owner: { ...own, environment: 'sandbox' } })
    const profile = {
      baseUrl: target.url,
      clientId: 'local',
      secret: { source: 'stored', value: 'local-secret' },
    } as const
    await changeProfiles(join(world.home, 'config'), () => ({
      active: 'prod',
      profiles: new Map([
        ['prod', { ...profile, environment: 'production' }],
        ['look', { ...profile, environment: 'sandbox', readOnly: true }],
      ]),
    }))
    const edit = ['webhook', 'replay', '1', '--set', 'data.amount=1', '--to', target.url]
    const looking = await world.run([...edit.map((word) => (word === '1' ? '2' : word)), '-p', 'look'])
    expect([looking.exit, looking.stderr.split('\n')[0]]).toEqual([
      2,
      'error: The profile look is read-only: nothing is signed with it',
    ])
    const asking = await world.run([...edit, '-o', 'json'])
    expect([asking.exit, JSON.parse(asking.stderr).error.code]).toEqual([2, 'CONFIRMATION_REQUIRED'])
    expect(target.posted).toEqual([])
    expect((await world.run([...edit, '--confirm', 'prod'])).exit).toBe(0)
    const unedited = await world.run(['webhook', 'replay', '2', '--to', target.url, '-p', 'look'])
    expect([unedited.exit, target.posted.length]).toEqual([0, 2])
  })
})

itOnTerminal('keeps what was answered before Ctrl-C', async () => {
  const world = emptyWorld()
  const target = await webhookTarget()
  await recordEvent(world, paymentBody('a'), { forwards: [{ url: target.url, status: 500 }] })
  await recordEvent(world, paymentBody('b'), { forwards: [{ url: `${target.url}?hang`, status: 500 }] })
  const isAsked = target.hang('?hang')
  const terminal = onTerminal(world, ['webhook', 'replay', '--failed'])
  await isAsked
  terminal.press('\x03')
  const { exit, screen } = await terminal.ended
  expect([exit, screen.includes('error: Interrupted after 1 of 2 deliveries')]).toEqual([130, true])
  target.answer(200)
  expect(numbers((await replay(world, '--failed')).document)).toEqual([2])
})
