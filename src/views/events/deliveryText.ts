import type { Delivery } from '../../listener/listenerServer.ts'
import type { KeptLoss } from '../../listener/refusedWebhooks.ts'
import type { PostResult } from '../../listener/webhookPost.ts'
import {
  ADDRESS,
  BOOLEAN,
  COUNT,
  describe,
  HTTP_STATUS,
  MILLISECONDS,
  mayBeMissing,
  orNull,
  TEXT,
} from '../../schemas/jsonSchema.ts'
import { viewOf } from '../../terminal/fields.ts'
import { hasControlCharacter } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { withoutPassword } from '../../wire/baseAddress.ts'
import { isTooSlow, redactHeaders, redactTarget } from '../../wire/signature.ts'
import type { ShownEvent } from './shownEvent.ts'

const HOST_CHARACTERS_MAX = 100
const FORM = /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data)/i

export const TOO_SLOW = describe('True if the answer took longer than the 5 s that the service waits', BOOLEAN)

/** The result of sending one webhook, as JSON. */
export const DELIVERED = viewOf<{
  webhook: { n: number | null; url: URL; event: string | null; idTransaction: string | null }
  result: PostResult
}>()({
  n: [mayBeMissing(COUNT), ({ webhook }) => webhook.n ?? undefined],
  url: [ADDRESS, ({ webhook }) => withoutPassword(webhook.url.href)],
  event: [orNull(TEXT), ({ webhook }) => webhook.event],
  idTransaction: [orNull(TEXT), ({ webhook }) => webhook.idTransaction],
  status: [orNull(HTTP_STATUS), ({ result }) => result.status],
  ms: [MILLISECONDS, ({ result }) => result.ms],
  error: [orNull(TEXT), ({ result }) => result.error?.message ?? null],
  body: [TEXT, ({ result }) => result.body],
  tooSlow: [mayBeMissing(TOO_SLOW), ({ result }) => isTooSlow(result) || undefined],
})

/** A delivery as it is shown. */
export function shownDelivery(delivery: Delivery): ShownEvent {
  const { n, record, facts, isSigned, reason, duplicate, target, body, headers, receivedAtMs, answeredMs } = delivery
  return {
    n,
    isRecorded: record !== null,
    writer: null,
    event: facts?.event ?? null,
    valid: isSigned && record !== null,
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

/** How to find out why a webhook was refused that is not kept as it arrived. */
export function lossAdvice(loss: KeptLoss): string {
  return loss === 'cut'
    ? t`Pipe its line of \`pixgate webhook listen -o json\` to \`pixgate webhook verify --request -\``
    : t`Its body contains a secret and is not kept: verify the sender's copy with \`pixgate webhook verify --request request.txt\``
}

/** What to do about a request that was rejected, or is unusual; null if its line says enough. */
export function adviceFor({ reason, method, target, headers, facts }: Delivery, loss: KeptLoss | null): string | null {
  switch (reason) {
    case null:
      return formWarning({ headers, facts })
    case 'host':
      return t`It was sent to ${hostOf(headers)}, not to this listener; add \`--public-url\` if that is its host`
    case 'method':
      return t`${method} ${redactTarget(target)}: webhooks are POST requests`
    case 'path':
      return t`${redactTarget(target)} does not match \`--path\``
    case 'loop':
      return t`This listener has forwarded it before: somewhere behind \`--forward-to\` it is sent back`
    case 'check':
      return t`It is a sample of \`webhook check\`, which is for your own server`
    case 'mismatch':
      if (loss !== null) return lossAdvice(loss)
      return t`The signature does not match, and its cause was not looked for yet; \`pixgate webhook verify --last-refused\` looks for it`
    default:
      return null
  }
}

/** Says that JSON was sent as a form, which a server that parses by the content type does not find; null if it was not. */
export function formWarning({ headers, facts }: Pick<ShownEvent, 'headers' | 'facts'>): string | null {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  if (facts === undefined || !FORM.test(type)) return null
  return t`It is JSON, but was sent as \`${type.slice(0, HOST_CHARACTERS_MAX)}\`; a server that reads forms does not find the JSON`
}

function hostOf(headers: Delivery['headers']): string {
  const host = headers.find(([name]) => name.toLowerCase() === 'host')
  return (host?.[1] ?? '').slice(0, HOST_CHARACTERS_MAX)
}

/** A webhook as it is sent. */
export interface PostRequest {
  url: URL
  headers: readonly (readonly [name: string, value: string])[]
  body: Buffer
}

/** A command for a POSIX shell that posts exactly these bytes with these headers, without a password of the URL. */
export function curlCommand({ url, headers, body }: PostRequest): string {
  const curlArguments = [
    'curl',
    '-X',
    'POST',
    shellQuoted(withoutPassword(url.href)),
    ...headers.flatMap(([name, value]) => ['-H', shellQuoted(`${name}: ${value}`)]),
  ]
  const text = body.toString('utf8')
  const isPlain =
    Buffer.from(text).equals(body) && !hasControlCharacter(text.replaceAll('\n', '')) && !text.startsWith('@')
  if (isPlain) return [...curlArguments, '--data-binary', shellQuoted(text)].join(' ')
  return [`printf %s ${body.toString('base64')} | base64 -d |`, ...curlArguments, '--data-binary', '@-'].join(' ')
}

function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
