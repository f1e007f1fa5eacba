import { Chalk } from 'chalk'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { displayWidth } from '../../../src/text/cellLayout.ts'
import { answerTime, clockText, type EventView, eventLines } from '../../../src/views/events/eventText.ts'
import {
  CHARGED_BACK,
  FAILED,
  layout,
  look,
  PAID_OUT,
  PAYMENT_ID,
  RECEIVED,
  REFUND_ID,
  REFUNDED,
  TRANSFER_ID,
} from './sampleEventViews.ts'

describe('one line in 200 columns', () => {
  it.each<[what: string, look: EventView, line: string]>([
    [
      'a payment',
      look(RECEIVED),
      `   14:03:07  ✓ ok   pix.received        PAID             R$ 25,00  ${PAYMENT_ID}    2 ms  #12`,
    ],
    [
      'a duplicate',
      look(RECEIVED, { duplicate: true }),
      `   14:03:07  ✓ dup  pix.received        PAID             R$ 25,00  ${PAYMENT_ID}    2 ms  #12`,
    ],
    [
      'both ids of a refund',
      look(REFUNDED),
      `   14:03:07  ✓ ok   refund.status       COMPLETED        R$ 10,00  ${REFUND_ID} → ${PAYMENT_ID}  2 ms  #12`,
    ],
    [
      'who got a transfer',
      look(PAID_OUT),
      `   14:03:07  ✓ ok   transfer.completed  PAID_OUT      R$ 1.500,00  ${TRANSFER_ID}    2 ms  #12  to Maria da Silva Santos, ***.982.247-**, Banco do Brasil`,
    ],
    [
      'a failed transfer',
      look(FAILED),
      `!! 14:03:07  ✓ ok   transfer.failed     ERROR            R$ 12,00  ${TRANSFER_ID}    2 ms  #12  NO_FUNDS: Saldo insuficiente`,
    ],
    [
      'a returned one',
      look({ event: 'transfer.failed', data: { statusTransaction: 'RETURNED', value: 1 } }),
      '!! 14:03:07  ✓ ok   transfer.failed     RETURNED          R$ 1,00                                          2 ms  #12',
    ],
    [
      'a chargeback',
      look(CHARGED_BACK),
      `!! 14:03:07  ✓ ok   payment             CHARGEBACK       R$ 25,00  ${PAYMENT_ID}    2 ms  #12  from João Pereira, ***.444.777-**`,
    ],
    [
      'no signature',
      look(RECEIVED, { n: null, valid: false, reason: 'missing' }),
      `   14:03:07  ✗ no signature  pix.received  PAID          R$ 25,00  ${PAYMENT_ID}    2 ms`,
    ],
    [
      'a wrong one',
      look(RECEIVED, { n: null, valid: false, reason: 'mismatch' }),
      `   14:03:07  ✗ wrong signature  pix.received  PAID       R$ 25,00  ${PAYMENT_ID}    2 ms`,
    ],
    [
      'a malformed one',
      look(RECEIVED, { n: null, valid: false, reason: 'malformed' }),
      `   14:03:07  ✗ malformed signature  pix.received  PAID   R$ 25,00  ${PAYMENT_ID}    2 ms`,
    ],
    [
      'a forged alarm',
      look(FAILED, { n: null, valid: false, reason: 'mismatch' }),
      `   14:03:07  ✗ wrong signature  transfer.failed  ERROR   R$ 12,00  ${TRANSFER_ID}    2 ms  NO_FUNDS: Saldo insuficiente`,
    ],
    [
      'one that was taken unsigned',
      look(RECEIVED, { valid: false, reason: 'missing' }),
      `   14:03:07  ? no signature  pix.received  PAID          R$ 25,00  ${PAYMENT_ID}    2 ms  #12`,
    ],
    [
      'no JSON',
      look('<p>\u001b[2J529.982.247-25', { n: null, valid: false, reason: 'not-json', answeredMs: null }),
      '   14:03:07  ✗ not JSON  21 bytes, beginning with <p>\\u{1b}[2J***.982.247-**',
    ],
    [
      'no body',
      look('', { n: null, valid: false, reason: 'method' }),
      '   14:03:07  ✗ not POST                                                                                    2 ms',
    ],
    [
      'a reason of later',
      look('', { n: null, valid: false, reason: 'tired\u0007', answeredMs: null }),
      '   14:03:07  ✗ tired\\u{7}',
    ],
    [
      'an unknown name',
      look({ event: 'compliance.done', data: { account: 1, level: 2 } }),
      '   14:03:07  ✓ ok   compliance.done                                                                        2 ms  #12  fields account, level',
    ],
    [
      'no name at all',
      look({ hello: 1 }),
      '   14:03:07  ✓ ok   unknown                                                                                2 ms  #12  fields hello',
    ],
    [
      'no object',
      look('[1]'),
      '   14:03:07  ✓ ok   unknown                                                                                2 ms  #12  JSON, but not an object',
    ],
    [
      'an empty object',
      look({}),
      '   14:03:07  ✓ ok   unknown                                                                                2 ms  #12  no fields',
    ],
    [
      'an external id',
      look({ event: 'pix.received', data: { externalId: 'order-17' } }),
      '   14:03:07  ✓ ok   pix.received                                                                           2 ms  #12  external id order-17',
    ],
    [
      'a time that is not a date-time',
      look({}, { receivedAt: 'soon', answeredMs: null, n: null }),
      '   --:--:--  ✓ ok   unknown  no fields',
    ],
  ])('shows %s', (_, shown, line) => {
    expect(eventLines(shown, layout(200))).toEqual([line])
  })

  it('is what a pipe gets, however long it is', () => {
    const message = 'x'.repeat(290)
    const lines = eventLines(look({ ...FAILED, data: { ...FAILED.data, errorMessage: message } }), layout(Infinity))
    expect(lines).toEqual([expect.stringContaining(`NO_FUNDS: ${message}`)])
  })

  it('shows names and tax documents whole if that is requested', () => {
    expect(eventLines(look(PAID_OUT), layout(200, true))[0]).toMatch(
      / {2}to Maria da Silva Santos, 529.982.247-25, Banco do Brasil$/,
    )
    const failed = { ...FAILED, data: { ...FAILED.data, errorMessage: 'of 529.982.247-25' } }
    expect(eventLines(look(failed), layout(200, true))[0]).toMatch(/NO_FUNDS: of 529\.982\.247-25$/)
    expect(eventLines(look(failed), layout(200))[0]).toMatch(/NO_FUNDS: of \*{3}\.982\.247-\*\*$/)
  })
})

