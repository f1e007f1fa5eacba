import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { setImmediate as immediate } from 'node:timers/promises'
import type { buildConnector, Dispatcher, Client as UndiciClient } from 'undici'
import { formatDuration } from '../pix/duration.ts'
import { type Account, LOCAL_PROFILE } from '../profiles/account.ts'
import type { EnvironmentVariables } from '../programInfo.ts'
import { isFileLimit, systemTrouble } from '../storage/systemTrouble.ts'
import { t } from '../text/translate.ts'
import { isObject } from '../wire/answers.ts'
import { type BaseAddress, isLoopbackHost, portOf, withoutBrackets } from '../wire/baseAddress.ts'
import { isCertificateProblem, isWithoutTls, NotReached, UsageError } from '../wire/errors.ts'
import type { ExchangeFault, HttpAnswer, HttpRequest } from './exchange.ts'

/** The prefix of error codes for a target that could not be reached through a proxy. */
export const PROXY_CODE = 'PROXY_'

/** The prefix for one whose proxy gave no answer. */
const TO_PROXY_CODE = `${PROXY_CODE}TO_`

const WANTS_PASSWORD = `${PROXY_CODE}407`
const FORBIDS_HOST = `${PROXY_CODE}403`

/** True for the error code of a proxy that refuses. Asked again it would say the same, and might lock the account. */
export function isProxyRefusal(code: string): boolean {
  return code === WANTS_PASSWORD || code === FORBIDS_HOST
}

/** What went wrong at a proxy, without the prefix of its code. */
export function proxyReason(code: string): string {
  return code.slice((code.startsWith(TO_PROXY_CODE) ? TO_PROXY_CODE : PROXY_CODE).length)
}

/** A proxy refused: no request goes through it until its address or its rules change. */
export class ProxyRefused extends NotReached {}

/** The failure of a request of which nothing was sent, with a message for the system's error code. */
export function unreachableFailure(
  address: BaseAddress,
  fault: ExchangeFault,
  code: string,
  timeoutMs: number,
): NotReached {
  const details = [t`Nothing was sent`]
  if (fault === 'timeout') {
    const time = formatDuration(timeoutMs)
    const message =
      routeTo(address.url, process.env).proxy === undefined
        ? t`Could not connect to ${address.host} within ${time}`
        : t`Could not connect to ${address.host} through the proxy within ${time}`
    return new NotReached(message, {
      details,
      hint: t`Check the network, proxy and firewall; it is safe to try again`,
    })
  }
  if (fault === 'too-late') {
    return new NotReached(t`The time in which this payment may be sent was over before its request could leave`, {
      code: 'LEDGER_NOT_REACHED',
      details,
      hint: t`Run the command again, which is safe; \`--timeout 2m\` gives it more time`,
    })
  }
  if (code === WANTS_PASSWORD) {
    return new ProxyRefused(t`The proxy wants a user name and password (407)`, {
      details: [...details, t`The proxy was asked once, because many lock an account after a few wrong passwords`],
      hint: t`Write them in \`HTTPS_PROXY\`, such as \`http://ana:password@proxy.example.com:3128\`, with \`%40\` for \`@\`, \`%23\` for \`#\` and \`%3A\` for \`:\` in the password; for a proxy that takes only NTLM or Kerberos, name a local one that speaks it, such as \`px\`, in its place`,
    })
  }
  if (code === FORBIDS_HOST) {
    return new ProxyRefused(t`The proxy forbids connections to ${address.host} (403)`, {
      details,
      hint: t`Ask who runs the proxy to allow ${address.host}, or name it in \`NO_PROXY\` if it is reached without one`,
    })
  }
  if (code.startsWith(PROXY_CODE)) {
    const isToProxy = code.startsWith(TO_PROXY_CODE)
    return new NotReached(
      isToProxy ? t`The connection to the proxy failed` : t`The proxy could not connect to ${address.host}`,
      {
        details: [...details, t`Reason: ${proxyReason(code)}`],
        hint: t`Check \`HTTPS_PROXY\` and \`NO_PROXY\`; it is safe to try again`,
      },
    )
  }
  if (code === 'ECONNREFUSED') {
    const isName = /^localhost(?::\d+)?$/i.test(address.host)
    return new NotReached(t`Connection to ${address.host} refused`, {
      details: isName
        ? [...details, t`\`localhost\` can be \`127.0.0.1\` or \`[::1]\`: name the one on which the server listens`]
        : details,
      hint: address.isLoopback
        ? t`Start the sandbox with \`${sandboxCommand(address.url)}\` in another terminal, or set its address with \`--base-url\``
        : t`Check the base address ${address.url}; it is safe to try again`,
    })
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new NotReached(t`The host name ${address.host} could not be resolved`, {
      details,
      hint: t`Check the spelling of the base address and the network; it is safe to try again`,
    })
  }
  if (isCertificateProblem(code)) {
    const [message, hint] = certificateTrouble(code, address.host)
    return new NotReached(message, { details: [...details, t`System error ${code}`], hint })
  }
  if (isWithoutTls(code)) {
    return new NotReached(t`${address.host} does not speak https; is it http?`, {
      details: [...details, t`System error ${code}`],
      hint: address.isLoopback
        ? t`Set the base address to \`http://${address.host}\``
        : t`Check the port of the base address ${address.url}, and whether this network asks for a login in a browser first`,
    })
  }
  if (code.startsWith('ERR_SSL_')) {
    return new NotReached(t`${address.host} and this machine do not agree on an encrypted connection`, {
      details: [...details, t`System error ${code}`],
      hint: t`Check the base address; if it is right, ask who runs ${address.host} whether it takes TLS 1.2 or 1.3, without a certificate of yours`,
    })
  }
  return new NotReached(t`Could not reach ${address.host}`, {
    details: [...details, t`System error ${code}`],
    hint: isFileLimit(code)
      ? systemTrouble({ code }, '').hint
      : t`Check the network and the base address; it is safe to try again`,
  })
}

