import { closeSync, mkdtempSync, openSync, readdirSync, realpathSync, rmSync, statSync, writeSync } from 'node:fs'
import { constants, devNull } from 'node:os'
import { join } from 'node:path'
import { t } from '../text/translate.ts'
import { isObject } from '../wire/answers.ts'
import { MISSING_PART, systemCode } from '../wire/errors.ts'
import { isMappingError, sqliteCode } from './sqlite.ts'
import { ownerHint } from './userFolders.ts'

/** What happened, as the reason in a sentence, and what to do about it. */
interface Trouble {
  reason: string
  hint: string
}

/** The variables that name a folder. */
export type FolderVariable = 'PIXGATE_DATA_DIR' | 'PIXGATE_CONFIG_DIR'

/** The names of the numbers that SQLite gives for what the system did not allow. */
const SQLITE_NAMES: Readonly<Record<number, string>> = {
  3: 'EACCES',
  5: 'EBUSY',
  8: 'EROFS',
  10: 'EIO',
  11: 'DAMAGED',
  13: 'ENOSPC',
  14: 'CANTOPEN',
  23: 'EACCES',
  26: 'DAMAGED',
}

const SQLITE_IOERR = 10
const SQLITE_CANTOPEN = 14
/** A database, its log, its shared memory and their folder. */
const DATABASE_FILES = 4
/** By how much a log may grow at once. */
const ROOM_BYTES = 2 ** 20

/** What the system says where SQLite says only that it could not open or write a file, such as that the folder is read-only; an empty text for nothing. */
function triedCode(folder: string): string {
  try {
    tryAsDatabase(folder)
    return ''
  } catch (error) {
    const code = namedCode(error)
    if (code === undefined) throw error
    return code
  }
}

/** The code of an error of a system call, also by a number for which Node.js has no name, such as that of a quota; undefined for any other error. */
function namedCode(error: unknown): string | undefined {
  const code = systemCode(error)
  if (!isObject(error) || code === undefined || !/^unknown/i.test(code)) return code
  return Object.entries(constants.errno).find(([, number]) => -number === error.errno)?.[0] ?? code
}

/** Makes a file as long as the longest in the folder may become, and opens as many as a database needs. Throws the system's error. */
function tryAsDatabase(folder: string): void {
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
  const tried = mkdtempSync(join(folder, 'tried-'))
  const opened: number[] = []
  try {
    const file = openSync(join(tried, 'file'), 'w')
    opened.push(file)
    writeSync(file, ' ', Math.max(0, ...sizes) + ROOM_BYTES)
    while (opened.length < DATABASE_FILES) opened.push(openSync(devNull, 'r'))
  } finally {
    for (const file of opened) closeSync(file)
    rmSync(tried, { recursive: true })
  }
}

/**
 * What an error of the system or of SQLite is for a person. `folder` is the one that holds what cannot be used, and `variable` the one that names it: another folder is
 * proposed only while this one holds nothing, because with another one it would not be known what was paid.
 */
export function systemTrouble(error: unknown, folder: string, variable?: FolderVariable): Trouble {
  const sqlite = sqliteCode(error)
  const { code: given = '', message = '' } = isObject(error) ? error : {}
  const own = namedCode(error) ?? given
  const code = isMappingError(error)
    ? 'ENODEV'
    : sqlite === null
      ? String(own)
      : (sqlite === SQLITE_CANTOPEN || sqlite === SQLITE_IOERR ? triedCode(folder) : '') || (SQLITE_NAMES[sqlite] ?? '')
  const [reason, hint] = troubleOf(code, folder, variable) ?? [sqlite === null ? code : String(message), generalHint()]
  const mayMove = variable !== undefined && MOVABLE.includes(code) && isMissing(folder)
  return {
    reason: sqlite === null && reason !== code ? `${reason} (${code})` : reason,
    hint: mayMove ? t`${hint}; or set \`${variable}\` to a folder that can be written` : hint,
  }
}

/** True for the code of the system where a process, or the machine, has too many files open. */
export function isFileLimit(code: string | undefined): boolean {
  return code === 'EMFILE' || code === 'ENFILE'
}

