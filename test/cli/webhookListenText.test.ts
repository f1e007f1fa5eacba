import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { SECRET } from '../listener/listening.ts'
import { itOnTerminal, type OnTerminal, onTerminal } from '../pseudoTerminal.ts'
import {
  CHARGED_BACK,
  FAILED,
  PAID_OUT,
  PAYMENT_ID,
  RECEIVED,
  REFUND_ID,
  REFUNDED,
  TRANSFER_ID,
} from '../views/events/sampleEventViews.ts'
import { BINARY, emptyWorld, NODE, type World } from '../world.ts'
import { send } from './listenerRun.ts'
import { hmac, webhookTarget } from './webhookTarget.ts'

const RETURNED = { ...FAILED, data: { ...FAILED.data, statusTransaction: 'RETURNED' } }
const BODIES = [RECEIVED, PAID_OUT, FAILED, RETURNED, CHARGED_BACK].map((body) => JSON.stringify(body))
const IDS = [PAYMENT_ID, REFUND_ID, TRANSFER_ID]
const LISTEN = ['webhook', 'listen', '--port', '0']
const ENV = { PIXGATE_CLIENT_SECRET: SECRET }

/** What the listener writes into a pipe, from its start to Ctrl-C. */
async function piped(world: World, args: readonly string[], steps: (port: number) => Promise<unknown>) {
  const child = spawn(NODE, [BINARY, ...LISTEN, ...args], { env: { ...world.env, ...ENV } })
  onTestFinished(() => void child.kill('SIGKILL'))
  const all = Promise.all([text(child.stdout), text(child.stderr)])
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve))
  const port = await new Promise<number>((resolve) =>
    child.stdout.once('data', (bytes: Buffer) => resolve(portIn(bytes.toString()))),
  )
  await steps(port)
  child.kill('SIGINT')
  const [stdout, stderr] = await all
  return { exit: await exit, stdout, stderr }
}

