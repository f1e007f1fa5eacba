import type { FileHandle } from 'node:fs/promises'
import { takeIndex, writeIndex } from './lineIndex.ts'
import { BYTES_BEFORE_JSON, eachLine, jsonIn, judgeTail, linePieces } from './lineScan.ts'
import { LineTable } from './lineTable.ts'
import { LogDamage, MISSING } from './logDamage.ts'
import { readBytes } from './logFile.ts'
import type { Look } from './recordLook.ts'
import { indexPath, type OpenSegment, openSegment } from './segments.ts'

const READ_BYTES = 256 * 1024
const NEWLINE = 0x0a

/** What the lines of a log are, over all its files, without reading more than has come since the last look. */
export class LogLines {
  readonly table = new LineTable()
  damage = new LogDamage()
  /** True where the last line is not whole. */
  isTorn = false
  readonly #path: string
  readonly #look: Look
  /** The addresses of the first bytes of the files. */
  readonly #bases: number[] = []
  #wholeDamage: [path: string, line: number][] = []
  /** Of the file that is read next. */
  #number = 1
  #base = 0
  #offset = 0
  #line = 0
  /** The first of its lines in the table, and the first behind what is whole in it. */
  #first = 0
  #whole = 0
  #isDamaged = false

  constructor(path: string, look: Look) {
    this.#path = path
    this.#look = look
  }

  /** Brings the table up to date. Throws the system's error. */
  async refresh(): Promise<void> {
    this.table.cutTo(this.#whole)
    this.isTorn = false
    let tailDamage: number | undefined
    for (;;) {
      const segment = await openSegment(this.#path, this.#number)
      this.#bases[this.#number - 1] = this.#base
      try {
        tailDamage = await this.#readSegment(segment)
      } finally {
        await segment.file?.close()
      }
      if (!segment.isSealed) break
    }
    this.damage = new LogDamage()
    for (const [path, line] of this.#wholeDamage) this.damage.add(path, [line])
    if (tailDamage !== undefined) this.damage.add(this.#path, [tailDamage])
  }

  /** The JSON of these lines, which must be in the order of the log. A line that is damaged by now is left out. */
  async *texts(indices: Iterable<number>): AsyncGenerator<string> {
    const reading = new Reading(this.#path, this.#bases)
    try {
      for (const index of indices) {
        const { address, length } = this.table.place(index)
        const json = await reading.jsonAt(address, length)
        if (typeof json === 'string') yield json
        else this.damage.add(json.path, [json.line])
      }
    } finally {
      await reading.close()
    }
  }

  /** Returns the number of a damaged last line. */
  async #readSegment({ file, path, isSealed }: OpenSegment): Promise<number | undefined> {
    if (file === undefined) {
      if (isSealed) {
        this.#wholeDamage.push([path, MISSING])
        this.#begin(0)
      }
      return undefined
    }
    if (!isSealed) return this.#scan(file, path, false)
    const stats = await file.stat({ bigint: true })
    const indexed = { stats, table: this.table, base: this.#base }
    const index = indexPath(this.#path, this.#number)
    const found = this.#offset === 0 ? await takeIndex(index, indexed) : 'unfit'
    if (found !== 'taken') {
      await this.#scan(file, path, true)
      // What was cut off ended with a whole line, or the scan would have seen it.
      if (found === 'shorter' && !this.#isDamaged) this.#damaged(path, this.#line + 1)
      if (!this.#isDamaged) await writeIndex(index, indexed, this.#first)
    }
    this.#begin(Number(stats.size))
    return undefined
  }

  /** Goes on with the file behind one of so many bytes. */
  #begin(bytes: number): void {
    this.#number += 1
    this.#base += bytes
    this.#offset = 0
    this.#line = 0
    this.#first = this.table.count
    this.#whole = this.table.count
    this.#isDamaged = false
  }

  async #scan(file: FileHandle, path: string, isSealed: boolean): Promise<number | undefined> {
    for await (const { bytes, offset, isTail } of linePieces(file, this.#offset)) {
      if (!isTail) {
        this.#takeLines(bytes, offset, path)
        this.#offset = offset + bytes.length
        this.#whole = this.table.count
        continue
      }
      // A sealed file was whole.
      const tail = judgeTail(bytes)
      if (tail === 'whole') this.#takeTail(bytes, offset)
      else if (isSealed) this.#damaged(path, this.#line + 1)
      else if (tail === 'damaged') return this.#line + 1
      else this.isTorn = true
    }
    return undefined
  }

  #takeLines(bytes: Buffer, offset: number, path: string): void {
    eachLine(bytes, (start, end, isWhole) => {
      this.#line += 1
      const seen = isWhole ? this.#look(bytes, start, end) : undefined
      if (seen === undefined) this.#damaged(path, this.#line)
      else if (seen.mark !== 'other') this.table.add(this.#base + offset + start, end - start, seen)
    })
  }

  /** It does not count as read, because its line end is still to come. */
  #takeTail(bytes: Buffer, offset: number): void {
    const seen = this.#look(bytes, BYTES_BEFORE_JSON, bytes.length)
    if (seen === undefined || seen.mark === 'other') return
    this.table.add(this.#base + offset + BYTES_BEFORE_JSON, bytes.length - BYTES_BEFORE_JSON, seen)
  }

  #damaged(path: string, line: number): void {
    this.#wholeDamage.push([path, line])
    this.#isDamaged = true
  }
}

/** Reads lines by their addresses, in their order, a larger piece of a file at once. */
class Reading {
  readonly #path: string
  readonly #bases: readonly number[]
  /** Of the file that is open, from 1. */
  #number = 0
  #segment: OpenSegment | undefined
  #piece: Buffer = Buffer.alloc(0)
  #pieceAt = 0

  constructor(path: string, bases: readonly number[]) {
    this.#path = path
    this.#bases = bases
  }

  /** The JSON, or the line that is damaged. */
  async jsonAt(address: number, length: number): Promise<string | { path: string; line: number }> {
    await this.#open(address)
    const start = address - (this.#bases[this.#number - 1] ?? 0) - BYTES_BEFORE_JSON
    if (start < this.#pieceAt || start + BYTES_BEFORE_JSON + length > this.#pieceAt + this.#piece.length) {
      this.#piece = await this.#read(start, Math.max(BYTES_BEFORE_JSON + length, READ_BYTES))
      this.#pieceAt = start
    }
    const at = start - this.#pieceAt + BYTES_BEFORE_JSON
    return jsonIn(this.#piece, at, at + length) ?? { path: this.#segment?.path ?? '', line: await this.#lineAt(start) }
  }

  async close(): Promise<void> {
    await this.#segment?.file?.close()
  }

  async #open(address: number): Promise<void> {
    let number = this.#number
    while (number < this.#bases.length && (this.#bases[number] ?? 0) <= address) number += 1
    if (number === this.#number) return
    await this.close()
    this.#number = number
    this.#segment = await openSegment(this.#path, number)
    this.#piece = Buffer.alloc(0)
  }

  async #read(start: number, length: number): Promise<Buffer> {
    const file = this.#segment?.file
    return file === undefined ? Buffer.alloc(0) : readBytes(file, start, length)
  }

  /** Which line of the file stands there. */
  async #lineAt(start: number): Promise<number> {
    const before = await this.#read(0, start)
    let line = 1
    for (let at = before.indexOf(NEWLINE); at !== -1; at = before.indexOf(NEWLINE, at + 1)) line += 1
    return line
  }
}
