import { REPEAT_WINDOW_MS } from '../repeats.ts'
import type { CheckedRow } from './batchFile.ts'
import type { KeptRow } from './keptRow.ts'
import type { LedgerIndex } from './ledgerIndex.ts'
import { type LedgerAccount, paymentKey } from './ledgerKeys.ts'

/**
 * How a row stands in the ledger. `other` is a row whose id belongs to another payment. `attempt` is the one under which a
 * row is sent that was not sent yet, or of which only a later attempt was not.
 */
export type Standing =
  | { as: 'not-sent'; attempt: number }
  | { as: 'accepted' | 'refused' | 'unknown' | 'other'; entry: number }

/** Whose row it is, and under which reference. */
export interface RowContext {
  account: LedgerAccount
  reference: string
  nowMs: number
}

/** What the ledger says of a row. */
export function standingOf(index: LedgerIndex, row: CheckedRow | KeptRow, { account }: RowContext): Standing {
  const entry = index.find(account, row.kind, row.id)
  if (entry === undefined) return { as: 'not-sent', attempt: 1 }
  if (!index.isPayment(entry, paymentKey(account, row))) {
    return index.mayHaveMoved(entry) ? { as: 'other', entry } : { as: 'not-sent', attempt: index.attemptOf(entry) }
  }
  switch (index.stateOf(entry)) {
    case 'not-sent':
      return { as: 'not-sent', attempt: index.attemptOf(entry) }
    case 'unknown':
      return { as: 'unknown', entry }
    case 'accepted':
    case 'paid':
      return { as: 'accepted', entry }
    case 'refused':
    case 'not-paid':
    case 'returned':
      return { as: 'refused', entry }
  }
}

/** Why a row must not be sent, and for which entry. */
export interface Obstacle {
  why: 'doubt' | 'repeat' | 'id' | 'left'
  entry: number
}

/** What stands in the way of a row. */
export interface ObstacleWish extends RowContext {
  /** The row's own entry, so that only those before it count; null where it has none yet. */
  own: number | null
  /** Payments outside the batch that were made before this entry may be made once more. */
  repeatableBefore: number
  /** The run that the row is sent by, whose rows are no repeats of each other. */
  run: string | null
}

/**
 * What the rules about repeats say of a row: a payment in doubt, the same payment within six days outside this reference,
 * another payment of the same id, or more than is left of what is returned.
 */
export function obstacleOf(index: LedgerIndex, row: CheckedRow | KeptRow, wish: ObstacleWish): Obstacle | undefined {
  for (const entry of wish.own === null ? [] : index.sameId(wish.own)) {
    if (entry !== wish.own && index.mayHaveMoved(entry)) return { why: 'id', entry }
  }
  return row.kind === 'refund' ? refundObstacle(index, row, wish) : transferObstacle(index, row, wish)
}

function transferObstacle(
  index: LedgerIndex,
  row: Extract<CheckedRow | KeptRow, { kind: 'transfer' }>,
  wish: ObstacleWish,
): Obstacle | undefined {
  for (const entry of samePayments(index, row, wish)) {
    if (isOwn(index, entry, wish) || !index.mayHaveMoved(entry)) continue
    if (index.stateOf(entry) === 'unknown') return { why: 'doubt', entry }
    if (isRepeat(index, entry, wish)) return { why: 'repeat', entry }
  }
  return undefined
}

function refundObstacle(
  index: LedgerIndex,
  row: Extract<CheckedRow | KeptRow, { kind: 'refund' }>,
  wish: ObstacleWish,
): Obstacle | undefined {
  const isWhole = 'isWhole' in row ? row.isWhole : row.amountCents === null
  let returnedCents = 0
  let repeated: Obstacle | undefined
  let last: number | undefined
  for (const entry of samePayments(index, row, wish)) {
    if (!index.mayHaveMoved(entry)) continue
    if (index.stateOf(entry) === 'unknown') return { why: 'doubt', entry }
    last ??= entry
    returnedCents += index.isWhole(entry) ? Number.POSITIVE_INFINITY : (index.centsOf(entry) ?? 0)
    const isSame = index.centsOf(entry) === row.amountCents || (isWhole && index.isWhole(entry))
    if (isSame && !isOwn(index, entry, wish) && isRepeat(index, entry, wish)) repeated ??= { why: 'repeat', entry }
  }
  if (repeated !== undefined || last === undefined) return repeated
  const paidCents = 'paidCents' in row ? row.paidCents : null
  const isTooMuch = returnedCents + (row.amountCents ?? 1) > (paidCents ?? Number.MAX_SAFE_INTEGER)
  return isTooMuch ? { why: 'left', entry: last } : undefined
}

