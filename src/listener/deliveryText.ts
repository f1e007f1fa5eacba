import { t } from '../text/words.ts'
import type { ShownEvent } from '../views/eventDocument.ts'
import type { Delivery } from './listenerServer.ts'

const HOST_CHARACTERS_MAX = 100

/** A delivery as it is shown. */
export function shownDelivery(delivery: Delivery): ShownEvent {
  const { n, facts, isSigned, reason, duplicate, target, body, headers, receivedAtMs, answeredMs } = delivery
  return {
    n,
    event: facts?.event ?? null,
    valid: isSigned && n !== null,
    reason,
    duplicate,
    path: target,
    body,
    headers,
    receivedAt: new Date(receivedAtMs).toISOString(),
    answeredMs: Math.round(answeredMs * 1000) / 1000,
    facts,
  }
}

/** What to do about a rejected request; null if its line says enough. */
export function adviceFor({ reason, method, target, headers }: Delivery): string | null {
  switch (reason) {
    case 'host':
      return t`It was sent to ${hostOf(headers)}, which is not this listener; add \`--public-url\` if that is yours`
    case 'method':
      return t`${method} ${target}: a webhook is a POST`
    case 'path':
      return t`${target} is not the \`--path\` that is listened on`
    case 'mismatch':
      return t`Another secret, or the body was changed on the way; \`-o json\` gives its bytes to \`pixgate webhook verify --request -\`, which finds out which`
    default:
      return null
  }
}

/** The name that a request was sent to. */
function hostOf(headers: Delivery['headers']): string {
  const host = headers.find(([name]) => name.toLowerCase() === 'host')
  return (host?.[1] ?? '').slice(0, HOST_CHARACTERS_MAX)
}
