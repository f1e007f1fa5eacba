import { readFileSync } from 'node:fs'
import { platform, type UserInfo, userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { EnvironmentVariables } from '../programInfo.ts'
import { t } from '../text/translate.ts'
import { systemCode } from '../wire/errors.ts'

type FolderKind = 'data' | 'config' | 'cache'

/** Where a platform has the folders of programs: below that of a variable, else below the home; and what pixgate's own is called there. */
type Places = Readonly<Record<FolderKind, readonly [variable: string, belowHome: string, own: string]>>

const XDG: Places = {
  data: ['XDG_DATA_HOME', '.local/share', 'pixgate'],
  config: ['XDG_CONFIG_HOME', '.config', 'pixgate'],
  cache: ['XDG_CACHE_HOME', '.cache', 'pixgate'],
}

const PLACES: Readonly<Partial<Record<NodeJS.Platform, Places>>> = {
  darwin: {
    data: ['', 'Library/Application Support', 'pixgate'],
    config: ['', 'Library/Preferences', 'pixgate'],
    cache: ['', 'Library/Caches', 'pixgate'],
  },
  win32: {
    data: ['LOCALAPPDATA', 'AppData/Local', 'pixgate/Data'],
    config: ['APPDATA', 'AppData/Roaming', 'pixgate/Config'],
    cache: ['LOCALAPPDATA', 'AppData/Local', 'pixgate/Cache'],
  },
}

/** The platform's folder of a kind for pixgate, always absolute; undefined if the user has no home. A variable that is not an absolute path is ignored. */
export function userFolder(kind: FolderKind, env: EnvironmentVariables): string | undefined {
  const [variable, belowHome, own] = (PLACES[platform()] ?? XDG)[kind]
  const parent = absolute(env[variable]) ?? inHome(belowHome, env)
  return parent && join(parent, own)
}

/** A path in the home of the user, which is `HOME`, if that is an absolute path, else that of the account; undefined if there is none. */
export function inHome(path: string, env: EnvironmentVariables): string | undefined {
  const home = absolute(env[platform() === 'win32' ? 'USERPROFILE' : 'HOME']) ?? absolute(accountEntry()?.homedir)
  return home && join(home, path)
}

/** What the system knows of the account of this process; undefined for a user id without an entry, such as one of a container. */
export function accountEntry(): UserInfo<string> | undefined {
  try {
    return userInfo()
  } catch (error) {
    if (systemCode(error) !== undefined) return undefined
    throw error
  }
}

/** The name of a user of this machine; undefined for one of a directory service. */
export function accountName(uid: number): string | undefined {
  const lines = textOfFile('/etc/passwd')?.split('\n') ?? []
  return lines.map((line) => line.split(':')).find(([, , id]) => id === String(uid))?.[0]
}

/** The text of a file of the system; undefined if it cannot be read. */
export function textOfFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) !== undefined) return undefined
    throw error
  }
}

/** What to do about a folder or file of another user, such as the home of the one who called sudo, or a volume of a container. */
export function ownerHint(path: string, uid: number): string {
  const owner = userText(uid)
  const own = process.geteuid?.() ?? 0
  return own === 0
    ? t`Run it without \`sudo\`, as ${owner}`
    : t`Run it as ${owner}, or let root give it to this user: \`chown -R ${own} ${path}\``
}

function userText(uid: number): string {
  return accountName(uid) ?? t`the user with the id ${uid}`
}

function absolute(path: string | undefined): string | undefined {
  return path && isAbsolute(path) ? path : undefined
}

/** A path of Windows as WSL has it; undefined for any other. */
export function wslPath(path: string): string | undefined {
  const [, drive = '', below] = /^(?:([a-z]):|[\\/]{2}wsl(?:\$|\.localhost)[\\/][^\\/]+)[\\/](.*)$/is.exec(path) ?? []
  if (below === undefined) return undefined
  return `${drive && `/mnt/${drive.toLowerCase()}`}/${below.replaceAll('\\', '/')}`
}
