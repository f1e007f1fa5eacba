import { t } from '../text/translate.ts'
import { AuthError, UsageError } from '../wire/errors.ts'
import type { TypedAddress } from './profile.ts'

/** The error for a profile that does not exist. `near` are similar names. */
export function unknownProfile(name: string, near: readonly string[]): UsageError {
  if (name === '') {
    return new UsageError(t`\`--profile\` is empty`, {
      hint: t`Select a profile; list them with \`pixgate profile list\``,
    })
  }
  return new UsageError(t`There is no profile \`${name}\``, {
    hint:
      near.length === 0
        ? t`List all profiles with \`pixgate profile list\`, or create this one with \`pixgate profile add ${name}\``
        : t`Did you mean \`${near.join('` or `')}\`? List all profiles with \`pixgate profile list\``,
  })
}

/** The error for a profile that only plans, approves and reads the ledger. Its person was given no secret, so nothing tells them to add one. */
export function profileWithoutSecret(profile: string): AuthError {
  return new AuthError(t`The profile \`${profile}\` has no secret, which this command needs`, {
    details: [t`Nothing was sent`],
    hint: t`Add \`--plan\` if you may plan payments: once somebody has approved it, a machine that has the secret sends it`,
  })
}

/** The error if profiles are stored but none is active or selected. */
export function noActiveProfile(names: readonly string[]): AuthError {
  return new AuthError(t`No profile is active or selected`, {
    details: [t`Stored profiles: ${names.join(', ')}`],
    hint: t`Choose one with \`pixgate profile use ${names[0] ?? ''}\`, or add \`--profile\` to the command`,
  })
}

/** The error if some credentials are set in variables, but not this one. */
export function incompleteVariables(variable: string, active: string | null): AuthError {
  return new AuthError(t`The environment has only some of the credentials: \`${variable}\` is missing`, {
    details: [t`Address, client id and secret must come from one source; nothing was sent`],
    hint: t`Set \`PIXGATE_BASE_URL\`, \`PIXGATE_CLIENT_ID\` and \`PIXGATE_CLIENT_SECRET\` together, or select a profile with \`--profile ${active ?? 'local'}\``,
  })
}

/** The error if one variable selects a profile and another one holds credentials. */
export function contradictingVariables(profile: string, variable: string): AuthError {
  return new AuthError(t`\`PIXGATE_PROFILE\` selects \`${profile}\`, but \`${variable}\` holds other credentials`, {
    details: [t`Address, client id and secret must come from one source; nothing was sent`],
    hint: t`Unset one of them, or add \`--profile ${profile}\`, which takes precedence over the variables`,
  })
}

/** The error if a profile's secret would be sent to another address. `owners` are the profiles with that address. */
export function foreignAddress(
  profile: string,
  ownUrl: string,
  typed: TypedAddress,
  owners: readonly string[],
): AuthError {
  return new AuthError(
    t`The secret of the profile \`${profile}\` belongs to ${ownUrl}, but \`${typed.source}\` is ${typed.url}`,
    {
      details: [t`Address, client id and secret must come from one source; nothing was sent`],
      hint: foreignAddressHint(typed, owners),
    },
  )
}

/** The error if credentials in variables would be sent to another address than `PIXGATE_BASE_URL`. */
export function foreignVariables(ownUrl: string, typed: TypedAddress): AuthError {
  return new AuthError(
    t`The credentials in the environment belong to ${ownUrl}, but \`${typed.source}\` is ${typed.url}`,
    {
      details: [t`Address, client id and secret must come from one source; nothing was sent`],
      hint: t`Set \`PIXGATE_BASE_URL\`, \`PIXGATE_CLIENT_ID\` and \`PIXGATE_CLIENT_SECRET\` together, or select a profile with \`--profile\``,
    },
  )
}

function foreignAddressHint(typed: TypedAddress, owners: readonly string[]): string {
  const [owner] = owners
  if (owner !== undefined) return t`Add \`--profile ${owner}\`, which has this address, or omit the address`
  if (typed.isLoopback) {
    return t`Add \`--profile local\` for a sandbox started with \`pixgate sandbox\`, or omit the address`
  }
  return t`Omit the address, or create a profile for it with \`pixgate profile add new-profile --base-url ${typed.url}\``
}

/** The error for an address without a client id or secret. `host` is its host name and port. */
export function noCredentialsFor(host: string): AuthError {
  return new AuthError(t`There are no credentials for \`${host}\``, {
    hint: t`Set \`PIXGATE_CLIENT_ID\` and \`PIXGATE_CLIENT_SECRET\`, or create a profile with \`pixgate profile add shop\`; the built-in profile \`local\` only works for local addresses`,
  })
}
