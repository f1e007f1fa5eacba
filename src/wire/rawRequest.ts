import { Malformed } from '../pix/expectedError.ts'
import { t } from '../text/translate.ts'
import { type AnswerFields, isObject } from './answers.ts'
import { parseJson } from './jsonTree.ts'
import { SIGNATURE_HEADER } from './signature.ts'

/** The parts of a webhook request that matter for its signature. */
export interface RawRequest {
  /** The headers as sent, including repeated ones. */
  headers: [name: string, value: string][]
  body: Buffer
  /** How many bytes the body is shorter than its `Content-Length`; negative for extra bytes, which are not in `body`. */
  missingBytes: number
}

const BLANK_LINE = /\r?\n\r?\n/
const REQUEST_LINE = /^[A-Z]+ \S+(?: HTTP\/[\d.]+)?$/
const HEADER = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/
const CHUNK_SIZE = /^([0-9a-f]{1,7})[ \t]*(?:;[^\r\n]*)?\r?\n/i
const LINE_END = /^\r?\n/
const LINE_BYTES_MAX = 1024
const BASE64 = /^(?:[\dA-Za-z+/]{4})*(?:[\dA-Za-z+/]{2}==|[\dA-Za-z+/]{3}=)?$/
/** `\s` includes the byte order mark. */
const BEGINS_AS_JSON = /^\s*[{[]/

/**
 * Parses a delivery: a raw HTTP request, or a JSON event as `listen` and `events show` print it.
 * Throws Malformed.
 */
export function readDelivery(bytes: Buffer): RawRequest {
  const text = bytes.toString('utf8')
  return BEGINS_AS_JSON.test(text) ? readEventJson(text) : readRawRequest(bytes)
}

/**
 * Parses a raw HTTP request with LF or CRLF line endings. The body is cut to its `Content-Length`, or its chunks are joined.
 * Throws Malformed.
 */
export function readRawRequest(bytes: Buffer): RawRequest {
  // One character per byte, so that positions in the text are positions in the bytes.
  const text = bytes.toString('latin1')
  const blank = BLANK_LINE.exec(text)
  if (blank === null) {
    throw new Malformed(t`The request has no blank line between its headers and its body`, wholeRequest())
  }
  const headers = readHead(text.slice(0, blank.index))
  const sent = bytes.subarray(blank.index + blank[0].length)
  const codings = valuesOf(headers, 'transfer-encoding')
  if (codings.length === 0) return { headers, ...cut(sent, valuesOf(headers, 'content-length')) }
  if (codings.join().toLowerCase() === 'chunked') return { headers, body: joinChunks(sent), missingBytes: 0 }
  throw new Malformed(
    t`The transfer coding \`${codings.join()}\` is not supported`,
    t`Remove the transfer coding from the body and the \`Transfer-Encoding\` header`,
  )
}

/** All values of a header. The name is case-insensitive. */
export function valuesOf(headers: readonly (readonly [name: string, value: string])[], name: string): string[] {
  return headers.filter(([each]) => each.toLowerCase() === name.toLowerCase()).map(([, value]) => value)
}

function readHead(head: string): RawRequest['headers'] {
  const lines = head.split(/\r?\n/)
  if (REQUEST_LINE.test(lines[0] ?? '')) lines.shift()
  return lines.map((line) => {
    const [, name, value] = HEADER.exec(line) ?? []
    if (name !== undefined && value !== undefined) return [name, withoutBlanksAround(value)]
    throw new Malformed(t`The request has an invalid header line: \`${line.slice(0, 80)}\``, wholeRequest())
  })
}

/** Removes surrounding spaces and tabs; other white space is part of a header's value. */
function withoutBlanksAround(text: string): string {
  let start = 0
  let end = text.length
  while (text[start] === ' ' || text[start] === '\t') start += 1
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1
  return text.slice(start, end)
}

function cut(sent: Buffer, lengths: readonly string[]): Pick<RawRequest, 'body' | 'missingBytes'> {
  const [length] = lengths
  if (length === undefined) return { body: sent, missingBytes: 0 }
  if (!/^\d{1,15}$/.test(length) || lengths.some((other) => other !== length)) {
    throw new Malformed(
      t`The \`Content-Length\` is not one whole number: \`${lengths.join(', ').slice(0, 80)}\``,
      t`Remove the header if the length is unknown; the body is then everything after the blank line`,
    )
  }
  return { body: sent.subarray(0, Number(length)), missingBytes: Number(length) - sent.length }
}

/** Joins the chunks; trailers are ignored. */
function joinChunks(sent: Buffer): Buffer {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const [line, digits] = CHUNK_SIZE.exec(sent.toString('latin1', at, at + LINE_BYTES_MAX)) ?? []
    if (line === undefined || digits === undefined) throw notChunked()
    at += line.length
    const size = Number.parseInt(digits, 16)
    if (size === 0) return Buffer.concat(chunks)
    const end = LINE_END.exec(sent.toString('latin1', at + size, at + size + 2))
    if (end === null) throw notChunked()
    chunks.push(sent.subarray(at, at + size))
    at += size + end[0].length
  }
}

function notChunked(): Malformed {
  return new Malformed(
    t`The body is incomplete or not chunked, although the \`Transfer-Encoding\` header says so`,
    t`Remove that header if the body is not chunked`,
  )
}

function wholeRequest(): string {
  return t`Use the request as it was sent: the headers with \`${SIGNATURE_HEADER}\`, a blank line, the body`
}

function readEventJson(text: string): RawRequest {
  const events = documentsOf(text.replace(/^\uFEFF/, '')).filter((each) => isObject(each) && 'bodyBase64' in each)
  const [event] = events
  if (!isObject(event)) throw new Malformed(t`The JSON contains no event with a \`bodyBase64\``, oneLine())
  if (events.length > 1)
    throw new Malformed(t`The JSON contains ${events.length} events; only one can be verified at a time`, oneLine())
  return deliveryOf(event)
}

/** The delivery in an event's JSON object, as `listen` and `events` print it. Throws Malformed. */
export function deliveryOf({ bodyBase64, headers }: AnswerFields): RawRequest {
  if (typeof bodyBase64 !== 'string' || !BASE64.test(bodyBase64)) {
    throw new Malformed(t`The \`bodyBase64\` of the event is not Base64`, oneLine())
  }
  return { headers: headerList(headers), body: Buffer.from(bodyBase64, 'base64'), missingBytes: 0 }
}

/** Parses one document, an array of documents, or one document per line. */
function documentsOf(text: string): unknown[] {
  const whole = parseJson(text)
  if (whole !== undefined) return Array.isArray(whole) ? whole : [whole]
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const document = parseJson(line)
      if (document !== undefined) return document
      throw new Malformed(t`The text begins like JSON but is not valid JSON`, oneLine())
    })
}

