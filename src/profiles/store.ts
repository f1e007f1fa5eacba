import { closeSync, constants, openSync, readFileSync } from 'node:fs'
import { platform } from 'node:os'
import { resolve } from 'node:path'
import {
  accepted,
  byName,
  type Fault,
  isRead,
  list,
  object,
  oneOf,
  orNull,
  type Reader,
  type Readers,
  string,
  text,
  where,
} from '../schemas/jsonReader.ts'
import { closeToOthers, foundAt, kindFault, strangerHint } from '../storage/privateFolder.ts'
import { systemTrouble } from '../storage/systemTrouble.ts'
import { ownerHint } from '../storage/userFolders.ts'
import { LANGUAGES } from '../text/languages.ts'
import { t } from '../text/translate.ts'
import { isObject } from '../wire/answers.ts'
import { isBaseUrl } from '../wire/baseAddress.ts'
import { systemCode, UsageError } from '../wire/errors.ts'
import { LOCAL_PROFILE } from './account.ts'
import { isCredentialText, isPasswordText } from './credentialText.ts'
import { isProfileName, type ProfileSecret, type ProfileStore, type SecretSource, storePath } from './profile.ts'
import {
  OPTIONAL_SETTINGS,
  REQUIRED_SETTINGS,
  SETTINGS,
  type SettingName,
  type SettingValues,
  settingsBy,
} from './settings.ts'

/** Readable by the user only. */
export const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const OTHERS = 0o077
/** The last two do not exist on Windows. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
export const STORE_VERSION = 1

export type Notice = (line: string) => void

const address = where(string, isBaseUrl, 'text')
const credential = where(string, isCredentialText, 'text')

const PROFILE = object(
  {
    ...settingReaders(REQUIRED_SETTINGS),
    secret: accepted(isProfileSecret),
  },
  {
    ...settingReaders(OPTIONAL_SETTINGS),
    confirmedSandboxHost: string,
  },
)

const LEDGER = object(
  { baseUrl: address, clientId: credential, address: where(string, (typed) => typed !== '', 'text') },
  { password: accepted((value): value is SecretSource => isSecretSource(value, isPasswordText)) },
)

/** What the file holds; further members may hold anything, and stay. */
const STORE = object(
  {
    version: accepted((value) => value === STORE_VERSION),
    profiles: byName(PROFILE, isProfileName),
    active: orNull(string),
  },
  { ledgers: list(LEDGER, 'ledger'), lang: oneOf(LANGUAGES) },
  ({ active = null, profiles = {} }, report) => {
    const isThere = active === null || active === LOCAL_PROFILE.name || Object.hasOwn(profiles, active)
    if (!isThere) report({ kind: 'choice', path: ['active'], value: active, detail: '' })
  },
)

/** True for what conf may write: a store in which nothing is wrong, also one that has not begun. */
export function isStore(document: unknown): boolean {
  return isObject(document) && isRead(STORE, { version: STORE_VERSION, profiles: {}, active: null, ...document })
}

/**
 * Reads the profiles stored in this folder; none if there is no file or no folder. Too open permissions are fixed, with a notice.
 * Throws a UsageError that names a damaged or unreadable file or a symbolic link.
 */
export async function readProfiles(
  folder: string | undefined,
  notice: Notice = () => undefined,
): Promise<ProfileStore> {
  return folder === undefined ? parseStore('', undefined) : readProfilesNow(folder, notice)
}

/** {@link readProfiles} for a transaction, which cannot wait. */
export function readProfilesNow(folder: string, notice: Notice = () => undefined): ProfileStore {
  const home = resolve(folder)
  try {
    return parseStore(home, readStoreFile(home, notice))
  } catch (error) {
    throw systemFailure(error, home, (reason) => t`Cannot read ${storePath(home)}: ${reason}`, [])
  }
}

/** The names of the profiles that are stored in this folder, with their addresses. */
export async function profileAddresses(folder: string): Promise<[name: string, baseUrl: string][]> {
  const { profiles } = await readProfiles(folder)
  return [...profiles].map(([name, { baseUrl }]) => [name, baseUrl])
}

