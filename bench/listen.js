/**
 * `node bench/listen.js`: what `webhook listen` can bear, beside a bare receiver that keeps nothing, in one sitting.
 * BENCH_EVENTS and BENCH_ROUNDS make it shorter. Linux only.
 */
import { sendAll, signedEvents, slowSockets } from './load.js'
import { cpuSeconds, peakMemoryMb, SECRET, startBare, startListener, startSilent } from './receivers.js'

const CONNECTIONS = 50
const EVENTS = Number(process.env.BENCH_EVENTS ?? 20_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const SLOW_SOCKETS = 500

/** @typedef {import('./receivers.js').Receiver} Receiver */
/** @typedef {import('./load.js').LoadResult & { cpuMicros: number, generatorMicros: number }} Measured */

let runs = 0

/**
 * @param {Receiver} receiver
 * @param {number} count
 * @returns {Promise<Measured>}
 */
async function measure({ port, pid }, count) {
  const events = signedEvents({ port, secret: SECRET, count, prefix: `run-${runs++}` })
  const cpu = cpuSeconds(pid)
  const own = process.cpuUsage()
  const result = await sendAll({ port, events, connections: CONNECTIONS })
  const { user, system } = process.cpuUsage(own)
  const cpuMicros = ((cpuSeconds(pid) - cpu) * 1e6) / count
  return { ...result, cpuMicros, generatorMicros: (user + system) / count }
}

/** @param {readonly number[]} values */
function median(values) {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

/**
 * @param {string} what
 * @param {string} figure
 * @param {string} beside
 * @param {string} wanted
 * @param {boolean | undefined} isReached
 */
function row(what, figure, beside, wanted, isReached) {
  const mark = isReached === undefined ? '' : isReached ? 'ok' : 'MISSED'
  console.log(`${what.padEnd(42)} ${figure.padStart(14)}  ${beside.padEnd(38)} ${wanted.padEnd(9)} ${mark}`)
}

const ms = (/** @type {number} */ value) => `${value.toFixed(1)} ms`

/**
 * How many of the events that were answered 200 the listener does not know, and how many it knows twice.
 * @param {readonly string[]} answered
 * @param {readonly Record<string, any>[]} events
 */
function compare(answered, events) {
  const ids = events.map(({ payload }) => payload.data.idTransaction)
  const known = new Set(ids)
  return { lost: answered.filter((id) => !known.has(id)).length, twice: ids.length - known.size }
}

async function throughput() {
  const bare = await startBare()
  const listeners = {
    json: await startListener({ output: 'json' }),
    text: await startListener({ output: 'text' }),
  }
  const count = Math.ceil(EVENTS / 4)
  for (const receiver of [bare, listeners.json, listeners.text]) await measure(receiver, count)
  /** @type {Measured[]} */
  const bares = []
  /** @type {Record<'json' | 'text', Measured[]>} */
  const own = { json: [], text: [] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const output of /** @type {const} */ (['json', 'text'])) {
      bares.push(await measure(bare, count))
      own[output].push(await measure(listeners[output], count))
    }
  }
  const bareRate = median(bares.map(({ eventsPerSecond }) => eventsPerSecond))
  const bareCpu = median(bares.map(({ cpuMicros }) => cpuMicros))
  const generator = median(bares.map(({ generatorMicros }) => generatorMicros))
  const busy = ((generator * bareRate) / 1e4).toFixed(0)
  row(
    'bare receiver',
    `${bareRate.toFixed(0)}/s`,
    `${bareCpu.toFixed(0)} µs each; generator ${busy} % busy`,
    '',
    undefined,
  )
  for (const output of /** @type {const} */ (['json', 'text'])) {
    const rate = median(own[output].map(({ eventsPerSecond }) => eventsPerSecond))
    const cpu = median(own[output].map(({ cpuMicros }) => cpuMicros))
    // Each beside the bare run just before it, so that a busy machine weighs on both.
    const offset = output === 'json' ? 0 : 1
    const ratios = own[output].map(
      ({ eventsPerSecond }, round) => eventsPerSecond / (bares[2 * round + offset]?.eventsPerSecond ?? Number.NaN),
    )
    const ratio = median(ratios)
    row(
      `throughput, ${output} to a reader`,
      ratio.toFixed(2),
      `${rate.toFixed(0)}/s, ${cpu.toFixed(0)} µs each`,
      '>= 0.7',
      ratio >= 0.7,
    )
    const bad = own[output].filter(({ statuses, broken }) => broken > 0 || Object.keys(statuses).join() !== '200')
    if (bad.length > 0) row('  answers', JSON.stringify(bad[0]?.statuses), '', '200', false)
  }
  await Promise.all([bare.stop(), listeners.json.stop(), listeners.text.stop()])
  const read = listeners.json.lines().event ?? 0
  const sent = count * (ROUNDS + 1)
  row('  events that the reader was told', `${read}`, `${sent} sent`, 'all', read === sent)
}

/** Many events while the forward target never answers. */
async function silentTarget() {
  const target = await startSilent()
  const bare = await startBare()
  const listener = await startListener({ output: 'json', args: ['--forward-to', target.url] })
  const bareResult = await measure(bare, EVENTS)
  const result = await measure(listener, EVENTS)
  const memoryMb = peakMemoryMb(listener.pid)
  const bareMb = peakMemoryMb(bare.pid)
  row(
    'silent target: p99 of the answer',
    ms(result.p99Ms),
    `bare ${ms(bareResult.p99Ms)}`,
    '< 250 ms',
    result.p99Ms < 250,
  )
  row('silent target: slowest answer', ms(result.maxMs), `bare ${ms(bareResult.maxMs)}`, '< 1 s', result.maxMs < 1000)
  const others = EVENTS - result.answered200.length
  row('silent target: not answered 200', `${others}`, JSON.stringify(result.statuses), '0', others === 0)
  await bare.stop()
  const begin = performance.now()
  await listener.stop()
  row('silent target: time to end after Ctrl-C', ms(performance.now() - begin), '', '', undefined)
  target.stop()
  const { lost, twice } = compare(result.answered200, await listener.events())
  row('silent target: answered 200 and lost', `${lost}`, '', '0', lost === 0)
  row('silent target: recorded twice', `${twice}`, '', '0', twice === 0)
  row(
    'silent target: peak memory',
    `${memoryMb.toFixed(0)} MB`,
    `bare ${bareMb.toFixed(0)} MB`,
    '< 200 MB',
    memoryMb < 200,
  )
}

/** Half-open slow sockets beside the load. */
async function besideSlowSockets() {
  const listener = await startListener({ output: 'json' })
  const count = Math.ceil(EVENTS / 2)
  await measure(listener, count)
  /** @type {number[]} */
  const ratios = []
  /** @type {Measured | undefined} */
  let last
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await measure(listener, count)
    const slow = slowSockets({ port: listener.port, count: SLOW_SOCKETS })
    // As many closed as there are sockets: the listener's deadlines are at work.
    while (slow.seen.closed < SLOW_SOCKETS) await new Promise((resolve) => setTimeout(resolve, 100))
    last = await measure(listener, count)
    const open = slow.open()
    slow.stop()
    ratios.push(last.p99Ms / alone.p99Ms)
    const told = `${ms(alone.p99Ms)} -> ${ms(last.p99Ms)}, ${open} open`
    row(`  slow sockets, round ${round + 1}: p99`, (last.p99Ms / alone.p99Ms).toFixed(2), told, '', undefined)
  }
  const ratio = median(ratios)
  row(`beside ${SLOW_SOCKETS} slow sockets: p99`, ratio.toFixed(2), 'the same without them', '< 2', ratio < 2)
  row('  answers', JSON.stringify(last?.statuses), '', '200', Object.keys(last?.statuses ?? {}).join() === '200')
  await listener.stop()
}

console.log(
  `Node.js ${process.version}, ${CONNECTIONS} connections, ${EVENTS} events of 500 bytes, median of ${ROUNDS} rounds`,
)
await throughput()
await silentTarget()
await besideSlowSockets()
