import type { RowResult } from '../../batch/rowResults.ts'
import { PAYMENT_STATES, type PaymentState } from '../../ledger/paymentState.ts'
import type { PlannedBy } from '../../ledger/plans.ts'
import { t } from '../../text/translate.ts'

/** A number of rows and the sum of their amounts. */
export interface RowSum {
  rows: number
  cents: number
  /** How many of them have no known amount, and so no part of the sum. */
  unknownAmounts: number
}

/** The sums of the rows of a run. They are taken from the rows of a report, so that they add up whatever arrives while it is written. */
export class RunSums {
  readonly all: RowSum = emptySum()
  /** Rows that were sent before this run; each is also counted in its state. */
  readonly leftOut: RowSum = emptySum()
  /** Rows that the gateway had accepted by an earlier attempt, and those of them that another ledger sent first; counted in their state, too. */
  readonly acceptedBefore: RowSum = emptySum()
  readonly sentElsewhere: RowSum = emptySum()
  /** Rows with another name in the file than in the event; each is also counted in its state. */
  readonly namesDiffer: RowSum = emptySum()
  readonly #senders = new Map<string, RowSum>()
  readonly #approvals = new Map<string, RowSum>()
  readonly #states = new Map<PaymentState, RowSum>(PAYMENT_STATES.map((state) => [state, emptySum()]))

  add({ state, outcome, amountCents, isLeftOut, isFromElsewhere, names, writer, plannedBy }: RowResult): void {
    const sums = [
      this.all,
      this.#states.get(state),
      isLeftOut ? this.leftOut : undefined,
      outcome === 'accepted-before' ? this.acceptedBefore : undefined,
      isFromElsewhere ? this.sentElsewhere : undefined,
      names.differ === true ? this.namesDiffer : undefined,
      writer === null ? undefined : this.#sumOf(this.#senders, t`${writer.user} on ${writer.machine}`),
      plannedBy === null ? undefined : this.#sumOf(this.#approvals, approvalText(plannedBy)),
    ]
    for (const sum of sums) {
      if (sum === undefined) continue
      sum.rows += 1
      sum.cents += amountCents ?? 0
      sum.unknownAmounts += amountCents === null ? 1 : 0
    }
  }

  /** What each person sent on each machine, if they are several; each row is also counted in its state. */
  senders(): (RowSum & { sender: string })[] {
    return this.#senders.size < 2 ? [] : [...this.#senders].map(([sender, sum]) => ({ sender, ...sum }))
  }

  /** What was sent by plans, by who made and approved them; each row is also counted in its state. */
  approvals(): (RowSum & { approval: string })[] {
    return [...this.#approvals].map(([approval, sum]) => ({ approval, ...sum }))
  }

  #sumOf(sums: Map<string, RowSum>, key: string): RowSum {
    const sum = sums.get(key) ?? emptySum()
    sums.set(key, sum)
    return sum
  }

  /** The sum of each state, those without rows included. */
  states(): (RowSum & { state: PaymentState; meaning: string })[] {
    return [...this.#states].map(([state, sum]) => ({ state, meaning: stateMeaning(state), ...sum }))
  }
}

function approvalText({ requestedBy, approvedBy }: PlannedBy): string {
  return t`of these requested by ${requestedBy}, approved by ${approvedBy}`
}

function emptySum(): RowSum {
  return { rows: 0, cents: 0, unknownAmounts: 0 }
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
