import { PNG } from 'pngjs'

/** The width of a letter in pixels, without the gap after it. */
const LETTER_COLUMNS = 5
/** Pixels above a letter for its accent. */
const ACCENT_ROWS = 3
const BODY_ROWS = 7
const DESCENT_ROWS = 2
/** Pixels of a line of text from top to bottom. */
const LINE_ROWS = ACCENT_ROWS + BODY_ROWS + DESCENT_ROWS

/** The glyphs from space to tilde: five columns each, two hex digits per column, eight rows, lowest bit on top. */
const LETTERS =
  '0000000000' +
  '00005f0000' +
  '0003000300' +
  '147f147f14' +
  '242a7f2a12' +
  '2313086462' +
  '3649562050' +
  '0000030000' +
  '001c224100' +
  '0041221c00' +
  '2a1c7f1c2a' +
  '08083e0808' +
  '0080703000' +
  '0808080808' +
  '0000606000' +
  '2010080402' +
  '3e5149453e' +
  '00427f4000' +
  '7249494946' +
  '2141494d33' +
  '1814127f10' +
  '2745454539' +
  '3c4a494931' +
  '4121110907' +
  '3649494936' +
  '464949291e' +
  '0000240000' +
  '0040340000' +
  '0008142241' +
  '1414141414' +
  '0041221408' +
  '0201590906' +
  '3e415d594e' +
  '7c1211127c' +
  '7f49494936' +
  '3e41414122' +
  '7f4141413e' +
  '7f49494941' +
  '7f09090901' +
  '3e41415173' +
  '7f0808087f' +
  '00417f4100' +
  '2040413f01' +
  '7f08142241' +
  '7f40404040' +
  '7f021c027f' +
  '7f0408107f' +
  '3e4141413e' +
  '7f09090906' +
  '3e4151215e' +
  '7f09192946' +
  '2649494932' +
  '01017f0101' +
  '3f4040403f' +
  '1f2040201f' +
  '3f4038403f' +
  '6314081463' +
  '0304780403' +
  '6151494543' +
  '007f414141' +
  '0204081020' +
  '004141417f' +
  '0402010204' +
  '4040404040' +
  '0001020400' +
  '2054545478' +
  '7f48444438' +
  '3844444420' +
  '384444487f' +
  '3854545418' +
  '087e090102' +
  '18a4a4a47c' +
  '7f08040478' +
  '00447d4000' +
  '4080847d00' +
  '7f10284400' +
  '00417f4000' +
  '7c04180478' +
  '7c08040478' +
  '3844444438' +
  'fc24242418' +
  '18242418fc' +
  '7c08040408' +
  '4854545420' +
  '043f444020' +
  '3c4040207c' +
  '1c2040201c' +
  '3c4030403c' +
  '4428102844' +
  '1ca0a0a07c' +
  '4464544c44' +
  '0008364100' +
  '00007f0000' +
  '0041360800' +
  '0804081008'
const FIRST = ' '.charCodeAt(0)

/** The two pixel rows above a letter for each combining accent. */
const ACCENTS: ReadonlyMap<string, readonly [upper: string, lower: string]> = new Map([
  ['\u0300', ['.#...', '..#..']],
  ['\u0301', ['...#.', '..#..']],
  ['\u0302', ['..#..', '.#.#.']],
  ['\u0303', ['.##.#', '#.##.']],
  ['\u0308', ['.....', '.#.#.']],
])
const CEDILLA = '\u0327'
const CEDILLA_ROWS = ['..#..', '.##..'] as const
/** Drawn in place of a character without a glyph. */
const UNKNOWN_LETTER = '?'
/** Replacements for characters in pixgate's own sentences that have no glyph. */
const PLAIN: ReadonlyMap<string, string> = new Map([
  ['—', '-'],
  ['–', '-'],
  ['…', '...'],
  ['’', "'"],
])

