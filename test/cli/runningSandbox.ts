import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished } from 'vitest'
import { startInProcess } from '../inProcess.ts'
import { BINARY, NODE, type World } from '../world.ts'

type Fields = Record<string, unknown>

/** A sandbox that is asked over HTTP. */
export interface RunningSandbox {
  /** The sandbox's address on this machine, whatever name it gives itself. */
  url: string
  /** The lines on stdout. */
  lines: string[]
  post(path: string, body: object, headers?: Record<string, string>): Promise<{ status: number; body: Fields }>
  get(path: string, headers?: Record<string, string>): Promise<{ status: number; body: Fields }>
}

/** A sandbox that the binary runs, and what it prints. */
export interface RunningBinary extends RunningSandbox {
  child: ChildProcess
  stderr: () => string
}

/** Asks for a connection of its own: another sandbox may have had the port. */
const ANEW = { connection: 'close' }

/** Headers of the built-in credentials. */
export const LOCAL = { authorization: 'Bearer local-secret', ci: 'local', cs: 'local-secret' }

/** Runs `pixgate sandbox` until the test is over; resolves once it has printed its address. */
export async function runSandbox(world: World, args: readonly string[], port = 0): Promise<RunningBinary> {
  const child = spawn(NODE, [BINARY, 'sandbox', '--port', String(port), ...args], { env: world.env })
  onTestFinished(() => void child.kill())
  const lines: string[] = []
  let stderr = ''
  createInterface(child.stdout).on('line', (line) => lines.push(line))
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  await expect.poll(() => lines.length > 0 || child.exitCode !== null, { timeout: 30_000 }).toBe(true)
  if (lines[0] === undefined) throw new Error(`no sandbox: ${stderr}`)
  return { child, stderr: () => stderr, ...reached(lines) }
}

/** The same in this process; it is interrupted when the test is over. */
export async function sandboxHere(world: World, args: readonly string[]): Promise<RunningSandbox> {
  const { printed, ready, interrupt, ended } = startInProcess(['sandbox', '--port', '0', ...args], world.env)
  onTestFinished(async () => {
    interrupt()
    await ended
  })
  await ready
  return reached(printed)
}

/** A sandbox that has printed its address. */
function reached(lines: string[]): RunningSandbox {
  const port = /http:\/\/[\w.-]+:(\d+)/.exec(lines[0] ?? '')?.[1]
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    lines,
    post: (path, body, headers = LOCAL) => call(url + path, { method: 'POST', headers, body: JSON.stringify(body) }),
    get: (path, headers = LOCAL) => call(url + path, { headers }),
  }
}

async function call(
  url: string,
  init: { method?: string; headers: Record<string, string>; body?: string },
): Promise<{ status: number; body: Fields }> {
  const response = await fetch(url, { ...init, headers: { ...init.headers, ...ANEW } })
  const body: Fields = JSON.parse(await response.text())
  return { status: response.status, body }
}

type Rows = (Fields & { idTransaction: string })[]

/** What a sandbox holds, as it says itself. */
export interface StateFields {
  balance: number
  payments: Rows
  refunds: Rows
  transfers: Rows
  deliveries: (Rows[number] & { body: string; attempts: number; outcome: string })[]
  faults: Fields[]
  now: string
}

export async function stateOf({ url }: RunningSandbox): Promise<StateFields> {
  const response = await fetch(`${url}/sandbox/state`, { headers: ANEW })
  return (await response.json()) as StateFields
}

/** Ends the process by a signal and waits until it is gone. */
export async function endSandbox({ child }: RunningBinary, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, 'close')
  child.kill(signal)
  await ended
}

/** A cash-in request. */
export function charge(fields: Fields = {}): Fields {
  const callbackUrl = 'http://127.0.0.1:1/'
  return { requestNumber: crypto.randomUUID(), dueDate: '2099-01-01', amount: 10.5, callbackUrl, ...fields }
}
