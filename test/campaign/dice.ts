/** Numbers that look random and are the same again for the same seed. */
export interface Dice {
  /** From 0 inclusive to 1 exclusive. */
  fraction(): number
  /** From 0 inclusive to `below` exclusive. */
  below(count: number): number
  coin(): boolean
}

/** Dice for one run: the same text, the same throws. */
export function diceOf(seed: string): Dice {
  let state = 0
  for (const character of seed) state = (Math.imul(state, 31) + (character.codePointAt(0) ?? 0)) | 0
  const fraction = () => {
    // Mulberry32, a small generator in the public domain.
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { fraction, below: (count) => Math.floor(fraction() * count), coin: () => fraction() < 0.5 }
}