/** Parses the file's text; undefined means no file. Throws a UsageError if it is damaged, which never shows a value from the file. */
export function parseStore(folder: string, text: string | undefined): ProfileStore {
  if (text === undefined) return { active: null, profiles: new Map() }
  const document = parsed(text)
  const damaged = (reason: string, hint?: string) =>
    new UsageError(t`The file ${storePath(folder)} is damaged: ${reason}`, {
      hint:
        hint ??
        t`Fix it or restore it from a backup, or move it away and add the profiles again; pixgate does not change it`,
    })
  if (document === undefined) throw damaged(t`it is not JSON`)
  if (!isObject(document)) throw damaged(t`it is not a JSON object`)
  const { version } = document
  if (typeof version === 'number' && version > STORE_VERSION) {
    throw damaged(
      t`its \`version\` ${version} was written by a newer pixgate`,
      t`Use the newer pixgate, or set \`PIXGATE_CONFIG_DIR\` to another folder`,
    )
  }
  const faults: Fault[] = []
  if (!isRead(STORE, document, faults)) throw damaged(damageText(faults))
  const { active, profiles, ledgers = [], lang } = document
  return { active, profiles: new Map(Object.entries(profiles)), ledgers, lang }
}

function damageText([fault]: readonly Fault[]): string {
  const [member, name = '', field = 'profile'] = fault?.path ?? []
  switch (member) {
    case 'version':
      return t`its \`version\` is not ${STORE_VERSION}`
    case 'profiles':
      if (name === '') return t`\`profiles\` is not an object`
      return fault?.kind === 'unknown'
        ? t`\`${name}\` is not a valid profile name`
        : t`the profile ${name} has no valid \`${field}\``
    case 'active':
      return t`\`active\` does not name a profile in the file`
    case 'ledgers':
      return t`\`ledgers\` is not a list of ledgers`
    default:
      return t`\`lang\` is not a language`
  }
}

/** Turns a system error about a folder into a UsageError, whose sentence names the reason; returns any other error unchanged. */
export function systemFailure(
  error: unknown,
  folder: string,
  sentence: (reason: string) => string,
  details: readonly string[],
): unknown {
  if (systemCode(error) === undefined) return error
  const { reason, hint } = systemTrouble(error, folder, 'PIXGATE_CONFIG_DIR')
  return new UsageError(sentence(reason), { details, hint })
}

/**
 * Reads the file's text; undefined if there is no file. It reads synchronously, which is faster for a small file. Too open
 * permissions are fixed, with a notice. Throws UsageError for a symbolic link or special file, and the system error if it
 * cannot be read.
 */
export function readStoreFile(folder: string, notice: Notice): string | undefined {
  const path = storePath(folder)
  if (!isSecured(folder, FOLDER_MODE, notice) || !isSecured(path, FILE_MODE, notice)) return undefined
  const file = openSync(path, READ_FLAGS)
  try {
    return textOf(readFileSync(file), path)
  } finally {
    closeSync(file)
  }
}

/** Corrects the mode of the folder or the file; false if it does not exist. Throws UsageError if it is not to be trusted. */
function isSecured(path: string, mode: typeof FOLDER_MODE | typeof FILE_MODE, notice: Notice): boolean {
  const facts = foundAt(path)
  if (facts === undefined) return false
  const fault = kindFault(path, facts, mode === FOLDER_MODE, 'PIXGATE_CONFIG_DIR')
  if (fault !== undefined) throw new UsageError(fault.sentence, { hint: fault.hint })
  if (platform() === 'win32') return true
  // Another user could put his own addresses, commands and secrets there. Root could do so anyway.
  if (facts.uid !== 0 && facts.uid !== process.geteuid?.())
    throw new UsageError(t`${path} belongs to another user`, { hint: ownerHint(path, facts.uid) })
  if ((facts.mode & OTHERS) === 0) return true
  notice(closeToOthers(path, facts, mode))
  return true
}

function textOf(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new UsageError(t`${path} is damaged: it is not UTF-8 text`, { hint: strangerHint() })
  }
}

/** Undefined for what is not JSON. The parser's message quotes the file, which may contain a secret. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function settingReaders<Name extends SettingName>(names: readonly Name[]) {
  return settingsBy<{ [Each in Name]: Reader<SettingValues[Each]> }>(names, (name) => accepted(SETTINGS[name].isValid))
}

function isProfileSecret(value: unknown): value is ProfileSecret {
  return isRead(object({ source: oneOf(['none']) }), value) || isSecretSource(value, isCredentialText)
}

/** `isSecret` is for the secret itself, if the file holds it. */
function isSecretSource(value: unknown, isSecret: (text: string) => boolean): value is SecretSource {
  const sources: Readonly<Record<SecretSource['source'], Readers>> = {
    stored: { value: where(string, isSecret, 'text') },
    env: { variable: where(string, isVariableName, 'text') },
    command: { command: text },
    // Safe in the command languages of the keychain tools.
    keychain: { entry: where(string, (entry) => /^[a-z0-9_-]{1,100}$/.test(entry), 'text') },
  }
  return Object.entries(sources).some(([source, member]) =>
    isRead(object({ source: oneOf([source]), ...member }), value),
  )
}

/** True for what can be the name of an environment variable. */
export function isVariableName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text)
}
