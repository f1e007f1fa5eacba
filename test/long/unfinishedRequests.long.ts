import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { idsOf, interrupt, recordedEvents, startListening } from '../listener/listening.ts'
import { holdConnections } from '../listener/unfinished.ts'
import { deliver, eventBody } from '../listener/webhooks.ts'
import { emptyWorld } from '../world.ts'

const CONNECTIONS = 10_000
const FOR_MS = 40_000
const EVERY_MS = 100
/** After which the service delivers again. */
const PATIENCE_MS = 5_000

it(`answers genuine events within 5 s while ${CONNECTIONS} connections never finish a request`, async () => {
  const world = emptyWorld()
  const listening = await startListening(world)
  const held = holdConnections(listening.port, CONNECTIONS)
  const times: number[] = []
  for (const beganMs = performance.now(); performance.now() - beganMs < FOR_MS; await sleep(EVERY_MS)) {
    const sentMs = performance.now()
    const status = await deliver(listening.port, eventBody(`genuine-${times.length}`))
    times.push(performance.now() - sentMs)
    expect([times.length, status]).toEqual([times.length, 200])
  }
  const made = await held.made()
  times.sort((one, other) => one - other)
  const [median = 0, slowest = 0] = [times[Math.floor(times.length / 2)], times.at(-1)]
  console.log(
    `${made} connections, ${times.length} genuine events: median ${median.toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms`,
  )
  expect(made).toBeGreaterThan(CONNECTIONS)
  expect(slowest).toBeLessThan(PATIENCE_MS)
  expect(await interrupt(listening)).toMatchObject({ exit: 0 })
  expect(idsOf(await recordedEvents(world))).toHaveLength(times.length)
})
