import { AMOUNT_CENTS_MAX } from '../pix/amount.ts'
import { Malformed } from '../pix/malformed.ts'
import { isTaxDocument } from '../pix/taxDocument.ts'
import { LANGUAGES, type Language } from '../text/languages.ts'
import { hasControlCharacter } from '../text/safeText.ts'
import { t } from '../text/translate.ts'
import { type BaseAddress, isHttpUrl, readBaseAddress } from '../wire/address.ts'
import { type AnswerFields, isObject } from '../wire/answers.ts'
import { UsageError } from '../wire/errors.ts'
import {
  type AccountLedger,
  isCredentialText,
  isPasswordText,
  isProfileName,
  type ProfileStore,
  type StoredProfile,
} from './profile.ts'

const VERSION = 1
/** The built-in profile, which can be active although it is not stored. */
const BUILT_IN = 'local'

/** The parsed file: the store, and top-level keys that this version does not know. */
export interface StoreContents {
  store: ProfileStore
  unknown: AnswerFields
}

export const EMPTY_CONTENTS: StoreContents = { store: { active: null, profiles: new Map() }, unknown: {} }

/**
 * Parses the text of the file. Each profile keeps keys that this version does not know, so that they
 * survive a rewrite. Throws Malformed, whose message never shows a value from the file.
 */
export function readContents(text: string): StoreContents {
  const document = parseObject(text)
  const { version, active, profiles, ledgers = [], lang, ...unknown } = document
  if (typeof version === 'number' && version > VERSION) throw madeByNewer(version)
  if (version !== VERSION) throw damagedStoreFailure(t`its \`version\` is not ${VERSION}`)
  if (!isObject(profiles)) throw damagedStoreFailure(t`\`profiles\` is not an object`)
  const read = new Map<string, StoredProfile>()
  for (const [name, value] of Object.entries(profiles)) {
    if (!isProfileName(name)) throw damagedStoreFailure(t`\`${name}\` is not a valid profile name`)
    const wrong = faultOf(value)
    if (wrong !== null || !isProfile(value))
      throw damagedStoreFailure(t`the profile ${name} has no valid \`${wrong ?? ''}\``)
    read.set(name, value)
  }
  if (active !== null && (typeof active !== 'string' || !(read.has(active) || active === BUILT_IN))) {
    throw damagedStoreFailure(t`\`active\` does not name a profile in the file`)
  }
  if (!Array.isArray(ledgers) || !ledgers.every(isAccountLedger)) {
    throw damagedStoreFailure(t`\`ledgers\` is not a list of ledgers`)
  }
  if (lang !== undefined && !isLanguage(lang)) throw damagedStoreFailure(t`\`lang\` is not a language`)
  return { store: { active, profiles: read, ledgers, lang }, unknown }
}

/** The JSON document to write to the file. */
export function storeDocument(
  { active, profiles, ledgers = [], lang }: ProfileStore,
  unknown: AnswerFields,
): AnswerFields {
  const shared = ledgers.length === 0 ? {} : { ledgers }
  return { version: VERSION, active, profiles: Object.fromEntries(profiles), ...shared, lang, ...unknown }
}

function parseObject(text: string): AnswerFields {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's message quotes the file, which may contain a secret.
    throw damagedStoreFailure(t`it is not JSON`)
  }
  if (!isObject(value)) throw damagedStoreFailure(t`it is not a JSON object`)
  return value
}

function isProfile(value: unknown): value is StoredProfile {
  return faultOf(value) === null
}

/** What is valid in each field of a profile; a field that may be missing accepts undefined. */
const FIELDS: Readonly<Record<keyof StoredProfile, (value: unknown) => boolean>> = {
  environment: (value) => value === 'sandbox' || value === 'production',
  baseUrl: isText((url) => addressOf(url)?.url === url),
  clientId: isText(isCredentialText),
  secret: (secret) => isNoSecret(secret) || isSecretSource(isCredentialText)(secret),
  callbackUrl: optional(isText(isHttpUrl)),
  maxAmountCents: optional(isLimit),
  maxDayCents: optional(isLimit),
  readOnly: optional((value) => typeof value === 'boolean'),
  checkCommand: optional(isText((command) => command.trim() !== '')),
  confirmedSandboxHost: optional(isText(() => true)),
  company: optional(isText((name) => name.trim() !== '' && !hasControlCharacter(name))),
  companyDocument: optional(isText(isTaxDocument)),
  lang: optional(isLanguage),
}

function isAccountLedger(value: unknown): value is AccountLedger {
  return (
    isObject(value) &&
    isText((url) => addressOf(url)?.url === url)(value.baseUrl) &&
    isText(isCredentialText)(value.clientId) &&
    isText((address) => address !== '')(value.address) &&
    optional(isSecretSource(isPasswordText))(value.password)
  )
}

/** The name of the first invalid field; null if all are valid. */
function faultOf(profile: unknown): string | null {
  if (!isObject(profile)) return 'profile'
  return Object.entries(FIELDS).find(([field, isValid]) => !isValid(profile[field]))?.[0] ?? null
}

function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((language) => language === value)
}

function isText(isValid: (value: string) => boolean): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && isValid(value)
}

function optional(isValid: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => value === undefined || isValid(value)
}

/** True for the secret of a profile that has none. */
function isNoSecret(secret: unknown): boolean {
  return isObject(secret) && secret.source === 'none'
}

/** `isValid` is for the secret itself, if the file holds it. */
function isSecretSource(isValid: (text: string) => boolean): (secret: unknown) => boolean {
  return (secret) => {
    if (!isObject(secret)) return false
    switch (secret.source) {
      case 'stored':
        return isText(isValid)(secret.value)
      case 'env':
        return isText(isVariableName)(secret.variable)
      case 'command':
        return isText((command) => command.trim() !== '')(secret.command)
      case 'keychain':
        return isText(isKeychainEntry)(secret.entry)
      default:
        return false
    }
  }
}

/** True for a name that is safe in the command languages of the keychain tools. */
function isKeychainEntry(text: string): boolean {
  return /^[a-z0-9_-]{1,100}$/.test(text)
}

/** True for what can be the name of an environment variable. */
export function isVariableName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text)
}

function isLimit(cents: unknown): boolean {
  return typeof cents === 'number' && Number.isSafeInteger(cents) && cents >= 0 && cents <= AMOUNT_CENTS_MAX
}

function addressOf(baseUrl: string): BaseAddress | undefined {
  try {
    return readBaseAddress(baseUrl, 'baseUrl')
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

function damagedStoreFailure(reason: string): Malformed {
  return new Malformed(
    reason,
    t`Fix it or restore it from a backup, or move it away and add the profiles again; pixgate does not change it`,
  )
}

function madeByNewer(version: number): Malformed {
  return new Malformed(
    t`its \`version\` ${version} was written by a newer pixgate`,
    t`Use the newer pixgate, or set \`PIXGATE_CONFIG_DIR\` to another folder`,
  )
}
