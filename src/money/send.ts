import type { PostEnd } from '../gateway/client.ts'
import { refundRequest, transferRequest } from '../gateway/requests.ts'
import type { Account } from '../profiles/account.ts'
import type { MoneyIntent } from '../timeline/records.ts'
import type { DurableIntent } from '../timeline/timeline.ts'
import type { Desk } from './desk.ts'

/** Sends the request of an intent that is on the disk, once. This is the only way to the two endpoints that move money. */
export function send({ account, gateway }: Desk, intent: DurableIntent): Promise<PostEnd> {
  return gateway.post(requestOf(account, intent))
}

/** The exact HTTP request of an intent: its body goes out byte for byte as it was recorded. */
export function requestOf(account: Account, intent: MoneyIntent) {
  return intent.kind === 'refund' ? refundRequest(account, intent.body) : transferRequest(account, intent.body)
}
