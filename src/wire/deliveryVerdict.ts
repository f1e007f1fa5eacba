/** The result of posting a webhook: the HTTP status, the time until the end of the answer, and why there was none or it broke off. */
export interface DeliveryAnswer {
  status: number | null
  ms: number
  error: unknown
}

/** The service counts a delivery as failed if its answer takes longer. */
const SERVICE_WAIT_MS = 5_000

/** True if the service would count the webhook as received, and not send it again: answered 200, completely, within 5 s. */
export function isReceived({ status, ms, error }: DeliveryAnswer): boolean {
  return status === 200 && error === null && ms <= SERVICE_WAIT_MS
}

/** What a receiver answers to a signature that is not genuine. */
const REFUSALS: readonly (number | null)[] = [400, 401, 403, 422]

/** True for the statuses with which receivers refuse a webhook whose signature they do not take for genuine. */
export function isRefusal(status: number | null): boolean {
  return REFUSALS.includes(status)
}

/** True for an answer that took so long that the service would have counted the delivery as failed. */
export function isTooSlow({ status, ms }: Pick<DeliveryAnswer, 'status' | 'ms'>): boolean {
  return status !== null && ms > SERVICE_WAIT_MS
}
