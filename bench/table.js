/**
 * A figure and what stands beside it. `isReached` is undefined where nothing is to be reached.
 * @typedef {{ what: string, limit: string, reached: string, toReach: string, isReached?: boolean }} Row
 */

/** @param {readonly number[]} values */
export function median(values) {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

/**
 * A row of a ratio that should be at most `most`; without it the row only states.
 * @param {string} what
 * @param {{ ratio: number, beside: string, note: string, most?: number }} figure
 * @returns {Row}
 */
export function ratioRow(what, { ratio, beside, note, most }) {
  const row = { what, limit: beside, reached: `${ratio.toFixed(2)} (${note})` }
  return most === undefined ? { ...row, toReach: 'stated' } : { ...row, toReach: `≤ ${most}`, isReached: ratio <= most }
}

/** @param {readonly Row[]} rows @returns {string} a table in Markdown */
export function tableOf(rows) {
  const lines = rows.map(({ what, limit, reached, toReach, isReached }) => [
    what,
    limit,
    reached,
    toReach,
    isReached === undefined ? '' : isReached ? 'yes' : '**no**',
  ])
  const all = [['what', 'limit beside it', 'reached', 'to reach', 'is it?'], ...lines]
  const widths = all[0]?.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0))) ?? []
  const [head = '', ...rest] = all.map(
    (cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`,
  )
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rest].join('\n')
}
