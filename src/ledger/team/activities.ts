import { performance } from 'node:perf_hooks'
import { only } from '../../pix/expectedError.ts'
import { Failure } from '../../wire/errors.ts'
import type { LedgerServer } from './ledgerServer.ts'
import {
  ACTIVITY_SQL,
  type Activity,
  claimActivitySql,
  type OwnActivity,
  putActivitySql,
  readActivity,
  removeActivitySql,
} from './sharedRecords.ts'

/** What a process may be doing: at most one of each kind at a time. */
type ActivityKind = 'run' | 'listener'

interface ActivitiesParts {
  /** The connection, before a time of `performance.now()`. */
  connect(deadlineMs: number): Promise<LedgerServer>
  /** The id of this process. */
  process(): Promise<string>
  machine: string
  /** Names the copy of the ledger that this process uses. */
  copy: string
  /** True if a process that used this copy of the ledger has ended. */
  hasEnded(process: string): Promise<boolean>
  timeoutMs: number
  /** False if the server did not answer when it was asked last. */
  isReached(): boolean
  /** Called with each heartbeat. */
  onBeat(): Promise<void>
}

/** A living process says so this often, and counts as dead after several times without, by the server's clock. */
const BEAT_MS = 4000
const DEAD_AFTER_MS = 15_000
const BEAT_WAIT_MS = 3000
const LIST_WAIT_MS = 2000

/** What the processes of a team are doing now. It is told to people, and counted where somebody must listen; nothing about money is decided by it. */
export type TeamActivities = Pick<Activities, 'others' | 'othersIfReached' | 'announce' | 'claim' | 'end'>

/** Announces what this process does, with a heartbeat, and asks what others do. */
export class Activities {
  readonly #parts: ActivitiesParts
  readonly #own = new Map<string, OwnActivity>()
  #timer: NodeJS.Timeout | undefined
  #beating: Promise<void> | undefined

  constructor(parts: ActivitiesParts) {
    this.#parts = parts
  }

  /** What the other living processes do, oldest first; one of this copy that has ended is not among them. Throws LedgerNotReached. */
  async others(kind: ActivityKind, timeoutMs = this.#parts.timeoutMs): Promise<Activity[]> {
    const deadlineMs = performance.now() + timeoutMs
    const server = await this.#parts.connect(deadlineMs)
    const living: Activity[] = []
    for (const each of await this.#seen(await activitiesOn(server, ACTIVITY_SQL, deadlineMs), kind)) {
      if (!(await this.#hasEnded(each))) living.push(each)
    }
    return living
  }

  /** The same for a list: within 2 seconds, and none if the server is not reached. */
  async othersIfReached(kind: ActivityKind): Promise<Activity[]> {
    if (!this.#parts.isReached()) return []
    return this.others(kind, LIST_WAIT_MS).catch(only(Failure, () => []))
  }

  /** Tells the others what this process does, until it ends or dies; called again, what has changed. Throws LedgerNotReached. */
  async announce(kind: ActivityKind, detail: Activity['detail']): Promise<void> {
    const own = await this.#activity(kind, detail)
    // Before it succeeds: the heartbeat tells it later.
    this.#keep(own)
    await this.#put(own, performance.now() + BEAT_WAIT_MS)
  }

  /**
   * Announces an activity unless another living process has announced one of this kind with the same `claim` in its detail; returns that one.
   * Throws LedgerNotReached.
   */
  async claim(kind: ActivityKind, detail: Activity['detail'] & { claim: string }): Promise<Activity | undefined> {
    const holder = await this.#tryClaim(kind, detail)
    // The server removes it for its own login only.
    if (holder === undefined || !(await this.#hasEnded(holder))) return holder
    await this.#remove(holder)
    return this.#tryClaim(kind, detail)
  }

  async #tryClaim(kind: ActivityKind, detail: Activity['detail'] & { claim: string }): Promise<Activity | undefined> {
    const deadlineMs = performance.now() + this.#parts.timeoutMs
    const own = await this.#activity(kind, detail)
    const server = await this.#parts.connect(deadlineMs)
    const claim = claimActivitySql(own, detail.claim, DEAD_AFTER_MS)
    const all = await activitiesOn(server, claim, deadlineMs)
    const others = await this.#seen(all, kind)
    const holder = others.find((each) => each.detail.claim === detail.claim)
    if (holder === undefined) this.#keep(own)
    return holder
  }

  /** Tells the others that it is over. If the server is not reached, they forget it soon. */
  async end(kind: ActivityKind): Promise<void> {
    const own = this.#own.get(kind)
    this.#own.delete(kind)
    if (own !== undefined) await this.#remove(own)
  }

  /** Ends all activities of this process. If the server is not reached, the other machines are not told. */
  async close(isReached: boolean): Promise<void> {
    clearInterval(this.#timer)
    await this.#beating
    if (isReached) await Promise.all(Array.from(this.#own.values(), (own) => this.#remove(own)))
  }

  async #activity(kind: ActivityKind, detail: Activity['detail']): Promise<OwnActivity> {
    const { machine, copy } = this.#parts
    return { process: await this.#parts.process(), machine, kind, detail: { ...detail, copy } }
  }

  /** A process of this machine need not be waited for when it has ended. */
  async #hasEnded({ machine, detail, process }: Activity): Promise<boolean> {
    return machine === this.#parts.machine && detail.copy === this.#parts.copy && this.#parts.hasEnded(process)
  }

  async #seen(all: readonly Activity[], kind: ActivityKind): Promise<Activity[]> {
    const own = await this.#parts.process()
    return all.filter((each) => each.kind === kind && each.process !== own && each.seenAgoMs < DEAD_AFTER_MS)
  }

  async #put(own: OwnActivity, deadlineMs: number): Promise<void> {
    const server = await this.#parts.connect(deadlineMs)
    await server.rows(putActivitySql(own), deadlineMs)
  }

  #keep(own: OwnActivity): void {
    this.#own.set(own.kind, own)
    this.#timer ??= setInterval(() => {
      this.#beating ??= this.#beat().finally(() => {
        this.#beating = undefined
      })
    }, BEAT_MS).unref()
  }

  async #beat(): Promise<void> {
    await ifReached(async () => {
      for (const own of this.#own.values()) await this.#put(own, performance.now() + BEAT_WAIT_MS)
    })
    await this.#parts.onBeat()
  }

  #remove(own: Pick<Activity, 'process' | 'kind'>): Promise<void> {
    return ifReached(async () => {
      const deadlineMs = performance.now() + BEAT_WAIT_MS
      const server = await this.#parts.connect(deadlineMs)
      await server.rows(removeActivitySql(own), deadlineMs)
    })
  }
}

/** Others forget by themselves what is not told them again. */
async function ifReached(work: () => Promise<void>): Promise<void> {
  await work().catch(only(Failure, () => undefined))
}

/** What the processes of all members are doing after a statement. Throws LedgerNotReached. */
async function activitiesOn(server: LedgerServer, sql: string, deadlineMs: number): Promise<Activity[]> {
  return (await server.rows(sql, deadlineMs)).map(readActivity)
}