/** Why a certificate is refused, and what to do about it. */
function certificateTrouble(code: string, host: string): readonly [message: string, hint: string] {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return [
        code === 'CERT_HAS_EXPIRED'
          ? t`The certificate of ${host} has expired`
          : t`The certificate of ${host} is not valid yet`,
        t`Check the date of this machine; if it is right, ask who runs ${host} for a new certificate`,
      ]
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return [
        t`The certificate of ${host} is one for another host`,
        t`Check the base address, and whether this network asks for a login in a browser first`,
      ]
    default:
      return [
        t`The certificate of ${host} is not trusted on this machine`,
        extraCertificatesFault(process.env.NODE_EXTRA_CA_CERTS) ??
          t`Set \`NODE_EXTRA_CA_CERTS\` if your network uses its own certificate authority`,
      ]
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** What is wrong with the file of further certificates, which Node.js ignores then; undefined for a good one, and for none. */
export function extraCertificatesFault(path: string | undefined): string | undefined {
  if (!path) return undefined
  try {
    const certificates = readFileSync(path, 'latin1').match(CERTIFICATE) ?? []
    for (const certificate of certificates) new X509Certificate(certificate)
    if (certificates.length > 0) return undefined
    return t`\`NODE_EXTRA_CA_CERTS\` names ${path}, which holds no certificate in PEM form`
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return t`\`NODE_EXTRA_CA_CERTS\` names ${path}, which cannot be read: ${systemTrouble(error, '').reason}`
  }
}

function sandboxCommand(url: string): string {
  const { port } = new URL(url)
  return port === '' || port === portOf(LOCAL_PROFILE.baseUrl) ? 'pixgate sandbox' : `pixgate sandbox --port ${port}`
}

interface Route {
  origin: string
  /** Undefined for a direct connection. */
  proxy: HttpProxy | undefined
}

/**
 * The route to this address. HTTPS_PROXY and NO_PROXY are honoured; loopback never goes through a proxy. Throws UsageError
 * for a proxy that cannot be used.
 */
export function routeTo(url: string, env: EnvironmentVariables): Route {
  const { origin, hostname, protocol, port } = new URL(url)
  if (protocol !== 'https:' || isLoopbackHost(hostname)) return { origin, proxy: undefined }
  const proxy = readProxy(env)
  const isExempt = needsNoProxy(hostname, port || '443', env.no_proxy ?? env.NO_PROXY ?? '')
  return { origin, proxy: isExempt ? undefined : proxy }
}

/** True for a host that a list of `NO_PROXY` names, read as curl and Go read it: hosts with all below them, addresses, networks, each also with a port. */
function needsNoProxy(hostname: string, port: string, list: string): boolean {
  const host = withoutBrackets(hostname).replace(/\.$/, '').toLowerCase()
  return list
    .split(/[,\s]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const { name = '', ofPort } = /^(?<name>\[.+\]|[^:]+):(?<ofPort>\d+)$/.exec(entry)?.groups ?? { name: entry }
      if (ofPort !== undefined && ofPort !== port) return false
      const named = withoutBrackets(name).toLowerCase()
      if (named === '*') return true
      if (isIP(host) !== 0) return isInNetwork(host, named)
      const domain = named.replace(/^\*?\./, '').replace(/\.$/, '')
      return domain !== '' && (host === domain || host.endsWith(`.${domain}`))
    })
}

