import type { RequestListener } from 'node:http'
import type { Server, Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import {
  isSelfCall,
  LISTENER_HEADER,
  type PublicUrlOptions,
  type PublicUrlWatch,
  watchPublicUrl,
} from '../../src/listener/publicUrlWatch.ts'
import { NEVER_MS, queue } from './tunnels.ts'

/** By which the listener of these tests knows its own call. */
export const NONCE = 'nonce-of-this-listener'
const ID = 'listener-1'

/** What a listener does with its own call. */
export const listener: RequestListener = (request, response) => {
  const isOwn = request.method === 'GET' && isSelfCall(request.headers, NONCE)
  response.writeHead(isOwn ? 204 : 405, isOwn ? { [LISTENER_HEADER]: ID } : {}).end()
}

/** Listens on loopback until the test ends; gives the host and port. */
export async function listen(server: Server, port = 0): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => stop(server, sockets))
  const address = server.address()
  return `127.0.0.1:${typeof address === 'object' ? address?.port : undefined}`
}

/** Ends a server, and the connections that it must not wait for. */
export function stop(server: Server, sockets: Iterable<Socket> = []): void {
  server.close()
  for (const socket of sockets) socket.destroy()
}

/** Resolves when the connection is gone. */
export function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => (socket.closed ? resolve() : socket.on('close', () => resolve())))
}

interface Watched extends PublicUrlWatch {
  /** The next thing that is said, each only once. */
  next(): Promise<string>
}

/** Watches until the test ends. It retries at once; nothing but the retries and the interval pass by themselves. */
export function watch(url: string | undefined, options: Partial<PublicUrlOptions> = {}): Watched {
  const { next, push } = queue()
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const urlWatch = watchPublicUrl({
    url,
    env: {},
    nonce: NONCE,
    id: ID,
    intervalMs: 5,
    retryMs: 5,
    freshMs: 0,
    timeoutMs: NEVER_MS,
    onDown: push,
    onUp: push,
    signal: ending.signal,
    ...options,
  })
  return { ...urlWatch, next }
}

/** The port in what {@link listen} gives. */
export function portIn(host: string): number {
  return Number(host.split(':')[1])
}
