/**
 * `node bench/floodedListener.js`: what genuine webhooks wait for while 10,000 forged ones arrive whose signatures are diagnosed, beside the
 * same flood without a signature, of which nothing is diagnosed. BENCH_FORGED and BENCH_ROUNDS make it shorter.
 */
import { createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { SECRET, startListener } from './receivers.js'
import { median } from './table.js'

const FORGED = Number(process.env.BENCH_FORGED ?? 10_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
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

const listener = await startListener({ output: 'json' })
const FLOODS = { 'not diagnosed': {}, diagnosed: { 'X-Signature': '0'.repeat(64) } }
/** @type {Record<string, number[]>} */
const medians = { 'not diagnosed': [], diagnosed: [] }
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, headers] of Object.entries(FLOODS))
    medians[name]?.push(median(await genuineMs(listener.port, headers)))
}
await listener.stop()
const diagnosed = listener.lines().diagnosis ?? 0
agent.destroy()
const [without = 0, together = 0] = Object.values(medians).map(median)
console.log(
  `${FORGED} forged webhooks, ${PER_SECOND} a second, ${ROUNDS} rounds; ${diagnosed} of ${FORGED * ROUNDS} diagnosed`,
)
console.log(
  `genuine ones, median: ${without.toFixed(2)} ms beside a flood that is not diagnosed, ${together.toFixed(2)} ms beside one that is`,
)
console.log(`slower by ${((together / without - 1) * 100).toFixed(1)} %`)
