import { type Glance, type Mark, markCode, markOf } from './lineGlance.ts'

const FIRST_CAPACITY = 1024
const GROWTH = 4

/** What is seen of a line beside what it is. */
type WordName = 'link' | 'name' | 'otherName' | 'user' | 'profile' | 'reference' | 'run'

/** What was seen of the lines of a log, a few bytes for each, in their order. */
export class LineTable {
  count = 0
  #addresses = new Float64Array(FIRST_CAPACITY)
  #times = new Float64Array(FIRST_CAPACITY)
  #lengths = new Uint32Array(FIRST_CAPACITY)
  #marks = new Uint8Array(FIRST_CAPACITY)
  readonly #words: Record<WordName, Uint32Array<ArrayBuffer>> = {
    link: new Uint32Array(FIRST_CAPACITY),
    name: new Uint32Array(FIRST_CAPACITY),
    otherName: new Uint32Array(FIRST_CAPACITY),
    user: new Uint32Array(FIRST_CAPACITY),
    profile: new Uint32Array(FIRST_CAPACITY),
    reference: new Uint32Array(FIRST_CAPACITY),
    run: new Uint32Array(FIRST_CAPACITY),
  }

  /** `address` is where the JSON of the line begins in the log. */
  add(address: number, length: number, glance: Glance): void {
    const index = this.count
    this.#makeRoom(index + 1)
    this.#addresses[index] = address
    this.#times[index] = glance.atMs
    this.#lengths[index] = length
    this.#marks[index] = markCode(glance.mark)
    const { link, name, otherName, user, profile, reference, run } = this.#words
    link[index] = glance.link
    name[index] = glance.name
    otherName[index] = glance.otherName
    user[index] = glance.user
    profile[index] = glance.profile
    reference[index] = glance.reference
    run[index] = glance.run
    this.count += 1
  }

  /** Leaves out all lines but the first so many. */
  cutTo(count: number): void {
    this.count = count
  }

  place(index: number): { address: number; length: number } {
    return { address: this.#addresses[index] ?? 0, length: this.#lengths[index] ?? 0 }
  }

  mark(index: number): Mark {
    return markOf(this.#marks[index] ?? 0)
  }

  atMs(index: number): number {
    return this.#times[index] ?? 0
  }

  link(index: number): number {
    return this.#words.link[index] ?? 0
  }

  name(index: number): number {
    return this.#words.name[index] ?? 0
  }

  otherName(index: number): number {
    return this.#words.otherName[index] ?? 0
  }

  user(index: number): number {
    return this.#words.user[index] ?? 0
  }

  profile(index: number): number {
    return this.#words.profile[index] ?? 0
  }

  reference(index: number): number {
    return this.#words.reference[index] ?? 0
  }

  run(index: number): number {
    return this.#words.run[index] ?? 0
  }

  /** All from this line on as bytes, for {@link addBytes} of a table on this machine. `base` is taken off the addresses. */
  bytesFrom(first: number, base: number): Buffer {
    const addresses = this.#addresses.slice(first, this.count).map((address) => address - base)
    const others = this.#columns().map((column) => column.subarray(first, this.count))
    return Buffer.concat([addresses, ...others].map(bytesOf))
  }

  /** Adds so many lines that stand in these bytes; false, and nothing is added, where there are not so many. */
  addBytes(bytes: Buffer, count: number, base: number): boolean {
    const first = this.count
    this.#makeRoom(first + count)
    const columns = [this.#addresses, ...this.#columns()]
    if (bytes.length !== columns.reduce((sum, { BYTES_PER_ELEMENT }) => sum + BYTES_PER_ELEMENT * count, 0))
      return false
    let at = 0
    for (const column of columns) {
      const target = bytesOf(column.subarray(first, first + count))
      bytes.copy(target, 0, at, at + target.length)
      at += target.length
    }
    for (let index = first; index < first + count; index++) {
      this.#addresses[index] = (this.#addresses[index] ?? 0) + base
    }
    this.count += count
    return true
  }

  /** All but the addresses. */
  #columns(): (Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>)[] {
    return [this.#times, this.#lengths, this.#marks, ...WORD_NAMES.map((name) => this.#words[name])]
  }

  #makeRoom(count: number): void {
    let capacity = this.#marks.length
    if (count <= capacity) return
    while (capacity < count) capacity *= GROWTH
    this.#addresses = larger(new Float64Array(capacity), this.#addresses)
    this.#times = larger(new Float64Array(capacity), this.#times)
    this.#lengths = larger(new Uint32Array(capacity), this.#lengths)
    this.#marks = larger(new Uint8Array(capacity), this.#marks)
    for (const name of WORD_NAMES) this.#words[name] = larger(new Uint32Array(capacity), this.#words[name])
  }
}

const WORD_NAMES = ['link', 'name', 'otherName', 'user', 'profile', 'reference', 'run'] as const satisfies WordName[]

function bytesOf({
  buffer,
  byteOffset,
  byteLength,
}: Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

function larger<Numbers extends { set(from: Numbers): void }>(to: Numbers, from: Numbers): Numbers {
  to.set(from)
  return to
}
