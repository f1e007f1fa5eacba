import { runCli } from './cli.ts'

const SIGTERM_EXIT = 143
const GRACE_MS = 2000

const interrupt = new AbortController()
const abandon = new AbortController()
let terminated = false

process.on('SIGINT', () => {
  if (interrupt.signal.aborted) end()
  else interrupt.abort()
})
process.on('SIGTERM', () => {
  terminated = true
  end()
})
for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe)

const exitCode = await runCli(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  interrupt: interrupt.signal,
  abandon: abandon.signal,
})
exit(exitCode)

/** Ends whatever is under way, and the process soon after. */
function end(): void {
  abandon.abort()
  interrupt.abort()
  setTimeout(exit, GRACE_MS, 130).unref()
}

/** Leaves as soon as everything written has been taken, because ending at once cuts a long pipe write. */
function exit(code: number): void {
  const final = terminated && code === 130 ? SIGTERM_EXIT : code
  process.exitCode = final
  process.stdout.write('', () => process.stderr.write('', () => process.exit(final)))
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
