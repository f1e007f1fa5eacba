import type { KeyType } from '../../pix/pixKey.ts'
import { comparableKey } from '../../pix/pixKey.ts'
import type { MoneyIntent, Owner } from '../../timeline/records.ts'
import { digestOf } from './digestTable.ts'
import { canonicalKey } from './keyCells.ts'

/** Whose payments: the same ids of another account are other payments. */
export type LedgerAccount = Pick<Owner, 'baseUrl' | 'clientId'>

/** What a payment is compared by: a transfer's key and amount, a refund's original. */
export function paymentKey(
  account: LedgerAccount,
  row:
    | { kind: 'transfer'; key: string; keyType: KeyType; amountCents: number }
    | { kind: 'refund'; originalTransactionId: string },
): string {
  if (row.kind === 'refund') return `${accountName(account)} of ${row.originalTransactionId}`
  return `${accountName(account)} ${row.amountCents} ${comparableKey(canonicalKey(row.key, row.keyType))}`
}

/** A name for the payments of one kind of an account. */
export function ownerName({ baseUrl, clientId }: LedgerAccount, kind: MoneyIntent['kind']): string {
  return JSON.stringify([baseUrl, clientId, kind])
}

/** By which a payment is found by the gateway's id. The webhooks of a sandbox on this machine name another port than the payments that they are about. */
export function transactionDigest(
  { environment, baseUrl, clientId }: Omit<Owner, 'profile'>,
  idTransaction: string,
): string {
  return digestOf(`${accountName({ baseUrl: environment === 'sandbox' ? '' : baseUrl, clientId })} ${idTransaction}`)
}

/** No two accounts have the same, whatever stands behind it: that it says how long its parts are takes less than JSON. */
function accountName({ baseUrl, clientId }: LedgerAccount): string {
  return `${baseUrl.length} ${clientId.length} ${baseUrl}${clientId}`
}
