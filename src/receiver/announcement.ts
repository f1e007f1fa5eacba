import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { holdFolderLock, isFolderLockHeld, removeLockFile } from '../locks/folderLock.ts'
import { namesIn } from '../locks/folderNames.ts'
import { readTextOrNothing } from '../locks/textFile.ts'
import type { Account } from '../profiles/account.ts'
import { isSameAccount } from '../timeline/ownership.ts'
import type { EventOwner } from '../timeline/records.ts'
import { isObject, textField } from '../wire/answers.ts'

/** What a running listener tells the other commands of this machine: where it is, and whose webhooks it verifies. */
export interface Announcement extends EventOwner {
  /** A new one for every run; letters, digits and dashes. */
  id: string
  pid: number
  /** On this machine. */
  url: string
  /** By which it is reached from outside; null where it is not. */
  publicUrl: string | null
  /** RFC 3339, UTC. */
  startedAt: string
}

/** A listener's own announcement. It keeps the process alive until it is closed. */
export interface OwnAnnouncement {
  /** Says by which address it is reached from outside now. */
  update(publicUrl: string | null): Promise<void>
  /** Takes the announcement back. */
  close(): Promise<void>
}

const FOLDER = 'listeners'
const FILE_NAME = /^([0-9A-Za-z-]+)\.json$/

/**
 * Announces a listener in the data folder until it is closed or its process ends, whatever ends that: it lives as long as
 * its lock is held. Throws the system's error where it cannot be written.
 */
export async function announce(
  dataFolder: string,
  platform: NodeJS.Platform,
  announcement: Announcement,
): Promise<OwnAnnouncement> {
  const folder = join(dataFolder, FOLDER)
  const { id } = announcement
  const release = await holdFolderLock(folder, lockName(id), platform)
  if (release === undefined) throw new Error(`a listener with the id ${id} runs already`)
  let last = Promise.resolve()
  let isClosed = false
  const inTurn = (work: () => Promise<void>) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
  const write = (text: string) => inTurn(async () => (isClosed ? undefined : replaceFile(folder, id, text)))
  try {
    await write(JSON.stringify(announcement))
  } catch (error) {
    await release()
    throw error
  }
  return {
    update: (publicUrl) => write(JSON.stringify({ ...announcement, publicUrl })),
    close: () =>
      inTurn(async () => {
        if (isClosed) return
        isClosed = true
        await removeFilesOf(folder, id).finally(release)
      }),
  }
}

/** The announcements of the listeners that run now, oldest first; what dead ones left behind is removed. */
export async function runningListeners(dataFolder: string, platform: NodeJS.Platform): Promise<Announcement[]> {
  const folder = join(dataFolder, FOLDER)
  const running: Announcement[] = []
  for (const name of namesIn(folder)) {
    const id = FILE_NAME.exec(name)?.[1]
    if (id === undefined) continue
    if (await isFolderLockHeld(folder, lockName(id), platform)) {
      const announcement = readAnnouncement(await readTextOrNothing(join(folder, name)))
      if (announcement?.id === id) running.push(announcement)
    } else await removeFilesOf(folder, id)
  }
  return running.sort((one, other) => (one.startedAt < other.startedAt ? -1 : 1))
}

/** The newest listener that verifies the webhooks of this account. */
export function listenerFor(
  listeners: readonly Announcement[],
  { environment, url, clientId }: Pick<Account, 'environment' | 'url' | 'clientId'>,
): Announcement | undefined {
  return listeners.findLast((listener) => isSameAccount(listener, { environment, baseUrl: url, clientId }))
}

function lockName(id: string): string {
  return `listener-${id}`
}

/** Another command reads the old announcement or the new one, never a part. */
async function replaceFile(folder: string, id: string, text: string): Promise<void> {
  await writeFile(join(folder, `${id}.new`), text, { mode: 0o600 })
  await rename(join(folder, `${id}.new`), join(folder, `${id}.json`))
}

async function removeFilesOf(folder: string, id: string): Promise<void> {
  for (const name of [`${id}.json`, `${id}.new`]) await rm(join(folder, name), { force: true })
  await removeLockFile(folder, lockName(id))
}

function readAnnouncement(text: string): Announcement | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isAnnouncement(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isAnnouncement(value: unknown): value is Announcement {
  if (!isObject(value) || typeof value.pid !== 'number') return false
  const isTextOrNull = (name: string) => value[name] === null || typeof value[name] === 'string'
  return (
    ['id', 'url', 'environment', 'startedAt'].every((name) => textField(value, name) !== null) &&
    ['publicUrl', 'profile', 'baseUrl', 'clientId'].every(isTextOrNull)
  )
}