/** Reads headers from an object; the value of a repeated header is an array. */
function headerList(headers: unknown): RawRequest['headers'] {
  if (!isObject(headers)) throw new Malformed(t`The event has no \`headers\``, oneLine())
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each): [string, string] => {
      if (typeof each === 'string') return [name, each]
      throw new Malformed(t`The header \`${name}\` of the event is not a string`, oneLine())
    }),
  )
}

function oneLine(): string {
  return t`Use one line of \`pixgate webhook listen -o json\`, the output of \`pixgate webhook events show 1 -o json\`, or a raw HTTP request; use \`--body\` for only a body`
}

/** The parts of an HTTP request's head that other programs on its way may read differently. */
interface RequestHead {
  httpVersion: string
  /** Names and values in turn, as they came. */
  rawHeaders: readonly string[]
  headers: Readonly<{ 'transfer-encoding'?: string | undefined }>
}

/**
 * True for a request that a program on its way may understand as another one: with two hosts, or with a length that is not told by
 * `Content-Length` or by chunks alone (RFC 9112, 3.2 and 6.1). Node.js accepts these.
 */
export function isAmbiguousRequest({ httpVersion, rawHeaders, headers }: RequestHead): boolean {
  const coding = headers['transfer-encoding']?.toLowerCase()
  if (coding !== undefined && (coding !== 'chunked' || httpVersion === '1.0')) return true
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) if (isHost(rawHeaders[index] ?? '')) hosts += 1
  return hosts > 1
}

function isHost(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === 'host'
}

/**
 * Bytes that arrive in pieces. A list of pieces would take a hundred times the memory if somebody sends single bytes.
 */
export class GrowingBytes {
  #buffer: Buffer = Buffer.alloc(0)
  #length = 0

  /** Adds a piece, which must not be changed afterwards. */
  append(piece: Buffer): void {
    const length = this.#length + piece.length
    if (this.#length === 0) this.#buffer = piece
    else {
      if (length > this.#buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#buffer.length))
        this.#buffer.copy(larger, 0, 0, this.#length)
        this.#buffer = larger
      }
      piece.copy(this.#buffer, this.#length)
    }
    this.#length = length
  }

  /** All of them. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }
}
