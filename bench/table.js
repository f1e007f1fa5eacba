/**
 * A measurement and its baseline. `isReached` is undefined if there is no target; `withdrawn` is why it has none any more.
 * @typedef {{ what: string, limit: string, reached: string, toReach: string, isReached?: boolean, withdrawn?: string }} Row
 */

/** @param {readonly number[]} values */
export function median(values) {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

/**
 * A row for a ratio that should be at most `most`; without `most` it has no target, and `withdrawn` says why if it had one.
 * @param {string} what
 * @param {{ ratio: number, beside: string, note: string, most?: number, withdrawn?: string }} figure
 * @returns {Row}
 */
export function ratioRow(what, { ratio, beside, note, most, withdrawn }) {
  const row = { what, limit: beside, reached: `${ratio.toFixed(2)} (${note})`, withdrawn }
  return most === undefined ? { ...row, toReach: 'none' } : { ...row, toReach: `≤ ${most}`, isReached: ratio <= most }
}

/** @param {readonly Row[]} rows @returns {string} a table in Markdown, and the reasons for withdrawn targets below it */
export function tableOf(rows) {
  const reasons = [...new Set(rows.flatMap(({ withdrawn }) => withdrawn ?? []))]
  const lines = rows.map(({ what, limit, reached, toReach, isReached, withdrawn }) => [
    what,
    limit,
    reached,
    withdrawn === undefined ? toReach : `withdrawn (${reasons.indexOf(withdrawn) + 1})`,
    isReached === undefined ? '' : isReached ? 'yes' : '**no**',
  ])
  const all = [['measurement', 'baseline', 'result', 'target', 'met'], ...lines]
  const widths = all[0]?.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0))) ?? []
  const [head = '', ...rest] = all.map(
    (cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`,
  )
  const table = [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rest]
  const notes = reasons.map((reason, at) => `${at + 1}. ${reason}.`)
  return [...table, ...(notes.length > 0 ? ['', 'Why targets were withdrawn:', '', ...notes] : [])].join('\n')
}

/**
 * How a cost grows with the work. A cost that grows more than the work does is worse than linear, which is a defect.
 * @param {string} what
 * @param {readonly number[]} counts of the work, ascending
 * @param {(count: number) => number} measure the ms that so much work takes
 * @param {number} rounds
 * @returns {Row}
 */
export function growthRow(what, counts, measure, rounds) {
  const times = counts.map((count) => median(Array.from({ length: rounds }, () => measure(count))))
  const steps = counts.slice(1).map((count, at) => ({
    work: count / (counts[at] ?? 1),
    cost: (times[at + 1] ?? Number.NaN) / (times[at] ?? Number.NaN),
  }))
  return {
    what: `${what}: ${counts.join(', ')}`,
    limit: 'growth with size',
    reached: `${times.map((ms) => ms.toFixed(0)).join(', ')} ms`,
    toReach: 'linear',
    isReached: steps.every(({ work, cost }) => cost <= work),
  }
}
