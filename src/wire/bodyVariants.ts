import { decodeSingleByte, encodeSingleByte, type SingleByteEncoding } from './singleByteText.ts'

const BREAK_AT_END = /(?:\r\n|\n|\r)$/
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const LITTLE_ENDIAN_MARK = Buffer.from([0xff, 0xfe])
const BIG_ENDIAN_MARK = Buffer.from([0xfe, 0xff])
const SINGLE_BYTE_SETS: readonly SingleByteEncoding[] = ['latin1', 'windows-1252']

/** The body with a different line break at the end, or none. */
export function* trailingBreakVariants(body: Buffer): Generator<Buffer> {
  const text = body.toString('latin1')
  for (const bare of new Set([text.replace(BREAK_AT_END, ''), withoutBreaksAtEnd(text)])) {
    yield Buffer.from(bare, 'latin1')
  }
  for (const end of ['\n', '\r\n']) yield Buffer.from(text + end, 'latin1')
}

function withoutBreaksAtEnd(text: string): string {
  let end = text.length
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end -= 1
  return text.slice(0, end)
}

/** The body without its byte order mark, or with one added; UTF-16 becomes UTF-8. */
export function* byteOrderMarkVariants(body: Buffer): Generator<Buffer> {
  const unmarked = withoutMark(body)
  if (unmarked === undefined) {
    yield Buffer.concat([UTF8_MARK, body])
    return
  }
  for (const lines of [unmarked, ...lineEndingVariants(unmarked)]) {
    yield lines
    yield* trailingBreakVariants(lines)
  }
}

/** The body with different line endings. */
export function* lineEndingVariants(body: Buffer): Generator<Buffer> {
  const text = body.toString('latin1')
  const lines = text.replace(/\r\n|\r/g, '\n')
  for (const end of ['\n', '\r\n', '\r']) {
    const changed = Buffer.from(lines.replaceAll('\n', end), 'latin1')
    if (changed.equals(body)) continue
    yield changed
    yield* trailingBreakVariants(changed)
  }
}

/** The body after UTF-8 was read as a single-byte character set, or the reverse, once or twice. */
export function* characterSetVariants(body: Buffer): Generator<Buffer> {
  if (body.every((byte) => byte < 0x80)) return
  let level = [body]
  for (let times = 0; times < 2; times++) {
    level = level.flatMap((each) =>
      SINGLE_BYTE_SETS.flatMap((set) => [...encodedVariant(each, set), ...decodedVariant(each, set)]),
    )
    for (const each of level) {
      yield each
      yield* trailingBreakVariants(each)
    }
  }
}

/** Decodes UTF-8; undefined if the bytes are not valid UTF-8. */
function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function withoutMark(body: Buffer): Buffer | undefined {
  if (startsWith(body, UTF8_MARK)) return body.subarray(UTF8_MARK.length)
  const isBigEndian = startsWith(body, BIG_ENDIAN_MARK)
  if (!isBigEndian && !startsWith(body, LITTLE_ENDIAN_MARK)) return undefined
  const units = Buffer.from(body.subarray(2, body.length - (body.length % 2)))
  return Buffer.from((isBigEndian ? units.swap16() : units).toString('utf16le'))
}

function startsWith(body: Buffer, mark: Buffer): boolean {
  return body.subarray(0, mark.length).equals(mark)
}

function encodedVariant(body: Buffer, set: SingleByteEncoding): Buffer[] {
  const text = utf8Text(body)
  const bytes = text === undefined ? undefined : encodeSingleByte(text, set)
  return bytes === undefined ? [] : [bytes]
}

function decodedVariant(body: Buffer, set: SingleByteEncoding): Buffer[] {
  return [Buffer.from(decodeSingleByte(body, set))]
}
