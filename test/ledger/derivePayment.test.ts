import { describe, expect, it } from 'vitest'
import type { PaymentState } from '../../src/ledger/paymentState.ts'
import { SENDER_ENDED } from '../../src/ledger/records.ts'
import { attemptStories } from './oracle/attemptStory.ts'
import { PaymentHistory, REFUND, timeOfRecord } from './paymentHistory.ts'

const ID = { idTransaction: 'id-1' }
const sent = () => new PaymentHistory().attempt()
const unknown = () => sent().answer('unknown')
const accepted = () => sent().answer('accepted', ID)

describe('the state of a payment after', () => {
  it.each<[string, PaymentHistory, PaymentState, mayHaveMoved: boolean]>([
    ['its request was recorded', sent(), 'unknown', true],
    ['a request that never left', sent().answer('not-sent'), 'not-sent', false],
    ['a refusal', sent().answer('refused', { code: 'NO_FUNDS' }), 'refused', false],
    [
      'a refusal because the gateway holds the id',
      sent().answer('refused', { code: 'DUPLICATE_EXTERNAL_ID' }),
      'refused',
      true,
    ],
    ['an acceptance', accepted(), 'accepted', true],
    ['no usable answer', unknown(), 'unknown', true],
    ['the end of its sender', sent().answer('unknown', { code: SENDER_ENDED }), 'unknown', true],
    [
      'a late acceptance for a sender that seemed to have ended',
      sent().answer('unknown', { code: SENDER_ENDED }).answer('accepted', ID),
      'accepted',
      true,
    ],
    ['a resend that was accepted', unknown().resend().answer('accepted', ID), 'accepted', true],
    ['a resend of which the gateway knew', unknown().resend().answer('accepted-before'), 'accepted', true],
    ['a resend that never left', unknown().resend().answer('not-sent'), 'unknown', true],
    ['two resends that never left', unknown().resend().answer('not-sent').resend().answer('not-sent'), 'unknown', true],
    [
      'a resend after one that never left',
      unknown().resend().answer('not-sent').resend().answer('accepted', ID),
      'accepted',
      true,
    ],
    ['an unknown answer after an acceptance', accepted().answer('unknown'), 'accepted', true],
    ['a refusal after an acceptance', accepted().answer('refused', { code: 'NO_FUNDS' }), 'accepted', true],
    ['an event that it was paid', accepted().event('PAID_OUT'), 'paid', true],
    ['the same event twice', accepted().event('PAID_OUT').event('PAID_OUT'), 'paid', true],
    ['an event that it failed', accepted().event('ERROR'), 'not-paid', false],
    ['an event that it failed, then that it was paid', accepted().event('ERROR').event('PAID_OUT'), 'paid', true],
    ['an event that it was paid, then that it failed', accepted().event('PAID_OUT').event('ERROR'), 'paid', true],
    [
      'progress after it was paid',
      accepted().event('PAID_OUT').event('PENDING', { event: 'transfer.failed' }),
      'paid',
      true,
    ],
    ['progress', accepted().event('PROCESSING'), 'accepted', true],
    ['its return', accepted().event('PAID_OUT').event('RETURNED'), 'returned', false],
    [
      'its return, then a late event that it was paid',
      accepted().event('RETURNED').event('PAID_OUT'),
      'returned',
      false,
    ],
    ['its return before its answer', sent().event('RETURNED').answer('accepted', ID), 'returned', false],
    [
      'an event with a name and a status that contradict each other',
      accepted().event('ERROR', { event: 'transfer.completed' }),
      'accepted',
      true,
    ],
    [
      'a failure with a status that is not known',
      accepted().event('WAITING_FOR_APPROVAL', { event: 'transfer.failed' }),
      'accepted',
      true,
    ],
    [
      'a status that is not known after a lost answer',
      unknown().event('PAYMENT_ACCEPT', { event: 'transfer.failed' }),
      'unknown',
      true,
    ],
    [
      'an event that a second request was refused',
      accepted().event('ERROR', { errorCode: 'DUPLICATE_EXTERNAL_ID' }),
      'accepted',
      true,
    ],
    ['the failure of one of two requests', unknown().resend().answer('unknown').event('ERROR'), 'unknown', true],
    [
      'the failure of another than the accepted of two requests',
      unknown().resend().answer('accepted', { idTransaction: 'id-2' }).event('ERROR'),
      'accepted',
      true,
    ],
    [
      'the failure of the accepted of two requests',
      unknown().resend().answer('accepted', ID).event('ERROR'),
      'not-paid',
      false,
    ],
    [
      'that failure before the answer was recorded',
      unknown().resend().event('ERROR').answer('accepted', ID),
      'not-paid',
      false,
    ],
    ['a finding that it was paid', unknown().finding('paid'), 'paid', true],
    ['a finding that it was not paid', unknown().finding('not-paid'), 'not-paid', false],
    [
      'a finding that it was not paid, then an event that it was',
      unknown().finding('not-paid').event('PAID_OUT'),
      'paid',
      true,
    ],
    [
      'that event, received before the finding but recorded after it',
      unknown().finding('not-paid').event('PAID_OUT', {}, 2),
      'paid',
      true,
    ],
    [
      'a finding that it was paid, then an event that it failed',
      unknown().finding('paid').event('ERROR'),
      'not-paid',
      false,
    ],
    [
      'a finding that it was returned, then an event that it was paid',
      unknown().finding('returned').event('PAID_OUT'),
      'returned',
      false,
    ],
    [
      'a finding that it was paid, received before its return',
      unknown().finding('paid').event('RETURNED', {}, 2),
      'paid',
      true,
    ],
    ['a finding that it was paid, then its return', unknown().finding('paid').event('RETURNED'), 'returned', false],
    ['a finding, then a second one', unknown().finding('paid').finding('not-paid'), 'not-paid', false],
    [
      'a finding that it was not paid, then a late acceptance',
      unknown().finding('not-paid').answer('accepted', ID),
      'not-paid',
      false,
    ],
    ['a refusal, then a second attempt', sent().answer('refused').attempt('invoice-17-2'), 'unknown', true],
    [
      'a second attempt that was accepted',
      sent().answer('refused').attempt('invoice-17-2').answer('accepted', ID),
      'accepted',
      true,
    ],
    [
      'a second attempt that was refused too',
      sent().answer('refused').attempt('invoice-17-2').answer('refused'),
      'refused',
      false,
    ],
    [
      'a second attempt that never left',
      sent().answer('refused').attempt('invoice-17-2').answer('not-sent'),
      'refused',
      false,
    ],
    [
      'the failure of the first of two attempts',
      accepted().event('ERROR').attempt('invoice-17-2').answer('accepted', { idTransaction: 'id-2' }).event('ERROR'),
      'accepted',
      true,
    ],
    [
      'a late event that the first of two attempts was paid',
      sent().answer('refused').attempt('invoice-17-2').answer('refused').event('PAID_OUT'),
      'paid',
      true,
    ],
    [
      'a finding about the first of two attempts',
      unknown().finding('not-paid').attempt('invoice-17-2'),
      'unknown',
      true,
    ],
    [
      'an event without known ids before the second attempt',
      accepted()
        .event('ERROR')
        .event('PAID_OUT', { idTransaction: 'x', externalId: null })
        .attempt('invoice-17-2')
        .answer('refused'),
      'paid',
      true,
    ],
    [
      'a refund that was returned, which means carried out',
      new PaymentHistory(REFUND)
        .attempt(null)
        .answer('accepted', ID)
        .event('RETURNED', { event: 'refund.status', subject: 'refund', externalId: null }),
      'paid',
      true,
    ],
  ])('%s', (_name, { summary }, state, mayHaveMoved) => {
    expect({ state: summary.state, mayHaveMoved: summary.mayHaveMoved }).toEqual({ state, mayHaveMoved })
    expect(summary.movedCents > 0).toBe(mayHaveMoved)
  })
})

