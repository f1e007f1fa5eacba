/** The known words closest to a mistyped one, best first: at most 3, within edits of 40 % of its length. */
export function nearest(typed: string, known: readonly string[]): string[] {
  const editsMax = Math.max(1, Math.floor(typed.length * 0.4))
  return known
    .map((word) => ({ word, edits: editDistance(typed, word) }))
    .filter(({ edits, word }) => edits <= editsMax || (typed.length >= 3 && word.startsWith(typed)))
    .sort((one, other) => one.edits - other.edits || one.word.localeCompare(other.word, 'en'))
    .slice(0, 3)
    .map(({ word }) => word)
}

/** The number of insertions, deletions, replacements and swaps of adjacent letters between two words. */
function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      let edits = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      )
      if (column > 1 && row > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        edits = Math.min(edits, (beforePrevious[column - 2] ?? 0) + 1)
      }
      current.push(edits)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[to.length] ?? 0
}
