import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'

/** The result of one attempt: the HTTP status of the answer, or why there was none, and the beginning of the body of one that is not 200. */
export interface DeliveryResult {
  status: number | null
  error: string | null
  answer: string | null
}

const ANSWER_BYTES_MAX = 2048

/**
 * Posts these exact bytes once over a connection of its own; no redirect is followed. Never throws: no answer within the
 * limit, a refused connection and an abort are results.
 */
export function postWebhook(
  url: URL,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
  limits: { answerLimitMs: number; signal: AbortSignal },
): Promise<DeliveryResult> {
  return new Promise((resolve) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const request = send(url, {
      method: 'POST',
      agent: false,
      signal: limits.signal,
      headers: { ...headers, 'Content-Length': String(body.length), Connection: 'close' },
    })
    let status: number | null = null
    let answer = Buffer.alloc(0)
    const end = (error: string) => {
      const isAnswered = status !== null
      resolve({ status, error: isAnswered ? null : error, answer: isAnswered ? answer.toString() : null })
      request.destroy()
    }
    const timer = setTimeout(() => end(`no answer within ${limits.answerLimitMs} ms`), limits.answerLimitMs)
    request.on('response', (response) => {
      status = response.statusCode ?? null
      if (status === 200) {
        resolve({ status, error: null, answer: null })
        response.resume()
      } else {
        response.on('data', (chunk: Buffer) => {
          answer = Buffer.concat([answer, chunk]).subarray(0, ANSWER_BYTES_MAX)
          if (answer.length === ANSWER_BYTES_MAX) end('')
        })
      }
      response.on('error', ignore)
    })
    request.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
    request.on('close', () => {
      clearTimeout(timer)
      end('closed without an answer')
    })
    request.end(body)
  })
}

/** The answer's status is known by then; its body may end anywhere. */
function ignore(): void {}
