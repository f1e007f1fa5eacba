/**
 * `node bench/ledger.js`: what a payment costs in the ledger, and what lookups, rules and commands cost as the ledger grows from 10,000
 * payments to 1,000,000. BENCH_PAYMENTS (the smallest ledger) and BENCH_ROUNDS make it shorter. Linux only.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CLIENT_ID, compileModules, fillLedger, ledgerEnvironment, payrollTransfer } from './filledLedger.js'
import { commandRows, STATEMENT_LINES } from './ledgerCommands.js'
import { median, tableOf } from './table.js'

const PAYMENTS = Number(process.env.BENCH_PAYMENTS ?? 10_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const GROWTH = [1, 10, 100]
const SAMPLES = 200
/** A lookup or a decision among 1,000,000 payments. */
const MS_MAX = 5

/** @typedef {import('./table.js').Row} Row */

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
  const { folder: modules, load } = await compileModules({
    ledger: 'ledger/ledger.ts',
    payments: 'ledger/payments.ts',
    conflicts: 'payments/paymentRules.ts',
  })
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
      const ledger = openLedger(ledgerEnvironment(folder))
      const payments = PAYMENTS * times
      costs.push(await fillLedger(ledger, { payments, url }))
      lookups.push(
        await medianMs(ledger, (database, sample) => findPayments(database, `order-${(sample * 7919) % payments}`)),
      )
      const accepted = { throughSeq: 0, ids: [], despiteChargeback: false }
      const intended = { externalId: null, payment: null, run: null, accepted, originalCents: null }
      conflicts.push(
        await medianMs(ledger, (database, sample) => {
          const facts = payrollTransfer((sample * 7919) % payments)
          const conflict = findConflict(database, account, { ...intended, facts }, Date.now())
          if (conflict?.why !== 'repeat') throw new Error('a repeat was not found')
        }),
      )
      await ledger.close()
      folders.push(folder)
    }
    const statementFolder = join(home, 'data-statement')
    const statementLedger = openLedger(ledgerEnvironment(statementFolder))
    await fillLedger(statementLedger, { payments: STATEMENT_LINES, url })
    await statementLedger.close()
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
        statementFolder,
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