/** Splits a text into letters with their accents. */
export function lettersOf(text: string): string[] {
  const plain = Array.from(text, (character) => PLAIN.get(character) ?? character).join('')
  return plain.normalize('NFKD').match(/\P{M}\p{M}*/gu) ?? []
}

/** The pixels of a letter from {@link lettersOf}, relative to its upper left corner. */
export function pixelsOf(letter: string): { x: number; y: number }[] {
  const [base = UNKNOWN_LETTER, ...marks] = Array.from(letter)
  const isLow = /[a-z]/.test(base)
  const accent = marks.map((mark) => ACCENTS.get(mark)).find((rows) => rows !== undefined)
  const pixels: { x: number; y: number }[] = []
  for (const [x, column] of columnsOf(base).entries()) {
    for (let y = 0; y < BODY_ROWS + 1; y++) {
      // An accent replaces the dot of an i.
      const isDot = accent !== undefined && isLow && y < 2
      if ((column >> y) % 2 === 1 && !isDot) pixels.push({ x, y: y + ACCENT_ROWS })
    }
  }
  if (accent !== undefined) pixels.push(...drawRows(accent, ACCENT_ROWS - (isLow ? 1 : 3)))
  if (marks.includes(CEDILLA)) pixels.push(...drawRows(CEDILLA_ROWS, ACCENT_ROWS + BODY_ROWS))
  return pixels
}

function columnsOf(base: string): number[] {
  const index = base.length === 1 ? base.charCodeAt(0) - FIRST : -1
  const at = index * LETTER_COLUMNS * 2
  const digits = index >= 0 ? LETTERS.slice(at, at + LETTER_COLUMNS * 2) : ''
  if (digits === '') return columnsOf(UNKNOWN_LETTER)
  return Array.from({ length: LETTER_COLUMNS }, (_, x) => Number.parseInt(digits.slice(x * 2, x * 2 + 2), 16))
}

function drawRows(rows: readonly string[], top: number): { x: number; y: number }[] {
  return rows.flatMap((row, y) => Array.from(row).flatMap((mark, x) => (mark === '#' ? [{ x, y: top + y }] : [])))
}

/** Image pixels per letter pixel. */
const SCALE = 2
const MARGIN = 14
const FRAME_AT = 5
const LETTER_WIDTH = LETTER_COLUMNS + 1

/** Draws lines of text in a frame as a PNG, black on white. */
export function drawText(lines: readonly string[]): Buffer {
  const letters = lines.map(lettersOf)
  const width = (Math.max(0, ...letters.map((line) => line.length)) * LETTER_WIDTH + MARGIN * 2) * SCALE
  const height = (lines.length * LINE_ROWS + MARGIN * 2) * SCALE
  const image = new PNG({ width, height, colorType: 0 })
  image.data.fill(0xff)
  const paint = (x: number, y: number) => {
    for (let row = y * SCALE; row < (y + 1) * SCALE; row++) {
      const start = (row * width + x * SCALE) * 4
      for (let at = start; at < start + SCALE * 4; at++) if (at % 4 !== 3) image.data[at] = 0
    }
  }
  drawFrame(width / SCALE, height / SCALE, paint)
  for (const [row, line] of letters.entries()) {
    for (const [column, letter] of line.entries()) {
      for (const { x, y } of pixelsOf(letter)) paint(MARGIN + column * LETTER_WIDTH + x, MARGIN + row * LINE_ROWS + y)
    }
  }
  return PNG.sync.write(image, { colorType: 0 })
}

function drawFrame(width: number, height: number, paint: (x: number, y: number) => void): void {
  for (let x = FRAME_AT; x < width - FRAME_AT; x++) {
    paint(x, FRAME_AT)
    paint(x, height - FRAME_AT - 1)
  }
  for (let y = FRAME_AT; y < height - FRAME_AT; y++) {
    paint(FRAME_AT, y)
    paint(width - FRAME_AT - 1, y)
  }
}
