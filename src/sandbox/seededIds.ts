import { createHash } from 'node:crypto'

/** A maker of transaction ids (UUIDs) of which the same seed gives the same ones in the same order. */
export function seededIds(seed: string): () => string {
  let count = 0
  return () => {
    count += 1
    const hex = createHash('sha256').update(`${count} ${seed}`).digest('hex')
    const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      variant + hex.slice(17, 20),
      hex.slice(20, 32),
    ].join('-')
  }
}

/** A clock that shows `startMs` now and goes on from there, by another clock. */
export function clockFrom(startMs: number, now: () => number): () => number {
  const aheadMs = startMs - now()
  return () => now() + aheadMs
}
