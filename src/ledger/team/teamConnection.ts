import type { LedgerServer } from './server.ts'
import { LedgerOlder } from './serverErrors.ts'

/** How a shared ledger gets at its server. Deadlines are times of `performance.now()`. */
export interface ServerAccess {
  /** Connects to the server. Throws LedgerNotReached, LedgerOlder, and UsageError for what must not be used. */
  connect(deadlineMs: number): Promise<LedgerServer>
  /** Records on the server that everybody stops, if that is necessary. Throws nothing that the server throws. */
  stopEverybody(deadlineMs: number): Promise<void>
}

/** The connection of a shared ledger to its server, which is opened when it is first used. */
export class TeamConnection {
  readonly #access: ServerAccess
  #server: Promise<LedgerServer> | undefined
  /** Connections to a server that turned out to be another one; other calls may still wait for them. */
  readonly #outdated: Promise<LedgerServer>[] = []

  constructor(access: ServerAccess) {
    this.#access = access
  }

  /** The server; one that could not be connected to is tried again. Throws what connecting throws. */
  open(deadlineMs: number): Promise<LedgerServer> {
    if (this.#server === undefined) {
      const connecting = this.#access.connect(deadlineMs)
      this.#server = connecting
      connecting.catch(() => {
        if (this.#server === connecting) this.#server = undefined
      })
    }
    return this.#server
  }

  /**
   * Does what needs the server. If it is not the one that the copy was made from, everybody stops, and later calls connect anew, because by then it may be
   * repaired. Throws what the work throws.
   */
  async use<Result>(deadlineMs: number, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof LedgerOlder)) throw error
      if (this.#server !== undefined) this.#outdated.push(this.#server)
      this.#server = undefined
      await this.#access.stopEverybody(deadlineMs)
      throw error
    }
  }

  async close(): Promise<void> {
    const opened = this.#server === undefined ? this.#outdated : [...this.#outdated, this.#server]
    for (const each of await Promise.allSettled(opened)) if (each.status === 'fulfilled') each.value.close()
  }
}
