import { inspect } from 'node:util'
import { type AnswerFields, isObject } from './answers.ts'
import { disguises, isEscaped, tracesOf } from './disguises.ts'

const HIDDEN = '••••'
const CHARACTERS_MIN = 6
/** A word or number below this length is one that answers have for other reasons; no gateway issues such a secret. */
const WORD_CHARACTERS_MIN = 12

/** Text that must never be shown: printing, JSON and inspection give dots; only `reveal()` gives the text. */
export class Secret {
  readonly #text: string
  #traces: RegExp[] | undefined
  #isLikeNumber: boolean | undefined
  #pattern: RegExp | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** The text itself, for the one place that sends or hashes it. */
  reveal(): string {
    return this.#text
  }

  /** The other text with dots in the places where this one stands, plain or encoded. */
  hiddenIn(text: string): string {
    if (!this.mayStandIn(text)) return text
    this.#pattern ??= new RegExp(disguises(this.#text), 'gi')
    return text.replace(this.#pattern, HIDDEN)
  }

  /** True for JSON none of whose names and values has this secret in it; to see that takes far less than to look at each. */
  isAbsentFrom(json: string): boolean {
    // Numbers may be written otherwise than they are printed, all else stands there as it is.
    this.#isLikeNumber ??= tracesOf(this.#text).some((trace) => /^[\de]*$/.test(trace))
    return !this.#isLikeNumber && !this.mayStandIn(json)
  }

  /** False where this one stands nowhere in the text, which takes far less time to see than to find it. */
  mayStandIn(text: string): boolean {
    if (isOrdinary(this.#text)) return false
    if (isEscaped(text)) return true
    // Each by itself is found in less time than the text is in lower case.
    this.#traces ??= tracesOf(this.#text).map((trace) => new RegExp(trace, 'i'))
    return this.#traces.some((trace) => trace.test(text))
  }

  toString(): string {
    return HIDDEN
  }

  toJSON(): string {
    return HIDDEN
  }

  [inspect.custom](): string {
    return HIDDEN
  }
}

/**
 * The text with every occurrence of these secrets replaced by dots: plain, and as JSON, URLs, HTML, CSV, Base64 and hex
 * write it. Secrets below 6 characters, and plain words and numbers below 12, are left: they would take ordinary words away.
 */
export function redact(text: string, secrets: readonly Secret[]): string {
  return secrets.reduce((redacted, secret) => secret.hiddenIn(redacted), text)
}

/** An answer's object with the secrets taken out of all its texts, numbers and names. */
export function redactFields(fields: AnswerFields, secrets: readonly Secret[]): AnswerFields {
  const entries = Object.entries(fields)
  return Object.fromEntries(entries.map(([name, value]) => [redact(name, secrets), redactValue(value, secrets)]))
}

function redactValue(value: unknown, secrets: readonly Secret[]): unknown {
  if (Array.isArray(value)) return value.map((item) => redactValue(item, secrets))
  if (isObject(value)) return redactFields(value, secrets)
  if (typeof value !== 'string' && typeof value !== 'number') return value
  const redacted = redact(String(value), secrets)
  return redacted === String(value) ? value : redacted
}

function isOrdinary(text: string): boolean {
  if (text.length < CHARACTERS_MIN) return true
  return text.length < WORD_CHARACTERS_MIN && /^(?:[A-Z]?[a-z]+|[A-Z]+|\d+)$/.test(text)
}
