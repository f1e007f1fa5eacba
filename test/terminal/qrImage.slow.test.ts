import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { PNG, type PNGOptions } from 'pngjs'
import encodeQR from 'qr'
import { describe, expect, it } from 'vitest'
import { Malformed } from '../../src/pix/expectedError.ts'
import { isPicture, readQrImage } from '../../src/terminal/qrImage.ts'
import vectors from '../fixtures/vectors.json' with { type: 'json' }
import { pngChunk } from '../parsers/examples.ts'

type Rgba = readonly [red: number, green: number, blue: number, alpha: number]
const BLACK: Rgba = [0, 0, 0, 255]
const WHITE: Rgba = [255, 255, 255, 255]
const CODE = vectors.brCodesValid[1]?.code ?? ''

const OTHER = vectors.brCodesValid[2]?.code ?? ''

/** A picture of a link and CODE, one below the other. */
const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures', name))
const JPEG = fixture('twoCodes.jpg')
const WEBP = fixture('twoCodes.webp')
const WEBP_LOSSLESS = fixture('twoCodesLossless.webp')

const ONE_BIT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAPoAAAD6AQAAAACgl2eQAAAAzUlEQVR4nO3X0Q6DMAgFUP4cPs0/Y0mBFuecPvdetjQazxOhtIj/' +
    'j0MICAgICF4AkxHqpv0ND2isplYqVzRgImrrN96AwSgUAh9/ZFDrw87aHWTrnNvmrtNuDioiOT2wwDpQPM+UzBMYiG+rk0TpAAKv' +
    'RhrHic7KQQOZJI1eonMLgYHsnaLtQQHBylXUSn5GA20Qq276ddECAe1qVReunwPp9mA2UqlEnQsGDcxZzKFBnrCXRgoD2oapScQB' +
    'wWkQi/HcAcF9EBAQEBA8gA8XieuUrE13yAAAAABJRU5ErkJggg==',
  'base64',
)
const PALETTE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAADIAAAAyAQMAAAAk8RryAAAABlBMVEX///8AAABVwtN+AAAAeUlEQVQY04XPOwoFMQgFUGHagFsR' +
    '0rp4Ia3gVgKvvZAXsNCp5jbHxh/RR/gEDspB7jaacArvxn5r4yWFZH/Kxz3np0QPcnPKvGSiJFWVJusWWDlkrqCSfxam5a1ioeSz' +
    '+BnlvUunNOEb6BqmvtzHmhTLd3n/CkP5kT+9loH3Wp3/oAAAAABJRU5ErkJggg==',
  'base64',
)
const PALETTE_INTERLACED = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAADIAAAAyAQMAAAFT9ipkAAAABlBMVEX///8AAABVwtN+AAABJUlEQVQY031OsUoDQRQcCFgdLPgB' +
    'cgRLCQsHNq5cvsBKgjZiZaEWsVAQxEgKGyUIWkvqmMJCBIPIwllYLGzjB1xpIbJgY7HkfG/daxR87HszMMPMAtjFERawSZfnHR4v' +
    'eKUFeg6HDmsSOxc4dujdsuGgRNrm1y3RKbF9gr0U+200h2hq5vWkoz7QepwQuyOGOdqZrRVgfp2Dlq5JuF8ly6BD7GGM35M/TeuU' +
    '4SRGtfp1Xj6axtDsaiMmLz6/xfjls9PYkV/O1kXjj9jWOv+KlfnNAP+MqKyvPJDAGJ0QegNrGK37QZ0EhJWsi8oY9gONcIUoZMZM' +
    'KSUJhXLSa/LLrLCsf2qrVXDagvWqEI0k5KlMhj7nfejxmQroKh30wrjQZ7X/8+1vI5x9+gYPXIQAAAAASUVORK5CYII=',
  'base64',
)

const PIXELS = Buffer.concat(Array.from({ length: 10 }, () => Buffer.concat([Buffer.from([0]), Buffer.alloc(30, 255)])))

