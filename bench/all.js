/**
 * `npm run bench [-- <node> …]`: everything that is measured, printed and kept in bench/RESULTS.md. Commands are timed on
 * these interpreters too, beside the one that runs this.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { batchRows } from './batch.js'
import { equalPaymentRows } from './equalPayments.js'
import { idleConnectionRows } from './idleConnections.js'
import { ledgerRows } from './ledger.js'
import { listenRows } from './listen.js'
import { queryRows } from './queries.js'
import { startRows } from './start.js'
import { tableOf } from './table.js'

const nodes = [process.execPath, ...process.argv.slice(2)]
const rows = [
  ...(await startRows(nodes)),
  ...(await queryRows()),
  ...(await listenRows()),
  ...(await batchRows()),
  ...(await idleConnectionRows()),
  ...(await equalPaymentRows()),
  ...(await ledgerRows()),
]
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
const machine = `${cpus().length} cores of ${cpus()[0]?.model ?? 'an unknown processor'}`
const text = `# Performance

${new Date().toISOString().slice(0, 10)}, ${commit}, Node.js ${process.version} unless noted, ${machine}. Results are medians; where there
is a baseline program, its samples alternate with those of pixgate in one run.

${tableOf(rows)}
`
console.log(text)
writeFileSync(join(import.meta.dirname, 'RESULTS.md'), text)
