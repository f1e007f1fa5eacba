/** Starts the receivers that are measured, and looks at what they use. */
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

export const SECRET = 'bench-secret-0123456789'
const BINARY = join(import.meta.dirname, '..', 'bin', 'pixgate.js')
/** Of Linux on every architecture that Node.js runs on. */
const CLOCK_TICKS_PER_SECOND = 100

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set()
/** @type {Set<string>} */
const homes = new Set()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  for (const home of homes) rmSync(home, { recursive: true, force: true })
})

/** @typedef {{ port: number, pid: number, stop(): Promise<void> }} Receiver */
/**
 * `events` are those that it has recorded; `listingMs` is how long it takes to list them without a reader.
 * @typedef {Receiver & {
 *   events(): Promise<Record<string, any>[]>, listingMs(output: string): Promise<number>,
 *   lines(): Record<string, number>, said(): string
 * }} Listener
 */

/** @returns {Promise<Receiver>} */
export async function startBare() {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bareReceiver.js')], {
    env: { BENCH_SECRET: SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  const ended = new Promise((resolve) => child.on('close', resolve))
  const first = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  return {
    port: Number(first.value),
    pid: child.pid ?? 0,
    async stop() {
      child.kill()
      await ended
    },
  }
}

/**
 * The built `webhook listen` with a data folder of its own, its stdout read by a process of its own.
 * @param {{ output: 'json' | 'text', args?: string[], nodeArgs?: string[], folder?: string }} how
 * @returns {Promise<Listener>}
 */
export async function startListener({ output, args = [], nodeArgs = [], folder }) {
  const home = folder ?? mkdtempSync(join(tmpdir(), 'pixgate-bench-'))
  if (folder === undefined) homes.add(home)
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    PIXGATE_DATA_DIR: join(home, 'data'),
    PIXGATE_CONFIG_DIR: join(home, 'config'),
    PIXGATE_CLIENT_SECRET: SECRET,
  }
  const words = ['webhook', 'listen', '--port', '0', '-o', output, ...args]
  const pipe = openPipe(home)
  const child = spawn(process.execPath, [...nodeArgs, BINARY, ...words], { env, stdio: ['ignore', pipe.write, 'pipe'] })
  const consumer = spawn(process.execPath, [join(import.meta.dirname, 'consumer.js')], {
    stdio: [pipe.read, 'pipe', 'inherit'],
  })
  pipe.close()
  for (const one of [child, consumer]) children.add(one)
  const ended = Promise.all([child, consumer].map((one) => new Promise((resolve) => one.on('close', resolve))))
  /** @type {Record<string, number>} */
  let lines = {}
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += chunk
  })
  const port = await new Promise((resolve, reject) => {
    createInterface({ input: consumer.stdout ?? Readable.from([]) }).on('line', (line) => {
      const told = JSON.parse(line)
      if (told.type === 'read') lines = told.lines
      else resolve(Number(new URL(told.url).port))
    })
    child.on('close', () => reject(new Error(`the listener ended: ${said}`)))
  })
  return {
    port,
    pid: child.pid ?? 0,
    lines: () => lines,
    said: () => said,
    async stop() {
      child.kill('SIGINT')
      await ended
    },
    async events() {
      const list = spawn(process.execPath, [BINARY, 'webhook', 'events', '-o', 'json'], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      return JSON.parse((await buffer(list.stdout)).toString('utf8'))
    },
    async listingMs(listed) {
      const begin = performance.now()
      const list = spawn(process.execPath, [BINARY, 'webhook', 'events', '-o', listed], { env, stdio: 'ignore' })
      const exit = await new Promise((resolve) => list.on('close', resolve))
      if (exit !== 0) throw new Error(`\`webhook events\` ended with ${exit}`)
      return performance.now() - begin
    },
  }
}

/**
 * A pipe as a shell makes it; what Node.js gives to its children is a pair of sockets.
 * @param {string} folder
 */
function openPipe(folder) {
  const path = join(folder, 'stdout')
  spawnSync('mkfifo', [path])
  // One end alone would wait for the other.
  const both = openSync(path, 'r+')
  const [read, write] = [openSync(path, 'r'), openSync(path, 'w')]
  closeSync(both)
  rmSync(path)
  return {
    read,
    write,
    close() {
      closeSync(read)
      closeSync(write)
    },
  }
}

/** A target that accepts connections, reads, and never answers. */
export async function startSilent() {
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.resume()
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`,
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/**
 * What the process has used of the processors so far, in seconds. Linux only.
 * @param {number} pid
 */
export function cpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND
}

/**
 * The most memory that the process has held, in megabytes. Linux only.
 * @param {number} pid
 */
export function peakMemoryMb(pid) {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