/** True if this address is the named one, or in a network such as `10.0.0.0/8`. */
function isInNetwork(address: string, named: string): boolean {
  const [base = '', typedBits] = named.split('/')
  const whole = isIP(base) === 6 ? 128 : 32
  const bits = typedBits === undefined ? whole : Number(typedBits)
  if (isIP(base) !== isIP(address) || !Number.isInteger(bits) || bits < 0 || bits > whole) return false
  const family = isIP(base) === 6 ? 'ipv6' : 'ipv4'
  const network = new BlockList()
  network.addSubnet(base, bits, family)
  return network.check(address, family)
}

/** Some servers send long lists of cookies and policies; Node.js takes 16 KiB unless it is told otherwise. */
const HEAD_BYTES_MAX = 64 * 1024 + 1024

/** Opens a dispatcher that carries one request at a time. */
export async function connect({ origin, proxy }: Route): Promise<Dispatcher> {
  // Loading all of undici takes 50 ms longer.
  const { default: Client } = await import('undici/lib/dispatcher/client.js')
  const { default: buildConnector } = await import('undici/lib/core/connect.js')
  if (proxy === undefined) {
    return new Client(origin, { connect: withoutClosed(buildConnector({})), maxHeaderSize: HEAD_BYTES_MAX })
  }
  const { EnvHttpProxyAgent, Pool } = await import('undici')
  const factory = (target: string | URL, options: UndiciClient.Options) => {
    const { connect: open } = options
    return new Client(target, {
      ...options,
      maxHeaderSize: HEAD_BYTES_MAX,
      connect: typeof open === 'function' ? withoutClosed(withoutReconnect(open)) : open,
    })
  }
  return new EnvHttpProxyAgent({
    httpProxy: '',
    httpsProxy: proxy.url,
    token: proxy.token,
    noProxy: '',
    factory,
    clientFactory(target, options) {
      const pool = new Pool(target, options)
      const ask = pool.connect.bind(pool)
      return Object.assign(pool, {
        connect: (request: Dispatcher.ConnectOptions) =>
          proxy
            .inTurn(request.path, () => ask(request))
            .catch((error: unknown) => {
              throw new ProxyFailed(error)
            }),
      })
    },
  })
}

/** A pool of connections. Each carries one request at a time, so aborting one does not affect the others. */
export interface ConnectionPool {
  /** For a request that can be repeated. */
  take(): Promise<Dispatcher>
  /** For a request whose outcome would be unknown if the server had closed the connection meanwhile. */
  takeForMoney(): Promise<Dispatcher>
  /** Returns an intact connection to the pool. */
  giveBack(dispatcher: Dispatcher): void
  close(): Promise<void>
}

/**
 * A connection that was idle for longer carries no money. Servers close idle connections without a word, some after half a
 * second; rows of a batch follow each other within milliseconds, and for slower ones connecting costs nothing that matters.
 */
const IDLE_MS_MAX = 250

interface IdleConnection {
  dispatcher: Dispatcher
  /** The monotonic clock stops while a machine sleeps, and the wall clock can be set back. */
  sinceMs: { wall: number; monotonic: number }
}

