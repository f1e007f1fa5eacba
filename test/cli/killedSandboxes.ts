import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { freePort } from '../freePort.ts'
import { emptyWorld } from '../world.ts'
import { charge, endSandbox, type RunningBinary, runSandbox, type StateFields, stateOf } from './runningSandbox.ts'

const BALANCE_CENTS = 1_000_000
const OPTIONS = ['--auto-settle', '40ms', '--deliver-delays', '30ms', '--deliver-attempts', '50']
const REQUESTS_AT_ONCE = 4

/** What receivers and clients saw of a sandbox that was killed again and again. */
interface Seen {
  /** Requests that were answered with 200. */
  answered: number
  /** Webhooks that arrived, also those that were not answered with 200. */
  delivered: number
  /** Of those, the ones that arrived before. */
  again: number
}

/**
 * Kills a sandbox at any moment of its work and starts it again, so many times. After each start it must hold all that it had
 * answered or delivered, and its balance must be what its transactions make of it.
 */
export async function killSandboxes(kills: number): Promise<Seen> {
  const world = emptyWorld()
  const port = await freePort()
  const bodies: string[] = []
  const callbackUrl = await startReceiver(bodies)
  const ids = new Set<string>()
  for (let kill = 0; kill < kills; kill += 1) {
    const sandbox = await runSandbox(world, OPTIONS, port)
    await check(sandbox, ids, bodies)
    const load = Array.from({ length: REQUESTS_AT_ONCE }, (_, place) => work(sandbox, place, callbackUrl, ids))
    const enough = ids.size + 1 + Math.floor(Math.random() * 12)
    await expect.poll(() => ids.size, { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(enough)
    await sleep(Math.random() * 50)
    await endSandbox(sandbox, 'SIGKILL')
    await Promise.all(load)
    if (kill % 4 === 0) {
      // What it does at the start is cut off.
      await endSandbox(await runSandbox(world, OPTIONS, port), 'SIGKILL')
    }
  }
  const last = await runSandbox(world, OPTIONS, port)
  await last.post('/sandbox/advance', { ms: 3_600_000 })
  await expect
    .poll(async () => (await stateOf(last)).deliveries.every(({ outcome }) => outcome === 'delivered'), {
      timeout: 30_000,
    })
    .toBe(true)
  const state = await check(last, ids, bodies)
  expect([...state.refunds, ...state.transfers].filter(({ status }) => status === 'PROCESSING')).toEqual([])
  const arrived = new Set(bodies)
  expect(state.deliveries.filter(({ body }) => !arrived.has(body))).toEqual([])
  return { answered: ids.size, delivered: bodies.length, again: bodies.length - new Set(bodies).size }
}

/** A receiver that takes two webhooks of three. */
async function startReceiver(bodies: string[]): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      const signature = createHmac('sha256', 'local-secret').update(body).digest('hex')
      expect(request.headers['x-signature']).toBe(signature)
      bodies.push(body)
      response.writeHead(bodies.length % 3 === 0 ? 500 : 200).end()
    })
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${port}/`
}

/** Sends one request after the other until the sandbox is gone; the ids of those that it answered are added. */
async function work(sandbox: RunningBinary, place: number, callbackUrl: string, ids: Set<string>): Promise<void> {
  const send = async (path: string, body: object) => {
    const answer = await sandbox.post(path, body)
    expect([path, answer.status, answer.body.message]).toEqual([path, 200, undefined])
    const id = String(answer.body.idTransaction)
    ids.add(id)
    return id
  }
  try {
    for (let count = place; ; count += 1) {
      if (count % 2 === 0) {
        const key = count % 4 === 0 ? 'no-funds@fail.pixgate.example' : 'maria@example.com'
        await send('/api/v1/gateway/pix-payment', { value: 1.07, key, typeKey: 'email', callbackUrl })
        continue
      }
      const id = await send('/api/v2/gateway/request-qrcode', charge({ callbackUrl, amount: 2.5 }))
      await send('/sandbox/pay', { id })
      const refund = { originalTransactionId: id, refundReason: 'returned', amount: 1.01, callbackUrl }
      await send('/api/v2/gateway/pix-refund', refund)
    }
  } catch (error) {
    // The connection broke when the sandbox was killed.
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error
  }
}

async function check(
  sandbox: RunningBinary,
  ids: ReadonlySet<string>,
  bodies: readonly string[],
): Promise<StateFields> {
  // It goes on delivering while it is asked.
  const arrived = [...bodies]
  const state = await stateOf(sandbox)
  const held = new Set([...state.payments, ...state.refunds, ...state.transfers].map((each) => each.idTransaction))
  expect([...ids].filter((id) => !held.has(id))).toEqual([])
  const recorded = new Map(state.deliveries.map(({ body, attempts }) => [body, attempts]))
  const times = new Map<string, number>()
  for (const body of arrived) times.set(body, (times.get(body) ?? 0) + 1)
  const unrecorded = [...times].filter(([body, count]) => (recorded.get(body) ?? 0) < count)
  expect(unrecorded).toEqual([])
  const received = state.payments.filter(({ paidAt }) => paidAt !== null)
  const left = [...state.refunds, ...state.transfers].filter(({ status }) => status !== 'FAILED')
  const balance = BALANCE_CENTS + sum(received) - sum(left)
  expect(Math.round(state.balance * 100)).toBe(balance)
  return state
}

function sum(rows: readonly Record<string, unknown>[]): number {
  return rows.reduce((cents, { amount, value }) => cents + Math.round(Number(amount ?? value) * 100), 0)
}
