const WORDS = 4
const SLOTS_MIN = 1024

/**
 * Numbers by digest, 16 bytes an entry where a Map of strings takes ten times as much, because a file of a million rows is
 * held in it three times. Of a digest the first 96 bits count; two digests that share them by chance will not be met.
 */
export class DigestTable {
  /** Of each slot three words of the digest and the value plus one; 0 where the slot is free. */
  #words = new Uint32Array(SLOTS_MIN * WORDS)
  #slots = SLOTS_MIN
  #size = 0

  /** The value kept for a digest of at least 12 bytes; undefined where there is none. */
  get(digest: Buffer): number | undefined {
    const kept = this.#words[this.#place(digest) + 3] ?? 0
    return kept === 0 ? undefined : kept - 1
  }

  /** Keeps a whole number below 2³² − 1 for a digest. */
  set(digest: Buffer, value: number): void {
    const place = this.#place(digest)
    if (this.#words[place + 3] === 0) this.#size += 1
    this.#words[place] = digest.readUInt32LE(0)
    this.#words[place + 1] = digest.readUInt32LE(4)
    this.#words[place + 2] = digest.readUInt32LE(8)
    this.#words[place + 3] = value + 1
    if (this.#size * 3 > this.#slots * 2) this.#grow()
  }

  /** Where the slot of a digest begins: its own, or the free one that it would take. */
  #place(digest: Buffer): number {
    const [first, second, third] = [digest.readUInt32LE(0), digest.readUInt32LE(4), digest.readUInt32LE(8)]
    return placeIn(this.#words, this.#slots, first, second, third)
  }

  #grow(): void {
    const words = this.#words
    const slots = this.#slots * 2
    const grown = new Uint32Array(slots * WORDS)
    for (let from = 0; from < words.length; from += WORDS) {
      if (words[from + 3] === 0) continue
      const entry = words.subarray(from, from + WORDS)
      grown.set(entry, placeIn(grown, slots, entry[0] ?? 0, entry[1] ?? 0, entry[2] ?? 0))
    }
    this.#words = grown
    this.#slots = slots
  }
}

function placeIn(words: Uint32Array, slots: number, first: number, second: number, third: number): number {
  // A digest is random, so its own bits spread the entries; the number of slots is a power of two.
  for (let slot = first & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
    const place = slot * WORDS
    if (words[place + 3] === 0) return place
    if (words[place] === first && words[place + 1] === second && words[place + 2] === third) return place
  }
}
