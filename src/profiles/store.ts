import { chmodSync, closeSync, constants, lstatSync, openSync, readFileSync } from 'node:fs'
import { platform } from 'node:os'
import { resolve } from 'node:path'
import { t } from '../text/translate.ts'
import { type AnswerFields, isObject } from '../wire/answers.ts'
import { isBaseUrl } from '../wire/baseAddress.ts'
import { systemCode, UsageError } from '../wire/errors.ts'
import { LOCAL_PROFILE } from './account.ts'
import { isCredentialText, isPasswordText } from './credentialText.ts'
import { type AccountLedger, isProfileName, type ProfileStore, type StoredProfile, storePath } from './profile.ts'
import {
  isNotBlank,
  PROFILE_SETTINGS,
  type ProfileSetting,
  REQUIRED_SETTINGS,
  SETTINGS,
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

/** A setting in JSON Schema, with `isValid`, a keyword of our own, for what JSON Schema cannot say. */
type Setting =
  | { type?: never; isValid: (value: unknown) => boolean }
  | { type: 'string'; isValid: (text: string) => boolean }
  | { type: 'object'; isValid: (value: AnswerFields) => boolean }

/** The schema of an object; keys that it does not name may hold anything. */
interface Settings<Name extends string> {
  type: 'object'
  properties: Readonly<Record<Name, Setting>>
  required: Name[]
}

const NAME: Setting = { type: 'string', isValid: isProfileName }
const ADDRESS: Setting = { type: 'string', isValid: isBaseUrl }
const CREDENTIAL: Setting = { type: 'string', isValid: isCredentialText }
const LANGUAGE: Setting = { isValid: SETTINGS.lang.isValid }

/** What is valid in each field of a profile. */
const PROFILE: Settings<keyof StoredProfile> = {
  type: 'object',
  properties: {
    ...settingsBy<Record<ProfileSetting, Setting>>(PROFILE_SETTINGS, (name) => ({ isValid: SETTINGS[name].isValid })),
    secret: {
      type: 'object',
      isValid: (secret) => secret.source === 'none' || isSecretSource(secret, isCredentialText),
    },
    confirmedSandboxHost: { type: 'string', isValid: () => true },
  },
  required: [...REQUIRED_SETTINGS, 'secret'],
}

const LEDGER: Settings<keyof AccountLedger> = {
  type: 'object',
  properties: {
    baseUrl: ADDRESS,
    clientId: CREDENTIAL,
    address: { type: 'string', isValid: (address) => address !== '' },
    password: { type: 'object', isValid: (password) => isSecretSource(password, isPasswordText) },
  },
  required: ['baseUrl', 'clientId', 'address'],
}

/** The JSON Schema of the file, by which conf checks what it reads and writes. {@link readProfiles} goes by the same declarations. */
export const STORE_SCHEMA = {
  isValid: ({ active = null, profiles = {} }: AnswerFields) => isObject(profiles) && isActiveName(active, profiles),
  properties: {
    version: { const: STORE_VERSION },
    profiles: { type: 'object', propertyNames: NAME, additionalProperties: PROFILE },
    ledgers: { type: 'array', items: LEDGER },
    lang: LANGUAGE,
  },
} as const

/**
 * Reads the profiles stored in this folder; none if there is no file. Too open permissions are fixed, with a notice.
 * Throws a UsageError that names a damaged or unreadable file or a symbolic link.
 */
export async function readProfiles(folder: string, notice: Notice = () => undefined): Promise<ProfileStore> {
  return readProfilesNow(folder, notice)
}

/** {@link readProfiles} for a transaction, which cannot wait. */
export function readProfilesNow(folder: string, notice: Notice = () => undefined): ProfileStore {
  const home = resolve(folder)
  try {
    return parseStore(home, readStoreFile(home, notice))
  } catch (error) {
    throw systemFailure(error, (code) => t`Cannot read ${storePath(home)}: ${code}`, [])
  }
}

/** The names that `--profile` accepts, with their addresses: the built-in profile and those stored in this folder. */
export async function profileAddresses(folder: string): Promise<[name: string, baseUrl: string][]> {
  const { profiles } = await readProfiles(folder)
  const stored = [...profiles].map(([name, { baseUrl }]): [string, string] => [name, baseUrl])
  return [[LOCAL_PROFILE.name, LOCAL_PROFILE.baseUrl], ...stored]
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
  const { version, active, profiles, ledgers = [], lang } = document
  if (typeof version === 'number' && version > STORE_VERSION) {
    throw damaged(
      t`its \`version\` ${version} was written by a newer pixgate`,
      t`Use the newer pixgate, or set \`PIXGATE_CONFIG_DIR\` to another folder`,
    )
  }
  if (version !== STORE_VERSION) throw damaged(t`its \`version\` is not ${STORE_VERSION}`)
  if (!isObject(profiles)) throw damaged(t`\`profiles\` is not an object`)
  const read = new Map<string, StoredProfile>()
  for (const [name, value] of Object.entries(profiles)) {
    if (!isProfileName(name)) throw damaged(t`\`${name}\` is not a valid profile name`)
    if (!isProfile(value)) throw damaged(t`the profile ${name} has no valid \`${faultOf(PROFILE, value) ?? ''}\``)
    read.set(name, value)
  }
  if (!isActiveName(active, profiles)) throw damaged(t`\`active\` does not name a profile in the file`)
  if (!Array.isArray(ledgers) || !ledgers.every(isAccountLedger)) {
    throw damaged(t`\`ledgers\` is not a list of ledgers`)
  }
  if (lang !== undefined && !SETTINGS.lang.isValid(lang)) throw damaged(t`\`lang\` is not a language`)
  return { active, profiles: read, ledgers, lang }
}

/** Turns a system error into a UsageError, whose sentence names its code; returns any other error unchanged. */
export function systemFailure(error: unknown, sentence: (code: string) => string, details: readonly string[]): unknown {
  const code = systemCode(error)
  if (code === undefined) return error
  return new UsageError(sentence(code), {
    details,
    hint:
      code === 'ENOSPC' || code === 'EDQUOT'
        ? t`Free some disk space, then try again`
        : t`Make sure that you own the folder and the file and can write to them, or set \`PIXGATE_CONFIG_DIR\` to another folder`,
  })
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
  const facts = lstatSync(path, { throwIfNoEntry: false })
  if (facts === undefined) return false
  if (facts.isSymbolicLink()) {
    throw new UsageError(t`${path} is a symbolic link, which is not allowed for credentials`, {
      hint: t`Replace the link with the file or folder itself, or set \`PIXGATE_CONFIG_DIR\` to the real folder`,
    })
  }
  if (mode === FOLDER_MODE && !facts.isDirectory()) throw unusablePathFailure(t`${path} is not a folder`)
  if (mode === FILE_MODE && !facts.isFile()) throw unusablePathFailure(t`${path} is not a file`)
  if (platform() === 'win32') return true
  // Another user could put his own addresses, commands and secrets there. Root could do so anyway.
  if (facts.uid !== 0 && facts.uid !== process.geteuid?.())
    throw unusablePathFailure(t`${path} belongs to another user`)
  if ((facts.mode & OTHERS) === 0) return true
  try {
    chmodSync(path, mode)
    notice(t`${path} was accessible to other users (mode ${octal(facts.mode)}); changed to ${octal(mode)}`)
  } catch (error) {
    const reason = systemCode(error) ?? String(error)
    notice(t`${path} was accessible to other users (mode ${octal(facts.mode)}), and this could not be fixed: ${reason}`)
  }
  return true
}

function textOf(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw unusablePathFailure(t`${path} is damaged: it is not UTF-8 text`)
  }
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0')
}

