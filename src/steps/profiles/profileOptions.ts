import { resolve } from 'node:path'
import { defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { readLedgerAddress } from '../../ledger/team/ledgerAddress.ts'
import { readBaseUrl, readText } from '../../optionParsers.ts'
import type { RuleEdit } from '../../profiles/accountRules.ts'
import { approversValue } from '../../profiles/approvers.ts'
import { type ProfileValues, profileEnvironment } from '../../profiles/profile.ts'
import {
  ACCOUNT_RULES,
  type EnvironmentKind,
  PROFILE_SETTINGS,
  type ProfileSetting,
  REMOVAL_OPTIONS,
  SETTING_OPTIONS,
  SETTINGS,
  type SettingEdit,
  type SettingValues,
  settingQuestion,
  typedSettings,
} from '../../profiles/settings.ts'
import { t, translated } from '../../text/translate.ts'
import { readBaseAddress } from '../../wire/baseAddress.ts'
import { UsageError } from '../../wire/errors.ts'
import { PASSWORD_OPTIONS } from '../ledger/passwordOptions.ts'
import { promptFor, promptForOptional } from '../requiredValue.ts'
import { readVariableName } from './newSecret.ts'

const SECRET_SOURCES = [
  '--client-secret-stdin',
  '--client-secret-env',
  '--client-secret-command',
  '--keychain',
  '--no-secret',
]

/** The options that `add` and `edit` share. */
export const PROFILE_OPTIONS = defineOptions(
  ...SETTING_OPTIONS,
  { flags: '--ledger <url>', description: 'the ledger of a team, for this account', parse: readLedgerAddress },
  ...PASSWORD_OPTIONS,
  {
    flags: '--confirm-host <host>',
    description: 'in a script: confirm a remote sandbox, or fewer limits in production',
  },
  {
    flags: '--client-secret-stdin',
    description: 'secret from stdin, or from a hidden prompt',
    conflicts: otherSources('--client-secret-stdin'),
  },
  {
    flags: '--client-secret-env <VAR>',
    description: 'secret from this variable, at every use',
    parse: readVariableName,
    conflicts: otherSources('--client-secret-env'),
  },
  {
    flags: '--client-secret-command <cmd>',
    description: 'secret that this command prints, at every use',
    parse: readText,
    conflicts: otherSources('--client-secret-command'),
  },
  {
    flags: '--keychain',
    description: 'secret stored in the keychain of the system',
    conflicts: otherSources('--keychain'),
  },
  { flags: '--no-secret', description: 'no secret: plans, approves and reads the ledger' },
  {
    flags: '--client-secret [secret]',
    description: 'rejected: secrets are not accepted on the command line',
    hidden: true,
    preset: '',
    parse: () => {
      throw secretTyped()
    },
  },
)

/** The options of `edit` that clear a value. */
export const CLEARING_OPTIONS = defineOptions(...REMOVAL_OPTIONS, {
  flags: '--no-ledger',
  description: 'use the ledger of this machine for this account',
})

/** The options of `add` and `edit`; false is the `--no-` form of `edit`. */
export type ProfileOptions = OptionsOf<((typeof PROFILE_OPTIONS)[number] | (typeof CLEARING_OPTIONS)[number])[]>

/** The address that was typed behind the command or, as an option of all commands, before it. Throws UsageError. */
export function typedAddressOf({ settings }: Context, typed: string | undefined): string | undefined {
  if (typed !== undefined || settings.baseUrl === undefined) return typed
  return readBaseUrl(settings.baseUrl, '--base-url')
}

function otherSources(own: string) {
  return {
    options: SECRET_SOURCES.filter((each) => each !== own),
    message: (other: string) => t`A secret has only one source, but \`${own}\` and \`${other}\` are given`,
    hint: () => t`Use only one of them; \`--keychain\` also prompts for the secret or reads it from a pipe`,
  }
}

/** The error for a secret, or a word that may be one, on the command line. */
export function secretTyped(): UsageError {
  return new UsageError(
    t`Secrets are not accepted on the command line, where other users and the shell history can see them`,
    {
      details: [t`Nothing was stored; if it was the real secret, replace it at the gateway`],
      hint: t`Omit it to be prompted, or use \`--client-secret-stdin\`, \`--client-secret-env\`, \`--client-secret-command\` or \`--keychain\``,
    },
  )
}

/** What the options of `edit` set and end of the rules of the account. Throws UsageError for a list of approvers that cannot be used. */
export async function typedRules(options: TypedOptions): Promise<RuleEdit> {
  const { approvers: typed, ...others } = options
  const edit = typedSettings(others, ACCOUNT_RULES)
  if (typeof typed !== 'string') return edit
  const { readApprovers } = await import('../../plans/sshSignature.ts')
  const { text: list } = readApprovers(typed)
  return { ...edit, approvers: approversValue({ file: resolve(typed), list }) }
}

type TypedOptions = Readonly<Record<string, unknown>>

/** The options of `add`, where a flag that was not typed is false, without those. */
export function withoutFalse(options: TypedOptions): TypedOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== false))
}