/** False also where the system does not tell. */
function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    return code === 'ENOTDIR'
  }
}

/** What to do about a folder of another user; undefined for an own one and where the system does not tell. */
function foreignHint(folder: string): string | undefined {
  try {
    const uid = statSync(folder, { throwIfNoEntry: false })?.uid
    return uid === undefined || uid === process.geteuid?.() ? undefined : ownerHint(folder, uid)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}

const MOVABLE: readonly string[] = ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG']

function troubleOf(
  code: string,
  folder: string,
  variable: FolderVariable = 'PIXGATE_DATA_DIR',
): readonly [reason: string, hint: string] | undefined {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return [t`permission denied`, foreignHint(folder) ?? t`Let this user write to the folder`]
    case 'ERR_ACCESS_DENIED':
      return [t`Node.js was started so that it forbids this`, t`Run it without the option \`--permission\` of Node.js`]
    case MISSING_PART:
      return [t`a part of pixgate is missing`, t`Install pixgate again: an installation or update was not finished`]
    case 'ENAMETOOLONG':
      return [t`its name is too long`, t`Choose a shorter path`]
    case 'EROFS':
      return [t`the disk is read-only`, t`Mount it so that it can be written, such as a volume without \`:ro\``]
    case 'ENOSPC':
      return [t`the disk is full`, t`Free some disk space, then run the command again`]
    case 'EDQUOT':
      return [t`the disk space of this user is used up`, t`Free some disk space, then run the command again`]
    case 'EFBIG':
      return [
        t`it would be larger than a file may be`,
        t`Raise the limit, such as with \`ulimit -f unlimited\`, then run the command again`,
      ]
    case 'DAMAGED':
      return [t`it is damaged`, generalHint()]
    case 'CANTOPEN':
      return [t`it is no file, or one that cannot be opened`, generalHint()]
    case 'EMFILE':
    case 'ENFILE':
      return [
        t`too many files are open`,
        t`Raise the limit, such as with \`ulimit -n 1024\`, then run the command again`,
      ]
    case 'EBADF':
      return [t`it is closed`, t`Run it without \`nohup\` and without \`<&-\`, or give the path of a file`]
    case 'EISDIR':
      return [t`it is a folder`, t`Give the path of a file`]
    case 'ENOENT':
      return [t`it does not exist`, t`Check the path`]
    case 'EAGAIN':
      return [
        t`this user has too many processes`,
        t`End other programs of this user, or raise the limit, such as with \`ulimit -u unlimited\``,
      ]
    case 'ENOTDIR':
      return [t`a part of its path is no folder`, t`Check the path`]
    case 'EEXIST':
      return [t`there is a file of this name`, t`Check the path`]
    case 'ENODEV':
      return [t`its disk does not let a file be mapped into memory`, diskHint(variable)]
    case 'ENOLCK':
      return [t`its disk keeps no locks`, diskHint(variable)]
    case 'ESTALE':
      return [t`its network disk does not know it any more`, t`Mount the disk again, then run the command again`]
    case 'ELOOP':
      return [t`its links lead in a circle`, t`Check where the links of its path lead`]
    case 'EIO':
      return [
        t`the disk reports an error, or is full`,
        t`Free some disk space; if it is not full, copy the folder to another disk`,
      ]
    case 'EBUSY':
      return [
        t`another program or a mount holds it`,
        t`Close the program that uses it; in a container, mount the folder instead of one file`,
      ]
    default:
      return undefined
  }
}

function diskHint(variable: FolderVariable): string {
  return t`Move the whole folder to a disk of this machine, and name it in \`${variable}\``
}

function generalHint(): string {
  return t`Check the path, its permissions and the disk, then run the command again`
}

/** What to do about a link: a folder is named by where it points, which is what it holds; a file has no variable. */
export function linkHint(path: string, variable: FolderVariable | undefined): string {
  try {
    const real = realpathSync(path)
    return variable === undefined ? t`Replace the link with \`${real}\` itself` : t`Set \`${variable}\` to \`${real}\``
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return t`Check where \`${path}\` leads: its disk may not be mounted`
  }
}
