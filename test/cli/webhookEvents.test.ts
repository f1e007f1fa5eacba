import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { onTerminalHere } from '../onTerminalHere.ts'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'
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
import { inThisProcess } from './payments.ts'
import { receivedEvent, storeIn } from './storedEvents.ts'

const AWKWARD = Buffer.from('{"event":"pix.received","n":10.50,\r\n"x":"\\u001b[31m","y":"\xff\xfe"}', 'latin1')
const TARGET = 'http://127.0.0.1:3000/'

type Forwards = NonNullable<Parameters<typeof storeIn>[2]>

/** A machine with seven events: 1 was forwarded, 2 repeats 1, forwarding 4 and 5 failed. */
async function remembering(): Promise<World> {
  const world = emptyWorld()
  const store = (body: string | Buffer, more: Parameters<typeof receivedEvent>[1] = {}, forwards: Forwards = []) =>
    storeIn(world, receivedEvent(body, more), forwards)
  const to = (status: number | null, ms: number, url = TARGET) => {
    const error = status === null ? 'Nothing listens there' : null
    return { url, status, ms, body: '', error }
  }
  await store(JSON.stringify(RECEIVED), {}, [to(200, 12)])
  await store(JSON.stringify(RECEIVED, null, 1))
  await store(REFUNDED)
  await store(JSON.stringify(PAID_OUT), {}, [to(200, 3), to(500, 48)])
  const silent = to(null, 1, 'http://me:pass@127.0.0.1:3000/')
  await store(JSON.stringify(FAILED), { receivedAtMs: Date.now() }, [silent])
  await store(AWKWARD)
  const nobody = { profile: null, environment: 'sandbox', baseUrl: null, clientId: null } as const
  await store(JSON.stringify(CHARGED_BACK), { isSigned: false, owner: nobody })
  return world
}

const numbersOf = (stdout: string) => (JSON.parse(stdout) as { n: number }[]).map(({ n }) => n)

it('lists everything as JSON, oldest first, nothing masked', async () => {
  const world = await remembering()
  const { exit, stdout, stderr } = await world.run(['webhook', 'events', '-o', 'json'])
  expect([exit, stderr]).toEqual([0, ''])
  const list = JSON.parse(stdout)
  expect(list).toMatchObject([
    { type: 'event', n: 1, duplicate: false, forwards: [{ url: TARGET, status: 200, ms: 12, error: null }] },
    { n: 2, duplicate: true, forwards: [], pixgate: { forwarded: null } },
    { n: 3, pixgate: { idTransaction: REFUND_ID, originalTransactionId: PAYMENT_ID, amount: 10 } },
    { n: 4, payload: PAID_OUT, forwards: [{ status: 200 }, { status: 500 }], pixgate: { forwarded: 500 } },
    { n: 5, event: 'transfer.failed', forwards: [{ status: null, error: 'Nothing listens there' }] },
    { n: 6, bodyBase64: AWKWARD.toString('base64') },
    { n: 7, event: 'payment', valid: false, reason: 'missing' },
  ])
  expect(list[0].forwards[0]).toHaveProperty('at')
  expect(await world.prepare(['webhook', 'events', 'list', '--json'])).toBe(stdout)
})

it('picks by time, count and failure', async () => {
  const world = inThisProcess(await remembering())
  const pick = async (...words: string[]) => numbersOf(await world.prepare(['webhook', 'events', ...words, '--json']))
  expect(await pick('--since', '1h')).toEqual([5])
  expect(await pick('--failed')).toEqual([4, 5])
  expect(await pick('list', '--failed', '--last', '1')).toEqual([5])
  expect(await pick('--last', '2')).toEqual([6, 7])
  const none = await world.run(['webhook', 'events', '--since', '1ms'])
  expect(none).toEqual({ exit: 0, stdout: '', stderr: 'None of the 7 recorded events matches\n' })
  expect(await pick('--since', '1ms')).toEqual([])
})

it('picks the events of the account that is named', async () => {
  const world = inThisProcess(await remembering())
  const env = { PIXGATE_CLIENT_ID: 'shop-id', PIXGATE_CLIENT_SECRET: 's3cr3t-of-the-shop' }
  const events = (url: string) => world.run(['webhook', 'events', '--json', '--base-url', url], { env })
  expect(numbersOf((await events('http://127.0.0.1:4010')).stdout)).toEqual([1, 2, 3, 4, 5, 6, 7])
  // What belongs to no account may be anybody's.
  expect(numbersOf((await events('https://other.example')).stdout)).toEqual([7])
})

it('lists in a pipe by tabs, and as CSV', async () => {
  const world = inThisProcess(await remembering())
  const text = (await world.run(['webhook', 'events'])).stdout.trimEnd().split('\n')
  expect(text.map((line) => line.split('\t').filter((_, index) => index !== 1))).toEqual([
    ['n', 'event', 'status', 'amount', 'idTransaction', 'forwarded'],
    ['1', 'pix.received', 'PAID', 'R$ 25,00', PAYMENT_ID, '200'],
    ['2', 'pix.received (dup)', 'PAID', 'R$ 25,00', PAYMENT_ID, '—'],
    ['3', 'refund.status', 'COMPLETED', 'R$ 10,00', REFUND_ID, '—'],
    ['4', 'transfer.completed', 'PAID_OUT', 'R$ 1.500,00', TRANSFER_ID, '500'],
    ['5', 'transfer.failed', 'ERROR', 'R$ 12,00', TRANSFER_ID, 'failed'],
    ['6', 'pix.received', '', '—', '', '—'],
    ['7', 'payment (unsigned)', 'CHARGEBACK', 'R$ 25,00', PAYMENT_ID, '—'],
  ])
  expect(text[1]?.split('\t')[1]).toBe('21/11/2026 14:03:07 BRT')
  const csv = (await world.run(['webhook', 'events', '-o', 'csv', '--last', '5'])).stdout.split(/\r?\n/)
  expect(csv.slice(0, 2)).toEqual([
    'n,receivedAt,event,duplicate,pixgate.status,pixgate.amount,pixgate.idTransaction,pixgate.originalTransactionId,pixgate.forwarded,pixgate.user,pixgate.machine',
    `3,2026-11-21T17:03:07.000Z,refund.status,false,COMPLETED,10,${REFUND_ID},${PAYMENT_ID},,maria,desk`,
  ])
})

