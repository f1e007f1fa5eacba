/**
 * `node bench/batch.js`: how fast `batch transfer` sends, and what memory it takes. BENCH_ROWS, BENCH_ROUNDS and BENCH_MEMORY_ROWS (`10000,100000,1000000`) make it shorter. Linux only.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { peakMemoryMb } from './receivers.js'
import { median, tableOf } from './table.js'

const BINARY = join(import.meta.dirname, '..', 'bin', 'pixgate.js')
const ROWS = Number(process.env.BENCH_ROWS ?? 20_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const MEMORY_ROWS = (process.env.BENCH_MEMORY_ROWS ?? '10000,100000,1000000').split(',').map(Number)
const CONCURRENCIES = [4, 16]
const LOOK_AGAIN_MS = 20
const CHECK_MB_MAX = 300
const MEMORY_MB_MAX = 200

const EACH_RECORDED =
  'A bare loop keeps nothing; a batch writes each payment so that a person can find, audit and rebuild it, so their ratio says nothing about either'
const EACH_JUDGED =
  'Each row is judged by every rule about money, which are nine questions to the ledger; in 6 s there is time for half of them'

/**
 * @typedef {{ url: string, figures(): Promise<{ requests: number, ms: number }>, stop(): void }} Gateway
 * @typedef {{ seconds: number, peakMb: number }} Ran
 * @typedef {import('./table.js').Row} Row
 */

/** @returns {Promise<Gateway>} */
async function startGateway() {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'answering.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { value: url } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  return {
    url,
    figures: async () => JSON.parse(await (await fetch(`${url}/figures`)).text()),
    stop: () => void child.kill(),
  }
}

/**
 * Runs a program to its end.
 * @param {readonly string[]} words
 * @param {Record<string, string>} env
 * @returns {Promise<Ran>}
 */
async function run(words, env) {
  const begin = performance.now()
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  let peakMb = 0
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const timer = setInterval(() => {
    if (child.exitCode === null) peakMb = Math.max(peakMb, peakMemoryMb(child.pid ?? 0) || 0)
  }, LOOK_AGAIN_MS)
  const [exit] = await once(child, 'exit')
  clearInterval(timer)
  if (exit !== 0) throw new Error(`${words.join(' ')} ended with ${exit}: ${said}`)
  return { seconds: (performance.now() - begin) / 1000, peakMb }
}

/**
 * Does the work with a file of that many transfers and a home of its own.
 * @template Result
 * @param {number} rows
 * @param {(batch: (words: readonly string[], url: string) => Promise<Ran>) => Promise<Result>} work
 */
async function withPayroll(rows, work) {
  const home = mkdtempSync(join(tmpdir(), 'pixgate-bench-'))
  try {
    const path = join(home, 'payroll.csv')
    const file = createWriteStream(path)
    file.write('key,value\n')
    for (let row = 0; row < rows; row++) {
      if (!file.write(`person${row}@example.com,${1 + (row % 100)}.50\n`)) await once(file, 'drain')
    }
    file.end()
    await once(file, 'finish')
    const env = { HOME: home, PIXGATE_DATA_DIR: join(home, 'data'), PIXGATE_CONFIG_DIR: join(home, 'config') }
    return await work((words, url) =>
      run([BINARY, 'batch', 'transfer', path, ...words], { ...env, PIXGATE_BASE_URL: url }),
    )
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/**
 * The rate is that of the POSTs at the gateway, from the first to the last.
 * @param {Gateway} gateway
 * @param {number} concurrency
 * @returns {Promise<Row>}
 */
async function speed(gateway, concurrency) {
  /** @type {{ sent: number, whole: number }[]} */
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const { seconds } = await withPayroll(ROWS, (batch) =>
      batch(['--yes', '--concurrency', String(concurrency)], gateway.url),
    )
    const { requests, ms } = await gateway.figures()
    if (requests !== ROWS) throw new Error(`${requests} of ${ROWS} rows were sent`)
    rounds.push({ sent: (ROWS / ms) * 1000, whole: ROWS / seconds })
  }
  const rate = (/** @type {'sent' | 'whole'} */ which) => median(rounds.map((round) => round[which])).toFixed(0)
  return {
    what: `batch, ${concurrency} at once: rows per second, from the first POST to the last`,
    limit: '',
    reached: `${rate('sent')}/s (${rate('whole')}/s from start to end)`,
    toReach: 'none',
    withdrawn: EACH_RECORDED,
  }
}

/** @returns {Promise<Row[]>} */
async function wholeFileCheck() {
  const { seconds, peakMb } = await withPayroll(100_000, (batch) => batch(['--dry-run'], 'http://127.0.0.1:9'))
  return [
    {
      what: 'batch: 100000 rows checked',
      limit: '',
      reached: `${seconds.toFixed(1)} s`,
      toReach: 'none',
      withdrawn: EACH_JUDGED,
    },
    {
      what: 'batch: peak memory while 100000 rows are checked',
      limit: '',
      reached: `${peakMb.toFixed(0)} MB`,
      toReach: `< ${CHECK_MB_MAX} MB`,
      isReached: peakMb < CHECK_MB_MAX,
    },
  ]
}

/**
 * The most memory that a whole batch takes, by its number of rows.
 * @param {Gateway} gateway
 * @returns {Promise<Row[]>}
 */
async function memory(gateway) {
  /** @type {Row[]} */
  const table = []
  for (const rows of MEMORY_ROWS) {
    const { seconds, peakMb } = await withPayroll(rows, (batch) => batch(['--yes'], gateway.url))
    table.push({
      what: `batch: peak memory at ${rows} rows`,
      limit: '',
      reached: `${peakMb.toFixed(0)} MB (${seconds.toFixed(0)} s in all)`,
      toReach: `< ${MEMORY_MB_MAX} MB`,
      isReached: peakMb < MEMORY_MB_MAX,
    })
  }
  return table
}

/** Everything that is measured of batches, as rows of a table. */
export async function batchRows() {
  const gateway = await startGateway()
  try {
    /** @type {Row[]} */
    const table = []
    for (const concurrency of CONCURRENCIES) table.push(await speed(gateway, concurrency))
    table.push(...(await wholeFileCheck()), ...(await memory(gateway)))
    return table
  } finally {
    gateway.stop()
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(`Node.js ${process.version}, ${ROWS} rows, median of ${ROUNDS} rounds`)
  console.log(tableOf(await batchRows()))
}
