import { closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { t } from '../text/translate.ts'
import { systemCode, UsageError } from '../wire/errors.ts'

const FILE = 'profiles.json'
/** Readable by the user only. */
export const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const OTHERS = 0o077
/** Windows has no such modes and links. */
export const HAS_MODES = platform() !== 'win32'
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
    if (!facts.isFile()) throw unusablePathFailure(t`${path} is not a file`)
    assertOwner(facts, path)
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
  if (!facts.isDirectory()) throw unusablePathFailure(t`${folder} is not a folder`)
  assertOwner(facts, folder)
  if (!HAS_MODES || (facts.mode & OTHERS) === 0) return true
  const handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    restrictMode(handle, facts.mode, { path: folder, mode: FOLDER_MODE }, notice)
  } finally {
    closeSync(handle)
  }
  return true
}

/** Another user could put his own addresses, commands and secrets there. Root could do so anyway. Throws UsageError. */
function assertOwner({ uid }: Stats, path: string): void {
  if (HAS_MODES && uid !== 0 && uid !== process.geteuid?.())
    throw unusablePathFailure(t`${path} belongs to another user`)
}

function textOf(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw unusablePathFailure(t`${path} is damaged: it is not UTF-8 text`)
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
  const { path, mode } = wanted
  try {
    fchmodSync(handle, mode)
    notice(t`${path} was accessible to other users (mode ${octal(found)}); changed to ${octal(mode)}`)
  } catch (error) {
    const reason = systemCode(error) ?? String(error)
    notice(t`${path} was accessible to other users (mode ${octal(found)}), and this could not be fixed: ${reason}`)
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

function unusablePathFailure(sentence: string): UsageError {
  return new UsageError(sentence, {
    hint: t`Move it away, or set \`PIXGATE_CONFIG_DIR\` to another folder`,
  })
}
