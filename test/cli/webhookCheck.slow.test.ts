import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { here } from '../inProcess.ts'
import { emptyWorld } from '../world.ts'
import { type Answer, type Arrived, check, given, hex, receiver, right, statusIn } from './checkedReceiver.ts'

it('finds nothing wrong with a right receiver, and sends it marked samples of R$ 0,10', async () => {
  const { url, all } = await receiver(right)
  const found = await check(url)
  expect(found).toMatchObject({ exit: 0, verdict: 'good', bad: [] })
  const open = found.checks.filter((each: { verdict: string }) => each.verdict === 'not-proved')
  expect(open).toMatchObject([{ name: 'unpaid' }, { name: 'repeated', status: 200 }, { name: 'at-once', status: 200 }])
  expect(new Set(all.map(({ marker }) => marker))).toEqual(new Set(['1']))
  const amounts = all.map(({ body }) => /"(?:amount|value)": ?([\d.]+)/.exec(body)?.[1])
  expect(new Set(amounts.map(Number))).toEqual(new Set([0.1]))
})

const MISTAKES: readonly [
  name: string,
  decide: (arrived: Arrived) => Answer | Promise<Answer>,
  bad: RegExp,
  cause: string | null,
][] = [
  [
    'no check',
    () => 200,
    /^unsigned forged /,
    'It accepts webhooks that anybody could send: the signature is not checked',
  ],
  [
    'parsed before it is verified',
    ({ body, signature }) => given(signature.toLowerCase() === hex(JSON.stringify(JSON.parse(body)))),
    /^pix.received\/PAID /,
    'It accepts only what JavaScript writes: the body is parsed and written again before it is verified',
  ],
  ['a wrong secret', ({ body, signature }) => given(signature === hex(body, 'another')), /^pix.received\/PAID /, null],
  [
    'a line break in the secret',
    ({ body, signature }) => given(signature === hex(body, 'local-secret\n')),
    /^pix.received\/PAID /,
    'Its secret ends with a line break',
  ],
  [
    'a trimmed body',
    ({ body, signature }) => given(signature.toLowerCase() === hex(body.trim())),
    /^line-break$/,
    'It refuses a body with a line break at its end: the body is trimmed before it is verified',
  ],
  [
    'Base64',
    ({ body, signature }) => given(signature === Buffer.from(hex(body), 'hex').toString('base64')),
    /^pix.received\/PAID /,
    'It takes the signature only in the other encoding',
  ],
  [
    'the first 8 characters only',
    ({ body, signature }) =>
      given(signature.length > 7 && signature.toLowerCase().slice(0, 8) === hex(body).slice(0, 8)),
    /^forged\/beginning forged\/short$/,
    'It accepts a signature of which only the beginning is right',
  ],
  [
    '204',
    (arrived) => (right(arrived) === 200 ? 204 : 401),
    /^pix.received\/PAID /,
    'It answers 2xx other than 200, so the service delivers again',
  ],
  [
    'a redirect',
    (arrived) => (right(arrived) === 200 ? 302 : 401),
    /^pix.received\/PAID /,
    'It redirects, and webhooks do not follow redirects',
  ],
  [
    'a crash on EXPIRED',
    (arrived) => (right(arrived) === 200 && statusIn(arrived.body) === 'EXPIRED' ? 500 : right(arrived)),
    /^pix.received\/EXPIRED$/,
    'It fails with 5xx instead of answering',
  ],
  [
    'a crash on a repeated key',
    (arrived) => (right(arrived) === 200 && arrived.body.split('"idTransaction"').length > 2 ? 500 : right(arrived)),
    /^repeated-key$/,
    'It fails with 5xx instead of answering',
  ],
  [
    '404 to an unknown payment',
    (arrived) => (right(arrived) === 200 ? 404 : 401),
    /^pix.received\/PAID /,
    'It answers 404 to a payment that it does not know',
  ],
  [
    'a check only of what is signed',
    (arrived) => (arrived.signature === '' ? 200 : right(arrived)),
    /^unsigned forged\/empty$/,
    'It checks a signature only if there is one, so it accepts unsigned webhooks that anybody could send',
  ],
  [
    'a secret that is not set',
    ({ body, signature }) => given(signature === hex(body, 'undefined')),
    /^pix.received\/PAID /,
    'Its secret is not set, so anybody can sign webhooks that it accepts',
  ],
  [
    'swapped arguments',
    ({ body, signature }) => given(signature === hex('local-secret', body)),
    /^pix.received\/PAID /,
    'It expects the signature `hmac-sha256(body, secret)`, not `hmac-sha256(secret, body)`',
  ],
  [
    'SHA-1',
    ({ body, signature }) => given(signature === createHmac('sha1', 'local-secret').update(body).digest('hex')),
    /^pix.received\/PAID /,
    'It expects the signature `hmac-sha1(secret, body)`, not `hmac-sha256(secret, body)`',
  ],
  [
    'sha256= before the hex',
    ({ body, signature }) => given(signature === `sha256=${hex(body)}`),
    /^pix.received\/PAID /,
    'It takes the signature only with `sha256=` before it',
  ],
  [
    'upper-case hex',
    ({ body, signature }) => given(signature === hex(body).toUpperCase()),
    /^pix.received\/PAID /,
    'It takes the signature only in upper-case hex',
  ],
  [
    'Latin-1',
    ({ body, signature }) => given(signature === hex(Buffer.from(body).toString('latin1'))),
    /^transfer.completed\/PAID_OUT payment\/PAID_OUT payment\/CHARGEBACK style\/java style\/javascript$/,
    'It takes only bodies without letters beyond ASCII: the text is decoded in another character set, such as Latin-1',
  ],
  [
    '409 to a repetition',
    (() => {
      const seen = new Set<string>()
      return (arrived: Arrived) => {
        if (right(arrived) !== 200) return 401
        const isNew = !seen.has(arrived.body)
        seen.add(arrived.body)
        return isNew ? 200 : 409
      }
    })(),
    /^repeated at-once$/,
    'It refuses a repetition of what it has taken, so the service delivers it again and again',
  ],
  [
    'one event only',
    (arrived) => (right(arrived) === 200 && !arrived.body.includes('"pix.received"') ? 400 : right(arrived)),
    /^refund.status\/COMPLETED (?!.*pix\.received)/,
    'It refuses events or states that it does not act on, although it takes the signature of others',
  ],
  [
    'a CSRF check',
    () => ({ status: 403, body: '<h1>Forbidden</h1><p>CSRF verification failed. Request aborted.</p>' }),
    /^pix.received\/PAID /,
    'A CSRF check refuses it before the signature is verified',
  ],
  [
    'a login',
    () => ({ status: 401, headers: { 'WWW-Authenticate': 'Basic realm="shop"' } }),
    /^pix.received\/PAID /,
    'It asks for a login before it verifies the signature',
  ],
  [
    'a page to log in',
    () => ({ status: 302, headers: { Location: '/login?next=/hook' } }),
    /^pix.received\/PAID /,
    'It asks for a login before it verifies the signature',
  ],
  [
    'a limit after five',
    (() => {
      let arrived = 0
      return (each: Arrived) => {
        arrived += 1
        return arrived > 5 ? 429 : right(each)
      }
    })(),
    /^pix.received\/EXPIRED /,
    'It limits how often it answers, and webhooks come in bursts',
  ],
  ['another path', () => 404, /^pix.received\/PAID /, 'There is nothing at this path'],
  ['no answer', () => null, /^pix.received\/PAID /, 'It does not answer'],
]

