import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'

/** A genuine sender sends at once, so a younger connection may still be one. */
const YOUNG_MS = 500
/** How many connections a server has. */
export interface ConnectionCounts {
  /** How many stay open if others come. */
  kept: number
  /** Not even young ones are more than this. */
  openMax: number
}

interface Connection {
  sinceMs: number
  /** True if a genuine request came through it. */
  isTrusted: boolean
  /** How many genuine requests are worked on, whose answers it waits for. */
  serving: number
}

/** The open connections of a server. */
export interface OpenConnections {
  /** A genuine request came through this connection, and is worked on now. */
  serving(socket: Socket): void
  /** It was answered. */
  answered(socket: Socket): void
  /** Closes those that have sent nothing yet. */
  closeSilent(): void
}

/**
 * Limits the connections of a server: if there are too many, the oldest are closed through which no genuine request came. So senders who
 * never finish a request keep no genuine one away.
 */
export function limitConnections(server: Server, { kept, openMax }: ConnectionCounts): OpenConnections {
  // A map keeps the order in which the connections came.
  const open = new Map<Socket, Connection>()
  let isTrimming = false

  function closeOldest(mayBeClosed: (each: Connection) => boolean, untilCount: number): void {
    for (const [socket, connection] of open) {
      if (open.size <= untilCount) return
      if (connection.serving > 0 || !mayBeClosed(connection)) continue
      open.delete(socket)
      socket.destroy()
    }
  }

  function trim(): void {
    isTrimming = false
    const youngSinceMs = performance.now() - YOUNG_MS
    closeOldest(({ isTrusted, sinceMs }) => !isTrusted && sinceMs < youngSinceMs, kept)
    closeOldest(({ isTrusted }) => !isTrusted, openMax)
    closeOldest(() => true, openMax)
  }

  server.on('connection', (socket) => {
    open.set(socket, { sinceMs: performance.now(), isTrusted: false, serving: 0 })
    socket.once('close', () => open.delete(socket))
    if (open.size <= kept || isTrimming) return
    isTrimming = true
    // By then, what has arrived through the others is read.
    setImmediate(trim)
  })
  return {
    serving(socket) {
      const connection = open.get(socket)
      if (connection === undefined) return
      connection.isTrusted = true
      connection.serving += 1
    },
    answered(socket) {
      const connection = open.get(socket)
      if (connection !== undefined) connection.serving -= 1
    },
    closeSilent() {
      // Node.js takes a connection that has sent nothing yet for a busy one.
      for (const socket of open.keys()) if (socket.bytesRead === 0) socket.destroy()
    },
  }
}
