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

/** @typedef {{ what: string, figure: string, beside: string }} Row */
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

/** @param {readonly number[]} values */
function median(values) {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

let payments = 0

/** What is measured, by its name: a command line for a ledger of so many records. */
const COMMANDS = /** @type {const} */ ([
  ['history --reference', () => ['history', '--reference', 'batch-7', '-q', '-o', 'csv']],
  ['history --since --until', () => ['history', '--since', '2025-01-01', '--until', '2025-01-01', '-q', '-o', 'csv']],
  ['history show', () => ['history', 'show', 'order-7', '-o', 'json']],
  [
    'transfer',
    () => ['transfer', '--key', `new.${payments++}@example.com`, '--amount', '1', '--yes', '-q', '-o', 'json'],
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
  for (const [what, args] of COMMANDS) {
    const times = machines.map(() => /** @type {number[]} */ ([]))
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, machine] of machines.entries()) times[index]?.push(await timeMs(machine, args()))
    }
    const medians = times.map(median)
    for (const [index, { records }] of machines.entries()) {
      const figure = `${(medians[index] ?? Number.NaN).toFixed(0)} ms`
      const growth = ((medians[index] ?? Number.NaN) / (medians[0] ?? Number.NaN)).toFixed(2)
      rows.push({ what: `${what}, ${records.toLocaleString('en')} records`, figure, beside: `x${growth}` })
    }
  }
  return rows
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
    const first = await createInterface({ input: sandbox.stdout })[Symbol.asyncIterator]().next()
    const { url } = JSON.parse(String(first.value))
    const account = { PIXGATE_BASE_URL: url, PIXGATE_CLIENT_ID: 'local', PIXGATE_CLIENT_SECRET: SECRET }
    const machines = GROWTH.map((times) => {
      const folder = join(home, `data-${times}`)
      fill(folder, RECORDS * times)
      const env = { ...own, ...account, PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/', PIXGATE_DATA_DIR: folder }
      return { env, records: RECORDS * times }
    })
    /** @type {Row[]} */
    const rows = []
    for (const machine of machines) {
      // The first look at sealed files is kept beside them for all that come later.
      const figure = `${(await timeMs(machine, COMMANDS[0][1]())).toFixed(0)} ms`
      rows.push({ what: `first look, ${machine.records.toLocaleString('en')} records`, figure, beside: '' })
    }
    return [...rows, ...(await measure(machines))]
  } finally {
    sandbox.kill('SIGKILL')
    rmSync(home, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(`Node.js ${process.version}, median of ${ROUNDS} rounds`)
  for (const { what, figure, beside } of await ledgerRows()) {
    console.log(`${what.padEnd(46)} ${figure.padStart(10)}  ${beside}`)
  }
}
