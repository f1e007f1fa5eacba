import { readFileSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import { defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import type { EventOwner } from '../../ledger/accounts.ts'
import type { EventStore } from '../../listener/eventStore.ts'
import { type EventRoute, matchesRoute } from '../../listener/forwarder.ts'
import { type Delivery, type ListenerServer, startListenerServer } from '../../listener/listenerServer.ts'
import { type Header, isConnectionHeader } from '../../listener/webhookPost.ts'
import { readDuration, readPort, readText, wholeNumber } from '../../optionParsers.ts'
import { type Signer, secretsOf } from '../../profiles/signer.ts'
import { EVENT_NAMES } from '../../schemas/webhookBodies.ts'
import { shellWord } from '../../text/shellWord.ts'
import { t } from '../../text/translate.ts'
import {
  isLoopbackHost,
  reachableHost,
  readReceiverUrl,
  readTargetUrl,
  withoutPassword,
} from '../../wire/baseAddress.ts'
import { UsageError, unlessSystem } from '../../wire/errors.ts'
import { execPortFile, INSPECTOR_PORT, listenFailure, PORT_OPTION } from '../foregroundServer.ts'

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** The port of a listener outside `sandbox exec`; the profile `local` calls it. */
const LISTEN_PORT = 4242

export const LISTEN_OPTIONS = defineOptions(
  { ...PORT_OPTION, description: `${PORT_OPTION.description} (default ${LISTEN_PORT})` },
  { flags: '--host <address>', description: 'address to listen on', default: '127.0.0.1', parse: readText },
  { flags: '--path <path>', description: 'accept only this path (default: any)', parse: readPath },
  {
    flags: '--forward-to <url>',
    description: 'forward every event that no --route takes, byte for byte; without a path, to the path of the request',
    parse: readReceiverUrl,
  },
  {
    flags: '--route <event=url>',
    description: 'forward this event there; `pix.*` matches; repeatable',
    parse: readRoute,
    repeatable: true,
  },
  { flags: '--events <a,b>', description: 'show and forward only these', parse: readEvents, completes: EVENT_NAMES },
  {
    flags: '--max-events <n>',
    description: 'stop after this many events, duplicates not counted',
    parse: wholeNumber(1, 1_000_000_000),
  },
  { flags: '--for <duration>', description: 'stop after this time (alias --timeout)', parse: readDuration },
  { flags: '--timeout <duration>', description: 'the same as --for', aliasOf: '--for', parse: readDuration },
  { flags: '--allow-unsigned', description: 'also accept webhooks without a signature' },
  { flags: '--print-body', description: 'print the body of every event' },
  {
    flags: '--header <name:value>',
    description: 'add a header to forwarded webhooks, repeatable',
    parse: readHeader,
    repeatable: true,
  },
  { flags: '--drop-duplicates', description: 'do not forward an event a second time' },
  { flags: '--fail-on-forward', description: 'exit 1 if a forward was refused or did not arrive' },
  { flags: '--unmask', description: 'show tax documents unmasked' },
  {
    flags: '--inspect [port]',
    description: `serve the page of \`pixgate inspect\` (default port ${INSPECTOR_PORT})`,
    preset: INSPECTOR_PORT,
    parse: readPort,
  },
  {
    flags: '--public-url <url>',
    description: 'the address at which the gateway reaches this listener',
    parse: readPublicUrl,
  },
  {
    flags: '--tunnel <command>',
    description: 'command that prints a public URL; it knows {port}',
    parse: readText,
  },
)

/** What a listener does. */
export type ListenOptions = OptionsOf<typeof LISTEN_OPTIONS>

/** Warns of options that have no effect, and of events that are not known. */
export function warnOfOptions({ terminal }: Context, options: ListenOptions): void {
  const { forwardTo, route: routes, header, dropDuplicates, failOnForward, events } = options
  const used = {
    '--drop-duplicates': dropDuplicates,
    '--fail-on-forward': failOnForward,
    '--header': header.length > 0,
  }
  for (const [option, isUsed] of Object.entries(used)) {
    if (isUsed && forwardTo === undefined && routes.length === 0) {
      terminal.warn(t`\`${option}\` has no effect without \`--forward-to\` or \`--route\``)
    }
  }
  // The gateway may have events that are not known here, but most unknown names are misspelt.
  for (const name of events ?? []) {
    if (EVENT_NAMES.some((known) => known === name)) continue
    terminal.warn(t`\`--events\`: \`${name}\` is not a known event; known events are ${EVENT_NAMES.join(', ')}`)
  }
  for (const route of routes) {
    if (EVENT_NAMES.some((known) => matchesRoute(route.events, known))) continue
    terminal.warn(
      t`\`--route\`: \`${route.events}\` matches no known event; known events are ${EVENT_NAMES.join(', ')}`,
    )
  }
}

/** Throws UsageError if events would come back to the listener that forwards them. */
export function assertNoForwardLoop(
  { host, forwardTo, route: routes, publicUrl }: Pick<ListenOptions, 'host' | 'forwardTo' | 'route' | 'publicUrl'>,
  port: number,
): void {
  const isOwn = (url: URL) => {
    const targetPort = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    const isPublic = publicUrl !== undefined && new URL(publicUrl).origin === url.origin
    return isPublic || (targetPort === port && isOwnHost(url.hostname, host))
  }
  if (forwardTo !== undefined && isOwn(forwardTo)) {
    throw new UsageError(t`\`--forward-to\` points to this listener, so every event would be forwarded forever`, {
      hint: t`Name the address of your own server, for example \`--forward-to http://127.0.0.1:3000/webhooks\``,
    })
  }
  const own = routes.find(({ url }) => isOwn(url))
  if (own === undefined) return
  throw new UsageError(t`\`--route ${own.events}=…\` points to this listener, so events would be forwarded forever`, {
    hint: t`Name the address of your own server, for example \`--route ${own.events}=http://127.0.0.1:3000/webhooks\``,
  })
}

/** An address that means every one of this machine. */
const ANY_ADDRESS = /^(?:0\.0\.0\.0|\[?::\]?|)$/

/** True if a target's host name is that of a listener on `host`: this machine in any of its spellings, or one of its own addresses. */
function isOwnHost(name: string, host: string): boolean {
  const bare = name.replace(/^\[(?:::ffff:)?|\]$/g, '')
  const mapped = /^([\da-f]{1,4}):([\da-f]{1,4})$/.exec(bare)
  const [high = 0, low = 0] = mapped === null ? [] : mapped.slice(1).map((part) => Number.parseInt(part, 16))
  const address = mapped === null ? bare : [high >> 8, high & 255, low >> 8, low & 255].join('.')
  if (isLoopbackHost(address) || ANY_ADDRESS.test(address)) return true
  if (!ANY_ADDRESS.test(host)) return address === host.toLowerCase()
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return address === hostname().toLowerCase() || own.some((each) => each.address === address)
}

/** Reads `pix.received=http://…`; the name may end with `*`. Throws UsageError. */
function readRoute(typed: string): EventRoute {
  const [, events = '', url = ''] = /^([^=]*)=(.*)$/s.exec(typed) ?? []
  if (!/^(?:[\w.-]+|(?:[\w-]+\.)*\*)$/.test(events) || url.trim() === '') {
    throw new UsageError(t`\`--route\` takes \`event=url\`, not \`${withoutPassword(typed)}\``, {
      hint: t`Write it like \`--route pix.received=http://127.0.0.1:3000/pix\`; \`pix.*\` matches every event whose name begins with \`pix.\``,
    })
  }
  return { events, url: readReceiverUrl(url) }
}

/** Throws UsageError for a user name or password: other commands send the URL to the gateway, and show it. */
function readPublicUrl(typed: string, name: string): string {
  const { username, password } = new URL(readTargetUrl(typed, name))
  if (username === '' && password === '') return typed
  throw new UsageError(t`\`--public-url\` has a user name or password, which the gateway and other users would see`, {
    hint: t`Remove it from the URL; webhooks are verified by their signature`,
  })
}

/** What Git Bash makes of `/pix`, with its own folder before it, and of `/c/pix`, which it takes for the drive. */
const GIT_BASH_PATH =
  /^(?:[a-z]:(?:[\\/].*?)?[\\/](?:(?:Portable)?Git|msys\d*|cygwin\d*)(?:[\\/]current)?(?=[\\/])|([a-z]):)([\\/].*)$/i

/** The path as requests have it, with percent signs for what is not ASCII. */
function readPath(typed: string): string {
  // Some versions of Git Bash leave the two slashes of the hint below.
  if (/^\/[^?#\s]*$/.test(typed)) return new URL(`http://localhost${typed.replace(/^\/+/, '/')}`).pathname
  const [, drive, rest] = GIT_BASH_PATH.exec(typed) ?? []
  if (rest !== undefined) {
    const own = `${drive === undefined ? '' : `/${drive.toLowerCase()}`}${rest.replaceAll('\\', '/')}`
    throw new UsageError(
      t`\`--path\`: \`${typed}\` is a folder of Windows. Git Bash makes one of a path that begins with a slash`,
      {
        hint: t`Type two slashes in Git Bash: \`--path ${shellWord(`/${own}`)}\``,
      },
    )
  }
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

/** Reads `name: value`. Throws UsageError. */
export function readHeader(typed: string): Header {
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

/** A listener's server, and where it listens. */
export interface OpenServer {
  server: ListenerServer
  url: string
  /** The host name of the public URL, which requests may name; null if there is none yet. */
  publicName: string | null
}

interface ServerParts {
  /** Of this listener, as no other has it. */
  id: string
  signer: Signer
  owner: EventOwner
  store: EventStore
  onDelivery(delivery: Delivery): void
  onNotStored(error: unknown): void
}

/** The port of the callback URL, if this process runs in a `sandbox exec` that chose one. */
function execPort(dataFolder: string): number | undefined {
  return unlessSystem('ENOENT', () => Number(readFileSync(execPortFile(dataFolder), 'utf8')))
}

/** Starts the listener's server. Throws UsageError if it cannot listen. */
export async function openServer(context: Context, options: ListenOptions, parts: ServerParts): Promise<OpenServer> {
  const { host, path = null, allowUnsigned } = options
  const port = options.port ?? execPort(context.dataFolder()) ?? LISTEN_PORT
  const { id, signer, owner, store, onDelivery, onNotStored } = parts
  const names: { publicName: string | null } = { publicName: null }
  const isOwnName = (name: string) => [host, hostname(), names.publicName].some((own) => own?.toLowerCase() === name)
  // An unsigned event can come from anybody, so it belongs to no account and changes no payment.
  const unknownOwner = { ...owner, profile: null, baseUrl: null, clientId: null }
  const server = await startListenerServer({
    host,
    port,
    rules: { id, path, isOwnName },
    secrets: secretsOf(signer).map(({ secret }) => secret.reveal()),
    allowUnsigned,
    now: context.now,
    sink: {
      async keep(event) {
        const kept = await store.keep({ ...event, owner: event.isSigned ? owner : unknownOwner, via: 'listen' })
        return { record: kept.id, n: kept.isPending ? null : kept.n, duplicate: kept.duplicate }
      },
      onDelivery,
      onNotStored,
    },
  }).catch((error: unknown) => {
    throw listenFailure(
      error,
      { host, port },
      t`Stop the program that uses this port, which may be another listener, or choose another port: \`--port 0\` picks a free one`,
    )
  })
  const url = `http://${reachableHost(host)}:${server.port}${path ?? '/'}`
  return Object.assign(names, { server, url })
}
