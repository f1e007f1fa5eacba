import { expect, it } from 'vitest'
import { monthFromText, periodFromText, timeFromText } from '../../src/pix/calendar.ts'

const NOW_MS = Date.parse('2026-11-23T12:00:00Z')

function shown(period: { sinceMs: number; beforeMs: number } | undefined): string | undefined {
  if (period === undefined) return undefined
  return [period.sinceMs, period.beforeMs].map((ms) => new Date(ms).toISOString().slice(0, 19)).join(' ')
}

it.each([
  ['22/11', '2026-11-22T03:00:00 2026-11-23T03:00:00'],
  ['1/2/2026', '2026-02-01T03:00:00 2026-02-02T03:00:00'],
  ['23/11', '2026-11-23T03:00:00 2026-11-24T03:00:00'],
  // Not after today.
  ['24/11', '2025-11-24T03:00:00 2025-11-25T03:00:00'],
  ['29/2', '2024-02-29T03:00:00 2024-03-01T03:00:00'],
  ['1/2026', '2026-01-01T03:00:00 2026-02-01T03:00:00'],
  ['ontem', '2026-11-22T03:00:00 2026-11-23T03:00:00'],
  ['Today', '2026-11-23T03:00:00 2026-11-24T03:00:00'],
  ['amanhã', '2026-11-24T03:00:00 2026-11-25T03:00:00'],
  ['tomorrow', '2026-11-24T03:00:00 2026-11-25T03:00:00'],
  ['0/2026', undefined],
  ['22/11/26', undefined],
  ['22-11', undefined],
])('the period %j is %j', (text, period) => {
  expect(shown(periodFromText(text, NOW_MS))).toBe(period)
})

it.each(['31/2', '22/13', '0/1', '30/02/2026'])('there is no day %j', (text) => {
  expect(() => periodFromText(text, NOW_MS)).toThrow('There is no day')
})

it.each([
  ['22/11 16:08', '2026-11-22T19:08:00 2026-11-22T19:09:00'],
  ['1/11/2026, 9:05:07 BRT', '2026-11-01T12:05:07 2026-11-01T12:05:08'],
  ['1/11', '2026-11-01T03:00:00 2026-11-02T03:00:00'],
])('the time %j is %j', (text, period) => {
  expect(shown(timeFromText(text, NOW_MS))).toBe(period)
})

it.each(['22/11 25:00', '22/11 16:08:9', '22/11 16', 'x 22/11 16:08', '22/11 16:08 x'])('%j is not a time', (text) => {
  expect(() => timeFromText(text, NOW_MS)).toThrow('is not a time')
})

it('a month needs its year', () => {
  expect(monthFromText('11')).toBeUndefined()
})
