import { readChoice, readText, withName } from '../../optionParsers.ts'
import { parseAmount } from '../../pix/amount.ts'
import { parseTaxDocument } from '../../pix/taxDocument.ts'
import { profileEnvironment } from '../../profiles/addressEnvironment.ts'
import { credentialText, type EnvironmentKind, type StoredProfile } from '../../profiles/profile.ts'
import { t } from '../../text/translate.ts'
import { type BaseAddress, readBaseAddress, readTargetUrl } from '../../wire/address.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineOptions, type OptionsOf } from '../command.ts'

const ENVIRONMENTS = ['sandbox', 'production'] as const satisfies readonly EnvironmentKind[]

/** The options that `add` and `edit` share. */
export const PROFILE_OPTIONS = defineOptions(
  {
    flags: '--environment <kind>',
    description: 'sandbox or production (default: sandbox for a local address, else production)',
    completes: ENVIRONMENTS,
  },
  { flags: '--base-url <url>', description: "the gateway's base address" },
  { flags: '--client-id <id>', description: 'client id of the account (the ci header)', parse: credentialText },
  { flags: '--callback-url <url>', description: 'default URL for webhook events' },
  { flags: '--max-amount <amount>', description: 'largest amount of one payment' },
  { flags: '--max-day <amount>', description: 'largest total per day (São Paulo time)' },
  { flags: '--read-only', description: 'refuse every command that moves money or signs' },
  { flags: '--company <name>', description: 'company that the account belongs to' },
  { flags: '--company-document <document>', description: 'CPF or CNPJ of the company' },
  {
    flags: '--confirm-host <host>',
    description: 'in a script: confirm a remote sandbox, or a less strict production profile',
  },
  {
    flags: '--client-secret-stdin',
    description: 'read the secret from standard input, or from a hidden prompt on a terminal',
  },
  {
    flags: '--client-secret-env <VAR>',
    description: 'read the secret from this variable at every use; only the name is stored',
  },
  { flags: '--client-secret-command <cmd>', description: 'run this command at every use to print the secret' },
  { flags: '--keychain', description: 'store the secret in the system keychain; read it like --client-secret-stdin' },
  {
    flags: '--client-secret [secret]',
    description: 'rejected: secrets are not accepted on the command line',
    hidden: true,
  },
)

/** The options of `edit` that clear a value. */
export const CLEARING_OPTIONS = defineOptions(
  { flags: '--no-callback-url', description: 'remove the callback URL' },
  { flags: '--no-max-amount', description: 'remove the limit per payment' },
  { flags: '--no-max-day', description: 'remove the limit per day' },
  { flags: '--no-read-only', description: 'allow commands that move money or sign' },
  { flags: '--no-company', description: 'remove the company' },
  { flags: '--no-company-document', description: 'remove the CPF or CNPJ of the company' },
)

/** The options of `add` and `edit`, as commander parses them; false is the `--no-` form of `edit`. */
export type ProfileOptions = OptionsOf<[...typeof PROFILE_OPTIONS, ...typeof CLEARING_OPTIONS]>

