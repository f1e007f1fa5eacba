import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { startInProcess } from '../inProcess.ts'
import { type AtEnd, BINARY, NODE, type World } from '../world.ts'

/** The real `webhook listen`, which verifies for the account of this world, while it runs. */
export interface Listener {
  url: string
  /** Its lines so far. */
  lines(): Record<string, unknown>[]
  signal(name: NodeJS.Signals): void
  /** Ends it as Ctrl-C does. */
  stop(): Promise<void>
}

/** Starts a listener on a free port and returns when it is ready. */
export async function startListener(
  world: World,
  args: readonly string[] = [],
  env: Record<string, string> = {},
  atEnd: AtEnd = onTestFinished,
): Promise<Listener> {
  const words = ['webhook', 'listen', '--port', '0', '-o', 'json', ...args]
  const child = spawn(NODE, [BINARY, ...words], { env: { ...world.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  atEnd(() => void child.kill('SIGKILL'))
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve))
  const ended = closed.then((code) => Promise.reject(new Error(`the listener ended with ${code}`)))
  ended.catch(() => undefined)
  const printed: string[] = []
  const ready = new Promise<string>((resolve) =>
    createInterface(child.stdout).on('line', (line) => {
      printed.push(line)
      resolve(printed[0] ?? '')
    }),
  )
  const { url } = JSON.parse(await Promise.race([ready, ended]))
  const stop = async () => {
    child.kill('SIGINT')
    await closed
  }
  return { url, lines: () => printed.map((line) => JSON.parse(line)), signal: (name) => void child.kill(name), stop }
}

/** The same in this process, where it is not ended by a signal; on a free port unless `args` name one. */
export async function listenHere(
  world: World,
  args: readonly string[] = [],
  env: Record<string, string> = {},
  atEnd: AtEnd = onTestFinished,
): Promise<Omit<Listener, 'signal'>> {
  const port = args.includes('--port') ? [] : ['--port', '0']
  const words = ['webhook', 'listen', ...port, '-o', 'json', ...args]
  const { printed, ready, interrupt, ended } = startInProcess(words, { ...world.env, ...env })
  const stop = async () => {
    interrupt()
    await ended
  }
  atEnd(stop)
  const { url } = JSON.parse(await ready)
  return { url, lines: () => printed.map((line) => JSON.parse(line)), stop }
}
