import { inspect } from 'node:util'

const HIDDEN = '••••'

/** Text that must never be shown: printing, JSON and inspection give dots; only `reveal()` gives the text. */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** The text itself, for the one place that sends or hashes it. */
  reveal(): string {
    return this.#text
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

/** The text with every occurrence of a secret of 6 characters or more replaced by dots, plain or as JSON writes it. */
export function redact(text: string, secrets: readonly Secret[]): string {
  let redacted = text
  for (const secret of secrets) {
    const plain = secret.reveal()
    if (plain.length < 6) continue
    redacted = redacted.replaceAll(plain, HIDDEN).replaceAll(JSON.stringify(plain).slice(1, -1), HIDDEN)
  }
  return redacted
}
