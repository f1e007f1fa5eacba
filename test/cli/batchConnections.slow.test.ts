import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Fault, type FaultGateway, startFaultGateway } from '../gateway/faultGateway.ts'
import { answerHead } from '../gateway/rawHttp.ts'
import { emptyWorld, type ProcessResult } from '../world.ts'
import { csvIn, linesOf } from './batchFiles.ts'

/** Counts the connections that a server has closed where the program, whose event loop is blocked, can read it. */
function closings() {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-closed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'count')
  writeFileSync(path, '')
  return { path, note: () => appendFileSync(path, '.') }
}
type Closings = ReturnType<typeof closings>

/** Closes each connection after its answer, although the answer promises to keep it open. */
function closeUnannounced({ note }: Closings): Fault {
  return async ({ socket, carryOut }) => {
    const { status, headers, body = '' } = await carryOut()
    const promised = { ...headers, connection: 'keep-alive', 'content-length': String(Buffer.byteLength(body)) }
    socket.end(answerHead({ status, headers: promised, body }) + String(body), note)
  }
}

/**
 * Blocks the event loop after each of these events until the server has closed as many connections, at most this many, so that what the server did is
 * noticed together, and late.
 */
function blockLoopAfter(event: 'beforeConnect' | 'sendHeaders', { path }: Closings, most: number): string {
  return `const { statSync } = require('node:fs')
    const wait = new Int32Array(new SharedArrayBuffer(4))
    let count = 0
    require('node:diagnostics_channel').subscribe('undici:client:${event}', () => {
      const closed = Math.min(++count, ${most})
      setImmediate(() => {
        const endMs = Date.now() + 20_000
        while (statSync(${JSON.stringify(path)}).size < closed && Date.now() < endMs) Atomics.wait(wait, 0, 0, 5)
      })
    })`
}

/** A server that closes the first connections at once and passes the others on. */
async function closingFront(gateway: FaultGateway, closedFirst: number, { note }: Closings): Promise<string> {
  let count = 0
  const server = createServer((socket) => {
    count += 1
    socket.on('error', () => undefined)
    if (count <= closedFirst) {
      socket.end(note)
      return
    }
    const onward = connect(gateway.port, '127.0.0.1')
    onward.on('error', () => undefined)
    socket.pipe(onward).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the front does not listen')
  return `http://127.0.0.1:${address.port}`
}

async function payOne(url: string, preloaded: string): Promise<ProcessResult> {
  const world = emptyWorld({ PIXGATE_BASE_URL: url })
  const preload = join(world.home, 'preload.cjs')
  writeFileSync(preload, preloaded)
  return world.run(['transfer', '--key', 'a@example.com', '--amount', '1', '--yes', '-o', 'json'], {
    env: { NODE_OPTIONS: `--require=${preload}` },
  })
}

async function payRows(gateway: FaultGateway, count: number, words: readonly string[], preloaded = ''): Promise<void> {
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  const preload = join(world.home, 'preload.cjs')
  writeFileSync(preload, preloaded)
  const rows = Array.from({ length: count }, (_, row) => `p${row}@example.com,1`)
  const path = csvIn(world, 'payroll.csv', 'key,value', rows)
  const ran = await world.run(['batch', 'transfer', path, '--yes', '-o', 'json', ...words], {
    env: { NODE_OPTIONS: `--require=${preload}` },
  })
  expect(linesOf(ran).at(-1)).toMatchObject({ accepted: count, unknown: 0 })
  expect(ran.exit).toBe(0)
  expect(gateway.ledger.length).toBe(count)
}

it('sends nothing over a connection that was closed while the event loop was blocked', async () => {
  const gateway = await startFaultGateway()
  const closed = closings()
  gateway.always(closeUnannounced(closed))
  await payRows(gateway, 4, ['--concurrency', '2'], blockLoopAfter('sendHeaders', closed, 4))
})

it('sends nothing over a connection that was idle for a while, though it is still open', async () => {
  const gateway = await startFaultGateway()
  // Three seconds from row to row, which an answer does not take.
  await payRows(gateway, 2, ['--concurrency', '1', '--rate', '20/m'])
  expect(gateway.connections).toBe(2)
})

it('sends nothing over a new connection that was closed while the event loop was blocked, and connects again', async () => {
  const gateway = await startFaultGateway()
  const closed = closings()
  const ran = await payOne(await closingFront(gateway, 2, closed), blockLoopAfter('beforeConnect', closed, 2))
  expect(ran).toMatchObject({ exit: 0 })
  expect(gateway.ledger.length).toBe(1)
})

it('gives up after three new connections that were closed at once, with nothing sent', async () => {
  const gateway = await startFaultGateway()
  const closed = closings()
  const ran = await payOne(await closingFront(gateway, 3, closed), blockLoopAfter('beforeConnect', closed, 3))
  expect(ran).toMatchObject({ exit: 6, stderr: expect.stringContaining('Nothing was sent') })
  expect(gateway.arrivals).toEqual([])
})