function unusablePathFailure(sentence: string): UsageError {
  return new UsageError(sentence, {
    hint: t`Move it away, or set \`PIXGATE_CONFIG_DIR\` to another folder`,
  })
}

/** Undefined for what is not JSON. The parser's message quotes the file, which may contain a secret. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isProfile(value: unknown): value is StoredProfile {
  return faultOf(PROFILE, value) === null
}

function isAccountLedger(value: unknown): value is AccountLedger {
  return faultOf(LEDGER, value) === null
}

/** The name of the first field that is missing or invalid; null if all are valid. */
function faultOf<Name extends string>({ properties, required }: Settings<Name>, value: unknown): string | null {
  if (!isObject(value)) return 'profile'
  for (const [name, setting] of Object.entries<Setting>(properties)) {
    const field = value[name]
    if (field === undefined ? required.some((each) => each === name) : !isSettingValid(setting, field)) return name
  }
  return null
}

function isSettingValid(setting: Setting, value: unknown): boolean {
  switch (setting.type) {
    case 'string':
      return typeof value === 'string' && setting.isValid(value)
    case 'object':
      return isObject(value) && setting.isValid(value)
    case undefined:
      return setting.isValid(value)
  }
}

function isActiveName(active: unknown, profiles: AnswerFields): active is string | null {
  if (active === null || active === LOCAL_PROFILE.name) return true
  return typeof active === 'string' && Object.hasOwn(profiles, active)
}

/** `isSecret` is for the secret itself, if the file holds it. */
function isSecretSource(
  { source, value, variable, command, entry }: AnswerFields,
  isSecret: (text: string) => boolean,
): boolean {
  switch (source) {
    case 'stored':
      return typeof value === 'string' && isSecret(value)
    case 'env':
      return typeof variable === 'string' && isVariableName(variable)
    case 'command':
      return typeof command === 'string' && isNotBlank(command)
    case 'keychain':
      // Safe in the command languages of the keychain tools.
      return typeof entry === 'string' && /^[a-z0-9_-]{1,100}$/.test(entry)
    default:
      return false
  }
}

/** True for what can be the name of an environment variable. */
export function isVariableName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text)
}