describe('two lines in 80 columns', () => {
  it.each<[what: string, look: EventView, lines: string[]]>([
    [
      'a payment',
      look(RECEIVED),
      ['   14:03:07  ✓ ok   pix.received        PAID             R$ 25,00    2 ms  #12', `   ${PAYMENT_ID}`],
    ],
    [
      'both ids of a refund',
      look(REFUNDED),
      [
        '   14:03:07  ✓ ok   refund.status       COMPLETED        R$ 10,00    2 ms  #12',
        `   ${REFUND_ID} → ${PAYMENT_ID}`,
      ],
    ],
    [
      'a failed transfer',
      look(FAILED),
      [
        '!! 14:03:07  ✓ ok   transfer.failed     ERROR            R$ 12,00    2 ms  #12',
        `   ${TRANSFER_ID}  NO_FUNDS: Saldo insuficiente`,
      ],
    ],
    [
      'who got a transfer',
      look(PAID_OUT),
      [
        '   14:03:07  ✓ ok   transfer.completed  PAID_OUT      R$ 1.500,00    2 ms  #12',
        `   ${TRANSFER_ID}`,
        '   to Maria da Silva Santos, ***.982.247-**, Banco do Brasil',
      ],
    ],
    [
      'a malformed signature',
      look(PAID_OUT, { n: null, valid: false, reason: 'malformed' }),
      [
        '   14:03:07  ✗ malformed signature  transfer.completed  PAID_OUT  R$ 1.500,00',
        `   ${TRANSFER_ID}`,
        '   to Maria da Silva Santos, ***.982.247-**, Banco do Brasil',
      ],
    ],
  ])('shows %s', (_, shown, lines) => {
    expect(eventLines(shown, layout(80))).toEqual(lines)
  })
})