/** Creates a pool of connections over one route. `now` is the wall clock; a pool that carries no money needs none. */
export function openConnectionPool(route: Route, now: () => number = () => performance.now()): ConnectionPool {
  const idle: IdleConnection[] = []
  const idleMs = ({ sinceMs }: IdleConnection) => Math.max(now() - sinceMs.wall, performance.now() - sinceMs.monotonic)
  const closeIdle = () => Promise.all(idle.splice(0).map(({ dispatcher }) => dispatcher.destroy()))
  return {
    take: async () => idle.pop()?.dispatcher ?? (await connect(route)),
    async takeForMoney() {
      if (idle.length > 0) await noticeClosedConnections()
      const youngest = idle.pop()
      if (youngest === undefined) return connect(route)
      if (idleMs(youngest) <= IDLE_MS_MAX) return youngest.dispatcher
      idle.push(youngest)
      void closeIdle()
      return connect(route)
    },
    giveBack: (dispatcher) => {
      idle.push({ dispatcher, sinceMs: { wall: now(), monotonic: performance.now() } })
    },
    close: async () => {
      await closeIdle()
    },
  }
}

/**
 * Waits until the event loop has read from all sockets, so that a close which arrived while it was blocked is noticed; a closed
 * connection then connects again. The first pause ends after the reading that may be under way, the second after the next one.
 */
async function noticeClosedConnections(): Promise<void> {
  await immediate()
  await immediate()
}

const CLOSED_MAX = 3

/**
 * Wraps a connector so that no request is written to a new connection that its server has closed already, or on which it has spoken
 * first to say that it will: both happen if the event loop was blocked while the connection was made. undici then connects again.
 */
function withoutClosed(open: buildConnector.connector): buildConnector.connector {
  let closed = 0
  return (target, callback) =>
    open(target, (error, socket) => {
      if (error !== null) {
        callback(error, null)
        return
      }
      void noticeClosedConnections().then(() => {
        if (!socket.destroyed && !socket.readableEnded && socket.readableLength === 0) {
          closed = 0
          callback(null, socket)
          return
        }
        socket.destroy()
        closed += 1
        callback(new ClosedConnection(closed < CLOSED_MAX), null)
      })
    })
}

class ClosedConnection extends Error {
  /** undici connects again after an error with its own code. */
  readonly code: 'UND_ERR_INFO' | 'ECONNRESET'

  constructor(connectsAgain: boolean) {
    super('the server closed the connection before it was used')
    this.code = connectsAgain ? 'UND_ERR_INFO' : 'ECONNRESET'
  }
}

interface HttpProxy {
  /** Without user name and password. */
  url: string
  /** The value of its header proxy-authorization; undefined if it needs none. */
  token: string | undefined
  /** Has it asked for a connection to this host when its turn comes. Rejects if it has refused one before. */
  inTurn(host: string, ask: () => Promise<Dispatcher.ConnectData>): Promise<Dispatcher.ConnectData>
}

/** For so long a proxy that refused is not asked again: longer than most that lock accounts count wrong passwords. */
export const REFUSAL_MS = 60 * 60 * 1000

/**
 * Until the proxy has led one connection through, it is asked for one after the other; once it refused one, it is not asked again for a while: several
 * wrong passwords lock an account. What it forbids is one host.
 */
function takingTurns(): HttpProxy['inTurn'] {
  let turn: Promise<unknown> = Promise.resolve()
  let leads = false
  const refusals: { host: string | null; status: number; untilMs: number }[] = []
  async function askOnce(host: string, ask: () => Promise<Dispatcher.ConnectData>): Promise<Dispatcher.ConnectData> {
    const nowMs = performance.now()
    const refusal = refusals.find((each) => each.untilMs > nowMs && (each.host ?? host) === host)
    if (refusal !== undefined) throw new Error(`Proxy response (${refusal.status})`)
    const answer = await ask()
    const { statusCode: status } = answer
    leads ||= status === 200
    const code = `${PROXY_CODE}${status}`
    const refused = code === WANTS_PASSWORD ? null : host
    if (isProxyRefusal(code)) refusals.push({ host: refused, status, untilMs: nowMs + REFUSAL_MS })
    return answer
  }
  return (host, ask) => {
    if (leads) return askOnce(host, ask)
    const answer = turn.then(() => askOnce(host, ask))
    turn = answer.catch(() => undefined)
    return answer
  }
}

