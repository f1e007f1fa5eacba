import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { SANDBOX_DEFAULTS, type SandboxOptions } from '../src/sandbox/sandboxOptions.ts'
import { startSandbox } from '../src/sandbox/sandboxServer.ts'
import { runInProcess } from './inProcess.ts'
import { assertHintsCanBeTyped } from './typedHints.ts'

/** The program that is tried; another build of it in TEST_BINARY. */
export const BINARY = process.env.TEST_BINARY ?? join(import.meta.dirname, '..', 'bin', 'pixgate.js')
/** True for one executable file. It takes nothing from NODE_OPTIONS, so tests that change Node.js by it are skipped, and it has no files beside it. */
export const IS_EXECUTABLE = !BINARY.endsWith('.js')
/** What starts the binary: Node.js, another version's path in TEST_NODE, or for an executable file a program that becomes it. */
export const NODE = IS_EXECUTABLE ? '/usr/bin/env' : (process.env.TEST_NODE ?? process.execPath)

const CACHE = join(tmpdir(), `pixgate-test-cache-${process.getuid?.() ?? 0}`)

/** What a command line did: all three together, so that a test cannot forget one. */
export interface ProcessResult {
  exit: number
  stdout: string
  stderr: string
}

export interface RunOptions {
  env?: Record<string, string | undefined>
  stdin?: string | Uint8Array
  cwd?: string
}

/** A temporary home, and the real binary run in it. It is gone when the test is. */
export interface World {
  home: string
  env: Record<string, string>
  /** Runs the binary with these words; the process's own environment is not passed on. */
  run(args: readonly string[], options?: RunOptions): Promise<ProcessResult>
  /** Runs it, demands exit 0, and gives stdout as JSON. */
  json(args: readonly string[], options?: RunOptions): Promise<Record<string, unknown>>
  /**
   * Runs a command in the process of the tests, for what must exist before the command under test: a stored profile, an earlier
   * payment. Throws unless it exits with 0; returns its stdout.
   */
  prepare(args: readonly string[], options?: Omit<RunOptions, 'cwd'>): Promise<string>
}

/** Takes what is to be done when a test is over. Tests that run side by side must give that of their own context. */
export type AtEnd = (clean: () => void | Promise<void>) => void

/** A world without a gateway. */
export function emptyWorld(env: Record<string, string> = {}, atEnd: AtEnd = onTestFinished): World {
  const home = mkdtempSync(join(tmpdir(), 'pixgate-test-'))
  atEnd(() => rmSync(home, { recursive: true, force: true }))
  const base = {
    HOME: home,
    PATH: process.env.PATH ?? '',
    TMPDIR: tmpdir(),
    // The language of the machine must not count.
    LANG: 'C.UTF-8',
    PIXGATE_DATA_DIR: join(home, 'data'),
    PIXGATE_CONFIG_DIR: join(home, 'config'),
    // Node.js compiles the program once for all tests of a run.
    XDG_CACHE_HOME: CACHE,
    ...env,
  }
  // Mutation tests change the code of their own process, not the built binary.
  const run = (args: readonly string[], options: RunOptions = {}) =>
    (process.env.TEST_IN_PROCESS === undefined ? runBinary : runInProcess)(args, { ...base, ...options.env }, options)
  return {
    home,
    env: base,
    run,
    json: jsonFrom(run),
    prepare: async (args, options = {}) =>
      successfulStdout(args, await runInProcess(args, { ...base, ...options.env }, options)),
  }
}

/** Runs a command with `-o json` in this way. Throws unless it exits with 0; returns stdout as JSON. */
export function jsonFrom(run: World['run']): World['json'] {
  return async (args, options) => JSON.parse(successfulStdout(args, await run([...args, '-o', 'json'], options)))
}

function successfulStdout(args: readonly string[], { exit, stdout, stderr }: ProcessResult): string {
  if (exit !== 0) throw new Error(`pixgate ${args.join(' ')} ended with ${exit}: ${stderr}`)
  return stdout
}

/** A world with a sandbox on a free port, which the binary finds through its environment. */
export async function sandboxWorld(
  sandboxOptions: Partial<SandboxOptions> = {},
  env: Record<string, string> = {},
  atEnd: AtEnd = onTestFinished,
): Promise<World & { url: string }> {
  const world = emptyWorld(env, atEnd)
  const starting = startSandbox({
    ...SANDBOX_DEFAULTS,
    port: 0,
    autoSettleMs: 0,
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    ...sandboxOptions,
  })
  atEnd(async () => (await starting).close())
  const { url } = await starting
  world.env.PIXGATE_BASE_URL ??= url
  return { ...world, url }
}

async function runBinary(
  args: readonly string[],
  env: Record<string, string | undefined>,
  options: RunOptions,
): Promise<ProcessResult> {
  const child = spawn(NODE, [BINARY, ...args], { env, cwd: options.cwd, stdio: ['pipe', 'pipe', 'pipe'] })
  // A command that does not read its input may close it before all is written.
  child.stdin.on('error', () => undefined)
  child.stdin.end(options.stdin ?? '')
  const exit = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  assertHintsCanBeTyped(stderr)
  return { exit: await exit, stdout, stderr }
}
