import { fstatSync, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'

/** So much fits into a pipe that nobody reads yet, so that writing it keeps nobody waiting. */
const AT_ONCE_BYTES = 16_384

/** Where output goes; `columns` stands only on a terminal. */
export interface OutputStream {
  readonly isTTY: boolean
  readonly columns: number | undefined
  /** What has been written and not yet been taken, in bytes. */
  readonly writableLength: number
  write(chunk: string | Uint8Array): void
  /** The stream behind it, for who does more than to write. */
  stream(): Writable
}

/** Output to any stream. */
export function outputTo(stream: Writable, isTTY = false, columns?: number): OutputStream {
  return {
    isTTY,
    columns,
    get writableLength() {
      return stream.writableLength
    },
    write: (chunk) => {
      stream.write(chunk)
    },
    stream: () => stream,
  }
}

/**
 * Standard output or standard error. A short answer to a file or a pipe is written without the stream, which takes longer to load
 * than most answers take to make; the stream is opened for a terminal, for more, and for whatever goes wrong.
 */
export class OutputChannel implements OutputStream {
  readonly #descriptor: 1 | 2
  readonly #open: () => NodeJS.WriteStream
  #stream: NodeJS.WriteStream | undefined
  #atOnceBytes = 0

  /** `open` gives the stream of this descriptor, the same one each time. */
  constructor(descriptor: 1 | 2, open: () => NodeJS.WriteStream) {
    this.#descriptor = descriptor
    this.#open = open
    if (!isFileOrPipe(descriptor)) this.#stream = open()
  }

  get isTTY(): boolean {
    return this.#stream?.isTTY === true
  }

  get columns(): number | undefined {
    return this.#stream?.columns
  }

  get writableLength(): number {
    return this.#stream?.writableLength ?? 0
  }

  write(chunk: string | Uint8Array): void {
    if (this.#stream !== undefined) {
      this.#stream.write(chunk)
      return
    }
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    this.#atOnceBytes += bytes.length
    const written = this.#atOnceBytes > AT_ONCE_BYTES ? 0 : writeAtOnce(this.#descriptor, bytes)
    if (written === bytes.length) return
    this.stream().write(bytes.subarray(written))
  }

  stream(): NodeJS.WriteStream {
    this.#stream ??= this.#open()
    return this.#stream
  }

  /** Calls back when all that was written has been taken, or can never be. */
  flush(done: () => void): void {
    if (this.#stream === undefined) done()
    else this.#stream.write('', done)
  }
}

/** Writes to a descriptor and returns how many bytes were taken; fewer than all where something is wrong with it. */
export function writeAtOnce(descriptor: number, bytes: Uint8Array): number {
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written)
  } catch {
    // The stream meets the same error, and says it.
  }
  return written
}

/** False for a terminal, for what cannot be told, and where pipes cannot be written without their stream. */
function isFileOrPipe(descriptor: number): boolean {
  try {
    const facts = fstatSync(descriptor)
    return facts.isFile() || facts.isFIFO() || facts.isSocket()
  } catch {
    return false
  }
}
