import type { Gateway, PostEnd } from '../gateway/client.ts'
import { type PostedOperation, postFailure } from '../gateway/postFailure.ts'
import { refundRequest, transferRequest } from '../gateway/requests.ts'
import type { Account } from '../profiles/account.ts'
import { t } from '../text/words.ts'
import { UsageError } from '../wire/errors.ts'
import type { RefundBody, TransferBody } from '../wire/requests.ts'

export type Accepted = Extract<PostEnd, { outcome: 'accepted' }>

/** A request that moves money, complete. */
export type Payment =
  | { kind: 'refund'; originalTransactionId: string; body: RefundBody }
  | { kind: 'transfer'; externalId: string; body: TransferBody & { externalId: string } }

/**
 * Sends a request that moves money, once. Throws the Failure that tells whether it was not sent, refused or is unknown,
 * and UsageError for an address beyond this machine.
 */
export async function send(account: Account, gateway: Gateway, payment: Payment, timeoutMs: number): Promise<Accepted> {
  checkLoopback(account)
  const end = await gateway.post(requestOf(account, payment))
  const operation: PostedOperation = payment
  const failure = postFailure(account, operation, end, timeoutMs)
  if (failure !== undefined) throw failure
  if (end.outcome === 'accepted') return end
  throw new Error('a POST that was not accepted has a failure')
}

/** The exact HTTP request of a payment. */
export function requestOf(account: Account, payment: Payment) {
  return payment.kind === 'refund' ? refundRequest(account, payment.body) : transferRequest(account, payment.body)
}

/** Throws UsageError where the address is not on this machine: without a ledger no real money moves. */
export function checkLoopback(account: Account): void {
  if (account.isLoopback) return
  throw new UsageError(t`Refunds and transfers go to a sandbox on this machine only, and ${account.host} is not one`, {
    hint: t`Start one with \`pixgate sandbox\`; payments beyond this machine come with the ledger that remembers them`,
  })
}
