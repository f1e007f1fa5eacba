import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { type FileHandle, stat } from 'node:fs/promises'
import { isShorterThanIndexed } from './lineIndex.ts'
import { MISSING } from './logDamage.ts'
import { contentsOf, identityOf, type LogContents, piecesOf, readBytes, type Span } from './logFile.ts'
import { indexPath, openSegment, sealedPath } from './segments.ts'

/** Whole lines of one file of a log, numbered from the beginning of that file. */
export interface LogPiece extends Pick<LogContents, 'entries' | 'damagedLines'> {
  path: string
}

const NEWS_BYTES_MAX = 512 * 1024
const NEWLINE = 0x0a
const buffer = Buffer.alloc(NEWS_BYTES_MAX)

/** Reads a log over all its files, oldest first, and remembers how far it has read. */
export class LogReader {
  readonly #path: string
  /** Of the file that is read next, which may be sealed between two readings. */
  #number = 1
  #offset = 0
  #lines = 0
  /** Which file that was when it was read last. */
  #identity: string | undefined

  /** `path` is that of the file that grows. */
  constructor(path: string) {
    this.#path = path
  }

  /**
   * What was written since the last reading, in pieces; a last line that is not whole is left for later. A piece counts as
   * read when the next one is asked for. A sealed file that is gone is a piece of one damaged line, {@link MISSING}. Throws
   * the system's error.
   */
  async *pieces(): AsyncGenerator<LogPiece> {
    const news = this.#news()
    if (news !== undefined) {
      yield* this.#given(news.contents, this.#path, news.end)
      return
    }
    for (;;) {
      const { file, path, isSealed } = await openSegment(this.#path, this.#number)
      try {
        this.#identity = file === undefined ? undefined : await identityOf(file)
        if (file !== undefined) yield* this.#piecesOf(file, path, isSealed)
        else if (isSealed) yield { path, entries: [], damagedLines: [MISSING] }
      } finally {
        await file?.close()
      }
      if (!isSealed) return
      this.#number += 1
      this.#offset = 0
      this.#lines = 0
    }
  }

  /** Leaves out so many lines that the caller itself has just written: the file that grows has so many bytes now. */
  skipTo(end: number, lines: number): void {
    this.#offset = end
    this.#lines += lines
  }

  /** True where the next to be read stands at this place of this file. */
  isAt(file: Span['file'], offset: number): boolean {
    return this.#identity === file && this.#offset === offset
  }

  /** True where what was read is not there any more, because somebody has taken the file away. */
  async isBeyondEnd(): Promise<boolean> {
    const sealed = await stat(sealedPath(this.#path, this.#number)).catch(() => undefined)
    const { size } = sealed ?? (await stat(this.#path).catch(() => ({ size: 0 })))
    return size < this.#offset
  }

  /**
   * What was written a moment ago is read without waiting for a thread, because a batch asks for it thousands of times a
   * second; undefined where that is much, or where the file was sealed.
   */
  #news(): { contents: LogContents; end: number } | undefined {
    if (this.#lines === 0) return undefined
    const file = openNowOrNothing(this.#path)
    if (file === undefined) return undefined
    try {
      // After the file was opened: what has not been sealed by now is the one that was read before.
      if (existsSync(sealedPath(this.#path, this.#number))) return undefined
      const length = readSync(file, buffer, 0, buffer.length, this.#offset)
      if (length === buffer.length) return undefined
      const whole = buffer.subarray(0, length).lastIndexOf(NEWLINE) + 1
      return { contents: contentsOf(buffer.toString('utf8', 0, whole)), end: this.#offset + whole }
    } finally {
      closeSync(file)
    }
  }

  async *#piecesOf(file: FileHandle, path: string, isSealed: boolean): AsyncGenerator<LogPiece> {
    for await (const { end, ...contents } of piecesOf(file, this.#offset)) yield* this.#given(contents, path, end)
    if (!isSealed) return
    if (await isShorterThanIndexed(file, indexPath(this.#path, this.#number))) {
      yield { path, entries: [], damagedLines: [this.#lines + 1] }
    }
    const tail = await readBytes(file, this.#offset, Math.max(0, (await file.stat()).size - this.#offset))
    if (tail.length === 0) return
    const contents = contentsOf(tail.toString('utf8'))
    // Nothing is written to it any more, so a line that misses its end has lost it.
    const damagedLines = contents.isTorn ? [1] : contents.damagedLines
    yield* this.#given({ ...contents, damagedLines }, path, this.#offset + tail.length)
  }

  *#given({ entries, damagedLines }: LogContents, path: string, end: number): Generator<LogPiece> {
    const before = this.#lines
    yield {
      path,
      entries: entries.map(({ line, json }) => ({ line: line + before, json })),
      damagedLines: damagedLines.map((line) => line + before),
    }
    this.#offset = end
    this.#lines += entries.length + damagedLines.length
  }
}

function openNowOrNothing(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
