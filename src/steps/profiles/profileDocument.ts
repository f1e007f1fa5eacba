import type { Context } from '../../context.ts'
import { formatReais, reaisFromCents } from '../../pix/amount.ts'
import { LOCAL_PROFILE } from '../../profiles/account.ts'
import { ledgerOfProfile } from '../../profiles/accountLedger.ts'
import {
  addressEnvironment,
  isUnconfirmedSandbox,
  type ProfileSecret,
  type ProfileStore,
  profileEnvironment,
  programOf,
  type SecretSource,
  type StoredProfile,
} from '../../profiles/profile.ts'
import { table } from '../../terminal/tableWriter.ts'
import { t, translated } from '../../text/translate.ts'
import type { OfflineDocument } from '../../views/outputSchemas.ts'
import { readBaseAddress } from '../../wire/baseAddress.ts'
import type { Warnings } from './profileStore.ts'

type ProfileDocument = OfflineDocument<'profile-edit'>

const HIDDEN = '••••'

/** A profile with its name, and whether it is the active one. */
export interface NamedProfile {
  name: string
  isActive: boolean
  profile: StoredProfile
  /** The address of the shared ledger of its account; null for the ledger of this machine. */
  ledger: string | null
}

/** The built-in profile in the form of a stored one. */
export function builtInProfile(isActive: boolean, store: ProfileStore): NamedProfile {
  const { name, baseUrl, clientId, clientSecret, callbackUrl } = LOCAL_PROFILE
  const secret: SecretSource = { source: 'stored', value: clientSecret }
  const environment = addressEnvironment(readBaseAddress(baseUrl, name), store)
  const ledger = ledgerOfProfile(store, { baseUrl, clientId })
  return { name, isActive, profile: { environment, baseUrl, clientId, secret, callbackUrl }, ledger }
}

/** A profile as JSON: amounts in reais, without secrets. */
export function profileDocument(context: Context, { name, isActive, profile, ledger }: NamedProfile): ProfileDocument {
  const { baseUrl, clientId, callbackUrl, maxAmountCents, maxDayCents, readOnly, checkCommand } = profile
  const { company, companyDocument, lang } = profile
  return {
    name,
    active: isActive,
    environment: profileEnvironment(profile),
    baseUrl,
    clientId,
    callbackUrl: callbackUrl ?? null,
    secret: secretDocument(name, profile.secret, context.runtime.env),
    maxAmount: maxAmountCents === undefined ? null : reaisFromCents(maxAmountCents),
    maxDay: maxDayCents === undefined ? null : reaisFromCents(maxDayCents),
    readOnly: readOnly === true,
    checkCommand: checkCommand ?? null,
    company: company ?? null,
    companyDocument: companyDocument ?? null,
    lang: lang ?? null,
    ledger,
  }
}

/** The output of a command that changed a profile, with its warnings under `pixgate`. */
export function changedDocument(context: Context, named: NamedProfile, { lines }: Warnings): ProfileDocument {
  const document = profileDocument(context, named)
  return lines.length === 0 ? document : { ...document, pixgate: { warnings: [...lines] } }
}

/** One setting: its key in the JSON document, and its label, value and source as text. */
interface SettingRow {
  key: string
  label: string
  value: string
  source: string
}

/** The settings of a profile, each with the source of its value. */
export function profileSettings(context: Context, { name, profile, ledger }: NamedProfile): SettingRow[] {
  const origin = name === LOCAL_PROFILE.name ? t`built in` : t`profile`
  const limit = (cents: number | undefined) =>
    cents === undefined ? { value: t`no limit`, source: t`default` } : { value: formatReais(cents), source: origin }
  const { callbackUrl, maxAmountCents, maxDayCents, readOnly, checkCommand, company, companyDocument, lang } = profile
  const secret = secretDocument(name, profile.secret, context.runtime.env)
  const secretSource = secretOrigin(profile.secret, origin)
  const orDefault = (value: unknown) => (value === undefined ? t`default` : origin)
  return [
    {
      key: 'environment',
      label: t`environment`,
      value: translated(profileEnvironment(profile)),
      source: isUnconfirmedSandbox(profile) ? t`default; not confirmed as a sandbox` : origin,
    },
    { key: 'baseUrl', label: t`base URL`, value: profile.baseUrl, source: origin },
    { key: 'clientId', label: t`client id`, value: profile.clientId, source: origin },
    {
      key: 'secret',
      label: t`client secret`,
      value: secret.source === 'none' ? t`no secret` : secret.masked,
      source: secretSource,
    },
    { key: 'callbackUrl', label: t`callback URL`, value: callbackUrl ?? t`none`, source: orDefault(callbackUrl) },
    { key: 'maxAmount', label: t`limit per payment`, ...limit(maxAmountCents) },
    { key: 'maxDay', label: t`limit per day`, ...limit(maxDayCents) },
    { key: 'readOnly', label: t`read-only`, value: readOnly === true ? t`yes` : t`no`, source: orDefault(readOnly) },
    { key: 'company', label: t`company`, value: company ?? t`none`, source: orDefault(company) },
    {
      key: 'companyDocument',
      label: t`company document`,
      value: companyDocument ?? t`none`,
      source: orDefault(companyDocument),
    },
    { key: 'lang', label: t`language`, value: lang ?? t`as chosen elsewhere`, source: orDefault(lang) },
    { key: 'checkCommand', label: t`check command`, value: checkCommand ?? t`none`, source: orDefault(checkCommand) },
    {
      key: 'ledger',
      label: t`ledger`,
      value: ledger ?? t`of this machine`,
      source: ledger === null ? t`default` : t`account`,
    },
  ]
}

/** The settings as a table. */
export async function settingsTable(context: Context, named: NamedProfile): Promise<string> {
  const rows = profileSettings(context, named).map(({ label, value, source }) => [label, value, source])
  return table(context.terminal, [t`setting`, t`value`, t`source`], rows)
}

/** Describes a secret without running a command or opening a keychain. The built-in secret is public. */
function secretDocument(
  name: string,
  secret: ProfileSecret,
  env: Context['runtime']['env'],
): ProfileDocument['secret'] {
  switch (secret.source) {
    case 'stored':
      if (name === LOCAL_PROFILE.name) return { source: 'built-in', masked: secret.value }
      return { source: 'stored', masked: maskSecret(secret.value) }
    case 'env':
      return { source: 'env', masked: maskSecret(env[secret.variable] ?? ''), variable: secret.variable }
    case 'command':
      return { source: 'command', masked: HIDDEN, program: programOf(secret.command) }
    case 'keychain':
      return { source: 'keychain', masked: HIDDEN }
    case 'none':
      return { source: 'none', masked: '' }
  }
}

function secretOrigin(secret: ProfileSecret, origin: string): string {
  if (secret.source === 'env') return t`variable ${secret.variable}`
  if (secret.source === 'command') return t`command ${programOf(secret.command)} …`
  return secret.source === 'keychain' ? t`keychain` : origin
}

/** Masks a secret: only the last four characters of a long one are shown, and none of a short one. */
export function maskSecret(secret: string): string {
  if (secret.length >= 20) return HIDDEN + secret.slice(-4)
  return secret.length >= 12 ? HIDDEN + secret.slice(-2) : HIDDEN
}
