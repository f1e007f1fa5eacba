import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { runInProcess } from '../inProcess.ts'
import type { ProcessResult } from '../world.ts'
import { leaksIn, leakWatch, PREVIOUS_CANARY, PROXY_CANARY } from './canaries.ts'

/** What a line may need beside its words. */
interface LineOptions {
  env?: Record<string, string>
  stdin?: string
  /** Ctrl-C as soon as stdout holds this. */
  interruptAt?: string
}

/** A home in which command lines run inside this process, each with everything that it wrote searched for secrets. */
export interface SecretWorld {
  home: string
  /** A folder that is not searched. */
  elsewhere: string
  env: Record<string, string>
  /** All that has run, to be compared with the command tree. */
  lines: string[][]
  /** Runs a line, demands that no secret is in its output or its files, and leaves it to the caller what it ends with. */
  attempt(args: readonly string[], options?: LineOptions): Promise<ProcessResult>
  /** The same, and demands this exit code. */
  line(exit: number, args: readonly string[], options?: LineOptions): Promise<ProcessResult>
}

/** Looks for this secret besides those that are in every environment: the previous one, and a proxy's password. */
export function secretWorld(secret: string): SecretWorld {
  const home = mkdtempSync(join(tmpdir(), 'pixgate-secrets-'))
  const elsewhere = mkdtempSync(join(tmpdir(), 'pixgate-elsewhere-'))
  onTestFinished(() => {
    for (const folder of [home, elsewhere]) rmSync(folder, { recursive: true, force: true })
  })
  mkdirSync(join(home, 'data'), { mode: 0o700 })
  const env = {
    HOME: home,
    PATH: process.env.PATH ?? '',
    PIXGATE_DATA_DIR: join(home, 'data'),
    PIXGATE_CONFIG_DIR: join(home, 'config'),
    PIXGATE_PREVIOUS_CLIENT_SECRET: PREVIOUS_CANARY,
    HTTPS_PROXY: `http://someone:${PROXY_CANARY}@127.0.0.1:9`,
  }
  const secrets = [secret, PREVIOUS_CANARY, PROXY_CANARY]
  const leaksInFiles = leakWatch(home, secrets)
  const lines: string[][] = []
  async function attempt(args: readonly string[], options: LineOptions = {}): Promise<ProcessResult> {
    lines.push([...args])
    const ran = await runInProcess(args, { ...env, ...options.env }, options)
    const leaks = [...leaksIn(ran.stdout + ran.stderr, secrets), ...leaksInFiles()]
    expect(leaks, toldBy(args, ran)).toEqual([])
    return ran
  }
  return {
    home,
    elsewhere,
    env,
    lines,
    attempt,
    async line(exit, args, options) {
      const ran = await attempt(args, options)
      expect(ran.exit, toldBy(args, ran)).toBe(exit)
      return ran
    },
  }
}

function toldBy(args: readonly string[], { stdout, stderr }: ProcessResult): string {
  return `${args.join(' ')}\n${stdout}${stderr}`
}
