import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { emptyWorld } from '../world.ts'
import { PAYMENT_ID, POSTS, STATUS } from './commandLines.ts'
import type { HostileAnswer } from './hostileAnswers.ts'
import { readRequests } from './rawHttp.ts'

const TIMEOUT_MS = 2_000
/** A payment asks for the time before, with a deadline of its own; and a command ends, on a machine that may be busy. */
const MORE_MS = 4_000
const MEGABYTES_MAX = 150

/**
 * Code that is loaded before the program and tells its largest size in memory at its end, where the system has it. The largest size in its resource usage
 * is no answer: a process has that of the one that started it.
 */
const MEASURE = `const { existsSync, readFileSync, writeFileSync } = require('node:fs')
const status = '/proc/self/status'
const size = () => (existsSync(status) ? /VmHWM:\\s*(\\d+)/.exec(readFileSync(status, 'utf8'))[1] : '0')
process.on('exit', () => writeFileSync(process.env.SIZE_FILE, size()))`

/** How a command ended that met a hostile answer. */
export interface MetAnswer {
  exit: number
  /** From its first connection to its end. */
  ms: number
  megabytes: number
}

/** Runs a query and a payment against a server that answers in this way. Asserts their exit codes, their time and their memory. */
export async function meetAnswer(answer: HostileAnswer): Promise<MetAnswer[]> {
  let posts = 0
  let connectedMs: number | undefined
  const server = createServer((socket) => {
    connectedMs ??= performance.now()
    socket.on('error', () => undefined)
    const reader = readRequests(socket)
    void (async () => {
      for (let head = await reader.head(); head !== undefined; head = await reader.head()) {
        await reader.body()
        if (head.method === 'POST') posts += 1
        const isQuery = head.method === 'GET'
        const status = isQuery ? 'PAID' : 'PROCESSING'
        answer.write(socket, JSON.stringify({ idTransaction: PAYMENT_ID, status, amount: 10, response: 'OK' }))
      }
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server on a port has an address')
  const world = emptyWorld({ PIXGATE_BASE_URL: `http://127.0.0.1:${address.port}` })
  const preload = join(world.home, 'measure.cjs')
  writeFileSync(preload, MEASURE)
  const met: MetAnswer[] = []
  for (const [args, exits] of [
    [STATUS, answer.query ?? [6]],
    [POSTS.transfer, answer.post ?? [5]],
  ] as const) {
    const size = join(world.home, 'size')
    connectedMs = undefined
    const words = [...args, '--timeout', `${TIMEOUT_MS}ms`, '-o', 'json']
    const { exit, stderr } = await world.run(words, { env: { NODE_OPTIONS: `--require ${preload}`, SIZE_FILE: size } })
    const ms = performance.now() - (connectedMs ?? Number.NaN)
    const megabytes = Number(readFileSync(size, 'utf8')) / 1024
    const what = `${answer.name}, ${args[0]}`
    expect([what, exits.includes(exit) ? exits : exit], stderr).toEqual([what, exits])
    expect(ms, what).toBeLessThan(TIMEOUT_MS + MORE_MS)
    expect(megabytes, what).toBeLessThan(MEGABYTES_MAX)
    met.push({ exit, ms, megabytes })
  }
  expect(posts, answer.name).toBeLessThanOrEqual(1)
  return met
}
