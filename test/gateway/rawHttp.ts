import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** A request as its bytes said, read without any HTTP library. */
export interface RawHead {
  method: string
  /** Path and query. */
  target: string
  /** Names in lower case; the last of repeated ones counts. */
  headers: Record<string, string>
}

/** An answer; `content-length` is added unless a header of this name or `transfer-encoding` is present. */
export interface RawAnswer {
  status: number
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
}

/** The requests of one connection, one after the other. */
export interface RequestReader {
  /** The next request's head; undefined when the client has closed. */
  head(): Promise<RawHead | undefined>
  /** The body that belongs to the head read last; cut where the client closed before its end. */
  body(): Promise<string>
}

const HEAD_END = '\r\n\r\n'

/** Reads requests from this socket, as far as it is asked to and not further. */
export function readRequests(socket: Socket): RequestReader {
  let buffered = Buffer.alloc(0)
  let bodyBytes = 0
  const chunks = socket[Symbol.asyncIterator]()

  async function readMore(): Promise<boolean> {
    const next = await chunks.next().catch(() => ({ done: true, value: undefined }))
    if (next.done === true || !Buffer.isBuffer(next.value)) return false
    buffered = Buffer.concat([buffered, next.value])
    return true
  }

  function take(bytes: number): string {
    const text = buffered.subarray(0, bytes).toString('utf8')
    buffered = buffered.subarray(bytes)
    return text
  }

  return {
    async head() {
      let end = buffered.indexOf(HEAD_END)
      while (end === -1) {
        if (!(await readMore())) return undefined
        end = buffered.indexOf(HEAD_END)
      }
      const head = parseHead(take(end + HEAD_END.length))
      bodyBytes = Number(head.headers['content-length'] ?? 0)
      return head
    },
    async body() {
      while (buffered.length < bodyBytes && (await readMore()));
      return take(bodyBytes)
    },
  }
}

/** Reads a head, the empty line at its end included. */
export function parseHead(text: string): RawHead {
  const [requestLine = '', ...lines] = text.slice(0, -HEAD_END.length).split('\r\n')
  const [method = '', target = ''] = requestLine.split(' ')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  return { method, target, headers }
}

/** The bytes of an answer's head. */
export function answerHead({ status, headers = {}, body = '' }: RawAnswer): string {
  const framed = 'content-length' in headers || 'transfer-encoding' in headers || 'connection' in headers
  const all = framed ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n${lines.join('')}\r\n`
}

/** Writes a whole answer; the connection stays open. */
export function writeAnswer(socket: Socket, answer: RawAnswer): void {
  socket.write(Buffer.concat([Buffer.from(answerHead(answer)), Buffer.from(answer.body ?? '')]))
}

/** An answer with a JSON body. */
export function jsonAnswer(status: number, fields: unknown, headers: Readonly<Record<string, string>> = {}): RawAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(fields) }
}
