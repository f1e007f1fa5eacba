/** What commands cost with ledgers of growing size, beside the same command with an empty ledger or beside a time that a person notices. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { payrollTransfer } from './filledLedger.js'
import { peakMemoryMb } from './receivers.js'
import { median } from './table.js'

const BINARY = join(import.meta.dirname, '..', 'bin', 'pixgate.js')
/** A payment with that many records in the ledger, compared with one that has none. */
const RATIO_MOST = 1.5
const FIRST_LINE_MS_MAX = 300
const SUMS_MS_MAX = 1000
/** As many lines a month's statement has. */
export const STATEMENT_LINES = 2000
const STATEMENT_MS_MAX = 2000
/** It must not grow with the ledger. */
const EXPORT_MB_MAX = 120
const MEMORY_INTERVAL_MS = 20

/** @typedef {import('./table.js').Row} Row */
/** @typedef {{ home: string, url: string, clientId: string, folders: readonly string[], sizes: readonly number[], statementFolder: string, rounds: number }} Ledgers */
/** @typedef {{ firstMs: number, totalMs: number, peakMb: number }} Ran */

/**
 * Runs a command to its end, or only until its first output.
 * @param {Record<string, string>} env
 * @param {readonly string[]} words
 * @param {boolean} [isFirstEnough]
 * @returns {Promise<Ran>} the times of the first output and of the end
 */
