import { parseInstant } from '../pix/calendar.ts'
import { FINDINGS, type Intent } from './records.ts'
import { nameOf, type Transaction, type TransactionState } from './transactions.ts'

export const INTENT_KINDS = ['qr', 'transfer', 'refund'] as const satisfies readonly Intent['kind'][]
export const TRANSACTION_STATES = [
  'not-sent',
  'refused',
  'accepted',
  'unknown',
  ...FINDINGS,
] as const satisfies readonly TransactionState[]

/** Which transactions are meant; null for what does not limit them. All of it must hold. */
export interface LedgerFilter {
  /** Asked for at this time or later, in ms since the epoch. */
  sinceMs: number | null
  /** Asked for before this time. */
  beforeMs: number | null
  kind: Intent['kind'] | null
  state: TransactionState | null
  /** The reference of the batch, or the name by which people know the transaction. */
  reference: string | null
  /** The user who asked for it. */
  by: string | null
  profile: string | null
}

/** The filter that lets everything pass. */
export const EVERYTHING: LedgerFilter = {
  sinceMs: null,
  beforeMs: null,
  kind: null,
  state: null,
  reference: null,
  by: null,
  profile: null,
}

/** True for a transaction that is meant. */
export function isMeant(transaction: Transaction, filter: LedgerFilter): boolean {
  const { sinceMs, beforeMs, kind, state, reference, by, profile } = filter
  const { intent } = transaction
  return (
    (sinceMs === null || askedAtMs(intent) >= sinceMs) &&
    (beforeMs === null || askedAtMs(intent) < beforeMs) &&
    (kind === null || intent.kind === kind) &&
    (state === null || transaction.state === state) &&
    (reference === null || referencesOf(transaction).includes(reference)) &&
    (by === null || intent.user === by) &&
    (profile === null || intent.profile === profile)
  )
}

function askedAtMs({ at }: Transaction['intent']): number {
  return parseInstant(at) ?? 0
}

function referencesOf(transaction: Transaction): (string | undefined)[] {
  const { intent } = transaction
  return [nameOf(transaction), intent.kind === 'qr' ? undefined : intent.reference]
}
