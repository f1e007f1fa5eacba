import { expect, it } from 'vitest'
import { periodOf } from '../../../src/steps/historyFilters.ts'
import { parsed } from '../../parsedCommandLine.ts'

async function period(typed: readonly string[]): Promise<(string | null)[]> {
  const { input } = await parsed(['history', 'check', ...typed])
  const { sinceMs, beforeMs } = periodOf(input)
  return [sinceMs, beforeMs].map((ms) => (ms === null ? null : new Date(ms).toISOString()))
}

it.each<[readonly string[], string | null, string | null]>([
  [[], null, null],
  [['--since', '2h'], '2026-11-21T10:00:00.000Z', null],
  [['--since', ' 7d '], '2026-11-14T12:00:00.000Z', null],
  [['--until', '1d'], null, '2026-11-20T12:00:00.000Z'],
  [['--since', '2026-11-21'], '2026-11-21T03:00:00.000Z', null],
  [['--until', '2026-11-21'], null, '2026-11-22T03:00:00.000Z'],
  [['--since', '2026-11-21', '--until', '2026-11-21'], '2026-11-21T03:00:00.000Z', '2026-11-22T03:00:00.000Z'],
  [['--since', '2026-11-21T00:00:00Z'], '2026-11-21T00:00:00.000Z', null],
  [['--month', '2026-11'], '2026-11-01T03:00:00.000Z', '2026-12-01T03:00:00.000Z'],
  [['--month', '2024-02'], '2024-02-01T03:00:00.000Z', '2024-03-01T03:00:00.000Z'],
  [['--month', '2026-12'], '2026-12-01T03:00:00.000Z', '2027-01-01T03:00:00.000Z'],
  // The clocks went forward on the fourth.
  [['--month', '2018-11'], '2018-11-01T03:00:00.000Z', '2018-12-01T02:00:00.000Z'],
])('reads %j as from %s to %s', async (typed, since, before) => {
  expect(await period(typed)).toEqual([since, before])
})
