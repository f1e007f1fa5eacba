import type { IncomingMessage } from 'node:http'
import { english } from '../text/translate.ts'
import { GrowingBytes } from '../wire/growingBytes.ts'
import type { Call } from './endpoints.ts'
import { HttpError } from './httpError.ts'

const BODY_BYTES_MAX = 1024 * 1024
/** A body that is too large is read on up to here, so that its sender gets to see the answer. */
const DISCARDED_BYTES_MAX = 16 * BODY_BYTES_MAX

/**
 * Reads a request whole. Resolves to undefined if the sender went away. A body above 1 MiB is thrown away and
 * rejected with 413 once it is asked for, so that the credentials are looked at first.
 */
export async function readCall(request: IncomingMessage): Promise<Call | undefined> {
  const body = await readBody(request)
  if (body === undefined) return undefined
  const { method = '', url = '/', headers } = request
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  return {
    method,
    path,
    query: new URLSearchParams(query),
    headers,
    peer: request.socket.remoteAddress,
    port: request.socket.localPort ?? 0,
    text: body === 'too-large' ? '' : body.toString('utf8'),
    body: () => {
      if (body !== 'too-large') return body
      throw new HttpError(413, 'PAYLOAD_TOO_LARGE', english`The body is larger than ${BODY_BYTES_MAX} bytes`, {
        Connection: 'close',
      })
    },
  }
}

function readBody(request: IncomingMessage): Promise<Buffer | 'too-large' | undefined> {
  return new Promise((resolve) => {
    let body = new GrowingBytes()
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= BODY_BYTES_MAX) body.append(chunk)
      else body = new GrowingBytes()
      if (bytes > DISCARDED_BYTES_MAX) resolve('too-large')
    })
    request.on('end', () => resolve(bytes > BODY_BYTES_MAX ? 'too-large' : body.bytes()))
    request.on('error', () => resolve(undefined))
    request.on('close', () => resolve(undefined))
  })
}
