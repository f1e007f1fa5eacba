import { Malformed } from '../pix/malformed.ts'
import { t } from '../text/words.ts'
import { type AnswerFields, isObject } from './answers.ts'
import { parseJson } from './jsonTree.ts'
import { SIGNATURE_HEADER } from './signatureHeader.ts'

/** A delivery as far as its signature goes. */
export interface RawRequest {
  /** Names as they were sent, repeated ones too. */
  headers: [name: string, value: string][]
  body: Buffer
  /** How many bytes the body has less than its `Content-Length` announces; below 0 are those behind it, left out of it. */
  missingBytes: number
}

const BLANK_LINE = /\r?\n\r?\n/
const REQUEST_LINE = /^[A-Z]+ \S+(?: HTTP\/[\d.]+)?$/
const HEADER = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/
const CHUNK_SIZE = /^([0-9a-f]{1,7})[ \t]*(?:;[^\r\n]*)?\r?\n/i
const LINE_END = /^\r?\n/
const LINE_BYTES_MAX = 1024
const BASE64 = /^(?:[\dA-Za-z+/]{4})*(?:[\dA-Za-z+/]{2}==|[\dA-Za-z+/]{3}=)?$/
/** Of white space `\s` includes the byte order mark. */
const BEGINS_AS_JSON = /^\s*[{[]/

/**
 * Reads a delivery: a raw HTTP request, or JSON as `listen` and `events show` write it, where one event stands in it.
 * Throws Malformed.
 */
export function readDelivery(bytes: Buffer): RawRequest {
  const text = bytes.toString('utf8')
  return BEGINS_AS_JSON.test(text) ? readEventJson(text) : readRawRequest(bytes)
}

/**
 * Reads a raw HTTP request with LF or CRLF in its head. The body is cut to its `Content-Length`, or its chunks are put
 * together. Throws Malformed.
 */
export function readRawRequest(bytes: Buffer): RawRequest {
  // One character a byte, so that places in the text are places in the bytes.
  const text = bytes.toString('latin1')
  const blank = BLANK_LINE.exec(text)
  if (blank === null) {
    throw new Malformed(t`The request has no blank line between its head and its body`, wholeRequest())
  }
  const headers = readHead(text.slice(0, blank.index))
  const sent = bytes.subarray(blank.index + blank[0].length)
  const codings = valuesOf(headers, 'transfer-encoding')
  if (codings.length === 0) return { headers, ...cut(sent, valuesOf(headers, 'content-length')) }
  if (codings.join().toLowerCase() === 'chunked') return { headers, body: joinChunks(sent), missingBytes: 0 }
  throw new Malformed(
    t`The transfer coding \`${codings.join()}\` is not known`,
    t`Give the body without a transfer coding, and omit the \`Transfer-Encoding\` header`,
  )
}

/** All values of this header, whose name may be written in any case. */
export function valuesOf(headers: readonly (readonly [name: string, value: string])[], name: string): string[] {
  return headers.filter(([each]) => each.toLowerCase() === name.toLowerCase()).map(([, value]) => value)
}

function readHead(head: string): RawRequest['headers'] {
  const lines = head.split(/\r?\n/)
  if (REQUEST_LINE.test(lines[0] ?? '')) lines.shift()
  return lines.map((line) => {
    const [, name, value] = HEADER.exec(line) ?? []
    if (name !== undefined && value !== undefined) return [name, withoutBlanksAround(value)]
    throw new Malformed(t`The request's head has a line that is no header: \`${line.slice(0, 80)}\``, wholeRequest())
  })
}

/** Without the spaces and tabs around it; other white space belongs to a header's value. */
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
      t`Omit the header if you do not know it: then all that follows the blank line is the body`,
    )
  }
  return { body: sent.subarray(0, Number(length)), missingBytes: Number(length) - sent.length }
}

/** The contents of the chunks; trailers behind the last one do not count. */
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
    t`The body is not chunked as the \`Transfer-Encoding\` header says, or not all of it is there`,
    t`Omit that header if the body is given as it was before it was chunked`,
  )
}

function wholeRequest(): string {
  return t`Give the request as it was sent: the headers with \`${SIGNATURE_HEADER}\`, a blank line, the body`
}

function readEventJson(text: string): RawRequest {
  const events = documentsOf(text.replace(/^\uFEFF/, '')).filter((each) => isObject(each) && 'bodyBase64' in each)
  const [event] = events
  if (!isObject(event)) throw new Malformed(t`The JSON holds no event with its \`bodyBase64\``, oneLine())
  if (events.length > 1)
    throw new Malformed(t`The JSON holds ${events.length} events, and one is judged at a time`, oneLine())
  return deliveryOf(event)
}

/** The delivery that an event's JSON object tells of, as `listen` and `events` write it. Throws Malformed. */
export function deliveryOf({ bodyBase64, headers }: AnswerFields): RawRequest {
  if (typeof bodyBase64 !== 'string' || !BASE64.test(bodyBase64)) {
    throw new Malformed(t`The \`bodyBase64\` of the event is not Base64`, oneLine())
  }
  return { headers: headerList(headers), body: Buffer.from(bodyBase64, 'base64'), missingBytes: 0 }
}

/** One document, the members of an array, or a document a line. */
function documentsOf(text: string): unknown[] {
  const whole = parseJson(text)
  if (whole !== undefined) return Array.isArray(whole) ? whole : [whole]
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const document = parseJson(line)
      if (document !== undefined) return document
      throw new Malformed(t`It begins like JSON, but is none`, oneLine())
    })
}

/** A name with one value or, where it was repeated, an array of them. */
function headerList(headers: unknown): RawRequest['headers'] {
  if (!isObject(headers)) throw new Malformed(t`The event has no \`headers\``, oneLine())
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each): [string, string] => {
      if (typeof each === 'string') return [name, each]
      throw new Malformed(t`The header \`${name}\` of the event is no text`, oneLine())
    }),
  )
}

function oneLine(): string {
  return t`Give one line of \`pixgate webhook listen -o json\`, what \`pixgate webhook events show <n> -o json\` prints, or a raw HTTP request; a body alone is given with \`--body\``
}
