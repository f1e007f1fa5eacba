import type { PostEnd } from '../gateway/client.ts'
import type { HttpRequest } from '../gateway/exchange.ts'
import { refundRequest, transferRequest } from '../gateway/requests.ts'
import type { MoneyPayment } from '../ledger/records.ts'
import type { Account } from '../profiles/account.ts'
import type { DurableAttempt } from './decide.ts'
import type { PaymentContext } from './paymentContext.ts'

/** Sends the request of an attempt that is on the disk, once. This is the only way to the two endpoints that move money. */
export function send({ account, gateway }: PaymentContext, attempt: DurableAttempt): Promise<PostEnd> {
  return gateway.post(requestOf(account, attempt.facts, attempt.body))
}

/** The HTTP request of a payment; the body goes out byte for byte. */
export function requestOf(account: Account, { kind }: Pick<MoneyPayment, 'kind'>, body: string): HttpRequest {
  return kind === 'refund' ? refundRequest(account, body) : transferRequest(account, body)
}
