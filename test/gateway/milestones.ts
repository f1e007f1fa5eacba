/** Counts upwards, and tells those who wait when a number is reached. */
export class Milestones {
  count = 0
  #waiting: { count: number; resolve: () => void }[] = []

  reach(count: number): void {
    this.count = count
    for (const each of this.#waiting) if (each.count <= count) each.resolve()
    this.#waiting = this.#waiting.filter((each) => each.count > count)
  }

  when(count: number): Promise<void> {
    if (this.count >= count) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push({ count, resolve }))
  }
}
