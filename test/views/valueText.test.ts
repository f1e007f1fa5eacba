import { expect, it } from 'vitest'
import { periodFromText } from '../../src/pix/calendar.ts'
import { shortInstantText, spokenInstantText } from '../../src/views/valueText.ts'

const NOW = Date.parse('2026-11-23T12:00:00-03:00')

it.each([
  ['2026-11-22T19:08:00Z', '22/11 16:08'],
  // Late in the evening of the last day of a month in São Paulo.
  ['2026-11-01T02:59:59Z', '31/10 23:59'],
  ['2025-11-24T12:00:00Z', '24/11 09:00'],
  ['2025-11-22T12:00:00Z', '22/11/2025'],
  // By a clock that was wrong.
  ['2026-11-25T12:00:00Z', '25/11/2026'],
])('shows %s as %s, which is taken as that day', (at, text) => {
  const ms = Date.parse(at)
  expect(shortInstantText(ms, NOW)).toBe(text)
  const period = periodFromText(text.slice(0, 10).replace(/ .*/, ''), NOW)
  expect([(period?.sinceMs ?? 0) <= ms, ms < (period?.beforeMs ?? 0)]).toEqual([true, true])
})

it.each([
  ['2026-11-23T03:00:00Z', 'today 00:00'],
  ['2026-11-23T02:59:59Z', 'yesterday 23:59'],
  ['2026-11-22T02:59:59Z', 'on 21/11 23:59'],
  ['2025-01-02T12:00:00Z', 'on 02/01/2025'],
])('says %s as %s', (at, text) => {
  expect(spokenInstantText(Date.parse(at), NOW)).toBe(text)
})
