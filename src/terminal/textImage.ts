import { PNG } from 'pngjs'
import { LETTER_COLUMNS, LINE_ROWS, lettersOf, pixelsOf } from './bitmapFont.ts'

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
