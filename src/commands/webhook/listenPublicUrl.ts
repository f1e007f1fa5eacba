import type { Context } from '../../context.ts'
import { announceListener, type ListenerEntry, type RunningListener } from '../../ledger/listeners.ts'
import type { EventOwner } from '../../ledger/owner.ts'
import { openTunnel, type Tunnel } from '../../listener/tunnel.ts'
import { withoutSecrets } from '../../profiles/childEnvironment.ts'
import { t } from '../../text/translate.ts'
import { Failure } from '../../wire/errors.ts'
import type { ListenOptions } from './listenOptions.ts'
import type { OpenServer } from './listenServer.ts'

/** How the listener is reached from outside. */
export interface PublicUrl {
  /** Null if it is not reached from outside. */
  url: string | null
  /** Resolves when the tunnel ends by itself, with what to report. */
  lost: Promise<Failure>
  close(): Promise<void>
}

/**
 * Starts the tunnel and waits for its URL, then announces the listener to the other commands of this machine. Throws NotReached if the tunnel ends or prints no
 * URL, UsageError if its command does not exist.
 */
export async function openPublicUrl(
  context: Context,
  { tunnel: command, publicUrl, path }: ListenOptions,
  open: OpenServer,
  owner: EventOwner,
): Promise<PublicUrl> {
  const tunnel = command === undefined ? null : await startTunnel(context, command, open)
  try {
    const printed = publicUrl === undefined ? await tunnel?.url(context.runtime.interrupt) : undefined
    const url = publicUrl ?? (printed == null ? null : withPath(printed, path))
    open.publicName = url === null ? null : new URL(url).hostname
    const entry = await announce(context, { ...owner, url: open.url, publicUrl: url })
    return {
      url,
      lost: tunnel?.ended ?? new Promise(() => undefined),
      async close() {
        await Promise.all([removeEntry(context, entry), tunnel?.close()])
      },
    }
  } catch (error) {
    await tunnel?.close()
    throw error
  }
}

/** If the ledger cannot be written, the listener still runs, and answers 503 until it can. */
async function announce(context: Context, listener: RunningListener): Promise<ListenerEntry | null> {
  try {
    return await announceListener(await context.ledger(), listener)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    context.terminal.alarm(t`Other commands do not know about this listener: ${error.message}`)
    return null
  }
}

/** An entry that cannot be removed ends with this process. */
async function removeEntry({ terminal }: Context, entry: ListenerEntry | null): Promise<void> {
  try {
    await entry?.remove()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    terminal.trace(error.message)
  }
}

async function startTunnel(context: Context, command: string, { server }: OpenServer): Promise<Tunnel> {
  return openTunnel({
    command,
    port: server.port,
    env: await environmentWithoutSecrets(context),
    onLeft: (line) => context.terminal.alarm(line),
  })
}

/** The environment without the variables that hold a secret of ours or of a stored profile. */
async function environmentWithoutSecrets(context: Context): Promise<Context['runtime']['env']> {
  const { readProfiles } = await import('../../profiles/store.ts')
  const { profiles } = await readProfiles(context.configFolder())
  const variables = [...profiles.values()].flatMap(({ secret }) => (secret.source === 'env' ? [secret.variable] : []))
  return withoutSecrets(context.runtime.env, variables)
}

/** A tunnel prints its origin; the path of the listener is added. */
function withPath(printed: string, path: string | undefined): string {
  return path === undefined ? printed : new URL(path, printed).href
}
