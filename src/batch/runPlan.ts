import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { chainEnd } from '../ledger/chain.ts'
import { type RunRowState, runRows } from '../ledger/runRows.ts'
import { isCountedToday, limitConflict } from '../payments/amountLimits.ts'
import { checkClock } from '../payments/clock.ts'
import type { PaymentContext } from '../payments/paymentContext.ts'
import { type Conflict, findConflict } from '../payments/paymentRules.ts'
import { acceptedRepeats } from '../payments/repeatOptions.ts'
import type { KeyType } from '../pix/pixKey.ts'
import type { Account } from '../profiles/account.ts'
import type { Database } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import { Cancelled } from '../wire/errors.ts'
import { findUnusualAmount, type UnusualRow } from './planWarnings.ts'
import { Fingerprint } from './rowIds.ts'
import { type ProposalOptions, type RowAction, type RowSelection, rowAction } from './rowSelection.ts'

/** A row that must not be sent, and why. */
export interface RowConflict {
  line: number
  state: RunRowState
  conflict: Conflict
}

/** What is about to be sent of a run. */
export interface RunPlan {
  /** Rows to send, by what is done with them; without those that have a conflict. */
  rows: Readonly<Record<RowAction, number>>
  count: number
  cents: number
  /** The part of the rows that `--limit` sends now; all that follows is about this part. */
  now: { count: number; cents: number }
  /** What the rows add to the sum of the day, in cents: those that are sent again are counted already. */
  newTodayCents: number
  /** Refunds of all that is left whose amount is not known. */
  unknownAmounts: number
  largest: { line: number; target: string; amountCents: number } | null
  keyTypes: Readonly<Partial<Record<KeyType, number>>>
  /** The first hundred rows with an amount far above what their key was paid before; `unusualCount` counts all. */
  unusual: readonly UnusualRow[]
  unusualCount: number
  /** Rows that were sent before this run, by what is known of them. */
  leftOut: { accepted: number; refused: number; unknown: number }
  /** The first thousand rows that must not be sent; `conflictCount` counts all. */
  conflicts: readonly RowConflict[]
  conflictCount: number
  /** The first thousand rows with an unknown outcome that are not sent again; `notResentCount` counts all. */
  notResent: readonly RunRowState[]
  notResentCount: number
  /** 16 hex digits that identify exactly the payments that are sent, in any order. */
  fingerprint: string
  /** The last record that the plan knows. */
  lastSeq: number
}

export interface RunPlanOptions {
  run: string
  selection: RowSelection
  /** The most rows to send now; null for all. */
  limit: number | null
  repeats: ProposalOptions['repeats']
  interrupt: AbortSignal
  progress(done: number): void
}

/** So few that the rules for a page block nothing else for long. */
const PAGE_ROWS = 100
const LISTED_MAX = 1000
const UNUSUAL_MAX = 100

/**
 * Reads all rows of a run and applies the rules to those that are to be sent, in pages, so that other processes can write and memory does
 * not grow with the file. {@link decide} applies the same rules again. Throws Cancelled at an interrupt.
 */
export async function makeRunPlan(context: PaymentContext, options: RunPlanOptions): Promise<RunPlan> {
  const { ledger } = context
  await checkClock(context)
  const lastSeq = await ledger.read((database) => chainEnd(database).seq)
  const planner = new RunPlanner(context, options, lastSeq)
  let [afterLine, done] = [0, 0]
  for (;;) {
    if (options.interrupt.aborted) throw batchInterrupted()
    const last = await ledger.read((database) => {
      const page = runRows(database, options.run, afterLine, PAGE_ROWS)
      for (const state of page) planner.add(database, state)
      done += page.length
      return page.at(-1)
    })
    if (last === undefined) break
    afterLine = last.row.line
    options.progress(done)
    // A read does not wait for anything, so without this an interrupt would be noticed after the last page.
    await turnOfEventLoop()
  }
  return planner.plan()
}

/** The failure of a batch that was interrupted before its first payment. */
export function batchInterrupted(): Cancelled {
  return new Cancelled(t`Interrupted, nothing was sent`, { hint: t`Run the command again when you are ready` })
}

class RunPlanner {
  readonly #context: PaymentContext
  /** The account without limits, which are judged for all rows together. */
  readonly #unlimited: Account
  readonly #options: RunPlanOptions
  readonly #lastSeq: number
  readonly #nowMs: number
  readonly #fingerprint = new Fingerprint()
  readonly #rows = { pay: 0, resend: 0, retry: 0 }
  readonly #leftOut = { accepted: 0, refused: 0, unknown: 0 }
  readonly #keyTypes: Partial<Record<KeyType, number>> = {}
  readonly #unusual: UnusualRow[] = []
  readonly #conflicts: RowConflict[] = []
  readonly #notResent: RunRowState[] = []
  #counts = { cents: 0, newTodayCents: 0, unknownAmounts: 0, unusual: 0, conflicts: 0, notResent: 0 }
  readonly #now = { count: 0, cents: 0 }
  #largest: RunPlan['largest'] = null

