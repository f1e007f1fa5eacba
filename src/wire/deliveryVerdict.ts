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

/** True for an answer that took so long that the service would have counted the delivery as failed. */
export function isTooSlow({ status, ms }: Pick<DeliveryAnswer, 'status' | 'ms'>): boolean {
  return status !== null && ms > SERVICE_WAIT_MS
}
