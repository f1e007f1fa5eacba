/**
 * `node bench/equalPayments.js`: whether a decision takes the same time when the same payment was made many times before, and for how long it
 * blocks the event loop. BENCH_EQUAL (payments before), BENCH_EQUAL_ROWS (of a batch) and BENCH_ROUNDS make it shorter. Linux only.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import {
  appendAcceptance,
  CLIENT_ID,
  compileModules,
  fillLedger,
  ledgerEnvironment,
  payrollTransfer,
  transferTo,
} from './filledLedger.js'
import { median, ratioRow, tableOf } from './table.js'

const BINARY = join(import.meta.dirname, '..', 'bin', 'pixgate.js')
const EQUAL = Number(process.env.BENCH_EQUAL ?? 10_000)
const ROWS = Number(process.env.BENCH_EQUAL_ROWS ?? 1000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const REFERENCES = 3
/** A batch decides about so many rows in one transaction. */
const DECIDED_AT_ONCE = 64
const SINGLE_RATIO_MAX = 1.5
const BATCH_RATIO_MAX = 2
const BLOCKED_MS_MAX = 50
const PAUSE_MS = 5

const KEY = 'maria@example.com'
const CENTS = 1050

/** @typedef {import('./table.js').Row} Row */

/** @param {string} folder @param {string} url */
function environment(folder, url) {
  return {
    HOME: folder,
    PATH: process.env.PATH ?? '',
    PIXGATE_DATA_DIR: join(folder, 'data'),
    PIXGATE_CONFIG_DIR: join(folder, 'config'),
    PIXGATE_BASE_URL: url,
    PIXGATE_CLIENT_ID: CLIENT_ID,
    PIXGATE_CLIENT_SECRET: 'local-secret',
    PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/',
  }
}

/**
 * Runs a command and returns how many ms it took.
 * @param {Record<string, string>} env
 * @param {readonly string[]} words
 */
