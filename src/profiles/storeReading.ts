import { closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { t } from '../text/words.ts'
import { UsageError } from '../wire/errors.ts'

const FILE = 'profiles.json'
/** For the user alone, like all that is stored here. */
export const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const OTHERS = 0o077
/** Windows has neither these modes nor these links. */
export const HAS_MODES = platform() !== 'win32'
const LOOK_AT = HAS_MODES ? constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK : constants.O_RDONLY

/** A line for a person. */
export type Notice = (line: string) => void

/** Where the profiles of this folder are stored. */
export function storePath(folder: string): string {
  return join(folder, FILE)
}

/**
 * The text of the file; undefined where there is none. It is read at once, because it is small and waiting for it would
 * take longer. Modes that let others in are mended, with a notice. Throws UsageError for a symbolic link and for what
 * is no file, the system's error where it cannot be read.
 */
export function readStoreFile(folder: string, notice: Notice): string | undefined {
  if (!isSoundFolder(folder, notice)) return undefined
  const path = storePath(folder)
  const file = openOrNothing(path)
  if (file === undefined) return undefined
  try {
    const facts = fstatSync(file)
    if (!facts.isFile()) throw unusable(path, t`is not a file`)
    mendMode(file, facts.mode, { path, mode: FILE_MODE }, notice)
    return textOf(readFileSync(file), path)
  } finally {
    closeSync(file)
  }
}

/** False where there is no folder. Throws UsageError for a link and for what is no folder. */
function isSoundFolder(folder: string, notice: Notice): boolean {
  let facts: Stats
  try {
    facts = lstatSync(folder)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false
    throw error
  }
  if (facts.isSymbolicLink()) throw linkRefused(folder)
  if (!facts.isDirectory()) throw unusable(folder, t`is not a folder`)
  if (!HAS_MODES || (facts.mode & OTHERS) === 0) return true
  const handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    mendMode(handle, facts.mode, { path: folder, mode: FOLDER_MODE }, notice)
  } finally {
    closeSync(handle)
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

function openOrNothing(path: string): number | undefined {
  try {
    return openSync(path, LOOK_AT)
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT') return undefined
    if (code === 'ELOOP' || code === 'EMLINK') throw linkRefused(path)
    throw error
  }
}

function mendMode(handle: number, found: number, wanted: { path: string; mode: number }, notice: Notice): void {
  if (!HAS_MODES || (found & OTHERS) === 0) return
  const was = t`${wanted.path} was open to other users of this machine (mode ${octal(found)})`
  try {
    fchmodSync(handle, wanted.mode)
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