interface Look {
  dark?: Rgba
  light?: Rgba
  modulePixels?: number
  quietModules?: number
  width?: number
  height?: number
}

const looks: [name: string, look: Look][] = [
  ['black on white', {}],
  ['inverted', { dark: WHITE, light: BLACK }],
  ['black on nothing', { light: [0, 0, 0, 0] }],
  ['black on transparent white', { light: [255, 255, 255, 0] }],
  ['white on nothing', { dark: WHITE, light: [0, 0, 0, 0] }],
  ['half transparent', { dark: [0, 0, 0, 128], light: [0, 0, 0, 0] }],
  ['colours', { dark: [120, 0, 40, 255], light: [255, 240, 180, 255] }],
  ['pale', { dark: [100, 100, 100, 255], light: [160, 160, 160, 255] }],
  ['one pixel a module', { modulePixels: 1 }],
  ['two pixels a module', { modulePixels: 2 }],
  ['one pixel a module, inverted', { modulePixels: 1, dark: WHITE, light: BLACK }],
  ['large modules', { modulePixels: 16 }],
  ['no quiet zone', { quietModules: 0 }],
  ['no quiet zone, inverted', { quietModules: 0, dark: WHITE, light: BLACK }],
  ['no quiet zone, one pixel a module', { quietModules: 0, modulePixels: 1 }],
  ['a wide margin', { width: 1500, height: 900 }],
  ['a side above what the decoder takes', { width: 4200, height: 600, modulePixels: 8 }],
  ['a height above what the decoder takes', { width: 600, height: 4200, modulePixels: 8 }],
]

describe('the text of a picture', () => {
  it.each(looks)('is read: %s', async (_, look) => {
    expect(await readQrImage(picture(CODE, look))).toEqual([CODE])
  })

  it.each([
    ['grey', { colorType: 0 }],
    ['grey of 16 bits', { colorType: 0, bitDepth: 16 }],
    ['grey with transparency', { colorType: 4 }],
    ['colour', { colorType: 2 }],
    ['colour of 16 bits', { colorType: 6, bitDepth: 16 }],
  ] as const)('is read from a PNG of kind %s', async (_, options) => {
    expect(await readQrImage(picture(CODE, {}, options))).toEqual([CODE])
  })

  it('is read from one bit a pixel and from a palette, as other programs write them', async () => {
    expect(await readQrImage(ONE_BIT)).toEqual(['000201'])
    expect(await readQrImage(PALETTE)).toEqual(['000201'])
    expect(await readQrImage(PALETTE_INTERLACED)).toEqual(['000201'])
  })

  it('is read from a small code of one pixel a module', async () => {
    for (const look of looks) {
      const [, { dark, light }] = look
      expect(await readQrImage(picture('A'.repeat(20), { dark, light, modulePixels: 1 }))).toEqual(['A'.repeat(20)])
    }
  })

  it('may be as long as codes get, and need not be ASCII', async () => {
    for (const text of [CODE.padEnd(512, 'x'), 'São Paulo, €10, 🧾'])
      expect(await readQrImage(picture(text, {}))).toEqual([text])
  })

  it('is read of every code in it, each text once', async () => {
    expect((await readQrImage(pictures([CODE, 'https://shop.example/7', CODE]))).sort()).toEqual([
      CODE,
      'https://shop.example/7',
    ])
    expect((await readQrImage(pictures([CODE, OTHER]))).sort()).toEqual([CODE, OTHER].sort())
  })

  it.each([
    ['a JPEG', JPEG],
    ['a WebP', WEBP],
    ['a WebP without loss', WEBP_LOSSLESS],
  ])('is read from %s, as phones send them', async (_, bytes) => {
    expect((await readQrImage(bytes)).sort()).toEqual([CODE, 'https://shop.example/7'])
  })

  it('is none if there is no QR code', async () => {
    expect(await readQrImage(picture(CODE, { dark: WHITE }))).toEqual([])
    expect(await readQrImage(PNG.sync.write(new PNG({ width: 1, height: 1, fill: true })))).toEqual([])
    expect(await readQrImage(PNG.sync.write(noise(300, 200)))).toEqual([])
  })
})

