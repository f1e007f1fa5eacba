import { type Context, openGateway, readStoredSecret } from '../../context.ts'
import { testCredentials } from '../../gateway/client.ts'
import { only } from '../../pix/expectedError.ts'
import { accountOfNewProfile } from '../../profiles/account.ts'
import { credentialText, looksLikeSecret } from '../../profiles/credentialText.ts'
import { hasKeychainTool, removeFromKeychain, storeInKeychain } from '../../profiles/keychain.ts'
import type { ProfileSecret, SecretSource, StoredProfile } from '../../profiles/profile.ts'
import type { EnvironmentKind } from '../../profiles/settings.ts'
import { isVariableName } from '../../profiles/store.ts'
import { t } from '../../text/translate.ts'
import { type BaseAddress, readBaseAddress } from '../../wire/baseAddress.ts'
import { AuthError, Cancelled, Failure, UsageError } from '../../wire/errors.ts'
import { faultOf } from '../requiredValue.ts'
import type { Warnings } from './profileStore.ts'

type SourceElsewhere = Extract<SecretSource, { source: 'env' | 'command' }>

/** Where a new secret comes from and is kept, as options or a person say it. */
export type SecretInput = { source: 'stored' | 'keychain' } | SourceElsewhere

/** The same with the secret itself if pixgate stores it. */
export type NewSecret = { source: 'stored' | 'keychain'; value: string } | SourceElsewhere

/** That a profile has no secret: it only plans, approves and reads the ledger. */
export type NoSecret = Exclude<ProfileSecret, SecretSource>

/** What a secret is: the options that read it, the question that asks for it, and how its text is read, which throws UsageError. */
export interface SecretKind {
  stdinOption: string
  keychainOption: string
  question: () => string
  read(text: string, source?: string): string
}

const CLIENT_SECRET: SecretKind = {
  stdinOption: '--client-secret-stdin',
  keychainOption: '--keychain',
  question: () => t`Client secret`,
  read: credentialText,
}

/** The options that say where the secret comes from; at most one of them is typed. */
interface SecretOptions {
  clientSecretStdin: boolean
  clientSecretEnv?: string
  clientSecretCommand?: string
  keychain: boolean
  /** False for `--no-secret`. */
  secret?: boolean
}

/** True for a secret that pixgate itself stores, which belongs to the address that is stored with it. */
export function isKeptHere({ source }: ProfileSecret): boolean {
  return source === 'stored' || source === 'keychain'
}

/** How the options supply the secret, or that there is to be none; undefined if they do not say. */
export function chosenSecretSource(options: SecretOptions): SecretInput | NoSecret | undefined {
  const { clientSecretEnv: variable, clientSecretCommand: command, keychain, clientSecretStdin } = options
  return options.secret === false ? { source: 'none' } : chosenSource(variable, command, keychain, clientSecretStdin)
}

/** What the options of one secret choose, of which at most one is typed. */
export function chosenSource(
  variable: string | undefined,
  command: string | undefined,
  isInKeychain: boolean,
  isFromStdin: boolean,
): SecretInput | undefined {
  if (variable !== undefined) return { source: 'env', variable }
  if (command !== undefined) return { source: 'command', command }
  if (isInKeychain) return { source: 'keychain' }
  return isFromStdin ? { source: 'stored' } : undefined
}

/** {@link readNewSecret} for a profile, which may have none. */
export async function readProfileSecret(
  context: Context,
  input: SecretInput | NoSecret,
  warnings: Warnings,
): Promise<NewSecret | NoSecret> {
  return input.source === 'none' ? input : readNewSecret(context, input, warnings)
}

/** Reads the secret that pixgate is to store, from this input. Throws UsageError, Cancelled. */
export async function readNewSecret(
  context: Context,
  input: SecretInput,
  warnings: Warnings,
  kind = CLIENT_SECRET,
): Promise<NewSecret> {
  if (input.source === 'command') return input
  if (input.source === 'env') {
    const value = context.runtime.env[input.variable]
    if (value) kind.read(value, input.variable)
    else warnings.warn(t`The variable \`${input.variable}\` is not set; it is read at every use`)
    return input
  }
  return { source: input.source, value: await askOrRead(context, input.source, kind, warnings) }
}

/** Reads a secret from a pipe, or from a hidden prompt on a terminal, which would otherwise echo it. */
async function askOrRead(
  { runtime, terminal, readInput }: Context,
  source: 'stored' | 'keychain',
  { question, read, stdinOption, keychainOption }: SecretKind,
  warnings: Warnings,
): Promise<string> {
  const option = source === 'keychain' ? keychainOption : stdinOption
  if (runtime.stdin.isTTY !== true) {
    const text = await readInput('-', 'secret')
    return read(withoutSpaces(text.replace(/\r?\n$/, ''), warnings), option)
  }
  if (terminal.canAsk) return withoutSpaces(await terminal.askSecret(question(), faultOf(read)), warnings)
  throw new UsageError(
    t`\`${option}\` reads the secret from a pipe, but standard input is a terminal and prompts are off`,
    {
      hint: t`Pipe the secret to the command, or omit \`--no-input\` to be prompted`,
    },
  )
}