/** The turns at the proxy of each environment: all connections of a process share them, whatever they are for. */
const TURNS = new WeakMap<EnvironmentVariables, HttpProxy['inTurn']>()

function turnsIn(env: EnvironmentVariables): HttpProxy['inTurn'] {
  const turns = TURNS.get(env) ?? takingTurns()
  TURNS.set(env, turns)
  return turns
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
  if (typeof proxy !== 'string') return { ...proxy, inTurn: turnsIn(env) }
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
  if (!URL.canParse(text))
    return t`it is not a URL; in a password, write \`%23\` for \`#\`, \`%40\` for \`@\`, \`%3A\` for \`:\` and \`%2F\` for \`/\``
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

/** The proxy was not reached, or did not lead through to the gateway. */
class ProxyFailed extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

class TunnelFailed extends Error {
  readonly code: string

  constructor(cause: Error) {
    super(cause.message, { cause })
    const status = /^Proxy response \((\d{3})\)/.exec(cause.message)?.[1]
    const isToProxy = cause instanceof ProxyFailed && status === undefined
    const from: unknown = isToProxy ? cause.cause : cause
    const code = isObject(from) && typeof from.code === 'string' ? from.code : 'UNKNOWN'
    if (isToProxy) this.code = TO_PROXY_CODE + code
    else this.code = isCertificateProblem(code) ? code : PROXY_CODE + (status ?? code)
  }
}

/**
 * Rejects a remote address while Node.js does not verify certificates, because anyone on the network path could then
 * read the credentials. Throws UsageError.
 */
export function assertCertificatesVerified({ host, isLoopback }: BaseAddress, env: EnvironmentVariables): void {
  if (isLoopback || env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return
  throw new UsageError(t`\`NODE_TLS_REJECT_UNAUTHORIZED=0\` turns off certificate checks`, {
    details: [t`The credentials could be sent to a server other than ${host}; nothing was sent`],
    hint: t`Unset it, and set \`NODE_EXTRA_CA_CERTS\` to trust your own certificate authority`,
  })
}

/** Rejects a Node.js without WebAssembly, in which answers are read, or without the address space that it reserves for it. Throws UsageError. */
export function assertWebAssembly(): void {
  if (!('WebAssembly' in globalThis)) {
    throw new UsageError(t`Node.js was started without WebAssembly, which this command needs`, {
      hint: t`Run it without the option \`jitless\` of Node.js, also in \`NODE_OPTIONS\``,
    })
  }
  try {
    new WebAssembly.Memory({ initial: 1 })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(t`This process may reserve too little memory for the WebAssembly that this command needs`, {
      hint: t`Set \`NODE_OPTIONS=--disable-wasm-trap-handler\`, or raise the limit, such as with \`ulimit -v unlimited\``,
    })
  }
}

/** How far the clocks of this machine and of the gateway may differ. */
export const CLOCK_DIFFERENCE_MS_MAX = 60 * 60 * 1000

/** The request whose answer shows the gateway's time. It carries no credentials. */
export function serverTimeRequest({ url }: Account): HttpRequest {
  return { method: 'HEAD', url, headers: { accept: '*/*', 'cache-control': 'no-cache' } }
}

/** True for a sandbox on this machine, whose clock can be moved: what is about its days counts by that, and not by the one of this machine. */
export function hasOwnClock({ isLoopback, environment }: Pick<Account, 'isLoopback' | 'environment'>): boolean {
  return isLoopback && environment === 'sandbox'
}

/** The only form in which servers may write an HTTP date; `Date.parse` would accept almost any text. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** The time in an answer's `Date` header; null if it has none that can be read. */
export function readServerTimeMs(headers: HttpAnswer['headers']): number | null {
  const { date, age } = headers
  if (typeof date !== 'string' || !HTTP_DATE.test(date)) return null
  const dateMs = Date.parse(date)
  if (Number.isNaN(dateMs)) return null
  // A cache passes on the date of the stored answer, and tells how old that is.
  const ageSeconds = typeof age === 'string' && /^\d{1,9}$/.test(age) ? Number(age) : 0
  return dateMs + ageSeconds * 1000
}
