import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, routeTo } from '../gateway/connections.ts'
import { ExchangeFailed, exchange, type HttpAnswer } from '../gateway/exchange.ts'
import { PROXY_CODE } from '../gateway/unreachable.ts'
import { formatDuration } from '../pix/duration.ts'
import type { EnvironmentVariables } from '../programInfo.ts'
import { t } from '../text/translate.ts'
import { withoutPassword } from '../wire/address.ts'
import { isCertificateProblem } from '../wire/certificateProblem.ts'
import { UsageError } from '../wire/errors.ts'
import { basicAuthOf } from './webhookPost.ts'

/** The header by which a listener recognises its own call; the value is its nonce. */
export const SELF_HEADER = 'X-Pixgate-Self'
const SELF_NAME = SELF_HEADER.toLowerCase()
/** The header by which a listener's answer names the listener. */
export const LISTENER_HEADER = 'X-Pixgate-Listener'

/** The options of a watch, in which a listener calls its own public URL. */
export interface PublicUrlOptions {
  /** The public URL; undefined until `setUrl` gives it. */
  url: string | undefined
  /** Names the proxy, if there is one. */
  env: EnvironmentVariables
  /** The value by which the listener recognises its own call. */
  nonce: string
  /** The listener's id, which its answer names. */
  id: string
  intervalMs?: number
  /** The pause between two calls as long as a new URL, or one that failed, does not lead here. */
  retryMs?: number
  /** For how long a URL counts as new: that it does not lead here yet is not reported. */
  freshMs?: number
  timeoutMs?: number
  /** Gets a sentence once per outage: the URL does not lead here, and why; safe for a terminal. */
  onDown(line: string): void
  /** Gets a sentence when a URL leads here for the first time, and after an outage. */
  onUp(line: string): void
  /** Ends the watch. */
  signal: AbortSignal
}

/** A watch over the public URL. */
export interface PublicUrlWatch {
  /** Sets another URL, or the same after the tunnel was restarted: it is called at once, and again soon until it leads here. */
  setUrl(url: string): void
  /** Calls at once, and more often for a while, because the tunnel had a problem. */
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

/** Calls the listener through its public URL periodically, and reports when that begins to fail and when it works again. */
export function watchPublicUrl(options: PublicUrlOptions): PublicUrlWatch {
  const { intervalMs = INTERVAL_MS, retryMs = RETRY_MS, freshMs = FRESH_MS, timeoutMs = TIMEOUT_MS } = options
  const { nonce, id, env, onDown, onUp } = options
  let { url } = options
  let state: 'fresh' | 'up' | 'down' = 'fresh'
  let round = new AbortController()
  let isClosed = options.signal.aborted

  let young = AbortSignal.timeout(freshMs)
  const judge = (address: string, fault: string | undefined) => {
    const shown = withoutPassword(address)
    if (fault === undefined) {
      if (state === 'fresh') onUp(t`${shown} reaches this listener`)
      if (state === 'down') onUp(t`${shown} reaches this listener again`)
      state = 'up'
    } else if (state === 'up' || (state === 'fresh' && young.aborted)) {
      onDown(t`${shown} does not reach this listener: ${fault}`)
      state = 'down'
    }
  }
  const watch = async (address: string, closely: boolean) => {
    const { signal } = round
    let attentive = AbortSignal.timeout(freshMs)
    while (!signal.aborted) {
      const fault = await callSelf(address, { nonce, id, env, timeoutMs, signal })
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

type CallOptions = Pick<PublicUrlOptions, 'nonce' | 'id' | 'env'> & { timeoutMs: number; signal: AbortSignal }

/** Undefined if the listener itself answered, else what happened, as the end of a sentence. */
async function callSelf(address: string, options: CallOptions): Promise<string | undefined> {
  const { nonce, id, env, timeoutMs, signal } = options
  const url = new URL(address)
  // Tunnels show browsers a page of their own first.
  const login = basicAuthOf(url)
  const headers: Record<string, string> = { [SELF_HEADER]: nonce, 'User-Agent': 'pixgate', Accept: '*/*' }
  if (login !== undefined) headers.Authorization = login
  try {
    const dispatcher = await connect(routeTo(address, env))
    const limits = {
      timeoutMs,
      bytesMax: BODY_BYTES_MAX,
      bodyIdleMs: BODY_PATIENCE_MS,
      interrupt: signal,
      abandon: signal,
    }
    const answer = await exchange(dispatcher, { method: 'GET', url: address, headers }, limits)
    await dispatcher.destroy()
    return faultOf(answer, id)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    if (!(error instanceof ExchangeFailed)) throw error
    // The status says most, even if the body broke off or never ended.
    if (error.partialAnswer !== null) return faultOf(error.partialAnswer, id)
    return error.fault === 'timeout' ? t`no answer within ${formatDuration(timeoutMs)}` : explain(error, url)
  }
}

/** What an answer shows; undefined if it is the listener's own. */
function faultOf({ httpStatus, headers, body }: HttpAnswer, id: string): string | undefined {
  const answerer = headers[LISTENER_HEADER.toLowerCase()]
  if (answerer === id) return undefined
  if (answerer !== undefined) return t`another pixgate listener answers there`
  const { location } = headers
  if (httpStatus >= 300 && httpStatus < 400 && location !== undefined) {
    return t`it redirects to ${beginningOf(String(location))} (${httpStatus}), and webhooks do not follow redirects`
  }
  const text = beginningOf(body.toString('utf8'))
  if (text === '') return t`another server answers there, with ${httpStatus} and an empty body`
  return t`another server answers there, with ${httpStatus}: ${text}`
}

function beginningOf(text: string): string {
  return [...text.replaceAll(/\s+/g, ' ').trim()].slice(0, QUOTE_CHARACTERS_MAX).join('')
}

function explain({ code, cause }: ExchangeFailed, { host, hostname }: URL): string {
  if (code.startsWith(PROXY_CODE)) {
    return t`the proxy of \`HTTPS_PROXY\` did not connect to ${host} (${code.slice(PROXY_CODE.length)})`
  }
  if (code === 'ECONNREFUSED') return t`nothing listens at ${host}`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return t`the name ${hostname} cannot be found`
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') return t`no answer from ${host}`
  if (cause instanceof Error && cause.message === 'bad upgrade') {
    return t`another server answers there, with 101 and an empty body`
  }
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') {
    return t`${host} closed the connection without an answer`
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    return t`${host} does not speak TLS`
  }
  if (isCertificateProblem(code)) return t`this machine does not trust the certificate of ${host} (${code})`
  if (code.startsWith('HPE_')) return t`${host} does not answer in HTTP`
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return t`the TLS handshake with ${host} failed (${code})`
  return t`the system reports ${code}`
}
