import { inspect } from 'node:util'
import { type AnswerFields, isObject } from './answers.ts'

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
  #pattern: RegExp | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** True where none was read: what is planned or tried out sends nothing. */
  get isEmpty(): boolean {
    return this.#text === ''
  }

  /** The text itself, for sending or hashing. */
  reveal(): string {
    return this.#text
  }

  /** Replaces every occurrence of the secret in a text, plain or encoded, with dots or another mark. */
  redactFrom(text: string, mark = HIDDEN): string {
    if (isOrdinary(this.#text)) return text
    this.#pattern ??= new RegExp(encodedFormsPattern(this.#text), 'gi')
    return text.replace(this.#pattern, () => mark)
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

/** Text may be escaped repeatedly. This bound covers realistic cases and keeps the search fast. */
const BACKSLASHES_MAX = 8
/** How many bytes of a Base64 group of three may precede the text. */
const OFFSETS = [0, 1, 2] as const

/**
 * The source of a case-insensitive pattern that finds a visible ASCII text in other text: plain, escaped for JSON, CSV, HTML
 * or URLs (some or all characters, once or repeatedly), in hex, and in Base64 or base64url at any offset.
 */
function encodedFormsPattern(text: string): string {
  const hex = Buffer.from(text).toString('hex')
  return [escaped(text), hex, ...OFFSETS.map((offset) => base64At(text, offset))].join('|')
}

function escaped(text: string): string {
  // Adjacent backslashes count as one, because it is unknown how often each was doubled.
  return Array.from(text.replace(/\\+/g, '\\'), (character) => formsOf(character)).join('')
}

/** A pattern for all encoded forms of one character. */
function formsOf(character: string): string {
  const point = character.codePointAt(0) ?? 0
  if (point > 0x7e) return character
  const hex = point.toString(16).padStart(2, '0')
  const inUrlOrJson = [`%(?:25){0,3}${hex}`, `\\\\{1,${BACKSLASHES_MAX}}u00${hex}`]
  if (/[a-z0-9]/i.test(character)) return group([character, ...inUrlOrJson])
  const inHtml = [`&(?:amp;)?#(?:x0{0,4}${hex}|0{0,4}${point});`, ...(NAMED.get(character) ?? [])]
  const forms = group([...inUrlOrJson, ...inHtml, plainForm(character)])
  return character === '\\' ? `${forms}{1,${2 * BACKSLASHES_MAX}}` : forms
}

const NAMED: ReadonlyMap<string, readonly string[]> = new Map([
  ['&', ['&amp;']],
  ['<', ['&(?:amp;)?lt;']],
  ['>', ['&(?:amp;)?gt;']],
  ['"', ['&(?:amp;)?quot;']],
  ["'", ['&(?:amp;)?apos;']],
])

function plainForm(character: string): string {
  if (character === ' ') return '[ +]'
  if (character === '\\') return '\\\\'
  const own = `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
  return `\\\\{0,${BACKSLASHES_MAX}}${own}${character === '"' ? '{1,2}' : ''}`
}

/** A pattern for the text in Base64 after `offset` other bytes, with optional padding at the end. */
function base64At(text: string, offset: number): string {
  const end = (Buffer.byteLength(text) + offset) % 3 === 0 ? '' : '(?:[\\w+/-]?(?:=|%3d){1,2})?'
  return Array.from(ownBase64(text, offset), base64Forms).join('') + end
}

/** The Base64 characters that depend only on the text if it follows `offset` other bytes. */
function ownBase64(text: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)])
  return bytes.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6))
}

function base64Forms(character: string): string {
  if (character === '+') return group([formsOf('+'), '-'])
  if (character === '/') return group([formsOf('/'), '_'])
  return character
}

function group(forms: readonly string[]): string {
  return `(?:${forms.join('|')})`
}
