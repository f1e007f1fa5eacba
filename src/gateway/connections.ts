import type { Dispatcher, Client as UndiciClient } from 'undici'
import { isLoopbackHost } from '../wire/address.ts'
import { proxyUrl, tryingOnce } from './proxy.ts'

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * A dispatcher for this address that carries one request at a time. HTTPS_PROXY and NO_PROXY are honoured; loopback never
 * goes through a proxy. Throws UsageError for a proxy that cannot be used.
 */
export async function connect(url: string, env: Environment): Promise<Dispatcher> {
  // Loading all of undici takes 50 ms longer.
  const { default: Client } = await import('undici/lib/dispatcher/client.js')
  const { origin } = new URL(url)
  const httpsProxy = proxyFor(url, env)
  if (httpsProxy === undefined) return new Client(origin)
  const { EnvHttpProxyAgent } = await import('undici')
  const noProxy = env.no_proxy ?? env.NO_PROXY ?? ''
  const factory = (target: string | URL, options: UndiciClient.Options) => {
    const { connect: open } = options
    return new Client(target, { ...options, connect: typeof open === 'function' ? tryingOnce(open) : open })
  }
  return new EnvHttpProxyAgent({ httpProxy: '', httpsProxy, noProxy, factory })
}

/** The proxy on the way to this address, before NO_PROXY is asked. Throws UsageError for one that cannot be used. */
export function proxyFor(url: string, env: Environment): string | undefined {
  const { hostname, protocol } = new URL(url)
  return protocol !== 'https:' || isLoopbackHost(hostname) ? undefined : proxyUrl(env)
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
