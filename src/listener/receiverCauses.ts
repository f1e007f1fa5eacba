import { isRefusal, isTooSlow } from '../wire/deliveryVerdict.ts'
import type { WriterLanguage } from '../wire/jsonWriters.ts'
import type { Probe } from './receiverProbes.ts'
import type { PostResult } from './webhookPost.ts'
import type { WrongSignature } from './wrongSignatures.ts'

/** Why a receiver does the wrong thing, if the probes prove it. */
type CheckCause =
  | WrongSignature['cause']
  | 'no-check'
  | 'unsigned-taken'
  | 'reserialized'
  | 'trimmed'
  | 'case-sensitive'
  | 'beginning-only'
  | 'slow'
  | 'not-200'
  | 'redirect'
  | 'crash'
  | 'crash-on-forged'
  | 'unknown-payment'
  | 'wrong-path'
  | 'no-answer'
  | 'state-changed'
  | 'credited-unpaid'

/** A proved cause, and what belongs to it. */
export interface ProvedCause {
  cause: CheckCause | null
  /** The only writing style that is accepted, for `reserialized`. */
  writer?: string
  /** How the signature is computed that is accepted, for `wrong-construction`. */
  formula?: string
}

/** A probe and the answer to it; null if time had run out. */
export interface SentProbe {
  probe: Probe
  result: PostResult | null
}

export type CauseOf = (sent: SentProbe) => ProvedCause

/** What the answers together prove about each wrong one; `accepted` is the wrong signature that was taken, if one was. */
export function causesOf(sent: readonly SentProbe[], accepted: WrongSignature | undefined): CauseOf {
  const statusOf = (name: string) => sent.find(({ probe }) => probe.name === name)?.result?.status ?? null
  const styles = sent.filter(({ probe }) => probe.name.startsWith('style/'))
  const takenStyles = styles.filter(({ result }) => isTaken(result))
  const [only, another] = takenStyles
  const isRewriting =
    only !== undefined &&
    another === undefined &&
    styles.every(({ result }) => isTaken(result) || isRefusal(result?.status ?? null))
  const writer = isRewriting ? only.probe.name.slice('style/'.length) : undefined
  const takesForged = isSuccess(statusOf('forged'))
  const isPlainTaken = isSuccess(statusOf('pix.received/PAID'))

  function causeOfForged({ probe, result }: SentProbe): CheckCause | null {
    if (takesForged) return 'no-check'
    if (!isTaken(result) || !isRefusal(statusOf('forged'))) return null
    if (probe.name === 'unsigned' || probe.name === 'forged/empty') return 'unsigned-taken'
    return isRefusal(statusOf('unsigned')) ? 'beginning-only' : null
  }

  return (each) => {
    const { probe, result } = each
    if (result === null) return { cause: null }
    const { status } = result
    if (probe.expects === 'refused') return { cause: causeOfForged(each) }
    if (status === null) return { cause: 'no-answer' }
    if (isTooSlow(result)) return { cause: 'slow' }
    if (isTaken(result)) return { cause: 'not-200' }
    if (status >= 300 && status < 400) return { cause: 'redirect' }
    if (status >= 500) return { cause: 'crash' }
    if (status === 404) return { cause: statusOf('forged') === 404 ? 'wrong-path' : 'unknown-payment' }
    if (!isRefusal(status)) return { cause: null }
    if (accepted !== undefined && !takesForged) {
      const { cause, formula } = accepted
      return formula === undefined ? { cause } : { cause, formula }
    }
    if (writer !== undefined) return { cause: 'reserialized', writer }
    if (probe.name === 'line-break' && isPlainTaken) return { cause: 'trimmed' }
    return { cause: probe.name === 'upper-case' && isPlainTaken ? 'case-sensitive' : null }
  }
}

/** True if a webhook was answered 2xx, in time or not. */
export function isTaken(result: PostResult | null): boolean {
  return isSuccess(result?.status ?? null)
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}

const LANGUAGES: readonly [pattern: RegExp, language: WriterLanguage][] = [
  [/\b(?:Express|Next\.js|Nuxt|Koa|hapi|Fastify)\b/i, 'JavaScript'],
  [/\b(?:Python|CPython|Werkzeug|gunicorn|uvicorn|hypercorn|waitress|TornadoServer|daphne)\b/i, 'Python'],
  [/\bPHP\b/i, 'PHP'],
  [/\b(?:Ruby|WEBrick|Puma|Phusion Passenger|Thin|unicorn)\b/i, 'Ruby'],
  [/\b(?:Jetty|Tomcat|Coyote|Undertow|Servlet|JSP|WildFly|GlassFish)\b/i, 'Java'],
  [/\b(?:Kestrel|ASP\.NET)\b/i, 'C#'],
]

/** The language of a receiver, as its headers `Server` and `X-Powered-By` tell; null if they do not, or name two. */
export function languageOf(results: readonly (PostResult | null)[]): WriterLanguage | null {
  const texts = results.flatMap((result) => [result?.headers.server, result?.headers['x-powered-by']].flat())
  const named = LANGUAGES.filter(([pattern]) => texts.some((text) => text !== undefined && pattern.test(text)))
  const [first, second] = named
  return first === undefined || second !== undefined ? null : first[1]
}
