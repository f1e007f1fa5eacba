/**
 * `node bench/listen.js`: what `webhook listen` can bear, beside a bare receiver that keeps nothing, in one sitting.
 * BENCH_EVENTS and BENCH_ROUNDS make it shorter. Linux only.
 */
import { sendAll, signedEvents, slowSockets } from './load.js'
import { cpuSeconds, peakMemoryMb, SECRET, startBare, startListener, startSilent } from './receivers.js'
import { median, tableOf } from './table.js'

const CONNECTIONS = 50
const EVENTS = Number(process.env.BENCH_EVENTS ?? 20_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const SLOW_SOCKETS = 500
const GROWTH = [1, 10, 100]
const EVENTS_PER_SECOND_LEAST = 5000
const P99_MS_MAX = 250

/** @typedef {import('./receivers.js').Receiver} Receiver */
/** @typedef {import('./load.js').LoadResult & { cpuMicros: number, generatorMicros: number }} Measured */
/** @typedef {import('./table.js').Row} Row */

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

/** @returns {Promise<Row[]>} */
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
  /** @type {Record<'json' | 'text', { own: Measured, ratio: number }[]>} */
  const rounds = { json: [], text: [] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const output of /** @type {const} */ (['json', 'text'])) {
      // Each beside a bare run just before it, so that a busy machine weighs on both.
      const beside = await measure(bare, count)
      const own = await measure(listeners[output], count)
      bares.push(beside)
      rounds[output].push({ own, ratio: own.eventsPerSecond / beside.eventsPerSecond })
    }
  }
  await Promise.all([bare.stop(), listeners.json.stop(), listeners.text.stop()])
  const limit = bareText(bares)
  const read = listeners.json.lines().event ?? 0
  const sent = count * (ROUNDS + 1)
  return [
    throughputRow('json', limit, rounds.json),
    throughputRow('text', limit, rounds.text),
    {
      what: 'listen: events printed to the reader',
      limit: `${sent} sent`,
      reached: String(read),
      toReach: 'all',
      isReached: read === sent,
    },
  ]
}

/** @param {readonly Measured[]} bares */
function bareText(bares) {
  const rate = median(bares.map(({ eventsPerSecond }) => eventsPerSecond))
  const cpu = median(bares.map(({ cpuMicros }) => cpuMicros))
  const generator = median(bares.map(({ generatorMicros }) => generatorMicros))
  return `bare: ${rate.toFixed(0)}/s, ${cpu.toFixed(0)} µs of CPU each, ${generator.toFixed(0)} µs of the generator`
}

/**
 * @param {string} output
 * @param {string} limit
 * @param {readonly { own: Measured, ratio: number }[]} rounds
 * @returns {Row}
 */
function throughputRow(output, limit, rounds) {
  const ratio = median(rounds.map((round) => round.ratio))
  const rate = median(rounds.map(({ own }) => own.eventsPerSecond))
  const cpu = median(rounds.map(({ own }) => own.cpuMicros))
  const isGood = rounds.every(({ own }) => own.broken === 0 && Object.keys(own.statuses).join() === '200')
  return {
    what: `listen: throughput, durable, ${output} to a reader`,
    limit,
    reached: `${ratio.toFixed(2)}: ${rate.toFixed(0)}/s, ${cpu.toFixed(0)} µs of CPU each${isGood ? '' : ', not all 200'}`,
    toReach: `≥ ${EVENTS_PER_SECOND_LEAST}/s`,
    isReached: rate >= EVENTS_PER_SECOND_LEAST && isGood,
  }
}

/**
 * Many events while the forward target never answers.
 * @returns {Promise<Row[]>}
 */
async function silentTarget() {
  const target = await startSilent()
  const bare = await startBare()
  const listener = await startListener({ output: 'json', args: ['--forward-to', target.url] })
  const beside = await measure(bare, EVENTS)
  const own = await measure(listener, EVENTS)
  const memoryMb = peakMemoryMb(listener.pid)
  const bareMb = peakMemoryMb(bare.pid)
  await bare.stop()
  const begin = performance.now()
  await listener.stop()
  const endMs = performance.now() - begin
  target.stop()
  const { lost, twice } = compare(own.answered200, await listener.events())
  const others = EVENTS - own.answered200.length
  /** @type {(what: string, limit: string, reached: string, toReach: string, isReached?: boolean) => Row} */
  const row = (what, limit, reached, toReach, isReached) => ({
    what: `listen, silent target: ${what}`,
    limit,
    reached,
    toReach,
    isReached,
  })
  return [
    row('p99 of the answer', `bare ${ms(beside.p99Ms)}`, ms(own.p99Ms), `< ${P99_MS_MAX} ms`, own.p99Ms < P99_MS_MAX),
    row('slowest answer', `bare ${ms(beside.maxMs)}`, ms(own.maxMs), '< 1 s', own.maxMs < 1000),
    row('not answered 200', `${EVENTS} sent`, String(others), '0', others === 0),
    row('answered 200 and lost', '', String(lost), '0', lost === 0),
    row('recorded twice', '', String(twice), '0', twice === 0),
    row('peak memory', `bare ${bareMb.toFixed(0)} MB`, `${memoryMb.toFixed(0)} MB`, '< 200 MB', memoryMb < 200),
    row('time to end after Ctrl-C', '', ms(endMs), 'stated'),
  ]
}

