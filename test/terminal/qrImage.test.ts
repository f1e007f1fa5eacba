import fc from 'fast-check'
import { PNG } from 'pngjs'
import encodeQR from 'qr'
import { describe, expect, it } from 'vitest'
import { Malformed } from '../../src/pix/malformed.ts'
import { isPng, readQrImage } from '../../src/terminal/qrImage.ts'
import vectors from '../fixtures/vectors.json' with { type: 'json' }

type Rgba = readonly [red: number, green: number, blue: number, alpha: number]
const BLACK: Rgba = [0, 0, 0, 255]
const WHITE: Rgba = [255, 255, 255, 255]
const CODE = vectors.brCodesValid[1]?.code ?? ''

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
]

describe('the text of a picture', () => {
  it.each(looks)('is read: %s', (_, look) => {
    expect(readQrImage(picture(CODE, look))).toBe(CODE)
  })

  it.each([
    ['grey', { colorType: 0 }],
    ['grey of 16 bits', { colorType: 0, bitDepth: 16 }],
    ['grey with transparency', { colorType: 4 }],
    ['colour', { colorType: 2 }],
    ['colour of 16 bits', { colorType: 6, bitDepth: 16 }],
  ] as const)('is read from a PNG of kind %s', (_, options) => {
    expect(readQrImage(picture(CODE, {}, options))).toBe(CODE)
  })

  it('is read from one bit a pixel and from a palette, as other programs write them', () => {
    expect(readQrImage(Buffer.from(GREY_1_BIT, 'base64'))).toBe('000201')
    expect(readQrImage(Buffer.from(PALETTE_1_BIT, 'base64'))).toBe('000201')
    expect(readQrImage(Buffer.from(PALETTE_INTERLACED, 'base64'))).toBe('000201')
  })

  it('may be as long as codes get, and need not be ASCII', () => {
    for (const text of [CODE.padEnd(512, 'x'), 'São Paulo, €10, 🧾']) expect(readQrImage(picture(text, {}))).toBe(text)
  })

  it('is undefined where there is no QR code', () => {
    expect(readQrImage(picture(CODE, { dark: WHITE }))).toBeUndefined()
    expect(readQrImage(PNG.sync.write(new PNG({ width: 1, height: 1, fill: true })))).toBeUndefined()
    expect(readQrImage(PNG.sync.write(noise(300, 200)))).toBeUndefined()
  })
})

describe('bytes that are no picture', () => {
  const png = picture(CODE, { modulePixels: 2 })

  it.each([
    ['text', Buffer.from(CODE), 'The file is no PNG image'],
    ['nothing', Buffer.alloc(0), 'The file is no PNG image'],
    ['a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), 'The file is no PNG image'],
    ['a signature alone', png.subarray(0, 8), 'The PNG image is damaged'],
    ['half a header', png.subarray(0, 28), 'The PNG image is damaged'],
    ['half a picture', png.subarray(0, png.length / 2), 'The PNG image is damaged'],
    ['a changed byte', changed(png, 60), 'The PNG image is damaged'],
    ['8001 pixels', withSize(png, 8001, 10), 'The image is too large to look for a QR code in it'],
    ['8001 pixels of height', withSize(png, 10, 8001), 'The image is too large to look for a QR code in it'],
    [
      '20 MB',
      Buffer.concat([png, Buffer.alloc(20 * 1024 * 1024)]),
      'The image is too large to look for a QR code in it',
    ],
    ['no width', withSize(png, 0, 10), 'The PNG image is damaged'],
  ])('are refused: %s', (_, bytes, message) => {
    expect(() => readQrImage(bytes)).toThrow(new Malformed(message, ''))
    expect(() => readQrImage(bytes)).toThrow(Malformed)
  })

  it('are refused when an interlaced picture is large, since it could unpack to any size', () => {
    const interlaced = Buffer.concat([Buffer.from(PALETTE_INTERLACED, 'base64'), Buffer.alloc(1024 * 1024)])
    expect(() => readQrImage(interlaced)).toThrow('The image is too large')
  })

  it('never lead to anything but a text, nothing, or Malformed', () => {
    const small = picture('1', { modulePixels: 1, quietModules: 1 })
    fc.assert(
      fc.property(fc.nat(small.length - 1), fc.nat(255), fc.nat(small.length), (index, byte, length) => {
        const bytes = Buffer.from(small.subarray(0, length))
        if (index < bytes.length) bytes[index] = byte
        try {
          expect([undefined, '1']).toContain(readQrImage(bytes))
        } catch (error) {
          expect(error).toBeInstanceOf(Malformed)
        }
      }),
    )
  })

  it('are told from a PNG by their beginning', () => {
    expect(isPng(png)).toBe(true)
    expect(isPng(png.subarray(0, 7))).toBe(false)
    expect(isPng(Buffer.from(CODE))).toBe(false)
  })
})
