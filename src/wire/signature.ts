import { createHmac, timingSafeEqual } from 'node:crypto'

/** The header that carries a webhook's signature. */
export const SIGNATURE_HEADER = 'X-Signature'

export type SignatureEncoding = 'hex' | 'base64'

/** What a signature header turned out to be. `encoding` is null where the text is no signature at all. */
export interface SignatureVerdict {
  valid: boolean
  encoding: SignatureEncoding | null
  reason: 'missing' | 'malformed' | 'mismatch' | null
}

const HEX = /^[0-9a-fA-F]{64}$/
const BASE64 = /^[0-9A-Za-z+/]{43}=$/
const BASE64URL = /^[0-9A-Za-z_-]{43}$/

/**
 * The header value for these exact bytes: HMAC-SHA256 with the client secret, as 64 lower-case hex digits or as the 44
 * characters of Base64. Throws where the secret is empty, because such a signature proves nothing.
 */
export function signBody(body: Uint8Array, secret: string, encoding: SignatureEncoding = 'hex'): string {
  return digest(body, secret).toString(encoding)
}

/**
 * Judges the values of all `X-Signature` headers of one request against its exact bytes. Accepted whole or not at all:
 * 64 hex digits of any case, 44 characters of Base64 or 43 of base64url, each with an optional `sha256=`.
 */
export function judgeSignature(body: Uint8Array, headerValues: readonly string[], secret: string): SignatureVerdict {
  const [value] = headerValues
  if (value === undefined || value === '') return { valid: false, encoding: null, reason: 'missing' }
  const decoded = headerValues.length === 1 ? decodeSignature(value) : undefined
  if (decoded === undefined) return { valid: false, encoding: null, reason: 'malformed' }
  const valid = timingSafeEqual(decoded.bytes, digest(body, secret))
  return { valid, encoding: decoded.encoding, reason: valid ? null : 'mismatch' }
}

function digest(body: Uint8Array, secret: string): Buffer {
  if (secret === '') throw new RangeError('an empty secret signs nothing')
  return createHmac('sha256', secret).update(body).digest()
}

function decodeSignature(value: string): { bytes: Buffer; encoding: SignatureEncoding } | undefined {
  const text = value.startsWith('sha256=') ? value.slice('sha256='.length) : value
  // Buffer.from stops silently at the first bad digit, so the whole text is matched first.
  if (HEX.test(text)) return { bytes: Buffer.from(text, 'hex'), encoding: 'hex' }
  if (!BASE64.test(text) && !BASE64URL.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === 32 ? { bytes, encoding: 'base64' } : undefined
}
