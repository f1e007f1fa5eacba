import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Context } from '../../context.ts'
import type { EventOwner } from '../../ledger/owner.ts'
import type { EventStore } from '../../listener/eventStore.ts'
import { type Delivery, type ListenerServer, startListenerServer } from '../../listener/listenerServer.ts'
import { BODY_BYTES_MAX } from '../../listener/rejection.ts'
import { type Signer, secretsOf } from '../../profiles/signer.ts'
import { t } from '../../text/translate.ts'
import { reachableHost } from '../../wire/address.ts'
import { isSystemError } from '../../wire/errors.ts'
import { execPortFile, listenFailure } from '../foregroundServer.ts'
import { LISTEN_PORT, type ListenOptions } from './listenOptions.ts'

/** A listener's server, and where it listens. */
export interface OpenServer {
  server: ListenerServer
  url: string
  /** The host name of the public URL, which requests may name; null if there is none yet. */
  publicName: string | null
}

interface ServerParts {
  signer: Signer
  owner: EventOwner
  store: EventStore
  onDelivery(delivery: Delivery): void
  onNotStored(error: unknown): void
}

/** The port of the callback URL, if this process runs in a `sandbox exec` that chose one. */
function execPort(dataFolder: string): number | undefined {
  try {
    return Number(readFileSync(execPortFile(dataFolder), 'utf8'))
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Starts the listener's server. Throws UsageError if it cannot listen. */
export async function openServer(context: Context, options: ListenOptions, parts: ServerParts): Promise<OpenServer> {
  const { host, path = null, allowUnsigned } = options
  const port = options.port ?? execPort(context.dataFolder()) ?? LISTEN_PORT
  const { signer, owner, store, onDelivery, onNotStored } = parts
  const names: { publicName: string | null } = { publicName: null }
  const isOwnName = (name: string) => [host, hostname(), names.publicName].some((own) => own?.toLowerCase() === name)
  // An unsigned event can come from anybody, so it belongs to no account and changes no payment.
  const unknownOwner = { ...owner, profile: null, baseUrl: null, clientId: null }
  const server = await startListenerServer({
    host,
    port,
    rules: { path, bodyBytesMax: BODY_BYTES_MAX, isOwnName },
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
