import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { judgeHeader, type SignatureEncoding, type SignatureVerdict } from './signatureHeader.ts'

/**
 * The header value for these exact bytes: HMAC-SHA256 with the client secret, as 64 lower-case hex digits or as the 44
 * characters of Base64. Throws if the secret is empty, because such a signature proves nothing.
 */
export function signBody(body: Uint8Array, secret: string, encoding: SignatureEncoding = 'hex'): string {
  return hmac(body, secret).toString(encoding)
}

/** Verifies the values of all `X-Signature` headers of one request against its exact bytes. Throws if the secret is empty. */
export function judgeSignature(body: Uint8Array, headerValues: readonly string[], secret: string): SignatureVerdict {
  return judgeHeader(headerValues, (digest) => isSignedBy(digest, body, secret))
}

/** True if the digest is the HMAC of the body with the secret; compared in constant time. */
export function isSignedBy(digest: Uint8Array, body: Uint8Array | string, secret: string): boolean {
  return timingSafeEqual(digest, hmac(body, secret))
}

/** Compares a text with a secret one in a time that tells nothing about it, its length included. */
export function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(secret).digest())
}

/** What two people can compare without showing each other a secret: its length, and the beginning of its SHA-256 in hex. */
export function secretFingerprint(secret: string): { length: number; sha256Prefix: string } {
  return { length: secret.length, sha256Prefix: createHash('sha256').update(secret).digest('hex').slice(0, 8) }
}

function hmac(body: Uint8Array | string, secret: string): Buffer {
  if (secret === '') throw new RangeError('an empty secret signs nothing')
  return createHmac('sha256', secret).update(body).digest()
}
