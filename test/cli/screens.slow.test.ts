import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../freePort.ts'
import { itOnTerminal, onTerminal } from '../pseudoTerminal.ts'
import { BINARY, emptyWorld, NODE, sandboxWorld } from '../world.ts'

/** The service waits so long for an answer. */
const ANSWER_MS = 5_000

/** Sends a signed event of the built-in profile, and gives the status of the answer. */
async function sendEvent(port: number, index: number): Promise<number> {
  const idTransaction = `${String(index).padStart(8, '0')}-0000-4000-8000-000000000000`
  const body = JSON.stringify({ event: 'pix.received', data: { idTransaction, status: 'PAID', amount: 1.5 } })
  const headers = { 'x-signature': createHmac('sha256', 'local-secret').update(body).digest('hex') }
  const signal = AbortSignal.timeout(ANSWER_MS)
  return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers, signal })).status
}

itOnTerminal(
  'answers and records every event while its screen is paused, and says what it did not show',
  async () => {
    const world = emptyWorld()
    const port = await freePort()
    const terminal = onTerminal(world, ['webhook', 'listen', '--port', String(port)])
    await terminal.shows('Ctrl-C stops it')
    terminal.read(false)
    for (let index = 0; index < 1500; index += 1) expect(await sendEvent(port, index)).toBe(200)
    terminal.read(true)
    await terminal.shows('lines not shown')
    await sendEvent(port, 1500)
    await terminal.shows('00001500')
    terminal.press('\x03')
    const { exit, screen } = await terminal.ended
    expect(exit).toBe(0)
    expect(screen).toMatch(/… \d+ lines not shown/)
    expect(screen).toContain('1501 received')
  },
  120_000,
)

itOnTerminal(
  'answers as a sandbox while its screen is paused, and ends',
  async () => {
    const world = emptyWorld()
    const port = await freePort()
    const terminal = onTerminal(world, ['sandbox', '--port', String(port), '--memory'])
    await terminal.shows('Ctrl-C stops it')
    terminal.read(false)
    for (let index = 0; index < 3000; index += 1) {
      const answer = await fetch(`http://127.0.0.1:${port}/nothing-${index}`, {
        signal: AbortSignal.timeout(ANSWER_MS),
      })
      await answer.arrayBuffer()
    }
    terminal.signal('SIGINT')
    // The rest of what was written is read only now.
    await sleep(4_000)
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
    terminal.read(true)
    expect((await terminal.ended).exit).toBe(0)
  },
  60_000,
)

const FULL = '/dev/full'
const canWrite = existsSync(FULL)
if (!canWrite) console.warn(`SKIPPED: there is no ${FULL}, so a server whose output cannot be written is not tested`)

it.runIf(canWrite)('records and answers with an output that cannot be written, and ends with 2', async () => {
  const world = emptyWorld()
  const port = await freePort()
  const output = openSync(FULL, 'w')
  const words = [BINARY, 'webhook', 'listen', '--port', String(port), '--max-events', '3', '-o', 'json']
  const child = spawn(NODE, words, { env: world.env, stdio: ['ignore', output, 'pipe'] })
  closeSync(output)
  onTestFinished(() => void child.kill('SIGKILL'))
  const exit = new Promise((resolve) => child.on('close', resolve))
  const said = child.stderr === null ? Promise.resolve('') : text(child.stderr)
  for (let index = 0; index < 3; index += 1) {
    for (;;) {
      const status = await sendEvent(port, index).catch(() => null)
      if (status === 200) break
      expect(status).toBe(null)
      await sleep(100)
    }
  }
  expect(await exit).toBe(2)
  const stderr = await said
  expect(stderr.match(/warning: Standard output cannot be written: the disk is full \(ENOSPC\)/g)).toHaveLength(1)
  expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ error: { exitCode: 2 } })
  expect(JSON.parse(await world.prepare(['webhook', 'events', '-o', 'json']))).toHaveLength(3)
})

const SERVERS: readonly (readonly [words: string[], shown: string])[] = [
  [['webhook', 'listen', '--port', '0'], 'Ctrl-C stops it'],
  [['sandbox', '--port', '0'], 'Ctrl-C stops it'],
  [['inspect', '--port', '0'], 'Ctrl-C stops it'],
  [['transfer', '--key', 'maria@example.com', '--amount', '3'], '(y/N)'],
  [['profile', 'add', 'other'], '? '],
]

itOnTerminal.each(SERVERS)('ends %j with 129 when its terminal is closed', async (words, shown) => {
  const world = await sandboxWorld()
  const terminal = onTerminal(world, words)
  await terminal.shows(shown)
  terminal.close()
  expect((await terminal.ended).exit).toBe(129)
  expect(JSON.parse(await world.prepare(['history', '-o', 'json']))).toEqual([])
})

itOnTerminal(
  'ends a payment that is under way with 5 when its terminal is closed, and sends it once',
  async () => {
    const world = await sandboxWorld({ latencyMs: 3_000 })
    const terminal = onTerminal(world, ['transfer', '--key', 'maria@example.com', '--amount', '3', '--yes'])
    await terminal.shows('sent today')
    await sleep(1_000)
    terminal.close()
    expect((await terminal.ended).exit).toBe(5)
    expect(JSON.parse(await world.prepare(['history', '-o', 'json']))).toMatchObject([
      { pixgate: { state: 'unknown' } },
    ])
    const again = await world.run(['transfer', '--key', 'maria@example.com', '--amount', '3', '--yes'])
    expect(again.exit, again.stderr).toBe(2)
  },
  30_000,
)

itOnTerminal(
  'ends a batch with 5 when its terminal is closed',
  async () => {
    const world = await sandboxWorld({ latencyMs: 15_000 })
    const file = `${world.home}/payments.csv`
    writeFileSync(file, 'key,amount,external_id\na@example.com,1,order-1\nb@example.com,2,order-2\n')
    const terminal = onTerminal(world, ['batch', 'transfer', file, '--yes'])
    await sleep(6_000)
    terminal.close()
    expect((await terminal.ended).exit).toBe(5)
  },
  30_000,
)
