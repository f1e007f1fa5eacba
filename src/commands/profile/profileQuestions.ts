import type { Context } from '../../context.ts'
import { hasKeychainTool } from '../../profiles/keychain.ts'
import type { EnvironmentKind } from '../../profiles/profile.ts'
import { t } from '../../text/translate.ts'
import type { BaseAddress } from '../../wire/address.ts'
import type { SecretInput } from './newSecret.ts'

export function addressQuestion(): string {
  return t`Base URL of the gateway`
}

export function clientIdQuestion(): string {
  return t`Client id`
}

/** The environment of an address. A remote one may be a sandbox, if a person says so. Throws Cancelled. */
export async function environmentOf(
  context: Context,
  address: BaseAddress,
  isAsked: boolean,
): Promise<EnvironmentKind> {
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
  if (!hasKeychainTool(runtime.env.PATH ?? '')) return { from: 'prompt' }
  return terminal.choose<SecretInput>(question, [
    { value: { from: 'keychain' }, name: t`in the keychain of this system` },
    {
      value: { from: 'prompt' },
      name: t`in the profile file`,
      description: t`Only you can read this file, but it is not encrypted`,
    },
  ])
}
