import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/words.ts'
import { AuthError, UsageError } from '../wire/errors.ts'
import type { TypedAddress } from './typedAddress.ts'

/** A profile that neither the store nor the program has. `near` are names that may have been meant. */
export function unknownProfile(name: string, near: readonly string[]): UsageError {
  if (name === '') {
    return new UsageError(t`\`--profile\` is empty`, {
      hint: t`Run \`pixgate profile list\` to list the profiles, then name one`,
    })
  }
  return new UsageError(t`There is no profile \`${name}\``, {
    hint:
      near.length === 0
        ? t`Run \`pixgate profile list\` to list the profiles, or \`pixgate profile add ${name}\` to add this one`
        : t`Did you mean \`${near.join('` or `')}\`? Run \`pixgate profile list\` to list the profiles`,
  })
}

/** Profiles are stored, and none of them is named or active. */
export function noActiveProfile(names: readonly string[]): AuthError {
  return new AuthError(t`No profile is active, and none is named`, {
    details: [t`Stored: ${names.join(', ')}`],
    hint: t`Run \`pixgate profile use ${names[0] ?? ''}\` to make one active, or name one with \`--profile\``,
  })
}

/** A part of what a command needs stands in variables, and this one is missing. */
export function incomplete(variable: string, active: string | null): AuthError {
  return new AuthError(t`The environment has a part of the credentials, but \`${variable}\` is missing`, {
    details: [t`Address, id and secret come from one source, never from several; nothing was sent`],
    hint: t`Set \`PIXGATE_BASE_URL\`, \`PIXGATE_CLIENT_ID\` and \`PIXGATE_CLIENT_SECRET\` together, or name a profile: \`--profile ${active ?? 'local'}\``,
  })
}

/** A variable names a profile, another one holds credentials. */
export function contradicting(profile: string, variable: string): AuthError {
  return new AuthError(t`\`PIXGATE_PROFILE\` names \`${profile}\`, and \`${variable}\` holds other credentials`, {
    details: [t`Address, id and secret come from one source, never from several; nothing was sent`],
    hint: t`Unset one of them, or write \`--profile ${profile}\`, which counts before the variables`,
  })
}

/** The secret of a profile would go to an address that is not its own. `owners` are the profiles whose address it is. */
export function foreignAddress(
  profile: string,
  ownUrl: string,
  typed: TypedAddress,
  owners: readonly string[],
): AuthError {
  return new AuthError(
    t`The secret of the profile \`${profile}\` belongs to ${ownUrl}, and \`${typed.source}\` says ${typed.url}`,
    {
      details: [t`Address, id and secret come from one source, never from several; nothing was sent`],
      hint: foreignAddressHint(typed, owners),
    },
  )
}

/** The credentials in the variables would go to another address than the variables name. */
export function foreignVariables(ownUrl: string, typed: TypedAddress): AuthError {
  return new AuthError(
    t`The credentials in the environment belong to ${ownUrl}, and \`${typed.source}\` says ${typed.url}`,
    {
      details: [t`Address, id and secret come from one source, never from several; nothing was sent`],
      hint: t`Set \`PIXGATE_BASE_URL\`, \`PIXGATE_CLIENT_ID\` and \`PIXGATE_CLIENT_SECRET\` together, or name a profile with \`--profile\``,
    },
  )
}

function foreignAddressHint(typed: TypedAddress, owners: readonly string[]): string {
  const [owner] = owners
  if (owner !== undefined) return t`Add \`--profile ${owner}\`, whose address that is, or omit the address`
  if (typed.isLoopback) {
    return t`Add \`--profile local\` for a sandbox started with \`pixgate sandbox\`, or omit the address`
  }
  return t`Omit the address, or run \`pixgate profile add shop --base-url ${commandArgument(typed.url)}\` to add a profile for it`
}

/** An address beyond this machine without anything to show to it. */
export function noCredentialsFor(host: string): AuthError {
  return new AuthError(t`There are no credentials for \`${host}\``, {
    hint: t`Set \`PIXGATE_CLIENT_ID\` and \`PIXGATE_CLIENT_SECRET\`, or add a profile with \`pixgate profile add shop\`; the built-in profile \`local\` is for addresses of this machine only`,
  })
}
