import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { here } from '../inProcess.ts'
import { listeningHere } from '../listener/listening.ts'
import { onTerminalHere } from '../onTerminalHere.ts'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'
import { emptyWorld } from '../world.ts'
import { inThisProcess } from './payments.ts'
import { hmac, type Posted, signaturesOf, webhookTarget } from './webhookTarget.ts'

const EVENTS = ['pix.received', 'refund.status', 'transfer.completed', 'transfer.failed', 'payment']
const SENT = /^✓ 200 +[\d.]+ m?s {2}\S+ {2}[0-9a-f-]{36}\n$/

/** Sends one in the process of the tests, where many cases are alike. */
async function sent(args: readonly string[], said = ''): Promise<Posted> {
  const target = await webhookTarget()
  const ran = await here(emptyWorld())(['webhook', 'send', ...args, '--to', target.url])
  expect(ran.stderr).toBe(said)
  expect(ran.exit).toBe(0)
  expect(target.posted).toHaveLength(1)
  return target.posted[0] ?? { target: '', headers: [], body: '' }
}

describe('what is sent', () => {
  it.each(EVENTS)('is a signed sample: %s', async (event) => {
    const target = await webhookTarget()
    const world = inThisProcess(emptyWorld())
    const run = event === 'payment' ? world.run : here(world)
    const ran = await run(['webhook', 'send', event, '--to', target.url])
    expect(ran).toMatchObject({ exit: 0, stderr: '' })
    expect(ran.stdout).toMatch(SENT)
    const [posted] = target.posted
    if (posted === undefined) throw new Error('nothing was sent')
    const { body, headers } = posted
    expect(JSON.parse(body).event ?? 'payment').toBe(event)
    expect(headers).toEqual([
      ['host', new URL(target.url).host],
      ['connection', 'keep-alive'],
      ['Content-Type', 'application/json'],
      ['User-Agent', 'pixgate'],
      ['X-Signature', hmac(body)],
      ['content-length', String(Buffer.byteLength(body))],
    ])
  })

  it('has fresh ids each time', async () => {
    const bodies = [await sent(['pix.received']), await sent(['pix.received'])].map(({ body }) => JSON.parse(body))
    expect(bodies[0].data.idTransaction).not.toBe(bodies[1].data.idTransaction)
  })

  it('is signed in Base64, wrongly, or not at all', async () => {
    const base64 = await sent(['pix.received', '--signature-encoding', 'base64'])
    expect(signaturesOf(base64)).toEqual([hmac(base64.body, 'local-secret', 'base64')])
    const wrong = await sent(['pix.received', '--bad-signature'])
    expect(signaturesOf(wrong)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
    expect(signaturesOf(wrong)).not.toEqual([hmac(wrong.body)])
    expect(signaturesOf(await sent(['pix.received', '--unsigned']))).toEqual([])
  })

  it.each([
    ['java', /"status":"PAID","amount":149\.90,/],
    ['php', /"status":"PAID","amount":149\.9,/],
    ['python', /"status": "PAID", "amount": 149\.9, /],
    ['javascript', /"status":"PAID","amount":149\.9,/],
  ])('is written as a service in %s writes it', async (style, written) => {
    const posted = await sent(['pix.received', '--webhook-style', style])
    expect(posted.body).toMatch(written)
    expect(signaturesOf(posted)).toEqual([hmac(posted.body)])
  })

  it('takes values as they are typed, and is signed with them', async () => {
    const values = ['--set', 'data.amount=10.50', '--set', 'data.status=REFUNDED', '--set', 'data.note.deep=x']
    const said = 'warning: `--set` adds `data.note.deep`, which the body does not have\n'
    const posted = await sent(['pix.received', ...values], said)
    expect(posted.body).toMatch(/"status":"REFUNDED","amount":10\.50,.*"note":\{"deep":"x"\}\}\}$/)
    expect(signaturesOf(posted)).toEqual([hmac(posted.body)])
  })

  it('is one that the service could send', async () => {
    const { body } = await sent(['pix.received', '--set', 'data.status=EXPIRED'])
    expect(JSON.parse(body).data).toMatchObject({ status: 'EXPIRED', paidAt: null })
  })

  it('repeats the key of a refund, each id as it was set', async () => {
    const ids = ['--set', 'data.idTransaction=own', '--set', 'data.originalTransactionId=original']
    const { body } = await sent(['refund.status', '--repeated-key', ...ids])
    expect(body).toContain('"data":{"idTransaction":"own","idTransaction":"original","status"')
  })

  it('is a body of your own, byte for byte', async () => {
    const target = await webhookTarget()
    const world = inThisProcess(emptyWorld())
    const body = '{ "event" : "pix.received",\r\n "data": {"amount": 1.0} }\n'
    writeFileSync(join(world.home, 'event.json'), body)
    const to = ['--to', target.url]
    await world.prepare(['webhook', 'send', '--body', join(world.home, 'event.json'), ...to])
    await world.json(['webhook', 'send', 'pix.received', '--body', '-', '--set', 'data.amount=2.00', ...to], {
      stdin: body,
    })
    await world.prepare(['webhook', 'send', '--body', '-', ...to], { stdin: 'no JSON' })
    await world.prepare(['webhook', 'send', '--body', '-', ...to], { stdin: '' })
    expect(target.posted.map((posted) => posted.body)).toEqual([body, body.replace('1.0', '2.00'), 'no JSON', ''])
    expect(target.posted.map(signaturesOf)).toEqual(target.posted.map((posted) => [hmac(posted.body)]))
  })

  it.each([[[]], [['--at-once']]])('is the same bytes several times %s', async (words) => {
    const target = await webhookTarget()
    const ran = await inThisProcess(emptyWorld()).run([
      'webhook',
      'send',
      'payment',
      '--times',
      '5',
      ...words,
      '--to',
      target.url,
      '--json',
    ])
    expect(ran).toMatchObject({ exit: 0, stderr: '' })
    expect(JSON.parse(ran.stdout)).toHaveLength(5)
    expect(target.posted).toHaveLength(5)
    expect(new Set(target.posted.map(({ body, headers }) => JSON.stringify([body, headers]))).size).toBe(1)
  })

  it('is signed with a secret that is alone in the environment', async () => {
    const target = await webhookTarget()
    const env = { PIXGATE_CLIENT_SECRET: 'a lone secret' }
    await inThisProcess(emptyWorld(env)).prepare(['webhook', 'send', 'payment', '--to', target.url])
    expect(target.posted.map(signaturesOf)).toEqual(target.posted.map(({ body }) => [hmac(body, 'a lone secret')]))
  })
})

