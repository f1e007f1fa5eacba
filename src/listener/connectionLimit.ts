import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'

/** How many connections stay open if others come. */
const KEPT = 1_000
/** A genuine sender sends at once, so a younger connection may still be one. */
const YOUNG_MS = 500
/** Not even young ones are more than this. */
const OPEN_MAX = 4_000

interface Connection {
  sinceMs: number
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
 * Limits the connections of a server: if there are too many, the oldest are closed through which no genuine event came. So senders who
 * never finish a request keep no genuine one away.
 */
export function limitConnections(server: Server): OpenConnections {
  // A map keeps the order in which the connections came.
  const open = new Map<Socket, Connection>()
  let isTrimming = false

  function closeOldest(mayBeClosed: (each: Connection) => boolean, untilCount: number): void {
    for (const [socket, connection] of open) {
      if (open.size <= untilCount) return
      if (connection.storing > 0 || !mayBeClosed(connection)) continue
      open.delete(socket)
      socket.destroy()
    }
  }

  function trim(): void {
    isTrimming = false
    const youngSinceMs = performance.now() - YOUNG_MS
    closeOldest(({ isTrusted, sinceMs }) => !isTrusted && sinceMs < youngSinceMs, KEPT)
    closeOldest(({ isTrusted }) => !isTrusted, OPEN_MAX)
    closeOldest(() => true, OPEN_MAX)
  }

  server.on('connection', (socket) => {
    open.set(socket, { sinceMs: performance.now(), isTrusted: false, storing: 0 })
    socket.once('close', () => open.delete(socket))
    if (open.size <= KEPT || isTrimming) return
    isTrimming = true
    // By then, what has arrived through the others is read.
    setImmediate(trim)
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
