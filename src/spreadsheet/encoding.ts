import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'

/** How the bytes of a file become text. */
export type Encoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** The names of the encodings as a person knows them. */
export const ENCODING_NAMES: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-8-bom': 'UTF-8 with BOM',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
}

/** Enough of a file to see its mark, its kind, and the zero bytes of UTF-16. */
const HEAD_BYTES_MAX = 4096

/** The first bytes of files that are often mistaken for CSV, because a spreadsheet opens them. */
const OTHER_KINDS: readonly (readonly [magic: string, name: string])[] = [
  ['504b0304', 'a workbook or a ZIP archive'],
  ['d0cf11e0', 'an old Excel workbook'],
  ['25504446', 'a PDF'],
  ['1f8b', 'a gzip archive'],
]

/** 0x80 to 0x9f of Windows-1252. The own decoder of some Node versions reads them as ISO 8859-1. */
const WINDOWS_1252 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178'

/**
 * The encoding of a file, judged by all its bytes: a mark at the beginning, the zero bytes of UTF-16, valid UTF-8, else
 * Windows-1252. Throws UsageError for a workbook, a PDF, an archive, and a mark of UTF-8 before other bytes.
 */
export async function detectEncoding(chunks: AsyncIterable<Uint8Array>): Promise<Encoding> {
  const head = Buffer.alloc(HEAD_BYTES_MAX)
  let headBytes = 0
  let isUtf8 = true
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  for await (const chunk of chunks) {
    headBytes += Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).copy(head, headBytes)
    isUtf8 &&= canDecode(() => decoder.decode(chunk, { stream: true }))
  }
  isUtf8 &&= canDecode(() => decoder.decode())
  const beginning = head.subarray(0, headBytes)
  assertNotBinary(beginning)
  return markedEncoding(beginning, isUtf8) ?? zeroBytesEncoding(beginning) ?? (isUtf8 ? 'utf-8' : 'windows-1252')
}

/** The text of a file in chunks, without its mark. Bytes that are not text in the encoding become U+FFFD. */
export async function* decodeText(chunks: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  if (encoding === 'windows-1252') {
    for await (const chunk of chunks) yield windows1252Text(chunk)
    return
  }
  const decoder = new TextDecoder(encoding === 'utf-8-bom' ? 'utf-8' : encoding)
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

function windows1252Text(chunk: Uint8Array): string {
  const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1')
  return text.replace(/[\x80-\x9f]/g, (character) => WINDOWS_1252.charAt(character.charCodeAt(0) - 0x80))
}

function markedEncoding(beginning: Buffer, isUtf8: boolean): Encoding | undefined {
  const marked = beginning.toString('hex', 0, 3)
  if (marked.startsWith('fffe')) return 'utf-16le'
  if (marked.startsWith('feff')) return 'utf-16be'
  if (marked !== 'efbbbf') return undefined
  if (isUtf8) return 'utf-8-bom'
  throw new UsageError(t`The file begins with a UTF-8 byte order mark, but the rest is not UTF-8`, {
    hint: t`Open it in a spreadsheet and save it again as "CSV UTF-8"`,
  })
}

/** Of UTF-16 text in Latin letters nearly every other byte is zero; no other text holds such a byte. */
function zeroBytesEncoding(beginning: Buffer): Encoding | undefined {
  const pairs = Math.floor(beginning.length / 2)
  if (pairs === 0) return undefined
  let first = 0
  let second = 0
  for (let index = 0; index < pairs * 2; index += 2) {
    if (beginning[index] === 0) first += 1
    if (beginning[index + 1] === 0) second += 1
  }
  if (second * 2 > pairs && second > first) return 'utf-16le'
  if (first * 2 > pairs && first > second) return 'utf-16be'
  return undefined
}

function assertNotBinary(beginning: Buffer): void {
  const hex = beginning.toString('hex', 0, 4)
  const [, name] = OTHER_KINDS.find(([magic]) => hex.startsWith(magic)) ?? []
  if (name === undefined) return
  throw new UsageError(t`The file is ${name}, not a CSV`, {
    hint: t`Open it in a spreadsheet and save the sheet as "CSV UTF-8"`,
  })
}

function canDecode(decode: () => unknown): boolean {
  try {
    decode()
    return true
  } catch (error) {
    // What a fatal decoder throws for bytes that are not in its encoding.
    if (error instanceof TypeError) return false
    throw error
  }
}
