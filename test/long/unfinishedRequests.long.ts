import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { idsOf, interrupt, linesOf, recordedEvents, startListening } from '../listener/listening.ts'
import { holdConnections } from '../listener/unfinished.ts'
import { deliver, eventBody } from '../listener/webhooks.ts'
import { BINARY, emptyWorld, NODE } from '../world.ts'

const CONNECTIONS = 10_000
const FOR_MS = 40_000
const EVERY_MS = 100
/** After which the service delivers again. */
const PATIENCE_MS = 5_000

/** Asks again and again while connections are held to a port; gives how long each answer took, shortest first. */
async function askWhileHeld(port: number, what: string, ask: (nth: number) => Promise<number | undefined>) {
  const held = holdConnections(port, CONNECTIONS)
  const times: number[] = []
  for (const beganMs = performance.now(); performance.now() - beganMs < FOR_MS; await sleep(EVERY_MS)) {
    const sentMs = performance.now()
    const status = await ask(times.length)
    times.push(performance.now() - sentMs)
    expect([times.length, status]).toEqual([times.length, 200])
  }
  const made = await held.made()
  times.sort((one, other) => one - other)
  const [median = 0, slowest = 0] = [times[Math.floor(times.length / 2)], times.at(-1)]
  const figures = `median ${median.toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms`
  console.log(`${made} connections to ${what}, ${times.length} genuine requests: ${figures}`)
  expect(made).toBeGreaterThanOrEqual(CONNECTIONS)
  expect(slowest).toBeLessThan(PATIENCE_MS)
  return times
}

it.each(['the listener', 'its page'])(
  `answers genuine events within 5 s while ${CONNECTIONS} connections to %s never finish a request`,
  async (what) => {
    const world = emptyWorld()
    const listening = await startListening(world, ['--inspect', '0'])
    const [ready] = linesOf(listening)
    const port = what === 'its page' ? Number(new URL(String(ready?.inspectUrl)).port) : listening.port
    const times = await askWhileHeld(port, what, (nth) => deliver(listening.port, eventBody(`genuine-${nth}`)))
    expect(await interrupt(listening)).toMatchObject({ exit: 0 })
    expect(idsOf(await recordedEvents(world))).toHaveLength(times.length)
  },
)

it(`answers control requests within 5 s while ${CONNECTIONS} connections to a sandbox never finish a request`, async () => {
  const child = spawn(NODE, [BINARY, 'sandbox', '--port', '0', '-o', 'json'], { env: emptyWorld().env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [first] = await once(child.stdout, 'data')
  const { url } = JSON.parse(String(first))
  await askWhileHeld(Number(new URL(url).port), 'a sandbox', async () => (await fetch(`${url}/sandbox/state`)).status)
})
