import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { t } from '../../text/words.ts'
import { isSystemError, UsageError } from '../../wire/errors.ts'

const PAGE_BITS = 10
const PAGE_WORDS = 1 << PAGE_BITS
const PAGE_BYTES = PAGE_WORDS * Uint32Array.BYTES_PER_ELEMENT
/** So many pages of a table are held in memory, which are 4 MB. */
const HELD_MAX = 1024
/** Where a page is that is not held. */
const IN_FILE = -1
const USED = 1
const CHANGED = 2

const BLANK = new Uint32Array(PAGE_WORDS)

/** Where in its page a place stands. What begins at a multiple of a power of two up to 1024 stands in one page. */
export function inPage(place: number): number {
  return place & (PAGE_WORDS - 1)
}

/**
 * Whole numbers below 2³² by their place from 0, each 0 at first. Of a long table most stands in a temporary file that has no
 * name, so that the memory for a batch does not grow with it. Throws UsageError where that file cannot be written.
 */
export class PagedWords {
  /** Where each page is held; undefined for one that nothing was written to. */
  readonly #holderOf: (number | undefined)[] = []
  readonly #held: Uint32Array[] = []
  readonly #numberOf: number[] = []
  readonly #marks = new Uint8Array(HELD_MAX)
  #hand = 0
  #file: number | undefined

  /** The page in which a place stands, to be read before anything else is done with the words; see {@link inPage}. */
  page(place: number): Readonly<Uint32Array> {
    const number = place >>> PAGE_BITS
    if (this.#holderOf[number] === undefined) return BLANK
    return this.#held[this.#hold(number)] ?? BLANK
  }

  /** The same, to be written to. */
  changedPage(place: number): Uint32Array {
    const holder = this.#hold(place >>> PAGE_BITS)
    this.#marks[holder] = USED | CHANGED
    const page = this.#held[holder]
    if (page === undefined) throw new Error('a page is not held')
    return page
  }

  /** Gives the file back, where there is one; nothing can be read or written any more. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  /** Where a page is held from now on. */
  #hold(number: number): number {
    const known = this.#holderOf[number]
    if (known !== undefined && known !== IN_FILE) {
      this.#marks[known] = (this.#marks[known] ?? 0) | USED
      return known
    }
    const holder = this.#held.length < HELD_MAX ? this.#held.push(new Uint32Array(PAGE_WORDS)) - 1 : this.#freed()
    const page = this.#held[holder]
    if (known === IN_FILE && page !== undefined) this.#move('read', page, number)
    else page?.fill(0)
    this.#holderOf[number] = holder
    this.#numberOf[holder] = number
    this.#marks[holder] = USED
    return holder
  }

  /** Puts a page that was not used for a while into the file. */
  #freed(): number {
    for (; ((this.#marks[this.#hand] ?? 0) & USED) !== 0; this.#hand = (this.#hand + 1) % HELD_MAX) {
      this.#marks[this.#hand] = (this.#marks[this.#hand] ?? 0) & CHANGED
    }
    const holder = this.#hand
    this.#hand = (this.#hand + 1) % HELD_MAX
    const page = this.#held[holder]
    const number = this.#numberOf[holder] ?? 0
    if (((this.#marks[holder] ?? 0) & CHANGED) !== 0 && page !== undefined) this.#move('write', page, number)
    this.#holderOf[number] = IN_FILE
    return holder
  }

  #move(way: 'read' | 'write', page: Uint32Array, number: number): void {
    try {
      this.#file ??= namelessFile()
      for (let done = 0; done < PAGE_BYTES; ) {
        const place = number * PAGE_BYTES + done
        const rest = PAGE_BYTES - done
        const moved =
          way === 'read'
            ? readSync(this.#file, page, done, rest, place)
            : writeSync(this.#file, page, done, rest, place)
        if (moved === 0) throw new Error('a page is not in its file')
        done += moved
      }
    } catch (error) {
      throw isSystemError(error) ? noRoom(error.code) : error
    }
  }
}

/** It is gone with the process, whatever ends that. */
function namelessFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-'))
  try {
    return openSync(join(folder, 'words'), 'wx+', 0o600)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function noRoom(code: string): UsageError {
  return new UsageError(t`What is too much for the memory cannot be kept in ${tmpdir()}: ${code}`, {
    hint: t`Make room there, or name another folder with \`TMPDIR\`; if something was sent, go on with \`pixgate batch list\` and \`pixgate resume <run>\``,
  })
}
