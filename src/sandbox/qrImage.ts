import { crc32, deflateSync } from 'node:zlib'
import encodeQR from 'qr'

const SIZE_PIXELS = 250
/** The quiet zone that the QR standard asks for, in modules. */
const QUIET_MODULES = 4
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** The QR code of a text as a PNG of 250 × 250 pixels with one bit each. Throws if the text is too long. */
export function qrImage(text: string): Buffer {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_MODULES })
  const scale = Math.floor(SIZE_PIXELS / modules.length)
  if (scale === 0) throw new RangeError('the text is too long for the image')
  const margin = Math.floor((SIZE_PIXELS - modules.length * scale) / 2)
  const bytesPerRow = Math.ceil(SIZE_PIXELS / 8)
  const rows: Buffer[] = []
  for (let y = 0; y < SIZE_PIXELS; y += 1) {
    // The first byte of a row names its filter: none. A set bit is white.
    const row = Buffer.alloc(1 + bytesPerRow)
    for (let x = 0; x < SIZE_PIXELS; x += 1) {
      const isDark = modules[Math.floor((y - margin) / scale)]?.[Math.floor((x - margin) / scale)] ?? false
      if (!isDark) row[1 + (x >> 3)] = (row[1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7))
    }
    rows.push(row)
  }
  return png(Buffer.concat(rows))
}

function png(rows: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIZE_PIXELS, 0)
  header.writeUInt32BE(SIZE_PIXELS, 4)
  // One bit per pixel; colour type, compression, filter and interlace all stay 0.
  header[8] = 1
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