it.each(MISTAKES)('finds the mistake: %s', async (_name, decide, bad, cause) => {
  const { url } = await receiver(decide)
  const found = await check(url)
  expect([found.exit, found.verdict]).toEqual([1, 'bad'])
  expect(found.bad.join(' ')).toMatch(bad)
  expect(found.causes).toEqual([cause])
})

it('names no cause if the receiver refused everything and then takes everything', async () => {
  let arrived = 0
  const { url } = await receiver(() => {
    arrived += 1
    return given(arrived > 32)
  })
  const found = await check(url)
  expect(found.causes).toEqual([null])
})

it('sends one after another to a receiver that answers so', { timeout: 60_000 }, async () => {
  let line: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let waitingMost = 0
  const { url } = await receiver(async (arrived) => {
    waiting += 1
    waitingMost = Math.max(waitingMost, waiting)
    line = line.then(() => sleep(150))
    await line
    waiting -= 1
    return right(arrived)
  })
  expect(await check(url)).toMatchObject({ exit: 0, bad: [] })
  // Five, because the service may send one event as often.
  expect(waitingMost).toBe(5)
})

it('names a receiver that fails at forged webhooks, but does not call it wrong', async () => {
  const { url } = await receiver((arrived) => (arrived.signature.length === 64 ? right(arrived) : 500))
  const { exit, checks } = await check(url)
  const cause = 'It fails with 5xx at a forged webhook instead of refusing it'
  expect(exit).toBe(0)
  expect(checks.find(({ name }: { name: string }) => name === 'forged/short')).toMatchObject({
    verdict: 'not-proved',
    cause,
  })
})

