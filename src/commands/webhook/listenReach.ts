import { platform } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, SECRET_VARIABLES } from '../../context.ts'
import { announce, type OwnAnnouncement } from '../../receiver/announcement.ts'
import { watchReachability } from '../../receiver/reachability.ts'
import { openTunnel, type Tunnel } from '../../receiver/tunnel.ts'
import { t } from '../../text/words.ts'
import type { EventOwner } from '../../timeline/records.ts'
import type { Door } from './listenDoor.ts'
import type { ListenWishes } from './listenOptions.ts'
import type { ListenScreen } from './listenScreen.ts'

/** How the listener is reached, by this machine's other commands and from outside. */
export interface Reach {
  /** Null where it is not reached from outside, or not yet. */
  publicUrl(): string | null
  close(): Promise<void>
}

/** A tunnel that has shown no URL by then is said to have none; it goes on trying. */
const FIRST_URL_MS = 25_000

/**
 * Announces the listener to the other commands of this machine, opens the tunnel, waits a while for its URL, and watches
 * from now on whether the public URL leads here.
 */
export async function reachFromOutside(
  context: Context,
  wishes: ListenWishes,
  door: Door,
  owner: EventOwner,
  screen: ListenScreen,
): Promise<Reach> {
  const life = new AbortController()
  const announcement = await announceHere(context, wishes, door, owner)
  let publicUrl = wishes.publicUrl
  let isReady = false
  let found = () => {}
  door.publicName = nameIn(publicUrl)
  const watch = watchReachability({
    url: publicUrl ?? undefined,
    ...door.self,
    onDown: (line) => context.terminal.alarm(line),
    onUp: (line) => context.terminal.note(line),
    signal: life.signal,
  })
  const onUrl = (printed: string) => {
    publicUrl = withPath(printed, wishes.path)
    door.publicName = nameIn(publicUrl)
    announcement?.update(publicUrl).catch(() => {
      context.terminal.alarm(t`The other commands of this machine could not be told the new public address`)
    })
    watch.setUrl(publicUrl)
    if (isReady) screen.publicUrl(publicUrl)
    found()
  }
  const tunnel =
    wishes.tunnel === null ? null : await openOwnTunnel(context, wishes, wishes.tunnel, door, onUrl, watch.check)
  if (tunnel !== null && publicUrl === null) {
    const first = new Promise<void>((resolve) => (found = resolve))
    const signal = AbortSignal.any([context.world.interrupt, life.signal])
    await Promise.race([first, sleep(FIRST_URL_MS, undefined, { signal, ref: false }).catch(() => undefined)])
  }
  isReady = true
  return {
    publicUrl: () => publicUrl,
    async close() {
      life.abort()
      await Promise.all([announcement?.close(), tunnel?.close()])
    },
  }
}

/** Where the data folder takes nothing, the listener still answers: 503, until there is room again. */
async function announceHere(
  context: Context,
  { publicUrl }: ListenWishes,
  { url, self }: Door,
  owner: EventOwner,
): Promise<OwnAnnouncement | null> {
  const folder = context.dataFolder()
  const startedAt = new Date(context.now()).toISOString()
  try {
    return await announce(folder, platform(), { ...owner, id: self.id, pid: context.pid, url, publicUrl, startedAt })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    context.terminal.alarm(
      t`The other commands of this machine do not know of this listener, because nothing can be written in ${folder}: ${String(error.code)}`,
    )
    return null
  }
}

async function openOwnTunnel(
  context: Context,
  wishes: ListenWishes,
  command: string,
  door: Door,
  onUrl: (url: string) => void,
  onTrouble: () => void,
): Promise<Tunnel> {
  return openTunnel({
    command,
    port: door.receiver.port,
    env: await environmentForStrangers(context),
    expectsUrl: wishes.publicUrl === null,
    onUrl,
    onTrouble: (line) => {
      context.terminal.alarm(line)
      onTrouble()
    },
    signalGroup: context.signalGroup,
  })
}

/** The environment without the variables that hold a secret of ours or of a stored profile. */
async function environmentForStrangers(context: Context): Promise<Context['world']['env']> {
  const { readProfiles } = await import('../../profiles/store.ts')
  const { profiles } = await readProfiles(context.configFolder())
  const hidden = new Set<string>(SECRET_VARIABLES)
  for (const { secret } of profiles.values()) {
    if (secret.source === 'env') hidden.add(secret.variable)
  }
  return Object.fromEntries(Object.entries(context.world.env).filter(([name]) => !hidden.has(name)))
}

/** A tunnel prints where it begins; the path that is listened on follows. */
function withPath(printed: string, path: string | null): string {
  return path !== null && new URL(printed).pathname === '/' ? new URL(path, printed).href : printed
}

function nameIn(url: string | null): string | null {
  return url === null ? null : new URL(url).hostname
}
