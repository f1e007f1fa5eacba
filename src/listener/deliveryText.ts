import { t } from '../text/translate.ts'
import type { ShownEvent } from '../views/shownEvent.ts'
import { redactHeaders, redactTarget } from '../wire/deliverySecrets.ts'
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
    path: redactTarget(target),
    body,
    headers: redactHeaders(headers),
    receivedAt: new Date(receivedAtMs).toISOString(),
    answeredMs: Math.round(answeredMs * 1000) / 1000,
    facts,
  }
}

/** What to do about a rejected request; null if its line says enough. */
export function adviceFor({ reason, method, target, headers }: Delivery): string | null {
  switch (reason) {
    case 'host':
      return t`It was sent to ${hostOf(headers)}, not to this listener; add \`--public-url\` if that is its host`
    case 'method':
      return t`${method} ${redactTarget(target)}: webhooks are POST requests`
    case 'path':
      return t`${redactTarget(target)} does not match \`--path\``
    case 'mismatch':
      return t`The sender used another secret, or the body was changed in transit; pipe its line of \`-o json\` to \`pixgate webhook verify --request -\` to find out`
    default:
      return null
  }
}

/** The name that a request was sent to. */
function hostOf(headers: Delivery['headers']): string {
  const host = headers.find(([name]) => name.toLowerCase() === 'host')
  return (host?.[1] ?? '').slice(0, HOST_CHARACTERS_MAX)
}