/** The payments that are the same as a row's; where it has an entry of its own, those before it. */
function samePayments(index: LedgerIndex, row: CheckedRow | KeptRow, { own, account }: ObstacleWish): Iterable<number> {
  return own === null ? index.samePayment(paymentKey(account, row)) : index.earlierPayments(own)
}

/** True for the batch's own payments, whose order and number the file says. */
function isOwn(index: LedgerIndex, entry: number, { run, reference }: ObstacleWish): boolean {
  return (run !== null && index.isOfRun(entry, run)) || index.isOfReference(entry, reference)
}

function isRepeat(index: LedgerIndex, entry: number, { nowMs, repeatableBefore }: ObstacleWish): boolean {
  return entry >= repeatableBefore && nowMs - index.atMsOf(entry) <= REPEAT_WINDOW_MS
}

/** What this machine has returned of a payment, or may have, in cents; Infinity where it was all of it. */
export function returnedCentsOf(index: LedgerIndex, account: LedgerAccount, originalTransactionId: string): number {
  let sumCents = 0
  for (const entry of index.samePayment(paymentKey(account, { kind: 'refund', originalTransactionId }))) {
    if (!index.mayHaveMoved(entry)) continue
    sumCents += index.isWhole(entry) ? Number.POSITIVE_INFINITY : (index.centsOf(entry) ?? 0)
  }
  return sumCents
}

/** What is to be done with a file, found by giving all its rows to a {@link Planner}. */
export interface Plan {
  toSend: number
  toSendCents: number
  /** Rows that are left out, by what the ledger says of them. */
  leftOut: { accepted: number; refused: number; unknown: number }
  /** Rows that something stands in the way of, the first thousand; `obstacleCount` counts all. */
  obstacles: readonly (Obstacle & { line: number })[]
  obstacleCount: number
  /** Entries of this reference that moved money and have no row any more, the first thousand. */
  missing: readonly number[]
  missingCount: number
}

const LISTED_MAX = 1000

/** Makes a plan row by row, so that none needs to be kept. Rows of one file are never repeats of each other. */
export class Planner {
  readonly #index: LedgerIndex
  readonly #context: RowContext
  readonly #leftOut = { accepted: 0, refused: 0, unknown: 0 }
  readonly #obstacles: (Obstacle & { line: number })[] = []
  /** Of each entry whether a row is it. */
  readonly #seen: Uint8Array
  #obstacleCount = 0
  #toSend = 0
  #toSendCents = 0

  constructor(index: LedgerIndex, context: RowContext) {
    this.#index = index
    this.#context = context
    this.#seen = new Uint8Array(index.size)
  }

  /** True for a row that is to be sent. */
  add(row: CheckedRow): boolean {
    const standing = standingOf(this.#index, row, this.#context)
    if (standing.as !== 'not-sent') this.#seen[standing.entry] = 1
    if (standing.as === 'other') this.#note({ why: 'id', entry: standing.entry }, row.line)
    else if (standing.as !== 'not-sent') this.#leftOut[standing.as] += 1
    if (standing.as !== 'not-sent') return false
    const obstacle = obstacleOf(this.#index, row, {
      ...this.#context,
      own: null,
      repeatableBefore: 0,
      run: null,
    })
    if (obstacle !== undefined) this.#note(obstacle, row.line)
    this.#toSend += 1
    this.#toSendCents += row.amountCents ?? 0
    return true
  }

  plan(kind: CheckedRow['kind']): Plan {
    const missing: number[] = []
    let missingCount = 0
    const { account, reference } = this.#context
    for (let entry = 0; entry < this.#index.size; entry++) {
      if (!this.#index.isOfReference(entry, reference) || !this.#index.isOf(entry, account, kind)) continue
      if (this.#seen[entry] === 1 || !this.#index.mayHaveMoved(entry)) continue
      missingCount += 1
      if (missing.length < LISTED_MAX) missing.push(entry)
    }
    return {
      toSend: this.#toSend,
      toSendCents: this.#toSendCents,
      leftOut: this.#leftOut,
      obstacles: this.#obstacles,
      obstacleCount: this.#obstacleCount,
      missing,
      missingCount,
    }
  }

  #note(obstacle: Obstacle, line: number): void {
    this.#obstacleCount += 1
    if (this.#obstacles.length < LISTED_MAX) this.#obstacles.push({ ...obstacle, line })
  }
}
