import type { Server } from 'node:http'
import type { Socket } from 'node:net'

interface Connection {
  /** True if a genuine event came through it. */
  isTrusted: boolean
  /** How many genuine events are being stored, whose answers it waits for. */
  storing: number
}

/** The open connections of a listener. */
export interface OpenConnections {
  /** A genuine event came through this connection, and is stored now. */
  storing(socket: Socket): void
  /** It was answered. */
  answered(socket: Socket): void
  /** Closes those that have sent nothing yet. */
  closeSilent(): void
}

/**
 * Keeps a server below so many connections: each one above them closes the oldest through which no genuine event came, so that senders who
 * never finish a request do not keep genuine ones away. If genuine events came through all of them, it is closed itself.
 */
export function limitConnections(server: Server, connectionsMax: number): OpenConnections {
  const open = new Map<Socket, Connection>()
  server.on('connection', (socket) => {
    if (open.size >= connectionsMax) {
      const evicted = oldest(open, ({ isTrusted, storing }) => !isTrusted && storing === 0) ?? socket
      open.delete(evicted)
      evicted.destroy()
      if (evicted === socket) return
    }
    open.set(socket, { isTrusted: false, storing: 0 })
    socket.once('close', () => open.delete(socket))
  })
  return {
    storing(socket) {
      const connection = open.get(socket)
      if (connection === undefined) return
      connection.isTrusted = true
      connection.storing += 1
    },
    answered(socket) {
      const connection = open.get(socket)
      if (connection !== undefined) connection.storing -= 1
    },
    closeSilent() {
      // Node.js takes a connection that has sent nothing yet for a busy one.
      for (const socket of open.keys()) if (socket.bytesRead === 0) socket.destroy()
    },
  }
}

/** The first that came of those that may be closed. */
function oldest(open: ReadonlyMap<Socket, Connection>, mayBeClosed: (each: Connection) => boolean): Socket | undefined {
  for (const [socket, connection] of open) if (mayBeClosed(connection)) return socket
  return undefined
}
