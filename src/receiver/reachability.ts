import { timingSafeEqual } from 'node:crypto'
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { isCertificateProblem } from '../gateway/unreachable.ts'
import { formatDuration } from '../pix/duration.ts'
import { t } from '../text/words.ts'
import { withoutPassword } from '../wire/address.ts'

/** The header by which a listener knows its own call; the value is its nonce. */
export const SELF_HEADER = 'X-Pixgate-Self'
const SELF_NAME = SELF_HEADER.toLowerCase()
/** The header by which a listener's answer names the listener. */
export const LISTENER_HEADER = 'X-Pixgate-Listener'

/** What a listener calls itself with. */
export interface ReachabilityOptions {
  /** The public URL; undefined where `setUrl` will give it. */
  url: string | undefined
  /** What the listener knows its own call by. */
  nonce: string
  /** What the listener names itself in its answer. */
  id: string
  intervalMs?: number
  /** Between two calls as long as a fresh URL, or one in trouble, does not lead here. */
  retryMs?: number
  /** So long a URL counts as fresh: that it does not lead here yet is not said. */
  freshMs?: number
  timeoutMs?: number
  /** Told once per outage that the URL does not lead here, and why; harmless for a terminal. */
  onDown(line: string): void
  /** Told when a URL leads here for the first time, and after an outage. */
  onUp(line: string): void
  /** Ends the watch. */
  signal: AbortSignal
}

/** A watch over the public URL. */
export interface Reachability {
  /** Another URL, or the same after a new start of the tunnel: called at once, and again soon until it leads here. */
  setUrl(url: string): void
  /** Calls at once and looks closely for a while, as the tunnel has had trouble. */
  check(): void
  close(): void
}

const INTERVAL_MS = 30_000
const RETRY_MS = 2000
const FRESH_MS = 20_000
const TIMEOUT_MS = 5000
const BODY_PATIENCE_MS = 500
const BODY_BYTES_MAX = 2048
const QUOTE_CHARACTERS_MAX = 100

/** True for the listener's own call, which it answers 204 with its id in {@link LISTENER_HEADER}, whatever the path. */
export function isSelfCall(headers: IncomingHttpHeaders, nonce: string): boolean {
  const typed = headers[SELF_NAME]
  if (typed === undefined) return false
  const value = Buffer.from(String(typed))
  const expected = Buffer.from(nonce)
  return expected.length > 0 && value.length === expected.length && timingSafeEqual(value, expected)
}

/** Calls the listener through its public URL again and again, and says when that begins to fail and when it is back. */
export function watchReachability(options: ReachabilityOptions): Reachability {
  const { intervalMs = INTERVAL_MS, retryMs = RETRY_MS, freshMs = FRESH_MS, timeoutMs = TIMEOUT_MS } = options
  const { nonce, id, onDown, onUp } = options
  let { url } = options
  let state: 'fresh' | 'up' | 'down' = 'fresh'
  let round = new AbortController()
  let isClosed = options.signal.aborted

  let young = AbortSignal.timeout(freshMs)
  const judge = (address: string, fault: string | undefined) => {
    const shown = withoutPassword(address)
    if (fault === undefined) {
      if (state === 'fresh') onUp(t`${shown} leads to this listener`)
      if (state === 'down') onUp(t`${shown} leads to this listener again`)
      state = 'up'
    } else if (state === 'up' || (state === 'fresh' && young.aborted)) {
      onDown(t`${shown} does not lead to this listener: ${fault}`)
      state = 'down'
    }
  }
  const watch = async (address: string, closely: boolean) => {
    const { signal } = round
    let attentive = AbortSignal.timeout(freshMs)
    while (!signal.aborted) {
      const fault = await callSelf(address, { nonce, id, timeoutMs, signal })
      if (signal.aborted) return
      const wasUp = state === 'up'
      judge(address, fault)
      if (wasUp && state === 'down') attentive = AbortSignal.timeout(freshMs)
      const isSoon = !attentive.aborted && (closely || state !== 'up')
      await sleep(isSoon ? retryMs : intervalMs, undefined, { signal }).catch((error) => {
        if (!signal.aborted) throw error
      })
    }
  }
  const begin = (closely: boolean) => {
    round.abort()
    if (isClosed) return
    round = new AbortController()
    if (url !== undefined) void watch(url, closely)
  }
  const close = () => {
    isClosed = true
    round.abort()
    options.signal.removeEventListener('abort', close)
  }

  options.signal.addEventListener('abort', close)
  begin(false)
  return {
    setUrl(next) {
      url = next
      young = AbortSignal.timeout(freshMs)
      if (state === 'up') state = 'fresh'
      begin(false)
    },
    check: () => begin(true),
    close,
  }
}

