import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { chainEnd } from '../ledger/chain.ts'
import { type UnconfirmedPayee, type UnconfirmedState, unconfirmedPayee } from '../ledger/payees.ts'
import type { RunRow } from '../ledger/records.ts'
import { type RunRowState, runRows } from '../ledger/runRows.ts'
import { isCountedToday, limitConflict } from '../payments/amountLimits.ts'
import { checkClock } from '../payments/clock.ts'
import type { PaymentContext } from '../payments/paymentContext.ts'
import { sentTodayCents } from '../payments/paymentLookup.ts'
import { type Conflict, findConflict } from '../payments/paymentRules.ts'
import type { Proposal } from '../payments/proposal.ts'
import { acceptedRepeats, type RepeatOptions } from '../payments/repeatOptions.ts'
import { isSafeToResend } from '../payments/resendWindow.ts'
import type { KeyType } from '../pix/pixKey.ts'
import type { Account } from '../profiles/account.ts'
import type { Database } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import { Cancelled } from '../wire/errors.ts'
import { findUnusualAmount, type UnusualRow } from './planWarnings.ts'
import { Fingerprint } from './rowIds.ts'

/** Which rows of a run are sent beside those that were never sent, and transfers with an unknown outcome for less than a day. */
export interface RowSelection {
  /** Refused, failed and returned rows too, each as a new attempt. */
  refused: boolean
  /** All transfers and refunds with an unknown outcome. */
  includeUnknown: boolean
}

/** The selection for a file that is sent for the first time. */
export const UNSENT_ROWS: RowSelection = { refused: false, includeUnknown: false }

/** What is asked for: which rows of a run are sent now, and which payments may be made once more. */
export interface RunOrder {
  run: string
  kind: 'transfer' | 'refund'
  reference: string
  /** False if the reference is only the name of the file. */
  isReferenceTyped: boolean
  selection: RowSelection
  /** The most rows to send now; null for all. */
  limit: number | null
  repeats: RepeatOptions
}

export type RowAction = Proposal['action']

/** What to do with a row of a run; null if it is not sent. */
export function rowAction(
  { row, state, mayHaveMoved, firstSentMs }: RunRowState,
  { refused, includeUnknown }: RowSelection,
  nowMs: number,
): RowAction | null {
  if (row.isLeftOut) return null
  switch (state) {
    case null:
    case 'not-sent':
      return 'pay'
    case 'unknown': {
      const isSafe = isSafeToResend(row.facts, firstSentMs ?? nowMs, nowMs)
      return isSafe || includeUnknown ? 'resend' : null
    }
    case 'refused':
    case 'not-paid':
    case 'returned':
      // If money may have moved, the gateway may hold a transfer with this id, even if it refused our request.
      return refused && !mayHaveMoved ? 'retry' : null
    case 'accepted':
    case 'paid':
      return null
  }
}

/** True if pixgate made up the id of a row, because neither it nor the reference was typed. */
export function isMadeUp({ isReferenceTyped }: RunOrder, { isTypedId }: Pick<RunRow, 'isTypedId'>): boolean {
  return !isReferenceTyped && !isTypedId
}

/** A row that must not be sent, and why. */
export interface RowConflict {
  line: number
  state: RunRowState
  conflict: Conflict
}

