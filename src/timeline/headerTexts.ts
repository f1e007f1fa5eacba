/** A header of a webhook. */
type Header = readonly [name: string, value: string]

/**
 * Makes a text of a header, and keeps it for the header that stands in the same place the next time: most webhooks of a
 * connection have the very same.
 */
export class HeaderTexts<Text> {
  readonly #textOf: (header: Header) => Text
  readonly #headers: Header[] = []
  readonly #texts: Text[] = []

  constructor(textOf: (header: Header) => Text) {
    this.#textOf = textOf
  }

  /** The text of a header that stands in this place, counted from 0. */
  of(header: Header, place: number): Text {
    const kept = this.#texts[place]
    const before = this.#headers[place]
    if (kept !== undefined && before?.[0] === header[0] && before[1] === header[1]) return kept
    const text = this.#textOf(header)
    this.#headers[place] = header
    this.#texts[place] = text
    return text
  }
}