it('is coloured by the outcome', () => {
  const style = new Chalk({ level: 1 })
  const line = (shown: EventView) => eventLines(shown, { columns: 200, unmask: false, style })[0]
  expect(line(look(RECEIVED))).toContain(`${style.green('PAID')} `)
  expect(line(look(FAILED))).toContain(style.red.bold('transfer.failed'))
  expect(line(look(RECEIVED, { valid: false, n: null, reason: 'mismatch' }))).toContain(style.red('✗ wrong signature'))
  expect(line(look(RECEIVED, { duplicate: true }))).toContain(style.yellow('✓ dup'))
})

it.each([
  [null, ''],
  [0, '0 ms'],
  [0.44, '0.4 ms'],
  [9.96, '10.0 ms'],
  [12.6, '13 ms'],
  [1234, '1.2 s'],
])('writes %j ms as %j', (ms, text) => {
  expect(answerTime(ms)).toBe(text)
})

it('tells the time of São Paulo, in the summer of 2018 too', () => {
  expect(['2026-01-01T02:59:59Z', '2026-01-01T03:00:00.999Z', '2018-12-31T12:00:00Z'].map(clockText)).toEqual([
    '23:59:59',
    '00:00:00',
    '10:00:00',
  ])
})

it('tells the time of each instant, also right after another of its second', () => {
  const instants = ['2026-01-01T02:59:59.001Z', '2026-01-01T02:59:59.999Z', '2026-01-01T02:59:59-01:00', '']
  expect([...instants, ...instants].map(clockText)).toEqual([
    ...['23:59:59', '23:59:59', '00:59:59', '--:--:--'],
    ...['23:59:59', '23:59:59', '00:59:59', '--:--:--'],
  ])
})

/** Ids as a sender may make them: long, with spaces, or dangerous. */
const id = fc.oneof(
  fc.uuid(),
  fc.string({ minLength: 1 }),
  fc.string({ minLength: 60, maxLength: 240 }),
  fc.constant('\u001b[2J\u202e'),
)
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.lorem({ maxCount: 30 }), fc.constant('😀漢字\u0007'))
const event = fc.record({
  event: fc.oneof(text, fc.constantFrom('pix.received', 'refund.status', 'transfer.failed', 'transfer.completed')),
  data: fc.record(
    {
      idTransaction: id,
      originalTransactionId: id,
      externalId: id,
      status: fc.oneof(text, fc.constantFrom('PAID', 'RETURNED')),
      amount: fc.oneof(fc.integer({ min: 0, max: 1e9 }), fc.double()),
      destinationName: text,
      destinationTaxId: text,
      errorCode: text,
      errorMessage: text,
    },
    { requiredKeys: [] },
  ),
})
const reason = fc.constantFrom(null, 'missing', 'mismatch', 'malformed', 'not-json')

it('keeps ids whole, lines within the terminal, and the terminal safe', () => {
  fc.assert(
    fc.property(event, reason, fc.integer({ min: 30, max: 220 }), fc.boolean(), (body, why, columns, duplicate) => {
      const more = why === null ? { duplicate } : { n: null, valid: false, reason: why }
      const shown = look(body, more)
      const lines = eventLines(shown, layout(columns))
      const { idTransaction = null, originalTransactionId = null, externalId = null } = shown.facts ?? {}
      const ids = [idTransaction, originalTransactionId, externalId].filter((each) => each !== null).map(visible)
      const labels = [...ids, ...ids.map((each) => `→ ${each}`), ...ids.map((each) => `external id ${each}`)]
      for (const line of lines) {
        expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
        if (!labels.includes(line)) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
      }
      for (const each of ids) expect(lines.some((line) => line.includes(each))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

/** As the terminal is shown what could paint on it. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`)
}
