import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addDays,
  dueDateFromText,
  endOfSaoPauloDayMs,
  formatInstant,
  formatPaymentDate,
  parseInstant,
  parsePaymentDate,
  saoPauloDay,
  startOfSaoPauloDayMs,
} from '../../src/pix/calendar.ts'
import { Malformed } from '../../src/pix/expectedError.ts'

const HOUR_MS = 3_600_000
const NOW = Date.UTC(2026, 10, 21, 1, 0, 0)
const instant = fc.integer({ min: Date.UTC(1930, 0, 1), max: Date.UTC(2100, 0, 1) })
const day = instant.map((ms) => new Date(ms).toISOString().slice(0, 10))

function malformedOf(text: string, nowMs: number): Malformed {
  let dueDate: string
  try {
    dueDate = dueDateFromText(text, nowMs)
  } catch (error) {
    if (error instanceof Malformed) return error
    throw error
  }
  throw new Error(`accepted as ${dueDate}`)
}

describe('the day in São Paulo', () => {
  it.each([
    ['2026-11-20T20:59:59Z', '2026-11-20'],
    ['2026-11-20T21:00:00Z', '2026-11-20'],
    ['2026-11-20T23:59:59Z', '2026-11-20'],
    ['2026-11-21T00:00:00Z', '2026-11-20'],
    ['2026-11-21T02:59:59.999Z', '2026-11-20'],
    ['2026-11-21T03:00:00Z', '2026-11-21'],
    ['2026-12-31T23:30:00-03:00', '2026-12-31'],
    ['2027-01-01T02:59:59Z', '2026-12-31'],
    ['2028-02-29T03:00:00Z', '2028-02-29'],
    // Daylight saving time was two hours behind UTC, and summers had it until 2019.
    ['2019-01-15T01:59:59Z', '2019-01-14'],
    ['2019-01-15T02:00:00Z', '2019-01-15'],
    ['2020-01-15T02:00:00Z', '2020-01-14'],
  ])('at %s is %s', (text, expected) => {
    expect(saoPauloDay(parseInstant(text) ?? Number.NaN)).toBe(expected)
  })

  it.each([
    ['2026-11-21', '2026-11-21T03:00:00.000Z', 24],
    ['2019-01-15', '2019-01-15T02:00:00.000Z', 24],
    // The clocks went from 00:00 to 01:00 on the first of these days, and from 00:00 back to 23:00 after the second.
    ['2018-11-04', '2018-11-04T03:00:00.000Z', 23],
    ['2019-02-16', '2019-02-16T02:00:00.000Z', 25],
    ['2019-02-17', '2019-02-17T03:00:00.000Z', 24],
    ['1985-11-02', '1985-11-02T03:00:00.000Z', 23],
  ])('%s begins at %s and has %d hours', (text, start, hours) => {
    expect(new Date(startOfSaoPauloDayMs(text)).toISOString()).toBe(start)
    expect(endOfSaoPauloDayMs(text) + 1 - startOfSaoPauloDayMs(text)).toBe(hours * HOUR_MS)
  })

  it('begins where the day before ends, on every day from 1930 on', () => {
    fc.assert(
      fc.property(day, (text) => {
        const start = startOfSaoPauloDayMs(text)
        const end = endOfSaoPauloDayMs(text)
        expect(saoPauloDay(start)).toBe(text)
        expect(saoPauloDay(start - 1)).toBe(addDays(text, -1))
        expect(saoPauloDay(end)).toBe(text)
        expect(saoPauloDay(end + 1)).toBe(addDays(text, 1))
      }),
      { numRuns: 1000 },
    )
  })

  it('has no start if the calendar has no such day', () => {
    expect(() => startOfSaoPauloDayMs('2026-02-30')).toThrow(RangeError)
    expect(() => endOfSaoPauloDayMs('tomorrow')).toThrow(RangeError)
    expect(() => addDays('2026-13-01', 1)).toThrow(RangeError)
  })

  it.each([
    ['2026-11-21', 1, '2026-11-22'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2026-02-28', 1, '2026-03-01'],
    ['2026-03-01', -1, '2026-02-28'],
    ['2018-11-03', 1, '2018-11-04'],
    ['2026-11-21', 3650, '2036-11-18'],
    ['0050-01-01', 0, '0050-01-01'],
  ])('%s and %d days is %s', (text, count, expected) => {
    expect(addDays(text, count)).toBe(expected)
  })
})

describe('due dates', () => {
  it.each([
    ['today', '2026-11-20'],
    ['Hoje', '2026-11-20'],
    ['tomorrow', '2026-11-21'],
    ['amanhã', '2026-11-21'],
    ['AMANHA', '2026-11-21'],
    ['1/12/2026', '2026-12-01'],
    ['21/11/2026', '2026-11-21'],
    ['+0d', '2026-11-20'],
    ['+1d', '2026-11-21'],
    ['+3d', '2026-11-23'],
    ['+3650d', '2036-11-17'],
    ['2026-11-20', '2026-11-20'],
    ['2026-11-21', '2026-11-21'],
    ['2028-02-29', '2028-02-29'],
    ['2026-11-21T01:00:00Z', '2026-11-21T01:00:00Z'],
    ['2026-11-20T22:00:00-03:00', '2026-11-20T22:00:00-03:00'],
    ['2026-11-22T18:00:00.5+00:00', '2026-11-22T18:00:00.5+00:00'],
    ['2026-11-22t18:00:00z', '2026-11-22t18:00:00z'],
  ])('%s is %s at 22:00 in São Paulo, when UTC is a day ahead', (text, expected) => {
    expect(dueDateFromText(text, NOW)).toBe(expected)
  })

  it('count from the day in São Paulo at every hour around midnight', () => {
    for (let hour = 21; hour <= 27; hour += 1) {
      const nowMs = Date.UTC(2026, 10, 20, hour)
      const today = hour < 27 ? '2026-11-20' : '2026-11-21'
      expect(dueDateFromText('today', nowMs)).toBe(today)
      expect(dueDateFromText('+1d', nowMs)).toBe(addDays(today, 1))
      expect(dueDateFromText(today, nowMs)).toBe(today)
      expect(() => dueDateFromText(addDays(today, -1), nowMs)).toThrow('is in the past')
    }
  })

  it.each([
    ['2026-11-19', 'is in the past'],
    ['1999-01-01', 'is in the past'],
    ['2026-11-21T00:59:59Z', 'is in the past'],
    ['2026-11-20T21:59:59-03:00', 'is in the past'],
    ['2026-02-30', 'no day `2026-02-30`'],
    ['2027-02-29', 'no day `2027-02-29`'],
    ['2026-13-01', 'no day `2026-13-01`'],
    ['2026-00-10', 'no day `2026-00-10`'],
    ['2026-11-00', 'no day `2026-11-00`'],
    ['2027-02-30T10:00:00Z', 'no day `2027-02-30`'],
    ['2026-11-22T25:00:00Z', 'is not a valid due date'],
    ['2026-11-22T24:00:00Z', 'is not a valid due date'],
    ['2026-11-22T10:60:00Z', 'is not a valid due date'],
    ['2026-11-22T10:00:00+24:00', 'is not a valid due date'],
    ['2026-11-22T10:00:00-0300', 'is not a valid due date'],
    ['2026-11-22T10:00:00 -03:00', 'is not a valid due date'],
    ['2026-11-22 10:00:00Z', 'is not a valid due date'],
    ['2026-11-22T10:00:00', 'has no zone'],
    ['2026-11-22T10:00', 'has no zone'],
    ['2026-11-22T10:00:00.123', 'has no zone'],
    ['+3651d', 'too far in the future'],
    ['+99999999999999999999d', 'too far in the future'],
    ['-1d', 'is not a valid due date'],
    ['+d', 'is not a valid due date'],
    ['+1.5d', 'is not a valid due date'],
    ['+3h', 'is not a valid due date'],
    ['3d', 'is not a valid due date'],
    ['yesterday', 'is in the past'],
    ['ONTEM', 'is in the past'],
    ['todays', 'is not a valid due date'],
    ['19/11/2026', 'is in the past'],
    ['30/02/2027', 'no day `30/02/2027`'],
    ['', 'is not a valid due date'],
    [' today', 'is not a valid due date'],
    // The newest 21 November, or the next one?
    ['21/11', 'is not a valid due date'],
    ['21/11/26', 'is not a valid due date'],
    ['2026-11-2', 'is not a valid due date'],
    ['20261121', 'is not a valid due date'],
    ['２026-11-21', 'is not a valid due date'],
    ['+010000-01-01', 'is not a valid due date'],
  ])('%j: %s', (text, reason) => {
    const { message, hint } = malformedOf(text, NOW)
    expect(message).toContain(reason)
    expect(hint).not.toBe('')
  })

  it('without a zone get the one of São Paulo suggested, in a form that is accepted', () => {
    const { hint } = malformedOf('2026-11-22T10:00', NOW)
    expect(hint).toContain('`2026-11-22T10:00:00-03:00`')
    expect(dueDateFromText('2026-11-22T10:00:00-03:00', NOW)).toBe('2026-11-22T10:00:00-03:00')
  })
})

describe('instants', () => {
  it.each([
    ['2026-11-21T00:39:12Z', Date.UTC(2026, 10, 21, 0, 39, 12)],
    ['2026-11-21T00:39:12.5Z', Date.UTC(2026, 10, 21, 0, 39, 12, 500)],
    ['2026-11-21T00:39:12.123456789Z', Date.UTC(2026, 10, 21, 0, 39, 12, 123)],
    ['2026-11-20T21:39:12-03:00', Date.UTC(2026, 10, 21, 0, 39, 12)],
    ['2026-11-21T06:09:12+05:30', Date.UTC(2026, 10, 21, 0, 39, 12)],
    ['2026-11-21T00:39:12-00:00', Date.UTC(2026, 10, 21, 0, 39, 12)],
    ['2026-11-21t00:39:12z', Date.UTC(2026, 10, 21, 0, 39, 12)],
    ['1969-12-31T23:59:59Z', -1000],
  ])('%s is %d', (text, expected) => {
    expect(parseInstant(text)).toBe(expected)
  })

  it.each([
    '',
    '2026-11-21',
    '2026-11-21T00:39:12',
    '2026-02-30T00:00:00Z',
    '2026-11-21T24:00:00Z',
    '1795221552',
    'now',
  ])('%j is none', (text) => {
    expect(parseInstant(text)).toBeUndefined()
  })

  it('are read as the engine reads the texts that it writes', () => {
    fc.assert(fc.property(instant, (ms) => parseInstant(new Date(ms).toISOString()) === ms))
  })

  it.each([
    ['2026-11-21T03:39:12Z', '21/11/2026 00:39:12 BRT'],
    ['2026-11-21T02:59:59Z', '20/11/2026 23:59:59 BRT'],
    ['2026-11-21T15:00:00.999Z', '21/11/2026 12:00:00 BRT'],
    ['2019-01-15T02:00:00Z', '15/01/2019 00:00:00 BRST'],
    ['2019-02-17T01:59:59Z', '16/02/2019 23:59:59 BRST'],
    ['2019-02-17T02:00:00Z', '16/02/2019 23:00:00 BRT'],
  ])('%s is shown as %s', (text, expected) => {
    expect(formatInstant(parseInstant(text) ?? Number.NaN)).toBe(expected)
  })
})

describe('payment dates', () => {
  it.each([
    ['20/11/2026 22:00:00', '2026-11-21T01:00:00Z'],
    ['21/11/2026 00:00:00', '2026-11-21T03:00:00Z'],
    ['15/01/2019 00:00:00', '2019-01-15T02:00:00Z'],
    // The clock showed this hour twice.
    ['16/02/2019 23:30:00', '2019-02-17T01:30:00Z'],
  ])('%s is %s', (text, expected) => {
    expect(parsePaymentDate(text)).toBe(parseInstant(expected))
  })

  it.each([
    '',
    '2026-11-21 00:00:00',
    '11/21/2026 00:00:00',
    '30/02/2026 10:00:00',
    '21/11/2026 24:00:00',
    '21/11/2026 10:00',
    '21/11/2026T10:00:00',
    '1/11/2026 10:00:00',
    '21/11/26 10:00:00',
    '21/11/2026 10:00:00 ',
    // The clocks skipped this hour.
    '04/11/2018 00:30:00',
  ])('%j is none', (text) => {
    expect(parsePaymentDate(text)).toBeUndefined()
  })

  it('come back as they were written', () => {
    fc.assert(
      fc.property(instant, (ms) => {
        const text = formatPaymentDate(ms)
        const read = parsePaymentDate(text) ?? Number.NaN
        const lostMs = Math.floor(ms / 1000) * 1000 - read
        expect([0, HOUR_MS]).toContain(lostMs)
        expect(formatPaymentDate(read)).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('the clocks of São Paulo', () => {
  const style = { timeZone: 'America/Sao_Paulo', dateStyle: 'short', timeStyle: 'medium' } as const
  const clock = new Intl.DateTimeFormat('pt-BR', style)
  const lastChange = Date.UTC(2019, 1, 17, 2)

  it.each([
    ['the last second of daylight saving time', lastChange - 1000],
    ['the hour that came twice', lastChange],
    ['the end of the last year', Date.UTC(2026, 11, 31, 23, 59, 59)],
    ['where daylight saving time could begin again', Date.UTC(2027, 9, 1, 3)],
  ])('show what Node.js shows: %s', (_when, ms) => {
    expect(formatInstant(ms)).toContain(clock.format(ms).replace(', ', ' '))
  })

  it('show what Node.js shows in the years without daylight saving time', () => {
    const steady = fc.integer({ min: lastChange - 1e9, max: Date.UTC(2030, 0, 1) })
    fc.assert(fc.property(steady, (ms) => formatInstant(ms).includes(clock.format(ms).replace(', ', ' '))))
  })
})
