import { Writable } from 'node:stream'
import type { OutputStream } from '../../src/terminal/terminal.ts'

/** A character of the screen, and the codes of its colours and weight, such as `1` and `36`. */
export interface Cell {
  character: string
  styles: readonly number[]
}

const COLUMNS = 80
const ROWS = 40
const SEQUENCE = /\u001b\[\??([\d;]*)([A-Za-z])|\u001b\][^\u0007]*\u0007|[\s\S]/gu
/** The codes that end a style, by what they end. */
const ENDS = new Map<number, (style: number) => boolean>([
  [0, () => true],
  [22, (style) => style === 1 || style === 2],
  [39, (style) => (style >= 30 && style <= 37) || (style >= 90 && style <= 97)],
  [49, (style) => (style >= 40 && style <= 47) || (style >= 100 && style <= 107)],
])

/** A terminal of 80 columns in memory: it shows what the streams of a command write, and draws prompts in place. Lines are never broken. */
export class Screen {
  readonly #lines: Cell[][] = [[]]
  #row = 0
  #column = 0
  #styles: readonly number[] = []

  /** A stream that writes to the screen, as stdout and stderr of a terminal do. */
  stream(onText: (text: string) => void = () => undefined): OutputStream {
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        this.write(String(chunk))
        onText(String(chunk))
        done()
      },
    })
    // A prompt ends its output, which the streams of a process ignore.
    return Object.assign(stream, { isTTY: true as const, columns: COLUMNS, rows: ROWS, end: () => stream })
  }

  write(text: string): void {
    for (const [whole, parameters = '', command] of text.matchAll(SEQUENCE)) {
      if (command !== undefined) this.#obey(command, parameters)
      else if (!whole.startsWith('\u001b')) this.#put(whole)
    }
  }

  /** The lines up to the last that is not empty. */
  lines(): readonly (readonly Cell[])[] {
    const last = this.#lines.findLastIndex((line) => line.some(({ character }) => character !== ' '))
    return this.#lines.slice(0, last + 1)
  }

  /** The same as text, without spaces at the ends of lines. */
  text(): string {
    return this.lines()
      .map((line) => line.map(({ character }) => character).join(''))
      .map((line) => line.trimEnd())
      .join('\n')
  }

  #put(character: string): void {
    if (character === '\r') this.#column = 0
    else if (character === '\n') {
      this.#column = 0
      this.#row += 1
      this.#lines[this.#row] ??= []
    } else {
      const line = this.#line()
      while (line.length < this.#column) line.push({ character: ' ', styles: [] })
      line[this.#column] = { character, styles: this.#styles }
      this.#column += 1
    }
  }

  #obey(command: string, parameters: string): void {
    const count = Number(parameters) || 1
    if (command === 'm') for (const code of parameters.split(';').map(Number)) this.#style(code)
    else if (command === 'G') this.#column = count - 1
    else if (command === 'A') this.#row = Math.max(0, this.#row - count)
    else if (command === 'B') this.#row = Math.min(this.#lines.length - 1, this.#row + count)
    else if (command === 'C') this.#column += count
    else if (command === 'D') this.#column = Math.max(0, this.#column - count)
    else if (command === 'K') this.#line().length = parameters === '2' ? 0 : Math.min(this.#column, this.#line().length)
    else if (command === 'J') {
      this.#line().length = Math.min(this.#column, this.#line().length)
      this.#lines.length = this.#row + 1
    }
  }

  #style(code: number): void {
    const ends = ENDS.get(code)
    this.#styles = ends === undefined ? [...this.#styles, code] : this.#styles.filter((style) => !ends(style))
  }

  #line(): Cell[] {
    const line = this.#lines[this.#row] ?? []
    this.#lines[this.#row] = line
    return line
  }
}
