import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { runInProcess } from '../inProcess.ts'
import { BINARY, NODE, type ProcessResult, type World } from '../world.ts'

/** A command line under way in a process of its own. */
export interface Started {
  signal(name: NodeJS.Signals): void
  /** When stderr holds this text. Rejects if the process ends without it. */
  said(words: string): Promise<void>
  ended: Promise<ProcessResult>
}

/** Starts the real binary and gives it back while it runs; the process is killed if the test ends before it. */
export function start(world: World, args: readonly string[], env: Record<string, string> = {}): Started {
  const child = spawn(NODE, [BINARY, ...args], { env: { ...world.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stderr = ''
  const listeners = new Set<() => void>()
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8')
    for (const listener of listeners) listener()
  })
  const stdout = text(child.stdout)
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)))
  return {
    signal: (name) => void child.kill(name),
    said: (words) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (stderr.includes(words)) resolve()
        }
        listeners.add(look)
        look()
        void ended.then(() => reject(new Error(`the process ended without saying ${words}: ${stderr}`)))
      }),
    ended: ended.then(async (exit) => ({ exit, stdout: await stdout, stderr })),
  }
}

/** Runs the command tree in this process, with data and config folders of its own unless `env` names others. */
export async function runHere(args: readonly string[], env: Record<string, string>): Promise<ProcessResult> {
  const home = mkdtempSync(join(tmpdir(), 'pixgate-here-'))
  try {
    const folders = { PIXGATE_DATA_DIR: join(home, 'data'), PIXGATE_CONFIG_DIR: join(home, 'config') }
    return await runInProcess(args, { ...folders, ...env })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
