/**
 * `node bench/ledger.js`: what it costs to list and to pay as the ledger grows from 10,000 records to 1,000,000.
 * BENCH_RECORDS (the smallest ledger) and BENCH_ROUNDS make it shorter.
 */
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { crc32 } from 'node:zlib'
import { median, tableOf } from './table.js'

const BINARY = join(import.meta.dirname, '..', 'bin', 'pixgate.js')
const RECORDS = Number(process.env.BENCH_RECORDS ?? 10_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const GROWTH = [1, 10, 100]
/** As the program seals its files. */
const FILE_BYTES = 16 * 1024 * 1024
const WRITTEN_AT_ONCE = 1000
const BEGAN_MS = Date.UTC(2025, 0, 1)
const BETWEEN_MS = 60_000
const SECRET = 'local-secret'
/** A list by filter among 1,000,000 records. */
const LISTED_MS_MAX = 2000

/** @typedef {import('./table.js').Row} Row */
/** @typedef {{ env: Record<string, string>, records: number }} Machine */

/** @param {object} record */
function line(record) {
  const json = JSON.stringify(record)
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`
}

/**
 * The record of a transfer and that of its answer.
 * @param {number} index
 */
function transferLines(index) {
  const stamp = { at: new Date(BEGAN_MS + index * BETWEEN_MS).toISOString(), user: 'maria', machine: 'desk' }
  const owner = { profile: null, environment: 'sandbox', baseUrl: 'http://127.0.0.1:4010', clientId: 'local' }
  const body = JSON.stringify({
    value: 10.5,
    key: `person.${index}@example.com`,
    typeKey: 'email',
    callbackUrl: 'http://127.0.0.1:4242/',
    externalId: `order-${index}`,
  })
  const facts = { externalId: `order-${index}`, key: `person.${index}@example.com`, typeKey: 'email' }
  const place = { run: 'run-0', line: index, reference: `batch-${Math.floor(index / 100)}` }
  const intent = { type: 'intent', kind: 'transfer', ...owner, ...facts, documentValidation: null, amountCents: 1050 }
  const outcome = { type: 'outcome', of: `intent-${index}`, outcome: 'accepted', idTransaction: `id-${index}` }
  const rest = { status: 'PROCESSING', code: null, httpStatus: 200, amountCents: null }
  return (
    line({ id: `intent-${index}`, ...stamp, ...intent, body, ...place }) +
    line({ id: `answer-${index}`, ...stamp, ...outcome, ...rest })
  )
}

/**
 * Writes a ledger of so many records, as it would have grown.
 * @param {string} folder
 * @param {number} records
 */
function fill(folder, records) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'timeline.log')
  let sealed = 0
  let bytes = 0
  let file = openSync(path, 'w', 0o600)
  for (let index = 0; index < records / 2; index += WRITTEN_AT_ONCE) {
    const count = Math.min(WRITTEN_AT_ONCE, records / 2 - index)
    bytes += writeSync(file, Array.from({ length: count }, (_, each) => transferLines(index + each)).join(''))
    if (bytes < FILE_BYTES) continue
    closeSync(file)
    sealed += 1
    renameSync(path, join(folder, `timeline.${String(sealed).padStart(6, '0')}.log`))
    file = openSync(path, 'w', 0o600)
    bytes = 0
  }
  closeSync(file)
}

/**
 * Runs a command line to its end and gives how long that took.
 * @param {Machine} machine
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
function timeMs({ env }, args) {
  const began = performance.now()
  const child = spawn(process.execPath, [BINARY, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      if (code === 0) resolve(performance.now() - began)
      else reject(new Error(`${args.join(' ')} ended with ${code}`))
    })
  })
}

let payments = 0

/** What is measured, by its name: a command line, and the ms that it may take with the largest ledger. */
const COMMANDS = /** @type {const} */ ([
  ['history --reference', () => ['history', '--reference', 'batch-7', '-q', '-o', 'csv'], LISTED_MS_MAX],
  [
    'history of a day',
    () => ['history', '--since', '2025-01-02', '--until', '2025-01-02', '-q', '-o', 'csv'],
    LISTED_MS_MAX,
  ],
  ['history show', () => ['history', 'show', 'order-7', '-o', 'json'], undefined],
  [
    'transfer',
    () => ['transfer', '--key', `new.${payments++}@example.com`, '--amount', '1', '--yes', '-q', '-o', 'json'],
    undefined,
  ],
])

/**
 * Measures each command at each size, the sizes in turn, so that a busy machine weighs on all of them.
 * @param {readonly Machine[]} machines
 * @returns {Promise<Row[]>}
 */
async function measure(machines) {
  /** @type {Row[]} */
  const rows = []
  for (const [what, args, most] of COMMANDS) {
    const times = machines.map(() => /** @type {number[]} */ ([]))
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, machine] of machines.entries()) times[index]?.push(await timeMs(machine, args()))
    }
    rows.push(growth(what, times.map(median), most))
  }
  return rows
}

/**
 * @param {string} what
 * @param {readonly number[]} times for each size of the ledger, in ms
 * @param {number | undefined} most
 * @returns {Row}
 */
function growth(what, times, most) {
  const [least = Number.NaN] = times
  const last = times.at(-1) ?? Number.NaN
  const isLinear = last <= least * (GROWTH.at(-1) ?? 1)
  return {
    what: `${what}: ${GROWTH.map((each) => (RECORDS * each).toLocaleString('en')).join(', ')} records`,
    limit: 'its own growth',
    reached: `${times.map((ms) => ms.toFixed(0)).join(', ')} ms`,
    toReach: most === undefined ? 'linear' : `≤ ${most} ms`,
    isReached: isLinear && (most === undefined || last <= most),
  }
}

/**
 * Lists and pays from ledgers of 10,000, 100,000 and 1,000,000 records, at a sandbox of its own.
 * @returns {Promise<Row[]>}
 */
export async function ledgerRows() {
  const home = mkdtempSync(join(tmpdir(), 'pixgate-bench-'))
  const words = ['sandbox', '--port', '0', '--balance', '1000000', '-o', 'json']
  const own = { HOME: home, PATH: process.env.PATH ?? '', PIXGATE_CONFIG_DIR: join(home, 'config') }
  const sandbox = spawn(process.execPath, [BINARY, ...words], { env: own, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const ready = await createInterface({ input: sandbox.stdout })[Symbol.asyncIterator]().next()
    const { url } = JSON.parse(String(ready.value))
    const account = { PIXGATE_BASE_URL: url, PIXGATE_CLIENT_ID: 'local', PIXGATE_CLIENT_SECRET: SECRET }
    const machines = GROWTH.map((times) => {
      const folder = join(home, `data-${times}`)
      fill(folder, RECORDS * times)
      const env = { ...own, ...account, PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/', PIXGATE_DATA_DIR: folder }
      return { env, records: RECORDS * times }
    })
    /** @type {number[]} */
    const first = []
    // What is seen of sealed files at the first look is kept beside them for all that come later.
    for (const machine of machines) first.push(await timeMs(machine, COMMANDS[0][1]()))
    return [growth('the first look', first, undefined), ...(await measure(machines))]
  } finally {
    sandbox.kill('SIGKILL')
    rmSync(home, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(`Node.js ${process.version}, median of ${ROUNDS} rounds`)
  console.log(tableOf(await ledgerRows()))
}
