/** A run is long from here on: a person may be looking at another window. */
const LONG_MS = 10_000
/** Terminals with a stack of titles keep the current one; others ignore this. */
const KEEP_TITLE = '\u001b[22;2t'
const RESTORE_TITLE = '\u001b[23;2t'
const BELL = '\u0007'

/** Tells a person who looks at another window how far a long run is, in the title of the terminal, and with the bell when it ends. */
export class LongRun {
  readonly #write: (sequence: string) => void
  readonly #now: () => number
  #startMs: number | null = null
  #title: string | null = null

  constructor(write: (sequence: string) => void, now: () => number) {
    this.#write = write
    this.#now = now
  }

  /** Notes how far the run is; `title` must not contain control characters. */
  progress(title: string): void {
    this.#startMs ??= this.#now()
    if (this.#now() - this.#startMs < LONG_MS || title === this.#title) return
    this.#write(`${this.#title === null ? KEEP_TITLE : ''}${titleSequence(title)}`)
    this.#title = title
  }

  /** Ends the run: after a long one it rings the bell and restores the title. A further run begins with its first progress. */
  end(): void {
    // An empty title clears that of a terminal without a stack.
    if (this.#title !== null) this.#write(`${titleSequence('')}${RESTORE_TITLE}${BELL}`)
    this.#startMs = null
    this.#title = null
  }
}

/** Sets the title of the window (OSC 2). */
function titleSequence(title: string): string {
  return `\u001b]2;${title}\u0007`
}
