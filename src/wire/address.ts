import { t } from '../text/words.ts'
import { UsageError } from './errors.ts'

/** The longest URL that pixgate accepts. Servers, proxies and browsers do not agree on longer ones. */
export const URL_CHARACTERS_MAX = 2048

/** A checked base address: no trailing slash, its own path kept. */
export interface BaseAddress {
  url: string
  /** Host and port, as a person would name it. */
  host: string
  isLoopback: boolean
}

/**
 * Checks a base address. `source` names where it came from (`--base-url`, `PIXGATE_BASE_URL`). Throws UsageError where it
 * is not a URL, is too long, carries credentials, a query or a fragment, or is http beyond loopback, which would show the secret.
 */
export function readBaseAddress(text: string, source: string): BaseAddress {
  const url = webAddress(text.trim())
  if (isUrlTooLong(text)) throw urlTooLong(source)
  if (url === undefined) {
    const hint = t`Write the whole address: \`https://gateway.example.com\` or \`http://127.0.0.1:4010\``
    if (text.trim() === '') throw new UsageError(t`\`${source}\` is empty`, { hint })
    throw new UsageError(t`\`${withoutPassword(text)}\` from \`${source}\` is not a base address`, { hint })
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError(t`The base address from \`${source}\` must be scheme, host and path only`, {
      hint: t`Remove user name, password, \`?\` and \`#\` from it; credentials have their own place`,
    })
  }
  const isLoopback = isLoopbackHost(url.hostname)
  if (url.protocol === 'http:' && !isLoopback) {
    throw new UsageError(
      t`The base address \`${url.host}\` from \`${source}\` is http, which would show the secret on the way`,
      {
        hint: t`Write \`https://${url.host}\`; http is for addresses of this machine only`,
      },
    )
  }
  return { url: url.origin + withoutTrailingSlashes(url.pathname), host: url.host, isLoopback }
}

/** True for `localhost`, 127.0.0.0/8 and ::1, as `URL.hostname` writes them. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || /^127\.\d+\.\d+\.\d+$/.test(hostname) || hostname === '[::1]' || hostname === '::1'
}

/** The host in the URL of a server that listens here; one on all addresses is reached on loopback. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/**
 * Checks a callback, forward or send URL: absolute, http or https, not too long. Throws UsageError naming the option or
 * variable.
 */
export function readTargetUrl(text: string, option: string): string {
  if (isWebAddress(text)) return text
  if (isUrlTooLong(text)) throw urlTooLong(option)
  const sample = 'https://shop.example.com/pix'
  const asTyped = option.startsWith('--') ? `${option} ${sample}` : `${option}=${sample}`
  const hint = t`Write the whole address, for example \`${asTyped}\``
  if (text.trim() === '') throw new UsageError(t`\`${option}\` is empty`, { hint })
  throw new UsageError(t`\`${withoutPassword(text)}\` is not a URL that \`${option}\` can take`, { hint })
}

/** The text with dots for what stands before an `@`, as user name and password of a URL do. */
export function withoutPassword(text: string): string {
  if (!URL.canParse(text)) {
    const at = text.lastIndexOf('@')
    return at === -1 ? text : `${/^[\w+.-]*:?\/*/.exec(text)?.[0] ?? ''}••••${text.slice(at)}`
  }
  const { username, password } = new URL(text)
  return username === '' && password === '' ? text : text.replace(/^([\w+.-]*:\/*)[^/?#]*@/, '$1••••@')
}

function isUrlTooLong(text: string): boolean {
  return text.length > URL_CHARACTERS_MAX
}

/** True for an absolute http or https URL without white space that is not too long. */
export function isWebAddress(text: string): boolean {
  return webAddress(text) !== undefined
}

/** The URL, if it is http or https and nothing in it is white space, which the parser would quietly drop. */
function webAddress(text: string): URL | undefined {
  if (isUrlTooLong(text)) return undefined
  const url = /^\S+$/.test(text) && URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined
}

function urlTooLong(source: string): UsageError {
  return new UsageError(t`The URL from \`${source}\` is longer than the limit of ${URL_CHARACTERS_MAX} characters`, {
    hint: t`Shorten it, for example by leaving out its query`,
  })
}

function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}
