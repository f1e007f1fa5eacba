import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Chalk } from 'chalk'
import { PNG } from 'pngjs'
import decodeQR from 'qr/decode.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readBrCode } from '../../src/pix/brCode.ts'
import { qrImage } from '../../src/sandbox/brCodes.ts'
import { drawQr } from '../../src/terminal/qrDrawing.ts'
import { startWorld } from './sandboxWorld.ts'

const hasZbar = spawnSync('zbarimg', ['--version']).status === 0

function decoded(png: Buffer): string {
  const { width, height, data } = PNG.sync.read(png)
  return decodeQR({ width, height, data })
}

function readByZbar(png: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-qr-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'qr.png'), png)
  // Without a desktop zbarimg complains on stderr of a bus that it does not find.
  const image = join(folder, 'qr.png')
  return execFileSync('zbarimg', ['--quiet', '--raw', image], { stdio: ['ignore', 'pipe', 'ignore'] })
    .toString()
    .trim()
}

/** The modules of a picture of 250 pixels, with its quiet zone, as a terminal draws them. */
function modulesIn(png: Buffer, count: number): string[] {
  const { width, data } = PNG.sync.read(png)
  const scale = Math.floor(width / count)
  const margin = Math.floor((width - count * scale) / 2)
  const isDark = (row: number, column: number) =>
    row < count && data[((margin + row * scale) * width + margin + column * scale) * 4] === 0
  return Array.from({ length: Math.ceil(count / 2) }, (_, line) =>
    Array.from({ length: count }, (__, column) => {
      const [upper, lower] = [isDark(line * 2, column), isDark(line * 2 + 1, column)]
      return upper ? (lower ? '█' : '▀') : lower ? '▄' : ' '
    }).join(''),
  )
}

describe('qrImage', () => {
  test.each([1, 100, 300, 512])('a text of %i characters has the modules that a terminal shows', (length) => {
    const text = '0123456789abcdefghijklmnop.br*'.repeat(18).slice(0, length)
    const area = { columns: 200, rows: 200, style: new Chalk({ level: 0 }), lightBackground: true }
    const lines = drawQr(text, area)
    expect(lines).toEqual(modulesIn(qrImage(text), Array.isArray(lines) ? (lines[0]?.length ?? 0) : 0))
  })

  test('is a PNG of 250 × 250 pixels in black and white', () => {
    const png = qrImage('hello')
    expect(PNG.sync.read(png)).toMatchObject({ width: 250, height: 250, color: false })
    expect(png.length).toBeLessThan(2000)
  })

  test.each([1, 20, 100, 176, 250, 400, 512])('a text of %i characters comes back', (length) => {
    const text = '0123456789abcdefghijklmnop.br*'.repeat(18).slice(0, length)
    expect(decoded(qrImage(text))).toBe(text)
  })

  test('the image of a payment shows its code', async () => {
    const world = await startWorld()
    const { body } = await world.cashIn({ amount: 9_999_999_999.99 })
    const base64 = String(body.paymentCodeBase64)
    expect(base64).toMatch(/^iVBORw0KGgo[A-Za-z0-9+/]+=*$/)
    expect(decoded(Buffer.from(base64, 'base64'))).toBe(body.paymentCode)
    expect(readBrCode(String(body.paymentCode))).toMatchObject({
      valid: true,
      kind: 'dynamic',
      warnings: [],
      amountCents: 999_999_999_999,
    })
  })

  test.skipIf(!hasZbar)('ZBAR IS NEEDED FOR THIS: zbarimg reads the same code', async () => {
    const world = await startWorld()
    for (const amount of [0.01, 10.5, 1234.56]) {
      const { body } = await world.cashIn({ amount })
      expect(readByZbar(Buffer.from(String(body.paymentCodeBase64), 'base64'))).toBe(body.paymentCode)
    }
  })
})
