import { createReadStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { valueOrError } from '../pix/expectedError.ts'
import { fileTooLarge, INPUT_BYTES_MAX, openInputFile, readFailure, workbookTooLarge } from '../terminal/inputFile.ts'
import { unguardedCell } from '../text/csv.ts'
import { shellWord } from '../text/shellWord.ts'
import { declared, t, translated } from '../text/translate.ts'
import { decodedOnce, windows1252Text } from '../text/windows1252.ts'
import { Cancelled, UsageError } from '../wire/errors.ts'
import {
  type BrokenRecord,
  DELIMITER_NAMES,
  type Delimiter,
  detectDelimiter,
  type HeaderFinder,
  isSeparatorLine,
  readRecords,
  type TableRecord,
} from './tableRecords.ts'
import type { OtherSheet } from './workbook.ts'

/** How a batch file is written. */
type FileFormat = { kind: 'csv'; encoding: Encoding; delimiter: Delimiter } | { kind: 'xlsx'; sheet: string }

/** What a batch file holds. */
export interface FileContent {
  format: FileFormat
  /** The records of the table with the lines above its header; a CSV file is read again on each call. */
  records(): AsyncGenerator<TableRecord | BrokenRecord>
  /** True if a spreadsheet does not show the column at this place, from 0. */
  isColumnHidden(place: number): boolean
  /** Sentences that a person should read before the question. */
  remarks: readonly string[]
}

interface ContentOptions {
  /** The name of the file for messages; null for standard input. */
  name: string | null
  /** Ends reading at the next chunk. */
  interrupt: AbortSignal
  /** The sheet of a workbook; undefined for the first one that has the columns. */
  sheet?: string | undefined
  /** Tells whether a column has a name that is expected. */
  isKnown: (name: string) => boolean
  /** Where the header of a table is; without it that is the first record. */
  findHeader?: HeaderFinder | undefined
}

/** A file that was read into memory. */
export interface NamedInput extends Pick<ContentOptions, 'name' | 'interrupt'> {
  bytes: Uint8Array
}

const BEGINNING_CHARACTERS = 64 * 1024

/**
 * Detects whether a file is a CSV or a workbook, and how it is written. Throws UsageError if it is neither of them, or has no such sheet, and Cancelled
 * at an interrupt; iterating over the records does too.
 */
export async function readContent(file: AsyncIterable<Uint8Array>, options: ContentOptions): Promise<FileContent> {
  const { sheet, isKnown, interrupt } = options
  const bytes = interruptible(file, interrupt)
  const head = await headOf(bytes)
  assertTable(head)
  if (head.startsWith(ZIP_MAGIC)) return workbookContent(await wholeWorkbook(bytes, options.name), options)
  const encoding = await detectEncoding(bytes)
  if (sheet !== undefined) {
    throw new UsageError(t`\`--sheet\` selects a sheet of a workbook, but the file is a CSV`, {
      hint: t`Omit \`--sheet\``,
    })
  }
  const beginning = await beginningOf(decodeText(bytes, encoding))
  const isTwice = beginning.split('\n').some((line) => decodedOnce(line) !== line)
  const delimiter = detectDelimiter(isTwice ? decodedOnce(beginning) : beginning, isKnown)
  return {
    format: { kind: 'csv', encoding, delimiter },
    records: () => csvRecords(decodeText(bytes, encoding), delimiter, isTwice ? decodedOnce : String),
    isColumnHidden: () => false,
    remarks: isTwice
      ? [t`The text of the file was encoded twice, so that \`ã\` had become \`Ã£\`; it is read as it was`]
      : [],
  }
}

async function workbookContent(
  archive: Uint8Array,
  { name: file, sheet, findHeader, interrupt }: ContentOptions,
): Promise<FileContent> {
  const { openWorkbook, workbookFailure } = await import('./workbook.ts')
  const options = { file, sheet, findHeader, onChunk: () => assertGoesOn(interrupt) }
  const { name, records, isColumnHidden, others, isFirst } = await openWorkbook(archive, options).catch(
    (error: unknown) => {
      throw workbookFailure(error, file)
    },
  )
  return {
    format: { kind: 'xlsx', sheet: name },
    async *records() {
      try {
        for await (const row of records()) yield unguarded(row)
      } catch (error) {
        throw workbookFailure(error, file)
      }
    },
    isColumnHidden,
    remarks: sheet === undefined && others.length > 0 ? otherSheetsRemarks(name, others, isFirst) : [],
  }
}

/** The chunks of a file until an interrupt, which throws Cancelled. */
function interruptible(file: AsyncIterable<Uint8Array>, interrupt: AbortSignal): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const chunk of file) {
        assertGoesOn(interrupt)
        yield chunk
      }
    },
  }
}

