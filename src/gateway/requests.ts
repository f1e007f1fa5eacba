import type { Account } from '../profiles/account.ts'
import { ENDPOINT_PATHS, type QrCodeBody } from '../wire/requestFormat.ts'
import type { HttpRequest } from './exchange.ts'

/** Without `accept-encoding` any is allowed, and some proxies compress. */
const PLAIN_JSON = { accept: 'application/json', 'accept-encoding': 'identity' } as const

/** The answer holds the code as an image. */
const QR_ANSWER_BYTES_MAX = 8 * 1024 * 1024

/** The request that creates a charge. */
export function createQrCodeRequest(account: Account, body: QrCodeBody): HttpRequest {
  const request = post(account, ENDPOINT_PATHS.createQrCode, bearer(account), JSON.stringify(body))
  return { ...request, answerBytesMax: QR_ANSWER_BYTES_MAX }
}

/** The exact request that refunds a payment; the body is sent unchanged. */
export function refundRequest(account: Account, body: string): HttpRequest {
  return post(account, ENDPOINT_PATHS.refund, bearer(account), body)
}

/** The exact request that sends money to a PIX key; the body is sent unchanged. */
export function transferRequest(account: Account, body: string): HttpRequest {
  const { clientId: ci, clientSecret } = account
  const secret: Record<string, string> = clientSecret.isEmpty ? {} : { cs: clientSecret.reveal() }
  return post(account, ENDPOINT_PATHS.transfer, { ci, ...secret }, body)
}

/** The exact request that queries a payment's status; the id is sent as typed. */
export function consultRequest(account: Account, idTransaction: string): HttpRequest {
  const query = new URLSearchParams({ idTransaction })
  return {
    method: 'GET',
    url: `${account.url}${ENDPOINT_PATHS.consultTransaction}?${query}`,
    headers: { ...PLAIN_JSON, ...bearer(account) },
  }
}

/** A request as it may be shown: the body as JSON, credentials replaced by dots. */
export function describeRequest(request: HttpRequest) {
  return {
    method: request.method,
    url: request.url,
    headers: redactHeaders(request.headers),
    body: request.body === undefined ? null : (JSON.parse(request.body) as unknown),
  }
}

function redactHeaders(headers: HttpRequest['headers']): Record<string, string> {
  const shown: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'authorization') shown[name] = 'Bearer ••••'
    else shown[name] = name === 'cs' ? '••••' : value
  }
  return shown
}

function bearer({ clientSecret }: Account): Record<string, string> {
  return clientSecret.isEmpty ? {} : { authorization: `Bearer ${clientSecret.reveal()}` }
}

function post(account: Account, path: string, credentials: Record<string, string>, body: string): HttpRequest {
  return {
    method: 'POST',
    url: account.url + path,
    headers: { ...PLAIN_JSON, 'content-type': 'application/json', ...credentials },
    body,
  }
}
