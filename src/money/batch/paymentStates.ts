import { parseInstant } from '../../pix/calendar.ts'
import { isFurther, meaningOf } from '../../timeline/eventMoves.ts'
import type { EventRecord, Finding, TimelineRecord } from '../../timeline/records.ts'
import { isMovingState, stateAfter, type TransactionState } from '../../timeline/transactions.ts'
import type { PaymentTable } from './paymentTable.ts'

type Answer = Exclude<TimelineRecord, { type: 'intent' }>

/** What became of the payments of a table, as folding the whole ledger would say it. */
export class PaymentStates {
  readonly #table: PaymentTable
  readonly #findings = new Map<number, { as: Finding; atMs: number }>()

  constructor(table: PaymentTable) {
    this.#table = table
  }

  /** Takes in the next record of a payment; gives what the records alone say of it. */
  addAnswer(entry: number, record: Answer): TransactionState {
    const state = stateAfter(this.#table.state(entry), record)
    this.#table.setState(entry, state)
    if (record.type === 'attempt') this.#table.mark(entry, 'isTriedAgain', true)
    if (record.type === 'outcome') this.#table.mark(entry, 'isHeld', record.code === 'DUPLICATE_EXTERNAL_ID')
    if (record.type === 'finding') {
      this.#findings.set(entry, { as: record.as, atMs: parseInstant(record.at) ?? 0 })
      // Whoever found something out knew what had arrived before.
      this.#table.setEventState(entry, null)
    }
    return state
  }

  /** Takes in an event that is about a payment. */
  addEvent(entry: number, event: TimelineRecord<EventRecord>): void {
    const meaning = meaningOf(event)
    if (meaning === null) return
    if (meaning === 'paid') this.#table.mark(entry, 'isToldPaid', true)
    const finding = this.#findings.get(entry)
    if (finding !== undefined && (parseInstant(event.at) ?? 0) <= finding.atMs) return
    const known = this.#table.eventState(entry)
    if (known === null || isFurther(meaning, known)) this.#table.setEventState(entry, meaning)
  }

  stateOf(entry: number): TransactionState {
    const state = this.#table.state(entry)
    const told = this.#told(entry)
    return told !== null && isFurther(told, state) ? told : state
  }

  /** True where the money has moved, is moving, or may be. */
  mayHaveMoved(entry: number): boolean {
    return isMovingState(this.stateOf(entry), this.#table.is(entry, 'isHeld'))
  }

  /** What the events say that count. */
  #told(entry: number): Finding | null {
    const event = this.#table.eventState(entry)
    if (event === 'returned' || event === 'paid') return event
    // Nobody may make a payment possible that was made, whenever he found out that it was not.
    const allowsAnother = (this.#findings.get(entry)?.as ?? 'not-paid') === 'not-paid'
    if (allowsAnother && this.#table.is(entry, 'isToldPaid')) return 'paid'
    // Of two attempts the failure of one says nothing of the other, which may have been carried out.
    return this.#table.is(entry, 'isTriedAgain') ? null : event
  }
}