function portIn(words: string): number {
  return Number(/:(\d+)\//.exec(words)?.[1])
}

/** The port that a listener on a terminal says. */
async function portOf(terminal: OnTerminal): Promise<number> {
  await terminal.shows('listens at')
  await terminal.shows('Ctrl-C')
  return portIn(terminal.written())
}

it('writes plain, aligned lines into a pipe', async () => {
  const ran = await piped(emptyWorld(), [], async (port) => {
    for (const body of [...BODIES, REFUNDED]) await send(port, { body })
    await send(port, { body: REFUNDED })
    await send(port, { lines: [], body: BODIES[0] ?? '' })
    await send(port, { method: 'GET' })
    await send(port, { host: 'evil.example' })
  })
  expect(ran.exit).toBe(0)
  expect(ran.stdout).not.toContain('\u001b')
  const lines = ran.stdout.split('\n').filter((line) => /\d\d:\d\d:\d\d/.test(line))
  expect(lines.map((line) => line.replace(/\d\d:\d\d:\d\d/, 'hh:mm:ss').replace(/ +[\d.]+ ms/, ' 0 ms'))).toEqual([
    `   hh:mm:ss  ✓ ok   pix.received        PAID             R$ 25,00  ${PAYMENT_ID} 0 ms  #1`,
    `   hh:mm:ss  ✓ ok   transfer.completed  PAID_OUT      R$ 1.500,00  ${TRANSFER_ID} 0 ms  #2  to Maria da Silva Santos, ***.982.247-**, Banco do Brasil`,
    `!! hh:mm:ss  ✓ ok   transfer.failed     ERROR            R$ 12,00  ${TRANSFER_ID} 0 ms  #3  NO_FUNDS: Saldo insuficiente`,
    `!! hh:mm:ss  ✓ ok   transfer.failed     RETURNED         R$ 12,00  ${TRANSFER_ID} 0 ms  #4  NO_FUNDS: Saldo insuficiente`,
    `!! hh:mm:ss  ✓ ok   payment             CHARGEBACK       R$ 25,00  ${PAYMENT_ID} 0 ms  #5  from João Pereira, ***.444.777-**`,
    `   hh:mm:ss  ✓ ok   refund.status       COMPLETED        R$ 10,00  ${REFUND_ID} → ${PAYMENT_ID} 0 ms  #6`,
    `   hh:mm:ss  ✓ dup  refund.status       COMPLETED        R$ 10,00  ${REFUND_ID} → ${PAYMENT_ID} 0 ms  #6`,
    `   hh:mm:ss  ✗ no signature  pix.received  PAID          R$ 25,00  ${PAYMENT_ID}  pixgate webhook verify --last-refused`,
    `   hh:mm:ss  ✗ not POST 0 ms`,
    `   hh:mm:ss  ✗ wrong host 0 ms`,
  ])
  expect(ran.stdout).toMatch(
    /\n10 received: 7 valid, 2 invalid, 1 unsigned\n1 duplicate\ntime to answer: p50 .*, p95 .*, p99 .*\n$/,
  )
  expect(ran.stdout).toContain('\n   GET /: webhooks are POST requests\n')
  expect(ran.stdout).toContain(
    '\n   It was sent to evil.example, not to this listener; add `--public-url` if that is its host\n',
  )
  expect(ran.stderr).toMatch(/^Times are São Paulo time \(BRT\); today is \d\d\/\d\d\/\d{4}\nCtrl-C stops it/)
})

it('masks tax documents and never names, in the body too, unless told otherwise', async () => {
  const names = ['Maria da Silva Santos', 'João Pereira']
  const documents = ['52998224725', '11144477735']
  const bodies = [PAID_OUT, CHARGED_BACK].map((body) => JSON.stringify(body))
  const both = (args: readonly string[]) =>
    piped(emptyWorld(), args, async (port) => {
      for (const body of bodies) await send(port, { body })
    })
  for (const args of [[], ['--print-body']]) {
    const { stdout } = await both(args)
    expect([...documents, ...names].filter((each) => stdout.includes(each))).toEqual(names)
  }
  const { stdout } = await both(['--print-body', '--unmask'])
  expect([...documents, ...names].filter((each) => !stdout.includes(each))).toEqual([])
  expect(stdout).toContain('\n     "payerName": "João Pereira",\n')
})

it('shows the forward target and the results', async () => {
  const target = await webhookTarget({ body: '{"detail":"CSRF \u001b[2Jfailed"}\n' })
  target.answer(200, 403)
  const { origin } = new URL(target.url)
  const ran = await piped(emptyWorld(), ['--forward-to', origin], async (port) => {
    await send(port, { target: '/shop', body: BODIES[0] ?? '' })
    await expect.poll(() => target.posted.length).toBe(1)
    await send(port, { target: '/shop', body: BODIES[1] ?? '' })
  })
  expect(ran.stdout).toContain(`forwards to    ${origin}/\n`)
  expect(ran.stdout).toMatch(/^ {13}→ forwarded {2}200 ✓ {2}\d+ ms {2}#1$/m)
  expect(ran.stdout).toMatch(
    /→ forwarded {2}403 ✗ {2}\d+ ms {2}#2 {2}A CSRF check refuses it before the signature is verified\n +Exempt this path from the CSRF check\n/,
  )
  expect(ran.stdout).toContain('{"detail":"CSRF \\u{1b}[2Jfailed"}')
})

it('shows a refused webhook as one line, and what is proved about it in that line', async () => {
  const body = '{"event":"pix.received","data":{"idTransaction":"a","status":"PAID","amount":10.50}}'
  const ran = await piped(emptyWorld(), [], async (port) => {
    expect(await send(port, { body, lines: [`X-Signature: ${hmac(body, `${SECRET}\n`)}`] })).toBe(401)
    for (let n = 0; n < 199; n += 1) await send(port, { body, lines: [`X-Signature: ${hmac(body, 'another')}`] })
  })
  const lines = ran.stdout.split('\n').filter((line) => line.includes('wrong signature'))
  expect(lines).toHaveLength(200)
  expect(ran.stdout.split('\n').length).toBeLessThanOrEqual(210)
  for (const line of lines) expect(line).toMatch(/ {2}pixgate webhook verify --last-refused$/)
  expect(lines.filter((line) => line.includes('matches if the secret has surrounding white space'))).toHaveLength(1)
})

it('does not name a command for a refused webhook that is not kept as it arrived', async () => {
  const world = emptyWorld()
  const bodies = [`{"a":"${SECRET}"}`, JSON.stringify('x'.repeat(70_000))]
  const ran = await piped(world, [], async (port) => {
    for (const body of bodies) expect(await send(port, { body, lines: [] })).toBe(401)
  })
  const advice = [
    "Its body contains a secret and is not kept: verify the sender's copy with `pixgate webhook verify --request request.txt`",
    'Pipe its line of `pixgate webhook listen -o json` to `pixgate webhook verify --request -`',
  ]
  const lines = ran.stdout.split('\n').filter((line) => line.includes('no signature'))
  expect(lines.map((line) => line.split(/no signature {2}(?:unknown {2})?/)[1])).toEqual(advice)
  for (const [place, hint] of [...advice].reverse().entries()) {
    const { exit, stderr } = await world.run(['webhook', 'verify', '--last-refused', String(place + 1)])
    expect(exit).toBe(1)
    expect(stderr).toContain(`hint: ${hint}\n`)
  }
})

it('tells a cause once for each target', async () => {
  const target = await webhookTarget()
  target.answer(404)
  const ran = await piped(emptyWorld(), ['--forward-to', target.url], async (port) => {
    for (const body of BODIES) await send(port, { body })
    await expect.poll(() => target.posted.length).toBe(BODIES.length)
  })
  expect(ran.stdout.match(/→ forwarded {2}404 ✗/g)).toHaveLength(BODIES.length)
  expect(ran.stdout.match(/There is nothing at this path/g)).toHaveLength(1)
})

itOnTerminal('is readable at 80 columns, and its ids can be copied', async () => {
  const terminal = onTerminal(emptyWorld(), LISTEN, { env: ENV })
  const port = await portOf(terminal)
  for (const body of [...BODIES, REFUNDED]) await send(port, { body })
  await send(port, { lines: [], body: REFUNDED })
  await terminal.shows('no signature')
  terminal.press('\x03')
  const { exit, screen, cooked, raw } = await terminal.ended
  expect({ exit, cooked }).toEqual({ exit: 0, cooked: true })
  expect(screen.split('\n').filter((line) => Array.from(line).length > 80)).toEqual([])
  for (const id of IDS) expect(screen).toContain(id)
  for (const amount of ['R$ 25,00', 'R$ 1.500,00', 'R$ 12,00', 'R$ 10,00']) expect(screen).toContain(amount)
  for (const word of ['transfer\\.failed', 'RETURNED', 'CHARGEBACK']) {
    expect(screen).toMatch(new RegExp(`^!! \\d\\d:\\d\\d:\\d\\d {2}✓ ok .*${word}`, 'm'))
  }
  expect(screen).toMatch(/7 received: 6 valid, 0 invalid, 1 unsigned\r?\n0 duplicates/)
  // NO_COLOR is set.
  expect(raw).not.toMatch(/\u001b\[[\d;]*m/)
})

itOnTerminal('makes what must not be overlooked red', async () => {
  const terminal = onTerminal(emptyWorld(), LISTEN, { env: { ...ENV, NO_COLOR: '', FORCE_COLOR: '1' }, columns: 200 })
  const port = await portOf(terminal)
  for (const body of BODIES) await send(port, { body })
  await send(port, { body: '{}', lines: ['X-Signature: a'] })
  await terminal.shows('CHARGEBACK')
  await terminal.shows('malformed')
  terminal.press('\x03')
  const { raw } = await terminal.ended
  const red = '\u001b[31m\u001b[1m'
  for (const word of ['transfer.failed', 'RETURNED', 'CHARGEBACK']) expect(raw).toContain(`${red}${word}`)
  expect(raw).toContain('\u001b[31m1 invalid\u001b[39m, 0 unsigned')
  for (const word of ['pix.received', 'PAID_OUT']) expect(raw).not.toContain(`${red}${word}`)
})
