import { defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { readLedgerAddress } from '../../ledger/team/ledgerAddress.ts'
import { readAmount, readTaxDocument, readText } from '../../optionParsers.ts'
import {
  clientIdText,
  ENVIRONMENTS,
  type EnvironmentKind,
  type ProfileValues,
  profileEnvironment,
} from '../../profiles/profile.ts'
import { readLanguage } from '../../settings.ts'
import { LANGUAGE_CHOICE, LANGUAGES } from '../../text/languages.ts'
import { t } from '../../text/translate.ts'
import { type BaseAddress, readBaseAddress, readTargetUrl } from '../../wire/baseAddress.ts'
import { UsageError } from '../../wire/errors.ts'
import { PASSWORD_OPTIONS } from '../ledger/passwordOptions.ts'
import { readVariableName } from './newSecret.ts'
import { CLEARING_RULE_OPTIONS, RULE_OPTIONS } from './ruleOptions.ts'

const SECRET_SOURCES = [
  '--client-secret-stdin',
  '--client-secret-env',
  '--client-secret-command',
  '--keychain',
  '--no-secret',
]

/** The options that `add` and `edit` share. */
export const PROFILE_OPTIONS = defineOptions(
  {
    flags: '--environment <kind>',
    description: 'sandbox or production (default: by the address)',
    choices: ENVIRONMENTS,
  },
  { flags: '--base-url <url>', description: "the gateway's base address", parse: readTypedAddress },
  { flags: '--client-id <id>', description: 'client id of the account (the ci header)', parse: clientIdText },
  { flags: '--callback-url <url>', description: 'default URL for webhook events', parse: readTargetUrl },
  { flags: '--max-amount <amount>', description: 'largest amount of one payment', parse: readAmount },
  { flags: '--max-day <amount>', description: 'largest total per day (São Paulo time)', parse: readAmount },
  { flags: '--read-only', description: 'refuse every command that moves money or signs' },
  {
    flags: '--check-command <cmd>',
    description: 'shell command that must allow what is sent',
    parse: readText,
  },
  ...RULE_OPTIONS,
  {
    flags: '--company <name>',
    description: 'company that the account belongs to',
    parse: (typed, name) => readText(typed, name).trim(),
  },
  {
    flags: '--company-document <document>',
    description: 'CPF or CNPJ of the company',
    parse: readTaxDocument,
  },
  {
    flags: '--lang <language>',
    description: `language of what people read: ${LANGUAGE_CHOICE}`,
    parse: readLanguage,
    completes: LANGUAGES,
  },
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
export const CLEARING_OPTIONS = defineOptions(
  { flags: '--no-callback-url', description: 'remove the callback URL' },
  { flags: '--no-max-amount', description: 'remove the limit per payment' },
  { flags: '--no-max-day', description: 'remove the limit per day' },
  { flags: '--no-read-only', description: 'allow commands that move money or sign' },
  { flags: '--no-check-command', description: 'send without asking a command' },
  ...CLEARING_RULE_OPTIONS,
  { flags: '--no-company', description: 'remove the company' },
  { flags: '--no-company-document', description: 'remove the CPF or CNPJ of the company' },
  { flags: '--no-lang', description: 'use the language of other commands' },
  { flags: '--no-ledger', description: 'use the ledger of this machine for this account' },
)

/** The options of `add` and `edit`; false is the `--no-` form of `edit`. */
export type ProfileOptions = OptionsOf<[...typeof PROFILE_OPTIONS, ...typeof CLEARING_OPTIONS]>

/** A base address as an option. Throws UsageError. */
export function readTypedAddress(typed: string, name?: string): BaseAddress {
  return readBaseAddress(readText(typed, name), name)
}

/** The address that was typed behind the command or, as an option of all commands, before it. Throws UsageError. */
export function typedAddressOf({ settings }: Context, { baseUrl }: ProfileEdit): BaseAddress | undefined {
  if (baseUrl !== undefined || settings.baseUrl === undefined) return baseUrl
  return readTypedAddress(settings.baseUrl, '--base-url')
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

/** The settings that options change: undefined keeps a value, false clears it. */
export type ProfileEdit = Partial<
  Pick<
    ProfileOptions,
    | 'environment'
    | 'baseUrl'
    | 'clientId'
    | 'callbackUrl'
    | 'maxAmount'
    | 'maxDay'
    | 'readOnly'
    | 'checkCommand'
    | 'company'
    | 'companyDocument'
    | 'lang'
  >
>

/** True if no setting is changed. */
export function isEmptyEdit(edit: ProfileEdit): boolean {
  const { environment, baseUrl, clientId, callbackUrl, maxAmount, maxDay, readOnly, checkCommand } = edit
  const { company, companyDocument, lang } = edit
  const limits = [maxAmount, maxDay, readOnly, checkCommand]
  const settings = [environment, baseUrl, clientId, callbackUrl, ...limits, company, companyDocument, lang]
  return settings.every((value) => value === undefined)
}

/**
 * The profile after the edit, including fields that this version does not know. A remote sandbox is marked as confirmed: the
 * caller must store it only after a person has confirmed its host.
 */
export function applyEdit<Profile extends ProfileValues>(profile: Profile, edit: ProfileEdit): Profile {
  const address = edit.baseUrl ?? readBaseAddress(profile.baseUrl, 'baseUrl')
  const environment = environmentAfter(profile, edit)
  return {
    ...profile,
    environment,
    confirmedSandboxHost: environment === 'sandbox' && !address.isLoopback ? address.host : undefined,
    baseUrl: address.url,
    clientId: edit.clientId ?? profile.clientId,
    callbackUrl: afterEdit(profile.callbackUrl, edit.callbackUrl),
    maxAmountCents: afterEdit(profile.maxAmountCents, edit.maxAmount),
    maxDayCents: afterEdit(profile.maxDayCents, edit.maxDay),
    readOnly: edit.readOnly ?? profile.readOnly,
    checkCommand: afterEdit(profile.checkCommand, edit.checkCommand),
    company: afterEdit(profile.company, edit.company),
    companyDocument: afterEdit(profile.companyDocument, edit.companyDocument),
    lang: afterEdit(profile.lang, edit.lang),
  }
}

/** True if the edit changes the scheme, host or port of the base address; another path is the same gateway. */
export function changesOrigin(profile: ProfileValues, { baseUrl }: ProfileEdit): boolean {
  return baseUrl !== undefined && new URL(baseUrl.url).origin !== new URL(profile.baseUrl).origin
}

/**
 * A profile keeps its environment unless another one is typed. A local sandbox that moves to a remote address becomes
 * production, as a new profile for that address would.
 */
function environmentAfter(profile: ProfileValues, { environment, baseUrl }: ProfileEdit): EnvironmentKind {
  if (environment !== undefined) return environment
  const leavesThisMachine = readBaseAddress(profile.baseUrl, 'baseUrl').isLoopback && baseUrl?.isLoopback === false
  return leavesThisMachine ? 'production' : profileEnvironment(profile)
}

function afterEdit<Value>(earlier: Value | undefined, typed: Value | false | undefined): Value | undefined {
  return typed === undefined ? earlier : typed || undefined
}
