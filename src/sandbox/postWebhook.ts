import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'

/** The result of one attempt: the HTTP status of the answer, or why there was none. */
export interface DeliveryResult {
  status: number | null
  error: string | null
}

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
    const timer = setTimeout(() => {
      resolve({ status: null, error: `no answer within ${limits.answerLimitMs} ms` })
      request.destroy()
    }, limits.answerLimitMs)
    request.on('response', (response) => {
      resolve({ status: response.statusCode ?? null, error: null })
      response.on('error', ignore)
      response.resume()
    })
    request.on('error', (error: NodeJS.ErrnoException) => resolve({ status: null, error: error.code ?? error.message }))
    request.on('close', () => {
      clearTimeout(timer)
      resolve({ status: null, error: 'closed without an answer' })
    })
    request.end(body)
  })
}

/** The answer's status is known by then; what goes wrong with the rest of it does not matter. */
function ignore(): void {}