/** What is about to be sent of a run: of a file, sent for the first time or again, or of a run that is resumed. */
export interface RunPlan {
  order: RunOrder
  /** The last record that the plan knows. */
  lastSeq: number
  /** Rows to send, by what is done with them; without those that have a conflict. */
  rows: Record<RowAction, number>
  count: number
  cents: number
  /** 16 hex digits that identify exactly these payments, in any order. */
  fingerprint: string
  /** The part of these rows that `--limit` sends now; what follows, up to the rows that are not sent, is about this part. */
  now: { count: number; cents: number }
  /** What the rows add to the sum of the day, in cents: those that are sent again are counted already. */
  newTodayCents: number
  /** Refunds of all that is left whose amount is not known. */
  unknownAmounts: number
  largest: { line: number; target: string; amountCents: number } | null
  keyTypes: Partial<Record<KeyType, number>>
  /** The first hundred rows with an amount far above what their key was paid before; `unusualCount` counts all. */
  unusual: UnusualRow[]
  unusualCount: number
  /** Rows to payees without a confirmed payment, by their state: how many, and the first five of them. */
  unconfirmed: Record<UnconfirmedState, { count: number; first: UnconfirmedRow[] }>
  /** Rows that were sent before this run, by what is known of them. */
  leftOut: { accepted: number; refused: number; unknown: number }
  /** The first thousand rows that must not be sent; `conflictCount` counts all. */
  conflicts: RowConflict[]
  conflictCount: number
  /** The first thousand rows with an unknown outcome that are not sent again; `notResentCount` counts all. */
  notResent: RunRowState[]
  notResentCount: number
  sentTodayCents: number
}

/** A row that goes to a payee without a confirmed payment. */
interface UnconfirmedRow {
  line: number
  payee: UnconfirmedPayee
}

/** So few that the rules for a page block nothing else for long. */
const PAGE_ROWS = 100
const LISTED_MAX = 1000
const UNUSUAL_MAX = 100
const UNCONFIRMED_MAX = 5

/**
 * Reads all rows of a run and applies the rules to those that are to be sent, in pages, so that other processes can write and memory does
 * not grow with the file. {@link decide} applies the same rules again. Before the payments that a file refunds were looked up, what is left of
 * them is unknown, so that the rule about it is not applied. Throws Cancelled at an interrupt.
 */
export async function makeRunPlan(
  context: PaymentContext,
  order: RunOrder,
  { isBeforeLookUp = false } = {},
): Promise<RunPlan> {
  const { ledger, terminal, interrupt, account, now } = context
  await checkClock(context)
  const lastSeq = await ledger.read((database) => chainEnd(database).seq)
  const planner = new RunPlanner(context, order, lastSeq, isBeforeLookUp)
  let [afterLine, done] = [0, 0]
  for (;;) {
    if (interrupt.aborted) throw batchInterrupted()
    const last = await ledger.read((database) => {
      const page = runRows(database, order.run, afterLine, PAGE_ROWS)
      for (const state of page) planner.add(database, state)
      done += page.length
      return page.at(-1)
    })
    if (last === undefined) break
    afterLine = last.row.line
    terminal.progress(done === 1 ? t`Checked 1 row` : t`Checked ${done} rows`)
    // A read does not wait for anything, so without this an interrupt would be noticed after the last page.
    await turnOfEventLoop()
  }
  return planner.plan(await ledger.read((database) => sentTodayCents(database, account, now())))
}

/** The failure of a batch that was interrupted before its first payment. */
export function batchInterrupted(): Cancelled {
  return new Cancelled(t`Interrupted, nothing was sent`, { hint: t`Run the command again when you are ready` })
}

class RunPlanner {
  readonly #context: PaymentContext
  /** The account without limits, which are judged for all rows together. */
  readonly #unlimited: Account
  readonly #isBeforeLookUp: boolean
  readonly #nowMs: number
  readonly #fingerprint = new Fingerprint()
  readonly #plan: RunPlan

