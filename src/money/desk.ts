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
  now(): number
}
