import type { ConnectionPool } from '../gateway/connections.ts'
import { ExchangeFailed, exchange } from '../gateway/exchange.ts'
import { t } from '../text/translate.ts'
import { withoutPassword } from '../wire/address.ts'
import { NotReached } from '../wire/errors.ts'

const ANSWER_MS_MAX = 5_000
const ANSWER_BYTES_MAX = 16 * 1024 * 1024

/**
 * What a shop shows at this address, the status and the body of its answer as text: GET, without credentials, no redirect is followed.
 * Throws NotReached.
 */
export async function readShopState(connections: ConnectionPool, url: URL, signal: AbortSignal): Promise<string> {
  const limits = { timeoutMs: ANSWER_MS_MAX, bytesMax: ANSWER_BYTES_MAX, interrupt: signal, abandon: signal }
  try {
    const dispatcher = await connections.take()
    const { httpStatus, body } = await exchange(
      dispatcher,
      { method: 'GET', url: url.href, headers: ['Host', url.host] },
      limits,
    )
    connections.giveBack(dispatcher)
    return `${httpStatus} ${body.toString('utf8')}`
  } catch (error) {
    if (!(error instanceof ExchangeFailed)) throw error
    throw new NotReached(t`The state of the shop cannot be read from ${withoutPassword(url.href)} (${error.code})`, {
      hint: t`Check the address of \`--state-url\`, which is read with GET and without credentials`,
    })
  }
}
