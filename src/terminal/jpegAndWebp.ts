import { readPackagedBytes } from '../packagedFile.ts'

interface Size {
  width: number
  height: number
}

/** A decoded picture: red, green, blue and alpha of each pixel. */
export interface Pixels extends Size {
  data: Uint8Array | Uint8ClampedArray
}

/** A format that is read by a decoder in WebAssembly, which is loaded for its first picture. */
interface PictureFormat {
  name: 'JPEG' | 'WebP'
  /** The size of a picture as its header says; undefined if the file is cut off or has no such header. */
  sizeOf(bytes: Buffer): Size | undefined
  /** Rejects for a file that the decoder cannot read. */
  decode(bytes: Buffer): Promise<Pixels>
}

const JPEG: PictureFormat = {
  name: 'JPEG',
  sizeOf: jpegSize,
  async decode(bytes) {
    const { default: decode, init } = await import('@jsquash/jpeg/decode.js')
    return decodeWith(decode, init, 'jpeg', bytes)
  },
}

const WEBP: PictureFormat = {
  name: 'WebP',
  sizeOf: webpSize,
  async decode(bytes) {
    const { default: decode, init } = await import('@jsquash/webp/decode.js')
    return decodeWith(decode, init, 'webp', bytes)
  },
}

/** The format that a file begins as; undefined for any other. */
export function pictureFormat(bytes: Buffer): PictureFormat | undefined {
  if (bytes.toString('latin1', 0, 3) === '\xff\xd8\xff') return JPEG
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP' ? WEBP : undefined
}

type Decoder = typeof import('@jsquash/webp/decode.js')

async function decodeWith(
  decode: Decoder['default'],
  init: Decoder['init'],
  name: string,
  bytes: Buffer,
): Promise<Pixels> {
  // The decoders give their result in this class of the browser.
  if (!('ImageData' in globalThis)) Object.assign(globalThis, { ImageData: PixelData })
  // One that has failed cannot be used again.
  await init(new WebAssembly.Module(readPackagedBytes(`dist/${name}.wasm`)), { printErr: () => undefined })
  return decode(new Uint8Array(bytes).buffer)
}

class PixelData implements Pixels {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data
    this.width = width
    this.height = height
  }
}

/** The markers that begin a frame with its size; of C0 to CF these three are tables. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function jpegSize(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes.readUInt8(at + 1)
    if (isFrame(marker)) {
      // Without the mark of its end the picture is cut off, and what is missing would be grey.
      if (!bytes.includes('\xff\xd9', at, 'latin1')) return undefined
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    }
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

function webpSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 8 + bytes.readUInt32LE(4)) return undefined
  let size: Size | undefined
  // The size of the canvas and that of the picture on it may differ.
  for (let at = 12; at + 18 <= bytes.length; at += 8 + bytes.readUInt32LE(at + 4) + (bytes.readUInt32LE(at + 4) % 2)) {
    const found = chunkSize(bytes.toString('latin1', at, at + 4), bytes.subarray(at + 8))
    if (found === undefined) continue
    size = { width: Math.max(size?.width ?? 0, found.width), height: Math.max(size?.height ?? 0, found.height) }
  }
  return size
}

function chunkSize(name: string, data: Buffer): Size | undefined {
  const bits = 0x3fff
  switch (name) {
    case 'VP8X':
      return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 }
    case 'VP8L':
      return { width: (data.readUInt32LE(1) & bits) + 1, height: ((data.readUInt32LE(1) >>> 14) & bits) + 1 }
    case 'VP8 ':
      return { width: data.readUInt16LE(6) & bits, height: data.readUInt16LE(8) & bits }
    default:
      return undefined
  }
}
