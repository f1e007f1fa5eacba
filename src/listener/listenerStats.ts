import { createHistogram } from 'node:perf_hooks'
import type { Delivery } from './listenerServer.ts'

const MICROSECONDS = 1_000

/** What a listener has done; received is the sum of valid, invalid, unsigned and notStored. Times in ms, from the head of a webhook to its answer. */
export interface ListenerStats {
  received: number
  valid: number
  invalid: number
  /** Without a signature, accepted or not. */
  unsigned: number
  duplicates: number
  /** Genuine, but the ledger could not be written. */
  notStored: number
  /** Forwards that the service would count as received. */
  forwarded: number
  /** Forwards that it would count as failed: not answered 200 within 5 s. */
  notForwarded: number
  /** The same for each target, in the order of their first results. */
  targets: TargetStats[]
  p50: number
  p95: number
  p99: number
}

/** What was forwarded to one target, whose URL has no user name and password. */
export interface TargetStats {
  url: string
  forwarded: number
  notForwarded: number
}

/** Counts deliveries and the time that their answers took, in memory that does not grow with them. */
export class StatsCounter {
  readonly #answers = createHistogram()
  #received = 0
  #valid = 0
  #unsigned = 0
  #duplicates = 0
  #notStored = 0
  readonly #targets = new Map<string, TargetStats>()

  delivered({ isSigned, record, duplicate, reason, answeredMs }: Delivery): void {
    this.#received += 1
    if (record !== null && isSigned) this.#valid += 1
    if (reason === 'missing' || (record !== null && !isSigned)) this.#unsigned += 1
    if (duplicate) this.#duplicates += 1
    if (reason === 'not-stored') this.#notStored += 1
    this.#answers.record(Math.max(1, Math.round(answeredMs * MICROSECONDS)))
  }

  forwarded(url: string, isAccepted: boolean): void {
    const target = this.#targets.get(url) ?? { url, forwarded: 0, notForwarded: 0 }
    this.#targets.set(url, target)
    if (isAccepted) target.forwarded += 1
    else target.notForwarded += 1
  }

  stats(): ListenerStats {
    const targets = [...this.#targets.values()]
    return {
      received: this.#received,
      valid: this.#valid,
      invalid: this.#received - this.#valid - this.#unsigned - this.#notStored,
      unsigned: this.#unsigned,
      duplicates: this.#duplicates,
      notStored: this.#notStored,
      forwarded: targets.reduce((sum, { forwarded }) => sum + forwarded, 0),
      notForwarded: targets.reduce((sum, { notForwarded }) => sum + notForwarded, 0),
      targets,
      p50: this.#percentileMs(50),
      p95: this.#percentileMs(95),
      p99: this.#percentileMs(99),
    }
  }

  #percentileMs(percentile: number): number {
    return this.#received === 0 ? 0 : this.#answers.percentile(percentile) / MICROSECONDS
  }
}
