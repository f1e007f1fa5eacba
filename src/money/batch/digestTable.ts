import { hash } from 'node:crypto'
import { inPage, PagedWords } from './pagedWords.ts'

const WORDS = 4
const SLOT_BITS_MIN = 10

/** The SHA-256 of a text as 32 characters of one byte each; a Buffer for each row costs more than its hash. */
export function digestOf(text: string): string {
  return hash('sha256', text, 'binary')
}

/**
 * Numbers by digest, in bounded memory, because a file of a million rows is held in it three times. Of a digest the first 96
 * bits count; two digests that share them by chance will not be met.
 */
export class DigestTable {
  /**
   * Of each slot three words of the digest and the value plus one; 0 where the slot is free. The slots are in the order of
   * the digests, so that a table that grows is written from its beginning to its end.
   */
  #words = new PagedWords()
  #slotBits = SLOT_BITS_MIN
  #size = 0
  /** With more than these it grows: two thirds of its slots. */
  #sizeMax = (2 ** SLOT_BITS_MIN * 2) / 3
  /** Behind the last slot that is taken; those beyond the number of slots are of digests whose own were taken. */
  #end = 0

  /** The value kept for a digest; undefined where there is none. */
  get(digest: string): number | undefined {
    const place = this.#place(digest)
    const kept = this.#words.page(place)[inPage(place) + 3] ?? 0
    return kept === 0 ? undefined : kept - 1
  }

  /** Keeps a whole number below 2³² − 1 for a digest; gives the one that was kept before, undefined where there was none. */
  set(digest: string, value: number): number | undefined {
    const before = this.#put(wordAt(digest, 0), wordAt(digest, 4), wordAt(digest, 8), value + 1)
    if (before !== 0) return before - 1
    this.#size += 1
    if (this.#size > this.#sizeMax) this.#grow()
    return undefined
  }

  /** Where the slot of a digest begins: its own, or the free one that it would take. */
  #place(digest: string): number {
    return placeIn(this.#words, this.#slotBits, wordAt(digest, 0), wordAt(digest, 4), wordAt(digest, 8))
  }

  /** Fills a slot; gives what was kept in it, 0 where it was free. */
  #put(first: number, second: number, third: number, kept: number): number {
    const place = placeIn(this.#words, this.#slotBits, first, second, third)
    const page = this.#words.changedPage(place)
    const at = inPage(place)
    const before = page[at + 3] ?? 0
    page[at] = first
    page[at + 1] = second
    page[at + 2] = third
    page[at + 3] = kept
    if (place >= this.#end) this.#end = place + WORDS
    return before
  }

  #grow(): void {
    const words = this.#words
    const end = this.#end
    this.#words = new PagedWords()
    this.#slotBits += 1
    this.#sizeMax *= 2
    for (let from = 0; from < end; from += WORDS) {
      const page = words.page(from)
      const at = inPage(from)
      const [first = 0, second = 0, third = 0, kept = 0] = [page[at], page[at + 1], page[at + 2], page[at + 3]]
      if (kept !== 0) this.#put(first, second, third, kept)
    }
    words.close()
  }
}

/** Keeps an entry for a digest; gives one more than the entry that was kept before, 0 where there was none. */
export function replaced(entries: DigestTable, digest: string, entry: number): number {
  return (entries.set(digest, entry) ?? -1) + 1
}

function placeIn(words: PagedWords, slotBits: number, first: number, second: number, third: number): number {
  // A digest is random, so its own bits spread the entries.
  for (let place = (first >>> (32 - slotBits)) * WORDS; ; place += WORDS) {
    const page = words.page(place)
    const at = inPage(place)
    if (page[at + 3] === 0) return place
    if (page[at] === first && page[at + 1] === second && page[at + 2] === third) return place
  }
}

/** Four bytes as a number from 0 to 2³² − 1. */
function wordAt(digest: string, place: number): number {
  const low = digest.charCodeAt(place) | (digest.charCodeAt(place + 1) << 8)
  const high = digest.charCodeAt(place + 2) | (digest.charCodeAt(place + 3) << 8)
  return (low | (high << 16)) >>> 0
}
