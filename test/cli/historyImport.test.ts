import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { signBody } from '../../src/wire/signature.ts'
import { emptyWorld, type ProcessResult, sandboxWorld, type World } from '../world.ts'
import { listenHere } from './listener.ts'
import { inThisProcess, paidPayment, TRANSFER } from './payments.ts'

const SECRET = 'local-secret'

function body(idTransaction: string = randomUUID(), status = 'PAID_OUT'): string {
  const data = { idTransaction, typeTransaction: 'PIX_CASHOUT', statusTransaction: status, value: 1500 }
  return JSON.stringify({ event: 'transfer.completed', data })
}

function signed(text: string | Buffer, secret = SECRET): string {
  return signBody(Buffer.from(text), secret)
}

function line(text: string, own: object = {}): string {
  return JSON.stringify({ body: text, signature: signed(text), ...own })
}

function importing(world: World, content: string | Buffer, words: readonly string[] = []): Promise<ProcessResult> {
  const path = join(world.home, `${randomUUID()}.kept`)
  writeFileSync(path, content)
  return world.run(['history', 'import', path, '-o', 'json', ...words])
}

/** What an import said on stdout. */
function said({ exit, stdout, stderr }: ProcessResult): Record<string, unknown> {
  return { exit, ...(stdout === '' ? { stderr } : JSON.parse(stdout)) }
}

async function recorded(world: World): Promise<Record<string, unknown>[]> {
  return JSON.parse((await world.run(['webhook', 'events', '-o', 'json'])).stdout)
}

const ALL_GENUINE = { exit: 0, imported: 1, duplicates: 0, refused: [] }

describe('what a receiver may have kept', () => {
  const text = body('one')
  const bodyBase64 = Buffer.from(text).toString('base64')
  const head = `POST /hook?a=1 HTTP/1.1\r\nHost: shop\r\nX-Signature: ${signed(text)}\r\n`
  it.each<[string, string]>([
    ['a body and its signature', line(text)],
    ['the same with a byte order mark and a line break', `\uFEFF${line(text)}\r\n\n`],
    ['spread over lines', JSON.stringify({ body: text, signature: signed(text) }, null, 2)],
    ['its bytes in Base64', JSON.stringify({ bodyBase64, signature: signed(text) })],
    ['its headers in any case', JSON.stringify({ body: text, headers: { 'x-sIGNature': signed(text) } })],
    ['an event among the lines of a listener', listened(bodyBase64, { 'x-signature': signed(text) })],
    ['an array of events', `[${listened(bodyBase64, { 'x-signature': signed(text) }).replaceAll('\n', ',')}]`],
    ['a raw request', `${head}\r\n${text}`],
    ['a raw request with its length', `${head}Content-Length: ${text.length}\r\n\r\n${text}\r\n`],
    ['a raw request without its first line', `X-Signature: ${signed(text)}\n\n${text}`],
  ])('is %s', async (_name, content) => {
    const world = inThisProcess(emptyWorld())
    expect(said(await importing(world, content))).toEqual(ALL_GENUINE)
    const [event, ...others] = await recorded(world)
    expect(event).toMatchObject({ n: 1, event: 'transfer.completed', valid: true, bodyBase64 })
    expect(others).toEqual([])
  })

  function listened(bodyBase64: string, headers: object): string {
    const lines = [
      { type: 'ready', url: 'http://127.0.0.1:4242/' },
      { type: 'event', n: 7, event: 'transfer.completed', bodyBase64, headers, receivedAt: '2026-01-02T03:04:05.678Z' },
      { type: 'forward', n: 7, status: 200, ms: 3, body: 'thanks' },
      { type: 'summary', received: 1 },
    ]
    return lines.map((each) => JSON.stringify(each)).join('\n')
  }

  it('is read from standard input', async () => {
    const ran = await emptyWorld().run(['history', 'import', '-'], { stdin: line(text) })
    expect([ran.exit, ran.stderr]).toEqual([0, ''])
    expect(ran.stdout).toBe('imported      1\nduplicates    0\nnot imported  0\n')
  })

  it('is kept with the time at which it came, or now if that lies ahead', async () => {
    const world = inThisProcess(emptyWorld())
    const then = '2026-01-02T03:04:05.678Z'
    const times = [then, '2999-01-01T00:00:00Z'].map((receivedAt) => line(body(), { receivedAt }))
    expect(said(await importing(world, times.join('\n')))).toMatchObject({ imported: 2 })
    const [past, ahead] = await recorded(world)
    expect(past?.receivedAt).toBe(then)
    expect(String(ahead?.receivedAt) < '2999').toBe(true)
  })

  it('is genuine by the secret from before a rotation too', async () => {
    const world = inThisProcess(emptyWorld({ PIXGATE_PREVIOUS_CLIENT_SECRET: 'old-secret' }))
    const old = line(text, { signature: signed(text, 'old-secret') })
    expect(said(await importing(world, old))).toEqual(ALL_GENUINE)
  })
})

