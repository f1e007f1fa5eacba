import { parseInstant } from '../pix/calendar.ts'
import { DamagedValue } from '../storage/sqlite.ts'
import type { Outcome } from '../wire/errors.ts'
import { findingFromEvent } from './eventMeaning.ts'
import {
  type AnswerRecord,
  type AttemptRecord,
  type EventRecord,
  FINDINGS,
  type Finding,
  type FindingRecord,
  type LedgerRecord,
  PAYMENT_KINDS,
  type PaymentKind,
  type PaymentRecord,
  SENDER_ENDED,
} from './records.ts'

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

/** What is known of one attempt. */
export interface AttemptSummary {
  record: LedgerRecord<AttemptRecord>
  outcome: Outcome
  answer: LedgerRecord<AnswerRecord> | null
  /** What a person found out; null if none did. */
  finding: LedgerRecord<FindingRecord> | null
  /** The event that decided the state; null if none did. */
  event: LedgerRecord<EventRecord> | null
  state: PaymentState
  idTransaction: string | null
  /** The process that is sending it; null when it has recorded the answer. */
  sender: string | null
  /** The times in ms at which its request may have left, oldest first. */
  sentMs: readonly number[]
}

/** The summary of a payment's records. */
export interface PaymentSummary {
  attempts: readonly AttemptSummary[]
  /** The attempt that the state comes from. */
  deciding: AttemptSummary
  state: PaymentState
  /** True if money moved, is moving, or may be. */
  mayHaveMoved: boolean
  /** What moved, or may have, in cents: requested, else as the answer or the event says. */
  movedCents: number
  /** When the last request may have left; if none did, when the first attempt was recorded. */
  sentMs: number
  /** When the first byte of an attempt with an unknown outcome may have left; null if none has one. */
  firstSentMs: number | null
  /** In the wire's words; null while the outcome is unknown or nothing was sent. */
  status: string | null
  errorCode: string | null
  idTransaction: string | null
}

/** Of several attempts the first of these states counts: a payment that was made is never shown as refused. */
const STATES_BY_WEIGHT: readonly PaymentState[] = [
  'paid',
  'accepted',
  'unknown',
  'returned',
  'not-paid',
  'refused',
  'not-sent',
]

/** The status that a person's finding corresponds to, in the wire's words. */
const STATUS_OF_FINDING: Readonly<Record<PaymentKind, Readonly<Record<Finding, string>>>> = {
  qr: { paid: 'PAID', 'not-paid': 'CANCELLED', returned: 'REFUNDED' },
  transfer: { paid: 'PAID_OUT', 'not-paid': 'ERROR', returned: 'RETURNED' },
  refund: { paid: 'COMPLETED', 'not-paid': 'FAILED', returned: 'FAILED' },
}

/**
 * Derives the state of a payment from all its records, oldest first: its attempts, what was answered, what a person found, and the
 * events that were linked to it. This is the only function that decides a state. Throws DamagedValue if there is no attempt.
 */
export function derivePayment(records: readonly PaymentRecord[]): PaymentSummary {
  const attempts: MutableAttempt[] = []
  // An event can arrive before the answer to its request is recorded, so answers are applied first.
  for (const record of records) applyRequest(attempts, record)
  for (const record of records) {
    if (record.type === 'finding') applyFinding(attempts, record)
    if (record.type === 'event') applyEvent(attempts, record)
  }
  const deciding = heaviestAttempt(attempts)
  const [first] = attempts
  if (first === undefined || deciding === undefined) throw new DamagedValue('a payment has no attempt')
  const moved = attempts.filter(mayHaveMoved)
  const sentMs = attempts.flatMap((attempt) => attempt.sentMs)
  const unknown = attempts.find(({ state }) => state === 'unknown')
  return {
    attempts,
    deciding,
    state: deciding.state,
    mayHaveMoved: moved.length > 0,
    movedCents: moved.reduce((sum, attempt) => sum + (amountCentsOf(attempt) ?? 0), 0),
    sentMs: sentMs.at(-1) ?? timeOf(first.record),
    firstSentMs: unknown?.sentMs[0] ?? null,
    status: statusOf(deciding),
    errorCode: errorCodeOf(deciding),
    idTransaction:
      deciding.idTransaction ?? attempts.findLast((each) => each.idTransaction !== null)?.idTransaction ?? null,
  }
}

/** The amount of an attempt in cents: requested, else as the answer or an event says; null if unknown. */
export function amountCentsOf({ record, answer, event }: AttemptSummary): number | null {
  return record.facts.amountCents ?? answer?.amountCents ?? event?.amountCents ?? null
}

/** True if money moved through this attempt, or may have: also if the gateway says that it holds its externalId. */
function mayHaveMoved({ state, answer }: AttemptSummary): boolean {
  if (state === 'refused') return answer?.code === 'DUPLICATE_EXTERNAL_ID'
  return state === 'accepted' || state === 'unknown' || state === 'paid'
}

type MutableAttempt = { -readonly [Name in keyof AttemptSummary]: AttemptSummary[Name] } & { sentMs: number[] }

