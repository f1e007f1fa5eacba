import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** What a client sends to commit, as one message of PostgreSQL's protocol. */
const COMMIT = Buffer.from('Q\0\0\0\x0bCOMMIT\0', 'latin1')

/** A connection between clients and a PostgreSQL server that a test can spoil. It passes everything on until a field is set. */
export interface PostgresProxy {
  port: number
  /** What happens to the server's answers after a COMMIT has reached it: nothing more arrives, or the connection is closed. */
  afterCommit: 'answer' | 'mute' | 'cut'
  /** Nothing arrives from the server, on connections that exist and on new ones. */
  isMute: boolean
  /** Nothing passes in any direction, not even the end of a connection, as if the client's machine slept. */
  isAsleep: boolean
  /** How long each chunk takes in each direction, in ms. */
  delayMs: number
  /** How many connections were made, and how often clients sent something. */
  connections: number
  requests: number
  /** Closes all connections. */
  cut(): void
}

/** Starts a proxy in front of a server on loopback. It ends with the test. */
export async function startProxy(serverPort: number): Promise<PostgresProxy> {
  const sockets = new Set<Socket>()
  const proxy: PostgresProxy = {
    port: 0,
    afterCommit: 'answer',
    isMute: false,
    isAsleep: false,
    delayMs: 0,
    connections: 0,
    requests: 0,
    cut() {
      for (const socket of sockets) socket.destroy()
    },
  }
  const server = createServer({ noDelay: true }, (client) => {
    proxy.connections += 1
    const upstream = connect({ port: serverPort, host: '127.0.0.1', noDelay: true })
    let hasCommitted = false
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => undefined)
      from.on('close', () => {
        sockets.delete(from)
        if (!proxy.isAsleep) to.destroy()
      })
      let before: Promise<unknown> = Promise.resolve()
      from.on('data', (chunk) => {
        if (proxy.isAsleep) return
        if (from === client) proxy.requests += 1
        if (from === client && chunk.includes(COMMIT)) hasCommitted = true
        const isAnswerToCommit = from === upstream && hasCommitted
        if (isAnswerToCommit && proxy.afterCommit === 'cut') client.destroy()
        if (from === upstream && (proxy.isMute || (isAnswerToCommit && proxy.afterCommit === 'mute'))) return
        const arrives = proxy.delayMs === 0 ? undefined : sleep(proxy.delayMs)
        before = Promise.all([before, arrives]).then(() => to.destroyed || to.write(chunk))
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server on a port has an address')
  proxy.port = address.port
  onTestFinished(() => {
    server.close()
    proxy.cut()
  })
  return proxy
}
