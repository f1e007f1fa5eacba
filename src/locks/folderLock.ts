import { hash } from 'node:crypto'
import { constants, statSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { t } from '../text/words.ts'
import { UsageError } from '../wire/errors.ts'
import { makePrivateFolder } from './privateFolder.ts'

const WAIT_MS = 15_000
const LOOK_AGAIN_MS = 20
const GIVE_WAY_MS = 2
const ABSTRACT_NAME_BYTES = 108
/** Opens a file with the lock of flock(2) on macOS and the BSDs; Node.js has no name for it. */
const O_EXLOCK = 0x20

/** Opens it with the lock that others may hold as well. */
const O_SHLOCK = 0x10

/** Gives a held lock back. */
export type Release = () => Promise<void>

/**
 * Does the work while no other process of this machine holds the lock of this name on this folder. The lock is the kernel's
 * (a socket's address, a pipe's name or flock), so it ends with its holder whatever ends that. Throws UsageError where it
 * is not to be had for a long while.
 */
export async function withFolderLock<Result>(
  folder: string,
  name: string,
  platform: NodeJS.Platform,
  work: () => Promise<Result>,
): Promise<Result> {
  makePrivateFolder(folder)
  const deadline = AbortSignal.timeout(WAIT_MS)
  const release = await acquire(folder, name, platform, deadline)
  try {
    return await work()
  } finally {
    await release()
  }
}

/**
 * Holds the lock of this name until it is released; undefined, without waiting, where another one holds it. It keeps the
 * process alive.
 */
export async function holdFolderLock(
  folder: string,
  name: string,
  platform: NodeJS.Platform,
): Promise<Release | undefined> {
  makePrivateFolder(folder)
  if (!hasSocketLocks(platform))
    return lockFile(lockPath(folder, name), constants.O_RDWR | constants.O_CREAT | O_EXLOCK)
  return listenAt(socketAddress(folder, name, platform))
}

/** True while anybody holds the lock of this name on this folder, which must exist. */
export async function isFolderLockHeld(folder: string, name: string, platform: NodeJS.Platform): Promise<boolean> {
  if (hasSocketLocks(platform)) return isListenedAt(socketAddress(folder, name, platform))
  try {
    const release = await lockFile(lockPath(folder, name), constants.O_RDONLY | O_SHLOCK)
    await release?.()
    return release === undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

/** Removes what a lock leaves where locks are files, for a name that is never used again. The caller holds it. */
export async function removeLockFile(folder: string, name: string): Promise<void> {
  await rm(lockPath(folder, name), { force: true })
}

/** The file of a lock where locks are files; it stays when the lock has ended. */
function lockPath(folder: string, name: string): string {
  return join(folder, `.${name}.lock`)
}

function hasSocketLocks(platform: NodeJS.Platform): boolean {
  return platform === 'linux' || platform === 'win32'
}

async function acquire(
  folder: string,
  name: string,
  platform: NodeJS.Platform,
  deadline: AbortSignal,
): Promise<Release> {
  if (!hasSocketLocks(platform)) return acquireFile(lockPath(folder, name), deadline)
  const address = socketAddress(folder, name, platform)
  for (;;) {
    const release = await listenAt(address)
    if (release !== undefined) return release
    if (deadline.aborted) throw busy(folder)
    await untilReleased(address, deadline)
  }
}

/** The same folder has the same address by whatever path it is reached. */
function socketAddress(folder: string, name: string, platform: NodeJS.Platform): string {
  const { dev, ino } = statSync(folder, { bigint: true })
  const digest = hash('sha256', `${dev}:${ino}:${name}`).slice(0, 32)
  if (platform === 'win32') return `\\\\.\\pipe\\pixgate-${digest}`
  // Node.js 20 fills an abstract name up to this length and later versions do not: a whole one is the same for all.
  return `\0pixgate-${digest}`.padEnd(ABSTRACT_NAME_BYTES, '-')
}

function listenAt(address: string): Promise<Release | undefined> {
  const waiting = new Set<Socket>()
  const server = createServer((socket) => {
    waiting.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => waiting.delete(socket))
  })
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined)
      else reject(error)
    })
    server.listen({ path: address }, () => resolve(() => close(server, waiting)))
  })
}

/** Those who wait hold a connection; its end tells them to try again, before whoever had the lock can take it once more. */
function close(server: Server, waiting: ReadonlySet<Socket>): Promise<void> {
  const giveWayMs = waiting.size > 0 ? GIVE_WAY_MS : 0
  return new Promise((resolve) => {
    server.close(() => (giveWayMs === 0 ? resolve() : setTimeout(resolve, giveWayMs)))
    for (const socket of waiting) socket.destroy()
  })
}

function untilReleased(address: string, deadline: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ path: address })
    const end = () => socket.destroy()
    deadline.addEventListener('abort', end)
    socket.on('error', end)
    socket.on('close', () => {
      deadline.removeEventListener('abort', end)
      resolve()
    })
  })
}

function isListenedAt(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path: address })
    const end = (isHeld: boolean) => {
      socket.destroy()
      resolve(isHeld)
    }
    socket.on('connect', () => end(true))
    // Where it exists but is too busy to answer, somebody holds it.
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'))
  })
}

async function acquireFile(path: string, deadline: AbortSignal): Promise<Release> {
  for (;;) {
    const release = await lockFile(path, constants.O_RDWR | constants.O_CREAT | O_EXLOCK)
    if (release !== undefined) return release
    if (deadline.aborted) throw busy(path)
    await sleep(LOOK_AGAIN_MS)
  }
}

async function lockFile(path: string, flags: number): Promise<Release | undefined> {
  try {
    const file = await open(path, flags | constants.O_NONBLOCK, 0o600)
    return () => file.close()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    return undefined
  }
}

function busy(place: string): UsageError {
  return new UsageError(t`Another pixgate has been at work in ${place} for ${WAIT_MS / 1000} seconds`, {
    details: [t`Nothing was sent or changed`],
    hint: t`Wait for it to end, or look for one that hangs, then try again`,
  })
}
