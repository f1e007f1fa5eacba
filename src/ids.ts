/** A random UUID (version 4). */
export function newId(): string {
  return crypto.randomUUID()
}

/** A random secret or token of 32 hexadecimal digits. */
export function newSecret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')
}

/** A random number from 0 inclusive to 1 exclusive. */
export function random(): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1))
  return value / 2 ** 32
}
