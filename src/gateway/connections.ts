import type { buildConnector, Dispatcher, Client as UndiciClient } from 'undici'
import type { EnvironmentVariables } from '../programInfo.ts'
import { t } from '../text/translate.ts'
import { type BaseAddress, isLoopbackHost } from '../wire/address.ts'
import { UsageError } from '../wire/errors.ts'
import { isCertificateProblem, PROXY_CODE } from './unreachable.ts'

export interface Route {
  origin: string
  /** Undefined for a direct connection. */
  proxy: HttpProxy | undefined
}

/**
 * The route to this address. HTTPS_PROXY and NO_PROXY are honoured; loopback never goes through a proxy. Throws UsageError
 * for a proxy that cannot be used.
 */
export function routeTo(url: string, env: EnvironmentVariables): Route {
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
export interface ConnectionPool {
  take(): Promise<Dispatcher>
  /** Returns an intact connection to the pool. */
  giveBack(dispatcher: Dispatcher): void
  close(): Promise<void>
}

/** Creates a pool of connections over one route. */
export function openConnectionPool(route: Route): ConnectionPool {
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

interface HttpProxy {
  /** Without user name and password. */
  url: string
  /** The value of its header proxy-authorization; undefined if it needs none. */
  token: string | undefined
  /** The hosts that need no proxy, as typed. */
  noProxy: string
}

/**
 * The proxy that the environment names; undefined if it names none. Throws UsageError for one that cannot be used; the
 * failure never shows the value, which may contain a password.
 */
function readProxy(env: EnvironmentVariables): HttpProxy | undefined {
  const name = env.https_proxy === undefined ? 'HTTPS_PROXY' : 'https_proxy'
  const typed = env[name]?.trim() ?? ''
  if (typed === '') return undefined
  const proxy = parseProxy(typed.includes('://') ? typed : `http://${typed}`)
  if (typeof proxy !== 'string') return { ...proxy, noProxy: env.no_proxy ?? env.NO_PROXY ?? '' }
  throw new UsageError(t`\`${name}\` cannot be used as a proxy: ${proxy}`, {
    details: [t`Nothing was sent; the value is not shown, because it may contain a password`],
    hint: t`Write it like \`http://proxy.example.com:3128\`, or name hosts that need no proxy in \`NO_PROXY\``,
  })
}

/** The parts of a proxy's URL, or what is wrong with it. */
function parseProxy(text: string): Pick<HttpProxy, 'url' | 'token'> | string {
  if (!/^https?:\/\//i.test(text)) return t`it is not an http or https URL`
  // The parser would take a backslash for a slash and drop a line break, and so read another host or password.
  if (text.includes('\\')) return t`it has a backslash; write \`%5C\` for one in a password`
  if (/[\t\r\n]/.test(text)) return t`it has a tab or a line break`
  if (!URL.canParse(text)) return t`it is not a URL`
  const url = new URL(text)
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    return t`it has a path, \`?\` or \`#\`; write \`%2F\`, \`%3F\` or \`%23\` for one in a password`
  }
  if (url.username === '' && url.password === '') return { url: url.origin, token: undefined }
  try {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    return { url: url.origin, token: `Basic ${Buffer.from(credentials).toString('base64')}` }
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return t`its user name or password has a \`%\` without two hex digits of UTF-8 after it; write \`%25\` for one`
  }
}

/** Wraps a connector so that undici gives up after a failed connection; after a socket error it would retry forever. */
function withoutReconnect(connect: buildConnector.connector): buildConnector.connector {
  return (target, callback) =>
    connect(target, (error, socket) => {
      if (error === null) callback(null, socket)
      else callback(new TunnelFailed(error), null)
    })
}

class TunnelFailed extends Error {
  readonly code: string

  constructor(cause: Error) {
    super(cause.message, { cause })
    const status = /^Proxy response \((\d{3})\)/.exec(cause.message)?.[1]
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : 'UNKNOWN'
    this.code = isCertificateProblem(code) ? code : PROXY_CODE + (status ?? code)
  }
}

/**
 * Rejects a remote address while Node.js does not check certificates, because anyone on the network path could then
 * read the credentials. Throws UsageError.
 */
export function assertCertificatesChecked({ host, isLoopback }: BaseAddress, env: EnvironmentVariables): void {
  if (isLoopback || env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return
  throw new UsageError(t`\`NODE_TLS_REJECT_UNAUTHORIZED=0\` turns off certificate checks`, {
    details: [t`The credentials could be sent to a server other than ${host}; nothing was sent`],
    hint: t`Unset it, and set \`NODE_EXTRA_CA_CERTS\` to trust your own certificate authority`,
  })
}