/** Removes white space around a secret, which is never part of it, and reports that. */
function withoutSpaces(typed: string, { warn }: Warnings): string {
  const secret = typed.trim()
  if (secret !== typed && secret !== '') warn(t`Spaces around the secret were removed`)
  if (/^(["'`]).*\1$/s.test(secret)) warn(t`The secret has quotes around it, which stay a part of it`)
  return secret
}

/** The name of a variable. Throws UsageError for what may be a value. */
export function readVariableName(typed: string, name: string): string {
  if (isVariableName(typed) && !looksLikeSecret(typed)) return typed
  throw new UsageError(t`\`${name}\` takes the name of a variable, not its value`, {
    hint: t`Write \`${name} ACME_SECRET\`, without \`$\``,
  })
}

/** The error for a profile without a secret if prompts are not possible. */
export function missingSecret(): UsageError {
  return new UsageError(t`The client secret is missing, and prompts are not possible`, {
    hint: t`Add \`--client-secret-stdin\`, \`--client-secret-env\`, \`--client-secret-command\` or \`--keychain\`; \`--no-secret\` makes a profile that only plans, approves and reads the ledger`,
  })
}

/** A stored secret, and how to remove it if the profile cannot be stored. */
export interface SavedSecret {
  source: SecretSource
  undo(): Promise<void>
}

/**
 * Stores a secret in its chosen source; `name` begins the name of a keychain entry. If the keychain fails, it warns and stores the secret in the profile
 * file instead.
 */
export async function storeSecret(
  context: Context,
  name: string,
  newSecret: NewSecret,
  warnings: Warnings,
): Promise<SavedSecret> {
  const undo = async () => undefined
  if (newSecret.source !== 'keychain') return { source: readableSecret(newSecret), undo }
  try {
    const source = { source: 'keychain', entry: `${name}-${context.newId()}` } as const
    await storeInKeychain(source.entry, newSecret.value, context.runtime.env)
    return { source, undo: () => deleteSecret(context, source, warnings) }
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    warnings.warn(t`${error.message}; the secret is stored in the profile file instead`)
    return { source: readableSecret(newSecret), undo }
  }
}

/** Removes a secret that no profile uses any more from the keychain. A failure is only a warning. */
export async function deleteSecret({ runtime }: Context, secret: ProfileSecret, { warn }: Warnings): Promise<void> {
  if (secret.source !== 'keychain') return
  const { entry } = secret
  const warnOf = ({ message }: AuthError) => warn(t`The entry \`${entry}\` is still in the keychain: ${message}`)
  await removeFromKeychain(entry, runtime.env).catch(only(AuthError, warnOf))
}

/** How long the test of address and credentials may take. */
const TEST_MS = 10_000

/** Why the gateway cannot be used with this profile; undefined if it can, or if it has no secret, or the variable of it is not set yet. */
export async function failureOfTest(
  context: Context,
  name: string,
  profile: StoredProfile,
): Promise<Failure | undefined> {
  const { terminal, runtime } = context
  const source = profile.secret
  if (source.source === 'none' || (source.source === 'env' && !runtime.env[source.variable])) return undefined
  terminal.passing(t`Testing the address and the credentials…`)
  try {
    const secret = await readStoredSecret(context, source, name)
    const account = accountOfNewProfile(name, profile, secret)
    const gateway = await openGateway(context, account)
    const failure = await testCredentials(gateway, context.now() + TEST_MS).finally(() => gateway.close())
    if (failure === undefined) terminal.note(t`The gateway at ${account.host} accepts the credentials`)
    return failure
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof Cancelled) throw error
    return error
  }
}

/** A new secret in the form of a stored one; one for the keychain is not there yet. */
export function readableSecret(newSecret: NewSecret): SecretSource {
  return 'value' in newSecret ? { source: 'stored', value: newSecret.value } : newSecret
}

/** The environment of an address. A remote one may be a sandbox, if a person says so. Throws Cancelled. */
export async function environmentOf(context: Context, baseUrl: string, isAsked: boolean): Promise<EnvironmentKind> {
  const address = readBaseAddress(baseUrl, 'baseUrl')
  if (address.isLoopback) return 'sandbox'
  return isAsked ? askEnvironment(context, address) : 'production'
}

/** Asks what is at an address. Throws Cancelled. */
export function askEnvironment(
  { terminal }: Context,
  { host, isLoopback }: BaseAddress,
  marked: EnvironmentKind = 'production',
): Promise<EnvironmentKind> {
  const choices = [
    { value: 'production', name: t`production`, description: t`Real money moves there` },
    {
      value: 'sandbox',
      name: t`sandbox`,
      description: isLoopback
        ? t`No real money moves there`
        : t`No real money moves there; you confirm it with the host name`,
    },
  ] as const
  return terminal.choose<EnvironmentKind>(t`What is ${host}?`, choices, marked)
}

/** Asks where a secret should be kept, if this system has a keychain. Throws Cancelled. */
export async function chooseSecretPlace(
  { terminal, runtime }: Context,
  question = t`Where should the client secret be kept?`,
): Promise<SecretInput> {
  if (!hasKeychainTool(runtime.env.PATH ?? '')) return { source: 'stored' }
  return terminal.choose<SecretInput>(question, [
    { value: { source: 'keychain' }, name: t`in the keychain of this system` },
    {
      value: { source: 'stored' },
      name: t`in the profile file`,
      description: t`Only you can read this file, but it is not encrypted`,
    },
  ])
}
