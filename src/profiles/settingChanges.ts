import { isDeepStrictEqual } from 'node:util'
import { programOf } from './credentialText.ts'
import {
  type ProfileSecret,
  type ProfileValues,
  profileEnvironment,
  type SettingsOf,
  type StoredProfile,
} from './profile.ts'
import {
  LIMIT_SETTINGS,
  type LimitSetting,
  type ProfileSetting,
  REQUIRED_SETTINGS,
  type RequiredSetting,
  SETTINGS,
  type SettingValue,
} from './settings.ts'

/** A setting that concerns money, by the name of its field. The ledger is that of the account, whatever profile names it. */
export type MoneySetting = 'name' | 'ledger' | 'secret' | RequiredSetting | LimitSetting

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

/** The settings as they are in effect. */
export function settingsInEffect(profile: ProfileValues): SettingsOf<ProfileSetting> {
  return { ...profile, environment: profileEnvironment(profile) }
}

/**
 * The settings that concern money and differ; undefined is a profile that does not exist. A secret or a command that replaces another one is listed even
 * if what is recorded of it is the same.
 */
export function settingChanges(before: NamedSettings | undefined, after: NamedSettings | undefined): SettingChange[] {
  const isRenamed = before !== undefined && after !== undefined && before.name !== after.name
  const changes: SettingChange[] = isRenamed ? [{ setting: 'name', from: before.name, to: after.name }] : []
  const [old, current] = [before, after].map((each) => each && settingsInEffect(each.profile))
  for (const setting of [...REQUIRED_SETTINGS, ...LIMIT_SETTINGS]) {
    const [from, to] = [recordedValue(setting, old?.[setting]), recordedValue(setting, current?.[setting])]
    const isReplaced = SETTINGS[setting].isCommand && old?.[setting] !== current?.[setting]
    if (from !== to || isReplaced) changes.push({ setting, from, to })
  }
  const [from, to] = [before, after].map((each) => each?.profile.secret)
  if (!isDeepStrictEqual(from, to)) changes.push({ setting: 'secret', from: secretText(from), to: secretText(to) })
  return changes
}

function recordedValue(setting: RequiredSetting | LimitSetting, value: SettingValue | undefined): SettingValue {
  const { isCommand, unset } = SETTINGS[setting]
  if (value === undefined) return unset
  return isCommand ? `command ${programOf(String(value))}` : value
}

/** Where a secret is kept, never the secret: the arguments of a command may contain one. */
function secretText(secret: ProfileSecret | undefined): string | null {
  if (secret === undefined) return null
  if (secret.source === 'env') return `env ${secret.variable}`
  return secret.source === 'command' ? `command ${programOf(secret.command)}` : secret.source
}
