import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Chalk } from 'chalk'
import { PNG } from 'pngjs'
import decodeQR from 'qr/decode.js'
import { afterAll, describe, expect, it } from 'vitest'
import { drawQr, type QrArea, qrArea, qrNotDrawnText } from '../../src/terminal/qrDrawing.ts'
import vectors from '../fixtures/vectors.json' with { type: 'json' }

const MODULE_PIXELS = 4
const plain = new Chalk({ level: 0 })
const ESCAPE = '\u001b'

type Named = readonly [name: string, area: QrArea]
const areas: readonly [Named, ...Named[]] = [
  ['plain on dark', { columns: 200, rows: 200, style: plain, lightBackground: false }],
  ['plain on light', { columns: 200, rows: 200, style: plain, lightBackground: true }],
  ['16 colours on dark', { columns: 200, rows: 200, style: new Chalk({ level: 1 }), lightBackground: false }],
  ['16 colours on light', { columns: 200, rows: 200, style: new Chalk({ level: 1 }), lightBackground: true }],
  ['256 colours', { columns: 200, rows: 200, style: new Chalk({ level: 2 }), lightBackground: false }],
  ['true colours', { columns: 200, rows: 200, style: new Chalk({ level: 3 }), lightBackground: false }],
]
const codes = vectors.brCodesValid.map(({ code }) => code)
const lengths = [20, 21, 60, 100, 150, 151, 200, 250, 300, 331, 332, 400, 425, 426, 512]
const texts: readonly string[] = [
  ...codes,
  ...lengths.map((length) => `${codes[0]}${codes[1]}${codes[2]}`.slice(0, 400).padEnd(length, 'aB3.').slice(0, length)),
]

/** What is drawn in an area: the colours do not depend on the text, so one area alone shows all of them. */
function textsFor(area: QrArea): readonly string[] {
  return area === areas[0][1] ? texts : texts.filter((_text, index) => index % 4 === 0)
}

describe('a drawing', () => {
  it.each(areas)('is read by the decoder: %s', (_, area) => {
    for (const text of textsFor(area)) expect(decodeQR(screenshot(drawn(text, area), area))).toBe(text)
  })

  it('is read by the decoder if only the weaker correction of errors fits', () => {
    let count = 0
    for (const text of texts) {
      const columns = (drawn(text, areas[0][1])[0]?.length ?? 0) - 1
      const area = { columns, rows: 200, style: plain, lightBackground: false }
      const lines = drawQr(text, area)
      if (!Array.isArray(lines)) continue
      expect(decodeQR(screenshot(lines, area))).toBe(text)
      count += 1
    }
    expect(count).toBeGreaterThan(10)
  })

  it('holds the UTF-8 bytes of a text that is not ASCII', () => {
    const text = 'São Paulo, €10, 🧾'
    for (const [, area] of areas) expect(decodeQR(screenshot(drawn(text, area), area))).toBe(text)
  })

  it('has 4 modules of quiet zone on all sides, or one more at the bottom', () => {
    const area = { columns: 80, rows: 200, style: plain, lightBackground: true }
    const lines = drawn('1', area)
    expect(lines).toHaveLength(15)
    expect(new Set(lines.map((line) => line.length))).toEqual(new Set([29]))
    const blank = ' '.repeat(29)
    expect([...lines.slice(0, 2), ...lines.slice(-2)]).toEqual([blank, blank, blank, blank])
    expect(lines[2]).toMatch(/^ {4}█▀{5}█ .* █▀{5}█ {4}$/)
    expect(lines.at(-3)).toMatch(/^ {4}▀{7} .* {4}$/)
  })

  it('holds no escape sequence without colour, and its own colours on every line with colour', () => {
    expect(drawn('1', { columns: 80, rows: 200, style: plain, lightBackground: false }).join('')).not.toContain(ESCAPE)
    const opening = {
      1: '\u001b[30m\u001b[107m',
      2: '\u001b[38;5;16m\u001b[48;5;231m',
      3: '\u001b[38;2;0;0;0m\u001b[48;2;255;255;255m',
    }
    for (const level of [1, 2, 3] as const) {
      for (const line of drawn('1', { columns: 80, rows: 200, style: new Chalk({ level }), lightBackground: true })) {
        expect(withoutColour(line)).toHaveLength(29)
        expect(line.startsWith(opening[level])).toBe(true)
        expect(line.endsWith('\u001b[49m\u001b[39m')).toBe(true)
      }
    }
  })

  it('uses error correction M if it fits the width, else L, else is omitted', () => {
    const text = 'x'.repeat(107)
    const widthOf = (columns: number) => {
      const lines = drawQr(text, { columns, rows: 200, style: plain, lightBackground: false })
      return Array.isArray(lines) ? lines[0]?.length : lines
    }
    expect(widthOf(80)).toBe(53)
    expect(widthOf(53)).toBe(53)
    expect(widthOf(52)).toBe(49)
    expect(widthOf(49)).toBe(49)
    expect(widthOf(48)).toEqual({ columnsNeeded: 49 })
  })

  it('takes the weaker correction of errors if only that fits the height, and the better one if neither does', () => {
    const text = 'x'.repeat(170)
    const heightOf = (rows: number) => drawn(text, { columns: 80, rows, style: plain, lightBackground: false }).length
    expect([40, 32, 31, 30, 29, 24].map(heightOf)).toEqual([31, 31, 29, 29, 31, 31])
  })

  it('says of a text that is too long for any QR code that no width is enough', () => {
    const area = { columns: Number.POSITIVE_INFINITY, rows: 200, style: plain, lightBackground: false }
    expect(drawn('x'.repeat(2953), area)).toHaveLength(93)
    expect(drawQr('x'.repeat(2954), area)).toEqual({ columnsNeeded: Number.POSITIVE_INFINITY })
    expect(drawQr('é'.repeat(1477), area)).toEqual({ columnsNeeded: Number.POSITIVE_INFINITY })
    expect(qrNotDrawnText(85, 80)).toBe('The QR code was not drawn: it needs 85 columns, but the terminal has 80')
    expect(qrNotDrawnText(Number.POSITIVE_INFINITY, 80)).toBe('The text is too long for a QR code')
  })
})

