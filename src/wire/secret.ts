import { inspect } from 'node:util'
import { type AnswerFields, isObject } from './answers.ts'
import { encodedFormsPattern, fragmentsOf, isEscaped } from './encodedForms.ts'

const HIDDEN = '••••'
/** Names of headers whose values may be credentials of the sender or of the user's own server. */
const SECRET_HEADER = /authorization|cookie|secret|token|passw|api-?key|^c[is]$/i
/** An address with such a parameter can be used by anyone who has it; in a header, a signature is valid for its own body only. */
const SECRET_PARAMETER = /key$|sig(?:nature)?$/i
const CHARACTERS_MIN = 6
/** Shorter words and numbers occur in answers for other reasons, and no gateway issues such a secret. */
const WORD_CHARACTERS_MIN = 12

/** Text that must never be shown: printing, JSON and inspection give dots; only `reveal()` returns the text. */
export class Secret {
  readonly #text: string
  #fragments: RegExp[] | undefined
  #isLikeNumber: boolean | undefined
  #pattern: RegExp | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** The text itself, for sending or hashing. */
  reveal(): string {
    return this.#text
  }

  /** Replaces every occurrence of the secret in a text, plain or encoded, with dots or another mark. */
  redactFrom(text: string, mark = HIDDEN): string {
    if (!this.mayOccurIn(text)) return text
    this.#pattern ??= new RegExp(encodedFormsPattern(this.#text), 'gi')
    return text.replace(this.#pattern, () => mark)
  }

  /** True if the secret certainly does not occur in a JSON text. This is much faster than checking every value. */
  isAbsentFrom(json: string): boolean {
    // Only numbers may be written differently in JSON than they are printed.
    this.#isLikeNumber ??= fragmentsOf(this.#text).some((fragment) => /^[\de]*$/.test(fragment))
    return !this.#isLikeNumber && !this.mayOccurIn(json)
  }

  /** False if the secret certainly does not occur in the text. This is much faster than searching for it. */
  mayOccurIn(text: string): boolean {
    if (isOrdinary(this.#text)) return false
    if (isEscaped(text)) return true
    // Testing each pattern is faster than converting the text to lower case.
    this.#fragments ??= fragmentsOf(this.#text).map((fragment) => new RegExp(fragment, 'i'))
    return this.#fragments.some((fragment) => fragment.test(text))
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
 * Replaces every occurrence of these secrets with dots, or another mark: plain, and encoded for JSON, URLs, HTML, CSV, Base64 and hex.
 * Secrets below 6 characters, and words and numbers below 12, are not replaced, because ordinary text would disappear.
 */
export function redact(text: string, secrets: readonly Secret[], mark = HIDDEN): string {
  return secrets.reduce((redacted, secret) => secret.redactFrom(redacted, mark), text)
}

/** An answer's object with the secrets taken out of all its texts, numbers and names. */
export function redactFields(fields: AnswerFields, secrets: readonly Secret[]): AnswerFields {
  const entries = Object.entries(fields)
  return Object.fromEntries(entries.map(([name, value]) => [redact(name, secrets), redactValue(value, secrets)]))
}

/** True if the value of a header with this name is never shown. */
export function isSecretHeader(name: string): boolean {
  return SECRET_HEADER.test(name)
}

/** Replaces the values of query parameters such as `token`, `key` and `signature` with dots or another mark, in a URL or a path. */
export function withoutSecretParameters(address: string, mark = HIDDEN): string {
  return address.replace(/([?&#])([^=&#]+)=[^&#]+/g, (parameter, start: string, name: string) =>
    SECRET_HEADER.test(name) || SECRET_PARAMETER.test(name) ? `${start}${name}=${mark}` : parameter,
  )
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