async function run(env, words) {
  const began = performance.now()
  const child = spawn(process.execPath, [BINARY, ...words], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${errors}`)
  return performance.now() - began
}

/**
 * A single transfer, and its dry run, after none and after many equal ones. Each round pays once more.
 * @param {string} emptyHome
 * @param {string} filledHome
 * @param {string} url
 * @returns {Promise<Row[]>}
 */
async function singles(emptyHome, filledHome, url) {
  const words = ['transfer', '--key', KEY, '--amount', '10.50', '--yes', '--again', '-q']
  const rows = []
  for (const [what, all] of /** @type {const} */ ([
    ['a transfer', words],
    ['its dry run', [...words, '--dry-run']],
  ])) {
    /** @type {number[]} */
    const [none, many] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      none.push(await run(environment(emptyHome, url), all))
      many.push(await run(environment(filledHome, url), all))
    }
    rows.push(
      ratioRow(`${what} after ${EQUAL.toLocaleString('en')} equal ones`, {
        ratio: median(many) / median(none),
        beside: `after none, ${median(none).toFixed(0)} ms`,
        note: `${median(many).toFixed(0)} ms`,
        most: SINGLE_RATIO_MAX,
      }),
    )
  }
  return rows
}

/**
 * A file of equal rows, sent under one reference after the other.
 * @param {string} home
 * @param {string} url
 * @returns {Promise<Row[]>}
 */
async function batches(home, url) {
  const path = join(home, 'payroll.csv')
  writeFileSync(path, `key,value\n${`${KEY},10.50\n`.repeat(ROWS)}`)
  /** @type {{ dry: number[], real: number[] }} */
  const times = { dry: [], real: [] }
  for (let number = 1; number <= REFERENCES; number++) {
    const words = ['batch', 'transfer', path, '--reference', `month-${number}`, '--yes', '--again', '-q']
    times.dry.push(await run(environment(home, url), [...words, '--dry-run']))
    times.real.push(await run(environment(home, url), words))
  }
  return [
    { what: `batch of ${ROWS} equal rows`, ms: times.real },
    { what: `dry run of ${ROWS} equal rows`, ms: times.dry },
  ].map(({ what, ms }) => {
    const [first = Number.NaN, ...others] = ms
    return ratioRow(`${what}, under its reference ${REFERENCES}`, {
      ratio: (ms.at(-1) ?? Number.NaN) / first,
      beside: `under its first, ${first.toFixed(0)} ms`,
      note: others.map((each) => `${each.toFixed(0)} ms`).join(', '),
      most: BATCH_RATIO_MAX,
    })
  })
}

/**
 * What decisions need to know about a process that decides.
 * @param {any} modules
 * @param {{ home: string, url: string, ledger: any }} where
 */
function decidingContext({ WitnessFolder }, { home, url, ledger }) {
  const account = {
    url,
    clientId: CLIENT_ID,
    profile: null,
    environment: 'sandbox',
    maxAmountCents: null,
    maxDayCents: 1e15,
    readOnly: false,
  }
  return {
    account,
    currentAccount: () => account,
    gateway: { serverTimeMs: async () => Date.now() },
    ledger,
    witness: new WitnessFolder(join(home, 'config'), join(home, 'data'), randomUUID),
    terminal: { warn: (/** @type {string} */ text) => console.error(text), passing: () => undefined },
    interrupt: new AbortController().signal,
    abandon: new AbortController().signal,
    now: () => Date.now(),
  }
}

/** A histogram notices in the turn after the next how long one took. */
function pause() {
  return new Promise((resolve) => setTimeout(() => setTimeout(resolve, PAUSE_MS), PAUSE_MS))
}

/**
 * For how long the rules block the event loop, in ms: the preview of a batch and the decisions about it, in groups as they are sent.
 * @param {any} modules
 * @param {{ home: string, url: string, reference: string, transferOf: (index: number) => ReturnType<typeof transferTo> }} what
 * @returns {Promise<{ previewMs: number, decisionMs: number, decisionCpuMs: number }>}
 */
async function blockedMs(modules, { home, url, reference, transferOf }) {
  const { openLedger, addRunRow, acceptRun, addUnacceptedRun, previewRun, decide, runRows, rowProposal } = modules
  const ledger = openLedger(ledgerEnvironment(join(home, 'data')))
  const context = decidingContext(modules, { home, url, ledger })
  const sender = await ledger.sender()
  const name = `run-of-${reference}`
  const owner = { profile: null, environment: 'sandbox', baseUrl: url, clientId: CLIENT_ID }
  const run = { run: name, kind: 'transfer', owner, file: null, reference }
  await ledger.write((/** @type {any} */ writer) => {
    addUnacceptedRun(writer, sender, join(home, 'data'), {
      ...run,
      columns: ['key', 'value'],
      fields: {},
      isDryRun: false,
    })
    for (let index = 0; index < ROWS; index++) {
      const row = { line: index + 1, rowId: `${reference}-${index}`, isTypedId: false, cells: ['a', 'b'] }
      addRunRow(writer.database, name, { ...row, originalCents: null, isLeftOut: false, facts: transferOf(index) })
    }
    acceptRun(writer, { ...run, rows: ROWS, totalCents: 1, fingerprint: '0123456789abcdef' })
  })
  const repeats = { again: true, inAdditionTo: [], despiteChargeback: false }
  const histogram = monitorEventLoopDelay({ resolution: 1 })
  histogram.enable()
  // It notices nothing before its first turn.
  await pause()
  histogram.reset()
  const selection = { refused: false, includeUnknown: false }
  const order = { run: name, kind: 'transfer', reference, selection, limit: null, repeats }
  const { lastSeq, conflictCount } = await previewRun(context, order)
  if (conflictCount > 0) throw new Error(`${conflictCount} rows have a conflict`)
  await pause()
  const previewMs = histogram.max / 1e6
  histogram.reset()
  let decisionCpuMs = 0
  for (let line = 0; line < ROWS; line += DECIDED_AT_ONCE) {
    const proposals = await ledger.read((/** @type {any} */ database) =>
      runRows(database, name, line, DECIDED_AT_ONCE).map((/** @type {any} */ state) =>
        rowProposal(database, context.account, { state, action: 'pay' }, { order, lastSeq }),
      ),
    )
    // As between the steps of a batch.
    await pause()
    const before = process.cpuUsage()
    const decisions = await decide(context, proposals)
    const { user, system } = process.cpuUsage(before)
    decisionCpuMs = Math.max(decisionCpuMs, (user + system) / 1000)
    await pause()
    await ledger.write((/** @type {any} */ writer) => {
      for (const { attempt } of decisions) {
        if (attempt === null) throw new Error('a row was not allowed')
        const { payment, id } = attempt.record
        appendAcceptance(writer, { payment, attempt: id, idTransaction: id })
      }
    })
    await pause()
  }
  const decisionMs = histogram.max / 1e6
  histogram.disable()
  await ledger.close()
  return { previewMs, decisionMs, decisionCpuMs }
}

/**
 * @param {any} modules
 * @param {string} home of a ledger with many equal payments
 * @param {string} url
 * @returns {Promise<Row[]>}
 */
async function blocked(modules, home, url) {
  const cases = /** @type {const} */ ([
    ['equal', () => transferTo(KEY, CENTS)],
    ['of a payroll', payrollTransfer],
  ])
  const rows = []
  for (const [what, transferOf] of cases) {
    const reference = `blocked ${what}`
    // The first time compiles code and statements.
    await blockedMs(modules, { home, url, reference: `${reference} 1`, transferOf })
    const { previewMs, decisionMs, decisionCpuMs } = await blockedMs(modules, { home, url, reference, transferOf })
    rows.push({
      what: `${ROWS} rows ${what} after ${EQUAL.toLocaleString('en')} equal payments: the longest time that the event loop is blocked`,
      limit: '',
      reached: `the preview ${previewMs.toFixed(0)} ms, decisions about ${DECIDED_AT_ONCE} at once ${decisionMs.toFixed(0)} ms (${decisionCpuMs.toFixed(0)} ms of CPU)`,
      toReach: `≤ ${BLOCKED_MS_MAX} ms`,
      isReached: Math.max(previewMs, decisionMs) <= BLOCKED_MS_MAX,
    })
  }
  return rows
}

/** @returns {Promise<Row[]>} */
export async function equalPaymentRows() {
  const home = mkdtempSync(join(tmpdir(), 'pixgate-bench-'))
  const compiled = await compileModules({
    ledger: 'ledger/ledger.ts',
    witness: 'ledger/witness.ts',
    runs: 'ledger/runs.ts',
    runRows: 'ledger/runRows.ts',
    runPreview: 'batch/runPreview.ts',
    decide: 'payments/decide.ts',
  })
  const gateway = spawn(process.execPath, [join(import.meta.dirname, 'answering.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const { value: url } = await createInterface({ input: gateway.stdout })[Symbol.asyncIterator]().next()
    const names = ['ledger', 'witness', 'runs', 'runRows', 'runPreview', 'decide']
    const modules = Object.assign({}, ...(await Promise.all(names.map(compiled.load))))
    const [empty, filled, batch] = ['empty', 'filled', 'batch'].map((name) => mkdtempSync(join(home, name)))
    const ledger = modules.openLedger(ledgerEnvironment(join(filled ?? '', 'data')))
    await fillLedger(ledger, { payments: EQUAL, url, transferOf: () => transferTo(KEY, CENTS) })
    await ledger.close()
    return [
      ...(await singles(empty ?? '', filled ?? '', url)),
      ...(await batches(batch ?? '', url)),
      ...(await blocked(modules, filled ?? '', url)),
    ]
  } finally {
    gateway.kill()
    for (const folder of [home, compiled.folder]) rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === import.meta.filename) {
  console.log(`Node.js ${process.version}, median of ${ROUNDS} rounds`)
  console.log(tableOf(await equalPaymentRows()))
}