const zbarMissing = spawnSync('zbarimg', ['--version']).error !== undefined

describe('a drawing before another reader', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-drawing-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it.skipIf(zbarMissing).each(areas)('is read by zbarimg, WHICH MUST BE INSTALLED: %s', (_, area) => {
    const shown = textsFor(area)
    const files = shown.map((text, index) => {
      const file = join(folder, `${index}.png`)
      writeFileSync(file, PNG.sync.write(screenshot(drawn(text, area), area)))
      return file
    })
    const options = ['--quiet', '--raw', '-Sdisable', '-Sqrcode.enable']
    expect(
      execFileSync('zbarimg', [...options, ...files], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
        .trimEnd()
        .split('\n'),
    ).toEqual(shown)
  })
})

describe('the area', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['15;0', false],
    ['0;15', true],
    ['0;default;15', true],
    ['0;7', true],
    ['7;default', false],
  ])('with COLORFGBG %j has a light background: %j', (COLORFGBG, light) => {
    expect(qrArea({ outIsTerminal: true, columns: 72, rows: 200, out: plain }, { COLORFGBG }).lightBackground).toBe(
      light,
    )
  })

  it('is as wide as the terminal, and has no limit in a pipe', () => {
    const out = new Chalk({ level: 1 })
    expect(qrArea({ outIsTerminal: true, columns: 72, rows: 200, out }, {})).toMatchObject({
      columns: 72,
      rows: 200,
      style: out,
    })
    expect(qrArea({ outIsTerminal: false, columns: 72, rows: Number.POSITIVE_INFINITY, out }, {}).columns).toBe(
      Number.POSITIVE_INFINITY,
    )
  })
})

function drawn(text: string, area: QrArea): string[] {
  const lines = drawQr(text, area)
  if (!Array.isArray(lines)) throw new Error(`not drawn: ${lines.columnsNeeded} columns`)
  return lines
}

function withoutColour(line: string): string {
  return line.replaceAll(new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'g'), '')
}

/** One character of a screen: the grey of its ink and of its ground. */
interface ScreenCell {
  glyph: string
  ink: number
  ground: number
}

const DARK = /^(?:[34]0|[34]8;2;0;0;0|[34]8;5;16)$/
const LIGHT = /^(?:97|107|[34]8;2;255;255;255|[34]8;5;231)$/

/** The characters of a line with the colours that the sequences before them set. */
function cellsOf(line: string, own: { ink: number; ground: number }): ScreenCell[] {
  const cells: ScreenCell[] = []
  let { ink, ground } = own
  for (const part of line.split(new RegExp(`(${ESCAPE}\\[[0-9;]*m)`))) {
    if (!part.startsWith(ESCAPE)) {
      for (const glyph of part) cells.push({ glyph, ink, ground })
      continue
    }
    const code = part.slice(2, -1)
    const grey = DARK.test(code) ? 0 : LIGHT.test(code) ? 255 : undefined
    if (code === '39') ink = own.ink
    else if (code === '49') ground = own.ground
    else if (grey === undefined) throw new Error(`unknown colour ${code}`)
    else if (/^(?:4|10)/.test(code)) ground = grey
    else ink = grey
  }
  return cells
}

/** What the lines look like in the middle of a terminal, whose own background shows around them. */
function screenshot(lines: readonly string[], { lightBackground }: QrArea): PNG {
  const background = lightBackground ? 255 : 0
  const rows = lines.map((line) => cellsOf(line, { ink: 255 - background, ground: background }))
  const margin = 5
  const width = ((rows[0]?.length ?? 0) + 2 * margin) * MODULE_PIXELS
  const height = (rows.length + margin) * 2 * MODULE_PIXELS
  const png = new PNG({ width, height })
  const greyOf = (half: number, column: number) => {
    const cell = rows[Math.floor(half / 2)]?.[column]
    const inked = cell?.glyph === '█' || cell?.glyph === (Math.abs(half % 2) === 0 ? '▀' : '▄')
    return cell === undefined ? background : inked ? cell.ink : cell.ground
  }
  for (let y = 0; y < height; y += MODULE_PIXELS) {
    const start = y * width * 4
    for (let x = 0; x < width; x += MODULE_PIXELS) {
      const grey = greyOf(y / MODULE_PIXELS - margin, x / MODULE_PIXELS - margin)
      const [from, to] = [start + x * 4, start + (x + MODULE_PIXELS) * 4]
      png.data.fill(Buffer.of(grey, grey, grey, 255), from, to)
    }
    // The other lines of pixels of these modules.
    for (let line = 1; line < MODULE_PIXELS; line += 1) {
      png.data.copy(png.data, start + line * width * 4, start, start + width * 4)
    }
  }
  return png
}
