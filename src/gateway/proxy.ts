import type { buildConnector } from 'undici'
import { t } from '../text/words.ts'
import { UsageError } from '../wire/errors.ts'
import { isCertificateProblem, PROXY_CODE } from './unreachable.ts'

/** The proxy's URL in the form that undici takes; undefined where none is set. Throws UsageError for one it cannot use. */
export function proxyUrl(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const name = env.https_proxy === undefined ? 'HTTPS_PROXY' : 'https_proxy'
  const typed = env[name]?.trim() ?? ''
  if (typed === '') return undefined
  const url = typed.includes('://') ? typed : `http://${typed}`
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url
  throw new UsageError(t`\`${name}\` does not name an HTTP proxy`, {
    hint: t`Write it like \`http://proxy.example.com:3128\`, or name hosts that need no proxy in \`NO_PROXY\``,
  })
}

/** undici opens a connection that broke with an error of its sockets again, for ever; with another error it gives up. */
export function tryingOnce(connect: buildConnector.connector): buildConnector.connector {
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
