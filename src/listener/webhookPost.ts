import { performance } from 'node:perf_hooks'
import { unescape as decodePercent } from 'node:querystring'
import { type ConnectionPool, openConnectionPool, PROXY_CODE, proxyReason, routeTo } from '../gateway/connections.ts'
import { ExchangeFailed, exchange, type HttpAnswer, unpacked } from '../gateway/exchange.ts'
import { formatDuration } from '../pix/duration.ts'
import { valueOr } from '../pix/expectedError.ts'
import type { EnvironmentVariables } from '../programInfo.ts'
import { t } from '../text/translate.ts'
import { isCertificateProblem, isWithoutTls } from '../wire/errors.ts'

/** A header as it is sent; names may be repeated. */
export type Header = readonly [name: string, value: string]

export interface PostLimits {
  /** From connecting to the last byte of the answer. */
  timeoutMs: number
  /** How many characters of the answer are kept at most. */
  charactersMax: number
  /** Ends the post early. */
  signal: AbortSignal
}

/** Why there was no complete answer: the system's code or our own, and a sentence in the language of the texts when it is read. */
interface PostError {
  code: string
  readonly message: string
}

/** The result of a post. With an error, `status` is still known if the answer had begun. */
export interface PostResult {
  status: number | null
  ms: number
  /** Of the answer, names in lower case; empty without one. */
  headers: HttpAnswer['headers']
  /** The beginning of the answer's body as text. */
  body: string
  error: PostError | null
}

const NOT_PASSED_ON =
  /^(?:connection|keep-alive|transfer-encoding|te|trailer|upgrade|proxy-.*|content-length|host|expect)$/i
const BYTES_PER_CHARACTER_MAX = 4

/** True for a header that belongs to one connection, or to another target, and is never passed on. */
export function isConnectionHeader(name: string): boolean {
  return NOT_PASSED_ON.test(name)
}

/**
 * Connections to the origin of a target, through the proxy of the environment if one applies. Throws UsageError for a proxy that cannot
 * be used.
 */
export function openConnectionPoolTo(url: URL, env: EnvironmentVariables): ConnectionPool {
  return openConnectionPool(routeTo(url.href, env))
}

/**
 * Posts these exact bytes once. The headers are sent under their own names and in their order, except those of a connection; host and
 * length are the target's own. No redirect is followed. Never throws: whatever goes wrong is in the result.
 */
export async function postBytes(
  connections: ConnectionPool,
  url: URL,
  body: Buffer,
  headers: readonly Header[],
  { timeoutMs, charactersMax, signal }: PostLimits,
): Promise<PostResult> {
  const beganAtMs = performance.now()
  const resultOf = (answer: HttpAnswer | null, error: PostError | null): PostResult => ({
    status: answer?.httpStatus ?? null,
    ms: Math.round(performance.now() - beganAtMs),
    headers: answer?.headers ?? {},
    body: answer === null ? '' : answerText(answer, charactersMax),
    error,
  })
  const request = { method: 'POST', url: url.href, headers: sentHeaders(headers, url).flat(), body } as const
  const bytesMax = charactersMax * BYTES_PER_CHARACTER_MAX
  try {
    const dispatcher = await connections.take()
    const limits = { timeoutMs, bytesMax, truncates: true, interrupt: signal, abandon: signal }
    const answer = await exchange(dispatcher, request, limits)
    connections.giveBack(dispatcher)
    return resultOf(answer, null)
  } catch (error) {
    if (!(error instanceof ExchangeFailed)) throw error
    const code = codeOf(error)
    return resultOf(error.partialAnswer, {
      code,
      get message() {
        return postFailureText(code, url, timeoutMs, error.httpStatus)
      },
    })
  }
}

/** The URL as it may be kept and shown: without user name and password. */
export function withoutLogin(url: URL): string {
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  return shown.href
}

function sentHeaders(headers: readonly Header[], url: URL): Header[] {
  const login = basicAuthOf(url)
  const isReplaced = (name: string) => login !== undefined && name.toLowerCase() === 'authorization'
  const passedOn = headers.filter(([name]) => !isReplaced(name) && !isConnectionHeader(name))
  return [['Host', url.host], ...passedOn, ...(login === undefined ? [] : [['Authorization', login] as const])]
}

/** The headers that {@link postBytes} sends, those of the connection included, without the login of the URL. */
export function shownHeaders(headers: readonly Header[], url: URL, body: Buffer): Header[] {
  const sent = sentHeaders(headers, new URL(withoutLogin(url)))
  return [...sent, ['Connection', 'keep-alive'], ['Content-Length', String(body.length)]]
}

/** The value of `Authorization` for the user name and password of a URL; undefined if it has none. */
function basicAuthOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  return `Basic ${Buffer.from(`${decodePercent(username)}:${decodePercent(password)}`).toString('base64')}`
}

/** The codes of undici are those of Node.js, except these. */
function codeOf({ fault, code }: ExchangeFailed): string {
  if (fault === 'interrupted') return 'CANCELLED'
  if (fault === 'timeout' || code === 'UND_ERR_CONNECT_TIMEOUT') return 'TIMEOUT'
  if (code === 'UND_ERR_SOCKET') return 'ECONNRESET'
  return code === 'UND_ERR_INVALID_ARG' ? 'ERR_INVALID_HEADER' : code
}

function postFailureText(code: string, url: URL, timeoutMs: number, status: number | null): string {
  const { origin, host, hostname } = url
  if (code === 'CANCELLED') return t`It was interrupted before ${origin} had answered`
  if (status !== null) {
    return code === 'TIMEOUT'
      ? t`${origin} answered ${status}, but its answer did not end within ${formatDuration(timeoutMs)}`
      : t`${origin} answered ${status}, but its answer broke off`
  }
  if (code === 'TIMEOUT') return t`${origin} did not answer within ${formatDuration(timeoutMs)}`
  if (code.startsWith(PROXY_CODE)) {
    return t`The proxy of \`HTTPS_PROXY\` did not connect to ${host} (${proxyReason(code)})`
  }
  if (code === 'ECONNREFUSED') return t`Nothing listens at ${origin}; is your server running?`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return t`The name ${hostname} cannot be found`
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return t`${origin} closed the connection without an answer; did your server crash?`
  }
  if (isWithoutTls(code)) return t`${host} does not speak https; is it http?`
  if (isCertificateProblem(code)) return t`This machine does not trust the certificate of ${host} (${code})`
  if (code.startsWith('HPE_')) return t`${host} does not answer in HTTP (${code}); is it https?`
  if (code === 'ERR_INVALID_HEADER') return t`It has a header that cannot be sent (${code})`
  return t`${origin} was not reached (${code})`
}

const UNPACKED_BYTES_MAX = 16 * 1024 * 1024

/** The first characters of an answer's body, of which the beginning is known. */
function answerText({ headers, body }: HttpAnswer, charactersMax: number): string {
  const plain = unpacked({ headers, body }, UNPACKED_BYTES_MAX, true) ?? Buffer.alloc(0)
  // The end may be in the middle of a character.
  const cut = { stream: true }
  const characters = decoderFor(headerOf(headers, 'content-type')).decode(plain.subarray(0, charactersMax * 4), cut)
  return Array.from(characters).slice(0, charactersMax).join('')
}

function decoderFor(contentType: string): InstanceType<typeof TextDecoder> {
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  return valueOr(new TextDecoder(), RangeError, () => new TextDecoder(charset))
}

function headerOf(headers: HttpAnswer['headers'], name: string): string {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}
