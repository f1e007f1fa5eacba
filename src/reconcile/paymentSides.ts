import { findingFromEvent } from '../ledger/eventMeaning.ts'
import type { Payment } from '../ledger/payments.ts'
import type { EventRecord, LedgerRecord } from '../ledger/records.ts'
import { parseInstant, saoPauloDay } from '../pix/calendar.ts'
import { readEventFacts } from '../wire/eventFacts.ts'
import { type Direction, directionOf } from './externalLine.ts'
import { nameWords } from './partyName.ts'

/** A payment with the names of the other party that are known of it. */
export interface NamedPayment {
  payment: Payment
  names: readonly string[]
}

/** What a bank books of a payment: the payment, or the money that came back. */
export interface PaymentSide {
  /** Tells it from every other side. */
  key: string
  payment: Payment
  isReturn: boolean
  direction: Direction
  /** The days in São Paulo on which it may have been made, the likeliest first. */
  days: readonly string[]
  /** The words of each name. */
  names: readonly (readonly string[])[]
}

/** What a bank may have booked of a payment: one side, or two if a transfer or a refund came back. */
export function sidesOf({ payment, names }: NamedPayment): [main: PaymentSide, ...returned: PaymentSide[]] {
  const { facts, summary } = payment
  const direction = directionOf(facts.kind)
  const common = { payment, names: names.map(nameWords) }
  const main: PaymentSide = { ...common, key: payment.id, isReturn: false, direction, days: daysOfPayment(payment) }
  if (facts.kind === 'qr' || summary.state !== 'returned') return [main]
  const days = unique([...eventDays(payment, 'returned'), ...findingDays(payment)])
  return [main, { ...common, key: `${payment.id} returned`, isReturn: true, direction: 'credit', days }]
}

/** True if a bank has booked a payment, or may have. A charge is on no statement until it is paid. */
export function hasMoved({ facts, summary: { state } }: Payment): boolean {
  if (state === 'paid' || state === 'returned') return true
  return facts.kind !== 'qr' && (state === 'accepted' || state === 'unknown')
}

/** A transfer is booked when it is sent or when it is carried out, a charge when it is paid, which a person may have found out later. */
function daysOfPayment(payment: Payment): string[] {
  const { facts, summary, first } = payment
  const paid = eventDays(payment, 'paid')
  if (facts.kind !== 'qr') return unique([...paid, saoPauloDay(summary.sentMs), ...sendDays(payment)])
  return paid.length > 0 ? paid : unique([saoPauloDay(first.madeMs), ...findingDays(payment)])
}

function sendDays({ summary: { attempts } }: Payment): string[] {
  return attempts.flatMap(({ sends }) => sends.map(({ ms }) => saoPauloDay(ms)))
}

function findingDays({ summary: { attempts } }: Payment): string[] {
  return attempts.flatMap(({ finding }) => (finding === null ? [] : [saoPauloDay(finding.madeMs)]))
}

/** The days of the events that say this of a payment: when it happened, as far as they tell, and when they arrived. */
function eventDays({ records }: Payment, meaning: 'paid' | 'returned'): string[] {
  const events = records.flatMap((record) =>
    record.type === 'event' && findingFromEvent(record) === meaning ? [record] : [],
  )
  return unique(events.flatMap((event) => [saoPauloDay(happenedMs(event)), saoPauloDay(event.madeMs)]))
}

function happenedMs({ bodyBase64, madeMs }: LedgerRecord<EventRecord>): number {
  const facts = readEventFacts(Buffer.from(bodyBase64, 'base64').toString('utf8'))
  return parseInstant(facts?.happenedAt ?? '') ?? madeMs
}

function unique(days: readonly string[]): string[] {
  return [...new Set(days)]
}
