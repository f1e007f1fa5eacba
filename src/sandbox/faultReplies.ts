import { english } from '../text/translate.ts'
import { ENDPOINT_ERRORS } from './endpointErrors.ts'
import type { EndpointCode } from './faultKinds.ts'
import type { CallFault } from './faults.ts'
import { errorBody, reasonPhrase } from './httpError.ts'

/** What goes out on the wire; `body` is undefined if the connection is closed without an answer. */
export interface Reply {
  status: number
  headers: Readonly<Record<string, string>>
  body: string | undefined
}

const PAGE =
  '<!doctype html><html><head><title>Service unavailable</title></head><body><h1>We will be right back</h1></body></html>\n'

const HTML_REPLY: Reply = { status: 200, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: PAGE }
const HALF_ANSWER = '{"idTransaction":"0b935d10-3c90-4af3-87'

/** An object as a JSON answer. */
export function jsonReply(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(body),
  }
}

/** The error body as an answer. */
export function errorReply(
  status: number,
  code: string,
  details: string,
  headers?: Readonly<Record<string, string>>,
): Reply {
  return jsonReply(status, errorBody(status, code, details), headers)
}

/** The answer in place of carrying the call out; undefined if the call is carried out in spite of the fault. */
export function faultReply(fault: CallFault | undefined): Reply | undefined {
  switch (fault?.how) {
    case 'drop-before':
      return droppedReply()
    case 'html-before':
      return HTML_REPLY
    case 'garbage-before':
      return { ...jsonReply(200, {}), body: HALF_ANSWER }
    case 'status':
      return statusReply(fault.status)
    case 'code':
      return codeReply(fault.code)
    default:
      return undefined
  }
}

/** The answer to a call that was carried out, as the fault leaves it: cut off in the middle, a web page, or none at all. */
export function corruptReply(reply: Reply, fault: CallFault | undefined): Reply {
  if (fault?.how === 'drop-after') return droppedReply()
  if (fault?.how === 'html') return HTML_REPLY
  if (fault?.how !== 'garbage') return reply
  return { ...reply, status: 200, body: reply.body?.slice(0, Math.floor(reply.body.length / 2)) }
}

function codeReply(code: EndpointCode): Reply {
  const { status, sentence } = ENDPOINT_ERRORS[code]
  return errorReply(status, code, sentence)
}

function statusReply(status: number): Reply {
  const code = reasonPhrase(status)
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
  const headers: Record<string, string> = {}
  if (status === 429 || status === 503) headers['Retry-After'] = '1'
  if (status >= 300 && status < 400) headers.Location = '/'
  if (status === 204 || status === 205 || status === 304) return { status, headers, body: '' }
  return errorReply(status, code, english`The sandbox was told to answer ${status}`, headers)
}

function droppedReply(): Reply {
  return { status: 0, headers: {}, body: undefined }
}
