import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isLoopbackHost } from '../wire/address.ts'
import type { EventFacts } from '../wire/eventFacts.ts'
import type { SignatureVerdict } from '../wire/signatureHeader.ts'

/** The longest body that is taken. */
export const BODY_BYTES_MAX = 1024 * 1024

/** Why a request is not taken, and what it is answered. */
export interface Refusal {
  reason: 'host' | 'method' | 'path' | 'too-large' | 'missing' | 'malformed' | 'mismatch' | 'not-json'
  httpStatus: number
  headers?: Readonly<Record<string, string>>
}

/** What a request must look like before its signature is judged. */
export interface Shape {
  /** The only path that is taken; null takes every one. */
  path: string | null
  bodyBytesMax: number
  /** Whether the receiver goes by this name, which is no address and not of this machine alone. */
  isOwnName(hostname: string): boolean
  /** The headers of the answer where the receiver called itself, else null. */
  selfCall(headers: IncomingHttpHeaders): Readonly<Record<string, string>> | null
}

/**
 * Judges a request by its head, in the order of the answers 421, 405, 404, 413. A page in a browser can make a name of its
 * own mean this machine, so a name that nobody gave this receiver is refused; an address cannot be forged like that.
 */
export function refusalOfHead(request: IncomingMessage, shape: Shape): Refusal | null {
  const { method, url = '', headers } = request
  if (!isOwnHost(headers.host, shape)) return { reason: 'host', httpStatus: 421 }
  if (method !== 'POST') return { reason: 'method', httpStatus: 405, headers: { Allow: 'POST' } }
  if (shape.path !== null && pathOf(url) !== shape.path) return { reason: 'path', httpStatus: 404 }
  if (Number(headers['content-length'] ?? 0) > shape.bodyBytesMax) return { reason: 'too-large', httpStatus: 413 }
  return null
}

/** Judges a whole request that has passed its head: 401 for its signature, then 400 for a body that is no JSON. */
export function refusalOfBody(
  verdict: SignatureVerdict,
  facts: EventFacts | undefined,
  allowUnsigned: boolean,
): Refusal | null {
  const passes = verdict.valid || (allowUnsigned && verdict.reason === 'missing')
  if (!passes) return { reason: verdict.reason ?? 'mismatch', httpStatus: 401 }
  return facts === undefined ? { reason: 'not-json', httpStatus: 400 } : null
}

/** The last host that was an address, which most senders name again and again. */
let lastAddress = ''

function isOwnHost(host: string | undefined, shape: Shape): boolean {
  // Only HTTP/1.0 comes here without one, and no browser speaks it.
  if (host === undefined || host === lastAddress) return true
  const url = `http://${host}`
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) {
    lastAddress = host
    return true
  }
  return isLoopbackHost(hostname) || shape.isOwnName(hostname)
}

function pathOf(target: string): string {
  return target.split('?')[0] ?? target
}
