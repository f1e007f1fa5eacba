import { Cancelled, Failure } from '../wire/errors.ts'
import type { Gateway } from './client.ts'

/** An id that no gateway has: the answer shows whether the credentials are accepted. */
const NO_SUCH_ID = '00000000-0000-4000-8000-000000000000'

/** What a gateway that accepts the credentials answers for an id that it does not have. */
const ACCEPTED_CODES: readonly string[] = ['TRANSACTION_NOT_FOUND', 'INVALID_TRANSACTION_ID']

/**
 * Asks the gateway for a payment that does not exist. Returns undefined if it accepts the credentials, else the failure.
 * It gives up at `latestMs`. Throws Cancelled on Ctrl-C.
 */
export async function checkCredentials(gateway: Gateway, latestMs?: number): Promise<Failure | undefined> {
  try {
    await gateway.consult(NO_SUCH_ID, latestMs)
    return undefined
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof Cancelled) throw error
    return ACCEPTED_CODES.includes(error.code) ? undefined : error
  }
}
