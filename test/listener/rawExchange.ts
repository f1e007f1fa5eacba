import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A connection without any HTTP library. */
export interface RawConnection {
  socket: Socket
  /** What has come so far, byte by byte as characters. */
  received(): string
  /** When this many answers have begun. Rejects if the connection ends before. */
  answers(count: number): Promise<number[]>
  /** When the other side has closed; gives the statuses of all answers. */
  closed: Promise<number[]>
}

const STATUS = /HTTP\/1\.[01] (\d{3}) /g

/** Connects; the connection is gone when the test is. */
export async function openRaw(port: number): Promise<RawConnection> {
  // A peer that only ends its half must not end ours.
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  let text = ''
  const statuses = () => [...text.matchAll(STATUS)].map((match) => Number(match[1]))
  const watchers = new Set<() => void>()
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    for (const watcher of watchers) watcher()
  })
  socket.on('error', () => undefined)
  socket.on('end', () => socket.destroy())
  const closed = new Promise<number[]>((resolve) => socket.on('close', () => resolve(statuses())))
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve)
    socket.once('close', () => resolve())
  })
  return {
    socket,
    received: () => text,
    closed,
    answers: (count) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (statuses().length >= count) resolve(statuses())
        }
        watchers.add(look)
        look()
        void closed.then(() => reject(new Error(`closed after ${JSON.stringify(text)}`)))
      }),
  }
}

/** Sends these bytes, which ask for the connection's end, and gives the statuses of the answers. */
export async function exchange(port: number, bytes: string | Buffer): Promise<number[]> {
  const { socket, closed } = await openRaw(port)
  socket.write(bytes)
  return closed
}

/** The bytes of a request with these header lines; host, length and `connection: close` are added. */
export function rawPost(body: Buffer, lines: readonly string[], { closes = true } = {}): Buffer {
  const head = ['POST /hook HTTP/1.1', 'Host: 127.0.0.1', ...lines, `Content-Length: ${body.length}`]
  if (closes) head.push('Connection: close')
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body])
}