  constructor(context: PaymentContext, order: RunOrder, lastSeq: number, isBeforeLookUp: boolean) {
    this.#context = context
    this.#unlimited = { ...context.account, maxAmountCents: null, maxDayCents: null }
    this.#isBeforeLookUp = isBeforeLookUp
    this.#nowMs = context.now()
    this.#plan = {
      order,
      lastSeq,
      rows: { pay: 0, resend: 0, retry: 0 },
      count: 0,
      cents: 0,
      fingerprint: '',
      now: { count: 0, cents: 0 },
      newTodayCents: 0,
      unknownAmounts: 0,
      largest: null,
      keyTypes: {},
      unusual: [],
      unusualCount: 0,
      unconfirmed: { new: { count: 0, first: [] }, changed: { count: 0, first: [] } },
      leftOut: { accepted: 0, refused: 0, unknown: 0 },
      conflicts: [],
      conflictCount: 0,
      notResent: [],
      notResentCount: 0,
      sentTodayCents: 0,
    }
  }

  add(database: Database, state: RunRowState): void {
    const plan = this.#plan
    const action = rowAction(state, plan.order.selection, this.#nowMs)
    if (action !== null) {
      const conflict = this.#conflict(database, state, action)
      if (conflict === undefined) this.#addRow(database, state, action)
      else if (++plan.conflictCount <= LISTED_MAX) plan.conflicts.push({ line: state.row.line, state, conflict })
    } else if (state.row.isLeftOut) this.#countLeftOut(state)
    else if (state.state === 'unknown' && ++plan.notResentCount <= LISTED_MAX) plan.notResent.push(state)
  }

  plan(sentToday: number): RunPlan {
    return { ...this.#plan, fingerprint: this.#fingerprint.toString(), sentTodayCents: sentToday }
  }

  #conflict(database: Database, { row, payment }: RunRowState, action: RowAction): Conflict | undefined {
    const { account } = this.#context
    const { order, lastSeq } = this.#plan
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
      run: order.run,
      accepted: acceptedRepeats(database, account, facts, order.repeats, lastSeq),
      originalCents,
      isIdMadeUp: isMadeUp(order, row),
    }
    const conflict = findConflict(database, this.#unlimited, planned, this.#nowMs)
    if (conflict === undefined || this.#isResentBefore(conflict)) return overLimit
    return conflict.why === 'left' && this.#isBeforeLookUp ? undefined : conflict
  }

  /** True if the payment with the unknown outcome is a row of this run that is sent again, and so has an answer before this one is sent. */
  #isResentBefore(conflict: Conflict): boolean {
    const { run, selection } = this.#plan.order
    return conflict.why === 'unknown' && selection.includeUnknown && conflict.earlier.run === run
  }

  #addRow(database: Database, { row, sentMs }: RunRowState, action: RowAction): void {
    const plan = this.#plan
    const { facts, line } = row
    const { amountCents } = facts
    plan.rows[action] += 1
    plan.count += 1
    plan.cents += amountCents ?? 0
    this.#fingerprint.add(row.rowId, facts)
    if (plan.now.count === plan.order.limit) return
    plan.now.count += 1
    plan.now.cents += amountCents ?? 0
    const isCounted = action === 'resend' && sentMs !== null && isCountedToday(sentMs, this.#nowMs)
    if (!isCounted) plan.newTodayCents += amountCents ?? 0
    if (amountCents === null) plan.unknownAmounts += 1
    if (amountCents !== null && amountCents > (plan.largest?.amountCents ?? 0)) {
      const target = facts.kind === 'transfer' ? facts.key : facts.originalTransactionId
      plan.largest = { line, target, amountCents }
    }
    if (facts.kind !== 'transfer') return
    plan.keyTypes[facts.keyType] = (plan.keyTypes[facts.keyType] ?? 0) + 1
    const unusual = findUnusualAmount(database, this.#context.account, line, facts)
    if (unusual !== undefined && ++plan.unusualCount <= UNUSUAL_MAX) plan.unusual.push(unusual)
    const payee = unconfirmedPayee(database, this.#context.account, facts)
    if (payee === undefined) return
    const marked = plan.unconfirmed[payee.state]
    if (++marked.count <= UNCONFIRMED_MAX) marked.first.push({ line, payee })
  }

  #countLeftOut({ state }: RunRowState): void {
    const { leftOut } = this.#plan
    if (state === 'unknown') leftOut.unknown += 1
    else if (state === 'accepted' || state === 'paid') leftOut.accepted += 1
    else if (state !== null && state !== 'not-sent') leftOut.refused += 1
  }
}
