import type { Ledger } from '../ledger/ledger.ts'
import { type RunRowState, runRows } from '../ledger/runRows.ts'
import type { Proposal } from '../payments/decide.ts'
import { acceptedRepeats, type RepeatOptions } from '../payments/repeatOptions.ts'
import { isSafeToResend } from '../payments/resendWindow.ts'
import type { Account } from '../profiles/account.ts'
import type { Database } from '../storage/sqlite.ts'

/** Which rows of a run are sent beside those that were never sent, and transfers with an unknown outcome for less than a day. */
export interface RowSelection {
  /** Refused, failed and returned rows too, each as a new attempt. */
  refused: boolean
  /** All transfers and refunds with an unknown outcome. */
  includeUnknown: boolean
}

/** The selection for a file that is sent for the first time. */
export const UNSENT_ROWS: RowSelection = { refused: false, includeUnknown: false }

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

/** A row of a run that is to be sent. */
export interface SelectedRow {
  state: RunRowState
  action: RowAction
}

export interface RowSourceOptions {
  run: string
  selection: RowSelection
  /** Rows that were not part of the question. */
  skippedLines: ReadonlySet<number>
  /** The most rows to return; null for all. */
  limit: number | null
  nowMs: number
}

const PAGE_ROWS = 200

/** Reads the rows of a run that are to be sent, in the order of the file, a page at a time. */
export class RowSource {
  readonly #ledger: Ledger
  readonly #run: string
  readonly #selection: RowSelection
  readonly #nowMs: number
  readonly #skippedLines: ReadonlySet<number>
  #left: number
  #page: SelectedRow[] = []
  #afterLine = 0
  #isAtEnd = false
  #reading: Promise<unknown> = Promise.resolve()

  constructor(ledger: Ledger, { run, selection, skippedLines, limit, nowMs }: RowSourceOptions) {
    this.#ledger = ledger
    this.#run = run
    this.#selection = selection
    this.#skippedLines = skippedLines
    this.#left = limit ?? Number.POSITIVE_INFINITY
    this.#nowMs = nowMs
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
    while (this.#page.length === 0 && !this.#isAtEnd) {
      const states = await this.#ledger.read((database) => runRows(database, this.#run, this.#afterLine, PAGE_ROWS))
      this.#afterLine = states.at(-1)?.row.line ?? this.#afterLine
      this.#isAtEnd = states.length < PAGE_ROWS
      for (const state of states) {
        const action = rowAction(state, this.#selection, this.#nowMs)
        if (action !== null && !this.#skippedLines.has(state.row.line)) this.#page.push({ state, action })
      }
    }
  }
}

export interface ProposalOptions {
  run: string
  reference: string
  /** How the user accepts that payments are made once more. */
  repeats: RepeatOptions
  /** The last record when the plan was made: what was recorded later was not shown, and is not accepted. */
  lastSeq: number
  includeUnknown: boolean
}

/** What is proposed to `decide` for a row of a run: a new payment, the next attempt of a known one, or the same request again. */
export function rowProposal(
  database: Database,
  account: Account,
  { row, payment }: RunRowState,
  action: RowAction,
  { run, reference, repeats, lastSeq, includeUnknown }: ProposalOptions,
): Proposal {
  const { facts, originalCents, rowId, line, isTypedId } = row
  if (action === 'resend') return { action, payment: known(payment), includeUnknown }
  const accepted = acceptedRepeats(database, account, facts, repeats, lastSeq)
  if (action === 'retry') return { action, payment: known(payment), accepted, originalCents, run }
  const externalId = facts.kind === 'transfer' ? rowId : null
  const place = { run, line, reference, isDerivedId: !isTypedId }
  return { action, facts, externalId, rowId, place, accepted, originalCents }
}

/**
 * True if a payment has records after the one that the plan knew last: what a person was asked about is not what would be sent now. The
 * summary shows its new state.
 */
export function isChangedSince(database: Database, payment: string | null, lastSeq: number): boolean {
  if (payment === null) return false
  const row = database.get(
    `SELECT 1 FROM record WHERE payment = $payment AND seq > $lastSeq
     UNION ALL SELECT 1 FROM event WHERE payment = $payment AND seq > $lastSeq LIMIT 1`,
    { payment, lastSeq },
  )
  return row !== undefined
}

function known(payment: string | null): string {
  if (payment === null) throw new Error('a row without a payment cannot be sent again')
  return payment
}