describe('bytes that are no picture', () => {
  const png = picture(CODE, { modulePixels: 2 })

  it.each([
    ['text', Buffer.from(CODE), 'The file is not a PNG, JPEG or WebP image'],
    ['nothing', Buffer.alloc(0), 'The file is not a PNG, JPEG or WebP image'],
    ['the beginning of a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), 'The JPEG image is damaged'],
    ['half a JPEG', JPEG.subarray(0, JPEG.length / 2), 'The JPEG image is damaged'],
    ['half a WebP', WEBP.subarray(0, WEBP.length / 2), 'The WebP image is damaged'],
    ['a WebP of another kind', Buffer.from('RIFF\x04\0\0\0WEBP'), 'The WebP image is damaged'],
    ['a JPEG of 4.3 gigapixels', withFrame(JPEG, 0xffff, 0xffff), 'more than the limit of 16 megapixels'],
    ['a JPEG whose header has no size', withFrame(JPEG, 0, 0), 'The JPEG image is damaged'],
    ['a WebP of 268 megapixels', wideWebp(), 'The image is 16383 × 16383 pixels, more than the limit of 16 megapixels'],
    ['a signature alone', png.subarray(0, 8), 'The PNG image is damaged'],
    ['half a header', png.subarray(0, 28), 'The PNG image is damaged'],
    ['half a picture', png.subarray(0, png.length / 2), 'The PNG image is damaged'],
    ['a changed byte', changed(png, 60), 'The PNG image is damaged'],
    [
      '64 megapixels',
      withSize(png, 8000, 8000),
      'The image is 8000 × 8000 pixels, more than the limit of 16 megapixels',
    ],
    ['the largest size', withSize(png, 2 ** 31 - 1, 2 ** 31 - 1), 'more than the limit of 16 megapixels'],
    ['no width', withSize(png, 0, 10), 'The PNG image is damaged'],
    ['no pixels', withPixels(Buffer.alloc(0)), 'The PNG image is damaged'],
    ['an empty stream of pixels', withPixels(deflateSync(Buffer.alloc(0))), 'The PNG image is damaged'],
    ['one row of pixels', withPixels(deflateSync(Buffer.alloc(31))), 'The PNG image is damaged'],
    ['more than all pixels', withPixels(deflateSync(Buffer.concat([PIXELS, PIXELS]))), 'The PNG image is damaged'],
    ['a stream of pixels that ends', withPixels(deflateSync(PIXELS).subarray(0, -6)), 'The PNG image is damaged'],
  ])('are refused: %s', async (_, bytes, message) => {
    await expect(readQrImage(bytes)).rejects.toThrow(message)
    await expect(readQrImage(bytes)).rejects.toThrow(Malformed)
  })

  it('are refused when an interlaced picture is large, since it could unpack to any size', async () => {
    const interlaced = Buffer.concat([PALETTE_INTERLACED, Buffer.alloc(1024 * 1024)])
    await expect(readQrImage(interlaced)).rejects.toThrow('larger than the limit of 1 MiB')
  })

  it('never lead to anything but a text, nothing, or Malformed', async () => {
    const small = picture('1', { modulePixels: 1, quietModules: 1 })
    for (const [whole, texts, numRuns] of [
      [small, ['1'], 100],
      [JPEG, [CODE, 'https://shop.example/7'], 12],
      [WEBP_LOSSLESS, [CODE, 'https://shop.example/7'], 12],
    ] as const) {
      const property = fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.nat(255),
        fc.nat(whole.length),
        async (index, byte, length) => {
          const bytes = Buffer.from(whole.subarray(0, length))
          if (index < bytes.length) bytes[index] = byte
          try {
            expect(texts).toEqual(expect.arrayContaining(await readQrImage(bytes)))
          } catch (error) {
            expect(error).toBeInstanceOf(Malformed)
          }
        },
      )
      await fc.assert(property, { numRuns })
    }
  })

  it('are recognised by their first bytes', () => {
    expect([png, JPEG, WEBP, WEBP_LOSSLESS].map(isPicture)).toEqual([true, true, true, true])
    expect([png.subarray(0, 7), Buffer.from(CODE), Buffer.from('GIF89a')].map(isPicture)).toEqual([false, false, false])
  })
})

