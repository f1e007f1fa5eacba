import { Chalk } from 'chalk'
import { expect, it } from 'vitest'
import {
  clockNotice,
  dayLine,
  type ForwardView,
  forwardLines,
  quietText,
  summaryLines,
} from '../../../src/views/events/listenScreen.ts'
import { layout } from './sampleEventViews.ts'

const plain = new Chalk({ level: 0 })
const GOOD: ForwardView = {
  n: 3,
  url: '',
  status: 200,
  ms: 12,
  body: 'fine',
  error: null,
  advice: { texts: [], command: null },
}
const INDENT = ' '.repeat(13)

it.each<[what: string, columns: number, look: Partial<ForwardView>, lines: string[]]>([
  ['success', 80, {}, ['→ forwarded  200 ✓  12 ms  #3']],
  ['one of several targets', 80, { url: 'http://a/' }, ['→ forwarded  200 ✓  12 ms  #3  http://a/']],
  ['an event without a number', 80, { n: null }, ['→ forwarded  200 ✓  12 ms']],
  ['a 204, which the service does not take', 80, { status: 204, body: '' }, ['→ forwarded  204 ✗  12 ms  #3']],
  [
    'the beginning of an error',
    80,
    { status: 500, body: ' {"a":\n\t1,\u001b[2J}' },
    ['→ forwarded  500 ✗  12 ms  #3', '  {"a": 1,\\u{1b}[2J}'],
  ],
  [
    'an answer that was too late for the service',
    160,
    { ms: 5001, body: '', advice: { texts: ['The service waits 5 s', 'and more'], command: null } },
    ['→ forwarded  200 ✗  5.0 s  #3  The service waits 5 s', '  and more'],
  ],
  ['a redirect, which is not a success', 80, { status: 302, body: '' }, ['→ forwarded  302 ✗  12 ms  #3']],
  [
    'advice if it applies',
    200,
    { status: 404, body: '', advice: { texts: ['Check the path'], command: null } },
    ['→ forwarded  404 ✗  12 ms  #3  Check the path'],
  ],
  [
    'advice below',
    50,
    { status: 404, body: '', advice: { texts: ['Check the path'], command: null } },
    ['→ forwarded  404 ✗  12 ms  #3', '  Check the path'],
  ],
  [
    'a command, which is never wrapped',
    80,
    {
      status: 401,
      body: '',
      advice: { texts: ['Why:'], command: `pixgate webhook check ${'http://a/'.padEnd(40, 'b')}` },
    },
    ['→ forwarded  401 ✗  12 ms  #3  Why:', `  pixgate webhook check ${'http://a/'.padEnd(40, 'b')}`],
  ],
  [
    'no answer',
    200,
    { status: null, error: 'Nothing listens', body: '' },
    ['→ not forwarded ✗  12 ms  #3  Nothing listens'],
  ],
  [
    'an answer that broke off',
    200,
    { error: 'It broke off', body: '' },
    ['→ forwarded  200 ✗  12 ms  #3  It broke off'],
  ],
  [
    'masked tax documents',
    200,
    { status: 400, body: 'CPF 529.982.247-25 of a@b.com' },
    ['→ forwarded  400 ✗  12 ms  #3', '  CPF ***.982.247-** of a***@b.com'],
  ],
])('shows %s', (_, columns, more, lines) => {
  expect(forwardLines({ ...GOOD, ...more }, layout(columns))).toEqual(
    lines.map((line) => INDENT.slice(columns < 60 && line.startsWith('  ') ? 3 : 0) + line),
  )
})

it('breaks a long answer at the width of the terminal', () => {
  const lines = forwardLines({ ...GOOD, status: 500, body: 'word '.repeat(100) }, layout(60))
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(60)
  expect(lines.slice(1).join(' ').replace(/\s+/g, ' ').trim()).toBe('word '.repeat(100).trim())
})

it('prints a summary whose numbers add up', () => {
  const none = {
    received: 0,
    valid: 0,
    invalid: 0,
    unsigned: 0,
    duplicates: 0,
    notStored: 0,
    forwarded: 0,
    notForwarded: 0,
    targets: [],
  }
  const times = { p50: 0.4, p95: 3, p99: 9.25 }
  const some = { ...none, ...times, received: 50, valid: 44, invalid: 2, unsigned: 3, notStored: 1, duplicates: 3 }
  const one = { url: 'http://127.0.0.1:3000/', forwarded: 40, notForwarded: 4 }
  const other = { url: 'http://127.0.0.1:4000/', forwarded: 2, notForwarded: 0 }
  expect(summaryLines({ ...some, forwarded: 40, notForwarded: 4, targets: [one] }, plain)).toEqual([
    '50 received: 44 valid, 2 invalid, 3 unsigned, 1 not stored',
    '3 duplicates',
    '40 forwarded, 4 refused or not reached',
    'time to answer: p50 0.4 ms, p95 3 ms, p99 9.3 ms',
  ])
  expect(summaryLines({ ...some, forwarded: 42, notForwarded: 4, targets: [one, other] }, plain).slice(2, 4)).toEqual([
    '40 forwarded to http://127.0.0.1:3000/, 4 refused or not reached',
    '2 forwarded to http://127.0.0.1:4000/, 0 refused or not reached',
  ])
  expect(summaryLines({ ...none, p50: 0, p95: 0, p99: 0 }, plain)).toEqual([
    '0 received: 0 valid, 0 invalid, 0 unsigned',
    '0 duplicates',
  ])
  expect(summaryLines({ ...some, duplicates: 1 }, plain)[1]).toBe('1 duplicate')
})

it('says how long it has been quiet', () => {
  const last = { event: 'pix.received', receivedAt: '2026-11-21T17:03:07Z' }
  expect(quietText(185_000, last)).toBe('no events for 3 min; last: pix.received 14:03:07')
  expect(quietText(7_500_000, { ...last, event: null })).toBe('no events for 2 h 5 min; last: unknown 14:03:07')
  expect(quietText(60_000, null)).toBe('no events for 1 min')
})

it('says the zone once, and the date when it changes', () => {
  const nowMs = Date.parse('2026-11-21T17:03:07Z')
  expect(clockNotice(nowMs)).toBe('Times are São Paulo time (BRT); today is 21/11/2026')
  const lateMs = Date.parse('2026-11-22T02:59:59.999Z')
  expect(dayLine(nowMs, lateMs, plain)).toBe(null)
  expect(dayLine(lateMs, lateMs + 1, plain)).toBe('── 22/11/2026 BRT ──')
  expect(dayLine(null, nowMs, plain)).toBe('── 21/11/2026 BRT ──')
})
