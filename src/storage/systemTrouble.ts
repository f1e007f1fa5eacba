import { closeSync, mkdtempSync, openSync, realpathSync, rmSync, statSync } from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { t } from '../text/translate.ts'
import { isObject } from '../wire/answers.ts'
import { systemCode } from '../wire/errors.ts'
import { sqliteCode } from './sqlite.ts'

/** What happened, as the reason in a sentence, and what to do about it. */
interface Trouble {
  reason: string
  hint: string
}

/** The names of the numbers that SQLite gives for what the system did not allow. */
const SQLITE_NAMES: Readonly<Record<number, string>> = {
  3: 'EACCES',
  8: 'EROFS',
  10: 'EIO',
  13: 'ENOSPC',
  23: 'EACCES',
}

const SQLITE_CANTOPEN = 14
/** A database, its log, its shared memory and their folder. */
const DATABASE_FILES = 4

/** What the system says where SQLite says only that it could not open a file, such as that the folder is read-only; an empty text for nothing. */
function openingCode(folder: string): string {
  const opened: number[] = []
  let tried: string | undefined
  try {
    tried = mkdtempSync(join(folder, 'tried-'))
    opened.push(openSync(join(tried, 'file'), 'w'))
    while (opened.length < DATABASE_FILES) opened.push(openSync(devNull, 'r'))
    return ''
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    return code
  } finally {
    for (const file of opened) closeSync(file)
    if (tried !== undefined) rmSync(tried, { recursive: true })
  }
}

/**
 * What an error of the system or of SQLite is for a person. `folder` is the one that holds what cannot be used, and `variable` the one that names it: another folder is
 * proposed only while this one holds nothing, because with another one it would not be known what was paid.
 */
export function systemTrouble(
  error: unknown,
  folder: string,
  variable?: 'PIXGATE_DATA_DIR' | 'PIXGATE_CONFIG_DIR',
): Trouble {
  const sqlite = sqliteCode(error)
  const { code: own = '', message = '' } = isObject(error) ? error : {}
  const code =
    sqlite === null ? String(own) : sqlite === SQLITE_CANTOPEN ? openingCode(folder) : (SQLITE_NAMES[sqlite] ?? '')
  const [reason, hint] = troubleOf(code) ?? [
    sqlite === null ? code : String(message),
    t`Check the path, its permissions and the disk, then run the command again`,
  ]
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

const MOVABLE: readonly string[] = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR']

function troubleOf(code: string): readonly [reason: string, hint: string] | undefined {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return [t`permission denied`, t`Run it as the user who owns the folder, or let this user write to it`]
    case 'EROFS':
      return [t`the disk is read-only`, t`Mount it so that it can be written, such as a volume without \`:ro\``]
    case 'ENOSPC':
      return [t`the disk is full`, t`Free some disk space, then run the command again`]
    case 'EDQUOT':
      return [t`the disk space of this user is used up`, t`Free some disk space, then run the command again`]
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
    case 'ENOTDIR':
      return [t`a part of its path is no folder`, t`Check the path`]
    case 'EEXIST':
      return [t`there is a file of this name`, t`Check the path`]
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

/** What to do about a folder that is a link: where it points is what it holds. */
export function linkHint(path: string, variable: 'PIXGATE_DATA_DIR' | 'PIXGATE_CONFIG_DIR'): string {
  try {
    return t`Set \`${variable}\` to \`${realpathSync(path)}\``
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    return t`Check where \`${path}\` leads: its disk may not be mounted`
  }
}
