import { valueOr } from '../pix/expectedError.ts'
import { t } from '../text/translate.ts'
import { UsageError } from './errors.ts'

/** The longest URL that pixgate accepts. Not all servers, proxies and browsers support longer ones. */
export const URL_CHARACTERS_MAX = 2048

/** A validated base address, with its path but without a trailing slash. */
export interface BaseAddress {
  url: string
  /** Host name and port. */
  host: string
  isLoopback: boolean
}

/** A value with quotes around it, which a shell would have taken away. */
export const QUOTED = /^(["']).*\1$/s

/**
 * Validates a base address. `source` says where it came from (`--base-url`, `PIXGATE_BASE_URL`); an answer to a prompt has
 * none. A host without a scheme gets https, or http on this machine. Throws UsageError if it is no URL, is too long, has credentials, a query or a
 * fragment, or is a remote http URL, which would expose the secret.
 */
export function readBaseAddress(text: string, source?: string): BaseAddress {
  const url = parseHttpUrl(lacksScheme(text) ? withScheme(text.trim()) : text.trim())
  if (isUrlTooLong(text)) throw urlTooLong(source)
  if (url === undefined) {
    const hint = QUOTED.test(text.trim())
      ? t`Remove the quotes around it, which \`docker --env-file\` keeps`
      : t`Write a complete URL, such as \`https://gateway.example.com\` or \`http://127.0.0.1:4010\``
    const shown = withoutPassword(text)
    if (source === undefined) throw new UsageError(t`\`${shown}\` is not a base address`, { hint })
    if (text.trim() === '') throw new UsageError(t`\`${source}\` is empty`, { hint })
    throw new UsageError(t`\`${shown}\` from \`${source}\` is not a base address`, { hint })
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    const message =
      source === undefined
        ? t`The base address must only have a scheme, host and path`
        : t`The base address from \`${source}\` must only have a scheme, host and path`
    throw new UsageError(message, {
      hint: t`Remove the user name, password, \`?\` and \`#\`; store credentials with \`pixgate profile add shop\``,
    })
  }
  const isLoopback = isLoopbackHost(url.hostname)
  if (url.protocol === 'http:' && !isLoopback) {
    const message =
      source === undefined
        ? t`The base address \`${url.host}\` uses http, which would expose the secret on the network`
        : t`The base address \`${url.host}\` from \`${source}\` uses http, which would expose the secret on the network`
    throw new UsageError(message, {
      hint: t`Write \`https://${url.host}\`; http is only allowed for local addresses`,
    })
  }
  return { url: url.origin + withoutTrailingSlashes(url.pathname), host: url.host, isLoopback }
}

/** True for a base address as {@link readBaseAddress} writes it. */
export function isBaseUrl(text: string): boolean {
  return valueOr(false, UsageError, () => readBaseAddress(text, 'baseUrl').url === text)
}

/** A host as programs that connect take it: an IPv6 address without the brackets that URLs have. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
}

/** True for `localhost`, 127.0.0.0/8 and ::1, as `URL.hostname` writes them. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || /^127\.\d+\.\d+\.\d+$/.test(hostname) || hostname === '[::1]' || hostname === '::1'
}

/** The address of a host whose name is written as URLs show it, without a final dot. */
const PLAIN_HOST = /^https?:\/\/[a-z\d.-]*[a-z\d](?::\d+)?(?:\/|$)/

/**
 * The address by which accounts are compared: `http://localhost:4010`, `http://127.0.0.1:4010` and `http://[::1]:4010` are one account, and so are
 * `https://gateway.example` and `https://gateway.example.`. A text that is no URL is returned as it is.
 */
export function accountAddress(baseUrl: string): string {
  // Each payment of a batch asks for that of its account, and parsing a URL takes longer than finding the payment.
  if ((PLAIN_HOST.test(baseUrl) && !baseUrl.includes('localhost')) || !URL.canParse(baseUrl)) return baseUrl
  const url = new URL(baseUrl)
  const name = url.hostname.replace(/\.+$/, '')
  const isLocal = name === 'localhost' || name === '[::1]'
  if (!isLocal && name === url.hostname) return baseUrl
  url.hostname = isLocal ? '127.0.0.1' : name
  return url.origin + withoutTrailingSlashes(url.pathname)
}

/** True if two accounts are one: the same address, as accounts are compared, and the same client id. */
export function isSameAccount(
  one: { baseUrl: string; clientId: string },
  other: { baseUrl: string; clientId: string },
): boolean {
  return one.clientId === other.clientId && accountAddress(one.baseUrl) === accountAddress(other.baseUrl)
}

/** The port of a URL, or its scheme if it names none. */
export function portOf(url: string): string {
  const { port, protocol } = new URL(url)
  return port === '' ? protocol : port
}

/** The host to use in the URL of a local server; one that listens on all addresses is reached on loopback. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/**
 * Validates a callback, forward or target URL: absolute, http or https, not too long. Throws a UsageError that names the option or
 * variable; an answer to a prompt has none.
 */
export function readTargetUrl(text: string, option?: string): string {
  if (isHttpUrl(text)) return text
  if (isUrlTooLong(text)) throw urlTooLong(option)
  const sample = 'https://shop.example.com/pix'
  if (option === undefined) {
    throw new UsageError(t`\`${withoutPassword(text)}\` is not a valid URL`, {
      hint: t`Write a complete URL, for example \`${sample}\``,
    })
  }
  const asTyped = option.startsWith('--') ? `${option} ${sample}` : `${option}=${sample}`
  const hint = t`Write a complete URL, for example \`${asTyped}\``
  if (text.trim() === '') throw new UsageError(t`\`${option}\` is empty`, { hint })
  throw new UsageError(t`\`${withoutPassword(text)}\` is not a valid URL for \`${option}\``, { hint })
}

/** The URL of a server that receives webhooks; `localhost:3000` is http. Throws what {@link readTargetUrl} throws. */
export function readReceiverUrl(typed: string, option?: string): URL {
  const isHostAndPort = /^(?:[\w.-]+|\[[\da-f:.]+\]):\d+(?:[/?]|$)/i.test(typed)
  return new URL(readTargetUrl(isHostAndPort ? `http://${typed}` : typed, option))
}

/** Replaces the user name and password of a URL, the text before `@`, with dots. */
export function withoutPassword(text: string): string {
  if (!URL.canParse(text)) {
    const at = text.lastIndexOf('@')
    return at === -1 ? text : `${/^[\w+.-]*:?\/*/.exec(text)?.[0] ?? ''}••••${text.slice(at)}`
  }
  const { username, password } = new URL(text)
  return username === '' && password === '' ? text : text.replace(/^([\w+.-]*:\/*)[^/?#]*@/, '$1••••@')
}

/** True for a base address without its scheme: a host name with a dot or this machine, with or without a port and a path. */
export function lacksScheme(text: string): boolean {
  return /^(?:[a-z\d-]+(?:\.[a-z\d-]+)+|localhost|\[::1\])(?::\d+)?(?:\/\S*)?$/i.test(text.trim())
}

function withScheme(text: string): string {
  const url = `https://${text}`
  return URL.canParse(url) && isLoopbackHost(new URL(url).hostname) ? `http://${text}` : url
}

/** True for a URL that is longer than {@link URL_CHARACTERS_MAX}. */
export function isUrlTooLong(text: string): boolean {
  return text.length > URL_CHARACTERS_MAX
}

/** True for an absolute http or https URL without white space that is not too long. */
export function isHttpUrl(text: string): boolean {
  return parseHttpUrl(text) !== undefined
}

/** Parses an http or https URL; undefined if it contains white space, which the parser would silently drop. */
function parseHttpUrl(text: string): URL | undefined {
  if (isUrlTooLong(text)) return undefined
  const url = /^\S+$/.test(text) && URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined
}

/** The error for a URL that is too long; `source` is the option or variable, if it came from one. */
export function urlTooLong(source: string | undefined): UsageError {
  const message =
    source === undefined
      ? t`The URL is longer than the limit of ${URL_CHARACTERS_MAX} characters`
      : t`The URL from \`${source}\` is longer than the limit of ${URL_CHARACTERS_MAX} characters`
  return new UsageError(message, {
    hint: t`Shorten it, for example by removing its query`,
  })
}

function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** True if two URLs are one, however they are written. */
export function isSameUrl(one: string, other: string | null): boolean {
  if (one === other) return true
  return other !== null && URL.canParse(one) && URL.canParse(other) && new URL(other).href === new URL(one).href
}