async function run(env, words, isFirstEnough = false) {
  const began = performance.now()
  const child = spawn(process.execPath, [BINARY, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = once(child, 'close')
  let firstMs = Number.NaN
  let peakMb = 0
  let errors = ''
  child.stdout.once('data', () => {
    firstMs = performance.now() - began
    if (isFirstEnough) child.kill('SIGKILL')
  })
  child.stdout.resume()
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const timer = setInterval(() => {
    if (child.exitCode === null) peakMb = Math.max(peakMb, peakMemoryMb(child.pid ?? 0) || 0)
  }, MEMORY_INTERVAL_MS)
  const [code] = await closed
  clearInterval(timer)
  if (code !== 0 && !isFirstEnough) throw new Error(`${words.join(' ')} ended with ${code}: ${errors}`)
  const totalMs = performance.now() - began
  // A list without a match prints nothing.
  return { firstMs: Number.isNaN(firstMs) ? totalMs : firstMs, totalMs, peakMb }
}

/**
 * The cost of a payment that is new in every round.
 * @param {Ledgers} ledgers
 * @param {string} what
 * @param {(round: number) => readonly string[]} words
 * @returns {Promise<Row>}
 */
async function payments({ folders, rounds, ...ledgers }, what, words) {
  const empty = join(ledgers.home, `empty-${what.replaceAll(' ', '-')}`)
  const times = [empty, ...folders].map(() => /** @type {number[]} */ ([]))
  for (let round = 0; round < rounds; round++) {
    for (const [at, folder] of [empty, ...folders].entries()) {
      times[at]?.push((await run(environment(ledgers, folder), words(round))).totalMs)
    }
  }
  const [emptyMs = Number.NaN, ...others] = times.map(median)
  const ratios = others.map((ms) => ms / emptyMs)
  return {
    what: `${what} with ${sizes(ledgers)} payments`,
    limit: `with none, ${emptyMs.toFixed(0)} ms`,
    reached: ratios.map((ratio) => ratio.toFixed(2)).join(', '),
    toReach: `≤ ${RATIO_MOST}`,
    isReached: ratios.every((ratio) => ratio <= RATIO_MOST),
  }
}

/**
 * The time until a list prints its first line, or until it ends.
 * @param {Ledgers} ledgers
 * @param {readonly string[]} words
 * @param {{ until: 'firstMs' | 'totalMs', mostMs: number }} limit
 * @returns {Promise<Row>}
 */
async function list({ folders, rounds, ...ledgers }, words, { until, mostMs }) {
  const times = []
  for (const folder of folders) {
    const all = []
    for (let round = 0; round < rounds; round++) {
      all.push((await run(environment(ledgers, folder), words, until === 'firstMs'))[until])
    }
    times.push(median(all))
  }
  return {
    what: `${words.join(' ')}${until === 'firstMs' ? ', first line' : ''}: ${sizes(ledgers)} payments`,
    limit: 'growth with size',
    reached: `${times.map((ms) => ms.toFixed(0)).join(', ')} ms`,
    toReach: `< ${mostMs} ms`,
    isReached: times.every((ms) => ms < mostMs),
  }
}

/**
 * The most memory of a whole export.
 * @param {Ledgers} ledgers
 * @param {readonly string[]} words
 * @returns {Promise<Row>}
 */
async function exported({ folders, ...ledgers }, words) {
  const runs = []
  for (const folder of folders) runs.push(await run(environment(ledgers, folder), words))
  return {
    what: `${words.join(' ')}: peak memory with ${sizes(ledgers)} payments`,
    limit: '',
    reached: runs.map(({ peakMb, totalMs }) => `${peakMb.toFixed(0)} MB (${(totalMs / 1000).toFixed(1)} s)`).join(', '),
    toReach: `< ${EXPORT_MB_MAX} MB`,
    isReached: runs.every(({ peakMb }) => peakMb < EXPORT_MB_MAX),
  }
}

/**
 * The time of a comparison with a statement without ids, of which each line is one payment of a ledger.
 * @param {Ledgers} ledgers
 * @returns {Promise<Row>}
 */
async function statement({ statementFolder, rounds, ...ledgers }) {
  const path = join(ledgers.home, 'statement.csv')
  const day = new Date().toLocaleDateString('pt-BR', { timeZone: 'America/Sao_Paulo' })
  const lines = Array.from({ length: STATEMENT_LINES }, (_, index) => {
    return `${day};PIX ENVIADO;-${(payrollTransfer(index).amountCents / 100).toFixed(2)}`
  })
  writeFileSync(path, `date;description;amount\n${lines.join('\n')}\n`)
  const words = ['history', 'check', '--statement', path, '-q']
  const times = []
  for (let round = 0; round < rounds; round++) {
    times.push((await run(environment(ledgers, statementFolder), words)).totalMs)
  }
  return {
    what: `history check --statement of ${STATEMENT_LINES.toLocaleString('en')} lines without ids`,
    limit: '',
    reached: `${median(times).toFixed(0)} ms`,
    toReach: `< ${STATEMENT_MS_MAX} ms`,
    isReached: median(times) < STATEMENT_MS_MAX,
  }
}

/** @param {Pick<Ledgers, 'sizes'>} ledgers */
function sizes(ledgers) {
  return ledgers.sizes.map((size) => size.toLocaleString('en')).join(', ')
}

/**
 * @param {Pick<Ledgers, 'home' | 'url' | 'clientId'>} ledgers
 * @param {string} folder
 */
function environment({ home, url, clientId }, folder) {
  return {
    HOME: home,
    PATH: process.env.PATH ?? '',
    PIXGATE_CONFIG_DIR: `${folder}-config`,
    PIXGATE_DATA_DIR: folder,
    PIXGATE_BASE_URL: url,
    PIXGATE_CLIENT_ID: clientId,
    PIXGATE_CLIENT_SECRET: 'local-secret',
    PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/',
    PIXGATE_TIMEOUT: '2m',
  }
}

/**
 * Everything that is measured of commands with ledgers of these sizes, which hold transfers to person.N@example.com, to each the same amount from
 * R$ 10,50 on, with the external id order-N, recorded this month.
 * @param {Ledgers} ledgers
 * @returns {Promise<Row[]>}
 */
export async function commandRows(ledgers) {
  mkdirSync(ledgers.home, { recursive: true })
  const file = (/** @type {number} */ round) => {
    const path = join(ledgers.home, `one-${round}.csv`)
    writeFileSync(path, `key,value\nrow.${round}@example.com,1.00\n`)
    return path
  }
  const month = new Date().toISOString().slice(0, 7)
  const filters = [
    [],
    ['--limit', '20'],
    ['--state', 'accepted'],
    ['--state', 'unknown'],
    ['--kind', 'transfer'],
    ['--amount', '10.50'],
    ['--min', '1000'],
    ['--key', 'person.7@example.com'],
    ['--name', 'maria'],
    ['--document', '529.982.247-25'],
    ['--reference', 'order-7'],
    ['--day', 'today'],
    ['--by', 'nobody'],
    ['--month', month],
  ]
  const rows = [
    await payments(ledgers, 'transfer', (round) => [
      ...['transfer', '--key', `new.${round}@example.com`, '--amount', '1', '--yes', '-q', '-o', 'json'],
    ]),
    await payments(ledgers, 'batch transfer of one row', (round) => ['batch', 'transfer', file(round), '--yes', '-q']),
  ]
  const first = /** @type {const} */ ({ until: 'firstMs', mostMs: FIRST_LINE_MS_MAX })
  for (const filter of filters) rows.push(await list(ledgers, ['history', ...filter, '-q'], first))
  rows.push(
    await list(ledgers, ['history', 'find', 'person.7', '-q'], first),
    await list(ledgers, ['history', '--month', month, '--limit', '1'], { until: 'totalMs', mostMs: SUMS_MS_MAX }),
    await statement(ledgers),
    await exported(ledgers, ['history', 'export']),
    await exported(ledgers, ['history', '-o', 'csv', '-q']),
  )
  return rows
}
