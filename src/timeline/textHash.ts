import { comparableKey } from '../pix/pixKey.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LOWER_N = 0x6e
const SPACE = 0x20
const PLUS = 0x2b
const UPPER_A = 0x41
const UPPER_Z = 0x5a
const TO_LOWER = 0x20
const FIRST_NON_ASCII = 0x80
const FNV_BASIS = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** Behind the text whose first quote stands at `quote`. */
export function textEnd(bytes: Buffer, quote: number): number {
  let at = quote + 1
  for (; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++
  return at + 1
}

/** FNV-1a of the text whose first quote stands at `quote`; 0 where null or nothing stands. */
export function hashAt(bytes: Buffer, quote: number): number {
  if (quote === -1 || bytes[quote] === LOWER_N) return 0
  let hash = FNV_BASIS
  for (let at = quote + 1; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) break
    hash = Math.imul(hash ^ byte, FNV_PRIME)
    if (byte === BACKSLASH) {
      at += 1
      hash = Math.imul(hash ^ (bytes[at] ?? 0), FNV_PRIME)
    }
  }
  return hash >>> 0 || 1
}

/** The same of a text as it stands in JSON. */
export function hashOf(text: unknown): number {
  return typeof text === 'string' ? hashAt(Buffer.from(JSON.stringify(text)), 0) : 0
}

/** The hash of a PIX key in any of its spellings; 0 for what is none. */
export function keyHashOf(key: unknown): number {
  return typeof key === 'string' ? hashOf(comparableKey(key)) : 0
}

/** The same of the key whose first quote stands at `quote`; 0 where none stands. */
export function keyHashAt(bytes: Buffer, quote: number): number {
  if (quote === -1 || bytes[quote] !== QUOTE) return 0
  const end = textEnd(bytes, quote) - 1
  const plain = plainKeyHash(bytes, quote + 1, end)
  if (plain !== undefined) return plain
  const key: unknown = JSON.parse(bytes.toString('utf8', quote, end + 1))
  return keyHashOf(key)
}

/** The same without making text of it, which nearly all keys allow; undefined for the others. */
function plainKeyHash(bytes: Buffer, start: number, end: number): number | undefined {
  if (bytes[start] === SPACE || bytes[end - 1] === SPACE || bytes[start] === PLUS) return undefined
  let hash = FNV_BASIS
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte >= FIRST_NON_ASCII || byte === BACKSLASH) return undefined
    hash = Math.imul(hash ^ (byte >= UPPER_A && byte <= UPPER_Z ? byte + TO_LOWER : byte), FNV_PRIME)
  }
  return hash >>> 0 || 1
}