it('takes a receiver for right that knows only what the service sends', async () => {
  const { url } = await receiver(({ body, signature }) => given(signature === hex(body)))
  expect(await check(url)).toMatchObject({ exit: 0, verdict: 'good', bad: [] })
})

it('does not call a forged one rightly refused where nothing is taken', async () => {
  const { url } = await receiver(() => 404)
  const { checks } = await check(url)
  expect(checks.filter(({ verdict }: { verdict: string }) => verdict === 'good')).toEqual([])
})

it('gives up after three answers that took longer than 5 s', { timeout: 90_000 }, async () => {
  const { url, all } = await receiver((arrived) => sleep(5_200).then(() => right(arrived)))
  const found = await check(url)
  expect(found).toMatchObject({ exit: 1, bad: ['pix.received/PAID'] })
  expect(found.causes).toEqual(['It answers after 5 s, when the service has given up and delivers again'])
  expect(all).toHaveLength(3)
})

it.each([
  ['right', 0, []],
  [
    'reserialised',
    1,
    ['It accepts only what Python writes: the body is parsed and written again before it is verified'],
  ],
])('judges a receiver in Python: %s', async (mistake, exit, causes) => {
  const child = spawn('python3', [join(import.meta.dirname, '../fixtures/receiver.py'), mistake], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  const port = (await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()).value
  expect(await check(`127.0.0.1:${port}/pix`)).toMatchObject({ exit, causes })
})

it('shows a table, and says that no connection was made', async () => {
  const { url } = await receiver(() => 200)
  const world = emptyWorld()
  const { exit, stdout } = await world.run(['webhook', 'check', url])
  expect(exit).toBe(1)
  expect(stdout).toMatch(/^✓ {2}200 +[\d.]+ m?s {2}21 genuine webhooks$/m)
  expect(stdout).toMatch(/^✗ {2}200 +[\d.]+ m?s {2}5 forged webhooks {2}expected 401$/m)
  const { stdout: whole } = await here(world)(['webhook', 'check', url, '-v'])
  expect(whole).toMatch(/^✓ {2}200 +[\d.]+ m?s {2}pix\.received PAID$/m)
  expect(whole).toMatch(/^✗ {2}200 +[\d.]+ m?s {2}without a signature {2}expected 401$/m)
  expect(stdout).toContain('\nIt accepts webhooks that anybody could send: the signature is not checked\n')
  const none = await here(world)(['webhook', 'check', 'http://127.0.0.1:1/'])
  expect(none).toMatchObject({
    exit: 6,
    stdout: '',
    stderr: expect.stringContaining('No connection to http://127.0.0.1:1 was made'),
  })
})
