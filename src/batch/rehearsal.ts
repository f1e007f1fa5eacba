import { centsFromJson } from '../pix/amount.ts'
import { objectsIn, textField } from '../wire/answers.ts'

/** What must be paid in the end: the cents of each payment by its id. */
export interface ExpectedPayments {
  cents: ReadonlyMap<string, number>
  totalCents: number
}

/** What a gateway paid, compared with what had to be paid. */
export interface RehearsedBooks {
  paidOnce: number
  /** Payments that were not requested, or requested once and made again. */
  paidTwice: number
  missing: number
  paidCents: number
  isRight: boolean
}

/** Compares payments with the transfers in a sandbox's state. A payment of another amount counts as one too many. */
export function compareBooks({ cents, totalCents }: ExpectedPayments, transfers: unknown): RehearsedBooks {
  const paid = new Set<string>()
  let paidTwice = 0
  let paidCents = 0
  for (const transfer of objectsIn(transfers)) {
    const id = textField(transfer, 'externalId') ?? ''
    const amountCents = centsFromJson(transfer.value) ?? 0
    paidCents += amountCents
    if (cents.get(id) === amountCents && !paid.has(id)) paid.add(id)
    else paidTwice += 1
  }
  const missing = cents.size - paid.size
  const isRight = paidTwice === 0 && missing === 0 && paidCents === totalCents
  return { paidOnce: paid.size, paidTwice, missing, paidCents, isRight }
}

/** One request in this many loses its answer. */
const FAULT_IN = 20
/** One process in this many is killed before its first request. */
const EARLY_IN = 5
const EARLY_MS = 500
const LATER_MS = 20
const ROWS_PER_KILL = 20

/** A process that can be killed. */
interface Target {
  kill(signal: 'SIGKILL'): boolean
}

/** What goes wrong in a rehearsal, and when: lost answers, and processes that are killed. The same seed gives the same sequence. */
export class RehearsalFaults {
  readonly killsPlanned: number
  faults = 0
  calls = 0
  readonly #rows: number
  readonly #firstFaultAt: number
  #state: number
  #killIn: number | null = null
  #target: Target | null = null
  #timer: NodeJS.Timeout | undefined

  /** `killsMax` is above 0, `seed` a whole number of 32 bits. */
  constructor(seed: number, rows: number, killsMax: number) {
    this.#state = seed
    this.#rows = rows
    this.killsPlanned = Math.min(killsMax, Math.ceil(rows / ROWS_PER_KILL))
    this.#firstFaultAt = 1 + this.#below(Math.min(rows, FAULT_IN))
  }

  /** Chooses the moment at which this process is killed. */
  aimAt(target: Target, isFirst: boolean): void {
    this.#target = target
    this.#killIn = null
    // The first one is killed in the middle of the work, so that even a short rehearsal covers that.
    if (!isFirst && this.#below(EARLY_IN) === 0) this.#killAfter(this.#below(EARLY_MS))
    else this.#killIn = 1 + this.#below(Math.ceil(this.#rows / this.killsPlanned))
  }

  /** Does not kill the process after all. */
  spare(): void {
    clearTimeout(this.#timer)
    this.#target = null
    this.#killIn = null
  }

  /** Called for every request. Returns true if its answer is to be lost. */
  onCall(): boolean {
    this.calls += 1
    if (this.#killIn !== null) this.#killIn -= 1
    if (this.#killIn === 0) {
      this.#killIn = null
      if (this.#below(2) === 0) this.#target?.kill('SIGKILL')
      else this.#killAfter(this.#below(LATER_MS))
    }
    const isLost = this.calls === this.#firstFaultAt || this.#below(FAULT_IN) === 0
    if (isLost) this.faults += 1
    return isLost
  }

  #killAfter(ms: number): void {
    const target = this.#target
    this.#timer = setTimeout(() => target?.kill('SIGKILL'), ms)
  }

  /** From 0 inclusive to `count` exclusive, by Mulberry32, a small generator in the public domain. */
  #below(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * count)
  }
}
