import { closeSync, mkdtempSync, openSync, readdirSync, realpathSync, rmSync, statSync, writeSync } from 'node:fs'
import { constants, devNull } from 'node:os'
import { join } from 'node:path'
import { declared, t, translated } from '../text/translate.ts'
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
  const [text, known = CHECK_ALL] = TROUBLES[code] ?? [sqlite === null ? code : String(message)]
  const reason = translated(text)
  const ownHint =
    known === null
      ? t`Move the whole folder to a disk of this machine, and name it in \`${variable ?? 'PIXGATE_DATA_DIR'}\``
      : translated(known)
  const hint = (TROUBLES[code] === DENIED ? foreignHint(folder) : undefined) ?? ownHint
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

const CHECK_ALL = declared`Check the path, its permissions and the disk, then run the command again`
const CHECK_PATH = declared`Check the path`
const MAKE_ROOM = declared`Free some disk space, then run the command again`
const DENIED = [declared`permission denied`, declared`Let this user write to the folder`] as const
const TOO_MANY_FILES = [
  declared`too many files are open`,
  declared`Raise the limit, such as with \`ulimit -n 1024\`, then run the command again`,
] as const

/** What is said of a code, and what to do; null where that depends on the folder. */
const TROUBLES: Readonly<Record<string, readonly [reason: string, hint: string | null]>> = {
  EACCES: DENIED,
  EPERM: DENIED,
  ERR_ACCESS_DENIED: [
    declared`Node.js was started so that it forbids this`,
    declared`Run it without the option \`--permission\` of Node.js`,
  ],
  [MISSING_PART]: [
    declared`a part of pixgate is missing`,
    declared`Install pixgate again: an installation or update was not finished`,
  ],
  ENAMETOOLONG: [declared`its name is too long`, declared`Choose a shorter path`],
  EROFS: [
    declared`the disk is read-only`,
    declared`Mount it so that it can be written, such as a volume without \`:ro\``,
  ],
  ENOSPC: [declared`the disk is full`, MAKE_ROOM],
  EDQUOT: [declared`the disk space of this user is used up`, MAKE_ROOM],
  EFBIG: [
    declared`it would be larger than a file may be`,
    declared`Raise the limit, such as with \`ulimit -f unlimited\`, then run the command again`,
  ],
  DAMAGED: [declared`it is damaged`, CHECK_ALL],
  CANTOPEN: [declared`it is no file, or one that cannot be opened`, CHECK_ALL],
  EMFILE: TOO_MANY_FILES,
  ENFILE: TOO_MANY_FILES,
  EBADF: [declared`it is closed`, declared`Run it without \`nohup\` and without \`<&-\`, or give the path of a file`],
  EISDIR: [declared`it is a folder`, declared`Give the path of a file`],
  ENOENT: [declared`it does not exist`, CHECK_PATH],
  EAGAIN: [
    declared`this user has too many processes`,
    declared`End other programs of this user, or raise the limit, such as with \`ulimit -u unlimited\``,
  ],
  ENOTDIR: [declared`a part of its path is no folder`, CHECK_PATH],
  EEXIST: [declared`there is a file of this name`, CHECK_PATH],
  ENODEV: [declared`its disk does not let a file be mapped into memory`, null],
  ENOLCK: [declared`its disk keeps no locks`, null],
  ESTALE: [
    declared`its network disk does not know it any more`,
    declared`Mount the disk again, then run the command again`,
  ],
  ELOOP: [declared`its links lead in a circle`, declared`Check where the links of its path lead`],
  EIO: [
    declared`the disk reports an error, or is full`,
    declared`Free some disk space; if it is not full, copy the folder to another disk`,
  ],
  EBUSY: [
    declared`another program or a mount holds it`,
    declared`Close the program that uses it; in a container, mount the folder instead of one file`,
  ],
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
