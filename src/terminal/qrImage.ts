import { inflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { decodeQRBatch } from 'qr/decode.js'
import { Malformed } from '../pix/expectedError.ts'
import { t } from '../text/translate.ts'
import { type Pixels, pictureFormat } from './jpegAndWebp.ts'

/** One byte of brightness per pixel, 0 black. */
interface GreyImage {
  width: number
  height: number
  pixels: Uint8Array
}

/** pngjs decompresses interlaced images without a limit, up to a thousand times their size. */
const INTERLACED_BYTES_MAX = 1024 * 1024
/** pngjs needs about 25 bytes per pixel for an image with 16 bits per channel. */
const MEGAPIXELS_MAX = 16
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Offsets in the PNG header. */
const WIDTH_OFFSET = 16
const HEIGHT_OFFSET = 20
const DEPTH_OFFSET = 24
const COLOUR_TYPE_OFFSET = 25
const INTERLACE_OFFSET = 28
/** How many values a pixel has, by the type of its colour. */
const CHANNELS = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
])
/** Of a chunk, without its data: length, name and checksum. */
const CHUNK_BYTES = 12

const DECODED_SIDE_PIXELS_MAX = 4096
/** The decoder only finds tiny or low-contrast modules after the image is enlarged. */
const SCALES = [1, 2, 3]
const WHITE = 255
const BLACK = 0
const RETRIES_MS_MAX = 500

/** True if the bytes begin as a picture does that can be read: a PNG, a JPEG or a WebP file. */
export function isPicture(bytes: Buffer): boolean {
  return isPng(bytes) || pictureFormat(bytes) !== undefined
}

function isPng(bytes: Buffer): boolean {
  return PNG_SIGNATURE.equals(bytes.subarray(0, PNG_SIGNATURE.length))
}

/**
 * Decodes all QR codes in a PNG, JPEG or WebP picture: transparent, inverted, small or without a margin; each text once. Throws Malformed for bytes
 * that are not such a picture, and for pictures above 16 megapixels.
 */
export async function readQrImage(bytes: Buffer): Promise<string[]> {
  const image = isPng(bytes) ? readPng(bytes) : await readCompressed(bytes)
  const side = Math.max(image.width, image.height)
  const texts = new Set<string>()
  // A further code may be found only in another size, or on another ground.
  for (const scale of SCALES) {
    if (scale > 1 && side * scale > DECODED_SIDE_PIXELS_MAX) break
    for (const ground of isOpaque(image) ? [WHITE] : [WHITE, BLACK]) {
      for (const text of await decode(enlarge(greyOn(image, ground), scale))) texts.add(text)
    }
  }
  return [...texts]
}

async function readCompressed(bytes: Buffer): Promise<Pixels> {
  const format = pictureFormat(bytes)
  if (format === undefined) {
    throw new Malformed(t`The file is not a PNG, JPEG or WebP image`, t`Save the image as PNG`)
  }
  const size = format.sizeOf(bytes)
  if (size === undefined) throw damagedImageFailure(format.name)
  assertFewPixels(size.width, size.height)
  const image = await format.decode(bytes).catch(() => undefined)
  if (image?.width !== size.width || image.height !== size.height) throw damagedImageFailure(format.name)
  return image
}

function isOpaque({ data }: Pixels): boolean {
  for (let index = 3; index < data.length; index += 4) if (data[index] !== WHITE) return false
  return true
}

function readPng(png: Buffer): PNG {
  if (png.length <= INTERLACE_OFFSET) throw damagedImageFailure('PNG')
  const width = png.readUInt32BE(WIDTH_OFFSET)
  const height = png.readUInt32BE(HEIGHT_OFFSET)
  const isInterlaced = png[INTERLACE_OFFSET] !== 0
  assertFewPixels(width, height)
  if (isInterlaced && png.length > INTERLACED_BYTES_MAX) {
    throw new Malformed(
      t`The image is interlaced and larger than the limit of 1 MiB for interlaced images`,
      t`Crop the image to the QR code and save it as PNG`,
    )
  }
  try {
    // What is missing, pngjs takes from memory that was used for something else; in interlaced images it notices.
    if (!isInterlaced && !hasAllPixels(png, width, height)) throw damagedImageFailure('PNG')
    return PNG.sync.read(png)
  } catch {
    throw damagedImageFailure('PNG')
  }
}

