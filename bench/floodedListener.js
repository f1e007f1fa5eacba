/**
 * `node bench/floodedListener.js`: what a flood of 10,000 forged webhooks costs a listener that diagnoses their signatures, beside one that
 * answers the same flood and diagnoses nothing. In turn, so that both see the same machine; the processor time of the main thread is what
 * genuine webhooks wait for, and other programs change it less than the time that passes. BENCH_FORGED and BENCH_ROUNDS make it shorter.
 */
import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SECRET, startListener } from './receivers.js'
import { median } from './table.js'

const FORGED = Number(process.env.BENCH_FORGED ?? 10_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const PER_SECOND = 1_000
const BURST_MS = 20

const agent = new Agent({ keepAlive: true, maxSockets: 64 })
let count = 0

/**
 * The body of an event, which costs as much to diagnose as a real one.
 * @param {string} id
 */
function bodyOf(id) {
  const data = {
    idTransaction: id,
    status: 'PAID',
    amount: 149.9,
    paidAt: '2026-01-02T03:04:05.000Z',
    payerName: 'João',
  }
  return Buffer.from(JSON.stringify({ event: 'pix.received', data }))
}

/**
 * Sends one webhook; how long its answer took, in ms.
 * @param {number} port
 * @param {Buffer} body
 * @param {Record<string, string>} headers
 * @returns {Promise<number>}
 */
function post(port, body, headers) {
  const beganAtMs = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      agent,
      headers: { ...headers, 'Content-Length': body.length },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve(performance.now() - beganAtMs))
    })
    sent.end(body)
  })
}

/**
 * The time that genuine webhooks took, one after the other, while a flood arrives at a constant rate.
 * @param {number} port
 * @param {Record<string, string>} headers
 */
async function genuineMs(port, headers) {
  const forged = (async () => {
    const all = []
    const each = (PER_SECOND * BURST_MS) / 1000
    for (let sent = 0; sent < FORGED; sent += each) {
      for (let n = 0; n < each; n++) all.push(post(port, bodyOf(`forged-${count++}`), headers))
      await sleep(BURST_MS)
    }
    await Promise.all(all)
  })()
  let isOver = false
  const over = forged.then(() => {
    isOver = true
  })
  const times = []
  while (!isOver) {
    const body = bodyOf(`genuine-${count++}`)
    times.push(await post(port, body, { 'X-Signature': createHmac('sha256', SECRET).update(body).digest('hex') }))
    await sleep(10)
  }
  await over
  return times
}

/**
 * Milliseconds of processor time since its start: of the thread that answers, and of all.
 * @param {number} pid
 */
function processorMs(pid) {
  const folder = `/proc/${pid}/task`
  const of = (/** @type {string} */ thread) =>
    Number(readFileSync(join(folder, thread, 'schedstat'), 'utf8').split(' ')[0]) / 1e6
  return { main: of(String(pid)), all: readdirSync(folder).reduce((sum, thread) => sum + of(thread), 0) }
}

const FORGERY = { 'X-Signature': '0'.repeat(64) }
const silent = ['--require', join(import.meta.dirname, 'noDiagnosis.cjs')]
const listeners = {
  silent: await startListener({ output: 'json', nodeArgs: silent }),
  diagnosing: await startListener({ output: 'json' }),
}
/** @type {Record<string, { main: number, all: number, genuine: number }[]>} */
const figures = { silent: [], diagnosing: [] }
// The first round of each is not counted: it compiles.
for (let round = 0; round <= ROUNDS; round++) {
  const pair = Object.entries(listeners)
  for (const [name, { port, pid }] of round % 2 === 0 ? pair : pair.reverse()) {
    const before = processorMs(pid)
    const genuine = median(await genuineMs(port, FORGERY))
    const after = processorMs(pid)
    if (round > 0) figures[name]?.push({ main: after.main - before.main, all: after.all - before.all, genuine })
  }
}
for (const listener of Object.values(listeners)) await listener.stop()
const diagnosed = listeners.diagnosing.lines().diagnosis ?? 0
agent.destroy()
console.log(
  `${FORGED} forged webhooks, ${PER_SECOND} a second, ${ROUNDS} pairs of rounds; ${diagnosed} diagnosed in all`,
)
for (const [key, what] of /** @type {const} */ ([
  ['main', 'processor time of the thread that answers'],
  ['all', 'processor time of all threads'],
  ['genuine', 'genuine webhooks, median of the time until their answer'],
])) {
  const of = (/** @type {string} */ name) => (figures[name] ?? []).map((figure) => figure[key])
  const ratios = of('diagnosing').map((value, round) => value / (of('silent')[round] ?? Number.NaN))
  const [without, together, more] = [median(of('silent')), median(of('diagnosing')), (median(ratios) - 1) * 100]
  const each = ratios.map((ratio) => `${((ratio - 1) * 100).toFixed(1)}`).join(', ')
  console.log(
    `${what}: ${without.toFixed(1)} ms, with diagnosis ${together.toFixed(1)} ms: ${more.toFixed(1)} % (each pair: ${each})`,
  )
}
