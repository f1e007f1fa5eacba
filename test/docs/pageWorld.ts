import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { Language } from '../../src/text/languages.ts'
import { listenHere } from '../cli/listener.ts'
import { type AtEnd, BINARY, NODE, sandboxWorld } from '../world.ts'
import type { PageWorld } from './typedPage.ts'

const POLL_MS = 10
const HOUR_MS = 3_600_000

interface SandboxState {
  transfers: { status: string }[]
  refunds: { status: string }[]
  deliveries: { outcome: string }[]
}

/**
 * What the pages ask for at their beginning: a home with an empty ledger, a sandbox, and a listener as its callback. The commands speak
 * the language of the pages. Several pages may be typed in it, one after the other.
 */
export async function pageWorld(language: Language = 'en', atEnd: AtEnd = onTestFinished): Promise<PageWorld> {
  const world = await sandboxWorld({}, { PIXGATE_LANG: language }, atEnd)
  const atFirst = { ...world.env }
  let listener = await listenHere(world, [], {}, atEnd)
  const { port } = new URL(listener.url)
  world.env.PIXGATE_CALLBACK_URL = atFirst.PIXGATE_CALLBACK_URL = listener.url
  // The README is typed in the folder of the source, after `npm link`.
  cpSync(join(import.meta.dirname, '..', '..', 'examples'), join(world.home, 'examples'), { recursive: true })
  mkdirSync(join(world.home, 'bin'))
  writeFileSync(join(world.home, 'bin', 'pixgate'), `#!/bin/sh\nexec '${NODE}' '${BINARY}' "$@"\n`, { mode: 0o755 })
  world.env.PATH = `${join(world.home, 'bin')}:${world.env.PATH}`
  return {
    world,
    replaced: new Map([
      // The pages say of which month they were written.
      ['11/2026', thisMonth()],
      ['http://127.0.0.1:4010', world.url],
      ['http://127.0.0.1:4242/', listener.url],
      // The reader's own server.
      ['http://127.0.0.1:3000/pix', listener.url],
    ]),
    settled: () => settled(world.url),
    export: async (name, value) => {
      world.env[name] = value
      await listenAgain()
    },
    unset: async (name) => {
      delete world.env[name]
      Object.assign(world.env, Object.fromEntries(Object.entries(atFirst).filter(([each]) => each === name)))
      await listenAgain()
    },
  }

  /** The pages ask to start the listener again, in the same folder as the commands. */
  async function listenAgain(): Promise<void> {
    await listener.stop()
    listener = await listenHere(world, ['--port', port], {}, atEnd)
  }
}

/** The month in São Paulo, which is three hours behind UTC. */
function thisMonth(): string {
  const [year, month] = new Date(Date.now() - 3 * HOUR_MS).toISOString().split('-')
  return `${month}/${year}`
}

/** Waits until the sandbox has settled every payment and delivered every webhook. */
async function settled(url: string): Promise<void> {
  for (;;) {
    const state: SandboxState = JSON.parse(await (await fetch(`${url}/sandbox/state`)).text())
    const isOpen = [...state.transfers, ...state.refunds].some(({ status }) => status === 'PROCESSING')
    if (!isOpen && state.deliveries.every(({ outcome }) => outcome !== 'waiting')) return
    await sleep(POLL_MS)
  }
}
