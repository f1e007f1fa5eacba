import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, createReadStream, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { startInProcess } from '../inProcess.ts'
import { BINARY, NODE, type World } from '../world.ts'

/** What the listeners of these tests verify with. */
export const SECRET = 'listener-test-secret'

/** A line of `listen -o json`. */
export type ListenLine = Record<string, unknown> & { type: string }

/** The real `webhook listen` while it runs. */
export interface Listening {
  port: number
  pid: number
  /** The lines of stdout so far, only the first if it is not read. The last of a killed listener may be cut. */
  printed: string[]
  signal(name: NodeJS.Signals): void
  /** Reads stdout again after it was not read. */
  read(): void
  /** When stdout has ended. */
  allRead: Promise<void>
  ended: Promise<{ exit: number | null; stderr: string }>
}

export interface ListeningOptions {
  /** False stops reading stdout, which is a pipe as a shell makes it, after its first line. */
  isRead?: boolean
  /** Called with the process as soon as it is started. */
  onSpawn?(child: ChildProcess): void
}

/** Starts the listener on a free port and returns when it is ready. Rejects if it ends before. */
export async function startListening(
  world: World,
  args: readonly string[] = [],
  { isRead = true, onSpawn }: ListeningOptions = {},
): Promise<Listening> {
  const words = ['webhook', 'listen', '--port', '0', '-o', 'json', ...args]
  const env = { ...world.env, PIXGATE_CLIENT_SECRET: SECRET }
  const pipe = openPipe(world.home)
  const child = spawn(NODE, [BINARY, ...words], { env, stdio: ['ignore', pipe.write, 'pipe'] })
  closeSync(pipe.write)
  onTestFinished(() => void child.kill('SIGKILL'))
  onSpawn?.(child)
  const stderr = child.stderr === null ? Promise.resolve('') : text(child.stderr)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve)).then(async (exit) => ({
    exit,
    stderr: await stderr,
  }))
  const printed: string[] = []
  const stdout = createReadStream('', { fd: pipe.read })
  onTestFinished(() => void stdout.destroy())
  const reader = createInterface({ input: stdout })
  const allRead = new Promise<void>((resolve) => reader.on('close', resolve))
  const port = await new Promise<number>((resolve, reject) => {
    reader.on('line', (line) => {
      if (printed.push(line) > 1) return
      if (!isRead) reader.pause()
      resolve(Number(new URL(JSON.parse(line).url).port))
    })
    void Promise.all([ended, allRead]).then(([how]) => reject(new Error(`the listener ended: ${JSON.stringify(how)}`)))
  })
  const signal = (name: NodeJS.Signals) => void child.kill(name)
  return { port, pid: child.pid ?? 0, printed, signal, read: () => void reader.resume(), allRead, ended }
}

/** The same in this process, which takes a tenth of the processor time; whatever the signal, it is interrupted. */
export async function listeningHere(world: World, args: readonly string[] = []): Promise<Listening> {
  const words = ['webhook', 'listen', '--port', '0', '-o', 'json', ...args]
  const { printed, ready, interrupt, ended } = startInProcess(words, { ...world.env, PIXGATE_CLIENT_SECRET: SECRET })
  onTestFinished(async () => {
    interrupt()
    await ended
  })
  const port = Number(new URL(JSON.parse(await ready).url).port)
  const allRead = ended.then(() => undefined)
  return { port, pid: process.pid, printed, signal: interrupt, read: () => undefined, allRead, ended }
}

/** Ends the listener as Ctrl-C does. */
export async function interrupt(listening: Listening): Promise<{ exit: number | null; stderr: string }> {
  listening.signal('SIGINT')
  return listening.ended
}

/** What the listener has printed so far. */
export function linesOf({ printed }: Listening): ListenLine[] {
  return printed.map((line) => JSON.parse(line))
}

/** All events that the journal holds, as `webhook events` tells them. */
export async function recordedEvents(world: World): Promise<Record<string, unknown>[]> {
  return JSON.parse(await world.prepare(['webhook', 'events', '-o', 'json']))
}

/** The ids of these events, in their order. */
export function idsOf(events: readonly Record<string, unknown>[]): string[] {
  return events.map(({ bodyBase64 }) => {
    const body = Buffer.from(String(bodyBase64), 'base64').toString('utf8')
    return JSON.parse(body).data.idTransaction
  })
}

/** What Node.js gives to its children is a pair of sockets, which hold more and behave otherwise. */
function openPipe(folder: string): { read: number; write: number } {
  const path = join(folder, `stdout-${crypto.randomUUID()}`)
  spawnSync('mkfifo', [path])
  // One end alone would wait for the other.
  const both = openSync(path, 'r+')
  const ends = { read: openSync(path, 'r'), write: openSync(path, 'w') }
  closeSync(both)
  rmSync(path)
  return ends
}
