import type { DeliveryEntry, RequestEntry } from '../schemas/sandboxAnswers.ts'
import { isObject } from '../wire/answers.ts'
import { parseJson } from '../wire/jsonTree.ts'
import { redact, type Secret, withoutSecretParameters } from '../wire/secret.ts'
import type { Call } from './endpoints.ts'
import type { Reply } from './faultReplies.ts'
import { formatWireInstant } from './outgoingWebhooks.ts'

/** When a request arrived, and how long its answer took. */
export interface RequestTiming {
  atMs: number
  tookMs: number
}

const ENTRIES_MAX = 1000
/** A longer body is cut, so that the log of a long test run does not fill the memory. */
const BODY_CHARACTERS_MAX = 16 * 1024

/** Remembers the last 1,000 requests to the service. */
export class RequestLog {
  readonly #secrets: readonly Secret[]
  #entries: RequestEntry[] = []
  #count = 0

  constructor(secrets: readonly Secret[]) {
    this.#secrets = secrets
  }

  /** Describes a request; one that `isKept` is remembered and gets a number. */
  add(call: Call, reply: Reply, { atMs, tookMs }: RequestTiming, isKept: boolean): RequestEntry {
    const { code, details } = errorFieldsOf(reply)
    const entry: RequestEntry = {
      type: 'request',
      n: null,
      at: formatWireInstant(atMs),
      method: call.method,
      path: this.#shown(call.path),
      query: this.#shown(withoutSecretParameters(`?${call.query}`).slice(1)),
      status: reply.body === undefined ? null : reply.status,
      ms: tookMs,
      code,
      details: details === null ? null : this.#shown(details),
      requestBody: this.#shown(call.text),
      responseBody: reply.body === undefined || !isKept ? null : this.#shown(reply.body),
    }
    if (!isKept) return entry
    this.#count += 1
    entry.n = this.#count
    this.#entries.push(entry)
    if (this.#entries.length > ENTRIES_MAX) this.#entries.shift()
    return entry
  }

  /** The entry without secrets, which a callback URL may carry and an event may repeat. */
  redacted(entry: DeliveryEntry): DeliveryEntry {
    const answer = entry.answer === null ? null : this.#shown(entry.answer)
    return { ...entry, url: this.#shown(entry.url), body: this.#shown(entry.body), answer }
  }

  /**
   * The remembered requests after number `after`, oldest first; all if it counts from before a reset. Only those with an error or without
   * an answer if `failedOnly`.
   */
  entries(failedOnly: boolean, after = 0): RequestEntry[] {
    const last = after > this.#count ? 0 : after
    return this.#entries.filter(({ n, status }) => (n ?? 0) > last && (!failedOnly || status === null || status >= 400))
  }

  reset(): void {
    this.#entries = []
    this.#count = 0
  }

  #shown(text: string): string {
    const whole = redact(text, this.#secrets)
    return whole.length > BODY_CHARACTERS_MAX ? `${whole.slice(0, BODY_CHARACTERS_MAX)}…` : whole
  }
}

function errorFieldsOf({ status, body }: Reply): { code: string | null; details: string | null } {
  const fields = status >= 400 ? parseJson(body ?? '') : undefined
  if (!isObject(fields)) return { code: null, details: null }
  const { message, details } = fields
  return {
    code: typeof message === 'string' ? message : null,
    details: typeof details === 'string' ? details : null,
  }
}
