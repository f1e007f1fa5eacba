import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import { t } from '../text/words.ts'
import type { AnswerFields } from '../wire/answers.ts'
import { UsageError } from '../wire/errors.ts'

const FILE = 'profiles.json'
/** Folders in which a new file is made ready; one that is left over belongs to a process that was killed. */
const WORKSHOP = '.profiles-'
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const OTHERS = 0o077
/** Windows has neither these modes nor these links. */
const HAS_MODES = platform() !== 'win32'
const LOOK_AT = HAS_MODES ? constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK : constants.O_RDONLY

/** A line for a person. */
export type Notice = (line: string) => void

/** Where the profiles of this folder are stored. */
export function storePath(folder: string): string {
  return join(folder, FILE)
}

/**
 * The text of the file; undefined where there is none. Modes that let others in are mended, with a notice. Throws
 * UsageError for a symbolic link and for what is no file, the system's error where it cannot be read.
 */
export async function readStoreFile(folder: string, notice: Notice): Promise<string | undefined> {
  if (!(await isSoundFolder(folder, notice))) return undefined
  const path = storePath(folder)
  const file = await openOrNothing(path)
  if (file === undefined) return undefined
  try {
    const facts = await file.stat()
    if (!facts.isFile()) throw unusable(path, t`is not a file`)
    await mendMode(file, facts.mode, { path, mode: FILE_MODE }, notice)
    return textOf(await file.readFile(), path)
  } finally {
    await file.close()
  }
}

/**
 * Puts a document in the place of the file, whose text was `before`. conf writes it to a folder of its own beside it; only
 * what has been read back whole and is on the disk takes the name, in one step. So the file is always the old or the new
 * one, and it is the old one if this throws.
 */
export async function replaceStoreFile(
  folder: string,
  change: { before: string | undefined; document: AnswerFields; text: string },
  notice: Notice,
): Promise<void> {
  const workshop = await mkdtemp(join(folder, WORKSHOP))
  try {
    const fresh = await writeWithConf(workshop, change.document, change.text)
    await demandWhole(fresh, change.text)
    // The lock is the kernel's of one machine; a container or another machine that shares the folder is seen here.
    if ((await readStoreFile(folder, notice)) !== change.before) throw changedMeanwhile(storePath(folder))
    await rename(fresh, storePath(folder))
    await syncFolder(folder, notice)
  } finally {
    await rm(workshop, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** Removes what killed processes have left, because there are secrets in it. The caller holds the lock. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(WORKSHOP)) await rm(join(folder, name), { recursive: true, force: true })
  }
}

async function writeWithConf(workshop: string, document: AnswerFields, text: string): Promise<string> {
  const { default: Conf } = await import('conf')
  const conf = new Conf({
    cwd: workshop,
    configName: 'profiles',
    configFileMode: FILE_MODE,
    accessPropertiesByDotNotation: false,
    serialize: () => text,
  })
  // Setting the store whole keeps every key; `set` drops some names and takes dots in others for nesting.
  conf.store = document
  return conf.path
}

/** conf does not notice a short write, so what it wrote is read back before it counts. */
async function demandWhole(path: string, text: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const written = await file.readFile()
    if (!written.equals(Buffer.from(text))) {
      throw new UsageError(t`The profiles could be written only in part, as happens on a full disk`, {
        details: [t`They are stored as they were`],
        hint: t`Make room on the disk, then try again`,
      })
    }
    if (HAS_MODES) await file.chmod(FILE_MODE)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The new name must survive a crash too. */
async function syncFolder(folder: string, notice: Notice): Promise<void> {
  if (!HAS_MODES) return
  try {
    const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    notice(t`The profiles are stored, but the disk has not confirmed it: ${systemCode(error) ?? String(error)}`)
  }
}

/** False where there is no folder. Throws UsageError for a link and for what is no folder. */
async function isSoundFolder(folder: string, notice: Notice): Promise<boolean> {
  let facts: Awaited<ReturnType<typeof lstat>>
  try {
    facts = await lstat(folder)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false
    throw error
  }
  if (facts.isSymbolicLink()) throw linkRefused(folder)
  if (!facts.isDirectory()) throw unusable(folder, t`is not a folder`)
  if (!HAS_MODES || (facts.mode & OTHERS) === 0) return true
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    await mendMode(handle, facts.mode, { path: folder, mode: FOLDER_MODE }, notice)
  } finally {
    await handle.close()
  }
  return true
}

function textOf(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw unusable(path, t`is damaged: it is not UTF-8 text`)
  }
}

async function openOrNothing(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, LOOK_AT)
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT') return undefined
    if (code === 'ELOOP' || code === 'EMLINK') throw linkRefused(path)
    throw error
  }
}

async function mendMode(
  handle: FileHandle,
  found: number,
  wanted: { path: string; mode: number },
  notice: Notice,
): Promise<void> {
  if (!HAS_MODES || (found & OTHERS) === 0) return
  const was = t`${wanted.path} was open to other users of this machine (mode ${octal(found)})`
  try {
    await handle.chmod(wanted.mode)
    notice(t`${was} and is mended to ${octal(wanted.mode)}`)
  } catch (error) {
    notice(t`${was} and cannot be mended: ${systemCode(error) ?? String(error)}`)
  }
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0')
}

/** The code of a failure of the system (`ENOSPC`); undefined for every other failure. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined
  return String(error.code)
}

function linkRefused(path: string): UsageError {
  return new UsageError(t`${path} is a symbolic link, and credentials are not stored behind one`, {
    hint: t`Put the file or folder itself there, or name its true folder with \`PIXGATE_CONFIG_DIR\``,
  })
}

function unusable(path: string, reason: string): UsageError {
  return new UsageError(t`${path} ${reason}`, {
    hint: t`Move it away, or name another folder with \`PIXGATE_CONFIG_DIR\``,
  })
}

function changedMeanwhile(path: string): UsageError {
  return new UsageError(t`${path} was changed by somebody else at the same moment`, {
    details: [t`That change stands; yours was not made`],
    hint: t`Run the command again`,
  })
}