function applyRequest(attempts: MutableAttempt[], record: PaymentRecord): void {
  switch (record.type) {
    case 'attempt':
      attempts.push(newAttempt(record))
      return
    case 'resend': {
      const attempt = attempts.find((each) => each.record.id === record.attempt)
      if (attempt === undefined) return
      attempt.sender = record.sender
      attempt.sentMs.push(timeOf(record))
      setOutcome(attempt, 'unknown')
      return
    }
    case 'answer': {
      const attempt = attempts.find((each) => each.record.id === record.attempt)
      if (attempt !== undefined) applyAnswer(attempt, record)
    }
  }
}

function newAttempt(record: LedgerRecord<AttemptRecord>): MutableAttempt {
  return {
    record,
    outcome: 'unknown',
    answer: null,
    finding: null,
    event: null,
    // Until an answer is recorded, whether the request left is unknown.
    state: 'unknown',
    idTransaction: null,
    sender: record.sender,
    sentMs: [timeOf(record)],
  }
}

function applyAnswer(attempt: MutableAttempt, answer: LedgerRecord<AnswerRecord>): void {
  attempt.sender = null
  attempt.idTransaction ??= answer.idTransaction
  if (answer.outcome === 'not-sent') {
    attempt.sentMs.pop()
    // An attempt that was sent earlier stays unknown, even if nothing was sent this time.
    setOutcome(attempt, attempt.sentMs.length === 0 ? 'not-sent' : 'unknown')
  } else setOutcome(attempt, answer.outcome)
  if (attempt.outcome === answer.outcome) attempt.answer = answer
}

/** An attempt that was accepted stays accepted. */
function setOutcome(attempt: MutableAttempt, outcome: Outcome): void {
  const wasAccepted = attempt.outcome === 'accepted' || attempt.outcome === 'accepted-before'
  const isAccepted = outcome === 'accepted' || outcome === 'accepted-before'
  if (wasAccepted && !isAccepted) return
  attempt.outcome = outcome
  attempt.state = outcome === 'accepted-before' ? 'accepted' : outcome
}

/** A finding is about the attempts that a person could know, and of those about each that is not finished. */
function applyFinding(attempts: readonly MutableAttempt[], finding: LedgerRecord<FindingRecord>): void {
  const known = attemptsBefore(attempts, finding)
  const open = known.filter(({ state }) => state === 'unknown' || state === 'accepted')
  for (const attempt of open.length > 0 ? open : known.slice(-1)) {
    attempt.finding = finding
    attempt.event = null
    attempt.state = finding.as
  }
}

function applyEvent(attempts: readonly MutableAttempt[], event: LedgerRecord<EventRecord>): void {
  const attempt = attemptOfEvent(attempts, event)
  if (attempt === undefined) return
  attempt.idTransaction ??= event.idTransaction
  const meaning = findingFromEvent(event)
  if (meaning === null || stateRank(meaning) <= stateRank(attempt.state)) return
  const isOfAnswer = event.idTransaction !== null && event.idTransaction === attempt.answer?.idTransaction
  // If the request was sent twice, the failure of one says nothing about the other.
  if (meaning === 'not-paid' && attempt.sentMs.length > 1 && !isOfAnswer) return
  const { finding } = attempt
  // The finding already took earlier events into account, but proof of payment recorded later overrides `not-paid`.
  const deniesFinding = finding?.as === 'not-paid' && meaning === 'paid'
  if (finding !== null && timeOf(event) <= timeOf(finding) && !deniesFinding) return
  attempt.state = meaning
  attempt.event = event
}

function attemptOfEvent(
  attempts: readonly MutableAttempt[],
  event: LedgerRecord<EventRecord>,
): MutableAttempt | undefined {
  const { idTransaction, externalId } = event
  const before = attemptsBefore(attempts, event)
  return (
    attempts.findLast((each) => idTransaction !== null && each.idTransaction === idTransaction) ??
    attempts.findLast((each) => externalId !== null && each.record.externalId === externalId) ??
    before.find(({ state }) => state === 'unknown') ??
    before.at(-1)
  )
}

function attemptsBefore(attempts: readonly MutableAttempt[], { seq }: { seq: number }): readonly MutableAttempt[] {
  return attempts.filter(({ record }) => record.seq < seq)
}

function heaviestAttempt(attempts: readonly MutableAttempt[]): MutableAttempt | undefined {
  for (const state of STATES_BY_WEIGHT) {
    const found = attempts.findLast((each) => each.state === state)
    if (found !== undefined) return found
  }
  return undefined
}

function errorCodeOf({ event, answer }: AttemptSummary): string | null {
  const code = event?.errorCode ?? answer?.code ?? null
  return code === SENDER_ENDED ? null : code
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

function statusOf({ record, event, finding, answer, state }: AttemptSummary): string | null {
  const { kind } = record.facts
  if (event !== null) return event.status ?? (isFinding(state) ? STATUS_OF_FINDING[kind][state] : null)
  if (finding !== null) return STATUS_OF_FINDING[kind][finding.as]
  if (state === 'refused') return 'FAILED'
  if (state !== 'accepted') return null
  return answer?.status ?? (kind === 'qr' ? 'PENDING' : 'PROCESSING')
}

function isFinding(state: PaymentState): state is Finding {
  return state === 'paid' || state === 'not-paid' || state === 'returned'
}

function timeOf({ at }: { at: string }): number {
  return parseInstant(at) ?? 0
}
