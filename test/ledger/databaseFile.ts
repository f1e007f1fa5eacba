/**
 * Where the file of a SQLite database holds the pages of a table or index, and the bytes of a column: the format is documented at
 * https://www.sqlite.org/fileformat2.html. Rows that overflow into other pages are not read.
 */

/** From the first byte to the one after the last. */
export interface ByteRange {
  from: number
  to: number
}

const HEADER_BYTES = 100
const INTERIOR_TABLE = 5
const LEAF_TABLE = 13
const INTERIOR_INDEX = 2
const LEAF_INDEX = 10

/** The pages of a table or index, by the number of its root page. */
export function pagesOf(file: Buffer, root: number): ByteRange[] {
  const size = file.readUInt16BE(16)
  const page = { from: (root - 1) * size, to: root * size }
  const { kind, cells, rightmost } = readPage(file, root)
  if (kind === LEAF_TABLE || kind === LEAF_INDEX) return [page]
  return [
    page,
    ...[...cells.map((cell) => file.readUInt32BE(cell)), rightmost].flatMap((child) => pagesOf(file, child)),
  ]
}

/** The bytes that hold a column of each row of a table, by the number of its root page. NULL and the numbers 0 and 1 have none. */
export function columnBytes(file: Buffer, root: number, column: number): ByteRange[] {
  const size = file.readUInt16BE(16)
  return pagesOf(file, root).flatMap(({ to }) => {
    const { kind, cells } = readPage(file, to / size)
    return kind === LEAF_TABLE
      ? cells.map((cell) => columnOf(file, cell, column)).filter(({ from, to }) => to > from)
      : []
  })
}

function readPage(file: Buffer, number: number): { kind: number; cells: number[]; rightmost: number } {
  const start = (number - 1) * file.readUInt16BE(16)
  const header = number === 1 ? start + HEADER_BYTES : start
  const kind = file.readUInt8(header)
  const isInterior = kind === INTERIOR_TABLE || kind === INTERIOR_INDEX
  if (!isInterior && kind !== LEAF_TABLE && kind !== LEAF_INDEX)
    throw new Error(`page ${number} is of the kind ${kind}`)
  const pointers = header + (isInterior ? 12 : 8)
  const count = file.readUInt16BE(header + 3)
  const cells = Array.from({ length: count }, (_, index) => start + file.readUInt16BE(pointers + 2 * index))
  return { kind, cells, rightmost: isInterior ? file.readUInt32BE(header + 8) : 0 }
}

function columnOf(file: Buffer, cell: number, column: number): ByteRange {
  const [, afterSize] = varint(file, cell)
  const [, begin] = varint(file, afterSize)
  const [headerBytes, types] = varint(file, begin)
  let from = begin + headerBytes
  for (let [at, index] = [types, 0]; at < begin + headerBytes; index++) {
    const [type, next] = varint(file, at)
    const to = from + bytesOf(type)
    if (index === column) return { from, to }
    from = to
    at = next
  }
  return { from, to: from }
}

function bytesOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2)
  return [0, 1, 2, 3, 4, 6, 8, 8, 0, 0][type] ?? 0
}

/** A number of variable length, and where the next one begins. */
function varint(file: Buffer, at: number): [value: number, next: number] {
  let value = 0
  for (let index = at; ; index++) {
    const byte = file.readUInt8(index)
    value = value * 128 + (byte & 127)
    if (byte < 128) return [value, index + 1]
  }
}
