import { reaisFromCents } from '../../pix/amount.ts'
import type { Document } from '../../terminal/printer.ts'
import { meaningOfStatus } from '../../timeline/eventMoves.ts'
import type { LedgerFilter } from '../../timeline/ledgerFilter.ts'
import type { Finding } from '../../timeline/records.ts'
import { nameOf, type Transaction } from '../../timeline/transactions.ts'
import { transactionDocument } from '../../timeline/transactionView.ts'
import { isObject } from '../../wire/answers.ts'
import type { Period } from './filterOptions.ts'
import type { StatementRow } from './statementReading.ts'

type StatementVerdict = 'match' | 'only-here' | 'only-there' | 'differs'

/** A payment of the ledger, a row of the statement, or both. */
export interface Compared {
  transaction: Transaction | null
  row: StatementRow | null
  verdict: StatementVerdict
}

/**
 * Holds a statement against the ledger. A row takes the payment that its id names, one that moved money first, and each
 * payment is taken once: a second row of the same id is one that only the statement has. Of the payments that no row names
 * those count that are of the kind, were asked for in the period, and moved money or may have.
 */
export function compareStatement(
  rows: readonly StatementRow[],
  transactions: readonly Transaction[],
  period: Period & Pick<LedgerFilter, 'kind'>,
): Compared[] {
  const named = new Map<string, Transaction[]>()
  for (const transaction of transactions) {
    for (const id of idsOf(transaction)) {
      const held = named.get(id)
      if (held === undefined) named.set(id, [transaction])
      else held.push(transaction)
    }
  }
  const taken = new Set<Transaction>()
  const compared = rows.map((row): Compared => {
    const free = named.get(row.id)?.filter((each) => !taken.has(each)) ?? []
    const transaction = free.find(hasMoved) ?? free[0]
    if (transaction === undefined) return { transaction: null, row, verdict: 'only-there' }
    taken.add(transaction)
    return { transaction, row, verdict: agrees(transaction, row) ? 'match' : 'differs' }
  })
  const rest = transactions.filter((each) => !taken.has(each) && hasMoved(each) && isWithin(each, period))
  return [...compared, ...rest.map((transaction): Compared => ({ transaction, row: null, verdict: 'only-here' }))]
}

/** It as JSON; amounts in reais. */
export function comparedDocument({ transaction, row, verdict }: Compared): Document {
  const statement =
    row === null
      ? null
      : { line: row.line, id: row.id, amount: reaisFromCents(row.amountCents), status: row.status, date: row.day }
  if (transaction === null) return { idTransaction: row?.id ?? null, pixgate: { name: row?.id, statement, verdict } }
  const document = transactionDocument(transaction)
  const pixgate = isObject(document.pixgate) ? document.pixgate : {}
  return { ...document, pixgate: { ...pixgate, statement, verdict } }
}

function idsOf(transaction: Transaction): Set<string> {
  const { intent, idTransaction } = transaction
  const own = idTransaction === null ? [] : [idTransaction]
  return new Set(intent.kind === 'refund' ? own : [...own, nameOf(transaction)])
}

function agrees(transaction: Transaction, { amountCents, status }: StatementRow): boolean {
  const { intent, outcome, event } = transaction
  const known = intent.amountCents ?? outcome?.amountCents ?? event?.amountCents ?? null
  if (known !== null && known !== amountCents) return false
  const there = meaningOfStatus(status ?? '')
  const here = meaningOfState(transaction)
  return there === null || here === null || there === here
}

/** Null while nothing is final. */
function meaningOfState({ state }: Transaction): Finding | null {
  if (state === 'accepted' || state === 'unknown') return null
  return state === 'refused' || state === 'not-sent' ? 'not-paid' : state
}

/** A code is on no statement until it is paid. */
function hasMoved({ intent, state }: Transaction): boolean {
  if (state === 'paid' || state === 'returned') return true
  return intent.kind !== 'qr' && (state === 'accepted' || state === 'unknown')
}

function isWithin(
  { intent, atMs }: Transaction,
  { kind, sinceMs, beforeMs }: Period & Pick<LedgerFilter, 'kind'>,
): boolean {
  if (kind !== null && intent.kind !== kind) return false
  return (sinceMs === null || atMs >= sinceMs) && (beforeMs === null || atMs < beforeMs)
}