describe('what is answered', () => {
  it('is a document for a program', async () => {
    const target = await webhookTarget({ body: 'no, \u001b[31mthanks' })
    target.answer(500, 200)
    const args = [
      'webhook',
      'send',
      'pix.received',
      '--to',
      target.url,
      '--set',
      'data.idTransaction=abc',
      '-o',
      'json',
    ]
    const ran = await inThisProcess(emptyWorld()).run(args)
    const fixed = { url: target.url, event: 'pix.received', idTransaction: 'abc', ms: expect.any(Number), error: null }
    expect(ran).toMatchObject({ exit: 1, stderr: '' })
    expect(JSON.parse(ran.stdout)).toEqual({ ...fixed, status: 500, body: 'no, \u001b[31mthanks' })
    expect(JSON.parse(await inThisProcess(inThisProcess(emptyWorld())).prepare(args))).toMatchObject({
      ...fixed,
      status: 200,
    })
  })

  it('is a list for several, one that failed in its place', async () => {
    const target = await webhookTarget()
    target.answer(200, 503, 200)
    const args = ['webhook', 'send', 'payment', '--times', '3', '--to', target.url]
    const json = await inThisProcess(emptyWorld()).run([...args, '-o', 'json'])
    expect([json.exit, JSON.parse(json.stdout).map(({ status }: { status: number }) => status)]).toEqual([
      1,
      [200, 503, 200],
    ])
    const csv = await here(emptyWorld())([...args, '-o', 'csv', '--fields', 'status,event'])
    expect(csv).toEqual({ exit: 0, stdout: 'status,event\n200,payment\n200,payment\n200,payment\n', stderr: '' })
  })

  it('is shown with its beginning and the likely cause', async () => {
    const target = await webhookTarget({ body: 'Traceback\n  at \u001b[31mline\u202e 1\n' })
    target.answer(500)
    const { exit, stdout } = await inThisProcess(emptyWorld()).run([
      'webhook',
      'send',
      'pix.received',
      '--to',
      target.url,
    ])
    expect([exit, ...stdout.split('\n').slice(1)]).toEqual([
      1,
      '  Traceback',
      '  at \\u{1b}[31mline\\u{202e} 1',
      '  It fails with 5xx instead of answering',
      '  Look at its log',
      '  This command finds out why:',
      `  pixgate webhook check ${target.url}`,
      '',
    ])
    target.answer(204)
    const noContent = await here(emptyWorld())(['webhook', 'send', 'pix.received', '--to', target.url])
    expect([noContent.exit, noContent.stdout.split('\n')[1]]).toEqual([
      1,
      '  It answers 2xx other than 200, so the service delivers again',
    ])
  })

  it('says what a receiver does with a signature that is not genuine', async () => {
    const target = await webhookTarget()
    target.answer(200, 401, 500)
    const remarks: unknown[] = []
    for (const flaw of ['--unsigned', '--bad-signature', '--unsigned']) {
      const { exit, stdout } = await here(emptyWorld())(['webhook', 'send', 'payment', flaw, '--to', target.url])
      remarks.push([exit, stdout.split('\n')[1]])
    }
    expect(remarks).toEqual([
      [0, '  It accepted a webhook without a genuine signature, which anyone could send'],
      [1, '  It refused a webhook without a genuine signature, as it should'],
      [1, '  It failed instead of refusing: a missing signature must give 401, not an exception; look at its log'],
    ])
  })

  it('does not come from a target without a listener', async () => {
    const args = ['webhook', 'send', 'pix.received', '--to', 'http://127.0.0.1:1/']
    const { exit, stdout } = await inThisProcess(emptyWorld()).run(args)
    expect([exit, stdout.split('\n')[1]]).toEqual([
      6,
      '  Nothing listens at http://127.0.0.1:1; is your server running?',
    ])
    const ran = await here(emptyWorld())([...args, '-o', 'json'])
    expect(ran).toMatchObject({ exit: 6, stderr: '' })
    expect(JSON.parse(ran.stdout)).toMatchObject({
      status: null,
      error: 'Nothing listens at http://127.0.0.1:1; is your server running?',
    })
  })
})

