import { randomBytes, randomInt, randomUUID } from 'node:crypto'

/** A new random UUID. */
export function newId(): string {
  return randomUUID()
}

/** Short text that no other call gives, on any machine; for what is never shown to a person. */
export function uniqueToken(): string {
  return randomBytes(12).toString('hex')
}

/** A random number from 0 inclusive to 1 exclusive. */
export function random(): number {
  return randomInt(2 ** 32) / 2 ** 32
}
