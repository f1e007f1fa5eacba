import type { LiveTrouble, LiveUpdate } from './pageData.ts'

/** What a feed reads from the ledger. */
export interface FeedSource {
  /** The number of the last record. */
  endSeq(): Promise<number>
  /** The changes after a record, and the number of the last record; `update` is null if no event has changed. */
  changesAfter(seq: number): Promise<{ endSeq: number; update: LiveUpdate | null }>
  /** An error as a sentence for a person. */
  troubleOf(error: unknown): string
}

type Listener = (message: LiveUpdate | LiveTrouble) => void

const POLL_MS = 500
/** Records that arrive within this time are read together. */
const SOON_MS = 50

/** Tells all open pages what is recorded, by whatever process. The ledger is read only while a page is open. */
export class LiveFeed {
  readonly #source: FeedSource
  readonly #listeners = new Set<Listener>()
  #seq: number | undefined
  #timer: NodeJS.Timeout | undefined
  #soon: NodeJS.Timeout | undefined
  #isReading = false
  #trouble = ''

  constructor(source: FeedSource) {
    this.#source = source
  }

  /** Calls the listener for everything that changes after this resolves. Returns the function that ends it. */
  async open(listener: Listener): Promise<() => void> {
    const endSeq = await this.#source.endSeq()
    // Of two pages that open together, the first one decides, so that neither misses a change.
    this.#seq ??= endSeq
    this.#listeners.add(listener)
    this.#timer ??= setInterval(() => void this.#look(), POLL_MS)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
      this.#seq = undefined
    }
  }

  /** Tells all open pages about something that is not in the ledger. */
  publish(message: LiveUpdate | LiveTrouble): void {
    for (const listener of this.#listeners) listener(message)
  }

  /** Reads what is new before the next regular time, if a page is open. */
  lookSoon(): void {
    if (this.#listeners.size === 0) return
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      void this.#look()
    }, SOON_MS)
  }

  async #look(): Promise<void> {
    const seq = this.#seq
    if (seq === undefined || this.#isReading) return
    this.#isReading = true
    try {
      const { endSeq, update } = await this.#source.changesAfter(seq)
      if (this.#seq !== undefined) this.#seq = endSeq
      this.#trouble = ''
      if (update !== null) this.publish(update)
    } catch (error) {
      const trouble = this.#source.troubleOf(error)
      if (trouble !== this.#trouble) this.publish({ trouble })
      this.#trouble = trouble
    } finally {
      this.#isReading = false
    }
  }
}
