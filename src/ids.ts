/** A random UUID (version 4). */
export function newId(): string {
  return crypto.randomUUID()
}

/** A random number from 0 inclusive to 1 exclusive. */
export function random(): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1))
  return value / 2 ** 32
}