function assertGoesOn(interrupt: AbortSignal): void {
  if (!interrupt.aborted) return
  throw new Cancelled(t`Interrupted, nothing was sent`, { hint: t`Run the command again when you are ready` })
}

function otherSheetsRemarks(read: string, others: readonly OtherSheet[], isFirst: boolean): string[] {
  const names = others.map(({ name, isHidden }) => (isHidden ? t`${name} (hidden)` : name)).join(', ')
  const alike = others.filter(({ hasHeader }) => hasHeader).map(({ name }) => name)
  const [first] = alike
  return [
    isFirst
      ? t`Only the first sheet ${read} is read; the workbook also has ${names}`
      : t`Only the sheet ${read} is read; the workbook also has ${names}`,
    ...(first === undefined
      ? []
      : [
          t`Sheets that have the same columns but are not read: ${alike.join(', ')}. Add \`--sheet ${shellWord(first)}\` to read that one instead`,
        ]),
  ]
}

async function wholeWorkbook(bytes: AsyncIterable<Uint8Array>, fileName: string | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > INPUT_BYTES_MAX.workbook) throw workbookTooLarge(fileName, INPUT_BYTES_MAX.workbook)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

/** How a file is written, for a person. */
export function formatText(format: FileFormat): string {
  return format.kind === 'csv'
    ? t`${ENCODING_NAMES[format.encoding]}, ${translated(DELIMITER_NAMES[format.delimiter])}`
    : t`sheet ${format.sheet}`
}

/** How a file is written, in JSON. */
export function formatDocument(format: FileFormat) {
  return format.kind === 'csv'
    ? { encoding: ENCODING_NAMES[format.encoding], delimiter: DELIMITER_NAMES[format.delimiter], sheet: null }
    : { encoding: null, delimiter: null, sheet: format.sheet }
}

/** The first bytes of a file as characters, without the marks of UTF-16 and UTF-8, and the zero bytes unless it begins with several. */
async function headOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  let head = Buffer.alloc(0)
  for await (const chunk of bytes) {
    head = Buffer.concat([head, chunk])
    if (head.length >= HEAD_BYTES_MAX) break
  }
  const text = head.toString('latin1', 0, HEAD_BYTES_MAX)
  return text.startsWith(ZIP_MAGIC) || text.startsWith(ZEROS)
    ? text
    : text.replaceAll('\0', '').replace(/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/, '')
}

const ZIP_MAGIC = 'PK\u0003\u0004'
const ZEROS = '\0'.repeat(4)
const SAVE_AGAIN = declared`Open it in a spreadsheet, and save it as \`.xlsx\` or "CSV UTF-8"`
const GIVE_A_TABLE = declared`Export a list as CSV or \`.xlsx\` instead`

