import { t } from '../../text/translate.ts'
import { isLoopbackHost, isUrlTooLong, urlTooLong } from '../../wire/baseAddress.ts'
import { UsageError } from '../../wire/errors.ts'

const DEFAULT_PORT = 5432

/** Where a shared ledger is, and as whom. */
export type LedgerAddress = ReturnType<typeof readLedgerAddress>

/**
 * Validates the address of a shared ledger, `postgres://user@host[:port]/database`. `source` says where it came from, such as `--ledger`. Throws
 * UsageError, which never shows a password: for another scheme, a password, a part that is missing, and any parameter, because some of them weaken TLS.
 */
export function readLedgerAddress(text: string, source?: string) {
  if (isUrlTooLong(text)) throw urlTooLong(source)
  const typed = text.trim()
  const url = /^postgres(?:ql)?:\/\/\S+$/i.test(typed) && URL.canParse(typed) ? new URL(typed) : undefined
  if (url === undefined) {
    throw new UsageError(t`\`${withoutSecrets(typed)}\` is not the address of a shared ledger`, { hint: sampleHint() })
  }
  if (url.password !== '') {
    throw new UsageError(
      t`\`${withoutSecrets(typed)}\` contains a password, which other programs and the shell's history can see`,
      {
        hint: t`Remove the password from the address; pixgate asks for it, or reads it from \`PGPASSWORD\` or \`PGPASSFILE\``,
      },
    )
  }
  refuseParameters(url, typed)
  const user = decoded(url.username)
  const host = hostOf(url)
  const database = decoded(url.pathname.replace(/^\//, ''), /\//)
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port)
  if (user === undefined) throw missing(t`\`${typed}\` names no login`)
  if (host === undefined) throw missing(t`\`${typed}\` names no server that is reached by TCP`)
  if (database === undefined) throw missing(t`\`${typed}\` names no database`)
  if (port === 0) throw missing(t`\`${typed}\` has no valid port`)
  const place = `${host.includes(':') ? `[${host}]` : host}${port === DEFAULT_PORT ? '' : `:${port}`}`
  return {
    /** The address in one spelling: `postgres://maria@db.example.com/payments`, with a port unless it is 5432. */
    url: `postgres://${encodeURIComponent(user)}@${place}/${encodeURIComponent(database)}`,
    user,
    /** A name in lower case, or an IP address without brackets. */
    host,
    port,
    database,
    /** True if the server is on this machine, so that the connection needs no TLS. */
    isLoopback: isLoopbackHost(host),
  }
}

function sampleHint(): string {
  return t`Write an address such as \`postgres://maria@db.example.com/payments\``
}

/** An address without all that may be a password, also one with characters that end it too early. */
function withoutSecrets(text: string): string {
  return text.replace(/^([\w+.-]*:\/*).*@/s, '$1••••@').replace(/[?#].*$/s, '')
}

function missing(message: string): UsageError {
  return new UsageError(message, { hint: sampleHint() })
}

function refuseParameters(url: URL, typed: string): void {
  const name = [...url.searchParams.keys()].find((key) => key !== '')
  if (name?.toLowerCase().startsWith('ssl') === true) {
    throw new UsageError(t`\`${name}\` cannot be set: pixgate always verifies the server's certificate and host name`, {
      hint: t`Remove everything from \`?\` on; set \`NODE_EXTRA_CA_CERTS\` if the server has a certificate of your own authority`,
    })
  }
  if (name !== undefined || url.search !== '' || url.hash !== '' || /[?#]/.test(typed)) {
    const message =
      name === undefined
        ? t`\`${withoutSecrets(typed)}\` has more than a login, a server and a database`
        : t`\`${name}\` cannot be set in the address of a shared ledger`
    throw new UsageError(message, { hint: t`Remove everything from \`?\` or \`#\` on` })
  }
}

/** A part of a URL as text; undefined if it is empty, badly encoded, or has a control character or what `forbidden` matches. */
function decoded(part: string, forbidden?: RegExp): string | undefined {
  if (part === '' || forbidden?.test(part) === true) return undefined
  try {
    const text = decodeURIComponent(part)
    return /[\u0000-\u001f\u007f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

/** The host of a URL; undefined if it is neither one name nor an IP address, as a list of servers or the folder of a socket is. */
function hostOf({ hostname }: URL): string | undefined {
  const host = hostname.toLowerCase()
  if (host.startsWith('[')) return host.slice(1, -1)
  return /^[a-z\d_](?:[a-z\d._-]*)$/.test(host) ? host : undefined
}
