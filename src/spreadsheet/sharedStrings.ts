import { t } from '../text/translate.ts'
import { UnsafeXml, type XmlHandler } from './xmlReader.ts'

const BYTES_MAX = 64 * 1024 * 1024
const COUNT_MAX = 5_000_000

/** The texts of a workbook to which its cells refer. They are kept as bytes, because each string of its own would take a multiple of that. */
export class SharedStrings implements XmlHandler {
  #bytes = Buffer.alloc(64 * 1024)
  /** Where each text ends. */
  #ends = new Uint32Array(1024)
  #count = 0
  #length = 0
  readonly #text = new TextParts()

  open(name: string, _: unknown, parent: string): void {
    if (name === 'si') this.#text.begin()
    else this.#text.open(name, parent)
  }

  close(name: string): void {
    if (name === 'si') this.#add(this.#text.end())
    else this.#text.close(name)
  }

  text(text: string): void {
    this.#text.add(text)
  }

  /** The text with a number, counted from 0; undefined if there is none. */
  get(number: number): string | undefined {
    if (!Number.isInteger(number) || number < 0 || number >= this.#count) return undefined
    return this.#bytes.toString('utf8', number === 0 ? 0 : this.#ends[number - 1], this.#ends[number])
  }

  #add(text: string): void {
    const bytes = Buffer.byteLength(text)
    if (this.#count === COUNT_MAX || this.#length + bytes > BYTES_MAX) throw new UnsafeXml(t`it has too many texts`)
    while (this.#length + bytes > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes], this.#bytes.length * 2)
    }
    if (this.#count === this.#ends.length) {
      const longer = new Uint32Array(this.#ends.length * 2)
      longer.set(this.#ends)
      this.#ends = longer
    }
    this.#length += this.#bytes.write(text, this.#length)
    this.#ends[this.#count] = this.#length
    this.#count += 1
  }
}

/** The longest text of a cell or of a row; a spreadsheet has 32,767 in a cell. */
export const TEXT_CHARACTERS_MAX = 1_000_000

/** The text of a cell in the file format: one piece, or several of different formats. How Japanese is pronounced is not part of it. */
export class TextParts {
  #text: string | undefined
  #isText = false
  #isPronunciation = false

  begin(): void {
    this.#text = ''
    this.#isText = false
    this.#isPronunciation = false
  }

  open(name: string, parent: string): void {
    if (name === 'rPh') this.#isPronunciation = true
    else if (name === 't') this.#isText = parent !== 'rPh'
  }

  close(name: string): void {
    if (name === 'rPh') this.#isPronunciation = false
    else if (name === 't') this.#isText = false
  }

  add(text: string): void {
    if (this.#text === undefined || !this.#isText || this.#isPronunciation) return
    if (this.#text.length + text.length > TEXT_CHARACTERS_MAX) throw longText()
    this.#text += text
  }

  end(): string {
    const text = unescaped(this.#text ?? '')
    this.#text = undefined
    return text
  }
}

export function longText(): UnsafeXml {
  return new UnsafeXml(t`it has a row or a cell of more than ${TEXT_CHARACTERS_MAX} characters`)
}

/** Text with the characters that XML cannot hold, which the file format writes as `_x000D_`. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([\da-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