/** What is often mistaken for a table, because a spreadsheet opens it or a bank takes it: how it begins, its name, and what to do. */
const OTHER_KINDS: readonly (readonly [beginning: RegExp, name: string, hint: string])[] = [
  [/^PK\u0003\u0004.{0,60}opendocument/s, declared`an OpenDocument spreadsheet (.ods)`, SAVE_AGAIN],
  [
    /^PK\u0003\u0004.{26}(?:Index\/|Metadata\/|Data\/|preview)/s,
    declared`a Numbers spreadsheet (.numbers)`,
    SAVE_AGAIN,
  ],
  [/^\u00d0\u00cf\u0011/, declared`an old Excel workbook (.xls), or one with a password`, SAVE_AGAIN],
  [/^%PDF/, declared`a PDF`, GIVE_A_TABLE],
  [/^\u001f\u008b/, declared`a gzip archive`, declared`Unpack it first`],
  [/^\s*(?:<\?xml[^>]*>\s*)?(?:<\?OFX|<OFX|OFXHEADER)/i, declared`an OFX statement`, GIVE_A_TABLE],
  [
    /^\s*<\?xml[\s\S]*<(?:\w+:)?Workbook\b|^\s*<(?:\w+:)?Workbook\b/,
    declared`an XML spreadsheet of Excel 2003`,
    SAVE_AGAIN,
  ],
  [
    /^\s*(?:<!--[\s\S]*?-->\s*)*<(?:!doctype html|html|head|meta|style|body|div|table|\?xml[\s\S]*<(?:html|table))/i,
    declared`a web page (HTML)`,
    SAVE_AGAIN,
  ],
  [/^\s*<(?:\?xml|[a-z][\w:]*[\s>])/i, 'XML', GIVE_A_TABLE],
  [/^\s*[{[]\s*["{[]/, 'JSON', GIVE_A_TABLE],
  [/^!(?:type|account|option):/i, 'QIF', GIVE_A_TABLE],
  [/^(?:\{1:|:20:)/, 'MT940', GIVE_A_TABLE],
  [/^\0/, declared`a run of zero bytes`, GIVE_A_TABLE],
  [/^\{\\rtf/, declared`a text document (RTF)`, GIVE_A_TABLE],
  [/^\d{3}0000\d.{232}(?:\r?\n|$)/, 'CNAB 240', GIVE_A_TABLE],
  [/^0[12](?:REMESSA|RETORNO).{391}(?:\r?\n|$)/, 'CNAB 400', GIVE_A_TABLE],
  [/^[^;,\t\r\n]{500}(?:[^;,\t\r\n]{250})?\r?\n/, declared`text of fixed places, like CNAB`, GIVE_A_TABLE],
]

function assertTable(head: string): void {
  const [, name, hint] = OTHER_KINDS.find(([beginning]) => beginning.test(head)) ?? []
  if (name === undefined || hint === undefined) return
  throw new UsageError(t`The file is ${translated(name)}, not a table that is read`, { hint: translated(hint) })
}

async function beginningOf(texts: AsyncIterable<string>): Promise<string> {
  let beginning = ''
  for await (const text of texts) {
    beginning += text
    if (beginning.length >= BEGINNING_CHARACTERS) break
  }
  return beginning.slice(0, BEGINNING_CHARACTERS)
}

async function* csvRecords(
  texts: AsyncIterable<string>,
  delimiter: Delimiter,
  asItWas: (cell: string) => string,
): AsyncGenerator<TableRecord | BrokenRecord> {
  for await (const record of readRecords(texts, delimiter)) {
    if ('message' in record) yield record
    else if (!isSeparatorLine(record, delimiter)) yield unguarded({ ...record, cells: record.cells.map(asItWas) })
  }
}

/** A record as it was before pixgate, or another program, guarded its cells for a spreadsheet. */
function unguarded(record: TableRecord): TableRecord {
  return record.cells.some((cell) => cell.startsWith('=') || cell.includes("'"))
    ? { ...record, cells: record.cells.map(unguardedCell) }
    : record
}

/** A path, an open file, or the bytes themselves. */
export type FileSource = string | FileHandle | Uint8Array

/** Larger chunks are not read faster, and all records of a chunk are held in memory. */
const CHUNK_BYTES = 32 * 1024

/**
 * The bytes of a batch file; each iteration reads it from its beginning. Throws UsageError for a file that cannot be read, is too large or
 * is not a regular file.
 */
export function bytesOf(source: FileSource): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => chunksOf(source) }
}

function chunksOf(source: FileSource): AsyncGenerator<Uint8Array> {
  if (typeof source === 'string') return fileChunks(source)
  return source instanceof Uint8Array ? memoryChunks(source) : handleChunks(source)
}

async function* fileChunks(path: string): AsyncGenerator<Uint8Array> {
  const fd = openInputFile(path, 'batchFile')
  let bytes = 0
  try {
    for await (const chunk of createReadStream(path, { fd, highWaterMark: CHUNK_BYTES })) {
      bytes += chunk.length
      if (bytes > INPUT_BYTES_MAX.batchFile) throw fileTooLarge(path, 'batchFile')
      yield chunk
    }
  } catch (error) {
    throw readFailure(path, error)
  }
}

async function* handleChunks(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function* memoryChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) yield bytes.subarray(start, start + CHUNK_BYTES)
}

/** How the bytes of a file become text. */
export type Encoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be' | 'windows-1252'

const ENCODING_NAMES: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-8-bom': 'UTF-8 with BOM',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
}

/** Enough of a file to see its mark, its kind, and the zero bytes of UTF-16. */
const HEAD_BYTES_MAX = 4096

/**
 * The encoding of a file, judged by all its bytes: a mark at the beginning, the zero bytes of UTF-16, valid UTF-8, else
 * Windows-1252. Throws UsageError for a mark of UTF-8 before other bytes.
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

function canDecode(decode: () => unknown): boolean {
  // What a fatal decoder throws for bytes that are not in its encoding.
  return !(valueOrError(TypeError, decode) instanceof TypeError)
}