function assertFewPixels(width: number, height: number): void {
  if (width * height <= MEGAPIXELS_MAX * 1_000_000) return
  throw new Malformed(
    t`The image is ${width} × ${height} pixels, more than the limit of ${MEGAPIXELS_MAX} megapixels`,
    t`Crop the image to the QR code and save it as PNG`,
  )
}

/** True if the compressed data of an image are as many as its pixels need. Throws the error of zlib for damaged data, and for more. */
function hasAllPixels(png: Buffer, width: number, height: number): boolean {
  const parts: Buffer[] = []
  for (let at = PNG_SIGNATURE.length; at + CHUNK_BYTES <= png.length; ) {
    const length = png.readUInt32BE(at)
    const isData = png.toString('latin1', at + 4, at + 8) === 'IDAT'
    if (isData) parts.push(png.subarray(at + 8, at + 8 + length))
    at += CHUNK_BYTES + length
  }
  const bitsPerPixel = (CHANNELS.get(png[COLOUR_TYPE_OFFSET] ?? -1) ?? 0) * (png[DEPTH_OFFSET] ?? 0)
  // Each row begins with its filter.
  const bytes = height * (1 + Math.ceil((width * bitsPerPixel) / 8))
  return inflateSync(Buffer.concat(parts), { maxOutputLength: Math.max(1, bytes) }).length === bytes
}

function damagedImageFailure(format: string): Malformed {
  return new Malformed(t`The ${format} image is damaged`, t`Save or download the image again`)
}

/** Converts an image to greyscale on a background for transparent pixels, and shrinks it to the decoder's limit. */
function greyOn(image: Pixels, ground: number): GreyImage {
  const step = Math.ceil(Math.max(image.width, image.height) / DECODED_SIDE_PIXELS_MAX)
  const width = Math.floor(image.width / step)
  const height = Math.floor(image.height / step)
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let sum = 0
      for (let row = y * step; row < (y + 1) * step; row += 1) {
        for (let column = x * step; column < (x + 1) * step; column += 1) {
          sum += brightness(image.data, (row * image.width + column) * 4, ground)
        }
      }
      pixels[y * width + x] = Math.round(sum / step ** 2)
    }
  }
  return { width, height, pixels }
}

function enlarge(grey: GreyImage, scale: number): GreyImage {
  const width = grey.width * scale
  const height = grey.height * scale
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor(y / scale) * grey.width
    for (let x = 0; x < width; x += 1) pixels[y * width + x] = grey.pixels[row + Math.floor(x / scale)] ?? WHITE
  }
  return { width, height, pixels }
}

function brightness(rgba: Pixels['data'], index: number, ground: number): number {
  const colour = 0.299 * (rgba[index] ?? 0) + 0.587 * (rgba[index + 1] ?? 0) + 0.114 * (rgba[index + 2] ?? 0)
  const alpha = rgba[index + 3] ?? 0
  return (colour * alpha + ground * (255 - alpha)) / 255
}

async function decode({ width, height, pixels }: GreyImage): Promise<string[]> {
  // The decoder uses the first plane of I420, which is brightness only.
  const format = 'I420'
  const found = await decodeQRBatch([{ width, height, data: pixels }], {
    format,
    effort: Number.POSITIVE_INFINITY,
    timeLimit: RETRIES_MS_MAX,
    maxSize: { width, height },
  })
  return found.flat().filter((each) => typeof each === 'string')
}
