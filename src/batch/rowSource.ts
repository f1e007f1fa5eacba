import type { Ledger } from '../ledger/ledger.ts'
import { hasRecordsAfter } from '../ledger/payments.ts'
import { type RunRowState, runRows } from '../ledger/runRows.ts'
import { proposedBody } from '../payments/check.ts'
import type { PaymentContext } from '../payments/paymentContext.ts'
import type { Proposal } from '../payments/proposal.ts'
import { acceptedRepeats } from '../payments/repeatOptions.ts'
import type { Account } from '../profiles/account.ts'
import type { Database } from '../storage/sqlite.ts'
import { isMadeUp, type RowAction, type RunPlan, rowAction } from './runPlan.ts'

/** A row of a run that is to be sent. */
export interface SelectedRow {
  state: RunRowState
  action: RowAction
}

const PAGE_ROWS = 200

/** Reads the rows of a plan that are to be sent, in the order of the file, a page at a time. */
export class RowSource {
  readonly #ledger: Ledger
  readonly #plan: RunPlan
  readonly #nowMs: number
  /** Rows that were not part of the question. */
  readonly #skippedLines: ReadonlySet<number>
  #left: number
  #page: SelectedRow[] = []
  #afterLine = 0
  #isAtEnd = false
  #reading: Promise<unknown> = Promise.resolve()

  constructor(ledger: Ledger, plan: RunPlan, nowMs: number) {
    this.#ledger = ledger
    this.#plan = plan
    this.#nowMs = nowMs
    this.#skippedLines = new Set(plan.conflicts.map(({ line }) => line))
    this.#left = plan.order.limit ?? Number.POSITIVE_INFINITY
  }

  /** Up to `count` further rows, fewer only at the end. Calls may overlap; each row is returned once. */
  take(count: number): Promise<SelectedRow[]> {
    const taken = this.#reading.then(() => this.#take(count))
    this.#reading = taken.catch(() => undefined)
    return taken
  }

  async #take(count: number): Promise<SelectedRow[]> {
    const rows: SelectedRow[] = []
    while (rows.length < count && this.#left > 0) {
      if (this.#page.length === 0) await this.#readPage()
      const row = this.#page.shift()
      if (row === undefined) break
      rows.push(row)
      this.#left -= 1
    }
    return rows
  }

  async #readPage(): Promise<void> {
    const { run, selection } = this.#plan.order
    while (this.#page.length === 0 && !this.#isAtEnd) {
      const states = await this.#ledger.read((database) => runRows(database, run, this.#afterLine, PAGE_ROWS))
      this.#afterLine = states.at(-1)?.row.line ?? this.#afterLine
      this.#isAtEnd = states.length < PAGE_ROWS
      for (const state of states) {
        const action = rowAction(state, selection, this.#nowMs)
        if (action !== null && !this.#skippedLines.has(state.row.line)) this.#page.push({ state, action })
      }
    }
  }
}

/** The bodies of the requests of the rows that are to be sent, in their order, for a check command. */
export async function* plannedBodies({ ledger, account, now }: PaymentContext, plan: RunPlan): AsyncGenerator<string> {
  const source = new RowSource(ledger, plan, now())
  for (;;) {
    const rows = await source.take(PAGE_ROWS)
    if (rows.length === 0) return
    yield* await ledger.read((database) =>
      rows.map((row) => proposedBody(database, account, rowProposal(database, account, row, plan))),
    )
  }
}

/** What is proposed to `decide` for a row of a plan: a new payment, the next attempt of a known one, or the same request again. */
export function rowProposal(
  database: Database,
  account: Account,
  { state: { row, payment }, action }: SelectedRow,
  { order, lastSeq }: Pick<RunPlan, 'order' | 'lastSeq'>,
): Proposal {
  const { facts, originalCents, rowId, line, isTypedId } = row
  const { run, reference, repeats, selection } = order
  if (action === 'resend') {
    const { despiteChargeback = false } = repeats
    return { action, payment: known(payment), includeUnknown: selection.includeUnknown, despiteChargeback }
  }
  // What was recorded after the plan was not shown, and is not accepted.
  const accepted = acceptedRepeats(database, account, facts, repeats, lastSeq)
  if (action === 'retry') return { action, payment: known(payment), accepted, originalCents, run }
  const externalId = facts.kind === 'transfer' ? rowId : null
  const place = { run, line, reference, isDerivedId: !isTypedId }
  return { action, facts, externalId, rowId, place, accepted, originalCents, isIdMadeUp: isMadeUp(order, row) }
}

/**
 * True if a payment has records after the one that the plan knew last: what a person was asked about is not what would be sent now. The
 * summary shows its new state.
 */
export function isChangedSince(database: Database, payment: string | null, lastSeq: number): boolean {
  return payment !== null && hasRecordsAfter(database, payment, lastSeq)
}

function known(payment: string | null): string {
  if (payment === null) throw new Error('a row without a payment cannot be sent again')
  return payment
}
