/**
 * `node bench/idleConnections.js`: how many rows of a batch get an unknown outcome from a server that closes idle connections after
 * 300 ms without announcing it. The rows are equal, and the file is sent under several references.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { tableOf } from './table.js'

const BINARY = join(import.meta.dirname, '..', 'bin', 'pixgate.js')
const ROWS = 250
const REFERENCES = ['january', 'february', 'march']
const CONCURRENCY = 16

/** @typedef {import('./table.js').Row} Row */

/** @param {Record<string, string>} env @param {readonly string[]} words @returns {{ unknown: number, accepted: number }} */
function send(env, words) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [BINARY, 'batch', 'transfer', ...words, '-o', 'json'],
    {
      env,
      encoding: 'utf8',
    },
  )
  const last = stdout.trim().split('\n').at(-1) ?? ''
  if (!last.includes('"summary"')) throw new Error(`the batch ended with ${status}: ${stderr}`)
  return JSON.parse(last)
}

/** @returns {Promise<Row[]>} */
export async function idleConnectionRows() {
  const home = mkdtempSync(join(tmpdir(), 'pixgate-bench-'))
  // Synchronous children block this thread.
  const gateway = new Worker(join(import.meta.dirname, 'closingGateway.js'))
  try {
    const url = await new Promise((resolve) => gateway.once('message', resolve))
    const path = join(home, 'payroll.csv')
    writeFileSync(path, `key,value\n${'maria@example.com,1.50\n'.repeat(ROWS)}`)
    const env = {
      HOME: home,
      PIXGATE_DATA_DIR: join(home, 'data'),
      PIXGATE_CONFIG_DIR: join(home, 'config'),
      PIXGATE_BASE_URL: url,
    }
    const options = ['--yes', '--again', '--concurrency', String(CONCURRENCY)]
    const summaries = REFERENCES.map((reference) => send(env, [path, '--reference', reference, ...options]))
    const accepted = summaries.reduce((sum, each) => sum + each.accepted, 0)
    const unknown = summaries.reduce((sum, each) => sum + each.unknown, 0)
    return [
      {
        what: `batch: ${ROWS} equal rows, ${REFERENCES.length} references, idle connections closed after 300 ms`,
        limit: '',
        reached: `${unknown} unknown, ${accepted} accepted`,
        toReach: '0 unknown',
        isReached: unknown === 0 && accepted === ROWS * REFERENCES.length,
      },
    ]
  } finally {
    await gateway.terminate()
    rmSync(home, { recursive: true, force: true })
  }
}

if (process.argv[1] === import.meta.filename) console.log(tableOf(await idleConnectionRows()))
