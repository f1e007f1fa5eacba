import { defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import type { LedgerAddress } from '../../ledger/team/ledgerAddress.ts'
import { ledgerPassword, mustAskPassword } from '../../openLedgers.ts'
import { readText } from '../../optionParsers.ts'
import { isPasswordText } from '../../profiles/credentialText.ts'
import type { SecretSource } from '../../profiles/profile.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import {
  chooseSecretPlace,
  chosenSource,
  type NewSecret,
  readableSecret,
  readNewSecret,
  readVariableName,
  type SecretInput,
  type SecretKind,
} from '../profiles/newSecret.ts'
import type { Warnings } from '../profiles/profileStore.ts'

const SOURCES = [
  '--ledger-password-stdin',
  '--ledger-password-env',
  '--ledger-password-command',
  '--ledger-password-keychain',
]

/** The options of a command that uses a password of the shared ledger once, and stores it nowhere. */
export const PASSWORD_ONCE_OPTIONS = defineOptions(
  {
    flags: '--ledger-password-stdin',
    description: 'database password from stdin, or a hidden prompt',
    conflicts: otherSources('--ledger-password-stdin', '--client-secret-stdin'),
  },
  {
    flags: '--ledger-password-env <VAR>',
    description: 'database password in this variable',
    parse: readVariableName,
    conflicts: otherSources('--ledger-password-env'),
  },
  {
    flags: '--ledger-password-command <cmd>',
    description: 'database password that this command prints',
    parse: readText,
    conflicts: otherSources('--ledger-password-command'),
  },
)

/** The options that say where the password of a shared ledger comes from at every use. */
export const PASSWORD_OPTIONS = defineOptions(...PASSWORD_ONCE_OPTIONS, {
  flags: '--ledger-password-keychain',
  description: 'database password in the keychain of the system',
})

/** A password's options as typed. */
export type PasswordOptions = Partial<OptionsOf<typeof PASSWORD_OPTIONS>>

/** How the options supply the password; undefined if none does. */
export function chosenPasswordSource(options: PasswordOptions): SecretInput | undefined {
  const { ledgerPasswordEnv: variable, ledgerPasswordCommand: command } = options
  const { ledgerPasswordKeychain = false, ledgerPasswordStdin = false } = options
  return chosenSource(variable, command, ledgerPasswordKeychain, ledgerPasswordStdin)
}

/**
 * The source of the password to store with an address: from the options, else a person is asked if nothing else gives the password (`hasEarlier`: a source
 * that is stored) and the server asks for it. Undefined to store none. Throws UsageError, Cancelled.
 */
export async function newPassword(
  context: Context,
  address: LedgerAddress,
  options: PasswordOptions,
  hasEarlier: boolean,
  warnings: Warnings,
): Promise<NewSecret | undefined> {
  const chosen = chosenPasswordSource(options)
  if (chosen !== undefined) return readNewSecret(context, chosen, warnings, passwordOf(address))
  if (hasEarlier || !(await mustAskPassword(context, address))) return undefined
  const place = await chooseSecretPlace(context, t`Where should the password of the shared ledger be kept?`)
  return readNewSecret(context, place, warnings, passwordOf(address))
}

/**
 * The password of a login for this command alone: from the options or the source that is stored, else from where other PostgreSQL clients read it, else a person types it if the server
 * asks for one. Undefined if it is not known. Throws UsageError, AuthError, Cancelled.
 */
export async function passwordOnce(
  context: Context,
  address: LedgerAddress,
  options: PasswordOptions,
  warnings: Warnings,
  stored?: SecretSource,
): Promise<string | undefined> {
  const chosen = chosenPasswordSource(options)
  if (chosen === undefined) return ledgerPassword(context, address, stored)
  const given = await readNewSecret(context, chosen, warnings, passwordOf(address))
  return ledgerPassword(context, address, readableSecret(given))
}

function passwordOf({ user }: LedgerAddress): SecretKind {
  return {
    stdinOption: '--ledger-password-stdin',
    keychainOption: '--ledger-password-keychain',
    question: () => t`Password of ${user} for the shared ledger`,
    read: passwordText,
  }
}

/** Checks a password. Throws a UsageError that never shows it. */
function passwordText(text: string, source?: string): string {
  if (isPasswordText(text)) return text
  const given = source === undefined ? t`The password` : t`\`${source}\``
  const message = text === '' ? t`${given} is empty` : t`${given} contains a control character`
  throw new UsageError(message, {
    hint: t`Use the password that the administrator of the database gave you, on one line`,
  })
}

/** `secretOption` reads another secret from the same pipe. */
function otherSources(own: string, secretOption?: string) {
  return {
    options: [...SOURCES.filter((each) => each !== own), ...(secretOption === undefined ? [] : [secretOption])],
    message: (other: string) =>
      other === secretOption
        ? t`A pipe holds one secret, but \`${own}\` and \`${other}\` are given`
        : t`A password has only one source, but \`${own}\` and \`${other}\` are given`,
    hint: (other: string) =>
      other === secretOption
        ? t`Give one of them another source, such as \`--ledger-password-env\``
        : t`Use only one of them; \`--ledger-password-keychain\` also prompts for the password or reads it from a pipe`,
  }
}