it('lists what is not genuine with its reason, and keeps the rest', async () => {
  const world = inThisProcess(emptyWorld())
  const big = JSON.stringify({ event: 'x'.repeat(1024 * 1024) })
  const lines = [
    line(body()),
    line(body(), { signature: signed('another body') }),
    line(body(), { signature: signed(body(), 'another secret') }),
    line(body(), { signature: 'abc' }),
    line(body(), { signature: '' }),
    JSON.stringify({ body: body() }),
    JSON.stringify({ body: body(), headers: { 'X-Signature': [signed(body()), signed(body())] } }),
    '',
    line('no json'),
    line(big),
    line(body()),
  ]
  const ran = await importing(world, lines.join('\n'))
  expect(said(ran)).toEqual({
    exit: 1,
    imported: 2,
    duplicates: 0,
    refused: [
      { line: 2, reason: 'mismatch' },
      { line: 3, reason: 'mismatch' },
      { line: 4, reason: 'malformed' },
      { line: 5, reason: 'missing' },
      { line: 6, reason: 'missing' },
      { line: 7, reason: 'malformed' },
      { line: 9, reason: 'not-json' },
      { line: 10, reason: 'too-large' },
    ],
  })
  expect(ran.stderr).toBe('')
  expect(await recorded(world)).toHaveLength(2)
})

it('says in words why one was refused, and what to do', async () => {
  const world = emptyWorld()
  const ran = await world.run(['history', 'import', '-'], { stdin: line(body(), { signature: signed('x') }) })
  expect(ran.exit).toBe(1)
  expect(ran.stdout).toContain('not imported  1\n  line 1: its signature does not match these bytes and this secret\n')
  expect(ran.stderr).toContain(
    '→ Run `pixgate webhook verify --request request.txt` to find out why a signature is wrong',
  )
})

it('counts what is known already, and keeps the same bytes once', async () => {
  const world = inThisProcess(emptyWorld())
  const [one, two] = [body('one'), body('two')]
  const otherBytes = one.replace('{', '{ ')
  expect(said(await importing(world, [line(one), line(one), line(two)].join('\n')))).toMatchObject({
    imported: 2,
    duplicates: 1,
  })
  const again = await importing(world, [line(two), line(otherBytes)].join('\n'))
  expect(said(again)).toEqual({ exit: 0, imported: 0, duplicates: 2, refused: [] })
  expect((await recorded(world)).map(({ n, duplicate }) => [n, duplicate])).toEqual([
    [1, false],
    [2, false],
    [3, true],
  ])
})

it('settles the payment that it is about, only for the account whose secret signed it', async () => {
  const world = inThisProcess(await sandboxWorld())
  const { idTransaction } = await world.json([...TRANSFER, '--yes'])
  const event = line(body(String(idTransaction)))
  const other = { PIXGATE_CLIENT_ID: 'another', PIXGATE_CLIENT_SECRET: SECRET }
  writeFileSync(join(world.home, 'event'), event)
  for (const env of [other, { PIXGATE_CLIENT_SECRET: SECRET }]) {
    await world.json(['history', 'import', join(world.home, 'event')], { env })
    expect(await world.json(['status', 'invoice-17'])).toMatchObject({ pixgate: { state: 'accepted' } })
  }
  expect(said(await importing(world, event))).toEqual(ALL_GENUINE)
  expect(await world.json(['status', 'invoice-17'])).toMatchObject({
    status: 'PAID_OUT',
    pixgate: { state: 'paid', knownBy: 'event' },
  })
  const failed = body(String(idTransaction), 'ERROR').replace('completed', 'failed')
  expect(said(await importing(world, line(failed)))).toEqual(ALL_GENUINE)
  const { stdout } = await world.run(['history', 'show', 'invoice-17'])
  expect(stdout).toMatch(/state +paid\nknown by +event\nstatus +PAID_OUT\n/)
  expect(stdout).toMatch(
    /event 3: transfer.completed, PAID_OUT, R\$ 1.500,00\n.* event 4 contradicts: transfer.failed, ERROR/,
  )
})

it('imports events recorded by a listener on another machine', async () => {
  const world = inThisProcess(await sandboxWorld())
  const listener = await listenHere(world)
  const original = await paidPayment(world.url, 10)
  const words = ['refund', original, '--reason', 'x', '--amount', '4', '--yes', '--callback-url', listener.url]
  const { idTransaction } = await world.json(words)
  await world.run(['status', String(idTransaction), '--wait=1m'])
  const events = (await world.run(['webhook', 'events', '-o', 'json'])).stdout
  const elsewhere = inThisProcess(emptyWorld({ PIXGATE_BASE_URL: world.url }))
  expect(said(await importing(elsewhere, events))).toEqual(ALL_GENUINE)
  expect(await elsewhere.json(['status', String(idTransaction)])).toMatchObject({
    status: 'COMPLETED',
    pixgate: { knownBy: 'event', kind: 'refund' },
  })
})
