import type { Context } from '../../context.ts'
import { type Header, isConnectionHeader } from '../../listener/webhookPost.ts'
import { durationOption } from '../../settings.ts'
import { t } from '../../text/translate.ts'
import { isLoopbackHost, readTargetUrl } from '../../wire/address.ts'
import { UsageError } from '../../wire/errors.ts'
import { EVENT_NAMES } from '../../wire/eventFacts.ts'
import { INSPECTOR_PORT, parseAliasedOption, parseWholeNumber, requireText } from '../optionValues.ts'

/** The options of `webhook listen` as commander gives them. */
export interface TypedListenOptions {
  port: string
  host: string
  path?: string
  forwardTo?: string
  events?: string
  maxEvents?: string
  for?: string
  timeout?: string
  allowUnsigned?: boolean
  printBody?: boolean
  header?: string[]
  dropDuplicates?: boolean
  unmask?: boolean
  failOnForward?: boolean
  publicUrl?: string
  tunnel?: string
  inspect?: string | true
}

/** What a listener does. */
export interface ListenOptions {
  port: number
  host: string
  /** Null accepts every path. */
  path: string | null
  forwardTo: URL | null
  headers: Header[]
  /** The names of the events that are shown and forwarded; null for all. */
  events: ReadonlySet<string> | null
  eventsMax: number | null
  forMs: number | null
  allowUnsigned: boolean
  printBody: boolean
  dropDuplicates: boolean
  unmask: boolean
  failOnForward: boolean
  publicUrl: string | null
  tunnel: string | null
  /** The port of the inspector's page; null without it. */
  inspectPort: number | null
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Reads the options. Throws UsageError for a value that is not allowed, and for two that contradict each other. */
export function readListenOptions(context: Context, typed: TypedListenOptions): ListenOptions {
  const { option, typed: duration } = parseAliasedOption(['--for', typed.for], ['--timeout', typed.timeout])
  const options: ListenOptions = {
    port: parseWholeNumber(typed.port, '--port', 0, 65_535),
    host: requireText(typed.host, '--host'),
    path: typed.path === undefined ? null : readPath(typed.path),
    forwardTo: typed.forwardTo === undefined ? null : readForwardUrl(typed.forwardTo),
    headers: (typed.header ?? []).map(readHeader),
    events: typed.events === undefined ? null : readEvents(typed.events),
    eventsMax:
      typed.maxEvents === undefined ? null : parseWholeNumber(typed.maxEvents, '--max-events', 1, 1_000_000_000),
    forMs: duration === undefined ? null : durationOption(duration, option),
    allowUnsigned: typed.allowUnsigned === true,
    printBody: typed.printBody === true,
    dropDuplicates: typed.dropDuplicates === true,
    unmask: typed.unmask === true,
    failOnForward: typed.failOnForward === true,
    publicUrl: typed.publicUrl === undefined ? null : readPublicUrl(typed.publicUrl),
    tunnel: typed.tunnel === undefined ? null : requireText(typed.tunnel, '--tunnel'),
    inspectPort: typed.inspect === undefined ? null : readInspectPort(typed.inspect),
  }
  checkForwarding(options, context)
  checkEvents(options, context)
  return options
}

/** Throws UsageError if events would come back to the listener that forwards them. */
export function assertNoForwardLoop({ forwardTo, publicUrl }: ListenOptions, port: number): void {
  if (forwardTo === null) return
  const { hostname, port: typedPort, protocol } = forwardTo
  const forwardPort = Number(typedPort || (protocol === 'https:' ? 443 : 80))
  const isOwn = isLoopbackHost(hostname) && forwardPort === port
  const isPublic = publicUrl !== null && new URL(publicUrl).origin === forwardTo.origin
  if (!isOwn && !isPublic) return
  throw new UsageError(t`\`--forward-to\` points to this listener, so every event would be forwarded forever`, {
    hint: t`Name the address of your own server, for example \`--forward-to http://127.0.0.1:3000/webhooks\``,
  })
}

function checkForwarding(options: ListenOptions, { terminal }: Context): void {
  const { forwardTo, headers, dropDuplicates, failOnForward } = options
  if (forwardTo !== null) return
  const used = {
    '--drop-duplicates': dropDuplicates,
    '--fail-on-forward': failOnForward,
    '--header': headers.length > 0,
  }
  for (const [option, isUsed] of Object.entries(used)) {
    if (isUsed) terminal.warn(t`\`${option}\` has no effect without \`--forward-to\``)
  }
}

/** The gateway may have events that are not known here, but most unknown names are misspelt. */
function checkEvents({ events }: ListenOptions, { terminal }: Context): void {
  for (const name of events ?? []) {
    if (EVENT_NAMES.some((known) => known === name)) continue
    terminal.warn(t`\`--events\`: \`${name}\` is not a known event; known events are ${EVENT_NAMES.join(', ')}`)
  }
}

function readInspectPort(typed: string | true): number {
  return parseWholeNumber(typed === true ? INSPECTOR_PORT : typed, '--inspect', 0, 65_535)
}

/** The URL to forward to; `localhost:3000` is http. Throws UsageError. */
function readForwardUrl(typed: string): URL {
  const isHostAndPort = /^(?:[\w.-]+|\[[\da-f:.]+\]):\d+(?:[/?]|$)/i.test(typed)
  return new URL(readTargetUrl(isHostAndPort ? `http://${typed}` : typed, '--forward-to'))
}

/** Throws UsageError for a user name or password: other commands send the URL to the gateway, and show it. */
function readPublicUrl(typed: string): string {
  const { username, password } = new URL(readTargetUrl(typed, '--public-url'))
  if (username === '' && password === '') return typed
  throw new UsageError(t`\`--public-url\` has a user name or password, which the gateway and other users would see`, {
    hint: t`Remove it from the URL; webhooks are verified by their signature`,
  })
}

/** The path as requests have it, with percent signs for what is not ASCII. */
function readPath(typed: string): string {
  if (/^\/[^?#\s]*$/.test(typed)) return new URL(`http://localhost${typed}`).pathname
  throw new UsageError(t`\`--path\`: \`${typed}\` is not a path`, {
    hint: t`Write it like \`--path /webhooks/pix\`, without \`?\` and \`#\``,
  })
}

function readEvents(typed: string): Set<string> {
  const names = typed.split(',').map((name) => name.trim())
  if (names.every((name) => name !== '')) return new Set(names)
  throw new UsageError(t`\`--events ${typed}\` contains an empty event name`, {
    hint: t`Write names with commas between them: \`--events pix.received,refund.status\``,
  })
}

function readHeader(typed: string): Header {
  const at = typed.indexOf(':')
  const name = typed.slice(0, Math.max(0, at)).trim()
  const value = typed.slice(at + 1).trim()
  if (isConnectionHeader(name)) {
    throw new UsageError(t`\`--header ${name}\` cannot be set, because it depends on the connection to your server`, {
      hint: t`Omit it; pixgate sets the host and the length itself`,
    })
  }
  if (HEADER_NAME.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return [name, value]
  throw new UsageError(t`\`--header\` takes \`name: value\`, not \`${typed}\``, {
    hint: t`Write them with a colon in between: \`--header 'X-Env: test'\``,
  })
}
