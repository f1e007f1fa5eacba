/**
 * `node bench/ledger.js`: what a payment costs in the ledger, and what lookups, rules and commands cost as the ledger grows from 10,000
 * payments to 1,000,000. BENCH_PAYMENTS (the smallest ledger) and BENCH_ROUNDS make it shorter. Linux only.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { commandRows } from './ledgerCommands.js'
import { median, tableOf } from './table.js'

const ROOT = join(import.meta.dirname, '..')
const PAYMENTS = Number(process.env.BENCH_PAYMENTS ?? 10_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const GROWTH = [1, 10, 100]
const GROUP = 1000
const SAMPLES = 200
const CLIENT_ID = 'local'
/** A lookup or a decision among 1,000,000 payments. */
const MS_MAX = 5

/** @typedef {import('./table.js').Row} Row */
/** @typedef {{ folder: string, payments: number }} Machine */

/** Compiles the modules that a bench drives without a process of its own; the folder of the result. */
async function compile() {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-bench-modules-'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const bundle = await rolldown({
    input: {
      ledger: join(ROOT, 'src/ledger/ledger.ts'),
      payments: join(ROOT, 'src/ledger/payments.ts'),
      conflicts: join(ROOT, 'src/payments/paymentRules.ts'),
    },
    platform: 'node',
    external: [/^node:/, '@photostructure/sqlite'],
    logLevel: 'silent',
  })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
  await bundle.close()
  return folder
}

/** @param {number} index */
function transferOf(index) {
  return {
    kind: 'transfer',
    key: `person.${index}@example.com`,
    keyType: 'email',
    amountCents: 1050,
    documentValidation: null,
    callbackUrl: 'http://127.0.0.1:4242/',
  }
}

/** @param {string} url */
function ownerOf(url) {
  return { profile: null, environment: 'sandbox', baseUrl: url, clientId: CLIENT_ID }
}

/** @param {string} folder */
function environmentOf(folder) {
  const stamp = { user: 'maria', machine: 'desk', pid: process.pid }
  return { folder, ...stamp, now: () => Date.now(), newId: randomUUID, notice: () => undefined, timeoutMs: 30_000 }
}

/**
 * Writes a ledger of that many accepted payments, in groups as a batch does. Returns the CPU time of a payment, in µs.
 * @param {any} ledger
 * @param {number} payments
 * @param {string} url
 */
async function fill(ledger, payments, url) {
  const owner = ownerOf(url)
  const before = process.cpuUsage()
  for (let first = 0; first < payments; first += GROUP) {
    await ledger.write((/** @type {any} */ writer) => {
      for (let index = first; index < Math.min(payments, first + GROUP); index++) {
        const payment = randomUUID()
        const externalId = `order-${index}`
        const facts = transferOf(index)
        const body = JSON.stringify({ value: 10.5, key: facts.key, typeKey: 'email', externalId })
        const place = { run: `run-${first}`, line: index - first + 1, reference: `payroll-${first}`, isDerivedId: true }
        const attempt = {
          type: 'attempt',
          payment,
          number: 1,
          owner,
          facts,
          externalId,
          body,
          place,
          rowId: externalId,
        }
        const { id } = writer.append({ ...attempt, sender: 'process' })
        const rest = { status: 'PROCESSING', code: null, message: null, httpStatus: 200, amountCents: null }
        const answer = {
          type: 'answer',
          payment,
          attempt: id,
          outcome: 'accepted',
          idTransaction: `id-${index}`,
          ...rest,
        }
        writer.append(answer)
      }
    })
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / payments
}

/**
 * The median time of synchronous work in a read transaction, in ms.
 * @param {any} ledger
 * @param {(database: any, sample: number) => void} work
 */
async function medianMs(ledger, work) {
  /** @type {number[]} */
  const times = []
  for (let sample = 0; sample < SAMPLES; sample++) {
    await ledger.read((/** @type {any} */ database) => {
      const began = performance.now()
      work(database, sample)
      times.push(performance.now() - began)
    })
  }
  return median(times)
}

/**
 * @param {string} what
 * @param {readonly number[]} times for each size of the ledger, in ms
 * @returns {Row}
 */
function growth(what, times) {
  return {
    what: `${what} among ${GROWTH.map((each) => (PAYMENTS * each).toLocaleString('en')).join(', ')} payments`,
    limit: 'growth with size',
    reached: `${times.map((ms) => ms.toFixed(3)).join(', ')} ms`,
    toReach: `≤ ${MS_MAX} ms`,
    isReached: (times.at(-1) ?? Number.NaN) <= MS_MAX,
  }
}

/** @returns {Promise<Row[]>} */
export async function ledgerRows() {
  const home = mkdtempSync(join(tmpdir(), 'pixgate-bench-'))
  const modules = await compile()
  const load = (/** @type {string} */ name) => import(pathToFileURL(join(modules, `${name}.mjs`)).href)
  const [{ openLedger }, { findPayments }, { findConflict }] = await Promise.all(
    ['ledger', 'payments', 'conflicts'].map(load),
  )
  const server = createServer((request, response) => {
    request
      .resume()
      .on('end', () => response.end(JSON.stringify({ idTransaction: randomUUID(), status: 'PROCESSING' })))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const account = { url, clientId: CLIENT_ID, environment: 'sandbox', maxAmountCents: null, maxDayCents: 1e12 }
  /** @type {number[]} */
  const [costs, lookups, conflicts] = [[], [], []]
  /** @type {string[]} */
  const folders = []
  try {
    for (const times of GROWTH) {
      const folder = join(home, `data-${times}`)
      const ledger = openLedger(environmentOf(folder))
      const payments = PAYMENTS * times
      costs.push(await fill(ledger, payments, url))
      lookups.push(
        await medianMs(ledger, (database, sample) => findPayments(database, `order-${(sample * 7919) % payments}`)),
      )
      const planned = { externalId: null, payment: null, run: null, accepted: new Set(), originalCents: null }
      conflicts.push(
        await medianMs(ledger, (database, sample) => {
          const facts = transferOf((sample * 7919) % payments)
          const conflict = findConflict(database, account, { ...planned, facts }, Date.now())
          if (conflict?.why !== 'repeat') throw new Error('a repeat was not found')
        }),
      )
      await ledger.close()
      folders.push(folder)
    }
    const shown = `${costs.map((cost) => cost.toFixed(0)).join(', ')} µs`
    const what = 'CPU of the records of a payment and its answer'
    return [
      { what, limit: 'none', reached: shown, toReach: 'none' },
      growth('a lookup', lookups),
      growth('the rules for a payment', conflicts),
      ...(await commandRows({
        home,
        url,
        clientId: CLIENT_ID,
        folders,
        sizes: GROWTH.map((times) => PAYMENTS * times),
        rounds: ROUNDS,
      })),
    ]
  } finally {
    server.close()
    for (const folder of [home, modules]) rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(`Node.js ${process.version}, median of ${ROUNDS} rounds`)
  console.log(tableOf(await ledgerRows()))
}
