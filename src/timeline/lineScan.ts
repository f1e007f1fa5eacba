import { crc32 } from 'node:zlib'
import { openOrNothing, readBytes } from './logFile.ts'

const NEWLINE = 0x0a
const SPACE = 0x20
/** Eight hex digits and a space stand before the JSON of a line. */
const JSON_START = 9
const PIECE_BYTES = 4 * 1024 * 1024

/** Whole lines of a log in a buffer that the next piece overwrites. */
export interface LinePiece {
  bytes: Buffer
  /** Where the piece begins in the file. */
  offset: number
  /** True for a last line without its line end; it stands alone in its piece. */
  isTail: boolean
}

/** Reads a log in pieces of whole lines, without making text of them. A file that does not exist has none. */
export async function* linePieces(path: string): AsyncGenerator<LinePiece> {
  const file = await openOrNothing(path)
  if (file === undefined) return
  try {
    const { size } = await file.stat()
    let buffer: Buffer = Buffer.allocUnsafe(Math.min(size + 1, PIECE_BYTES))
    let offset = 0
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
  } finally {
    await file.close()
  }
}

/** Calls back for every line of a piece with where its JSON begins and ends; `isWhole` tells whether its checksum fits. */
export function eachLine(bytes: Buffer, visit: (start: number, end: number, isWhole: boolean) => void): void {
  for (let at = 0; at < bytes.length; ) {
    const lineEnd = bytes.indexOf(NEWLINE, at)
    const end = lineEnd === -1 ? bytes.length : lineEnd
    visit(at + JSON_START, end, isWholeLine(bytes, at, end))
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

/** The texts that stand at these places of a file, which must be in the file's order. */
export async function* textsAt(
  path: string,
  places: Iterable<{ offset: number; length: number }>,
): AsyncGenerator<string> {
  const file = await openOrNothing(path)
  if (file === undefined) return
  try {
    let piece: Buffer = Buffer.alloc(0)
    let pieceAt = 0
    for (const { offset, length } of places) {
      if (offset < pieceAt || offset + length > pieceAt + piece.length) {
        piece = await readBytes(file, offset, Math.max(length, PIECE_BYTES / 16))
        pieceAt = offset
      }
      yield piece.toString('utf8', offset - pieceAt, offset - pieceAt + length)
    }
  } finally {
    await file.close()
  }
}

function isWholeLine(bytes: Buffer, start: number, end: number): boolean {
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
