import type { Gateway } from '../gateway/client.ts'
import type { Owner } from '../ledger/accounts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { WitnessFolder } from '../ledger/witness.ts'
import type { ApprovedPlan } from '../plans/verifyPlan.ts'
import type { Account } from '../profiles/account.ts'
import type { EnvironmentVariables } from '../programInfo.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Approved plans that a command sends, or continues. */
export interface PlansInUse {
  approved: readonly ApprovedPlan[]
  /** True if nothing else is sent. */
  isOnly: boolean
}

/** What everything that moves money works with. */
export interface PaymentContext {
  account: Account
  /**
   * The account with the limits that its profile has now. Throws UsageError if the profile is another account by now. To be called in the
   * transaction that decides.
   */
  currentAccount(): Account
  gateway: Gateway
  ledger: Ledger
  witness: WitnessFolder
  terminal: Terminal
  timeoutMs: number
  /** The environment of programs that are started, which get no secret of it. */
  env: EnvironmentVariables
  /** How the user has answered in advance: `--yes`, and the name given to `--confirm`. */
  yes: boolean
  confirm: string | undefined
  /** The first interrupt, or a termination: no further request of several is started. */
  interrupt: AbortSignal
  /** The second interrupt, or a termination: the process ends soon after. */
  abandon: AbortSignal
  now(): number
  /** The plans that allow what is sent; absent for what needs none. */
  plans?: PlansInUse
}

/** The owner that is recorded for payments of an account. */
export function ownerOf({ profile, environment, url, clientId }: Account): Owner {
  return { profile, environment, baseUrl: url, clientId }
}

/** What was shown so far, by the witness of its context. */
const shown = new WeakMap<PaymentContext['witness'], Set<string>>()

/** Shows a warning about ledger or clock, once: a batch decides many times. */
export function warnOnce({ terminal, witness }: Pick<PaymentContext, 'terminal' | 'witness'>, warning: string): void {
  const warnings = shown.get(witness) ?? new Set()
  if (warnings.has(warning)) return
  shown.set(witness, warnings.add(warning))
  terminal.warn(warning, true)
}

/** The warnings that were shown: they belong in the documents of the payments that are sent all the same. */
export function paymentWarnings({ witness }: Pick<PaymentContext, 'witness'>): string[] {
  return [...(shown.get(witness) ?? [])]
}
