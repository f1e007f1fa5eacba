import { createHash } from 'node:crypto'
import type { LogEntry } from '../schemas/sandboxAnswers.ts'
import type { CallFault } from './faults.ts'
import type { KeptIn } from './keeper.ts'
import type { SandboxSettings } from './sandboxSettings.ts'

/** All options of a sandbox. Times in milliseconds, money in cents. */
export interface SandboxOptions extends SandboxSettings {
  /** The wall clock, which the sandbox's own clock may differ from. */
  now: () => number
  /** What the sandbox's own clock shows at the start, in place of the wall clock. */
  startMs?: number
  /** A fresh UUID. */
  newId: () => string
  /** Makes transaction ids in place of `newId`: the same ones in the same order. */
  seed?: string
  /** Where it is kept; without it, it ends with the process. */
  keptIn?: KeptIn
  /** How long a receiver may take to answer a webhook. */
  answerLimitMs: number
  balanceCents: number
  /** Every PIX key exists and belongs to the document in the request; otherwise the directory decides. */
  anyKeyHolder?: boolean
  /** Asked at every call of a service endpoint by its path: the fault, if none is waiting. */
  misbehave?: (path: string) => CallFault | undefined
  /** The host name in the sandbox's own address, for callers on other machines or in other containers. */
  baseUrlName?: string
  /** Called for each request and each attempt of a delivery; the entries hold no secret. */
  onLog?: (entry: LogEntry) => void
}

/** The documented defaults; they match the built-in profile of the command line. */
export const SANDBOX_DEFAULTS = {
  port: 4010,
  host: '127.0.0.1',
  clientId: 'local',
  clientSecret: 'local-secret',
  hostedStatusRule: false,
  signature: 'hex',
  webhookStyle: 'java',
  statusKey: 'status',
  refundEvent: 'originalTransactionId',
  deliverAttempts: 3,
  deliverDelaysMs: [1000, 5000],
  answerLimitMs: 5000,
  autoSettleMs: 1000,
  latencyMs: 0,
  allowIps: ['127.0.0.0/8', '::1'],
  balanceCents: 1_000_000,
} as const satisfies Omit<SandboxOptions, 'now' | 'newId'>

/** The transaction id (a UUID) that this seed gives in this place, counted from 1. */
export function seededId(seed: string, place: number): string {
  const hex = createHash('sha256').update(`${place} ${seed}`).digest('hex')
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-')
}

interface Timer {
  dueMs: number
  run: () => void
}

/** The longest that setTimeout can wait; a longer wait is taken in steps. */
const TIMEOUT_MS_MAX = 2_147_483_647

/**
 * The sandbox's clock: the wall clock plus what it began and was advanced with. Everything automatic (expiry, settling,
 * redelivery) is scheduled on it and runs in the order of due times.
 */
export class Clock {
  readonly #wallNow: () => number
  readonly #moved: (aheadMs: number) => void
  #aheadMs: number
  /** Ascending by due time; equal ones in the order in which they were set. */
  #timers: Timer[] = []
  #wakeUp: NodeJS.Timeout | undefined
  #closed = false

  /** `moved` is called after each {@link Clock.advance}, with how far it is ahead of the wall clock then. */
  constructor(wallNow: () => number, aheadMs = 0, moved: (aheadMs: number) => void = () => undefined) {
    this.#wallNow = wallNow
    this.#aheadMs = aheadMs
    this.#moved = moved
  }

  now(): number {
    return this.#wallNow() + this.#aheadMs
  }

  /** Runs something once this clock shows `dueMs`, never before this call returns. */
  at(dueMs: number, run: () => void): void {
    if (this.#closed) return
    const after = this.#timers.findLastIndex((timer) => timer.dueMs <= dueMs)
    this.#timers.splice(after + 1, 0, { dueMs, run })
    this.#setWakeUp()
  }

  /** Runs all that is due. */
  runDue(): void {
    this.#runUntil(this.now())
    this.#setWakeUp()
  }

  /** Moves the clock on; all that falls due on the way runs at its own time. */
  advance(byMs: number): void {
    const targetMs = this.now() + byMs
    this.#runUntil(targetMs)
    this.#aheadMs = Math.max(this.#aheadMs, targetMs - this.#wallNow())
    this.runDue()
    this.#moved(this.#aheadMs)
  }

  /** So far ahead of the wall clock, with nothing left to run. */
  reset(aheadMs: number): void {
    this.#timers = []
    this.#aheadMs = aheadMs
    this.#setWakeUp()
  }

  close(): void {
    this.#closed = true
    this.#timers = []
    this.#setWakeUp()
  }

  #runUntil(limitMs: number): void {
    for (let next = this.#timers[0]; next !== undefined && next.dueMs <= limitMs; next = this.#timers[0]) {
      this.#timers.shift()
      this.#aheadMs = Math.max(this.#aheadMs, next.dueMs - this.#wallNow())
      next.run()
    }
  }

  #setWakeUp(): void {
    clearTimeout(this.#wakeUp)
    const next = this.#timers[0]
    if (next === undefined) return
    const waitMs = Math.min(Math.max(next.dueMs - this.now(), 0), TIMEOUT_MS_MAX)
    this.#wakeUp = setTimeout(() => this.runDue(), waitMs)
  }
}
