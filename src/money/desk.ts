import type { Gateway } from '../gateway/client.ts'
import type { Account } from '../profiles/account.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { Timeline } from '../timeline/timeline.ts'

/** What everything that moves money works with. */
export interface Desk {
  account: Account
  gateway: Gateway
  timeline: Timeline
  terminal: Terminal
  env: Readonly<Record<string, string | undefined>>
  timeoutMs: number
  /** How the user has answered in advance. */
  yes: boolean
  confirm: string | undefined
  /** The second interrupt, or a termination: the process ends soon after. */
  abandon: AbortSignal
  now(): number
  /** Does the work while no other process of this machine works on the transfer of this externalId. */
  aloneWith<Result>(externalId: string, work: () => Promise<Result>): Promise<Result>
}
