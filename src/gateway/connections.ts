import type { Dispatcher, Client as UndiciClient } from 'undici'
import { isLoopbackHost } from '../wire/address.ts'
import { type HttpProxy, readProxy, withoutReconnect } from './proxy.ts'

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** An address and how to reach it. */
export interface Route {
  origin: string
  /** Undefined for a direct connection. */
  proxy: HttpProxy | undefined
}

/**
 * The route to this address. HTTPS_PROXY and NO_PROXY are honoured; loopback never goes through a proxy. Throws UsageError
 * for a proxy that cannot be used.
 */
export function routeTo(url: string, env: Environment): Route {
  const { origin, hostname, protocol } = new URL(url)
  return { origin, proxy: protocol !== 'https:' || isLoopbackHost(hostname) ? undefined : readProxy(env) }
}

/** Opens a dispatcher that carries one request at a time. */
export async function connect({ origin, proxy }: Route): Promise<Dispatcher> {
  // Loading all of undici takes 50 ms longer.
  const { default: Client } = await import('undici/lib/dispatcher/client.js')
  if (proxy === undefined) return new Client(origin)
  const { EnvHttpProxyAgent } = await import('undici')
  const factory = (target: string | URL, options: UndiciClient.Options) => {
    const { connect: open } = options
    return new Client(target, { ...options, connect: typeof open === 'function' ? withoutReconnect(open) : open })
  }
  return new EnvHttpProxyAgent({
    httpProxy: '',
    httpsProxy: proxy.url,
    token: proxy.token,
    noProxy: proxy.noProxy,
    factory,
  })
}

/** A pool of connections. Each carries one request at a time, so aborting one does not affect the others. */
export interface Connections {
  /** An idle connection, or a new one. */
  take(): Promise<Dispatcher>
  /** Returns an intact connection to the pool. */
  giveBack(dispatcher: Dispatcher): void
  close(): Promise<void>
}

/** Creates a pool of connections over one route. */
export function connectionsOver(route: Route): Connections {
  const idle: Dispatcher[] = []
  return {
    take: async () => idle.pop() ?? (await connect(route)),
    giveBack: (dispatcher) => {
      idle.push(dispatcher)
    },
    close: async () => {
      await Promise.all(idle.splice(0).map((dispatcher) => dispatcher.destroy()))
    },
  }
}