it('fits a terminal of any width, with ids to copy', async () => {
  const world = await remembering()
  for (const columns of [72, 80, 200]) {
    const { exit, screen } = await onTerminalHere(world, ['webhook', 'events'], { columns }).ended
    const lines = screen.trimEnd().split('\n')
    const header = lines[0]?.trim().split(/ {2,}/) ?? []
    expect([exit, Math.max(...lines.map(({ length }) => length)) <= columns]).toEqual([0, true])
    expect([header.includes('idTransaction'), header.includes('id')]).toEqual([columns === 200, columns < 200])
    expect(screen).toContain(columns === 200 ? TRANSFER_ID : ` ${TRANSFER_ID.slice(0, 8)}`)
    expect(header.includes('forwarded')).toBe(columns >= 80)
    expect(screen.includes('Too narrow for')).toBe(columns < 80)
  }
})

it('shows one event whole', async () => {
  const world = inThisProcess(await remembering())
  const { exit, stdout, stderr } = await world.run(['webhook', 'events', 'show', '4'])
  expect([exit, stderr]).toEqual([0, ''])
  for (const line of [
    'event      transfer.completed',
    `id         ${TRANSFER_ID}`,
    'to         Maria da Silva Santos, 529.982.247-25, Banco do Brasil',
    'arrived    21/11/2026 14:03:07 BRT at /webhooks?a=1',
    'signature  ✓ valid',
    'account    shop, sandbox, http://127.0.0.1:4010, client id shop-id',
    `X-Signature   ${'ab'.repeat(32)}`,
    '    "value": 1500,',
    '    "destinationTaxId": "52998224725",',
  ]) {
    expect(stdout.split('\n')).toContain(line)
  }
  expect(stdout).toMatch(/BRT {2}200 ✓ {2}3 ms {2}http:\/\/127\.0\.0\.1:3000\/\n.*500 ✗ {2}48 ms {2}http/)
  const json = JSON.parse(await world.prepare(['webhook', 'events', 'show', '4', '-o', 'json']))
  expect(json).toMatchObject({ n: 4, payload: PAID_OUT, forwards: [{ status: 200 }, { status: 500 }] })
})

it('marks what must not be overlooked, and what was taken without a signature', async () => {
  const world = inThisProcess(await remembering())
  const failed = await world.prepare(['webhook', 'events', 'show', '5'])
  expect(failed).toContain('event      !! transfer.failed\n')
  expect(failed).toContain(
    'error      The account has too little money (NO_FUNDS)\n           The gateway says: Saldo insuficiente\n',
  )
  expect(failed).toContain('BRT  ✗  1 ms  http://••••@127.0.0.1:3000/  Nothing listens there\n')
  const unsigned = await world.prepare(['webhook', 'events', 'show', '7'])
  expect(unsigned).toContain('signature  ? none; it was accepted without one\n')
  expect(unsigned).toContain('account    sandbox\n')
})

it('shows all events of an id, of a refunded payment too', async () => {
  const world = inThisProcess(await remembering())
  const shown = async (id: string) => numbersOf(await world.prepare(['webhook', 'events', 'show', id, '--json']))
  expect(await shown(PAYMENT_ID)).toEqual([1, 2, 3, 7])
  expect(await shown(TRANSFER_ID)).toEqual([4, 5])
  const text = await world.prepare(['webhook', 'events', 'show', PAYMENT_ID])
  expect(text.match(/^number .*$/gm)).toEqual(['number     1', 'number        2', 'number       3', 'number     7'])
  expect(text).toContain('duplicate of  1\n')
  expect(text).toContain(`original id  ${PAYMENT_ID}\n`)
})

it('writes the exact bytes', async () => {
  const world = await remembering()
  const child = spawn(NODE, [BINARY, 'webhook', 'events', 'show', '6', '--raw'], { env: world.env })
  expect((await buffer(child.stdout)).equals(AWKWARD)).toBe(true)
  const json = await world.run(['webhook', 'events', 'show', '3', '--raw', '--json'])
  expect(json).toEqual({ exit: 0, stdout: REFUNDED, stderr: '' })
})

itOnTerminal('writes no raw bytes to a terminal', async () => {
  const world = await remembering()
  const { exit, screen, raw } = await onTerminal(world, ['webhook', 'events', 'show', '6', '--raw']).ended
  expect([exit, raw.includes('10.50')]).toEqual([2, false])
  expect(screen).toContain('> body.json')
})

it('reports that nothing was recorded, or that it cannot be read', async () => {
  const world = inThisProcess(emptyWorld())
  expect(await world.run(['webhook', 'events'])).toEqual({
    exit: 0,
    stdout: '',
    stderr: 'No webhook is recorded yet\n→ Run `pixgate webhook listen` to record those that arrive\n',
  })
  expect(await world.prepare(['webhook', 'events', '--json'])).toBe('[]\n')
  mkdirSync(join(world.home, 'data', 'ledger.db'), { recursive: true })
  const ran = await world.run(['webhook', 'events'])
  expect(ran).toMatchObject({ exit: 2, stdout: '' })
  expect(ran.stderr).toMatch(/error: `.*ledger\.db` is a folder, not a file/)
})
