export type DiffLine = readonly [mark: 'same' | 'first' | 'second', text: string]

/** The table of a comparison has as many cells at most; longer texts are compared from both ends only. */
const CELLS_MAX = 4_000_000

/** The lines of two texts: the longest common part, and around it what only one of them has. */
export function diffLines(first: readonly string[], second: readonly string[]): DiffLine[] {
  const shorter = Math.min(first.length, second.length)
  let start = 0
  while (start < shorter && first[start] === second[start]) start += 1
  let end = 0
  while (end < shorter - start && first.at(-1 - end) === second.at(-1 - end)) end += 1
  return [
    ...markLines('same', first.slice(0, start)),
    ...diffMiddle(first.slice(start, first.length - end), second.slice(start, second.length - end)),
    ...markLines('same', first.slice(first.length - end)),
  ]
}

function diffMiddle(first: readonly string[], second: readonly string[]): DiffLine[] {
  if (first.length * second.length > CELLS_MAX) return [...markLines('first', first), ...markLines('second', second)]
  const commonAt = commonLengths(first, second)
  const lines: DiffLine[] = []
  let row = 0
  let column = 0
  for (;;) {
    const one = first[row]
    const other = second[column]
    if (one === undefined || other === undefined) break
    if (one === other) {
      lines.push(['same', one])
      row += 1
      column += 1
    } else if (commonAt(row + 1, column) >= commonAt(row, column + 1)) {
      lines.push(['first', one])
      row += 1
    } else {
      lines.push(['second', other])
      column += 1
    }
  }
  return [...lines, ...markLines('first', first.slice(row)), ...markLines('second', second.slice(column))]
}

/** How many lines the rests from a row of the first and a column of the second text have in common. */
function commonLengths(first: readonly string[], second: readonly string[]): (row: number, column: number) => number {
  const width = second.length + 1
  const lengths = new Uint16Array((first.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = first.length - 1; row >= 0; row--) {
    for (let column = second.length - 1; column >= 0; column--) {
      const isSame = first[row] === second[column]
      lengths[row * width + column] = isSame
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  return at
}

function markLines(mark: DiffLine[0], lines: readonly string[]): DiffLine[] {
  return lines.map((line) => [mark, line])
}
