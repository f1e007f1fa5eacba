import { type Glance, type Mark, markCode, markOf } from './lineGlance.ts'

const FIRST_CAPACITY = 1024

/** What was seen of the lines of a log, a few bytes for each, in their order. */
export class LineTable {
  count = 0
  #offsets = new Float64Array(FIRST_CAPACITY)
  #lengths = new Uint32Array(FIRST_CAPACITY)
  #marks = new Uint8Array(FIRST_CAPACITY)
  #links = new Uint32Array(FIRST_CAPACITY)
  #names = new Uint32Array(FIRST_CAPACITY)
  #otherNames = new Uint32Array(FIRST_CAPACITY)

  /** Returns the index of the line. */
  add(offset: number, length: number, { mark, link, name, otherName }: Omit<Glance, 'at'>): number {
    const index = this.count
    if (index === this.#offsets.length) this.#grow()
    this.#offsets[index] = offset
    this.#lengths[index] = length
    this.#marks[index] = markCode(mark)
    this.#links[index] = link
    this.#names[index] = name
    this.#otherNames[index] = otherName
    this.count += 1
    return index
  }

  place(index: number): { offset: number; length: number } {
    return { offset: this.#offsets[index] ?? 0, length: this.#lengths[index] ?? 0 }
  }

  mark(index: number): Mark {
    return markOf(this.#marks[index] ?? 0)
  }

  link(index: number): number {
    return this.#links[index] ?? 0
  }

  name(index: number): number {
    return this.#names[index] ?? 0
  }

  otherName(index: number): number {
    return this.#otherNames[index] ?? 0
  }

  #grow(): void {
    this.#offsets = doubled(Float64Array, this.#offsets)
    this.#lengths = doubled(Uint32Array, this.#lengths)
    this.#marks = doubled(Uint8Array, this.#marks)
    this.#links = doubled(Uint32Array, this.#links)
    this.#names = doubled(Uint32Array, this.#names)
    this.#otherNames = doubled(Uint32Array, this.#otherNames)
  }
}

function doubled<Numbers extends { length: number; set(from: Numbers): void }>(
  Kind: new (length: number) => Numbers,
  numbers: Numbers,
): Numbers {
  const larger = new Kind(numbers.length * 2)
  larger.set(numbers)
  return larger
}
