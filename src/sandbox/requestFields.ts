import { AMOUNT_CENTS_MAX, centsFromJson } from '../pix/amount.ts'
import { hasControlCharacter } from '../text/safeText.ts'
import { t } from '../text/translate.ts'
import { isObject } from '../wire/answers.ts'
import { HttpError } from './httpError.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * The JSON object in a request's body. Throws HttpError 400 with `code` for anything else, also for text that is not UTF-8.
 */
export function readJsonObject(bytes: Uint8Array, code: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new HttpError(400, code, t`The body is not JSON`)
  }
  if (!isObject(value)) throw new HttpError(400, code, t`The body is not a JSON object`)
  return value
}

/** True for an id that can name a transaction here: a UUID, or text that begins with `paid-`. */
export function isTransactionId(id: string): boolean {
  return UUID.test(id) || id.startsWith('paid-')
}

/** The fewest characters that are accepted in place of a whole id. */
const ID_PREFIX_MIN = 6

/** True if the text is this id, or at least its first 6 characters if it is a UUID, in any case. */
export function isIdOrPrefix(text: string, id: string): boolean {
  if (text === id) return true
  if (!UUID.test(id)) return false
  const isLongEnough = text.length >= ID_PREFIX_MIN
  return isLongEnough && id.toLowerCase().startsWith(text.toLowerCase())
}

/**
 * Reads the fields of a JSON object strictly and collects every fault, so that an answer can name all the fields at once.
 * A field that is null counts as absent; unknown fields are ignored. A faulty field reads as an empty value, which is never
 * used because `assertNoFaults` throws first.
 */
export class Fields {
  readonly faults: string[]
  readonly #values: Readonly<Record<string, unknown>>
  readonly #prefix: string

  constructor(values: Readonly<Record<string, unknown>>, prefix = '', faults: string[] = []) {
    this.#values = values
    this.#prefix = prefix
    this.faults = faults
  }

  /** Throws a 400 with this code and all faults, if there are any. */
  assertNoFaults(code: string): void {
    if (this.faults.length > 0) throw new HttpError(400, code, this.faults.join('; '))
  }

  value(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? (this.#values[name] ?? undefined) : undefined
  }

  fault(name: string, problem: string): void {
    this.faults.push(t`\`${this.#prefix}${name}\` ${problem}`)
  }

  text(name: string): string {
    const value = this.optionalText(name)
    if (this.value(name) === undefined) this.fault(name, t`is required`)
    return value ?? ''
  }

  optionalText(name: string): string | undefined {
    const value = this.value(name)
    if (value === undefined) return undefined
    if (typeof value === 'string' && value.trim() !== '' && !hasControlCharacter(value)) return value
    this.fault(name, t`must be a string that is not blank and holds no control characters`)
    return undefined
  }

  /** A web address. */
  url(name: string): string {
    const text = this.text(name)
    if (text !== '' && !isAbsoluteHttpUrl(text)) this.fault(name, t`must be an http or https URL`)
    return text
  }

  cents(name: string): number {
    if (this.value(name) === undefined) this.fault(name, t`is required`)
    return this.optionalCents(name) ?? 0
  }

  /** An amount in reais, as cents. A string is not an amount. */
  optionalCents(name: string, { zeroAllowed = false } = {}): number | undefined {
    const value = this.value(name)
    if (value === undefined) return undefined
    const cents = typeof value === 'number' ? centsFromJson(value) : undefined
    if (cents !== undefined && cents <= AMOUNT_CENTS_MAX && (cents > 0 || zeroAllowed)) return cents
    this.fault(
      name,
      zeroAllowed
        ? t`must be a JSON number of reais from 0 to 9999999999.99 with at most two decimals`
        : t`must be a JSON number of reais above 0, up to 9999999999.99, with at most two decimals`,
    )
    return undefined
  }

  /** The fields of an object inside, whose faults come together with these. */
  group(name: string): Fields | undefined {
    const value = this.value(name)
    if (value === undefined) return undefined
    if (isObject(value)) return new Fields(value, `${this.#prefix}${name}.`, this.faults)
    this.fault(name, t`must be an object`)
    return undefined
  }
}

/** True for an absolute http or https URL. */
export function isAbsoluteHttpUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || /\s/.test(text)) return false
  return URL.canParse(text)
}
