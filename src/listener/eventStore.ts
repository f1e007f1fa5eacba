import { createHistogram, performance } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  noteVerifiedHere,
  numberOfEvent,
  type ReceivedEvent,
  type StoredEvent,
  storeEvent,
  storeForward,
} from '../ledger/events.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { LedgerBusy } from '../ledger/ledgerFile.ts'
import type { ForwardRecord } from '../ledger/records.ts'
import type { Writer } from '../ledger/writer.ts'
import type { Secret } from '../wire/secret.ts'
import type { Delivery } from './listenerServer.ts'

/** The service stops waiting for an answer after 5 s. */
const EVENT_WAIT_MS = 4_000
/** The result of a forward can wait longer while another program holds the ledger. */
const FORWARD_WAIT_MS = 10_000
/** A transaction blocks the process, so it must not become too long. */
const GROUP_MAX = 250

type ForwardResult = Omit<ForwardRecord, 'type' | 'n'>

/** An event that is durable. While it is pending, on this machine alone, its number may still change. */
interface KeptEvent extends StoredEvent {
  isPending: boolean
}

interface PendingEvent {
  event: ReceivedEvent
  /** When it must be stored or given up, by the clock of `performance`. */
  deadlineMs: number
  resolve(stored: KeptEvent): void
  reject(error: unknown): void
}

interface PendingForward {
  forward: ForwardResult
  deadlineMs: number
}

/** Stores events in the ledger. Those that arrive while a transaction is under way are stored together in the next one. */
export class EventStore {
  readonly #ledger: Ledger
  readonly #onForwardLost: (error: unknown) => void
  readonly #secrets: readonly Secret[]
  readonly #assertInUse: () => void
  readonly #events: PendingEvent[] = []
  readonly #forwards: PendingForward[] = []
  #writing: Promise<void> | undefined

  /**
   * `secrets` are not stored. `onForwardLost` gets the reason if the result of forwarding an event cannot be recorded. `assertInUse` throws if the account has
   * another ledger by now.
   */
  constructor(
    ledger: Ledger,
    secrets: readonly Secret[],
    onForwardLost: (error: unknown) => void,
    assertInUse = () => {},
  ) {
    this.#ledger = ledger
    this.#assertInUse = assertInUse
    this.#secrets = secrets
    this.#onForwardLost = onForwardLost
  }

  /** Resolves when the event is durable. Rejects if it cannot be stored, or not in 4 s; then it is not stored later. */
  keep(event: ReceivedEvent): Promise<KeptEvent> {
    return new Promise((resolve, reject) => {
      this.#events.push({ event, deadlineMs: performance.now() + EVENT_WAIT_MS, resolve, reject })
      this.#start()
    })
  }

  /** Records the result of forwarding an event, with the next events that are stored. */
  noteForward(forward: ForwardResult): void {
    this.#forwards.push({ forward, deadlineMs: performance.now() + FORWARD_WAIT_MS })
    this.#start()
  }

  /** Resolves when everything that was handed over is stored or given up. */
  async settled(): Promise<void> {
    await this.#writing
  }

  #start(): void {
    this.#writing ??= this.#writeAll()
  }

  async #writeAll(): Promise<void> {
    while (this.#events.length > 0 || this.#forwards.length > 0) {
      // Requests that were read in the same turn of the event loop belong to the same group.
      await nextTurn()
      await this.#write(this.#events.splice(0, GROUP_MAX), this.#forwards.splice(0, GROUP_MAX))
    }
    this.#writing = undefined
  }

  async #write(events: PendingEvent[], forwards: PendingForward[]): Promise<void> {
    const deadlines = [...events, ...forwards].map(({ deadlineMs }) => deadlineMs)
    const leftMs = Math.max(0, Math.min(...deadlines) - performance.now())
    const received = events.map(({ event }) => event)
    try {
      this.#assertInUse()
      await noteVerifiedHere(this.#ledger, received)
      const { result: stored, isPending } = await this.#ledger.receive(
        (writer) => this.#storeAll(writer, events, forwards),
        leftMs,
      )
      for (const [index, { resolve, reject }] of events.entries()) {
        const result = stored[index]
        if (result === undefined) reject(new Error('an event was not stored'))
        else resolve({ ...result, isPending })
      }
    } catch (error) {
      if (error instanceof LedgerBusy) this.#putBack(events, forwards, error)
      else if (events.length + forwards.length > 1) await this.#writeEach(events, forwards)
      else this.#giveUp(events, forwards, error)
    }
  }

  /** One event that cannot be stored must not prevent the others. */
  async #writeEach(events: PendingEvent[], forwards: PendingForward[]): Promise<void> {
    for (const forward of forwards) await this.#write([], [forward])
    for (const event of events) await this.#write([event], [])
  }

  #putBack(events: PendingEvent[], forwards: PendingForward[], error: LedgerBusy): void {
    const nowMs = performance.now()
    const isLate = ({ deadlineMs }: { deadlineMs: number }) => deadlineMs <= nowMs
    this.#giveUp(events.filter(isLate), forwards.filter(isLate), error)
    this.#events.unshift(...events.filter((each) => !isLate(each)))
    this.#forwards.unshift(...forwards.filter((each) => !isLate(each)))
  }

  #giveUp(events: PendingEvent[], forwards: PendingForward[], error: unknown): void {
    for (const { reject } of events) reject(error)
    if (forwards.length > 0) this.#onForwardLost(error)
  }

  #storeAll(writer: Writer, events: readonly PendingEvent[], forwards: readonly PendingForward[]): StoredEvent[] {
    for (const { forward } of forwards) {
      const n = numberOfEvent(writer.database, forward.event)
      // Another machine had stored the same bytes before this one could hand them over.
      if (n !== undefined) storeForward(writer, { ...forward, n }, this.#secrets)
    }
    return events.map(({ event }) => storeEvent(writer, event, this.#secrets))
  }
}

const MICROSECONDS = 1_000

/** What a listener has done; received is the sum of valid, invalid, unsigned and notStored. Times in ms, from the head of a webhook to its answer. */
export type ListenerStats = ReturnType<StatsCounter['stats']>

/** What was forwarded to one target, whose URL has no user name and password. */
interface TargetStats {
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

  stats() {
    const targets = [...this.#targets.values()]
    return {
      received: this.#received,
      valid: this.#valid,
      invalid: this.#received - this.#valid - this.#unsigned - this.#notStored,
      /** Without a signature, accepted or not. */
      unsigned: this.#unsigned,
      duplicates: this.#duplicates,
      /** Genuine, but the ledger could not be written. */
      notStored: this.#notStored,
      /** Forwards that the service would count as received. */
      forwarded: targets.reduce((sum, { forwarded }) => sum + forwarded, 0),
      /** Forwards that it would count as failed: not answered 200 within 5 s. */
      notForwarded: targets.reduce((sum, { notForwarded }) => sum + notForwarded, 0),
      /** The same for each target, in the order of their first results. */
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
