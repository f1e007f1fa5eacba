import type { StoredProfile } from './profile.ts'

/** What a profile allows, beside the rules of its account. */
export interface AccountLimits {
  /** The limit per payment; null if there is none. */
  maxAmountCents: number | null
  /** The limit per day, in São Paulo time; null if there is none. */
  maxDayCents: number | null
  /** True if the account must not move money or sign. */
  readOnly: boolean
  /** The command that must allow what is sent, run by the shell; null if there is none. */
  checkCommand: string | null
}

/** Of credentials in variables. */
export const NO_LIMITS: AccountLimits = { maxAmountCents: null, maxDayCents: null, readOnly: false, checkCommand: null }

/** The limits of a profile. */
export function limitsOf({ maxAmountCents, maxDayCents, readOnly, checkCommand }: StoredProfile): AccountLimits {
  return {
    maxAmountCents: maxAmountCents ?? null,
    maxDayCents: maxDayCents ?? null,
    readOnly: readOnly === true,
    checkCommand: checkCommand ?? null,
  }
}
