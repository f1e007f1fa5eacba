import { DamagedValue } from '../storage/sqlite.ts'
import { PAYMENT_KINDS, type PaymentKind } from './facts.ts'
import { FINDINGS, type Finding } from './records.ts'

/** What is known of a payment: from answers alone, from a person, or from an event. */
export type PaymentState = 'not-sent' | 'refused' | 'accepted' | 'unknown' | Finding

/** All states, in the order in which lists show them. */
export const PAYMENT_STATES = [
  'not-sent',
  'refused',
  'accepted',
  'unknown',
  ...FINDINGS,
] as const satisfies readonly PaymentState[]

/** A state as a column holds it. Throws DamagedValue for other text. */
export function parsePaymentState(text: string): PaymentState {
  const state = PAYMENT_STATES.find((each) => each === text)
  if (state === undefined) throw new DamagedValue(`a payment has the state ${text}`)
  return state
}

/** A kind as a column holds it. Throws DamagedValue for other text. */
export function parsePaymentKind(text: string): PaymentKind {
  const kind = PAYMENT_KINDS.find((each) => each === text)
  if (kind === undefined) throw new DamagedValue(`a payment has the kind ${text}`)
  return kind
}

/** The status that a person's finding corresponds to, in the wire's words. */
export const STATUS_OF_FINDING: Readonly<Record<PaymentKind, Readonly<Record<Finding, string>>>> = {
  qr: { paid: 'PAID', 'not-paid': 'CANCELLED', returned: 'REFUNDED' },
  transfer: { paid: 'PAID_OUT', 'not-paid': 'ERROR', returned: 'RETURNED' },
  refund: { paid: 'COMPLETED', 'not-paid': 'FAILED', returned: 'FAILED' },
}

/** How much a state says. Nothing moves backwards: an event counts only if it says more than what is known. */
export function stateRank(state: PaymentState): number {
  switch (state) {
    case 'returned':
      return 3
    case 'paid':
      return 2
    case 'not-paid':
      return 1
    default:
      return 0
  }
}

/** True for a state that is final, as an event or a person reports it. */
export function isFinding(state: PaymentState): state is Finding {
  return state === 'paid' || state === 'not-paid' || state === 'returned'
}

/** Of several attempts the first of these states counts: a payment that was made is never shown as refused. */
export const STATES_BY_WEIGHT: readonly PaymentState[] = [
  'paid',
  'accepted',
  'unknown',
  'returned',
  'not-paid',
  'refused',
  'not-sent',
]
