import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { Milestones } from './milestones.ts'
import { answerHead, parseHead, type RawHead } from './rawHttp.ts'

/** What a proxy does with a CONNECT: lead on, say nothing, break off, answer with a status, or write these bytes and wait. */
export type ProxyManner = 'lead' | 'swallow' | 'reset' | 'close' | { status: number } | { bytes: Buffer }

export interface FaultProxy {
  url: string
  /** All requests that it was asked for, oldest first. */
  asked: readonly RawHead[]
  /** All bytes that were sent to it. */
  heard(): Buffer
  /** When this many requests have come in all. */
  arrived(count: number): Promise<void>
  /** Resets all connections. */
  die(): void
}

/** A proxy that leads every CONNECT to this port of 127.0.0.1, whatever name it asks for. It is gone when the test is. */
export async function startFaultProxy(targetPort: number, manner: ProxyManner = 'lead'): Promise<FaultProxy> {
  const asked: RawHead[] = []
  const heard: Buffer[] = []
  const arrived = new Milestones()
  const sockets = new Set<Socket>()

  function serve(socket: Socket, head: RawHead): void {
    asked.push(head)
    arrived.reach(asked.length)
    if (manner === 'swallow') return
    if (manner === 'reset') socket.resetAndDestroy()
    else if (manner === 'close') socket.end()
    else if (manner === 'lead') lead(socket)
    else if ('bytes' in manner) socket.write(manner.bytes)
    else socket.end(answerHead({ status: manner.status }))
  }

  function lead(socket: Socket): void {
    const onward = keep(connect(targetPort, '127.0.0.1'))
    onward.on('connect', () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n'))
    onward.on('data', (chunk) => socket.write(chunk))
    onward.on('close', () => socket.destroy())
    socket.on('data', (chunk) => onward.write(chunk))
    socket.on('close', () => onward.destroy())
  }

  function keep(socket: Socket): Socket {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    return socket
  }

  // After CONNECT a client sends nothing else before the answer.
  const server = createServer((socket) => {
    keep(socket).on('data', (chunk) => heard.push(chunk))
    socket.once('data', (head) => serve(socket, parseHead(String(head))))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy does not listen')
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    heard: () => Buffer.concat(heard),
    arrived: (count) => arrived.when(count),
    die: () => {
      for (const socket of sockets) socket.resetAndDestroy()
    },
  }
}
