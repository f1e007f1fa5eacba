/**
 * Bytes that arrive in pieces. A list of pieces would take a hundred times the memory if somebody sends single bytes.
 */
export class GrowingBytes {
  #buffer: Buffer = Buffer.alloc(0)
  #length = 0

  /** Adds a piece, which must not be changed afterwards. */
  append(piece: Buffer): void {
    const length = this.#length + piece.length
    if (this.#length === 0) this.#buffer = piece
    else {
      if (length > this.#buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#buffer.length))
        this.#buffer.copy(larger, 0, 0, this.#length)
        this.#buffer = larger
      }
      piece.copy(this.#buffer, this.#length)
    }
    this.#length = length
  }

  /** All of them. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }
}
