/** Ledgers of many payments, written by the modules of pixgate without its command line. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = join(import.meta.dirname, '..')
const GROUP = 1000
/** A payroll pays the same people the same amounts, again and again. */
const PEOPLE = 1000
const AMOUNTS = 50

export const CLIENT_ID = 'local'

/**
 * Compiles modules of `src`, by the names that they get here.
 * @param {Record<string, string>} modules
 * @returns {Promise<{ folder: string, load(name: string): Promise<any> }>}
 */
export async function compileModules(modules) {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-bench-modules-'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(modules).map(([name, path]) => [name, join(ROOT, 'src', path)])),
    platform: 'node',
    external: [/^node:/, '@photostructure/sqlite'],
    logLevel: 'silent',
  })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
  await bundle.close()
  return { folder, load: (name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href) }
}

/**
 * The transfer of a payroll with this number.
 * @param {number} index
 */
export function payrollTransfer(index) {
  const person = index % PEOPLE
  return transferTo(`person.${person}@example.com`, 1050 + 100 * (person % AMOUNTS))
}

/**
 * @param {string} key
 * @param {number} amountCents
 */
export function transferTo(key, amountCents) {
  return {
    kind: 'transfer',
    key,
    keyType: 'email',
    amountCents,
    documentValidation: null,
    callbackUrl: 'http://127.0.0.1:4242/',
  }
}

/** @param {string} folder */
export function ledgerEnvironment(folder) {
  const stamp = { user: 'maria', machine: 'desk', pid: process.pid }
  return { folder, ...stamp, now: () => Date.now(), newId: randomUUID, notice: () => undefined, timeoutMs: 30_000 }
}

/**
 * Records that the gateway accepted an attempt.
 * @param {any} writer
 * @param {{ payment: string, attempt: string, idTransaction: string }} ids
 */
export function appendAcceptance(writer, ids) {
  const answer = { type: 'answer', ...ids, outcome: 'accepted', status: 'PROCESSING' }
  writer.append({ ...answer, code: null, message: null, httpStatus: 200, amountCents: null })
}

/**
 * Writes accepted payments into a ledger, in groups as a batch does. Returns the CPU time of a payment, in µs.
 * @param {any} ledger
 * @param {{ payments: number, url: string, transferOf?: (index: number) => ReturnType<typeof transferTo> }} what
 */
export async function fillLedger(ledger, { payments, url, transferOf = payrollTransfer }) {
  const owner = { profile: null, environment: 'sandbox', baseUrl: url, clientId: CLIENT_ID }
  const before = process.cpuUsage()
  for (let first = 0; first < payments; first += GROUP) {
    await ledger.write((/** @type {any} */ writer) => {
      for (let index = first; index < Math.min(payments, first + GROUP); index++) {
        const payment = randomUUID()
        const externalId = `order-${index}`
        const facts = transferOf(index)
        const body = JSON.stringify({ value: facts.amountCents / 100, key: facts.key, typeKey: 'email', externalId })
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
        appendAcceptance(writer, { payment, attempt: id, idTransaction: `id-${index}` })
      }
    })
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / payments
}
