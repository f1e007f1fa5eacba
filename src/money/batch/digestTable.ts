import { hash } from 'node:crypto'

const WORDS = 4
const SLOTS_MIN = 1024

/** The SHA-256 of a text as 32 characters of one byte each; a Buffer for each row costs more than its hash. */
export function digestOf(text: string): string {
  return hash('sha256', text, 'binary')
}

/**
 * Numbers by digest, 16 bytes an entry where a Map of strings takes ten times as much, because a file of a million rows is
 * held in it three times. Of a digest the first 96 bits count; two digests that share them by chance will not be met.
 */
export class DigestTable {
  /** Of each slot three words of the digest and the value plus one; 0 where the slot is free. */
  #words = new Uint32Array(SLOTS_MIN * WORDS)
  #slots = SLOTS_MIN
  #size = 0

  /** The value kept for a digest; undefined where there is none. */
  get(digest: string): number | undefined {
    const kept = this.#words[this.#place(digest) + 3] ?? 0
    return kept === 0 ? undefined : kept - 1
  }

  /** Keeps a whole number below 2³² − 1 for a digest. */
  set(digest: string, value: number): void {
    const place = this.#place(digest)
    if (this.#words[place + 3] === 0) this.#size += 1
    this.#words[place] = wordAt(digest, 0)
    this.#words[place + 1] = wordAt(digest, 4)
    this.#words[place + 2] = wordAt(digest, 8)
    this.#words[place + 3] = value + 1
    if (this.#size * 3 > this.#slots * 2) this.#grow()
  }

  /** Where the slot of a digest begins: its own, or the free one that it would take. */
  #place(digest: string): number {
    return placeIn(this.#words, this.#slots, wordAt(digest, 0), wordAt(digest, 4), wordAt(digest, 8))
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

/** Four bytes as a number from 0 to 2³² − 1. */
function wordAt(digest: string, place: number): number {
  const low = digest.charCodeAt(place) | (digest.charCodeAt(place + 1) << 8)
  const high = digest.charCodeAt(place + 2) | (digest.charCodeAt(place + 3) << 8)
  return (low | (high << 16)) >>> 0
}