/** A QR code as a PNG, in the middle of the size that is asked for. */
function picture(text: string, look: Look, options: PNGOptions = {}): Buffer {
  const { dark = BLACK, light = WHITE, modulePixels = 4, quietModules = 4, width = 0, height = 0 } = look
  const modules = encodeQR(text, 'raw', { border: 1 })
    .slice(1, -1)
    .map((row) => row.slice(1, -1))
  const side = (modules.length + 2 * quietModules) * modulePixels
  const png = new PNG({ width: Math.max(side, width), height: Math.max(side, height) })
  const left = Math.floor((png.width - modules.length * modulePixels) / 2)
  const top = Math.floor((png.height - modules.length * modulePixels) / 2)
  png.data.fill(Buffer.from(light))
  for (const [row, cells] of modules.entries()) {
    for (const [column, isDark] of cells.entries()) {
      if (!isDark) continue
      for (let line = 0; line < modulePixels; line += 1) {
        const start = ((top + row * modulePixels + line) * png.width + left + column * modulePixels) * 4
        png.data.fill(Buffer.from(dark), start, start + modulePixels * 4)
      }
    }
  }
  return PNG.sync.write(png, options)
}

/** Several QR codes, one below the other. */
function pictures(texts: readonly string[]): Buffer {
  const each = texts.map((text) => PNG.sync.read(picture(text, { width: 400, height: 400 })))
  const all = new PNG({ width: 400, height: each.reduce((sum, { height }) => sum + height, 0) })
  all.data = Buffer.concat(each.map(({ data }) => data))
  return PNG.sync.write(all)
}

function noise(width: number, height: number): PNG {
  const png = new PNG({ width, height })
  for (let index = 0; index < png.data.length; index += 1) {
    png.data[index] = index % 4 === 3 ? 255 : Math.imul(index, 2654435761) >>> 13
  }
  return png
}

/** A white picture of 10 × 10 pixels whose compressed data are these. */
function withPixels(data: Buffer): Buffer {
  const header = Buffer.from('0000000a0000000a0802000000', 'hex')
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', data), pngChunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks])
}

function changed(png: Buffer, index: number): Buffer {
  const bytes = Buffer.from(png)
  bytes[index] = (bytes[index] ?? 0) ^ 1
  return bytes
}

/** A JPEG whose frame says this size. */
function withFrame(jpeg: Buffer, width: number, height: number): Buffer {
  const bytes = Buffer.from(jpeg)
  const frame =
    bytes.indexOf(Buffer.from([0xff, 0xc2])) === -1
      ? bytes.indexOf(Buffer.from([0xff, 0xc0]))
      : bytes.indexOf(Buffer.from([0xff, 0xc2]))
  bytes.writeUInt16BE(height, frame + 5)
  bytes.writeUInt16BE(width, frame + 7)
  return bytes
}

/** A WebP whose picture says the largest size. */
function wideWebp(): Buffer {
  const bytes = Buffer.from(WEBP)
  const frame = bytes.indexOf('VP8 ') + 8
  bytes.writeUInt16LE(0x3fff, frame + 6)
  bytes.writeUInt16LE(0x3fff, frame + 8)
  return bytes
}

function withSize(png: Buffer, width: number, height: number): Buffer {
  const bytes = Buffer.from(png)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}
