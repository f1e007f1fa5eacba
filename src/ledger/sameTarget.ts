import { hash } from 'node:crypto'
import { comparableKey } from '../pix/pixKey.ts'
import { accountAddress } from '../wire/address.ts'
import type { AccountKey } from './accounts.ts'
import type { RefundPayment, TransferPayment } from './records.ts'

/**
 * An id in the spelling in which ids are compared: without outer spaces, letters A to Z in lower case, as SQLite's NOCASE compares them. Ids are
 * stored and sent as they were typed.
 */
function comparableId(id: string): string {
  return id.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** True if two ids name the same thing; no id is the same as another missing one. */
export function isSameId(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && comparableId(one) === comparableId(other)
}

/** What a payment is compared by. */
export type Target =
  | { kind: 'qr' }
  | Pick<TransferPayment, 'kind' | 'key' | 'amountCents'>
  | Pick<RefundPayment, 'kind' | 'originalTransactionId'>

/** What makes two payments the same, in one spelling: the key of a transfer, the original of a refund; null for a charge. */
export function comparableTarget(facts: Target): string | null {
  switch (facts.kind) {
    case 'qr':
      return null
    case 'transfer':
      return comparableKey(facts.key)
    case 'refund':
      return comparableId(facts.originalTransactionId)
  }
}

/**
 * What makes two payments the same as one checksum: account, kind, destination and, for a transfer, amount. All refunds of an original have the
 * same one. Null for a charge.
 */
export function targetDigest({ url, clientId }: AccountKey, facts: Target): string | null {
  if (facts.kind === 'qr') return null
  const amount = facts.kind === 'transfer' ? facts.amountCents : null
  const text = JSON.stringify([facts.kind, accountAddress(url), clientId, comparableTarget(facts), amount])
  return hash('sha256', text).slice(0, 32)
}
