import { performance } from 'node:perf_hooks'

/** Under which number an event is kept, null where it is not, and whether it had been before. */
type Kept = { n: number | null; duplicate: boolean }

/** What becomes of an event that the disk does not take. */
export const NOT_KEPT: Kept = { n: null, duplicate: false }
/** The sender gives up after 5 s, and what it gave up it sends again. */
const KEEPING_MS_MAX = 4_000
const LATE_MAX = 10_000

/** A genuine event on its way to the disk. */
export interface Keeping {
  /** Of `performance.now()`. */
  startedMs: number
  isEnded: boolean
  /** Answers it, once; calls after the first do nothing. */
  end(httpStatus: number, kept: Kept): void
}

/** What is on its way to the disk, and what came there too late. */
export class Intake {
  /** A Set would be shorter, but it holds on to what has left it, and the collector then takes a quarter of the time. */
  readonly #places: (Keeping | null)[] = []
  readonly #free: number[] = []
  /** The numbers of those that were kept after their answer had gone out as 503. */
  readonly #late = new Set<number>()

  /** Takes an event in, and returns its place. */
  enter(keeping: Keeping): number {
    const place = this.#free.pop() ?? this.#places.length
    this.#places[place] = keeping
    return place
  }

  /** Gives a place free. */
  leave(place: number): void {
    this.#places[place] = null
    this.#free.push(place)
  }

  /** The sender sends again what was kept too late for its answer, and only then has it been delivered. */
  settle(keeping: Keeping, { n, duplicate }: Kept): void {
    if (!keeping.isEnded) keeping.end(200, { n, duplicate: duplicate && !this.#late.delete(n ?? 0) })
    else if (!duplicate && n !== null && this.#late.size < LATE_MAX) this.#late.add(n)
  }

  /** Gives up what the disk has not taken in time, and tells of each that there is no error to show. */
  giveUpLate(onNotKept: (error: undefined) => void): void {
    const nowMs = performance.now()
    for (const keeping of this.#places) {
      if (keeping === null || nowMs - keeping.startedMs < KEEPING_MS_MAX) continue
      onNotKept(undefined)
      keeping.end(503, NOT_KEPT)
    }
  }
}
