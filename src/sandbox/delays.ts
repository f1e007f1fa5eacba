/** Delays in real time that all end at once when the sandbox closes. */
export class Delays {
  readonly #waiting = new Map<NodeJS.Timeout, () => void>()
  closed = false

  /** Resolves after the time, or at once when closed. */
  wait(ms: number): Promise<void> {
    if (this.closed) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(timer)
        resolve()
      }, ms)
      this.#waiting.set(timer, resolve)
    })
  }

  close(): void {
    this.closed = true
    for (const [timer, resolve] of this.#waiting) {
      clearTimeout(timer)
      resolve()
    }
    this.#waiting.clear()
  }
}
