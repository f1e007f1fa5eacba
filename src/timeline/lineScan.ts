import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

const NEWLINE = 0x0a
const SPACE = 0x20
/** Eight hex digits and a space stand before the JSON of a line. */
const JSON_START = 9
const PIECE_BYTES = 4 * 1024 * 1024

/** Whole lines of a file in a buffer that the next piece overwrites. */
export interface LinePiece {
  bytes: Buffer
  /** Where the piece begins in the file. */
  offset: number
  /** True for a last line without its line end; it stands alone in its piece. */
  isTail: boolean
}

/** Reads a file from an offset on in pieces of whole lines, without making text of them. The file stays open. */
export async function* linePieces(file: FileHandle, from: number): AsyncGenerator<LinePiece> {
  const { size } = await file.stat()
  let buffer: Buffer = Buffer.allocUnsafe(Math.min(Math.max(0, size - from) + 1, PIECE_BYTES))
  let offset = from
  let kept = 0
  for (;;) {
    const { bytesRead } = await file.read(buffer, kept, buffer.length - kept, offset + kept)
    const length = kept + bytesRead
    if (bytesRead === 0) {
      if (length > 0) yield { bytes: buffer.subarray(0, length), offset, isTail: true }
      return
    }
    const whole = buffer.subarray(0, length).lastIndexOf(NEWLINE) + 1
    if (whole > 0) yield { bytes: buffer.subarray(0, whole), offset, isTail: false }
    buffer.copy(buffer, 0, whole, length)
    offset += whole
    kept = length - whole
    if (kept === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2)
  }
}

/**
 * Calls back for every line of a piece with where its JSON begins and ends, whether its checksum fits, and where the line
 * begins.
 */
export function eachLine(
  bytes: Buffer,
  visit: (start: number, end: number, isWhole: boolean, lineStart: number) => void,
): void {
  for (let at = 0; at < bytes.length; ) {
    const lineEnd = bytes.indexOf(NEWLINE, at)
    const end = lineEnd === -1 ? bytes.length : lineEnd
    visit(at + JSON_START, end, isWholeLine(bytes, at, end), at)
    at = end + 1
  }
}

/** Of a last line without a line end: whole, damaged, or torn off while it was written, when it never counted. */
export function judgeTail(bytes: Buffer): 'whole' | 'damaged' | 'torn' {
  if (isWholeLine(bytes, 0, bytes.length)) return 'whole'
  // A whole record whose line end has become something else was written once.
  const withoutLast = Buffer.from(bytes.toString('utf8').slice(0, -1))
  return isWholeLine(withoutLast, 0, withoutLast.length) ? 'damaged' : 'torn'
}

/** The JSON of a line that was looked at before; undefined where its checksum does not fit any more. */
export function jsonIn(bytes: Buffer, start: number, end: number): string | undefined {
  return isWholeLine(bytes, start - JSON_START, end) ? bytes.toString('utf8', start, end) : undefined
}

/** So many bytes of a line stand before its JSON. */
export const BYTES_BEFORE_JSON = JSON_START

/** True for a line, from its first byte to before its line end, whose checksum fits. */
export function isWholeLine(bytes: Buffer, start: number, end: number): boolean {
  if (end - start < JSON_START || bytes[start + JSON_START - 1] !== SPACE) return false
  let sum = 0
  for (let at = start; at < start + JSON_START - 1; at++) {
    const digit = hexDigit(bytes[at] ?? 0)
    if (digit === -1) return false
    sum = sum * 16 + digit
  }
  return sum === crc32(bytes.subarray(start + JSON_START, end))
}

/** The value of a digit as it is written here, in lower case; -1 for another byte. */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  return byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : -1
}
