import { chmodSync, closeSync, fsyncSync, lstatSync, mkdirSync, openSync, type Stats, statSync } from 'node:fs'
import { platform } from 'node:os'
import { dirname } from 'node:path'
import { t } from '../text/translate.ts'
import { isSystemError, systemCode, UsageError, unlessSystem } from '../wire/errors.ts'
import { type FolderVariable, linkHint, systemTrouble } from './systemTrouble.ts'
import { ownerHint } from './userFolders.ts'

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
/** The access bits of group and others. */
const OTHERS = 0o077

/**
 * Creates a folder that only its owner may use, with the folders above it. One that exists is left as it is. Throws the
 * system's error. `mkdir` with `recursive` is not used, because it never returns below /proc.
 */
export function makePrivateFolder(path: string): void {
  try {
    mkdirSync(path, FOLDER_MODE)
    syncFolder(dirname(path))
    return
  } catch (error) {
    const code = isSystemError(error) ? error.code : undefined
    if (code === 'EEXIST' && statSync(path).isDirectory()) return
    if (code !== 'ENOENT' || dirname(path) === path) throw error
  }
  makePrivateFolder(dirname(path))
  try {
    mkdirSync(path, FOLDER_MODE)
    syncFolder(dirname(path))
  } catch (error) {
    if (!statSync(path).isDirectory()) throw error
  }
}

/**
 * Creates an empty file for a database, which SQLite would create with mode 0644. One that exists is not opened, because closing it
 * would drop a lock that this process holds on it. Throws the system's error.
 */
export function createPrivateFile(path: string): void {
  unlessSystem('EEXIST', () => closeSync(openSync(path, 'wx', FILE_MODE)))
}

/** What is at a path, not followed if it is a link; undefined for nothing, which is all there can be below a file. Throws the system's error. */
export function foundAt(path: string): Stats | undefined {
  return unlessSystem('ENOTDIR', () => lstatSync(path, { throwIfNoEntry: false }))
}

/** Makes the entries of a folder durable; without it a power failure could take a new one away with all that is in it. Throws the system's error. */
export function syncFolder(path: string): void {
  // Windows has no such thing.
  if (platform() === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/**
 * Creates a private folder, or checks one that exists: no symbolic link, owned by this user, mode 0700. A looser mode is
 * corrected; the sentences that report corrections are returned. Throws UsageError.
 */
export function securePrivateFolder(path: string): string[] {
  try {
    makePrivateFolder(path)
  } catch (error) {
    throw cannotUse(path, error)
  }
  return secure(path, FOLDER_MODE)
}

/**
 * Checks a file of a private folder: a regular file, owned by this user, mode 0600. A looser mode is corrected; the sentences
 * that report corrections are returned, none if the file is missing. Throws UsageError.
 */
export function securePrivateFile(path: string): string[] {
  return secure(path, FILE_MODE)
}

function secure(path: string, mode: number): string[] {
  const stats = lstatOrNull(path)
  if (stats === null) return []
  const fault = kindFault(path, stats, mode === FOLDER_MODE, 'PIXGATE_DATA_DIR')
  const details = [t`Payment records are only kept in a folder and files that belong to you alone`]
  if (fault !== undefined) throw new UsageError(fault.sentence, { details, hint: fault.hint })
  if (platform() === 'win32') return []
  if (stats.uid !== process.getuid?.()) {
    throw new UsageError(t`\`${path}\` belongs to another user`, { details, hint: ownerHint(path, stats.uid) })
  }
  if ((stats.mode & OTHERS) === 0) return []
  return [closeToOthers(path, stats, mode)]
}

/** What is wrong, and what to do, where something else is than the folder or file that belongs there; undefined if it is right. */
export function kindFault(
  path: string,
  stats: Stats,
  isFolder: boolean,
  variable: FolderVariable,
): { sentence: string; hint: string } | undefined {
  if (stats.isSymbolicLink())
    return { sentence: t`\`${path}\` is a symbolic link`, hint: linkHint(path, isFolder ? variable : undefined) }
  if (isFolder ? stats.isDirectory() : stats.isFile()) return undefined
  if (stats.isDirectory())
    return {
      sentence: t`\`${path}\` is a folder, not a file`,
      hint: t`Remove it with \`rmdir\` if it is empty, and mount its whole folder: Docker makes a folder where the file of a mount is missing`,
    }
  return {
    sentence: isFolder ? t`\`${path}\` is not a folder` : t`\`${path}\` is not a regular file`,
    hint: strangerHint(),
  }
}

/** What to do about a file of pixgate that pixgate has not made. */
export function strangerHint(): string {
  return t`Check what it is and who put it there; records and profiles may lie beside it`
}

/** Takes the access of others to a folder or file away and says so, or that its disk does not allow it. */
export function closeToOthers(path: string, stats: Stats, mode: number): string {
  const was = octal(stats.mode)
  try {
    chmodSync(path, mode)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    const { reason } = systemTrouble(error, path)
    return t`Other users have access to \`${path}\` (mode ${was}), and its disk does not let it be changed: ${reason}`
  }
  const { mode: now } = lstatSync(path)
  return (now & OTHERS) === 0
    ? t`Other users had access to \`${path}\` (mode ${was}); it is now ${octal(now)}`
    : t`Other users have access to \`${path}\` (mode ${was}), and its disk keeps no other mode`
}

/** A mode as `chmod` writes it. */
function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0')
}

function lstatOrNull(path: string) {
  try {
    return lstatSync(path)
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return null
    throw cannotUse(path, error)
  }
}

/** The UsageError for a folder or file that the system does not let pixgate use; other errors are returned as they are. */
function cannotUse(path: string, error: unknown): unknown {
  if (!isSystemError(error)) return error
  const { reason, hint } = systemTrouble(error, path, 'PIXGATE_DATA_DIR')
  return new UsageError(t`\`${path}\` cannot be used: ${reason}`, {
    isWhatSendingNeeds: true,
    hint,
  })
}
