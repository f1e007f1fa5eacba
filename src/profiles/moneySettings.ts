import { isDeepStrictEqual } from 'node:util'
import { profileEnvironment } from './addressEnvironment.ts'
import { type ProfileSecret, programOf, type StoredProfile } from './profile.ts'

/** What a profile stores that moves no money and sets no rule about it. `environment` says what the confirmed host means. */
type OtherSetting = 'confirmedSandboxHost' | 'callbackUrl' | 'company' | 'companyDocument' | 'lang'
type StoredSetting = Exclude<keyof StoredProfile, OtherSetting>

/** A setting that concerns money, by the name of its field. The ledger is that of the account, whatever profile names it. */
export type MoneySetting = 'name' | 'ledger' | StoredSetting

/** The value of a setting: text, integer cents, or yes and no; null if it is not set. */
export type SettingValue = string | number | boolean | null

/** One setting of a profile that was changed. */
export interface SettingChange {
  setting: MoneySetting
  from: SettingValue
  to: SettingValue
}

/** A profile with its name. */
export interface NamedSettings {
  name: string
  profile: StoredProfile
}

/** The values that are recorded; undefined is a profile that does not exist. */
const VALUES: Readonly<Record<StoredSetting, (profile: StoredProfile | undefined) => SettingValue>> = {
  baseUrl: (profile) => profile?.baseUrl ?? null,
  clientId: (profile) => profile?.clientId ?? null,
  environment: (profile) => (profile === undefined ? null : profileEnvironment(profile)),
  maxAmountCents: (profile) => profile?.maxAmountCents ?? null,
  maxDayCents: (profile) => profile?.maxDayCents ?? null,
  readOnly: (profile) => profile?.readOnly === true,
  checkCommand: (profile) =>
    profile?.checkCommand === undefined ? null : `command ${programOf(profile.checkCommand)}`,
  secret: (profile) => (profile === undefined ? null : secretText(profile.secret)),
}

/** The settings of which only the program of a command is recorded, because its arguments may contain a secret. */
const COMMANDS: readonly StoredSetting[] = ['secret', 'checkCommand']

/**
 * The settings that concern money and differ; undefined is a profile that does not exist. A secret that replaces another one is listed even if its
 * source is the same.
 */
export function settingChanges(before: NamedSettings | undefined, after: NamedSettings | undefined): SettingChange[] {
  const isRenamed = before !== undefined && after !== undefined && before.name !== after.name
  const changes: SettingChange[] = isRenamed ? [{ setting: 'name', from: before.name, to: after.name }] : []
  let setting: StoredSetting
  for (setting in VALUES) {
    const from = VALUES[setting](before?.profile)
    const to = VALUES[setting](after?.profile)
    const isReplaced =
      COMMANDS.includes(setting) && !isDeepStrictEqual(before?.profile[setting], after?.profile[setting])
    if (from !== to || isReplaced) changes.push({ setting, from, to })
  }
  return changes
}

/** Where a secret is kept, never the secret: the arguments of a command may contain one. */
function secretText(secret: ProfileSecret): string {
  if (secret.source === 'env') return `env ${secret.variable}`
  return secret.source === 'command' ? `command ${programOf(secret.command)}` : secret.source
}