/** Rejects a secret on the command line. Throws UsageError. */
export function assertSecretNotTyped(options: ProfileOptions): void {
  if (options.clientSecret !== undefined) throw secretTyped()
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

/** The settings that need no prompt: undefined if not typed, null if cleared. */
export interface PlainValues {
  environment: EnvironmentKind | undefined
  callbackUrl: string | null | undefined
  maxAmountCents: number | null | undefined
  maxDayCents: number | null | undefined
  readOnly: boolean | undefined
  company: string | null | undefined
  companyDocument: string | null | undefined
}

/** Parses the settings that need no prompt. Throws a UsageError that names the option. */
export function readPlainValues(options: Partial<ProfileOptions>): PlainValues {
  const { environment, callbackUrl, maxAmount, maxDay, readOnly, company, companyDocument } = options
  return {
    environment: environment === undefined ? undefined : readChoice(ENVIRONMENTS, environment, '--environment'),
    callbackUrl: unlessCleared(callbackUrl, (text) => readTargetUrl(text, '--callback-url')),
    maxAmountCents: unlessCleared(maxAmount, (text) => limitCents(text, '--max-amount')),
    maxDayCents: unlessCleared(maxDay, (text) => limitCents(text, '--max-day')),
    readOnly,
    company: unlessCleared(company, (text) => readText(text, '--company').trim()),
    companyDocument: unlessCleared(companyDocument, documentOf),
  }
}

function documentOf(text: string): string {
  return withName('--company-document', () => parseTaxDocument(text).document)
}

function unlessCleared<Value>(
  typed: string | false | undefined,
  read: (text: string) => Value,
): Value | null | undefined {
  if (typed === undefined) return undefined
  return typed === false ? null : read(typed)
}

function limitCents(text: string, option: string): number {
  return withName(option, () => parseAmount(text))
}

/** The changes of an edit, except name and secret: undefined keeps a value, null clears it. */
export interface ProfileEdit extends PlainValues {
  address: BaseAddress | undefined
  clientId: string | undefined
}

/** Parses the options of an edit. Throws a UsageError that names the option. */
export function readEdit(options: Partial<ProfileOptions>, baseUrl: string | undefined): ProfileEdit {
  return {
    ...readPlainValues(options),
    address: baseUrl === undefined ? undefined : readBaseAddress(baseUrl, '--base-url'),
    clientId: options.clientId,
  }
}

/**
 * The profile after the edit, including fields that this version does not know. A remote sandbox is marked as confirmed: the
 * caller must store it only after a person has confirmed its host.
 */
export function applyEdit(profile: StoredProfile, edit: ProfileEdit): StoredProfile {
  const { clientId, callbackUrl, maxAmountCents, maxDayCents, readOnly, company, companyDocument } = edit
  const address = edit.address ?? readBaseAddress(profile.baseUrl, 'baseUrl')
  const environment = environmentAfter(profile, edit)
  return {
    ...profile,
    environment,
    confirmedSandboxHost: sandboxHost(environment, address),
    baseUrl: address.url,
    clientId: clientId ?? profile.clientId,
    callbackUrl: afterEdit(profile.callbackUrl, callbackUrl),
    maxAmountCents: afterEdit(profile.maxAmountCents, maxAmountCents),
    maxDayCents: afterEdit(profile.maxDayCents, maxDayCents),
    readOnly: readOnly ?? profile.readOnly,
    company: afterEdit(profile.company, company),
    companyDocument: afterEdit(profile.companyDocument, companyDocument),
  }
}

/** The host that must be confirmed for a sandbox profile with this address; undefined if none. */
export function sandboxHost(environment: EnvironmentKind, address: BaseAddress): string | undefined {
  return environment === 'sandbox' && !address.isLoopback ? address.host : undefined
}

/** True if the edit changes the scheme, host or port of the base address; another path is the same gateway. */
export function changesOrigin(profile: StoredProfile, { address }: ProfileEdit): boolean {
  return address !== undefined && new URL(address.url).origin !== new URL(profile.baseUrl).origin
}

/**
 * A profile keeps its environment unless another one is typed. A local sandbox that moves to a remote address becomes
 * production, as a new profile for that address would.
 */
function environmentAfter(profile: StoredProfile, edit: ProfileEdit): EnvironmentKind {
  if (edit.environment !== undefined) return edit.environment
  const leavesThisMachine = readBaseAddress(profile.baseUrl, 'baseUrl').isLoopback && edit.address?.isLoopback === false
  return leavesThisMachine ? 'production' : profileEnvironment(profile)
}

function afterEdit<Value>(earlier: Value | undefined, typed: Value | null | undefined): Value | undefined {
  return typed === undefined ? earlier : (typed ?? undefined)
}
