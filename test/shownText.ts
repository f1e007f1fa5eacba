import { stripVTControlCharacters } from 'node:util'

/** What was written to a terminal, for tests that wait for parts of it. */
export class ShownText {
  /** Everything, escape sequences included. */
  raw = ''
  #seenUpTo = 0
  readonly #watchers = new Set<() => void>()

  add(text: string): void {
    this.raw += text
    for (const watcher of this.#watchers) watcher()
  }

  /** What has been written so far, without colours and cursor movements. */
  written(): string {
    return stripVTControlCharacters(this.raw).replaceAll('\r\n', '\n')
  }

  /** When this text has been written after everything that was waited for before. Rejects if the command ends first. */
  shows(text: string, ended: Promise<unknown>): Promise<void> {
    // A sentence may be broken at any of its spaces.
    const pattern = new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s+'), 'g')
    return new Promise((resolve, reject) => {
      const look = () => {
        pattern.lastIndex = this.#seenUpTo
        if (!pattern.test(this.written())) return
        this.#seenUpTo = pattern.lastIndex
        this.#watchers.delete(look)
        resolve()
      }
      this.#watchers.add(look)
      look()
      const missing = () => reject(new Error(`the command ended without showing ${text}:\n${this.written()}`))
      ended.then(missing, missing)
    })
  }
}
