import { type Listening, type ListenLine, linesOf, listeningHere } from '../listener/listening.ts'
import { exchange } from '../listener/rawExchange.ts'
import { signature } from '../listener/webhooks.ts'
import type { World } from '../world.ts'

/** What a listener did until it had ended. */
export interface ListenerRun {
  exit: number | null
  stderr: string
  lines: ListenLine[]
  events: ListenLine[]
  forwards: ListenLine[]
  summary: ListenLine | undefined
}

/** Starts a listener with these words in this process, does something to it, and ends it as Ctrl-C does. */
export async function runListener(
  world: World,
  args: readonly string[],
  steps: (listening: Listening) => Promise<unknown>,
): Promise<ListenerRun> {
  const listening = await listeningHere(world, args)
  await steps(listening)
  listening.signal('SIGINT')
  return outcomeOf(listening)
}

/** What a listener did that ends by itself, or was told to end. */
export async function outcomeOf(listening: Listening): Promise<ListenerRun> {
  const { exit, stderr } = await listening.ended
  await listening.allRead
  const lines = linesOf(listening)
  const of = (type: string) => lines.filter((line) => line.type === type)
  return { exit, stderr, lines, events: of('event'), forwards: of('forward'), summary: of('summary')[0] }
}

/** A request as its bytes; without header lines of its own it has the genuine signature. */
export interface RawRequest {
  method?: string
  target?: string
  host?: string
  lines?: readonly string[]
  body?: string | Buffer
}

/** Sends a request, and gives the status of its answer. */
export async function send(port: number, request: RawRequest = {}): Promise<number | undefined> {
  const { method = 'POST', target = '/', host = '127.0.0.1', body = '{}' } = request
  const bytes = Buffer.from(body)
  const { lines = [`X-Signature: ${signature(bytes)}`] } = request
  const own = [`Host: ${host}`, `Content-Length: ${bytes.length}`, 'Connection: close']
  const head = [`${method} ${target} HTTP/1.1`, ...lines, ...own, '', ''].join('\r\n')
  return (await exchange(port, Buffer.concat([Buffer.from(head, 'latin1'), bytes])))[0]
}

/** The events of the journal by number, as the binary tells them. */
export function numbersOf(events: readonly Record<string, unknown>[]): unknown[] {
  return events.map(({ n }) => n)
}
