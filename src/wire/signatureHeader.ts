/** The header that carries a webhook's signature. */
export const SIGNATURE_HEADER = 'X-Signature'

/** How a signature is written, the default first. */
export const SIGNATURE_ENCODINGS = ['hex', 'base64'] as const

export type SignatureEncoding = (typeof SIGNATURE_ENCODINGS)[number]

/** The result of verifying a signature header. `encoding` is null if the text is not a signature. */
export interface SignatureVerdict {
  valid: boolean
  encoding: SignatureEncoding | null
  reason: 'missing' | 'malformed' | 'mismatch' | null
}

const PREFIX = 'sha256='
const HEX = /^[0-9a-fA-F]{64}$/
const BASE64 = /^[0-9A-Za-z+/]{43}=$/
const BASE64URL = /^[0-9A-Za-z_-]{43}$/

/**
 * Verifies the values of all `X-Signature` headers of one request; `isHmac` tells whether these 32 bytes are the HMAC.
 * Accepts exactly 64 hex digits of any case, 44 characters of Base64 or 43 of base64url, each with an optional
 * `sha256=`.
 */
export function judgeHeader(headerValues: readonly string[], isHmac: (digest: Buffer) => boolean): SignatureVerdict {
  const [value, another] = headerValues
  if (another !== undefined) return { valid: false, encoding: null, reason: 'malformed' }
  if (value === undefined || value === '') return { valid: false, encoding: null, reason: 'missing' }
  const decoded = decodeSignature(value)
  if (decoded === undefined) return { valid: false, encoding: null, reason: 'malformed' }
  const valid = isHmac(decoded.digest) && decoded.isExact
  return { valid, encoding: decoded.encoding, reason: valid ? null : 'mismatch' }
}

/** A decoded header value. */
export interface DecodedSignature {
  /** The 32 bytes of the HMAC. */
  digest: Buffer
  encoding: SignatureEncoding
  /** False if the last Base64 digit has unused bits that are not zero, so that another text has the same bytes. */
  isExact: boolean
}

/** Decodes a header value; undefined if it does not have the form of a signature. */
export function decodeSignature(value: string): DecodedSignature | undefined {
  const text = value.startsWith(PREFIX) ? value.slice(PREFIX.length) : value
  // Buffer.from stops silently at the first bad digit, so the whole text is matched first.
  if (HEX.test(text)) return { digest: Buffer.from(text, 'hex'), encoding: 'hex', isExact: true }
  if (!BASE64.test(text) && !BASE64URL.test(text)) return undefined
  const digest = Buffer.from(text, 'base64')
  const isExact = digest.toString(text.endsWith('=') ? 'base64' : 'base64url') === text
  return { digest, encoding: 'base64', isExact }
}
