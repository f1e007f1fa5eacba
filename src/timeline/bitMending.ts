import { crc32 } from 'node:zlib'
import { isWholeLine } from './lineScan.ts'

const NEWLINE = 0x0a
const CHECKSUM_DIGITS = 8
const JSON_START = CHECKSUM_DIGITS + 1
const POLYNOMIAL = 0xedb88320
/** What a byte does to the CRC-32 of what ends with it. */
const TABLE = Array.from({ length: 256 }, (_, byte) => {
  let effect = byte
  for (let step = 0; step < 8; step++) effect = (effect & 1) === 1 ? (effect >>> 1) ^ POLYNOMIAL : effect >>> 1
  return effect >>> 0
})
const BITS = [0, 1, 2, 3, 4, 5, 6, 7].map((bit) => 1 << bit)

/**
 * The line as it was before one of its bits became another, its line end apart: the checksum tells which one. Undefined
 * where more has happened to it.
 */
export function mendedLine(line: Buffer): Buffer | undefined {
  return mendedHead(line) ?? mendedJson(line)
}

/** Two lines of which the line end between them became another byte by one bit; undefined where that is not so. */
export function partedLines(line: Buffer): [first: Buffer, second: Buffer] | undefined {
  for (const bit of BITS) {
    const spoilt = NEWLINE ^ bit
    for (let at = line.indexOf(spoilt); at !== -1; at = line.indexOf(spoilt, at + 1)) {
      const parts: [Buffer, Buffer] = [line.subarray(0, at), line.subarray(at + 1)]
      if (parts.every((part) => isWholeLine(part, 0, part.length))) return parts
    }
  }
  return undefined
}

/** The one line that two were before a byte of it became a line end by one bit; undefined where that is not so. */
export function joinedLine(first: Buffer, second: Buffer): Buffer | undefined {
  for (const bit of BITS) {
    const joined = Buffer.concat([first, Buffer.from([NEWLINE ^ bit]), second])
    if (isWholeLine(joined, 0, joined.length)) return joined
  }
  return undefined
}

/** Another bit in the checksum itself or in the space behind it. */
function mendedHead(line: Buffer): Buffer | undefined {
  const mended = Buffer.from(line)
  for (let at = 0; at < Math.min(JSON_START, line.length); at++) {
    for (const bit of BITS) {
      mended[at] = (line[at] ?? 0) ^ bit
      if (isWholeLine(mended, 0, mended.length)) return mended
    }
    mended[at] = line[at] ?? 0
  }
  return undefined
}

/** What one bit does to a checksum depends only on how far it stands from the end, so each is tried by one step. */
function mendedJson(line: Buffer): Buffer | undefined {
  const head = line.toString('latin1', 0, CHECKSUM_DIGITS)
  if (!/^[0-9a-f]{8}$/.test(head)) return undefined
  const difference = (Number.parseInt(head, 16) ^ crc32(line.subarray(JSON_START))) >>> 0
  const effects = BITS.map((bit) => TABLE[bit] ?? 0)
  for (let at = line.length - 1; at >= JSON_START; at--) {
    const bit = effects.indexOf(difference)
    if (bit !== -1) {
      const mended = Buffer.from(line)
      mended[at] = (line[at] ?? 0) ^ (BITS[bit] ?? 0)
      return isWholeLine(mended, 0, mended.length) ? mended : undefined
    }
    for (const [index, effect] of effects.entries()) {
      effects[index] = ((effect >>> 8) ^ (TABLE[effect & 0xff] ?? 0)) >>> 0
    }
  }
  return undefined
}
