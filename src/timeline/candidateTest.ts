import type { LedgerFilter } from './ledgerFilter.ts'
import type { Glance } from './lineGlance.ts'

/** A text that lines must hold; it is looked for once for all lines of a piece. */
class Wanted {
  readonly #needle: Buffer
  #next = 0

  constructor(needle: string) {
    this.#needle = Buffer.from(needle)
  }

  beginPiece(): void {
    this.#next = 0
  }

  standsIn(bytes: Buffer, start: number, end: number): boolean {
    if (this.#next < start) {
      const found = bytes.indexOf(this.#needle, start)
      this.#next = found === -1 ? bytes.length : found
    }
    return this.#next < end
  }
}

/** Tells from the bytes of an intent that a filter cannot mean it. */
export class CandidateTest {
  readonly #kind: string | null
  readonly #since: Buffer | null
  readonly #before: Buffer | null
  readonly #wanted: readonly Wanted[]

  constructor({ kind, sinceMs, beforeMs, by, profile, reference }: LedgerFilter) {
    this.#kind = kind
    this.#since = instantBytes(sinceMs)
    this.#before = instantBytes(beforeMs)
    const texts = [
      member('user', by),
      member('profile', profile),
      reference === null ? [] : [JSON.stringify(reference)],
    ]
    this.#wanted = texts.flat().map((text) => new Wanted(text))
  }

  /** To be called before the lines of other bytes, which must come in their order. */
  beginPiece(): void {
    for (const each of this.#wanted) each.beginPiece()
  }

  /** False only where the filter does not mean the intent. */
  passes(bytes: Buffer, start: number, end: number, { mark, at }: Glance): boolean {
    if (this.#kind !== null && mark !== this.#kind) return false
    if (this.#since !== null && compare(bytes, at, this.#since) < 0) return false
    if (this.#before !== null && compare(bytes, at, this.#before) >= 0) return false
    return this.#wanted.every((each) => each.standsIn(bytes, start, end))
  }
}

function member(name: string, text: string | null): string[] {
  return text === null ? [] : [`,"${name}":${JSON.stringify(text)}`]
}

/** As records write a time; its bytes sort like the time. */
function instantBytes(ms: number | null): Buffer | null {
  return ms === null ? null : Buffer.from(new Date(ms).toISOString())
}

function compare(bytes: Buffer, start: number, other: Buffer): number {
  for (let index = 0; index < other.length; index++) {
    const difference = (bytes[start + index] ?? 0) - (other[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