/**
 * Half-open slow sockets beside the load.
 * @returns {Promise<Row[]>}
 */
async function besideSlowSockets() {
  const listener = await startListener({ output: 'json' })
  const count = Math.ceil(EVENTS / 2)
  await measure(listener, count)
  /** @type {{ alone: number, beside: number, isGood: boolean }[]} */
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await measure(listener, count)
    const slow = slowSockets({ port: listener.port, count: SLOW_SOCKETS })
    // As many closed as there are sockets: the listener's deadlines are at work.
    while (slow.seen.closed < SLOW_SOCKETS) await new Promise((resolve) => setTimeout(resolve, 100))
    const beside = await measure(listener, count)
    slow.stop()
    const isGood = Object.keys(beside.statuses).join() === '200' && beside.broken === 0
    rounds.push({ alone: alone.p99Ms, beside: beside.p99Ms, isGood })
  }
  await listener.stop()
  const ratio = median(rounds.map(({ alone, beside }) => beside / alone))
  const isGood = rounds.every((round) => round.isGood)
  return [
    {
      what: `listen with ${SLOW_SOCKETS} slow sockets: p99 of the answer`,
      limit: `without them ${ms(median(rounds.map(({ alone }) => alone)))}`,
      reached: `${ratio.toFixed(2)}: ${ms(median(rounds.map(({ beside }) => beside)))}${isGood ? '' : ', not all 200'}`,
      toReach: `< ${P99_MS_MAX} ms`,
      isReached: median(rounds.map(({ beside }) => beside)) < P99_MS_MAX && isGood,
    },
  ]
}

/**
 * What an event costs, and what to list them takes, as they become more.
 * @returns {Promise<Row[]>}
 */
async function growth() {
  const steps = []
  for (const factor of GROWTH) {
    const count = Math.ceil((EVENTS * factor) / 20)
    const listener = await startListener({ output: 'json' })
    // What is compiled in the first moments is not growth.
    await measure(listener, Math.ceil(EVENTS / 20))
    const { cpuMicros, eventsPerSecond } = await measure(listener, count)
    const memoryMb = peakMemoryMb(listener.pid)
    await listener.stop()
    const listing = { json: await listener.listingMs('json'), text: await listener.listingMs('text') }
    steps.push({ count, cpuMicros, micros: 1e6 / eventsPerSecond, memoryMb, listing })
  }
  const each = (/** @type {(step: typeof steps[number]) => string} */ text) => steps.map(text).join(', ')
  const limit = each(({ count }) => String(count))
  const [few, , many] = steps
  const isCpuLinear = few !== undefined && many !== undefined && many.cpuMicros < few.cpuMicros * 1.5
  const isListLinear = steps.every(({ count, listing }, index) => {
    const before = steps[index - 1]
    return before === undefined || listing.json / count <= (before.listing.json / before.count) * 1.5
  })
  return [
    {
      what: 'listen: time per event, by number of events',
      limit,
      reached: each(({ micros, cpuMicros }) => `${micros.toFixed(0)} µs (${cpuMicros.toFixed(0)} µs of CPU)`),
      toReach: 'linear',
      isReached: isCpuLinear,
    },
    {
      what: 'listen: peak memory, by number of events',
      limit,
      reached: each(({ memoryMb }) => `${memoryMb.toFixed(0)} MB`),
      toReach: 'stated',
    },
    {
      what: 'webhook events -o json, -o text, by number of events',
      limit,
      reached: each(({ listing }) => `${listing.json.toFixed(0)} and ${listing.text.toFixed(0)} ms`),
      toReach: 'linear',
      isReached: isListLinear,
    },
  ]
}

/**
 * All rows about the listener; takes some minutes.
 * @returns {Promise<Row[]>}
 */
export async function listenRows() {
  return [...(await throughput()), ...(await silentTarget()), ...(await besideSlowSockets()), ...(await growth())]
}

if (process.argv[1] === import.meta.filename) {
  console.log(
    `Node.js ${process.version}, ${CONNECTIONS} connections, ${EVENTS} events of 500 bytes, median of ${ROUNDS} rounds`,
  )
  console.log(tableOf(await listenRows()))
}