  constructor(context: PaymentContext, options: RunPlanOptions, lastSeq: number) {
    this.#context = context
    this.#unlimited = { ...context.account, maxAmountCents: null, maxDayCents: null }
    this.#options = options
    this.#lastSeq = lastSeq
    this.#nowMs = context.now()
  }

  add(database: Database, state: RunRowState): void {
    const action = rowAction(state, this.#options.selection, this.#nowMs)
    if (action !== null) {
      const conflict = this.#conflict(database, state, action)
      if (conflict === undefined) this.#addRow(database, state, action)
      else this.#addConflict({ line: state.row.line, state, conflict })
    } else if (state.row.isLeftOut) this.#countLeftOut(state)
    else if (state.state === 'unknown') {
      this.#counts.notResent += 1
      if (this.#notResent.length < LISTED_MAX) this.#notResent.push(state)
    }
  }

  plan(): RunPlan {
    const { pay, resend, retry } = this.#rows
    const { cents, newTodayCents, unknownAmounts, unusual, conflicts, notResent } = this.#counts
    return {
      rows: this.#rows,
      count: pay + resend + retry,
      cents,
      now: this.#now,
      newTodayCents,
      unknownAmounts,
      largest: this.#largest,
      keyTypes: this.#keyTypes,
      unusual: this.#unusual,
      unusualCount: unusual,
      leftOut: this.#leftOut,
      conflicts: this.#conflicts,
      conflictCount: conflicts,
      notResent: this.#notResent,
      notResentCount: notResent,
      fingerprint: this.#fingerprint.toString(),
      lastSeq: this.#lastSeq,
    }
  }

  #conflict(database: Database, { row, payment }: RunRowState, action: RowAction): Conflict | undefined {
    const { account } = this.#context
    const { run, repeats } = this.#options
    const { facts, originalCents, rowId } = row
    const amountLimits = { ...account, maxDayCents: null }
    const overLimit = limitConflict(amountLimits, facts.amountCents ?? 0, 0, () => 0)
    // The other rules for a payment with an unknown outcome are applied in the transaction that sends it.
    if (action === 'resend') return overLimit
    const planned = {
      facts,
      // The id of a further attempt is chosen when it is recorded.
      externalId: action === 'pay' && facts.kind === 'transfer' ? rowId : null,
      payment,
      run,
      accepted: acceptedRepeats(database, account, facts, repeats, this.#lastSeq),
      originalCents,
    }
    const conflict = findConflict(database, this.#unlimited, planned, this.#nowMs)
    return conflict === undefined || this.#isResentBefore(conflict) ? overLimit : conflict
  }

  /** True if the payment with the unknown outcome is a row of this run that is sent again, and so has an answer before this one is sent. */
  #isResentBefore(conflict: Conflict): boolean {
    const { run, selection } = this.#options
    return conflict.why === 'unknown' && selection.includeUnknown && conflict.earlier.run === run
  }

  #addRow(database: Database, state: RunRowState, action: RowAction): void {
    const { row, sentMs } = state
    const { facts, line } = row
    const { amountCents } = facts
    this.#rows[action] += 1
    this.#counts.cents += amountCents ?? 0
    this.#fingerprint.add(row.rowId, facts)
    if (this.#now.count === this.#options.limit) return
    this.#now.count += 1
    this.#now.cents += amountCents ?? 0
    const isCounted = action === 'resend' && sentMs !== null && isCountedToday(sentMs, this.#nowMs)
    if (!isCounted) this.#counts.newTodayCents += amountCents ?? 0
    if (amountCents === null) this.#counts.unknownAmounts += 1
    if (amountCents !== null && amountCents > (this.#largest?.amountCents ?? 0)) {
      const target = facts.kind === 'transfer' ? facts.key : facts.originalTransactionId
      this.#largest = { line, target, amountCents }
    }
    if (facts.kind !== 'transfer') return
    this.#keyTypes[facts.keyType] = (this.#keyTypes[facts.keyType] ?? 0) + 1
    const unusual = findUnusualAmount(database, this.#context.account, line, facts)
    if (unusual === undefined) return
    this.#counts.unusual += 1
    if (this.#unusual.length < UNUSUAL_MAX) this.#unusual.push(unusual)
  }

  #addConflict(conflict: RowConflict): void {
    this.#counts.conflicts += 1
    if (this.#conflicts.length < LISTED_MAX) this.#conflicts.push(conflict)
  }

  #countLeftOut({ state }: RunRowState): void {
    if (state === 'unknown') this.#leftOut.unknown += 1
    else if (state === 'accepted' || state === 'paid') this.#leftOut.accepted += 1
    else if (state !== null && state !== 'not-sent') this.#leftOut.refused += 1
  }
}
