import { randomBytes } from 'node:crypto'
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { isSystemError } from '../wire/errors.ts'

const PRIVATE_MODE = 0o600

/** A file that is being written. Under its name it is either complete or as it was before. */
export interface WholeFile {
  /** Writes all of these bytes behind those before. Throws the system's error. */
  append(bytes: string | Uint8Array): Promise<void>
  /** Gives the file its name, which replaces one that exists. Throws the system's error. */
  finish(): Promise<void>
  /** Removes what was written, unless it is finished. */
  discard(): Promise<void>
}

/**
 * Opens a file for writing, for this user alone unless another mode is given. A symbolic link is followed; a device or a pipe is written
 * directly. Throws the system's error.
 */
export async function openWholeFile(path: string, mode = PRIVATE_MODE): Promise<WholeFile> {
  const found = await ifExists(stat(path))
  if (found !== undefined && !found.isFile()) return directly(await open(path, 'w', mode))
  const target = found === undefined ? path : await realpath(path)
  // No other process can have created a file or a link with this name.
  const part = `${target}.${randomBytes(4).toString('hex')}.part`
  const file = await open(part, 'wx', mode)
  let isOpen = true
  const discard = async () => {
    if (!isOpen) return
    isOpen = false
    await file.close()
    await rm(part, { force: true })
  }
  return {
    // `write` would report success if only the beginning fits on the disk.
    append: (bytes) => file.appendFile(bytes),
    async finish() {
      await file.sync()
      await rename(part, target)
      isOpen = false
      await file.close()
    },
    discard,
  }
}

/** Writes a file as a whole, see {@link openWholeFile}. Throws the system's error. */
export async function writeWholeFile(path: string, bytes: Uint8Array, mode = PRIVATE_MODE): Promise<void> {
  const file = await openWholeFile(path, mode)
  try {
    await file.append(bytes)
    await file.finish()
  } finally {
    await file.discard()
  }
}

function directly(file: FileHandle): WholeFile {
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await file.close()
  }
  return { append: (bytes) => file.appendFile(bytes), finish: close, discard: close }
}

async function ifExists<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined
    throw error
  }
}
