import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openTunnel, type Tunnel, type TunnelOptions, type TunnelPauses } from '../../src/listener/tunnel.ts'

/** What the listener would be told by its tunnel, in its order. */
export interface WatchedTunnel extends Tunnel {
  /** The next thing that the tunnel tells, each only once: a URL, or words of trouble. */
  next(): Promise<string>
}

/** So long that a test would fail by its time limit before. */
export const NEVER_MS = 1_000_000
/** No pause before a new start, a short one before a kill, and no other ever ends. */
const PATIENT: TunnelPauses = {
  restartMs: [0],
  stableMs: NEVER_MS,
  urlMs: NEVER_MS,
  doubtMs: { 1: NEVER_MS, 2: NEVER_MS },
  passMs: 0,
  killMs: 300,
}

/** A folder that is gone when the test is. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-tunnel-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes a shell script; gives the command line that runs it. */
export function script(folder: string, ...lines: readonly string[]): string {
  const path = join(folder, 'tunnel.sh')
  writeFileSync(path, `${lines.join('\n')}\n`)
  return `exec sh '${path}'`
}

/** Opens a tunnel that is closed when the test ends. */
export function watchTunnel(
  command: string,
  pauses: Partial<TunnelPauses> = {},
  options: Partial<TunnelOptions> = {},
): WatchedTunnel {
  const { next, push } = queue()
  const tunnel = openTunnel({
    command,
    port: 4242,
    env: process.env,
    expectsUrl: true,
    pauses: { ...PATIENT, ...pauses },
    onUrl: push,
    onTrouble: push,
    ...options,
  })
  onTestFinished(async () => {
    await tunnel.close()
  })
  return { ...tunnel, next }
}

/** What is pushed is given to who asks next, in its order. */
export function queue(): { push(word: string): void; next(): Promise<string> } {
  const words: string[] = []
  const waiting: ((word: string) => void)[] = []
  return {
    push(word) {
      const taker = waiting.shift()
      if (taker === undefined) words.push(word)
      else taker(word)
    },
    next: () =>
      new Promise((resolve) => {
        const word = words.shift()
        if (word === undefined) waiting.push(resolve)
        else resolve(word)
      }),
  }
}

/** True for a process that runs; one that has ended and was not fetched by its parent does not. */
export function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return /^[^Z\s]/.test(stdout)
}
