import type { Dispatcher } from 'undici'
import { isLoopbackHost } from '../wire/address.ts'

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * A dispatcher for this address that carries one request at a time. HTTPS_PROXY and NO_PROXY are honoured; loopback never
 * goes through a proxy.
 */
export async function connect(url: string, env: Environment): Promise<Dispatcher> {
  const undici = await import('undici')
  const { origin, hostname, protocol } = new URL(url)
  const proxy = env.https_proxy ?? env.HTTPS_PROXY ?? ''
  if (proxy === '' || protocol !== 'https:' || isLoopbackHost(hostname)) return new undici.Client(origin)
  const noProxy = env.no_proxy ?? env.NO_PROXY ?? ''
  return new undici.EnvHttpProxyAgent({ httpProxy: '', httpsProxy: proxy, noProxy })
}

/** Connections that queries share; each carries one request at a time, so that ending one disturbs no other. */
export interface Connections {
  /** An idle connection, or a new one. */
  take(): Promise<Dispatcher>
  /** Gives one back that is still whole. */
  giveBack(dispatcher: Dispatcher): void
  close(): Promise<void>
}

/** Connections to one address. */
export function connectionsTo(url: string, env: Environment): Connections {
  const idle: Dispatcher[] = []
  return {
    take: async () => idle.pop() ?? (await connect(url, env)),
    giveBack: (dispatcher) => {
      idle.push(dispatcher)
    },
    close: async () => {
      await Promise.all(idle.splice(0).map((dispatcher) => dispatcher.destroy()))
    },
  }
}
