import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { derivePayment } from '../../src/ledger/derivePayment.ts'
import type { PaymentRecord } from '../../src/ledger/records.ts'
import type { Outcome } from '../../src/wire/errors.ts'
import { PaymentHistory } from './paymentHistory.ts'

describe('whatever happens to a payment', () => {
  const outcome = fc.constantFrom<Outcome>('not-sent', 'refused', 'accepted', 'accepted-before', 'unknown')
  const id = fc.constantFrom('id-1', 'id-2', 'id-3')
  const attempt = fc.integer({ min: 1, max: 3 })
  const event = fc.record({
    do: fc.constant('event' as const),
    status: fc.constantFrom('PAID_OUT', 'ERROR', 'RETURNED', 'PENDING', 'WHATEVER'),
    idTransaction: fc.option(id),
    externalId: fc.option(fc.constantFrom('invoice-1', 'invoice-2', 'theirs')),
  })
  const step = fc.oneof(
    fc.record({ do: fc.constant('attempt' as const) }),
    fc.record({ do: fc.constant('resend' as const), attempt }),
    fc.record({ do: fc.constant('answer' as const), attempt, outcome, idTransaction: fc.option(id) }),
    fc.record({ do: fc.constant('finding' as const), as: fc.constantFrom('paid' as const, 'not-paid', 'returned') }),
    event,
    event,
  )
  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

  function take(history: PaymentHistory, each: Step, attempts: number): PaymentHistory {
    switch (each.do) {
      case 'attempt':
        return history.attempt(`invoice-${attempts + 1}`)
      case 'resend':
        return history.resend(each.attempt)
      case 'answer':
        return history.answer(each.outcome, { idTransaction: each.idTransaction }, each.attempt)
      case 'finding':
        return history.finding(each.as)
      case 'event':
        return history.event(each.status, { idTransaction: each.idTransaction, externalId: each.externalId })
    }
  }

  it('stays paid until it is returned, a person says otherwise, or an event what only a person said', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const history = new PaymentHistory().attempt('invoice-1')
        for (const each of steps) {
          const before = history.summary.state
          const { event: proof, finding } = history.summary.deciding
          take(history, each, history.summary.attempts.length)
          const { state, attempts } = history.summary
          // A further attempt is never made of one that was paid.
          if (before !== 'paid' || each.do === 'finding' || each.do === 'attempt') continue
          // A payment that is being sent cannot be settled, so no first answer follows a finding.
          if (each.do === 'answer' && steps.some((other) => other.do === 'finding')) continue
          // A further attempt counts more than one that was returned.
          const isLater = attempts.length > 1 && ['accepted', 'unknown'].includes(state)
          if (proof === null && finding !== null && state === 'not-paid') expect(history.summary.wasSent).toBe(true)
          else if (!isLater) expect(['paid', 'returned']).toContain(state)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('is in the same state whenever its events arrive between its answers', () => {
    const answers = fc.array(fc.record({ isResend: fc.boolean(), outcome, idTransaction: fc.option(id) }), {
      maxLength: 4,
    })
    const events = fc.array(fc.tuple(event, fc.nat(12)), { maxLength: 4 })
    fc.assert(
      fc.property(answers, events, (answered, arrived) => {
        const early = sentAndAnswered(
          answered,
          arrived.map(([each, at]) => [each, at] as const),
        )
        const late = sentAndAnswered(
          answered,
          arrived.map(([each]) => [each, 99] as const),
        )
        const picked = ({ state, mayHaveMoved, idTransaction, movedCents }: ReturnType<typeof derivePayment>) => ({
          state,
          mayHaveMoved,
          idTransaction,
          movedCents,
        })
        expect(picked(derivePayment(early))).toEqual(picked(derivePayment(late)))
      }),
      { numRuns: 2000 },
    )
  })

  /** The records of an attempt; events keep their order and come after this many other records. */
  function sentAndAnswered(
    answered: readonly { isResend: boolean; outcome: Outcome; idTransaction: string | null }[],
    arrived: readonly (readonly [Extract<Step, { do: 'event' }>, number])[],
  ): PaymentRecord[] {
    const history = new PaymentHistory().attempt('invoice-1')
    const ahead = [...arrived]
    let others = 0
    const arrive = (until: number) => {
      while (ahead[0] !== undefined && ahead[0][1] <= until) {
        const [[next]] = ahead.splice(0, 1) as [readonly [Extract<Step, { do: 'event' }>, number]]
        take(history, next, 1)
      }
    }
    for (const { isResend, outcome: ended, idTransaction } of answered) {
      arrive(others)
      if (isResend) history.resend()
      others += 1
      arrive(others)
      history.answer(ended, { idTransaction })
      others += 1
    }
    arrive(Number.POSITIVE_INFINITY)
    return history.records
  }
})
