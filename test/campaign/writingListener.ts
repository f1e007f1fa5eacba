import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { hmac } from '../cli/webhookTarget.ts'
import { freePort } from '../freePort.ts'
import { deliver, eventBody } from '../listener/webhooks.ts'
import type { World } from '../world.ts'
import type { WritingCommand } from './writingCommand.ts'

/** What is delivered to one listener: a webhook that it refuses, then a genuine one until it is answered. */
interface Delivering {
  port: number
  /** The lines of the file of refused webhooks before. */
  before: string[]
  stop: AbortController
  statuses: Promise<{ refused: number | undefined; genuine: number | undefined }>
}

const DELIVERING = new Map<string, Delivering>()
const PAUSE_MS = 30
/** The exit code of a listener whose time is over. */
const NO_EVENT = 8

const KEPT_MAX = 50

function refusedLines({ env }: World): string[] {
  const path = join(env.PIXGATE_DATA_DIR ?? '', 'refused-webhooks.json')
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : []
}

const forged = (name: string) => Buffer.from(`{"forged":"${name}"}`)

async function deliverBoth(port: number, name: string, ended: AbortSignal) {
  const until = async (body: Buffer, header: string, isEnough: (status: number | undefined) => boolean) => {
    for (let status: number | undefined; ; await sleep(PAUSE_MS)) {
      if (ended.aborted) return status
      status = await deliver(port, body, { headers: { 'X-Signature': header } })
      if (isEnough(status)) return status
    }
  }
  const refused = await until(forged(name), '0'.repeat(64), (status) => status !== undefined)
  const body = eventBody(name)
  return {
    refused,
    genuine: await until(body, hmac(body.toString(), 'local-secret', 'hex'), (status) => status === 200),
  }
}

/** The listener, which keeps what it refuses and records what is genuine. */
export const LISTENING: Readonly<Record<string, WritingCommand>> = {
  'webhook listen': {
    async prepare({ world, name }) {
      const [port, stop] = [await freePort(), new AbortController()]
      const statuses = deliverBoth(port, name, stop.signal)
      DELIVERING.set(name, { port, before: refusedLines(world), stop, statuses })
    },
    words: (name) => [
      ...['webhook', 'listen', '--port', String(DELIVERING.get(name)?.port), '--max-events', '1', '--for', '15s'],
      ...['-o', 'json'],
    ],
    async check({ world, name, ran }) {
      const delivering = DELIVERING.get(name)
      if (delivering === undefined) throw new Error('nothing is delivered')
      delivering.stop.abort()
      const { refused, genuine } = await delivering.statuses
      const events = await world.prepare(['webhook', 'events', '-o', 'json'])
      const isRecorded = JSON.parse(events).some(({ bodyBase64 }: { bodyBase64: string }) =>
        Buffer.from(bodyBase64, 'base64').equals(eventBody(name)),
      )
      if (genuine === 200 || ran.exit === 0) expect([name, isRecorded]).toEqual([name, true])
      expect(genuine === 200 ? [0] : [0, 2, NO_EVENT], ran.stderr).toContain(ran.exit)
      // What is kept is what was kept before, or that and the new one; only what is said to be lost may be.
      const kept = refusedLines(world)
      const isKept = JSON.stringify(kept) !== JSON.stringify(delivering.before)
      if (isKept) {
        const [last = ''] = kept.slice(-1)
        expect(JSON.parse(last).body).toBe(forged(name).toString('base64'))
        expect(kept).toEqual([...delivering.before, last].slice(-KEPT_MAX))
      }
      if (refused === 401 && !isKept) expect(ran.stderr).toContain('Refused webhooks cannot be kept')
    },
  },
}
