import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isLoopbackHost } from '../wire/address.ts'
import type { EventFacts } from '../wire/eventFacts.ts'
import type { SignatureVerdict } from '../wire/signatureHeader.ts'

/** The longest body that is accepted. */
export const BODY_BYTES_MAX = 1024 * 1024

/** Why a request is rejected, and the answer. */
export interface Rejection {
  reason: 'host' | 'method' | 'path' | 'too-large' | 'missing' | 'malformed' | 'mismatch' | 'not-json'
  httpStatus: number
  headers?: Readonly<Record<string, string>>
}

/** What a request must look like before its signature is judged. */
export interface RequestRules {
  /** The only path that is accepted; null accepts every path. */
  path: string | null
  bodyBytesMax: number
  /** True if the listener is known by this host name, which is neither an address nor a name of loopback. */
  isOwnName(hostname: string): boolean
}

/**
 * Judges a request by its head, in the order of the answers 421, 405, 404, 413. A page in a browser can make a name of its
 * own resolve to this machine, so a name that is not the listener's own is rejected; an address cannot be forged like that.
 */
export function headRejection(request: IncomingMessage, rules: RequestRules): Rejection | null {
  const { method, url = '', headers } = request
  if (!isOwnHost(headers.host, rules)) return { reason: 'host', httpStatus: 421 }
  if (method !== 'POST') return { reason: 'method', httpStatus: 405, headers: { Allow: 'POST' } }
  if (rules.path !== null && pathOf(url) !== rules.path) return { reason: 'path', httpStatus: 404 }
  if (Number(headers['content-length'] ?? 0) > rules.bodyBytesMax) return { reason: 'too-large', httpStatus: 413 }
  return null
}

/** Judges a whole request whose head was accepted: 401 for its signature, then 400 for a body that is not JSON. */
export function bodyRejection(
  verdict: SignatureVerdict,
  facts: EventFacts | undefined,
  allowUnsigned: boolean,
): Rejection | null {
  const passes = verdict.valid || (allowUnsigned && verdict.reason === 'missing')
  if (!passes) return { reason: verdict.reason ?? 'mismatch', httpStatus: 401 }
  return facts === undefined ? { reason: 'not-json', httpStatus: 400 } : null
}

/** The last host that was an address; most senders use only one. */
let lastAddress = ''

function isOwnHost(host: string | undefined, rules: RequestRules): boolean {
  // Only HTTP/1.0 has no Host header, and browsers do not use it.
  if (host === undefined || host === lastAddress) return true
  const url = `http://${host}`
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) {
    lastAddress = host
    return true
  }
  return isLoopbackHost(hostname) || rules.isOwnName(hostname)
}

function pathOf(target: string): string {
  return target.split('?')[0] ?? target
}
