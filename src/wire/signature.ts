import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { redact, type Secret, withoutSecretParameters } from './secret.ts'

/**
 * The header value for these exact bytes: HMAC-SHA256 with the client secret, as 64 lower-case hex digits or as the 44
 * characters of Base64. Throws if the secret is empty, because such a signature proves nothing.
 */
export function signBody(body: Uint8Array, secret: string, encoding: SignatureEncoding = 'hex'): string {
  return hmac(body, secret).toString(encoding)
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

/** The header that carries a webhook's signature. */
export const SIGNATURE_HEADER = 'X-Signature'

/** Carried by the samples of `webhook check`. */
export const CHECK_HEADER = 'X-Pixgate-Check'

/** Names the listeners that a webhook has passed, so that none forwards it in a circle; and the one that refuses it. */
export const LISTENER_HEADER = 'X-Pixgate-Listener'

/** How a signature is written, the default first. */
export const SIGNATURE_ENCODINGS = ['hex', 'base64'] as const

export type SignatureEncoding = (typeof SIGNATURE_ENCODINGS)[number]

/** The result of verifying a signature header. `encoding` is null if the text is not a signature. */
export interface SignatureVerdict {
  valid: boolean
  encoding: SignatureEncoding | null
  /** Of the secret that made it; 0 if none did. */
  secretIndex: number
  reason: 'missing' | 'malformed' | 'mismatch' | null
}

const PREFIX = 'sha256='
const HEX = /^[0-9a-fA-F]{64}$/
const BASE64 = /^[0-9A-Za-z+/]{43}=$/
const BASE64URL = /^[0-9A-Za-z_-]{43}$/

/**
 * Verifies the values of all `X-Signature` headers of one request against its exact bytes; any of these secrets may have signed them.
 * Accepts exactly 64 hex digits of any case, 44 characters of Base64 or 43 of base64url, each with an optional `sha256=`. Throws if a
 * secret is empty.
 */
export function judgeSignature(
  body: Uint8Array,
  headerValues: readonly string[],
  ...secrets: readonly string[]
): SignatureVerdict {
  const wrong = { valid: false, encoding: null, secretIndex: 0 }
  const [value, another] = headerValues
  if (another !== undefined) return { ...wrong, reason: 'malformed' }
  if (value === undefined || value === '') return { ...wrong, reason: 'missing' }
  const decoded = decodeSignature(value)
  if (decoded === undefined) return { ...wrong, reason: 'malformed' }
  const { digest, encoding, isExact } = decoded
  const secretIndex = secrets.findIndex((secret) => isSignedBy(digest, body, secret))
  if (secretIndex === -1 || !isExact) return { ...wrong, encoding, reason: 'mismatch' }
  return { valid: true, encoding, secretIndex, reason: null }
}

interface DecodedSignature {
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

/** Replaces a credential, which is neither stored nor exported. */
const REDACTED = '[redacted]'
const CREDENTIAL_HEADER = /^(?:(?:proxy-)?authorization|cookie)$/i

type Header = readonly [name: string, value: string]

/** True for headers as they are recorded. */
export function isHeaderList(value: unknown): value is Header[] {
  const isHeader = (each: unknown) =>
    Array.isArray(each) && each.length === 2 && each.every((text) => typeof text === 'string')
  return Array.isArray(value) && value.every(isHeader)
}

/** The path and query of a delivery, or the URL that it was forwarded to, without the secrets in it. */
export function redactTarget(target: string, secrets: readonly Secret[] = []): string {
  return redact(withoutSecretParameters(target, REDACTED), secrets, REDACTED)
}

/** The headers of a delivery without its credentials. */
export function redactHeaders(headers: readonly Header[], secrets: readonly Secret[] = []): [string, string][] {
  return headers.map(([name, value]) => [
    name,
    CREDENTIAL_HEADER.test(name) ? REDACTED : redact(value, secrets, REDACTED),
  ])
}

/** True for a recorded header that is not sent again: it is a credential, or what is recorded of it is not what was sent. */
export function isRedactedHeader([name, value]: Header): boolean {
  return CREDENTIAL_HEADER.test(name) || value.includes(REDACTED)
}

/** A recorded URL without the query parameters that were redacted, and their names; undefined if more than these was. */
export function withoutRedactedParameters(address: string): { address: string; omitted: string[] } | undefined {
  const [before = '', query] = address.split(/\?(.*)/s)
  if (before.includes(REDACTED)) return undefined
  if (query === undefined) return { address, omitted: [] }
  const parameters = query.split('&')
  const kept = parameters.filter((parameter) => !parameter.includes(REDACTED))
  const omitted = parameters
    .filter((parameter) => parameter.includes(REDACTED))
    .map((parameter) => parameter.split('=')[0] ?? '')
  return { address: kept.length === 0 ? before : `${before}?${kept.join('&')}`, omitted }
}

/** The result of posting a webhook: the HTTP status, the time until the end of the answer, and why there was none or it broke off. */
export interface DeliveryAnswer {
  status: number | null
  ms: number
  error: unknown
}

/** The service counts a delivery as failed if its answer takes longer. */
export const SERVICE_WAIT_MS = 5_000

/** True if the service would count the webhook as received, and not send it again: answered 200, completely, within 5 s. */
export function isReceived({ status, ms, error }: DeliveryAnswer): boolean {
  return status === 200 && error === null && ms <= SERVICE_WAIT_MS
}

const REFUSALS: readonly (number | null)[] = [400, 401, 403, 422]

/** True for the statuses with which receivers refuse a webhook whose signature they do not take for genuine. */
export function isRefusal(status: number | null): boolean {
  return REFUSALS.includes(status)
}

/** True for an answer that took so long that the service would have counted the delivery as failed. */
export function isTooSlow({ status, ms }: Pick<DeliveryAnswer, 'status' | 'ms'>): boolean {
  return status !== null && ms > SERVICE_WAIT_MS
}
