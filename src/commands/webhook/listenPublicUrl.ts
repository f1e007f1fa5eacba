import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { announceListener, type ListenerEntry } from '../../ledger/listeners.ts'
import type { EventOwner } from '../../ledger/owner.ts'
import { watchPublicUrl } from '../../listener/publicUrlWatch.ts'
import { openTunnel, type Tunnel } from '../../listener/tunnel.ts'
import { withoutSecrets } from '../../profiles/childEnvironment.ts'
import { t } from '../../text/translate.ts'
import type { ListenScreen } from '../../views/events/listenScreen.ts'
import { Failure, UsageError } from '../../wire/errors.ts'
import type { ListenOptions } from './listenOptions.ts'
import type { OpenServer } from './listenServer.ts'

/** How the listener is reached from outside. */
export interface PublicUrl {
  /** Null if it is not reached from outside, or not yet. */
  current(): string | null
  close(): Promise<void>
}

/** How long the listener waits for the tunnel's first URL before it reports that it is ready. */
const FIRST_URL_MS = 25_000

/**
 * Announces the listener to the other commands of this machine, opens the tunnel, waits a while for its URL, and watches from now on
 * whether the public URL leads to the listener.
 */
export async function openPublicUrl(
  context: Context,
  options: ListenOptions,
  open: OpenServer,
  owner: EventOwner,
  screen: ListenScreen,
): Promise<PublicUrl> {
  const life = new AbortController()
  const entry = await announce(context, options, open, owner)
  let publicUrl = options.publicUrl ?? null
  let isReady = false
  let found = () => {}
  open.publicName = nameIn(publicUrl)
  const watch = watchPublicUrl({
    url: publicUrl ?? undefined,
    env: context.runtime.env,
    ...open.self,
    onDown: (line) => context.terminal.alarm(line),
    onUp: (line) => context.terminal.note(line),
    signal: life.signal,
  })
  const onUrl = (printed: string) => {
    publicUrl = withPath(printed, options.path)
    open.publicName = nameIn(publicUrl)
    entry?.update(publicUrl).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error
      context.terminal.alarm(t`Other commands do not know the new public URL: ${error.message}`)
    })
    watch.setUrl(publicUrl)
    if (isReady) screen.publicUrl(publicUrl)
    found()
  }
  const { tunnel: command } = options
  let notFound: string | undefined
  const parts = {
    onUrl,
    onTrouble: watch.check,
    onNotFound: (output: string) => {
      notFound = output
      found()
    },
  }
  const tunnel = command === undefined ? null : await openOwnTunnel(context, options, command, open, parts)
  const close = async () => {
    life.abort()
    await Promise.all([removeEntry(context, entry), tunnel?.close()])
  }
  if (tunnel !== null && publicUrl === null) {
    const first = new Promise<void>((resolve) => (found = resolve))
    const signal = AbortSignal.any([context.runtime.interrupt, life.signal])
    await Promise.race([first, sleep(FIRST_URL_MS, undefined, { signal, ref: false }).catch(() => undefined)])
    if (notFound !== undefined) {
      await close()
      throw new UsageError(t`\`--tunnel\`: the command \`${command ?? ''}\` was not found`, {
        details: [notFound],
        hint: t`Install the tunnel program, or check its path: \`command -v ${(command ?? '').split(' ')[0] ?? ''}\``,
      })
    }
  }
  isReady = true
  return { current: () => publicUrl, close }
}

/** If the ledger cannot be written, the listener still runs, and answers 503 until it can. */
async function announce(
  context: Context,
  { publicUrl }: ListenOptions,
  { url }: OpenServer,
  owner: EventOwner,
): Promise<ListenerEntry | null> {
  try {
    return await announceListener(await context.ledger(), { ...owner, url, publicUrl: publicUrl ?? null })
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

async function openOwnTunnel(
  context: Context,
  { publicUrl }: ListenOptions,
  command: string,
  { server }: OpenServer,
  { onUrl, onTrouble, onNotFound }: { onUrl(url: string): void; onTrouble(): void; onNotFound(output: string): void },
): Promise<Tunnel> {
  return openTunnel({
    command,
    port: server.port,
    env: await environmentWithoutSecrets(context),
    expectsUrl: publicUrl === undefined,
    onUrl,
    ...(publicUrl === undefined ? { onNotFound } : {}),
    onTrouble: (line) => {
      context.terminal.alarm(line)
      onTrouble()
    },
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
  return path !== undefined && new URL(printed).pathname === '/' ? new URL(path, printed).href : printed
}

function nameIn(url: string | null): string | null {
  return url === null ? null : new URL(url).hostname
}
