import { statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { createPrivateFile } from '../../storage/privateFolder.ts'

const CONTACT_FILE = 'contact'
/** Each command notes its contact; more often than this it makes no difference. */
const NOTE_MS = 1000

/** The time in a shared ledger, which is its server's, and when the copy of this machine was last brought up to date. */
export class CopyClock {
  readonly #path: string
  readonly #now: () => number
  #aheadMs = 0
  #notedMs = Number.NEGATIVE_INFINITY

  /** `folder` is that of the copy; `now` gives the time of this machine in ms. */
  constructor(folder: string, now: () => number) {
    this.#path = join(folder, CONTACT_FILE)
    this.#now = now
  }

  /** The server's time, in ms, as far as it is known; until it was asked, that of this machine. */
  readonly now = (): number => this.#now() + this.#aheadMs

  /** Takes the time that the server says it is. */
  set(serverMs: number): void {
    this.#aheadMs = serverMs - this.#now()
  }

  /** Notes that the copy holds what the server has now. Throws the system's error. */
  noteContact(): void {
    const nowMs = this.#now()
    if (Math.abs(nowMs - this.#notedMs) < NOTE_MS) return
    createPrivateFile(this.#path)
    utimesSync(this.#path, nowMs / 1000, nowMs / 1000)
    this.#notedMs = nowMs
  }

  /** When that was last the case, in ms of this machine; null if it never was. */
  get contactMs(): number | null {
    return statSync(this.#path, { throwIfNoEntry: false })?.mtimeMs ?? null
  }
}
