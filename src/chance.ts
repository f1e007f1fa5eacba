import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** So many are made before Node.js's cryptography is loaded for them. */
const FEW_IDS = 8

let madeIds = 0

/** A new random UUID. */
export function newId(): string {
  const bytes = madeIds++ < FEW_IDS ? systemRandomBytes(16) : undefined
  if (bytes === undefined) return cryptography().randomUUID()
  // Version 4 and its variant, as in RFC 9562.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Text that no other call on this machine gives; unlike a UUID it takes no time to load. */
export function newTicket(): string {
  return `${process.pid}-${process.hrtime.bigint()}`
}

/** From 0 inclusive to 1 exclusive. */
export function random(): number {
  return cryptography().randomInt(2 ** 32) / 2 ** 32
}

/** Loaded when it is called, because that takes longer than most commands that need no part of it. */
function cryptography(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto')
}

/** Bytes as good as those of Node.js's cryptography, without loading it; undefined where the system has no file of them. */
function systemRandomBytes(count: number): Buffer | undefined {
  try {
    const file = openSync('/dev/urandom', 'r')
    try {
      const bytes = Buffer.alloc(count)
      return fstatSync(file).isCharacterDevice() && readSync(file, bytes) === count ? bytes : undefined
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}
