import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished } from 'vitest'
import { runCli } from '../../src/cli/run.ts'
import { BINARY, NODE, type Ran } from '../world.ts'
import { leaksBelow, leaksIn, PREVIOUS_CANARY, PROXY_CANARY } from './canaries.ts'

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
  attempt(args: readonly string[], options?: LineOptions): Promise<Ran>
  /** The same, and demands this exit code. */
  line(exit: number, args: readonly string[], options?: LineOptions): Promise<Ran>
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
  const lines: string[][] = []
  async function attempt(args: readonly string[], options: LineOptions = {}): Promise<Ran> {
    lines.push([...args])
    const ran = await runInside(args, { ...env, ...options.env }, options)
    const leaks = [...leaksIn(ran.stdout + ran.stderr, secrets), ...leaksBelow(home, secrets)]
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

function toldBy(args: readonly string[], { stdout, stderr }: Ran): string {
  return `${args.join(' ')}\n${stdout}${stderr}`
}

async function runInside(args: readonly string[], env: Record<string, string>, options: LineOptions): Promise<Ran> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  stdin.end(options.stdin ?? '')
  const interrupt = new AbortController()
  const written = { stdout: '', stderr: '' }
  stdout.on('data', (chunk: Buffer) => {
    written.stdout += chunk.toString('utf8')
    if (options.interruptAt !== undefined && written.stdout.includes(options.interruptAt)) interrupt.abort()
  })
  stderr.on('data', (chunk: Buffer) => {
    written.stderr += chunk.toString('utf8')
  })
  const abandon = new AbortController().signal
  const signals = { interrupt: interrupt.signal, abandon }
  const outputs = { stdout: stdout, stderr: stderr }
  const exit = await runCli(args, { stdin, ...outputs, env, program: [NODE, BINARY], secrets: [], ...signals })
  const ends = [once(stdout, 'end'), once(stderr, 'end')]
  stdout.end()
  stderr.end()
  await Promise.all(ends)
  return { exit, ...written }
}
