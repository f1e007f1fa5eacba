import { type Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { formatDuration } from '../pix/duration.ts'
import { t } from '../text/words.ts'
import { answerText } from './answerText.ts'

/** A header as it is sent; names may be repeated. */
export type Header = readonly [name: string, value: string]

export interface PostLimits {
  /** From connecting to the last byte of the answer. */
  timeoutMs: number
  /** So many characters of the answer are kept at most. */
  bytesMax: number
  /** Ends it early. */
  signal: AbortSignal
  /** Keeps connections for several posts; without it each has its own. */
  agent?: Agent
}

/** Why there was no whole answer: the system's code or our own, and a sentence. */
interface PostError {
  code: string
  message: string
}

/** What became of a post. `status` stands beside an error where the answer had begun. */
export interface PostResult {
  status: number | null
  ms: number
  /** The beginning of the answer's body as text. */
  body: string
  error: PostError | null
}

const NOT_PASSED_ON =
  /^(?:connection|keep-alive|transfer-encoding|te|trailer|upgrade|proxy-.*|content-length|host|expect)$/i
const BYTES_PER_CHARACTER_MAX = 4

/** True for a header that belongs to one connection, or to another target, and is never passed on. */
export function isOfConnection(name: string): boolean {
  return NOT_PASSED_ON.test(name)
}

/**
 * Posts these exact bytes once. The headers go out under their own names and in their order, those of one connection
 * excepted; host and length are the target's own. No redirect is followed. Never throws: whatever goes wrong is in the result.
 */
export function postBytes(url: URL, body: Buffer, headers: readonly Header[], limits: PostLimits): Promise<PostResult> {
  const beganAtMs = performance.now()
  const { timeoutMs, signal } = limits
  return new Promise((resolve) => {
    let request: ClientRequest | undefined
    let response: IncomingMessage | undefined
    const chunks: Buffer[] = []
    let bytes = 0
    let settled = false

    function settle(error: PostError | null): void {
      if (settled) return
      settled = true
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      const ms = Math.round(performance.now() - beganAtMs)
      const text = response === undefined ? '' : answerText(Buffer.concat(chunks), response.headers, limits.bytesMax)
      resolve({ status: response?.statusCode ?? null, ms, body: text, error })
      if (error !== null) request?.destroy()
    }
    const fail = (code: string) => settle({ code, message: sentence(code, url, timeoutMs, response?.statusCode) })
    const onAbort = () => fail('CANCELLED')
    const timer = setTimeout(() => fail('TIMEOUT'), timeoutMs)
    if (signal.aborted) {
      onAbort()
      return
    }
    signal.addEventListener('abort', onAbort)

    function onResponse(answer: IncomingMessage): void {
      response = answer
      answer.on('data', (chunk: Buffer) => {
        // Read on to the end, so that the connection can be used again, but keep the beginning only.
        if (bytes < limits.bytesMax * BYTES_PER_CHARACTER_MAX) chunks.push(chunk)
        bytes += chunk.length
      })
      answer.on('end', () => settle(null))
      answer.on('error', (error) => fail(codeOf(error)))
    }
    try {
      request = open(url, [...passedOn(headers, url, body)].flat(), limits.agent)
    } catch (error) {
      fail(codeOf(error))
      return
    }
    request.on('response', onResponse)
    request.on('error', (error) => fail(codeOf(error)))
    request.on('close', () => fail('CLOSED'))
    request.end(body)
  })
}

/** The URL as it may be kept and shown: without user name and password. */
export function withoutLogin(url: URL): string {
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  return shown.href
}

/** The likely cause of an answer that is not 2xx, in a sentence for the developer of the target; null where none is likely. */
export function explainAnswer(status: number): string | null {
  if (status >= 300 && status < 400)
    return t`It redirects, and a webhook is never sent on; use the address that it points to`
  if (status >= 500) return t`Your server failed while it worked on it; look at its log`
  switch (status) {
    case 400:
      return t`Your server did not understand the body; does it read JSON, and in this shape?`
    case 401:
    case 403:
      return t`Your server refused it: does it check the signature over the raw body with this secret, or does it want a login or a CSRF token?`
    case 404:
      return t`There is nothing at this path; check the path of the URL`
    case 405:
      return t`This path takes no POST; check the path and the method of its route`
    case 413:
      return t`The body is longer than your server allows`
    case 415:
      return t`Your server does not take \`application/json\` here`
    default:
      return null
  }
}

function open(url: URL, headers: string[], agent: Agent | undefined): ClientRequest {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return send(url, { method: 'POST', agent: agent ?? false, headers })
}

/** An array of headers is sent as it stands, so host and length have to be in it. */
function* passedOn(headers: readonly Header[], url: URL, body: Buffer): Generator<Header> {
  const login = loginOf(url)
  yield ['Host', url.host]
  for (const [name, value] of headers) {
    const isReplaced = login !== undefined && name.toLowerCase() === 'authorization'
    if (!isReplaced && !isOfConnection(name)) yield [name, value]
  }
  if (login !== undefined) yield ['Authorization', login]
  yield ['Content-Length', String(body.length)]
}

/** What user name and password in the URL ask for. */
function loginOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return `Basic ${Buffer.from(text).toString('base64')}`
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN'
  return 'code' in error ? String(error.code) : error.name
}

function sentence(code: string, url: URL, timeoutMs: number, status: number | undefined): string {
  const { origin, host, hostname } = url
  if (code === 'CANCELLED') return t`It was interrupted before ${origin} had answered`
  if (status !== undefined) {
    return code === 'TIMEOUT'
      ? t`${origin} answered ${status}, but its answer did not end within ${formatDuration(timeoutMs)}`
      : t`${origin} answered ${status}, but its answer broke off`
  }
  if (code === 'TIMEOUT') return t`${origin} did not answer within ${formatDuration(timeoutMs)}`
  if (code === 'ECONNREFUSED') return t`Nothing listens at ${origin}; is your server running?`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return t`The name ${hostname} cannot be found`
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'CLOSED') {
    return t`${origin} closed the connection without an answer; did your server crash?`
  }
  if (code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER') return t`${host} does not speak https; is it http?`
  if (/CERT|ISSUER|SIGNATURE|HOSTNAME|ALTNAME/.test(code)) {
    return t`The certificate of ${host} is not one that this machine trusts (${code})`
  }
  if (code.startsWith('HPE_')) return t`${host} does not answer in HTTP (${code}); is it https?`
  if (code.startsWith('ERR_INVALID')) return t`It has a header that cannot be sent (${code})`
  return t`${origin} was not reached (${code})`
}