interface CallOptions {
  nonce: string
  id: string
  timeoutMs: number
  signal: AbortSignal
}

/** Undefined where the listener itself has answered, else what happened, as the end of a sentence. */
function callSelf(address: string, { nonce, id, timeoutMs, signal }: CallOptions): Promise<string | undefined> {
  const url = new URL(address)
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  // Tunnels put a page of their own before what browsers ask for.
  const headers = { [SELF_HEADER]: nonce, 'User-Agent': 'pixgate', Accept: '*/*' }
  return new Promise((resolve) => {
    const call = request(url, { agent: false, headers, signal })
    const timer = setTimeout(() => {
      resolve(t`no answer within ${formatDuration(timeoutMs)}`)
      call.destroy()
    }, timeoutMs)
    call.on('close', () => clearTimeout(timer))
    call.on('error', (error) => resolve(explain(error, url)))
    call.on('upgrade', (response, socket) => {
      socket.destroy()
      void explainAnswer(response).then(resolve)
    })
    call.on('response', (response) => {
      const answerer = response.headers[LISTENER_HEADER.toLowerCase()]
      if (answerer === undefined) void explainAnswer(response).then(resolve)
      else resolve(answerer === id ? undefined : t`another listener of pixgate answers there`)
      response.resume()
    })
    call.end()
  })
}

/** What somebody else has answered; takes the connection away. */
async function explainAnswer(response: IncomingMessage): Promise<string> {
  const { statusCode = 0, headers } = response
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
    response.destroy()
    return t`it redirects to ${beginningOf(headers.location)} (${statusCode}), and webhooks do not follow`
  }
  const text = beginningOf(await readSome(response))
  if (text === '') return t`somebody else answers there, with ${statusCode} and no words`
  return t`somebody else answers there, with ${statusCode}: ${text}`
}

/** The first bytes of a body that may break off or never end: the status, which says most, has come. */
async function readSome(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  const patience = setTimeout(() => response.destroy(), BODY_PATIENCE_MS)
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= BODY_BYTES_MAX) response.destroy()
  })
  await new Promise((resolve) => response.once('close', resolve))
  clearTimeout(patience)
  return Buffer.concat(chunks).toString('utf8')
}

function beginningOf(text: string): string {
  return [...text.replaceAll(/\s+/g, ' ').trim()].slice(0, QUOTE_CHARACTERS_MAX).join('')
}

function explain(error: NodeJS.ErrnoException, { host, hostname }: URL): string {
  const code = error.code ?? error.message
  if (code === 'ECONNREFUSED') return t`nobody listens at ${host}`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return t`the name ${hostname} cannot be found`
  if (code === 'ETIMEDOUT') return t`no answer from ${host}`
  if (code === 'ECONNRESET' || code === 'EPIPE') return t`${host} broke the connection off before an answer`
  if (/wrong version number|packet length too long/i.test(error.message)) return t`${host} does not speak TLS`
  if (isCertificateProblem(code)) return t`the certificate of ${host} is not one that this machine trusts (${code})`
  if (code.startsWith('HPE_')) return t`${host} does not answer in HTTP`
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return t`the TLS handshake with ${host} failed (${code})`
  return t`the system says ${code}`
}