it('shows with --verbose what was sent', async () => {
  const target = await webhookTarget()
  const { stderr } = await emptyWorld().run(['webhook', 'send', 'payment', '-v', '--to', target.url])
  const [posted] = target.posted
  expect(stderr.split('\n')).toEqual([
    `> POST ${target.url} ${Buffer.byteLength(posted?.body ?? '')} bytes`,
    '> Content-Type: application/json',
    '> User-Agent: pixgate',
    `> X-Signature: ${hmac(posted?.body ?? '')}`,
    expect.stringMatching(/^< 200 in \d+ ms$/),
    '',
  ])
})

describe('without --to', () => {
  it('it goes to the listener of this account that runs here', async () => {
    const world = inThisProcess(emptyWorld())
    const listening = await listeningHere(world)
    const env = { PIXGATE_CLIENT_SECRET: 'listener-test-secret' }
    const { exit, stderr } = await world.run(['webhook', 'send', 'payment'], { env })
    const url = `http://127.0.0.1:${listening.port}/`
    expect([exit, stderr]).toEqual([0, `To ${url}: the listener that runs on this machine\n`])
    const other = await world.run(['webhook', 'send', 'payment'])
    expect(other.stderr).toBe('To http://127.0.0.1:4242/: the callback URL of profile local\n')
  })

  it('it goes to the callback URL', async () => {
    const target = await webhookTarget()
    const env = { PIXGATE_CALLBACK_URL: target.url }
    const { exit, stderr } = await inThisProcess(emptyWorld(env)).run(['webhook', 'send', 'payment'])
    expect([exit, stderr]).toEqual([0, `To ${target.url}: the callback URL of PIXGATE_CALLBACK_URL\n`])
    await inThisProcess(emptyWorld({ ...env, PIXGATE_CLIENT_SECRET: 'alone' })).prepare(['webhook', 'send', 'payment'])
    expect(target.posted).toHaveLength(2)
  })
})

itOnTerminal('ends at Ctrl-C, and says how far it was', async () => {
  const target = await webhookTarget()
  const isAsked = target.hang('/hook')
  const terminal = onTerminal(emptyWorld(), ['webhook', 'send', 'payment', '--times', '3', '--to', target.url])
  await isAsked
  terminal.press('\x03')
  const { exit, screen } = await terminal.ended
  // A sandbox of another test may still deliver to a listener that had this port before.
  expect([exit, target.posted.filter(({ target: path }) => path === '/hook').length]).toEqual([130, 1])
  expect(screen).toContain('error: Interrupted after 0 of 3 deliveries\n  A delivery in progress may have arrived\n')
})

it('fits a narrow terminal, ids and the command whole', async () => {
  const target = await webhookTarget({ body: 'word '.repeat(60) })
  target.answer(400)
  const { screen } = await onTerminalHere(emptyWorld(), ['webhook', 'send', 'payment', '--to', target.url], {
    columns: 40,
  }).ended
  const lines = screen.split('\n')
  expect(lines.filter((line) => line.length > 40)).toEqual([`pixgate webhook check ${target.url}`])
  expect(screen).toContain(JSON.parse(target.posted[0]?.body ?? '').idTransaction)
})
