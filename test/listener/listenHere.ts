import { PassThrough } from 'node:stream'
import { expect } from 'vitest'
import { runCli } from '../../src/cli/run.ts'
import { BINARY, NODE, type World } from '../world.ts'

/** Starts `webhook listen` inside this process; it has ended when `stop` is done. */
export async function listenHere(
  world: World,
  args: readonly string[] = [],
): Promise<{ url: string; stop(): Promise<void> }> {
  const interrupt = new AbortController()
  const stdout = new PassThrough()
  const exit = runCli(['webhook', 'listen', '--port', '0', '-o', 'json', ...args], {
    stdin: new PassThrough().end(),
    stdout,
    stderr: new PassThrough().resume(),
    env: world.env,
    program: [NODE, BINARY],
    secrets: [],
    interrupt: interrupt.signal,
    abandon: new AbortController().signal,
  })
  const ended = exit.then((code) => Promise.reject(new Error(`the listener ended with ${code}`)))
  ended.catch(() => undefined)
  const ready = new Promise<string>((resolve) => stdout.once('data', (line: Buffer) => resolve(line.toString())))
  const { url } = JSON.parse((await Promise.race([ready, ended])).split('\n')[0] ?? '')
  stdout.resume()
  const stop = async () => {
    interrupt.abort()
    expect(await exit).toBe(0)
  }
  return { url, stop }
}
