import { PAYMENT_STATES, type PaymentState } from '../../ledger/paymentState.ts'
import { t } from '../../text/translate.ts'
import type { RowResult } from '../rowResults.ts'

/** A number of rows and the sum of their amounts. */
export interface RowSum {
  rows: number
  cents: number
}

/** The sums of a report. They are taken from its rows, so that they add up whatever arrives while it is written. */
export class ReportTotals {
  readonly all: RowSum = { rows: 0, cents: 0 }
  /** Rows that were sent before this run; each is also counted in its state. */
  readonly leftOut: RowSum = { rows: 0, cents: 0 }
  /** Rows with another name in the file than in the event; each is also counted in its state. */
  readonly namesDiffer: RowSum = { rows: 0, cents: 0 }
  readonly #states = new Map<PaymentState, RowSum>(PAYMENT_STATES.map((state) => [state, { rows: 0, cents: 0 }]))

  add({ state, amountCents, isLeftOut, names }: RowResult): void {
    const sums = [
      this.all,
      this.#states.get(state),
      isLeftOut ? this.leftOut : undefined,
      names.differ === true ? this.namesDiffer : undefined,
    ]
    for (const sum of sums) {
      if (sum === undefined) continue
      sum.rows += 1
      sum.cents += amountCents ?? 0
    }
  }

  /** The sum of each state, those without rows included. */
  states(): (RowSum & { state: PaymentState; meaning: string })[] {
    return [...this.#states].map(([state, sum]) => ({ state, meaning: stateMeaning(state), ...sum }))
  }
}

function stateMeaning(state: PaymentState): string {
  switch (state) {
    case 'paid':
      return t`The money was paid out`
    case 'accepted':
      return t`The gateway accepted it; whether it was paid is not known yet`
    case 'unknown':
      return t`Whether it was carried out is unknown; check before you pay it again`
    case 'returned':
      return t`It was paid, and the money came back`
    case 'not-paid':
      return t`The gateway accepted it, but it was not paid`
    case 'refused':
      return t`The gateway refused it; no money moved`
    case 'not-sent':
      return t`It was not sent; no money moved`
  }
}
