import { closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs'
import { mkdtemp, open, readdir, rename, rm } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import { t } from '../text/translate.ts'
import type { AnswerFields } from '../wire/answers.ts'
import { systemCode, UsageError } from '../wire/errors.ts'

const FILE = 'profiles.json'
/** Readable by the user only. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const OTHERS = 0o077
/** Windows has no such modes and links. */
const HAS_MODES = platform() !== 'win32'
const OPEN_FLAGS = HAS_MODES ? constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK : constants.O_RDONLY

export type Notice = (line: string) => void

/** The file of the profiles in a config folder. */
export function storePath(folder: string): string {
  return join(folder, FILE)
}

/**
 * Reads the file's text; undefined if there is no file. It reads synchronously, which is faster for a small file. Too open
 * permissions are fixed, with a notice. Throws UsageError for a symbolic link or special file, and the system error if it
 * cannot be read.
 */
export function readStoreFile(folder: string, notice: Notice): string | undefined {
  if (!checkFolder(folder, notice)) return undefined
  const path = storePath(folder)
  const file = openOrNothing(path)
  if (file === undefined) return undefined
  try {
    const facts = fstatSync(file)
    if (!facts.isFile()) throw unusablePathFailure(path, t`is not a file`)
    restrictMode(file, facts.mode, { path, mode: FILE_MODE }, notice)
    return textOf(readFileSync(file), path)
  } finally {
    closeSync(file)
  }
}

/** False if the folder does not exist. Throws UsageError for a symbolic link or anything else that is not a folder. */
function checkFolder(folder: string, notice: Notice): boolean {
  let facts: Stats
  try {
    facts = lstatSync(folder)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false
    throw error
  }
  if (facts.isSymbolicLink()) throw symbolicLinkFailure(folder)
  if (!facts.isDirectory()) throw unusablePathFailure(folder, t`is not a folder`)
  if (!HAS_MODES || (facts.mode & OTHERS) === 0) return true
  const handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    restrictMode(handle, facts.mode, { path: folder, mode: FOLDER_MODE }, notice)
  } finally {
    closeSync(handle)
  }
  return true
}

function textOf(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw unusablePathFailure(path, t`is damaged: it is not UTF-8 text`)
  }
}

function openOrNothing(path: string): number | undefined {
  try {
    return openSync(path, OPEN_FLAGS)
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT') return undefined
    if (code === 'ELOOP' || code === 'EMLINK') throw symbolicLinkFailure(path)
    throw error
  }
}

function restrictMode(handle: number, found: number, wanted: { path: string; mode: number }, notice: Notice): void {
  if (!HAS_MODES || (found & OTHERS) === 0) return
  const was = t`${wanted.path} was accessible to other users (mode ${octal(found)})`
  try {
    fchmodSync(handle, wanted.mode)
    notice(t`${was}; changed to ${octal(wanted.mode)}`)
  } catch (error) {
    notice(t`${was}, and this could not be fixed: ${systemCode(error) ?? String(error)}`)
  }
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0')
}

function symbolicLinkFailure(path: string): UsageError {
  return new UsageError(t`${path} is a symbolic link, which is not allowed for credentials`, {
    hint: t`Replace the link with the file or folder itself, or set \`PIXGATE_CONFIG_DIR\` to the real folder`,
  })
}

function unusablePathFailure(path: string, reason: string): UsageError {
  return new UsageError(t`${path} ${reason}`, {
    hint: t`Move it away, or set \`PIXGATE_CONFIG_DIR\` to another folder`,
  })
}

/** Prefix of temporary folders for a new file. A leftover one belongs to a process that was killed. */
const TEMP_PREFIX = '.profiles-'

/**
 * Replaces the file, whose text was `before`, atomically. conf writes the document to a temporary folder; it is read back,
 * synced and then renamed. The file is therefore always either the old or the new one, and the old one if this throws.
 */
export async function replaceStoreFile(
  folder: string,
  change: { before: string | undefined; document: AnswerFields; text: string },
  notice: Notice,
): Promise<void> {
  const tempFolder = await mkdtemp(join(folder, TEMP_PREFIX))
  try {
    const fresh = await writeWithConf(tempFolder, change.document, change.text)
    await verifyWritten(fresh, change.text)
    // The lock only works on one machine; this detects changes by a container or machine that shares the folder.
    if (readStoreFile(folder, notice) !== change.before) throw changedMeanwhile(storePath(folder))
    await rename(fresh, storePath(folder))
    await syncFolder(folder, notice)
  } finally {
    await rm(tempFolder, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** Removes temporary folders of killed processes, which contain secrets. The caller holds the lock. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(TEMP_PREFIX)) await rm(join(folder, name), { recursive: true, force: true })
  }
}

async function writeWithConf(tempFolder: string, document: AnswerFields, text: string): Promise<string> {
  const { default: Conf } = await import('conf')
  const conf = new Conf({
    cwd: tempFolder,
    configName: 'profiles',
    configFileMode: FILE_MODE,
    accessPropertiesByDotNotation: false,
    serialize: () => text,
  })
  // Assigning the whole store keeps every key; `set` drops some names and treats dots as nesting.
  conf.store = document
  return conf.path
}

/** Reads the file back, because conf does not detect a partial write, and syncs it to disk. */
async function verifyWritten(path: string, text: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const written = await file.readFile()
    if (!written.equals(Buffer.from(text))) {
      throw new UsageError(t`The profiles were only partially written; the disk may be full`, {
        details: [t`The profiles were not changed`],
        hint: t`Free some disk space, then try again`,
      })
    }
    if (HAS_MODES) await file.chmod(FILE_MODE)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Syncs the folder, so that the rename survives a crash. */
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
    notice(
      t`The profiles are stored, but may be lost in a crash, because the folder could not be synced: ${systemCode(error) ?? String(error)}`,
    )
  }
}

function changedMeanwhile(path: string): UsageError {
  return new UsageError(t`${path} was changed by another process at the same time`, {
    details: [t`That change was kept; yours was not made`],
    hint: t`Run the command again`,
  })
}