describe('when a request may have left', () => {
  it.each<[string, PaymentHistory, first: number | null, last: number]>([
    ['once', unknown(), 1, 1],
    ['never', sent().answer('not-sent'), null, 1],
    ['twice', unknown().resend(), 1, 3],
    ['once, and a resend that never left', unknown().resend().answer('not-sent'), 1, 1],
    ['twice, with a resend between that never left', unknown().resend().answer('not-sent').resend(), 1, 5],
    ['once, and it was accepted', accepted(), null, 1],
    ['in a second attempt', sent().answer('refused').attempt('invoice-17-2'), 3, 3],
  ])('%s', (_name, { summary }, first, last) => {
    expect(summary.firstSentMs).toBe(first === null ? null : timeOfRecord(first))
    expect(summary.sentMs).toBe(timeOfRecord(last))
  })
})

it('knows who is sending until the answer is recorded', () => {
  expect(sent().summary.deciding.sender).toBe('process-1')
  expect(unknown().summary.deciding.sender).toBeNull()
  expect(unknown().resend().summary.deciding.sender).toBe('process-2')
})

it('prefers the id of the answer to that of an event, whichever was recorded first', () => {
  const failed = { idTransaction: 'id-0', errorCode: 'NO_FUNDS' }
  const late = unknown().resend().event('ERROR', failed).answer('accepted', ID)
  expect(late.summary).toMatchObject({ state: 'accepted', idTransaction: 'id-1' })
})

it.each<[string, PaymentHistory, state: string, requests: number]>([
  ['its sender, that it was refused', sent().answer('refused'), 'refused', 1],
  ['its sender, that it never left', sent().answer('not-sent'), 'not-sent', 0],
  ['another person, that it was refused', sent().by('joao').answer('refused'), 'unknown', 1],
  ['another person, that it never left', sent().by('joao').answer('not-sent'), 'unknown', 1],
  ['another person, that it was accepted', sent().by('joao').answer('accepted', ID), 'accepted', 1],
  ['another person, that their own resend never left', unknown().by('joao').resend().answer('not-sent'), 'unknown', 1],
  ['another person, twice', unknown().by('joao').resend().answer('not-sent').answer('not-sent'), 'unknown', 1],
  ['another person, that a resend was refused', unknown().by('joao').resend().answer('refused'), 'unknown', 2],
])('believes of a request what is said by %s', (_name, { summary, records }, state, requests) => {
  expect([summary.state, summary.deciding.sends.length]).toEqual([state, requests])
  const [story] = attemptStories(records)
  expect([story?.state, story?.left.length]).toEqual([state, requests])
})