/** What is to be changed in a profile itself. */
export type ProfileEdit = SettingEdit<ProfileSetting>

/**
 * The profile after the edit, including fields that this version does not know. A remote sandbox is marked as confirmed: the
 * caller must store it only after a person has confirmed its host.
 */
export function applyEdit<Profile extends ProfileValues>(profile: Profile, edit: ProfileEdit): Profile {
  const { host, isLoopback } = readBaseAddress(edit.baseUrl ?? profile.baseUrl, 'baseUrl')
  const environment = environmentAfter(profile, edit)
  const confirmedSandboxHost = environment === 'sandbox' && !isLoopback ? host : undefined
  return { ...profile, ...changedSettings(edit), environment, confirmedSandboxHost }
}

function changedSettings(edit: ProfileEdit) {
  const changed: { [Name in ProfileSetting]?: SettingValues[Name] } = {}
  const take = <Name extends ProfileSetting>(name: Name) => {
    if (edit[name] !== undefined) changed[name] = edit[name] ?? undefined
  }
  for (const name of PROFILE_SETTINGS) take(name)
  return changed
}

/** True if the edit changes the scheme, host or port of the base address; another path is the same gateway. */
export function changesOrigin(profile: ProfileValues, { baseUrl }: ProfileEdit): boolean {
  return new URL(baseUrl ?? profile.baseUrl).origin !== new URL(profile.baseUrl).origin
}

/**
 * A profile keeps its environment unless another one is typed. A local sandbox that moves to a remote address becomes
 * production, as a new profile for that address would.
 */
function environmentAfter(profile: ProfileValues, { environment, baseUrl }: ProfileEdit): EnvironmentKind {
  const isLocal = (url: string) => readBaseAddress(url, 'baseUrl').isLoopback
  const leavesThisMachine = isLocal(profile.baseUrl) && !isLocal(baseUrl ?? profile.baseUrl)
  return environment ?? (leavesThisMachine ? 'production' : profileEnvironment(profile))
}

/** Asks for the value of a setting: an edit of nothing if it is kept. Throws Cancelled. */
export async function askSetting<Name extends ProfileSetting>(
  context: Context,
  name: Name,
  earlier: SettingValues[Name] | undefined,
): Promise<ProfileEdit> {
  const edit: ProfileEdit = {}
  const answer = await askValue(context, name, earlier)
  if (answer !== undefined) edit[name] = answer
  return edit
}

/** Null removes the value, undefined keeps it. */
function askValue<Name extends ProfileSetting>(
  { terminal }: Context,
  name: Name,
  earlier: SettingValues[Name] | undefined,
): Promise<SettingValues[Name] | null | undefined> {
  const { answers, isRequired, none, option } = SETTINGS[name]
  const question = settingQuestion(name)
  if (answers !== undefined) {
    const shown = answers.map(({ value, name, description }) => ({
      value,
      name: translated(name),
      ...(description !== undefined && { description: translated(description) }),
    }))
    return terminal.choose(question, shown, earlier ?? shown[0]?.value)
  }
  const { parse } = option
  if (parse === undefined) throw new Error(`No question for the setting ${name}`)
  if (isRequired) return promptFor(terminal, question, parse)
  return earlier === undefined
    ? promptForOptional(terminal, t`${question} (Enter: ${translated(none)})`, parse)
    : promptForOptional(terminal, t`${question} (Enter keeps it, - removes it)`, (typed) =>
        typed === '-' ? null : parse(typed),
      )
}
