import { createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A gateway that says yes to everything and keeps every byte that it got. */
export interface CountingServer {
  url: string
  /** All bytes of all connections, as text. */
  received(): string
  /** How many times this text was in what it got. */
  count(text: string): number
}

const ANSWER = JSON.stringify({
  idTransaction: '0b935d10-3c90-4af3-8776-dd18622a7941',
  status: 'PAID',
  statusTransaction: 'PAID',
})

/** Starts one on a free port of this machine; it is gone when the test is. */
export async function countingServer(): Promise<CountingServer> {
  let received = ''
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let unanswered = ''
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      unanswered += chunk.toString('latin1')
      if (!isWhole(unanswered)) return
      unanswered = ''
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${ANSWER.length}\r\n\r\n${ANSWER}`,
      )
    })
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    received: () => received,
    count: (text) => received.split(text).length - 1,
  }
}

function isWhole(request: string): boolean {
  const end = request.indexOf('\r\n\r\n')
  const bodyBytes = Number(/^content-length: *(\d+)/im.exec(request)?.[1] ?? 0)
  return end !== -1 && request.length >= end + 4 + bodyBytes
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}
